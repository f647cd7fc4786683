"""Facts of a person's life: read as memories form, and going where those go."""

from collections.abc import Sequence
from datetime import timedelta
from uuid import UUID

import numpy as np
import pytest

from companion_site.embeddings.service import get_embedder
from companion_site.ids import new_id
from companion_site.vault.scope import space_scope
from memory.models import LifeFact, MemoryChange, MemoryNode, MemorySource
from memory.reading.service import danger_chances, get_heads
from memory.student.corrections import correct_memory, forget_memory
from memory.student.ingest.formation import Said
from memory.student.ingest.pipeline import form_memories
from memory.student.life.facts.extraction import read_life_facts
from memory.student.life.facts.loops import loops_and_portrait
from memory.student.life.facts.selectors import Fact, settle_facts, standing
from memory.student.store import purge_space
from memory.student.undo import undo_change
from tests.cases import cases
from tests.factories import NOW
from tests.memory.student.sleep.sleeper import merge

pytestmark = [pytest.mark.django_db, pytest.mark.spec("L2")]

DAY = timedelta(days=1)
YOGA, DENTIST = "Every Tuesday I go to yoga.", "I have a dentist appointment tomorrow at 3 pm."


def stands(space: UUID) -> list[Fact]:
    with space_scope(space):
        return settle_facts(space, standing(space).order_by("id"))


def kinds(space: UUID) -> set[str]:
    return {fact.kind for fact in stands(space)}


def test_what_is_said_becomes_facts_beside_its_memory(memory, unsealed):
    """A routine is kept with its weekday, in the person's own words."""
    (node,) = memory.hear(YOGA)
    (fact,) = stands(unsealed)
    assert (fact.kind, fact.node, fact.when.weekdays) == ("routine", node, frozenset({1}))
    assert fact.text.strip(".") == YOGA.strip(".")


def test_swedish_is_read_alike(memory, unsealed):
    """A Swedish appointment has its day and time, told from the moment of saying."""
    memory.hear("Imorgon klockan 15 har jag tid hos tandläkaren.", language="sv")
    (fact,) = stands(unsealed)
    assert fact.kind == "appointment"
    assert (fact.when.on, [moment.hour for moment in fact.when.at]) == ((NOW + DAY).date(), [15])


@cases(
    "said",
    [
        {"trust": MemoryNode.Trust.TEACHER, "source_kind": MemorySource.Kind.OBSERVATION},
        {"trust": MemoryNode.Trust.SYSTEM, "source_kind": MemorySource.Kind.LESSON},
        {"speaker": "Lena"},
    ],
)
def test_what_others_say_is_no_fact_of_the_person(memory, unsealed, said):
    """A teacher's "I promised" is not the student's promise, and a lesson has no routines."""
    memory.hear("I promised Elin that I would help her move on Saturday.", **said)
    assert stands(unsealed) == []


def test_a_students_words_in_a_transcript_count(memory, unsealed):
    """What the student said in a tutoring session is their own."""
    memory.hear(YOGA, trust=MemoryNode.Trust.SYSTEM, source_kind=MemorySource.Kind.TRANSCRIPT)
    assert kinds(unsealed) == {"routine"}


def test_a_fact_that_is_said_again_takes_the_newer_time(memory, unsealed):
    """The same words a month later mean another tomorrow; there is still one fact."""
    memory.hear(DENTIST)
    memory.hear(DENTIST, at=NOW + 30 * DAY)
    (fact,) = stands(unsealed)
    assert fact.when.on == (NOW + 31 * DAY).date()


def test_facts_are_written_with_the_memories_or_not_at_all(ada, unsealed):
    """Where somebody else has claimed what was said, neither a memory nor a fact is written."""
    said = Said(
        text=YOGA, language="en", said_at=NOW, source_kind=MemorySource.Kind.MESSAGE, source_id=new_id()
    )
    assert form_memories([said], space=ada.space, key=ada.key, now=NOW, claim=lambda drafts: False) is None
    assert stands(unsealed) == []
    form_memories([said], space=ada.space, key=ada.key, now=NOW, claim=lambda drafts: True)
    assert kinds(unsealed) == {"routine"}


