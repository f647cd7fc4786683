"""Memories that formed before facts were read, and what is left of a fact when words go."""

from datetime import timedelta
from uuid import UUID

import pytest
from django.utils import timezone

from companion_site.vault import unlocked
from companion_site.vault.models import Space
from companion_site.vault.scope import space_scope
from companion_site.vault.services import grant_lease, use_lease
from memory.models import LifeFact, MemoryNode, MemorySource, MemoryVector
from memory.student.compression.store import purge_tombstones
from memory.student.corrections import forget_memory
from memory.student.life.facts import backfill
from memory.student.life.facts.loops import loops_and_portrait
from memory.student.life.facts.selectors import Fact, settle_facts, standing
from memory.student.workingset import WorkingSets
from memory.tasks import read_life_facts
from tests.factories import NOW, make_access
from tests.memory.conftest import Memory
from tests.memory.student.life.merged import merge

pytestmark = [pytest.mark.spec("L2")]

DAY = timedelta(days=1)
TOLD = (
    "Every Tuesday I go to yoga.",
    "I have a dentist appointment tomorrow at 3 pm.",
    "I take Levaxin every morning.",
    "My sister Anna lives in Lund.",
)


class Before:
    """A space whose memories formed before their facts were read."""

    def __init__(self) -> None:
        self.access = make_access("ada")
        self.space: UUID = self.access.space
        self.memory = Memory(self.space, WorkingSets(budget_bytes=2**30, idle_s=3600))

    def live(self, texts=TOLD, **said) -> list[UUID]:
        with unlocked(self.space, self.access.key):
            nodes = [node for text in texts for node in self.memory.hear(text, **said)]
            with space_scope(self.space):
                LifeFact.objects.for_space(self.space).delete()
                MemoryNode.objects.for_space(self.space).update(life_read=False)
        return nodes

    def read(self) -> int:
        return backfill.read_all(self.space, key=self.access.key)

    def stands(self) -> list[Fact]:
        with unlocked(self.space, self.access.key), space_scope(self.space):
            return settle_facts(self.space, standing(self.space).order_by("id"))

    def ids(self) -> set[UUID]:
        with space_scope(self.space):
            return set(LifeFact.objects.for_space(self.space).values_list("pk", flat=True))


@pytest.fixture
def before(committed) -> Before:
    return Before()


def test_what_formed_before_is_read_once(before):
    """Every fact is found, with the day told from when it was said; run twice, nothing is doubled."""
    before.live()
    assert backfill.is_awaited(before.space)
    assert before.read() == len(TOLD)
    assert {fact.kind for fact in before.stands()} == {"routine", "appointment", "medication", "family"}
    (appointment,) = [fact for fact in before.stands() if fact.kind == "appointment"]
    assert (appointment.when.on, appointment.noted_at) == ((NOW + DAY).date(), NOW)
    ids = before.ids()
    assert not backfill.is_awaited(before.space)
    assert before.read() == 0
    assert before.ids() == ids


def test_killed_in_the_middle_it_goes_on_where_it_was(before, monkeypatch):
    """What was written stays, what was not comes the next time; nothing is lost or doubled."""
    before.live()
    monkeypatch.setattr(backfill, "BATCH", 1)
    writing, written = backfill.write_facts, []

    def die(*args, **kwargs):
        writing(*args, **kwargs)
        written.append(args)
        if len(written) == 3:
            raise KeyboardInterrupt

    monkeypatch.setattr(backfill, "write_facts", die)
    with pytest.raises(KeyboardInterrupt):
        before.read()
    first = before.ids()
    assert len(first) == 2
    assert backfill.is_awaited(before.space)
    monkeypatch.setattr(backfill, "write_facts", writing)
    assert before.read() == len(TOLD) - 2
    assert first < before.ids()
    assert len(before.stands()) == len(TOLD)


def test_only_the_persons_own_words_are_read(before):
    """What a teacher observed is marked as read and tells no fact."""
    before.live(TOLD[:1], trust=MemoryNode.Trust.TEACHER, source_kind=MemorySource.Kind.OBSERVATION)
    before.read()
    assert before.stands() == []
    assert not backfill.is_awaited(before.space)


def test_parts_of_a_merge_are_read_rather_than_the_whole(before):
    """While the parts have their words, each tells its own fact; the whole tells none of them again."""
    nodes = before.live(TOLD[:2])
    with unlocked(before.space, before.access.key):
        whole = merge(before.space, nodes)
        with space_scope(before.space):
            MemoryNode.objects.for_space(before.space).update(life_read=False)
    before.read()
    assert {(fact.kind, fact.node) for fact in before.stands()} == {
        ("routine", whole.pk),
        ("appointment", whole.pk),
    }
    assert len(before.ids()) == 2


def test_a_whole_without_parts_is_read_itself(before):
    """When the words of the parts are gone, those of the whole tell what they can."""
    nodes = before.live(TOLD[:1] + TOLD[3:])
    with unlocked(before.space, before.access.key):
        merge(before.space, nodes)
    purge_tombstones(now=NOW + 31 * DAY)
    with space_scope(before.space):
        MemoryNode.objects.for_space(before.space).update(life_read=False)
    before.read()
    assert {fact.kind for fact in before.stands()} >= {"routine"}


def test_a_memory_without_a_vector_is_read_too(before):
    """A vector of another model is made anew for reading."""
    before.live(TOLD[:1])
    with space_scope(before.space):
        MemoryVector.objects.for_space(before.space).update(model="another")
    before.read()
    assert len(before.stands()) == 1


def test_with_memory_off_nothing_is_read(before):
    """Who switched the memory off has nothing read, and nothing waits."""
    before.live()
    person = before.access.person
    person.memory_on = False
    person.save(update_fields=["memory_on"])
    assert not backfill.is_awaited(before.space)
    assert before.read() == 0


def test_the_job_reads_with_a_lease(before, settings):
    """After an unlock the worker is given the key, reads, and gives it back when nothing waits."""
    settings.WORK_LEFT = ["memory.student.life.facts.backfill.awaits_facts"]
    before.live()
    with space_scope(before.space):
        assert grant_lease(before.access.key, now=timezone.now())
    read_life_facts(str(before.space))
    read_life_facts(str(before.space))
    assert len(before.stands()) == len(TOLD)
    space = Space.objects.get(pk=before.space)
    assert use_lease(space, purpose="memory.life_facts", now=timezone.now()) is None


def test_what_a_forgotten_memory_told_goes_with_its_words(before):
    """When the days to have it back are over, nothing of a fact is left in the database."""
    (node,) = before.live(TOLD[:1])
    before.read()
    forget_memory(before.space, node, now=NOW, actor=before.access.person)
    purge_tombstones(now=NOW + 31 * DAY)
    assert before.ids() == set()


def test_words_that_are_gone_are_told_by_what_they_became(before):
    """After the days to undo a merge a fact stands in the words of the whole."""
    nodes = before.live(TOLD[:1] + TOLD[3:])
    before.read()
    with unlocked(before.space, before.access.key):
        whole = merge(before.space, nodes)
        purge_tombstones(now=NOW + 40 * DAY)
        assert {fact.text for fact in before.stands()} == {whole.content}
        _, told = loops_and_portrait(before.space, now=NOW + 40 * DAY)
        assert told.routines == (whole.content,)
