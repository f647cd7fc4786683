"""What an auditor's search and a message's facts are while no vector can be had: found by words, and by nothing else."""

import json

import pytest
from django.urls import reverse

from companion_site.embeddings.service import get_embedder, no_meaning
from memory.company.audit.filters import FactFilter, State
from memory.company.audit.search import search_history
from memory.company.retrieval.ranking import inject
from tests.embeddings.failing import embedding_server as embedding_server
from tests.embeddings.failing import fail_embedding as fail_embedding
from tests.factories import NOW
from tests.live import logged_in
from tests.memory.company.audit.rows import believe, live

pytestmark = [pytest.mark.django_db, pytest.mark.spec("C12")]

RENT, OFFICE, TEA = (
    "The rent of the office is 14 000 kr, and the rent is paid by the month",
    "The rent was raised",
    "Tea is served at three",
)


@pytest.fixture
def browser(fail_embedding):
    """An auditor's browser; the memory was embedded, and from now on nothing is."""
    lived = live()
    for content in (OFFICE, TEA, RENT):
        believe(lived.space, content, source_message_id=None)
    fail_embedding()
    client = logged_in("ulla")
    client.space = lived.space
    return client


def test_the_page_searches_by_words(browser):
    """Whoever looks for a word finds it, the fact that is more about it first; what only means it is not guessed at."""
    answer = browser.get(reverse("company:search"), {"q": "rent"})
    assert answer.status_code == 200
    assert [one["fact"].content for one in answer.context["hits"]] == [RENT, OFFICE]
    assert browser.get(reverse("company:search"), {"q": "lodging"}).context["hits"] == []


def test_an_export_of_a_search_holds_the_same(browser):
    """A file of what a search found is written while the service is down."""
    answer = browser.post(reverse("company:export"), {"q": "rent", "form": "json"})
    assert answer.status_code == 200
    told = json.loads(b"".join(answer.streaming_content))
    assert {fact["content"] for fact in told["facts"]} == {RENT, OFFICE}


def test_no_fact_is_brought_along_for_want_of_a_vector(browser):
    """Zeros are like nothing: only facts with a word of the question are looked at, however many others there are."""
    asked = FactFilter(search="rent", state=State.ALL)
    hits = search_history(browser.space, asked, at=NOW)
    assert [hit.fact.content for hit in hits] == [RENT, OFFICE] and hits[0].score > hits[1].score
    assert all(hit.similarity is None and hit.has_words for hit in hits), "nothing was compared"


@pytest.mark.spec("C7")
def test_a_message_without_a_vector_is_told_facts_by_its_words(browser):
    """What shares its telling words is to the point; of what does not, nothing is claimed."""
    embedder = get_embedder()
    given = {"language": "en", "vector": no_meaning(embedder.dimension), "embedder": embedder, "now": NOW}
    facts = {
        fact.content: fact.relevance
        for fact in inject(browser.space, "Is the rent of the office paid?", **given).facts
    }
    assert facts[RENT].is_sure and not facts[TEA].is_sure and facts[TEA].score == 0.0
    assert inject(browser.space, "Is the bicycle repaired?", **given).facts == []
