"""Writing a thought-out consolidation, all of it or nothing; and removing short-term memories once their time is over.

Sleep found those of no lasting importance. No key is needed for it: nothing is read. Of each a tombstone stays, with its content
until the days to undo it are over. Its edges stay where they are, since their record could not be sealed here; nothing
leads on through a tombstone.
"""

from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from uuid import UUID

from django.db.models import F

from companion_site.audit.services import record_event
from companion_site.ids import new_id
from companion_site.vault.keyring import hash_words
from companion_site.vault.scope import lock_space, space_scope
from companion_site.vault.services import bump_version
from memory.models import MemoryChange, MemoryEdge, MemoryNode, SleepRun
from memory.querysets import NodeQuerySet
from memory.student.compression.replacement import (
    Replaced,
    Successor,
    bury,
    lead_on,
    make_successor,
    replace_memories,
)
from memory.student.gravity import gravity_at
from memory.student.ingest.store import edges_at
from memory.student.protection import find_untouchable
from memory.student.sleep.insights import Consolidation, Insight
from memory.student.sleep.params import SLEEP
from memory.student.sleep.selectors import Reading
from memory.student.sleep.timing import has_memory_on

#: Why a memory became something else, as its change says.
COVERED, KEPT, LET_GO = "covered", "kept", "let_go"
EXPIRED = "expired"


@dataclass(frozen=True, kw_only=True)
class Written:
    """What a sleep did to one batch, in numbers."""

    created: int
    updated: int
    covered: int
    kept: int
    let_go: int
    left: int
    categories: dict[str, int]


def write_consolidation(
    space: UUID,
    run: SleepRun,
    reading: Reading,
    done: Consolidation,
    *,
    model: str,
    now: datetime,
) -> Written:
    """Write what became of a batch. The caller holds the space's lock and transaction, and has it unlocked.

    An insight that says word for word what another memory says is not written: its members are kept as they are.

    Args:
        reading: the rows of the batch and its context, as they are now.
        model: whose vectors the insights carry.
    """
    insights, kept = _tell_twins(space, done, reading)
    version = bump_version(space)
    until = now + timedelta(days=SLEEP.tombstone_days)
    successors = [_successor(space, insight, reading, now=now) for insight in insights]
    into = {member: each.node.pk for each in successors for member in each.members}
    edges = _edges_of(space, into)
    unslept = _mark_slept(space, into, reading, now=now)
    replaced = replace_memories(
        space,
        successors,
        edges=edges,
        new_edges=lead_on(edges, into),
        model=model,
        version=version,
        now=now,
        until=until,
    )
    _keep(space, kept, version=version, now=now)
    _let_go(space, done.let_go, version=version, now=now)
    MemoryNode.objects.for_space(space).filter(pk__in=done.left).update(
        sleep_tries=F("sleep_tries") + 1, version=version
    )
    changes = [_covered(run, each, replaced, unslept, now=now) for each in successors]
    changes += [_moved(run, KEPT, kept, now=now)] if kept else []
    changes += [_moved(run, LET_GO, done.let_go, now=now)] if done.let_go else []
    MemoryChange.objects.bulk_create(changes)
    return _count(insights, kept, done, reading)


def _tell_twins(space: UUID, done: Consolidation, reading: Reading) -> tuple[list[Insight], dict[UUID, str]]:
    """Return the insights to write and what is kept, with the members of those that would say what is said already."""
    digests = [hash_words(space, insight.text) for insight in done.insights]
    rows = MemoryNode.objects.for_space(space).active().filter(content_hash__in=digests)
    said = {bytes(digest): node for digest, node in rows.values_list("content_hash", "pk")}
    insights, kept = [], dict(done.kept)
    for insight, digest in zip(done.insights, digests, strict=True):
        twin = said.get(digest)
        if twin is None or twin in insight.members:
            said[digest] = insight.members[0]
            insights.append(insight)
        else:
            new = [pk for pk in insight.members if not reading.items[pk].category]
            kept |= dict.fromkeys(new, insight.category)
    return insights, kept


def _successor(space: UUID, insight: Insight, reading: Reading, *, now: datetime) -> Successor:
    members = sorted(insight.members, key=lambda pk: (reading.items[pk].said_at, pk))
    nodes = [reading.nodes[pk] for pk in members]
    gravity = gravity_at(((node.gravity, node.salience, node.accessed_at) for node in nodes), now=now)
    return make_successor(
        space,
        nodes,
        gravity=gravity.tolist(),
        sources=[reading.sources[pk] for pk in members],
        vector=insight.vector,
        id=new_id(),
        content=insight.text,
        content_hash=hash_words(space, insight.text),
        tier=MemoryNode.Tier.LONG_TERM,
        category=insight.category,
        language=insight.language,
        confidence=insight.confidence,
        slept_over_at=now,
    )


