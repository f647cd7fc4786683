"""Search over the whole history: by meaning and by words, in both languages, with the words found marked."""

import json

import pytest
from django.urls import reverse

from companion_site.embeddings.service import get_embedder, no_meaning
from companion_site.vault.scope import space_scope
from memory.company.audit import search
from memory.company.audit.search import mark_words, telling_words
from memory.company.retrieval.ranking import inject
from memory.models import CompanyFactVector
from tests.cases import cases
from tests.embeddings.failing import embedding_server as embedding_server
from tests.embeddings.failing import fail_embedding as fail_embedding
from tests.factories import NOW
from tests.memory.company.audit.rows import DAY, believe

pytestmark = [pytest.mark.django_db, pytest.mark.spec("C12")]
RENT, OFFICE, TEA = (
    "The rent of the office is 14 000 kr, and the rent is paid by the month",
    "The rent was raised",
    "Tea is served at three",
)


def found(client, query, **more):
    answer = client.get(reverse("company:search"), {"q": query, **more})
    assert answer.status_code == 200
    return [one["fact"].content for one in answer.context["hits"]]


def test_history_is_found_with_what_is_believed(lived, browser):
    """What was superseded is found as well; what is asked for of one state, or as of a moment, is what there was then."""
    k2, k3 = lived.facts["k2"].content, lived.facts["k3"].content
    assert set(found(browser, "annual report")[:2]) >= {k2, k3}
    active = found(browser, "annual report", state="active")
    assert active[0] == k3 and k2 not in active
    then = found(browser, "annual report", as_of=f"{NOW - 5 * DAY:%Y-%m-%dT%H:%M:%SZ}")
    assert k2 in then and k3 not in then


def test_compounds_and_all_forms_are_found_by_how_they_begin(lived, browser, subtests):
    """ "moms" finds "momsen" and "momsperioden", and "momsen" finds "moms"; what only has the letters inside is not found by words."""
    texts = [
        "Momsen betalas den 12",
        "Momsperioden är ett kvartal",
        "Vi har ingen moms",
        "Hyresavtalet löper ut i maj",
        "The invoice is unpaid",
    ]
    for text in [*texts, "Ett moment till sa domaren"]:
        believe(lived.space, text, language="sv", vector=False)
    for query, expected in [
        ("moms", texts[:3]),
        ("momsen", [texts[0], texts[2]]),
        ("momsperioden", [texts[1]]),
        ("hyresavtal", [texts[3]]),
        ("hyres", [texts[3]]),
        ("avtalet", []),
        ("invoices", [texts[4]]),
    ]:
        with subtests.test(query):
            assert sorted(found(browser, query)) == sorted(expected)
    assert mark_words("Momsperioden är ny", "moms") == [("Momsperioden", True), (" är ny", False)]
    assert "<mark>Momsperioden</mark>" in browser.get(reverse("company:search"), {"q": "moms"}).text


def test_meaning_is_found_without_a_shared_word(lived, browser):
    """The question's vector finds what says it in other words; a search for something else finds nothing rather than everything."""
    believe(lived.space, "Anställde Anna Svensson, hon började i november", language="sv")
    answer = browser.get(reverse("company:search"), {"q": "vem fick jobb hos oss?"})
    best = answer.context["hits"][0]
    assert best["fact"].content.startswith("Anställde Anna")
    assert not best["hit"].has_words and "Found by its meaning" in answer.text
    assert found(browser, "zqxwv 99817") == []


def test_a_fact_without_a_vector_is_found_by_its_words(lived, browser):
    """Vectors of another model are not compared with."""
    believe(lived.space, "Rents an office in Skövde")
    with space_scope(lived.space):
        CompanyFactVector.objects.for_space(lived.space).update(model="another@1")
    answer = browser.get(reverse("company:search"), {"q": "Skövde"})
    (hit,) = [one["hit"] for one in answer.context["hits"]]
    assert hit.has_words and hit.similarity is None


def test_words_found_are_marked_in_whatever_inflection(lived, browser):
    """The marks go around whole words; what only tells grammar is not marked."""
    assert "<mark>dividends</mark>" in browser.get(reverse("company:search"), {"q": "the dividend"}).text
    assert mark_words("Tog ut utdelningen och lönen", "utdelning och lön") == [
        ("Tog ut ", False), ("utdelningen", True), (" och ", False), ("lönen", True),
    ]  # fmt: skip
    assert mark_words("", "x") == [] and mark_words("no match", "zzz") == [("no match", False)]
    assert "".join(piece for piece, _ in mark_words("K2, K3 & 3:12!", "k3 3:12")) == "K2, K3 & 3:12!"


def test_small_words_are_not_looked_for_unless_there_are_no_others():
    """Words that tell nothing in one of the languages would match every fact."""
    assert telling_words("the dividend och lönen") == ["dividend", "lönen"]
    assert telling_words("och the") == ["och", "the"]
    assert telling_words("!?") == [] and len(telling_words(" ".join(map(str, range(100))))) == 16


@cases("query", ["'", '"', "a & | ! b", "\\", "<->", ":*", "()", "%_", "🙂", "x" * 200])
def test_any_characters_can_be_searched_for(lived, browser, query):
    """No operator of the database's own gets through, and nothing breaks."""
    found(browser, query)


def test_a_fact_with_the_words_is_found_among_many_nearer_ones(lived, browser, monkeypatch):
    """The nearest are not all that is looked at."""
    monkeypatch.setattr(search, "MOST_HITS", 2)
    believe(lived.space, "Föredrar enkla förklaringar framför Skövde", language="sv")
    assert found(browser, "Skövde")[0].endswith("Skövde")


@pytest.fixture
def unembedded(lived, fail_embedding):
    """The company's memory with facts that were embedded; from now on nothing is."""
    for content in (OFFICE, TEA, RENT):
        believe(lived.space, content, source_message_id=None)
    fail_embedding()
    return lived.space


def test_while_nothing_is_embedded_words_are_searched_for(unembedded, browser):
    """On the page and in its export: what is more about a word comes first, and what only means it is not guessed at."""
    hits = browser.get(reverse("company:search"), {"q": "rent", "state": "all"}).context["hits"]
    assert [one["fact"].content for one in hits] == [RENT, OFFICE]
    first, second = (one["hit"] for one in hits)
    assert first.score > second.score
    assert all(hit.similarity is None and hit.has_words for hit in (first, second)), "nothing was compared"
    assert found(browser, "lodging") == []
    answer = browser.post(reverse("company:export"), {"q": "rent", "form": "json"})
    told = json.loads(b"".join(answer.streaming_content))
    assert {fact["content"] for fact in told["facts"]} == {RENT, OFFICE}


@pytest.mark.spec("C7")
def test_a_message_without_a_vector_is_told_facts_by_its_words(unembedded):
    """What shares its telling words is to the point; of what does not, nothing is claimed."""
    embedder = get_embedder()
    given = {"language": "en", "vector": no_meaning(embedder.dimension), "embedder": embedder, "now": NOW}
    asked = inject(unembedded, "Is the rent of the office paid?", **given)
    facts = {fact.content: fact.relevance for fact in asked.facts}
    assert facts[RENT].is_sure and not facts[TEA].is_sure and facts[TEA].score == 0.0
    assert inject(unembedded, "Is the bicycle repaired?", **given).facts == []
