"""Writing thought-out memories: in one short transaction, each once, under the space's lock."""

from collections.abc import Collection, Sequence
from datetime import datetime
from uuid import UUID

from django.db import models

from companion_site.audit.services import record_event
from companion_site.ids import new_id
from companion_site.language import sanitise
from companion_site.vault.keyring import hash_words
from companion_site.vault.services import bump_version
from memory.models import MemoryNode, MemorySource, MemoryVector
from memory.params import FORMATION
from memory.reading.statements import Statement
from memory.student.contradictions import settle
from memory.student.entities import store_mentions
from memory.student.ingest.formation import Draft, Said
from memory.student.ledger_promotion import promote
from memory.student.life.facts.store import note_facts
from memory.student.store import create_edges, follow_merged, refresh_strength, vector_row

#: recorded where a message had more to read than it had time for
CUT_SHORT = "memory.cut_short"


def store_memories(space: UUID, draft: Draft, *, now: datetime) -> list[UUID]:
    """Write a draft; return the ids of the new memories. The caller holds the space's lock and transaction.

    What the space already believes word for word is not written again: it gets one more source, and where sleep had let it
    go, another sleep. What contradicts it is settled, and what belongs into the ledger goes there, in the same transaction.
    """
    hashes = [hash_words(space, statement.text) for statement in draft.statements]
    node_of = _known_hashes(space, hashes)
    let_go = MemoryNode.objects.for_space(space).filter(
        pk__in=node_of.values(), tier=MemoryNode.Tier.SHORT_TERM, expires_at__isnull=False
    )
    wanted = list(let_go.values_list("pk", flat=True)) if node_of else []
    again = _said_again(space, draft.said, node_of.values())
    changes = bool(wanted or again) or any(digest not in node_of for digest in hashes)
    version = bump_version(space) if changes else 0
    if again:
        surer = 1 - (1 - models.F("confidence")) * (1 - FORMATION.said_again)
        MemoryNode.objects.for_space(space).filter(pk__in=again).update(confidence=surer, version=version)
    if wanted:
        let_go.update(slept_over_at=None, expires_at=None, version=version)
    nodes, vectors, ids = [], [], []
    told = zip(draft.statements, draft.vectors, hashes, strict=True)
    for number, (statement, vector, digest) in enumerate(told):
        ids.append(None if digest in node_of else new_id())
        if ids[-1] is not None:
            node_of[digest] = ids[-1]
            node = _node(space, ids[-1], draft.said, statement, digest, version=version, now=now)
            node.of_danger = number in draft.of_danger
            nodes.append(node)
            vectors.append(vector_row(space, node.pk, vector, model=draft.model))
    MemoryNode.objects.bulk_create(nodes)
    MemoryVector.objects.bulk_create(vectors)
    said_in = [node_of[digest] for digest in hashes]
    _store_sources(space, draft, said_in)
    _store_edges(space, draft, ids, version=version, now=now)
    mentions = {key: each for key, each in zip(ids, draft.mentions, strict=False) if key is not None}
    store_mentions(space, mentions, speaker=draft.said.speaker, version=version, now=now)
    new = {digest: key for digest, key in zip(hashes, ids, strict=True) if key is not None}
    note_facts(space, draft.facts, hashes[: len(draft.facts)], said_at=draft.said.said_at, new=new)
    if draft.repeated:  # a message said again tells it anew, from the day it is said
        whole = hash_words(space, sanitise(draft.said.text))
        note_facts(space, [draft.repeated], [whole], said_at=draft.said.said_at)
    settle(space, draft.contradictions, said_in, now=now)
    said = draft.said
    promote(space, draft.promotions, said_in, source_id=said.source_id, said_at=said.said_at, now=now)
    if nodes:
        record_event("memory.formed", chain=space, data={"count": len(nodes)}, now=now)
    if draft.unread:
        record_event(CUT_SHORT, chain=space, data={"chars": draft.unread}, now=now)
    return [node.pk for node in nodes]


def _said_again(space: UUID, said: Said, nodes: Collection[UUID]) -> list[UUID]:
    """Return which memories are said once more: in another message than any they were said in before."""
    known = MemorySource.objects.for_space(space).filter(node_id__in=nodes, source_id=said.source_id)
    return sorted({*nodes} - {*known.values_list("node_id", flat=True)}) if nodes else []


def _known_hashes(space: UUID, hashes: Sequence[bytes]) -> dict[bytes, UUID]:
    """Return the memory of each hash that the space believes; of words that were merged, what they became."""
    rows = MemoryNode.objects.for_space(space).filter(content_hash__in=hashes)
    believed = models.Q(superseded_at__isnull=True, removed_at__isnull=True)
    found = rows.filter(believed | models.Q(merged_into__isnull=False))
    told = list(found.values_list("content_hash", "pk", "merged_into_id"))
    holds = follow_merged(space, {into: into for _, _, into in told if into is not None})
    merged = {bytes(digest): holds[into] for digest, _, into in told if into in holds}
    return merged | {bytes(digest): node for digest, node, into in told if into is None}


def _node(
    space: UUID,
    node_id: UUID,
    said: Said,
    statement: Statement,
    digest: bytes,
    *,
    version: int,
    now: datetime,
) -> MemoryNode:
    return MemoryNode(
        id=node_id,
        space_id=space,
        content=statement.text,
        content_hash=digest,
        modality=statement.modality,
        trust=said.trust,
        language=said.language,
        salience=statement.salience,
        gravity=statement.salience,
        confidence=statement.confidence,
        valence=statement.valence,
        formed_at=now,
        accessed_at=said.said_at,
        version=version,
    )


def _store_sources(space: UUID, draft: Draft, nodes: Sequence[UUID]) -> None:
    """Note where each statement's memory was said; the same place is noted once."""
    said = draft.said
    rows = [
        MemorySource(
            space_id=space,
            node_id=node,
            kind=said.source_kind,
            source_id=said.source_id,
            conversation_id=said.conversation_id,
            position=said.position,
            start=statement.start,
            end=statement.end,
            said_at=said.said_at,
            speaker=said.speaker,
        )
        for node, statement in zip(nodes, draft.statements, strict=True)
    ]
    MemorySource.objects.bulk_create(rows, ignore_conflicts=True)


def _store_edges(
    space: UUID, draft: Draft, ids: Sequence[UUID | None], *, version: int, now: datetime
) -> None:
    wanted = [(ids[edge.source], ids[edge.target], edge.kind, edge.weight) for edge in draft.edges]
    wanted += [(ids[source], target, kind, weight) for source, target, kind, weight in draft.neighbour_edges]
    believed = set(
        MemoryNode.objects.for_space(space)
        .active()
        .filter(pk__in=[target for _, target, _, _ in wanted if target])
        .values_list("pk", flat=True)
    )
    edges = {
        (source, target, kind): (source, target, kind, weight)
        for source, target, kind, weight in wanted
        if source and target and target in believed and source != target
    }
    create_edges(space, edges.values(), version=version, now=now)
    refresh_strength(space, {node for source, target, _ in edges for node in (source, target)})
