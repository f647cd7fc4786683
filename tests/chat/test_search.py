"""Searching one's own conversations: found by any form of a word, marked, and nobody else's."""

import pytest
from django.urls import reverse
from hypothesis import given
from hypothesis import strategies as st

from chat.conversations.search import cut_snippet, find_hits, read_terms, search_messages
from chat.models import Message
from tests.cases import cases
from tests.chat.talking import change_rows, converse
from tests.factories import NOW, make_access, make_business_user, make_company_access
from tests.live import logged_in

pytestmark = [pytest.mark.django_db, pytest.mark.spec("C2")]


def found(access, query: str) -> list[str]:
    return ["".join(piece.text for piece in each.snippet) for each in search_messages(access, query).found]


@cases(
    ("said", "query"),
    [
        ("I sent three invoices to Kust AB yesterday", "invoice"),
        ("Jag skickade tre fakturor till Kust AB i går", "fakturan"),
        ("När ska momsdeklarationen vara inne egentligen?", "moms"),
        ("The photosynthesis of plants needs light", "PHOTOSYNTHESIS"),
        ("Jag pratade med Åsa om årsredovisningen", "åsa"),
        ("Ville du ha det, eller inte?", "inte"),
    ],
)
def test_any_form_of_a_word_is_found(access, said, query):
    """In both languages, in any case, and a longer word by its beginning."""
    converse(access, "Something else entirely, about gardens", said)
    assert found(access, query) == [said]


def test_more_of_the_words_come_first_then_the_later(access):
    """A message with both words is before one with either; among equals the later one is first."""
    converse(access, "The dividend was paid", days_ago=9)
    converse(access, "The dividend for Anna was paid", days_ago=8)
    converse(access, "Anna was here")
    converse(access, "The dividend is due", days_ago=2)
    assert found(access, "dividend Anna")[0] == "The dividend for Anna was paid"
    dividends = [text for text in found(access, "dividend") if "Anna" not in text]
    assert dividends == ["The dividend is due", "The dividend was paid"]


def test_nobody_else_s_words_are_found():
    """Not a stranger's, and not a colleague's, though their conversations are rows of one space."""
    bo = make_company_access(make_business_user())
    cy = make_company_access(make_business_user("cy", company=bo.person.company))
    ada = make_access("ada")
    for access, text in ((bo, "Bo's secret recipe"), (ada, "Ada's secret diary")):
        converse(access, text)
    assert found(bo, "secret") == ["Bo's secret recipe"]
    assert found(cy, "secret") == []
    assert found(ada, "secret") == ["Ada's secret diary"]


def test_reading_is_bounded_and_says_so():
    """Past the bound the latest messages are searched; replies are found as well, and words that were removed are not."""
    ada = make_access("ada")
    converse(ada, "The first dividend")
    converse(ada, "The second dividend", answer="Chlorophyll is green.")
    results = search_messages(ada, "dividend", most_read=2)
    assert [hit.title for hit in results.found] == ["The second dividend"]
    assert results.is_partial and results.count == 1
    assert not search_messages(ada, "dividend", most_read=4).is_partial
    (hit,) = search_messages(ada, "chlorophyll").found
    assert (hit.role, hit.title) == ("companion", "The second dividend")
    change_rows(ada, Message, text=None, text_removed_at=NOW)
    assert found(ada, "dividend") == []


def test_the_page_marks_what_was_found_and_leads_to_the_message(access):
    """The hit is marked, what was said is escaped, and the link goes to the message's own place."""
    row = converse(access, "<script>alert(1)</script> the dividend & more")
    client = logged_in(access.person.username)
    page = client.get(reverse("chat:search"), {"q": "dividend"}).content.decode()
    (hit,) = search_messages(access, "dividend").found
    assert "<mark>dividend</mark> &amp; more" in page and "<script>alert" not in page
    assert f"/chat/{row.pk}/?at={hit.message}#message-{hit.message}" in page
    opened = client.get(f"/chat/{row.pk}/").content.decode()
    assert f'id="message-{hit.message}"' in opened


def test_the_page_has_a_state_for_nothing(access):
    """Nothing asked, nothing found, and a question that is no words are told apart and break nothing."""
    client = logged_in(access.person.username)
    converse(access, "hello")
    ask = lambda query: client.get(reverse("chat:search"), {"q": query}).content.decode()  # noqa: E731
    assert "What are you looking for?" in ask("  ")
    for query in ("unheard", "???", "<b>", "a" * 5_000):
        assert "Nothing found" in ask(query)
    assert "<b>" not in ask("<b>")
    assert reverse("chat:search") in client.get("/chat/").content.decode()


@given(st.text(min_size=1, max_size=600), st.data())
def test_a_snippet_is_a_part_of_the_text(text, data):
    """Its runs joined are what stands in the message, and what is marked is exactly what was found."""
    words = [word for word in text.split() if word.isalnum()]
    if not words:
        return
    terms = read_terms(data.draw(st.sampled_from(words)))
    hits = find_hits(text, "en", terms)
    if not hits:
        return
    snippet = cut_snippet(text, [(hit.start, hit.end) for hit in hits])
    joined = "".join(piece.text for piece in snippet if piece.is_hit or piece.text != "…")
    assert joined in text
    marked = {piece.text for piece in snippet if piece.is_hit}
    assert marked and marked <= {text[hit.start : hit.end] for hit in hits}
