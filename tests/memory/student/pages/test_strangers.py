"""Whose pages these are: to everybody else they do not exist, and while the memory is locked they lead to the key."""

import re
from collections.abc import Iterator

import pytest
from django.http import HttpResponse
from django.test import Client
from django.urls import reverse

from companion_site.accounts.models import Person
from companion_site.vault.sessions import COOKIE
from memory.student.pages.navigation import BEHIND, PAGES
from tests.factories import make_business_user, make_student
from tests.live import change_password, logged_in

pytestmark = [
    pytest.mark.django_db(databases=["default", "metadata"]),
    pytest.mark.spec("G13"),
    pytest.mark.spec("E2"),
    pytest.mark.spec("I4"),
]
#: Every page without an id, and every page of one thing, with what it is asked for by.
OWN = (*PAGES, *BEHIND, "privacy", "sleep_state", "share")
READ = (
    ("memory", "memory"), ("memory", "insight"), ("ledger_entry", "entry"), ("clean_up_run", "run"), ("clean_up_state", "run"),
    ("sleep_run", "slept"),
)  # fmt: skip
WRITTEN = (
    ("forget", "memory", {}), ("correct", "memory", {"text": "Something else"}), ("undo", "change", {}),
    ("forget", "insight", {}), ("correct", "insight", {"text": "Something else"}), ("sort", "insight", {"category": "struggles"}),
    ("settle", "contradiction", {"keep": "later"}), ("ledger_entry", "entry", {"content": "x", "category": "fact", "importance": "0.5"}),
)  # fmt: skip
#: words that only who built it knows
MAKERS = re.compile(
    r">[^<]*\b(ledger|packs?|mount(ed)?|noise floor|tiers?|nodes?|revisions?)\b[^<]*<", re.IGNORECASE
)


def read(client: Client, ids: dict, *, own: bool = True) -> Iterator[tuple[str, HttpResponse]]:
    """Ask for every page, those of one thing alone unless `own`."""
    for name in OWN if own else ():
        yield name, client.get(reverse(f"memory:{name}"))
    for name, which in READ:
        yield name, client.get(reverse(f"memory:{name}", args=[ids[which]]))


def write(client: Client, ids: dict) -> Iterator[tuple[str, HttpResponse]]:
    """Press every button."""
    for name, which, given in WRITTEN:
        yield name, client.post(reverse(f"memory:{name}", args=[ids[which]]), given)
    for verb in ("retire", "bring-back"):
        yield verb, client.post(reverse("memory:switch_entry", args=[ids["entry"], verb]))


def test_the_owner_gets_every_page_and_changes_nothing_by_reading(ids, browser):
    """So that the answers below mean what they seem to. Writing addresses refuse GET; no page speaks the language of its makers."""
    pages = [*read(browser, ids), ("picture", browser.get("/memory/?view=picture"))]
    for name, answer in pages:
        assert answer.status_code == 200, name
        shown = re.sub(r"<(script|style)\b.*?</\1>", "", answer.content.decode(), flags=re.DOTALL)
        assert not MAKERS.search(shown), (name, MAKERS.search(shown))
    for name, which, _ in WRITTEN:
        if name != "ledger_entry":
            assert browser.get(reverse(f"memory:{name}", args=[ids[which]])).status_code == 405, name


def test_every_page_is_two_clicks_from_one_of_the_three(ids, browser):
    """The bar has three pages; whatever lies behind them is linked from the page that it belongs to, and leads back there."""
    assert list(PAGES) == ["about_me", "life", "history"]
    for name in PAGES:
        page = browser.get(reverse(f"memory:{name}")).content.decode()
        bar = re.findall(r'class="subnav__link" href="([^"]+)"', page)
        assert bar == [reverse(f"memory:{of}") for of in PAGES] and 'aria-current="page"' in page
        for behind in (behind for behind, one in BEHIND.items() if one.under == name):
            assert f'href="{reverse(f"memory:{behind}")}"' in page, behind
            there = browser.get(reverse(f"memory:{behind}")).content.decode()
            assert f'<p class="trail"><a href="{reverse(f"memory:{name}")}"' in there, behind


def test_another_student_finds_nothing_under_these_ids(ids, stranger):
    """Each id of Ada's is 404 to Eve, for reading and for writing, and nothing of Ada's is on a page of hers."""
    for name, answer in [*read(stranger, ids, own=False), *write(stranger, ids)]:
        assert answer.status_code == 404 and "fractions" not in answer.content.decode(), name
    assert "fractions" not in stranger.get(reverse("memory:about_me")).content.decode()


def test_nobody_but_students_has_these_pages(ids):
    """Teachers, auditors, staff and business users get what does not exist."""
    for role in Person.Role:
        if role != Person.Role.STUDENT:
            make_business_user(role) if role == Person.Role.BUSINESS else make_student(role, role=role)
            client = logged_in(role)
            for name, answer in [*read(client, ids), *write(client, ids)]:
                assert answer.status_code == 404, (role, name)


def test_a_locked_memory_leads_to_its_key(ids, ada):
    """Logged in without the key, every page leads to the one that says how to open it."""
    client = logged_in("ada")
    del client.cookies[COOKIE]
    for name, answer in [*read(client, ids), *write(client, ids)]:
        assert (answer.status_code, answer.url) == (302, reverse("accounts:locked")), name


def test_what_survives_a_new_password_is_what_the_page_says(ids, browser, ada):
    """Memories and what is kept word for word are the same after the password was changed."""
    before = browser.get(reverse("memory:history")).context["page"].paginator.count
    new = "another long password"
    change_password(browser, new)
    client = logged_in("ada", new)
    assert client.get(reverse("memory:history")).context["page"].paginator.count == before
    assert "allergic to nuts" in client.get(reverse("memory:ledger")).content.decode()
