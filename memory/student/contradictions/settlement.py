"""Writing what contradicts: retired by the strategy that applies, or left open for the person."""

from collections.abc import Sequence
from datetime import datetime
from uuid import UUID

from django.db.models import Max

from companion_site.audit.services import record_event
from companion_site.vault.services import bump_version
from ledger.models import LedgerEntry
from memory.algorithms.decay import decay_gravity
from memory.models import Contradiction, MemoryNode, MemorySource
from memory.student.contradictions.params import CONTRADICTIONS, ContradictionParams
from memory.student.contradictions.retirement import load_active, retire, tie
from memory.student.contradictions.search import Found

_NEWER, _STRONGER, _MANUAL = (
    Contradiction.Strategy.NEWER_WINS,
    Contradiction.Strategy.STRONGER_WINS,
    Contradiction.Strategy.MANUAL,
)


def settle(
    space: UUID,
    found: Sequence[Found],
    nodes: Sequence[UUID | None],
    *,
    now: datetime,
    params: ContradictionParams = CONTRADICTIONS,
) -> list[Contradiction]:
    """Write findings in the transaction that wrote the statements; return the contradictions.

    The caller holds scope and lock of the unlocked space. What another writer has superseded or removed since it was
    found is passed over, and so is a pair that the person has spoken about.

    Args:
        nodes: the memory of each statement, new or held already; None where it left none.
    """
    written = []
    version = 0
    for one in found:
        later = nodes[one.statement]
        earlier = nodes[one.earlier] if isinstance(one.earlier, int) else one.earlier
        if later is None or earlier is None or later == earlier:
            continue
        pair = load_active(space, earlier), load_active(space, later)
        if pair[0] is None or pair[1] is None or _is_known(space, earlier, later):
            continue
        version = version or bump_version(space)
        written.append(_settle_pair(space, pair[0], pair[1], one, version=version, now=now, params=params))
    return written


def replace_by_model(
    space: UUID, later: UUID, earlier: UUID, *, now: datetime, params: ContradictionParams = CONTRADICTIONS
) -> None:
    """Have one memory take the place of an earlier one, as a model says; what was in doubt is settled by it.

    The caller holds scope and lock of the unlocked space. What the person has spoken about stays as they said.
    """
    both = load_active(space, earlier), load_active(space, later)
    if both[0] is None or both[1] is None or earlier == later:
        return
    pair = {"earlier_id__in": (earlier, later), "later_id__in": (earlier, later)}
    known = Contradiction.objects.for_space(space).filter(**pair).first()
    if known is None:
        by = Contradiction.FoundBy.MODEL.value
        found = Found(statement=0, earlier=earlier, found_by=by, strategy=params.by_model, reason=by)
        settle(space, [found], [later], now=now, params=params)
    elif known.state == Contradiction.State.OPEN and _may_retire(space, both[1], both[0], params):
        known.strategy = params.by_model
        retire(
            space,
            both[0],
            winner=both[1],
            contradiction=known,
            reason=Contradiction.FoundBy.MODEL.value,
            version=bump_version(space),
            now=now,
        )


def _is_known(space: UUID, one: UUID, other: UUID) -> bool:
    """Tell whether the pair is on record, in either order."""
    rows = Contradiction.objects.for_space(space)
    return rows.filter(earlier_id__in=(one, other), later_id__in=(one, other)).exists()


def _settle_pair(
    space: UUID,
    held: MemoryNode,
    new: MemoryNode,
    found: Found,
    *,
    version: int,
    now: datetime,
    params: ContradictionParams,
) -> Contradiction:
    """Settle one pair; which of the two is the earlier is decided by when they were last said, not when they formed."""
    said = {node.pk: _last_said(space, node) for node in (held, new)}
    earlier, later = (new, held) if said[new.pk] < said[held.pk] else (held, new)
    strategy = found.strategy
    if strategy == _NEWER and said[earlier.pk] == said[later.pk] and not isinstance(found.earlier, int):
        strategy = params.by_order_unknown
    winner, loser = _rank(earlier, later, strategy, now=now)
    if strategy != _MANUAL and not _may_retire(space, winner, loser, params):
        strategy = _MANUAL.value
    contradiction = Contradiction.objects.create(
        space_id=space,
        earlier=earlier,
        later=later,
        found_by=found.found_by,
        strategy=strategy,
        state=Contradiction.State.OPEN,
        found_at=now,
    )
    tie(space, earlier=earlier.pk, later=later.pk, version=version, now=now)
    if strategy == _MANUAL:
        data = {"found_by": str(found.found_by)}
        record_event("memory.contradiction_found", chain=space, subject=contradiction, data=data, now=now)
    else:
        retire(
            space,
            loser,
            winner=winner,
            contradiction=contradiction,
            reason=found.reason,
            version=version,
            now=now,
        )
    return contradiction


def _rank(
    earlier: MemoryNode, later: MemoryNode, strategy: str, *, now: datetime
) -> tuple[MemoryNode, MemoryNode]:
    """Return winner and loser; of two that weigh the same the later one wins."""
    if strategy == _STRONGER and _gravity(earlier, now) > _gravity(later, now):
        return earlier, later
    return later, earlier


def _gravity(node: MemoryNode, now: datetime) -> float:
    age_days = (now - node.accessed_at).total_seconds() / 86_400
    return float(decay_gravity(node.gravity, salience=node.salience, age_days=age_days))


def _last_said(space: UUID, node: MemoryNode) -> datetime:
    latest = MemorySource.objects.for_space(space).filter(node_id=node.pk).aggregate(at=Max("said_at"))["at"]
    return latest or node.formed_at


def _may_retire(space: UUID, winner: MemoryNode, loser: MemoryNode, params: ContradictionParams) -> bool:
    """Tell whether trust allows it; what the ledger holds word for word is never retired by itself."""
    if loser.trust not in params.retirable.get(winner.trust, frozenset()):
        return False
    entries = LedgerEntry.objects.for_space(space).filter(
        node_id=loser.pk, superseded_at__isnull=True, is_active=True
    )
    return not entries.exists()
