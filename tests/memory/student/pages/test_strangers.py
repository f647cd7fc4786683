"""Whose pages these are: to everybody else they do not exist, and while the memory is locked they lead to the key."""

import pytest
from django.urls import reverse

from companion_site.accounts.models import Person
from companion_site.vault.sessions import COOKIE
from tests.cases import cases
from tests.factories import make_business_user, make_student
from tests.live import change_password, logged_in

pytestmark = [
    pytest.mark.django_db(databases=["default", "metadata"]),
    pytest.mark.spec("G13"),
    pytest.mark.spec("E2"),
    pytest.mark.spec("I4"),
]
#: Every page without an id, and every page of one thing, with what it is asked for by.
OWN = (
    "about_me",
    "history",
    "privacy",
    "changes",
    "clean_up",
    "sleep",
    "sleep_state",
    "held",
    "life",
    "ledger",
    "packs",
    "progress",
    "share",
)
READ = (
    ("memory", "memory"), ("memory", "insight"), ("ledger_entry", "entry"), ("clean_up_run", "run"), ("clean_up_state", "run"),
    ("sleep_run", "slept"),
)  # fmt: skip
WRITTEN = (
    ("forget", "memory", {}), ("correct", "memory", {"text": "Something else"}), ("undo", "change", {}),
    ("forget", "insight", {}), ("correct", "insight", {"text": "Something else"}), ("sort", "insight", {"category": "struggles"}),
    ("settle", "contradiction", {"keep": "later"}), ("ledger_entry", "entry", {"content": "x", "category": "fact", "importance": "0.5"}),
)  # fmt: skip


def test_the_owner_gets_every_page(ids, browser):
    """So that the answers below mean what they seem to."""
    for name in OWN:
        assert browser.get(reverse(f"memory:{name}")).status_code == 200, name
    for name, which in READ:
        assert browser.get(reverse(f"memory:{name}", args=[ids[which]])).status_code == 200, name


def test_another_student_finds_nothing_under_these_ids(ids, stranger, ada):
    """Each id of Ada's is 404 to Eve, for reading and for writing, and nothing of Ada's changes."""
    for name, which in READ:
        answer = stranger.get(reverse(f"memory:{name}", args=[ids[which]]))
        assert answer.status_code == 404 and "fractions" not in answer.content.decode(), name
    for name, which, given in WRITTEN:
        assert stranger.post(reverse(f"memory:{name}", args=[ids[which]]), given).status_code == 404, name
    for verb in ("retire", "bring-back"):
        assert stranger.post(reverse("memory:switch_entry", args=[ids["entry"], verb])).status_code == 404
    assert "fractions" not in stranger.get(reverse("memory:about_me")).content.decode()


@cases("role", [role for role in Person.Role if role != Person.Role.STUDENT])
def test_nobody_but_students_has_these_pages(ids, role):
    """Teachers, auditors, staff and business users get what does not exist."""
    make_business_user("eve") if role == Person.Role.BUSINESS else make_student("eve", role=role)
    client = logged_in("eve")
    for name in OWN:
        assert client.get(reverse(f"memory:{name}")).status_code == 404, name
    for name, which in READ:
        assert client.get(reverse(f"memory:{name}", args=[ids[which]])).status_code == 404, name
    for name, which, given in WRITTEN:
        assert client.post(reverse(f"memory:{name}", args=[ids[which]]), given).status_code == 404, name


def test_a_locked_memory_leads_to_its_key(ids, ada):
    """Logged in without the key, every page leads to the one that says how to open it."""
    client = logged_in("ada")
    del client.cookies[COOKIE]
    for name in OWN:
        answer = client.get(reverse(f"memory:{name}"))
        assert (answer.status_code, answer.url) == (302, reverse("accounts:locked")), name
    for name, which, given in WRITTEN:
        answer = client.post(reverse(f"memory:{name}", args=[ids[which]]), given)
        assert (answer.status_code, answer.url) == (302, reverse("accounts:locked")), name


def test_nothing_is_changed_by_reading(ids, browser):
    """Writing addresses refuse GET."""
    for name, which, _ in WRITTEN:
        if name != "ledger_entry":
            assert browser.get(reverse(f"memory:{name}", args=[ids[which]])).status_code == 405, name


def test_what_survives_a_new_password_is_what_the_page_says(ids, browser, ada):
    """Memories and what is kept word for word are the same after the password was changed."""
    before = browser.get(reverse("memory:history")).context["page"].paginator.count
    new = "another long password"
    change_password(browser, new)
    client = logged_in("ada", new)
    assert client.get(reverse("memory:history")).context["page"].paginator.count == before
    assert "allergic to nuts" in client.get(reverse("memory:ledger")).content.decode()
