"""No page loads more script of ours than it may, on the way as it is and in a browser."""

import pytest

from bench.page_weight import MOST_SCRIPT, STATIC, weigh
from tests.browsing import browse, in_a_browser
from tests.chat.talking import converse
from tests.factories import make_access
from tests.live import logged_in
from tests.memory.student.pages.conftest import remember

PAGES = (
    "/chat/", "/chat/imports/", "/memory/", "/memory/?view=picture", "/memory/life/", "/memory/history/",
    "/memory/sleep/", "/memory/clean-up/", "/map/", "/account/", "/agents/",
)  # fmt: skip
LONG = "\n\n".join(["Here is how: `x`.", "```python\nprint('hello')\n```"] * 3)

pytestmark = [pytest.mark.spec("E5")]


@pytest.mark.django_db
def test_no_page_asks_for_more_than_it_may():
    """Whatever its head, its end and the modules that these import name."""
    ada = make_access("ada")
    remember(ada, "My cat is called Moses", "I live in Lund")
    page = logged_in("ada")
    weights = [weigh(address, page, address) for address in (*PAGES, f"/chat/{converse(ada, LONG).pk}/")]
    assert {weight.page: weight.script.raw for weight in weights if weight.script.raw > MOST_SCRIPT} == {}
    assert all(weight.script.raw for weight in weights)


def test_every_script_is_loaded_by_something():
    """A file that no page and no other script names would rot."""
    templates = (STATIC.parent / "templates").rglob("*.html")
    scripts = {path.name: path.read_text() for path in STATIC.glob("js/*.js")}
    named = "".join(path.read_text() for path in templates) + "".join(scripts.values())
    assert [name for name in scripts if f"/{name}" not in named] == []


@in_a_browser
def test_a_browser_loads_no_more(committed, shared_browser):
    """A conversation, opened and left alone; the palette comes when it is opened, and nothing twice."""
    ada = make_access("ada")
    row = converse(ada, "Electron pairs")
    with browse("ada", shared_browser) as page:
        loaded: dict[str, int] = {}
        page.on("response", lambda answer: _count(loaded, answer))
        page.goto(f"/chat/{row.pk}/", wait_until="networkidle")
        assert 20_000 < sum(loaded.values()) <= MOST_SCRIPT, loaded
        assert "palette_dialog.js" not in loaded and "voice_parts.js" not in loaded
        page.keyboard.press("Control+k")
        page.get_by_role("dialog").get_by_role("combobox").wait_for()
        assert "palette_dialog.js" in loaded
        assert page.complaints == []


def _count(loaded: dict[str, int], answer) -> None:
    name = answer.url.rpartition("/")[2]
    if "/static/js/" in answer.url:
        loaded[name] = (STATIC / "js" / name).stat().st_size
        assert answer.header_value("content-encoding") == "gzip", name
