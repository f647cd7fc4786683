"""Conversations are kept in order: renamed, pinned and archived by plain forms, each one's own only."""

import pytest
from django.test import Client
from django.urls import reverse

from chat import services
from chat.conversations import properties
from chat.models import Conversation
from tests.chat.talking import begin, converse, rows, tell
from tests.factories import PASSWORD

pytestmark = [pytest.mark.django_db, pytest.mark.spec("C2")]

OWN_NAME = "Chemistry, before the exam"


def keep(page: Client, row: Conversation, do: str, **given):
    return page.post(reverse("chat:keep", args=[row.pk]), {"do": do, **given})


def titles(access, listed=services.list_conversations) -> list[str]:
    with access.open():
        return [row.title for row in listed(access)]


def test_a_name_of_one_s_own_stands_everywhere(access, page):
    """In the list, over the conversation and over what a search finds; on one line, without what cannot be seen."""
    row = converse(access, "What is an electron pair?")
    answer = keep(page, row, "rename", title=" Chemistry,\n before\u200b the exam ", back="list")
    assert answer["Location"] == reverse("chat:conversations")
    assert titles(access) == [OWN_NAME]
    for address in (answer["Location"], reverse("chat:conversation", args=[row.pk])):
        assert OWN_NAME in page.get(address).text
    assert OWN_NAME in page.get(reverse("chat:search"), {"q": "electron"}).text


def test_a_name_is_sealed_and_stays(access, page):
    """What is said later leaves it alone; one without words, or of more than fit, changes nothing."""
    row = begin(access)
    keep(page, row, "rename", title=OWN_NAME)
    tell(access, row, "What is an electron pair?")
    for title in ("", "   ", "\u200b", "x" * 101):
        assert keep(page, row, "rename", title=title).status_code == 400
    assert titles(access) == [OWN_NAME]
    if access.remembers:
        (kept,) = rows(access, Conversation)
        assert OWN_NAME.encode() not in bytes(kept.__dict__["title"])


def test_pinned_ones_stand_first(access, page):
    """However long they have lain still, the last pinned before the others; unpinned they go back to their place."""
    old, older, _ = (
        converse(access, text, days_ago=days)
        for days, text in ((2, "Two days old"), (9, "Nine days old"), (0, "New"))
    )
    assert titles(access) == ["New", "Two days old", "Nine days old"]
    keep(page, older, "pin")
    assert titles(access) == ["Nine days old", "New", "Two days old"]
    keep(page, old, "pin")
    assert titles(access) == ["Two days old", "Nine days old", "New"]
    assert page.get(reverse("chat:conversations")).text.count("Pinned:") == 2
    keep(page, older, "unpin")
    keep(page, old, "unpin")
    assert titles(access) == ["New", "Two days old", "Nine days old"]


def test_an_archived_one_leaves_the_list_and_comes_back(access, page):
    """It has a list of its own, can be opened, says where it is and is brought back by one click from either page."""
    row = converse(access, "What is an electron pair?")
    converse(access, "Another one")
    keep(page, row, "archive", back="list")
    assert titles(access) == ["Another one"]
    assert titles(access, properties.list_archive) == ["What is an electron pair?"]
    listed = page.get(reverse("chat:conversations")).text
    assert str(row.pk) not in listed and reverse("chat:archive") in listed
    assert str(row.pk) in page.get(reverse("chat:archive")).text
    assert "in your archive" in page.get(reverse("chat:conversation", args=[row.pk])).text
    assert keep(page, row, "bring_back", back="archive")["Location"] == reverse("chat:archive")
    assert titles(access, properties.list_archive) == []
    assert titles(access) == ["Another one", "What is an electron pair?"]
    assert reverse("chat:archive") not in page.get(reverse("chat:conversations")).text


def test_it_takes_a_form_of_our_own(access, page):
    """A link, another site's form and a word that is not on the menu change nothing."""
    row = converse(access, "What is an electron pair?")
    address = reverse("chat:keep", args=[row.pk])
    assert page.get(address).status_code == 405
    strict = logged_in_by_form(access.person.username)
    assert strict.post(address, {"do": "archive"}).status_code == 403
    assert keep(page, row, "burn").status_code == 400
    assert titles(access) == ["What is an electron pair?"]


def logged_in_by_form(username: str) -> Client:
    """Log in with the token of the page, as a browser that checks where forms come from."""
    client = Client(enforce_csrf_checks=True)
    client.get("/login/")
    token = client.cookies["csrftoken"].value
    client.post("/login/", {"username": username, "password": PASSWORD, "csrfmiddlewaretoken": token})
    return client
