"""Writing a thought-out compression: all of it in one short transaction, or nothing."""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from datetime import datetime, timedelta
from uuid import UUID

from companion_site.ids import new_id
from companion_site.vault.many import set_each
from companion_site.vault.services import bump_version
from memory.compression.params import COMPRESSION, SpaceCompressionParams
from memory.compression.reading import Snapshot
from memory.compression.thinking import Merge, Plan
from memory.models import CompressionRun, MemoryChange, MemoryEdge, MemoryNode, MemorySource, MemoryVector
from memory.storing import refresh_strength

FADED, DENSE = "below_noise_floor", "hang_together"
BATCH = 500


def write_plan(
    space: UUID,
    run: CompressionRun,
    snapshot: Snapshot,
    plan: Plan,
    *,
    now: datetime,
    params: SpaceCompressionParams = COMPRESSION,
) -> None:
    """Write what a compression does to the graph. The caller holds the space's lock and transaction.

    Of a pruned or merged memory a tombstone stays, with its content until the days to undo it are over.
    """
    if not (plan.pruned or plan.merges):
        return
    version = bump_version(space)
    removed = {*plan.pruned, *(row for merge in plan.merges for row in merge.rows)}
    gone = [snapshot.nodes[row].pk for row in sorted(removed)]
    _bury(space, gone, version=version, now=now, until=now + timedelta(days=params.tombstone_days))
    _create_merged(space, snapshot, plan.merges, version=version)
    loose = _edges_of(snapshot, removed)
    MemoryEdge.objects.for_space(space).filter(
        pk__in={edge.pk for edges in loose.values() for edge in edges}
    ).delete()
    created = _create_edges(space, plan, version=version, now=now)
    _point_to_merged(space, snapshot, plan.merges)
    touched = {end for edges in loose.values() for edge in edges for end in (edge.source_id, edge.target_id)}
    touched |= {end for edge in created for end in (edge.source_id, edge.target_id)}
    _refresh(space, touched, version=version)
    changes = [_pruned(run, snapshot.nodes[row], loose.get(row, []), now=now) for row in plan.pruned]
    own = _by_end(created)
    for merge in plan.merges:
        changes.append(_merged(run, snapshot, merge, loose, own.get(merge.id, []), now=now))
    MemoryChange.objects.bulk_create(changes, batch_size=BATCH)


def _bury(space: UUID, nodes: Sequence[UUID], *, version: int, now: datetime, until: datetime) -> None:
    rows = MemoryNode.objects.for_space(space).filter(pk__in=nodes)
    rows.update(removed_at=now, content_until=until, version=version)


def _edges_of(snapshot: Snapshot, rows: set[int]) -> dict[int, list[MemoryEdge]]:
    """Return the edges of each of `rows`; one between two of them stands at both."""
    found: dict[int, list[MemoryEdge]] = defaultdict(list)
    for edge in snapshot.edges:
        for end in (snapshot.row_of[edge.source_id], snapshot.row_of[edge.target_id]):
            if end in rows:
                found[end].append(edge)
    return found


def _create_merged(space: UUID, snapshot: Snapshot, merges: Sequence[Merge], *, version: int) -> None:
    """Write each merged node with all the sources of its members and its own vector."""
    nodes, sources, vectors = [], [], []
    for merge in merges:
        nodes.append(_merged_node(space, snapshot, merge, version=version))
        sources += _copied_sources(space, snapshot, merge)
        vectors.append(
            MemoryVector(
                space_id=space,
                node_id=merge.id,
                model=snapshot.model,
                dimension=len(merge.vector),
                vector=merge.vector,
            )
        )
    MemoryNode.objects.bulk_create(nodes, batch_size=BATCH)
    MemorySource.objects.bulk_create(sources, batch_size=BATCH)
    MemoryVector.objects.bulk_create(vectors, batch_size=BATCH)