def test_forgetting_takes_the_fact_and_taking_back_returns_it(memory, unsealed, ada):
    """A forgotten memory tells nothing; had back, it does again."""
    (node,) = memory.hear(YOGA)
    change = forget_memory(unsealed, node, now=NOW, actor=ada.person)
    assert stands(unsealed) == []
    undo_change(unsealed, change.pk, now=NOW, actor=ada.person)
    assert kinds(unsealed) == {"routine"}


class TestCorrecting:
    def correct(self, ada, node, text):
        return correct_memory(ada.space, node, text=text, embedder=get_embedder(), now=NOW, actor=ada.person)

    def test_corrected_words_tell_their_own_fact(self, memory, unsealed, ada):
        """The day is that of the new words."""
        (node,) = memory.hear(YOGA)
        newer = self.correct(ada, node, "Every Wednesday I go to yoga.")
        (fact,) = stands(unsealed)
        assert (fact.node, fact.when.weekdays) == (newer, frozenset({2}))

    def test_words_that_name_no_kind_keep_the_fact(self, memory, unsealed, ada):
        """A correction of the time alone is still about the same appointment."""
        (node,) = memory.hear(DENTIST)
        self.correct(ada, node, "It is on 9 March at 10:30 instead")
        (fact,) = stands(unsealed)
        assert (fact.kind, fact.when.on.day, fact.when.at[0].hour) == ("appointment", 9, 10)

    @cases("words", ["The dentist appointment was cancelled", "In the film it was", "Is it?"])
    def test_words_that_take_it_back_keep_nothing(self, memory, unsealed, ada, words):
        """Who says that it was called off, was of a story, or only asks has no appointment any more."""
        (node,) = memory.hear(DENTIST)
        self.correct(ada, node, words)
        assert stands(unsealed) == []


class TestMerging:
    """What becomes part of another memory is told by that one; undone, by itself again."""

    def test_a_merge_keeps_facts_and_undo_returns_them(self, memory, unsealed, ada):
        """Each member's fact is told, in its own words, by the memory that took their place."""
        nodes = [memory.hear(text)[0] for text in (YOGA, DENTIST, "I take Levaxin every morning.")]
        merged = merge(ada, nodes)
        facts = stands(unsealed)
        assert {fact.kind for fact in facts} == {"routine", "appointment", "medication"}
        assert {fact.node for fact in facts} == {merged.pk}
        (loop,) = [one for one in loops_and_portrait(unsealed, now=NOW)[0] if one.kind == "appointment"]
        assert loop.text.strip(".") == DENTIST.strip(".")
        with space_scope(unsealed):
            change = MemoryChange.objects.for_space(unsealed).get()
        undo_change(unsealed, change.pk, now=NOW + DAY, actor=ada.person)
        assert {fact.node for fact in stands(unsealed)} == set(nodes)

    def test_two_of_one_kind_survive_a_merge(self, memory, unsealed, ada):
        """Two appointments in one insight are two facts, each with its own day."""
        nodes = [
            memory.hear(text)[0]
            for text in (DENTIST, "I have a meeting with my mentor on Thursday at 10 am.")
        ]
        merge(ada, nodes)
        assert {fact.when.on.day for fact in stands(unsealed)} == {3, 5}

    def test_what_is_superseded_after_a_merge_is_gone(self, memory, unsealed, ada):
        """The whole way to the memory that holds now must be believed."""
        nodes = [memory.hear(text)[0] for text in (YOGA, "I love old jazz records.")]
        merged = merge(ada, nodes)
        with space_scope(unsealed):
            merged.superseded_at = NOW
            merged.save(update_fields=["superseded_at"])
        assert stands(unsealed) == []

    def test_what_is_said_again_after_a_merge_is_the_members_fact(self, memory, unsealed, ada):
        """The same words find the same fact: nothing is doubled."""
        nodes = [memory.hear(text)[0] for text in (DENTIST, "I love old jazz records.")]
        merge(ada, nodes)
        memory.hear(DENTIST, at=NOW + 5 * DAY)
        (fact,) = [fact for fact in stands(unsealed) if fact.kind == "appointment"]
        assert fact.when.on == (NOW + 6 * DAY).date()

    def test_words_that_are_gone_are_told_by_what_they_became(self, memory, unsealed, ada):
        """After the days to undo a merge a fact stands in the words of the whole."""
        nodes = [memory.hear(text)[0] for text in (YOGA, "I love old jazz records.")]
        whole = merge(ada, nodes)
        purge_space(unsealed, now=NOW + 40 * DAY)
        assert {fact.text for fact in stands(unsealed)} == {whole.content}
        assert loops_and_portrait(unsealed, now=NOW + 40 * DAY)[1].routines == (whole.content,)


