"""The page of the graph: what is drawn, what a filter leaves, and what a stranger gets."""

import re
from datetime import timedelta

import pytest
from django.urls import reverse

from tests.cases import cases
from tests.factories import NOW
from tests.memory.student.pages.conftest import PICTURE, remember, see

pytestmark = [pytest.mark.django_db, pytest.mark.spec("G13")]
DOT = re.compile(r'<g class="dot dot--(\w+)( dot--past)?" data-row="\d+"( hidden)?')


def dots(answer):
    return DOT.findall(answer.content.decode())


def test_a_search_that_fits_nothing_says_so(ada, browser):
    """Nothing is counted that is not there, and a way leads back to everything."""
    remember(ada, "My cat is called Moses")
    page = see(browser, **{"q": "zzzz"}).content.decode()
    assert "No memory fits." in page and "Show everything" in page
    assert "0 memories" not in page


def test_each_memory_is_drawn_by_its_kind_with_its_words(ada, browser):
    """A dot for each memory that holds, with words and day for who rests on it, and the same as a list."""
    remember(ada, "Kemi is hard for me", "My cat is <b>Moses</b>")
    remember(ada, "I passed the test", modality="episodic")
    answer = browser.get(PICTURE)
    assert sorted(kind for kind, *_ in dots(answer)) == ["episodic", "semantic", "semantic"]
    page = answer.content.decode()
    assert "<title>My cat is &lt;b&gt;Moses&lt;/b&gt; (2 March 2026)</title>" in page
    assert "<b>Moses" not in page
    assert page.count('class="memory-item"') == 3


def test_edges_are_drawn_by_category(ada, browser):
    """An edge of time and one of meaning have strokes of their own."""
    remember(ada, "I went to the lab", "I burned my hand", edge="CAUSES")
    page = browser.get(PICTURE).content.decode()
    assert re.search(r'line--temporal line--firm" data-line="temporal-1" d="M[-\d.]+ [-\d.]+L', page)
    assert 'data-line="semantic-1" d=""' in page


@pytest.mark.slow
@cases(
    ("given", "left"),
    [
        ({"modality": "episodic"}, ["I passed the test"]),
        ({"q": "CAT moses"}, ["My cat is Moses"]),
        ({"q": "nothing like it"}, []),
        ({"tier": "long_term"}, []),
        ({"as_of": "2026-03-02"}, ["Kemi is hard", "My cat is Moses"]),
        ({"as_of": "2026-03-01"}, []),
    ],
)
def test_a_filter_leaves_what_it_asks_for(ada, browser, given, left):
    """By kind, tier, words and day; the list below says the same as the picture."""
    remember(ada, "Kemi is hard", "My cat is Moses")
    remember(ada, "I passed the test", modality="episodic", at=NOW + timedelta(days=3))
    answer = see(browser, **given)
    assert answer.status_code == 200
    assert sorted(shape.id for shape in answer.context["picture"].matching) == sorted(
        memory.id for memory in answer.context["memories"]
    )
    assert sorted(memory.text for memory in answer.context["memories"]) == sorted(left)
    assert sum(not hidden for *_, hidden in dots(answer)) == len(left)


@cases(
    "given",
    [
        {"modality": "<script>alert(1)</script>"},
        {"tier": "'; DROP TABLE memory_memorynode; --"},
        {"as_of": "9999-99-99"},
        {"as_of": "0000-00-00"},
        {"q": "x" * 5000},
    ],
)
def test_a_filter_that_makes_no_sense_is_said_so(ada, browser, given):
    """A clear page with the marked field, and nothing of it run or repeated as code."""
    remember(ada, "Kemi is hard")
    answer = see(browser, **given)
    assert answer.status_code == 400
    page = answer.content.decode()
    assert "field__errors" in page and "<script>alert" not in page
    assert len(dots(answer)) == 1


@pytest.mark.parametrize("page", ["-1", "0", "99999999999999999999", "zebra"])
def test_a_page_that_there_is_not_leads_to_one_that_there_is(ada, browser, page):
    """Numbers of pages are never an error."""
    remember(ada, "Kemi is hard")
    for address in (PICTURE, reverse("memory:history"), f"{reverse('memory:about_me')}?about=life:none"):
        assert browser.get(address, {"page": page}).status_code == 200


def test_the_day_s_end_and_the_first_and_last_day_of_time_are_days(ada, browser):
    """Days at the ends of the calendar do not break the page."""
    remember(ada, "Kemi is hard")
    for day in ("0001-01-01", "9999-12-31"):
        assert see(browser, **{"as_of": day}).status_code == 200
