"""The palette leads to one's own conversations, messages, memories and pages by their words, and to nobody else's."""

import pytest
from django.test import Client
from django.urls import reverse

from chat.conversations import properties
from tests.cases import cases
from tests.chat.talking import converse, remember
from tests.factories import NOW, make_access
from tests.live import logged_in

pytestmark = pytest.mark.spec("C2")


def ask(page: Client, query: str = "") -> str:
    answer = page.get(reverse("chat:palette"), {"q": query})
    assert answer.status_code == 200 and "no-store" in answer["Cache-Control"]
    return answer.text


def test_each_kind_is_found_by_its_words(ada):
    """A conversation by its name, archived too; a message by what was said; a memory by what it holds; a page by its title."""
    row = converse(ada, "Electron pairs")
    properties.place(ada, row.pk, archived_at=NOW)
    remember(ada, "My aunt Karin lives in Lund.")
    page = logged_in("ada")
    found = ask(page, "elect pair")
    assert f'href="{reverse("chat:conversation", args=[row.pk])}"' in found
    found = ask(page, "electron")
    assert f"{reverse('chat:conversation', args=[row.pk])}?at=" in found and "<mark>Electron</mark>" in found
    assert 'href="/memory/' in ask(page, "karin lund") and "Karin" in ask(page, "KARIN")
    assert f'href="{reverse("memory:history")}"' in ask(page, "histor")
    assert 'form="palette-leave"' in ask(page, "log out") and "palette-leave" not in ask(page, "histor")
    assert f'href="{reverse("chat:search")}?q=a%26b%20c"' in ask(page, "a&b c")


def test_without_words_it_offers_what_there_is(ada):
    """The conversations used last, every page and what can be done; a single letter searches no message."""
    converse(ada, "Electron pairs")
    page = logged_in("ada")
    for query in ("", " ", "e"):
        found = ask(page, query)
        assert "Electron pairs" in found and "New conversation" in found and "<mark>" not in found
    assert f'href="{reverse("memory:life")}"' in ask(page)


def test_nobody_finds_what_is_somebody_else_s(ada, bo):
    """Not by the same words, whatever the kind; a company's people have conversations and no pages of a memory of their own; who does not chat has no palette."""
    converse(ada, "Electron pairs")
    remember(ada, "My aunt Karin lives in Lund.")
    make_access("eve")
    for query in ("electron", "karin", ""):
        found = ask(logged_in("eve"), query)
        assert "lectron pairs" not in found and "aunt" not in found
    converse(bo, "Invoices of March")
    found = ask(logged_in("bo"), "")
    assert "Invoices of March" in found and "/memory/" not in found
    assert "<mark>Invoices</mark>" in ask(logged_in("bo"), "invoices")
    make_access("tea", role="teacher")
    assert "data-palette" not in logged_in("tea").get(reverse("accounts:account")).text


@cases("query", ["<script>", "'; DROP TABLE x", "x" * 5000, "\u202e%"])
def test_odd_words_find_nothing_and_break_nothing(ada, query):
    """They stand on the page as words."""
    found = ask(logged_in("ada"), query)
    assert "<script>" not in found and found.count('role="option"') == 1