def _edges_of(space: UUID, nodes: Collection[UUID]) -> list[MemoryEdge]:
    rows = edges_at(space, nodes).filter(source__removed_at__isnull=True, target__removed_at__isnull=True)
    return list(rows.order_by("id"))


def _mark_slept(space: UUID, nodes: Collection[UUID], reading: Reading, *, now: datetime) -> set[UUID]:
    """Note on what is covered for the first time that it was slept over; return which those are."""
    unslept = {pk for pk in nodes if reading.nodes[pk].slept_over_at is None}
    MemoryNode.objects.for_space(space).filter(pk__in=unslept).update(slept_over_at=now)
    return unslept


def _keep(space: UUID, kept: Mapping[UUID, str], *, version: int, now: datetime) -> None:
    by_category: dict[str, list[UUID]] = defaultdict(list)
    for pk, category in kept.items():
        by_category[category].append(pk)
    for category, nodes in by_category.items():
        MemoryNode.objects.for_space(space).filter(pk__in=nodes).update(
            tier=MemoryNode.Tier.LONG_TERM,
            category=category,
            slept_over_at=now,
            expires_at=None,
            version=version,
        )


def _let_go(space: UUID, nodes: Sequence[UUID], *, version: int, now: datetime) -> None:
    expires_at = now + timedelta(days=SLEEP.short_term_days)
    rows = MemoryNode.objects.for_space(space).filter(pk__in=nodes)
    rows.update(slept_over_at=now, expires_at=expires_at, version=version)


def _covered(
    run: SleepRun, successor: Successor, replaced: Replaced, unslept: Collection[UUID], *, now: datetime
) -> MemoryChange:
    """Return what undoing an insight needs: what undoing a merge does, and whom sleep had not looked at before."""
    before = replaced.describe(successor)
    before["unslept"] = [str(member) for member in successor.members if member in unslept]
    return _change(run, COVERED, successor.members, before, now=now)


def _moved(run: SleepRun, reason: str, nodes: Iterable[UUID], *, now: datetime) -> MemoryChange:
    """Return the record of what stayed as it is, in another place: before, all of it was short-term and not slept over."""
    return _change(run, reason, sorted(nodes), {"edges": []}, now=now)


def _change(
    run: SleepRun, reason: str, nodes: Iterable[UUID], before: dict[str, object], *, now: datetime
) -> MemoryChange:
    return MemoryChange(
        space_id=run.space_id,
        kind=MemoryChange.Kind.CONSOLIDATED,
        reason=reason,
        at=now,
        node_ids=[str(node) for node in nodes],
        before=before,
        sleep=run,
    )


def _count(
    insights: Sequence[Insight], kept: Mapping[UUID, str], done: Consolidation, reading: Reading
) -> Written:
    renews = [any(reading.items[pk].category for pk in insight.members) for insight in insights]
    taken_in = [pk for insight in insights for pk in insight.members if not reading.items[pk].category]
    return Written(
        created=len(insights) - sum(renews),
        updated=sum(renews),
        covered=len(taken_in),
        kept=len(kept),
        let_go=len(done.let_go),
        left=len(done.left),
        categories=dict(Counter(insight.category for insight in insights)),
    )


def expire_short_term(*, now: datetime) -> int:
    """Leave tombstones of all short-term memories that have expired, in every space whose memory is on; return of how many.

    What must not be touched stays until it may be: until the ledger's entry is over, or the person has decided.
    """
    spaces = filter(has_memory_on, _spaces_with_expired(now))
    return sum(_expire(space, now=now) for space in spaces)


def _spaces_with_expired(now: datetime) -> list[UUID]:
    # Across spaces, so by the role that sees no content.
    rows = MemoryNode.objects.using("metadata").filter(
        tier=MemoryNode.Tier.SHORT_TERM, removed_at__isnull=True, expires_at__lte=now
    )
    return list(rows.order_by("space_id").values_list("space_id", flat=True).distinct())


def _expire(space: UUID, *, now: datetime) -> int:
    with space_scope(space):
        lock_space(space)
        expired = list(_expired(space, now=now).order_by("id").values_list("pk", flat=True))
        if expired:
            until = now + timedelta(days=SLEEP.tombstone_days)
            bury(space, expired, version=bump_version(space), now=now, until=until)
            MemoryChange.objects.bulk_create([_note_expired(space, pk, now=now) for pk in expired])
            record_event("memory.expired", chain=space, data={"count": len(expired)}, now=now)
    return len(expired)


def _expired(space: UUID, *, now: datetime) -> NodeQuerySet:
    rows = MemoryNode.objects.for_space(space).exclude(pk__in=find_untouchable(space, now=now))
    return rows.filter(tier=MemoryNode.Tier.SHORT_TERM, removed_at__isnull=True, expires_at__lte=now)


def _note_expired(space: UUID, node: UUID, *, now: datetime) -> MemoryChange:
    return MemoryChange(
        space_id=space, kind=MemoryChange.Kind.PRUNED, reason=EXPIRED, at=now, node_ids=[str(node)]
    )
