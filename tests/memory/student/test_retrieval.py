"""Looking memories up with options, over short-term and long-term memory alike."""

from datetime import timedelta

import numpy as np
import pytest

from companion_site.vault.scope import write_scope
from companion_site.vault.services import bump_version
from memory.models import MemoryNode
from memory.student.recall.retrieval import RetrievalOptions, retrieve
from tests.factories import NOW
from tests.memory.conftest import Counting
from tests.memory.student.kept import Kept

pytestmark = [pytest.mark.django_db, pytest.mark.spec("I5")]

LATER = NOW + timedelta(days=1)
RECURSION = "I find recursion hard, please explain step by step"
GUITAR = "I want to learn to play the guitar before summer"
DOG = "My dog Bosse is afraid of thunder and hides in the wardrobe"


def settle(memory, nodes, **values) -> None:
    """Change rows as sleep does: under the lock, with a new version."""
    with write_scope(memory.space):
        version = bump_version(memory.space)
        MemoryNode.objects.for_space(memory.space).filter(pk__in=nodes).update(version=version, **values)


@pytest.fixture
def say(ada):
    """Store one statement as a short-term memory, however little a message of it would say."""
    return lambda text, **said: Kept(ada).say([text], **said)[0]


def keep(memory, text: str, category: str) -> list:
    """Say something that is then taken into long-term memory."""
    nodes = memory.hear(text)
    assert nodes
    settle(memory, nodes, tier="long_term", category=category)
    return nodes


def look_up(memory, *, at=LATER, **options):
    return retrieve(memory.working_set(), RetrievalOptions(**options), embedder=memory.embedder, now=at)


@pytest.mark.spec("AC-2.2.1", "AC-2.2.2", "AC-2.2.6")
@pytest.mark.parametrize("tier", ["short_term", "long_term", "both"])
def test_memories_of_a_tier_are_found_by_relevance(memory, say, tier):
    """What the question is about comes first, and nothing of the other tier at all; without a word on it, both stand in one order."""
    memory.hear(DOG)
    say(RECURSION)
    keep(memory, GUITAR, "goals")
    settle(memory, [say("I want to write a program with recursion")], tier="long_term", category="struggles")
    asked = {} if tier == "both" else {"tier": tier}
    found = look_up(memory, query="Help me with recursion", limit=10, **asked)
    assert "recursion" in found[0].text
    assert {each.memory.tier for each in found} == ({"short_term", "long_term"} if tier == "both" else {tier})
    assert found[0].memory.category == ("struggles" if found[0].memory.tier == "long_term" else "")
    assert [each.score for each in found] == sorted((each.score for each in found), reverse=True)


def test_a_category_gives_only_what_is_in_it(memory):
    """The category of long-term memory is a filter, with and without a question."""
    memory.hear(RECURSION)
    keep(memory, GUITAR, "goals")
    keep(memory, DOG, "background")
    for query in ("", "What about the guitar, the dog and recursion?"):
        found = look_up(memory, query=query, category="goals")
        assert found and {each.memory.category for each in found} == {"goals"}


def test_five_come_unless_more_are_asked_for(memory, say):
    """The document's limit, and any other up to the most."""
    for number in range(8):
        say(f"I have played handball in club {number}")
    assert len(look_up(memory, query="handball")) == 5
    assert len(look_up(memory, query="handball", limit=7)) == 7
    assert len(look_up(memory)) == 5


@pytest.mark.spec("AC-2.2.6")
def test_what_is_not_relevant_enough_is_left_out(memory, say):
    """The least score is a bound on the score that is told, and everything passes 0."""
    say(RECURSION)
    say("Recursion was mentioned once by a friend of my brother at a party")
    every = look_up(memory, query="I find recursion hard", limit=50)
    assert len(every) > 1
    bound = every[0].score
    assert look_up(memory, query="I find recursion hard", min_score=bound) == every[:1]
    assert look_up(memory, query="I find recursion hard", min_score=1.0) == []