def _merged_node(space: UUID, snapshot: Snapshot, merge: Merge, *, version: int) -> MemoryNode:
    """Return the row of a merged node.

    Gravity and the time of its last access are those of its heaviest member, just as they are stored: nothing
    decayed is ever written, and at every later moment it weighs what the heaviest would.
    """
    members = [snapshot.nodes[row] for row in merge.rows]
    first = members[0]
    heaviest = members[max(range(len(members)), key=lambda at: snapshot.gravity[merge.rows[at]])]
    slept = [member.slept_over_at for member in members if member.slept_over_at is not None]
    return MemoryNode(
        id=merge.id,
        space_id=space,
        content=merge.text,
        content_hash=merge.digest,
        modality=heaviest.modality,
        tier=first.tier,
        category=first.category,
        trust=MemoryNode.Trust.DERIVED,
        language=first.language,
        salience=max(member.salience for member in members),
        gravity=heaviest.gravity,
        confidence=min(member.confidence for member in members),
        valence=sum(member.valence for member in members) / len(members),
        formed_at=min(member.formed_at for member in members),
        accessed_at=heaviest.accessed_at,
        expires_at=first.expires_at,
        slept_over_at=min(slept) if len(slept) == len(members) else None,
        version=version,
    )


def _copied_sources(space: UUID, snapshot: Snapshot, merge: Merge) -> list[MemorySource]:
    """Return a copy of every source of the members, each place once."""
    copies: dict[tuple, MemorySource] = {}
    for row in merge.rows:
        for source in snapshot.sources[row]:
            place = (source.kind, source.source_id, source.start)
            known = copies.get(place)
            if known is not None:
                known.end = max(known.end, source.end)
                continue
            copies[place] = MemorySource(
                space_id=space,
                node_id=merge.id,
                kind=source.kind,
                source_id=source.source_id,
                conversation_id=source.conversation_id,
                position=source.position,
                start=source.start,
                end=source.end,
                said_at=source.said_at,
                speaker=source.speaker,
            )
    return list(copies.values())


def _create_edges(space: UUID, plan: Plan, *, version: int, now: datetime) -> list[MemoryEdge]:
    edges = [
        MemoryEdge(
            id=new_id(),
            space_id=space,
            source_id=source,
            target_id=target,
            type=kind,
            weight=weight,
            formed_at=now,
            version=version,
        )
        for source, target, kind, weight in plan.new_edges
    ]
    return MemoryEdge.objects.bulk_create(edges, batch_size=BATCH)


def _point_to_merged(space: UUID, snapshot: Snapshot, merges: Sequence[Merge]) -> None:
    """Have each member's tombstone say what it became."""
    into = {snapshot.nodes[row].pk: merge.id for merge in merges for row in merge.rows}
    set_each(MemoryNode, space, into, field="merged_into")


def _by_end(edges: Iterable[MemoryEdge]) -> dict[UUID, list[MemoryEdge]]:
    found: dict[UUID, list[MemoryEdge]] = defaultdict(list)
    for edge in edges:
        found[edge.source_id].append(edge)
        found[edge.target_id].append(edge)
    return found


def _refresh(space: UUID, nodes: Iterable[UUID], *, version: int) -> None:
    """Set the strength of nodes whose edges changed."""
    nodes = set(nodes)
    refresh_strength(space, nodes)
    MemoryNode.objects.for_space(space).filter(pk__in=nodes).update(version=version)


def _pruned(
    run: CompressionRun, node: MemoryNode, edges: Sequence[MemoryEdge], *, now: datetime
) -> MemoryChange:
    return MemoryChange(
        space_id=run.space_id,
        kind=MemoryChange.Kind.PRUNED,
        reason=FADED,
        at=now,
        node_ids=[str(node.pk)],
        before={"edges": [describe_edge(edge) for edge in edges]},
        run=run,
    )


def _merged(
    run: CompressionRun,
    snapshot: Snapshot,
    merge: Merge,
    loose: dict[int, list[MemoryEdge]],
    created: Sequence[MemoryEdge],
    *,
    now: datetime,
) -> MemoryChange:
    """Return what undoing a merge needs: the members' edges, and which rows the merge made."""
    edges = {edge.pk: edge for row in merge.rows for edge in loose.get(row, ())}
    return MemoryChange(
        space_id=run.space_id,
        kind=MemoryChange.Kind.MERGED,
        reason=DENSE,
        at=now,
        node_ids=[str(snapshot.nodes[row].pk) for row in merge.rows],
        before={
            "edges": [describe_edge(edge) for edge in edges.values()],
            "merged": str(merge.id),
            "created": [str(edge.pk) for edge in created],
        },
        run=run,
    )


def describe_edge(edge: MemoryEdge) -> dict[str, object]:
    """Return an edge as it is kept for undoing."""
    return {
        "id": str(edge.pk),
        "source": str(edge.source_id),
        "target": str(edge.target_id),
        "type": edge.type,
        "weight": edge.weight,
        "formed_at": edge.formed_at.isoformat(),
    }
