"""Writing a thought-out consolidation, all of it or nothing; and removing short-term memories once their time is over.

Sleep found those of no lasting importance. No key is needed for it: nothing is read. Of each a tombstone stays, with its content
until the days to undo it are over. Its edges stay where they are, since their record could not be sealed here; nothing
leads on through a tombstone.
"""

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from datetime import datetime, timedelta
from uuid import UUID

from django.db.models import F

from companion_site.audit.services import record_event
from companion_site.vault.keyring import hash_words
from companion_site.vault.scope import write_scope
from companion_site.vault.services import bump_version
from memory.models import MemoryChange, MemoryNode, SleepRun
from memory.student.compression.replacement import Successor, make_successor, replace_memories
from memory.student.params import SLEEP
from memory.student.sleep.insights import Consolidation, Insight, Item
from memory.student.sleep.timing import has_memory_on
from memory.student.store import as_change, bury, edges_at, find_untouchable, gravity_at, lead_on

#: Why a memory became something else, as its change says.
COVERED, KEPT, LET_GO = "covered", "kept", "let_go"
EXPIRED = "expired"


def write_consolidation(
    space: UUID,
    run: SleepRun,
    items: Mapping[UUID, Item],
    done: Consolidation,
    *,
    model: str,
    now: datetime,
) -> int:
    """Write what became of a batch, note it on the run, and return how many memories were kept as they are.

    The caller holds the space's lock and transaction, and has it unlocked.

    An insight that says word for word what another memory says is not written: its members are kept as they are.

    Args:
        items: the batch and its context, as they are now.
        model: whose vectors the insights carry.
    """
    insights, kept = _tell_twins(space, done, items)
    version = bump_version(space)
    successors = [_successor(space, insight, items, now=now) for insight in insights]
    into = {member: each.node.pk for each in successors for member in each.members}
    edges = edges_at(space, into).filter(source__removed_at__isnull=True, target__removed_at__isnull=True)
    drawn = list(edges.order_by("id"))
    nodes = MemoryNode.objects.for_space(space)
    unslept = {pk for pk in into if items[pk].node.slept_over_at is None}
    nodes.filter(pk__in=unslept).update(slept_over_at=now)
    before = replace_memories(
        space,
        successors,
        edges=drawn,
        new_edges=lead_on(drawn, into),
        model=model,
        version=version,
        now=now,
    )
    _keep(space, kept, version=version, now=now)
    expires_at = now + timedelta(days=SLEEP.short_term_days)
    nodes.filter(pk__in=done.let_go).update(slept_over_at=now, expires_at=expires_at, version=version)
    nodes.filter(pk__in=done.left).update(sleep_tries=F("sleep_tries") + 1, version=version)
    # Before, all of what stays as it is was short-term and not slept over.
    outcomes: list[tuple[str, Sequence[UUID], dict[str, object]]] = []
    for each in successors:
        again = [str(pk) for pk in each.members if pk in unslept]
        outcomes.append((COVERED, each.members, {**before[each.node.pk], "unslept": again}))
    outcomes += [(KEPT, sorted(kept), {"edges": []}), (LET_GO, sorted(done.let_go), {"edges": []})]
    MemoryChange.objects.bulk_create(
        as_change(space, MemoryChange.Kind.CONSOLIDATED, reason, members, before=undoing, now=now, sleep=run)
        for reason, members, undoing in outcomes
        if members
    )
    renewing = sum(any(items[pk].node.category for pk in insight.members) for insight in insights)
    run.created, run.updated = len(insights) - renewing, renewing
    run.covered = sum(not items[pk].node.category for insight in insights for pk in insight.members)
    run.let_go, run.left = len(done.let_go), len(done.left)
    run.categories = dict(Counter(insight.category for insight in insights))
    return len(kept)


def _tell_twins(
    space: UUID, done: Consolidation, items: Mapping[UUID, Item]
) -> tuple[list[Insight], dict[UUID, str]]:
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
            new = [pk for pk in insight.members if not items[pk].node.category]
            kept |= dict.fromkeys(new, insight.category)
    return insights, kept


def _successor(space: UUID, insight: Insight, items: Mapping[UUID, Item], *, now: datetime) -> Successor:
    members = sorted(insight.members, key=lambda pk: (items[pk].said_at, pk))
    nodes = [items[pk].node for pk in members]
    gravity = gravity_at(((node.gravity, node.salience, node.accessed_at) for node in nodes), now=now)
    return make_successor(
        space,
        nodes,
        insight.text,
        gravity=gravity.tolist(),
        sources=[items[pk].sources for pk in members],
        vector=insight.vector,
        tier=MemoryNode.Tier.LONG_TERM,
        category=insight.category,
        language=insight.language,
        confidence=insight.confidence,
        slept_over_at=now,
    )


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


def expire_short_term(*, now: datetime) -> int:
    """Leave tombstones of all short-term memories that have expired, in every space whose memory is on; return of how many.

    What must not be touched stays until it may be: until the ledger's entry is over, or the person has decided.
    """
    # Across spaces, so by the role that sees no content.
    rows = MemoryNode.objects.using("metadata").filter(
        tier=MemoryNode.Tier.SHORT_TERM, removed_at__isnull=True, expires_at__lte=now
    )
    spaces = list(rows.order_by("space_id").values_list("space_id", flat=True).distinct())
    return sum(_expire(space, now=now) for space in spaces if has_memory_on(space))


def _expire(space: UUID, *, now: datetime) -> int:
    with write_scope(space):
        rows = MemoryNode.objects.for_space(space).exclude(pk__in=find_untouchable(space, now=now))
        rows = rows.filter(tier=MemoryNode.Tier.SHORT_TERM, removed_at__isnull=True, expires_at__lte=now)
        expired = list(rows.order_by("id").values_list("pk", flat=True))
        if expired:
            bury(space, expired, version=bump_version(space), now=now)
            MemoryChange.objects.bulk_create(
                as_change(space, MemoryChange.Kind.PRUNED, EXPIRED, [pk], now=now) for pk in expired
            )
            record_event("memory.expired", chain=space, data={"count": len(expired)}, now=now)
    return len(expired)
