"""Writing what a reading changes: new memories, clearer words, and what was never meant; each change can be taken back."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from uuid import UUID

from companion_site.audit.services import record_event
from companion_site.language import fold_words
from companion_site.vault.keyring import hash_words
from companion_site.vault.services import bump_version
from ledger.models import LedgerEntry
from ledger.services import switch_entry
from memory.models import LifeFact, MemoryChange, MemoryNode
from memory.student.contradictions import replace_by_model
from memory.student.exchange.merge import Kept
from memory.student.exchange.prompts import Why
from memory.student.ingest.store import store_memories
from memory.student.ledger_promotion import Promotion, promote
from memory.student.life.facts.store import write_facts
from memory.student.sleep.timing import plan_sleep
from memory.student.store import find_believed, load_active, note_change, put_away

#: why a memory has other words now
REWORDED = "reworded"


def store(space: UUID, kept: Sequence[Kept], *, unmeant: Mapping[UUID, Why], now: datetime) -> int:
    """Write what a reading comes to; return how many memories are new. The caller holds the space's lock and transaction.

    What was forgotten, put right or replaced meanwhile is passed over.

    Args:
        unmeant: memories to be let go, each with why.
    """
    for node, why in unmeant.items():
        let_go(space, node, why, now=now)
    formed = sum(_store_one(space, one, now=now) for one in kept)
    if formed:
        plan_sleep(space, now=now)
    return formed


def let_go(space: UUID, node_id: UUID, why: str, *, now: datetime) -> None:
    """Put away a memory of what was not meant, and what the ledger has of it; one click brings both back.

    Args:
        why: the change's reason.
    """
    node = load_active(space, node_id)
    if node is not None:
        entries = LedgerEntry.objects.for_space(space).current().filter(node_id=node.pk, is_active=True)
        retired = [
            str(switch_entry(space, entry.entry_id, is_active=False, now=now).entry_id) for entry in entries
        ]
        put_away(space, node, why, before={"entries": retired} if retired else None, now=now)


def _store_one(space: UUID, kept: Kept, *, now: datetime) -> int:
    old = {node: row for node in kept.reworded if (row := load_active(space, node)) is not None}
    if old:  # so that their words are free for what takes their place
        rows = MemoryNode.objects.for_space(space).filter(pk__in=old)
        rows.update(superseded_at=now, version=bump_version(space))
    formed = store_memories(space, kept.draft, now=now) if kept.draft.statements else []
    nodes: list[UUID | None] = [_node_of(space, one.text) for one in kept.draft.statements]
    nodes += kept.held
    for node, row in old.items():
        places = [nodes[number] for number in kept.reworded[node]]
        _reword(space, row, [place for place in places if place is not None], formed, now=now)
    said = kept.draft.said
    unknown = _unknown(space, kept.promotions)
    promote(space, unknown, nodes, source_id=said.source_id, said_at=said.said_at, now=now)
    for number, earlier in kept.replaced:
        later = nodes[number]
        if later is not None:
            replace_by_model(space, later, earlier, now=now)
    return len(formed)


def _node_of(space: UUID, text: str) -> UUID | None:
    node = find_believed(space, hash_words(space, text))
    return node.pk if node is not None else None


def _reword(
    space: UUID, old: MemoryNode, newer: Sequence[UUID], formed: Sequence[UUID], *, now: datetime
) -> None:
    """Let other words stand for a memory's, with what it tells of a life."""
    if not newer:
        old.superseded_at = None
        old.save(update_fields=["superseded_at"])
        return
    old.superseded_by_id = newer[0]
    old.save(update_fields=["superseded_by"])
    told = set(LifeFact.objects.for_space(space).filter(node_id__in=newer).values_list("kind", flat=True))
    open_facts = LifeFact.objects.for_space(space).filter(node_id=old.pk, closed_at__isnull=True)
    for fact in open_facts.exclude(kind__in=told):
        write_facts(space, {(newer[0], fact.kind): fact.detail}, said_at=fact.noted_at)
    made = [node for node in newer if node in formed]
    note_change(space, MemoryChange.Kind.CORRECTED, REWORDED, [old.pk, *made], now=now)
    data = {"by": str(newer[0]), "why": REWORDED}
    record_event("memory.corrected", chain=space, subject=old, data=data, now=now)


def _unknown(space: UUID, promotions: Sequence[Promotion]) -> list[Promotion]:
    """Return the entries whose words no entry of the ledger holds already, whole or as a part."""
    if not promotions:
        return []
    rows = LedgerEntry.objects.for_space(space).current()
    known = [words for row in rows if (words := fold_words(row.content or ""))]
    told = [(one, fold_words(one.draft.content)) for one in promotions]
    return [one for one, words in told if not any(words in other or other in words for other in known)]