def test_without_a_question_the_important_and_recent_come_first(memory, say):
    """Of equally recent ones the more important, of equally important ones the later said."""
    new = say("I like coffee", salience=0.3)
    old = say("I like tea", at=NOW - timedelta(days=20), salience=0.3)
    dear = say("I like cocoa", salience=0.9)
    assert [each.memory.id for each in look_up(memory)] == [dear, new, old]


def test_a_long_term_memory_does_not_lose_by_age(memory, say):
    """A year later it is as relevant as on its first day; a short-term one is less."""
    kept, brief = say("I find recursion hard"), say("I find closures hard")
    settle(memory, [kept], tier="long_term", category="struggles")

    def scores(at):
        return {each.memory.id: each.score for each in look_up(memory, query="what is hard?", at=at)}

    now, later = scores(NOW), scores(NOW + timedelta(days=365))
    assert later[kept] == pytest.approx(now[kept]) and later[brief] < now[brief]


@pytest.mark.spec("I1")
def test_expired_memories_are_not_found(memory):
    """What sleep let go is there until it expires, and not a moment longer."""
    nodes = memory.hear(RECURSION)
    settle(memory, nodes, expires_at=NOW + timedelta(days=30))
    before, after = NOW + timedelta(days=29), NOW + timedelta(days=30)
    for query in ("recursion", ""):
        assert look_up(memory, query=query, at=before)
        assert look_up(memory, query=query, at=after) == []


def test_removed_and_superseded_memories_are_not_found(memory):
    """Neither by a question nor without one."""
    (gone, *_), (old, *_) = memory.hear(RECURSION), memory.hear(GUITAR)
    memory.working_set()
    settle(memory, [gone], removed_at=NOW)
    settle(memory, [old], superseded_at=NOW)
    for query in ("recursion and the guitar", ""):
        assert {gone, old}.isdisjoint(each.memory.id for each in look_up(memory, query=query, limit=50))


def test_nothing_relevant_is_nothing(memory):
    """A question that shares neither words nor meaning finds nothing, as in a turn; nor does an empty space."""
    assert look_up(memory, query="anything") == [] == look_up(memory)
    memory.hear(DOG)
    assert look_up(memory, query="Solve x squared equals nine") == []


def test_a_turn_and_a_look_up_agree(memory):
    """One scorer: what both find has the same score and terms."""
    memory.hear(RECURSION)
    keep(memory, GUITAR, "goals")
    memory.hear(DOG)
    question = "Can I play the guitar with recursion for my dog?"
    recalled = {each.id: (each.score, dict(each.terms)) for each in memory.recall(question, at=LATER)}
    looked_up = {
        each.memory.id: (each.score, dict(each.terms)) for each in look_up(memory, query=question, limit=50)
    }
    assert looked_up and looked_up.items() <= recalled.items()


@pytest.mark.spec("AC-2.2.5", "I10")
def test_a_look_up_costs_one_query_and_one_embedding(memory, django_assert_num_queries):
    """Whatever the number of memories: whether they changed is one query, and only a question is embedded."""
    for number in range(30):
        memory.hear(f"I have read chapter {number} of the book about the history of {number} towns")
    memory.working_set()
    embedder = Counting()
    with django_assert_num_queries(1):
        found = retrieve(
            memory.working_set(),
            RetrievalOptions(query="which towns?", limit=50),
            embedder=embedder,
            now=LATER,
        )
    assert len(found) > 20 and embedder.texts == ["which towns?"]


def test_any_text_can_be_looked_for(memory):
    """Signs, nothing but names, right-to-left marks: an answer or none, never an error."""
    memory.hear(RECURSION)
    for query in ("'; DROP TABLE--", "\x00", "???", "\u202e", "Ada", "🦔" * 500):
        found = look_up(memory, query=query)
        assert all(np.isfinite(each.score) for each in found)
