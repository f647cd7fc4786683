"""What a question calls to mind."""

from dataclasses import replace
from datetime import timedelta

import numpy as np
import pytest

from bench.answers import SCENARIOS
from bench.scenarios import load_scenario
from companion_site.embeddings.service import get_embedder
from companion_site.ids import new_id
from companion_site.vault.scope import space_scope, write_scope
from companion_site.vault.services import bump_version
from memory.algorithms.relevance import RELEVANCE, TERMS
from memory.models import Contradiction, MemoryNode
from memory.params import RECALL
from memory.reading.params import READING
from memory.reading.service import calls_for_memory, get_heads, nearest_to
from memory.student.recall.doubts import tell_doubts
from memory.student.recall.ranking import rank_memories, recall
from memory.student.store import touch
from tests.cases import cases
from tests.factories import NOW
from tests.memory.student.kept import Kept

pytestmark = [pytest.mark.django_db, pytest.mark.spec("G9")]


@cases(
    "message",
    [
        "is a virus alive or not, teachers keep dodging",
        "put these minutes into bullet points would you",
        "whats the most overrated sandwich",
        "got 6/20 on circuits. start from what a volt is",
    ],
)
def test_what_no_memory_bears_on_brings_none(memory, message):
    """Though by itself, and by how near the nearest memory is, it would: what the best of them have to do with it counts."""
    told = (
        "Mira has a dog called Bosse.",
        "I sing in a choir on Tuesdays.",
        "My exam in chemistry is on 3 June.",
        "I live in Lund with my aunt.",
    )
    for text in told:
        memory.hear(text)
    embedder = get_embedder()
    heads, (vector, *vectors) = get_heads(embedder), embedder.embed([message, *told])
    nearest = nearest_to(vector, np.array(vectors), heads)
    by_itself = calls_for_memory(message, vector, heads, nearest=nearest, bearing=())
    assert by_itself >= READING.calls_for_memory
    assert memory.recall(message) == []


def test_a_doubt_is_told_where_the_change_is_asked_for(memory):
    """Of what may have been replaced that is doubted which answers the question, if what perhaps took its place answers, too; that comes along."""
    (home, *_) = memory.hear("I live in Lund with my aunt.")
    (drums, *_) = memory.hear("I play the drums in the school band.")
    for text in (
        "My brother is called Noah.",
        "I sing in a choir on Tuesdays.",
        "My exam in chemistry is on 3 June.",
        "I am allergic to hazelnuts.",
        "My dog Bosse sleeps on the sofa.",
        "My teacher plays the violin.",
        "The band rehearses on Thursdays.",
        "I learned the guitar when I was seven.",
        "My cousin Amir builds robots.",
    ):
        memory.hear(text)
    (moved, *_) = memory.hear("We have moved to a flat in Malmö.", at=NOW + timedelta(hours=1))
    with space_scope(memory.space):
        Contradiction.objects.for_space(memory.space).delete()
        for earlier in (home, drums):
            Contradiction.objects.create(
                space_id=memory.space, earlier_id=earlier, later_id=moved, found_by="reader", strategy="mention",
                state="open", found_at=NOW,
            )  # fmt: skip

    def doubted(question, *, without=()):
        found = [one for one in memory.recall(question) if one.id not in without]
        (vector,) = memory.embedder.embed([question])
        told = tell_doubts(memory.space, memory.working_set(), found, vector=vector, embedder=memory.embedder)
        return {one.id: one.outdated_by for one in told if one.outdated_by}, [one.id for one in told]

    assert doubted("Where do I live?")[0] == {home: moved}
    marked, told = doubted("Where do I live?", without={moved})
    assert marked[home] == moved and told.index(moved) < told.index(home)
    assert doubted("Which instrument do I play?")[0] == {}


@pytest.mark.spec("G7")
def test_use_raises_gravity_and_starts_the_clock_again(memory):
    """A memory that was used weighs more than before, and its decay counts from then."""
    (formed, *_) = memory.hear("I find recursion hard, please explain step by step")
    later = NOW + timedelta(days=10)
    before = memory.recall("what did I say about recursion?", at=later)[0].gravity
    touch(memory.space, [formed], now=later)
    after = memory.recall("what did I say about recursion?", at=later)[0].gravity
    assert after > before
    touch(memory.space, [formed], now=NOW)
    assert memory.recall("what did I say about recursion?", at=later)[0].gravity == after


@pytest.mark.spec("I5", "AC-2.2.6")
def test_what_is_recalled_says_how_relevant_it_is_and_why(memory):
    """Most relevant first, and the terms by their weights are the score."""
    memory.hear("I find recursion hard, please explain step by step")
    memory.hear("My brother finds recursion easy and likes to explain it to everybody at home")
    found = memory.recall("why is recursion hard for me?")
    assert [each.score for each in found] == sorted((each.score for each in found), reverse=True)
    for each in found:
        assert each.score == pytest.approx(sum(RELEVANCE.terms[name] * each.terms[name] for name in TERMS))


@pytest.mark.spec("I5", "AC-2.2.1", "AC-2.2.2")
def test_a_message_calls_both_tiers_to_mind(memory, ada):
    """Short-term and long-term memories come together, each with its tier and category."""
    kept, fresh = Kept(ada).say(["I find recursion hard", "We had a test on recursion today"])
    with write_scope(memory.space):
        rows = MemoryNode.objects.for_space(memory.space).filter(pk=kept)
        rows.update(tier="long_term", category="struggles", version=bump_version(memory.space))
    found = {each.id: (each.tier, each.category) for each in memory.recall("help me with recursion")}
    assert found[kept] == ("long_term", "struggles") and found[fresh] == ("short_term", "")


