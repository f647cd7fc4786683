"""A message has its share of the processor: beyond it what was read is kept, and the rest stands whole."""

import pytest

from companion_site.audit.models import AuditEvent
from companion_site.embeddings.service import get_embedder
from companion_site.ids import new_id
from companion_site.vault.scope import write_scope
from memory.figures import gauges
from memory.models import MemoryNode, MemorySource
from memory.reading.budget import Allowance
from memory.reading.statements import AT_A_TIME, find_statements
from memory.student.ingest.formation import Said, draft_memories
from memory.student.ingest.store import store_memories
from tests.factories import NOW

pytestmark = [pytest.mark.spec("G4")]

SENTENCES = [f"I moved to town number {number} with my cousin in May." for number in range(60)]
TEXT = " ".join(SENTENCES)


class Clock:
    """Processor time that passes by one second each time it is asked."""

    def __init__(self) -> None:
        self.seconds = 0.0

    def __call__(self) -> float:
        self.seconds += 1.0
        return self.seconds


def test_reading_ends_when_the_time_is_spent_and_says_where():
    """Statements from before that place are found, none from behind it, and no time is asked for beyond."""
    clock = Clock()
    allowance = Allowance(2.0, clock=clock)
    found = find_statements(TEXT, language="en", embedder=get_embedder(), limit=100, allowance=allowance)
    assert len(found) == AT_A_TIME
    assert allowance.unread_from == TEXT.index(SENTENCES[AT_A_TIME])
    assert all(statement.end <= allowance.unread_from for statement in found)
    assert clock.seconds == 3.0


def test_with_time_enough_nothing_is_different():
    """An allowance that is not spent leaves no trace."""
    allowance = Allowance(1e6, clock=Clock())
    found = find_statements(TEXT, language="en", embedder=get_embedder(), allowance=allowance)
    assert allowance.unread_from is None
    assert found == find_statements(TEXT, language="en", embedder=get_embedder())


def think(memory, text, most_s):
    said = Said(
        text=text, language="en", said_at=NOW, source_kind=MemorySource.Kind.MESSAGE, source_id=new_id()
    )
    allowance = Allowance(most_s, clock=Clock())
    return draft_memories(
        said, working_set=memory.working_set(), embedder=memory.embedder, allowance=allowance
    )


@pytest.mark.django_db(databases=["default", "metadata"])
def test_nothing_told_is_lost_where_the_time_was_short(memory, scoped):
    """What was read is memories; the rest of the message is one more, word for word; that it was so is on record and in a figure."""
    draft = think(memory, TEXT, 2.0)
    assert draft.unread and draft.own_statements[-1].text == TEXT[-draft.unread :].strip()
    assert len(draft.own_statements) == AT_A_TIME + 1
    with write_scope(memory.space):
        store_memories(memory.space, draft, now=NOW)
    texts = scoped(lambda: [node.content for node in MemoryNode.objects.for_space(memory.space)])
    missing = [one for one in SENTENCES if not any(one.rstrip(".") in text for text in texts)]
    assert missing == []
    (event,) = AuditEvent.objects.filter(chain=memory.space, action="memory.cut_short")
    assert event.data == {"chars": draft.unread}
    figure = next(one for one in gauges(NOW) if one.name == "companion_messages_cut_short")
    assert [one.value for one in figure.samples if one.labels["window"] == "24h"] == [1]


@pytest.mark.django_db
def test_what_must_not_be_lost_is_looked_for_even_then(memory):
    """A threat goes into the ledger however little time there is."""
    text = f"{TEXT} I want to kill myself tonight."
    draft = think(memory, text, 0.0)
    assert [promotion.draft.category for promotion in draft.promotions] == ["threat"]
    assert draft.statements[0].text == text and draft.unread == len(text)