def test_what_a_forgotten_memory_told_goes_with_its_words(memory, unsealed, ada):
    """When the days to have it back are over, nothing of a fact is left in the database."""
    (node,) = memory.hear(YOGA)
    forget_memory(unsealed, node, now=NOW, actor=ada.person)
    purge_space(unsealed, now=NOW + 31 * DAY)
    with space_scope(unsealed):
        assert not LifeFact.objects.for_space(unsealed).exists()


def test_a_superseded_memory_loses_its_fact(memory, unsealed):
    """What is no longer believed is no fact any more."""
    memory.hear(YOGA)
    with space_scope(unsealed):
        node = MemoryNode.objects.for_space(unsealed).get()
        node.superseded_at = NOW
        node.save(update_fields=["superseded_at"])
    assert stands(unsealed) == []


def read(*texts: str, language: str = "en") -> Sequence[set[str]]:
    embedder = get_embedder()
    vectors = embedder.embed(texts) if texts else np.zeros((0, embedder.dimension), dtype=np.float32)
    dangers = danger_chances(texts, vectors, get_heads(embedder)).tolist() if texts else []
    told = read_life_facts(texts, vectors, dangers, language=language, said_at=NOW, embedder=embedder)
    return [{fact.kind for fact in each} for each in told]


def test_harm_is_no_part_of_a_portrait(subtests):
    """What may be a cry for help is the ledger's, not a routine or a word on the family."""
    for text in [
        "My grandpa comes into my room at night and I can't move.",
        "Every night I hope I just don't wake up.",
        "They beat me up behind the gym every week.",
        "I hate him so much that I want to see him bleed.",
    ]:
        with subtests.test(case=text):
            assert read(text) == [set()]


def test_secrets_stay_out_but_medicine_stays_in():
    """A secret is not told in passing; what somebody takes they are still reminded of."""
    assert read("It's confidential, but my mum is in prison.") == [set()]
    assert "medication" in read("It's a secret that I take antidepressants every day.")[0]


def test_what_only_sounds_like_it_opens_no_loop_and_is_no_routine(subtests):
    """Questions, denials, feelings about a weekday, films, what is past and other people's medicine."""
    for text, language in [
        ("Do you think I should do yoga every Tuesday?", "en"),
        ("I won't take my pills, I don't take any medicine.", "en"),
        ("I hate Mondays.", "en"),
        ("Jag tar inga tabletter.", "sv"),
        ("My brother's dog ran off every Tuesday in the film we watched at home.", "en"),
        ("I had a dentist appointment last Tuesday and it took an hour.", "en"),
        ("Our neighbour takes pills for her heart condition every morning.", "en"),
    ]:
        with subtests.test(text=text, language=language):
            (found,) = read(text, language=language)
            assert found.isdisjoint({"routine", "appointment", "medication", "promise"})