@pytest.mark.spec("I10", "AC-2.2.5")
def test_recalling_asks_the_database_once(memory, django_assert_num_queries):
    """Whether the memory changed is one query, however much there is; the search itself has none."""
    for number in range(20):
        memory.hear(f"I have read chapter {number} of the book about the history of {number} towns")
    memory.working_set()
    with django_assert_num_queries(1):
        assert memory.recall("which towns?")


def live(memory, scenario):
    """Hear all that somebody says in a life by another hand."""
    for message in load_scenario(SCENARIOS / f"{scenario}.json").messages:
        memory.hear(message)
    return memory.working_set()


def test_what_matches_a_question_comes_with_what_matches_it_nearly_as_well(memory):
    """ "When do I fly?" shares no word with the trip that was put forward to the 20th of August, which ranks low and comes.

    More than a few go along with the best, and not all of what is there, up to a most.
    """
    asked, few, working_set = "When do I fly?", 4, live(memory, "t11")
    (vector,) = memory.embedder.embed([asked])
    ranked = rank_memories(working_set, asked, vector=vector, now=NOW).order[:few]
    params = replace(RECALL, seeds=few, seeds_unnamed=few, named=0, connected=0)
    found = recall(working_set, asked, vector=vector, embedder=memory.embedder, now=NOW, params=params)

    assert not any("20th of August" in (working_set.nodes[row].text or "") for row in ranked.tolist())
    assert any("20th of August" in one.text for one in found) and len(found) == few

    asked = "Which eye was done first and by whom?"
    (vector,) = memory.embedder.embed([asked])

    def count(most: int) -> int:
        params = replace(RECALL, seeds=most, named=0, connected=0)
        return len(
            recall(working_set, asked, vector=vector, embedder=memory.embedder, now=NOW, params=params)
        )

    assert READING.least_matching < count(RECALL.seeds) < len(working_set) and count(2) == 2


def test_what_nothing_names_is_told_by_its_match_or_begins_with_the_basics(memory):
    """A question in another language whose words stand nowhere, and which nothing matches well, brings what matches first.

    Name and school lie no nearer to "What do you know about me?" than anything else does, and are told first.
    """
    few, working_set = 8, live(memory, "t05")
    asked = "What size is the flat I signed for?"
    (vector,) = memory.embedder.embed([asked])
    params = replace(RECALL, seeds=1, seeds_unnamed=few, named=0, connected=0)
    found = recall(working_set, asked, vector=vector, embedder=memory.embedder, now=NOW, params=params)
    assert any("tre rum" in one.text for one in found) and len(found) == few

    asked = "Vad vet du om mig?"
    (vector,) = memory.embedder.embed([asked])
    ranked = rank_memories(working_set, asked, vector=vector, now=NOW).order[:few]
    params = replace(RECALL, seeds_unnamed=few, named=0, connected=0)
    found = recall(working_set, asked, vector=vector, embedder=memory.embedder, now=NOW, params=params)

    basics = ("heter Tesfay", "Jag läser sfi", "är i kurs D")
    nearest = "\n".join(working_set.nodes[row].text or "" for row in ranked.tolist())
    told = "\n".join(one.text for one in found)
    assert not any(words in nearest for words in basics)
    assert all(words in told for words in basics) and len(found) == few


def test_the_days_of_the_ranking_count_beside_the_match(memory):
    """Of two outings that match alike, the one of the day that is asked for comes first; without the ranking the other does."""
    memory.hear("I went swimming in the sea with Mira.", at=NOW)
    memory.hear("I went swimming in the lake with Mira.", at=NOW - timedelta(days=40))
    working_set, asked = memory.working_set(), "Where did I go swimming yesterday?"
    (vector,) = memory.embedder.embed([asked])

    def first(**params):
        few = replace(RECALL, seeds=1, seeds_unnamed=1, named=0, connected=0, **params)
        at = NOW + timedelta(days=1)
        (found,) = recall(working_set, asked, vector=vector, embedder=memory.embedder, now=at, params=few)
        return found.text

    assert "sea" in first() and "lake" in first(of_ranking=0.0)


def test_what_points_back_is_told_with_what_was_said_just_before(memory):
    """By the same person, in the same conversation, and while it is remembered; what speaks of danger goes along with nothing."""
    talk, other = new_id(), new_id()
    (museum,) = memory.hear("I took Noah to the museum.", conversation_id=talk, position=1)
    memory.hear(
        "Dinosaurs are boring for grown-ups like me.", conversation_id=talk, position=1, speaker="Vera"
    )
    memory.hear("He was stoked for the dinosaur exhibit.", conversation_id=talk, position=3)
    memory.hear("My bike is blue.", conversation_id=other, position=1)
    memory.hear("It has been long since I last saw a dinosaur.", conversation_id=other, position=9)

    def told() -> dict[str, str]:
        return {one.text: one.before for one in memory.recall("What do you know of the dinosaur exhibit?")}

    before = told()
    assert before["He was stoked for the dinosaur exhibit."] == "I took Noah to the museum."
    assert before["It has been long since I last saw a dinosaur."] == ""
    with write_scope(memory.space):
        row = MemoryNode.objects.for_space(memory.space).filter(pk=museum)
        row.update(of_danger=True, version=bump_version(memory.space))
    assert told()["He was stoked for the dinosaur exhibit."] == ""
