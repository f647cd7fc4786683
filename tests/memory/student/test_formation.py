"""From what was said to rows of the graph."""

from datetime import timedelta

import pytest

from companion_site.ids import new_id
from memory.models import MemoryEdge, MemoryNode, MemorySource
from memory.student.ingest.formation import find_topics
from tests.cases import cases
from tests.factories import NOW

pytestmark = [pytest.mark.django_db, pytest.mark.spec("G1", "G3", "G4")]

HARD = "I find recursion hard, please explain step by step"
LONG = (
    "My sister Anna moved to Lund on 14 May 2025 and I miss her terribly. I practise the cello with Karin Ek every "
    "Tuesday evening. I want to study physics at Uppsala University in autumn 2027, because lasers fascinate me. "
    "Crowded classrooms make me nervous, and my maths exam on 3 June scares me."
)


def test_a_statement_keeps_where_it_came_from(memory, scoped):
    """Every memory points at the characters of the message it was said in."""
    memory.hear(LONG)

    def check():
        sources = list(MemorySource.objects.for_space(memory.space).select_related("node"))
        assert len(sources) >= 3
        for source in sources:
            if source.end - source.start < len(LONG):
                assert LONG[source.start : source.end].strip(" .") == source.node.content.strip(" .")

    scoped(check)


@cases("text", ["ok", "haha", "thanks!", "tack så mycket", "What is recursion?", "..."])
def test_small_talk_leaves_nothing(memory, text):
    """What says nothing of the person forms no memory."""
    assert memory.hear(text) == []


def test_the_same_said_again_adds_nothing(memory, scoped):
    """Repeated words, whatever their case and spacing, are the memory that is there already."""
    formed = memory.hear(HARD)
    assert formed
    assert memory.hear(HARD) == []
    assert memory.hear(f"  {HARD.upper()}! ") == []
    assert scoped(MemoryNode.objects.for_space(memory.space).count) == len(formed)


def test_saying_it_again_makes_it_surer(memory, scoped):
    """What is told on several days is surer than what was told once; the same message counts once, and nothing is ever certain."""
    again = new_id()
    (anna,) = memory.hear("My sister Anna lives in Lund.")

    rows = MemoryNode.objects.for_space(memory.space)
    seen = [scoped(lambda: rows.get(pk=anna).confidence)]
    for source in (again, again, new_id()):
        memory.hear("My sister Anna lives in Lund.", source_id=source)
        seen.append(scoped(lambda: rows.get(pk=anna).confidence))
    assert seen[0] < seen[1] == seen[2] < seen[3] < 1


def test_a_memory_names_every_place_it_was_said(memory, scoped):
    """A repetition adds its message to the memory's sources, and the same message adds it once."""
    first, second = new_id(), new_id()
    (anna,) = memory.hear("My sister Anna lives in Lund.", source_id=first)
    for _ in range(2):
        memory.hear(
            "I go to Oslo with uncle Peter on Friday. My sister Anna lives in Lund.", source_id=second
        )
    rows = MemorySource.objects.for_space(memory.space).filter(node_id=anna)
    assert scoped(lambda: list(rows.values_list("source_id", flat=True))) == [first, second]


def test_a_long_message_is_linked(memory, scoped):
    """Statements of one message hang together, and a rich one gets a parent that stands for it."""
    memory.hear(LONG)
    kinds = scoped(lambda: set(MemoryEdge.objects.for_space(memory.space).values_list("type", flat=True)))
    assert MemoryEdge.Type.ABSTRACTS in kinds


def test_a_write_in_another_process_is_seen_without_a_rebuild(memory, scoped):
    """A working set that is held takes in what another wrote, and keeps its rows where they are."""
    memory.hear(HARD)
    held = memory.working_set()
    rows = dict(held.row_of)
    memory.hear("My dog Bosse is afraid of thunder and hides in the wardrobe")
    assert memory.working_set() is held
    assert rows.items() <= held.row_of.items() and len(held) > len(rows)


def test_fresh_and_updated_working_sets_find_the_same(memory, sets):
    """Taking changes in one by one ends where loading everything ends."""
    for day, text in enumerate([HARD, LONG, "Jag lärde mig dividera bråk igår och det kändes äntligen lätt"]):
        memory.hear(text, language="sv" if day == 2 else "en", at=NOW + timedelta(days=day))
        memory.working_set()
    updated = [(one.id, round(one.score, 6)) for one in memory.recall("Where does Anna live?")]
    sets.forget(memory.space)
    assert [(one.id, round(one.score, 6)) for one in memory.recall("Where does Anna live?")] == updated


def test_hostile_text_is_remembered_as_text(memory):
    """Control characters, broken surrogates and walls of combining marks cost nothing but themselves."""
    for text in (
        "I like tea\x00\x1b[31m and \ud800 toast in the morning",
        "I love " + "e" + "́" * 500,
        "\u202e" * 500,
    ):
        memory.hear(text)
    assert memory.recall("What do I like in the morning?")


def test_what_is_asked_to_be_remembered_is_kept_and_what_is_to_be_forgotten_is_not(memory):
    """Whatever the rest of the reading says of it."""
    assert memory.hear("Remember this: the spare key hangs behind the blue door.")
    assert memory.hear("kom ihåg att extranyckeln hänger bakom den blå dörren", language="sv")
    assert not memory.hear("Please forget what I told you about my knee.")


def test_what_a_statement_is_about_are_its_rare_words(subtests):
    """By their stems; days, doings and small words say nothing of it."""
    for text, language, topics in [
        ("My favourite recipes are of pies.", "en", {"favourit", "recip", "pie"}),
        ("So much went on last week, it was great.", "en", set()),
        ("Jag paddlade i veckan.", "sv", {"paddl"}),
    ]:
        with subtests.test(text=text):
            assert find_topics(text, language) >= topics
            assert bool(find_topics(text, language)) == bool(topics)
