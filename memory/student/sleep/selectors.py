"""What sleep reads: the next batch of short-term memories, and the long-term ones they are nearest to."""

from collections.abc import Collection, Hashable, Iterable, Mapping, Sequence
from datetime import datetime
from uuid import UUID

import numpy as np
from django.db.models import OuterRef, Subquery

from companion_site.embeddings.protocol import Embedder
from memory.models import LifeFact, MemoryNode, MemorySource, SleepRun
from memory.querysets import NodeQuerySet
from memory.student.compression.selectors import read_sources
from memory.student.params import SLEEP
from memory.student.selectors import load_vectors
from memory.student.sleep.insights import Item
from memory.student.sleep.timing import awaiting, has_memory_on
from memory.student.store import find_untouchable
from memory.student.workingset import WorkingSet

#: of the long-term memories alike to one, as many; and of all of them together
NEAREST, MOST_NEAR = 2, 20
#: calibrated similarity from which a long-term memory is looked at beside a new one
NEAR = 0.5


def cut_batch(sessions: Sequence[Hashable], *, least: int, most: int) -> int:
    """Return how many of the first memories make up the next batch.

    Args:
        sessions: the session of each that waits, the oldest first; `least + most` of them are enough.
        least, most: a batch holds no more than `most`, and no fewer than `least` where more are there; the same is seen to
            for what stays for the next.
    """
    count = len(sessions)
    if count <= most:
        return count
    cuts = [cut for cut in range(most, least - 1, -1) if count - cut >= least] or [most]
    between = (cut for cut in cuts if sessions[cut - 1] != sessions[cut])
    return next(between, cuts[0])


def choose_batch(space: UUID, run: SleepRun) -> list[UUID]:
    """Return the memories of the next batch, the first formed first. Inside the space's scope.

    What came in after the sleep began waits for the next one; so does, where this run goes on with a sleep, what that has
    looked at already.
    """
    if not has_memory_on(space):
        return []
    first_said = MemorySource.objects.for_space(space).filter(node_id=OuterRef("pk"))
    session = Subquery(first_said.order_by("said_at", "start", "id").values("conversation_id")[:1])
    waiting = list(waiting_for(space, run).values_list("pk", session)[: SLEEP.least_items + SLEEP.most_items])
    cut = cut_batch([at for _, at in waiting], least=SLEEP.least_items, most=SLEEP.most_items)
    return [pk for pk, _ in waiting[:cut]]


def waiting_for(space: UUID, run: SleepRun) -> NodeQuerySet:
    """Return what the sleep that `run` belongs to has yet to look at."""
    rows = awaiting(space).unexpired(run.requested_at)
    if run.trigger != SleepRun.Trigger.CONTINUED:
        return rows.filter(formed_at__lte=run.requested_at)
    begun = SleepRun.objects.for_space(space).filter(pk__lt=run.pk).exclude(trigger=run.trigger)
    since = begun.order_by("-id").values_list("requested_at", flat=True).first() or run.requested_at
    return rows.filter(formed_at__lte=since, sleep_tries=0)


def read_items(space: UUID, ids: Collection[UUID], *, model: str, now: datetime) -> dict[UUID, Item]:
    """Read memories that are believed now, as sleep sees them, in the order of `ids`. Inside the space's scope, with the space unlocked."""
    rows = MemoryNode.objects.for_space(space).active().filter(pk__in=ids)
    nodes = {node.pk: node for node in rows if node.content is not None}
    sources = read_sources(space, nodes)
    vectors = load_vectors(space, model=model, node_id__in=nodes)
    fixed = find_untouchable(space, now=now)
    facts = LifeFact.objects.for_space(space).filter(node_id__in=nodes, closed_at__isnull=True)
    telling = set(facts.values_list("node_id", flat=True))
    nothing = np.zeros(0, np.float32)
    return {
        pk: Item(
            node=nodes[pk],
            sources=sources[pk],
            vector=vectors.get(pk, nothing),
            tells_life=pk in telling,
            fixed=pk in fixed,
        )
        for pk in ids
        if pk in nodes
    }


def find_context(items: Sequence[Item], *, working_set: WorkingSet, embedder: Embedder) -> list[UUID]:
    """Return the long-term memories nearest to the items that may become one with them."""
    corpus = working_set.corpus
    rows = np.flatnonzero(corpus.alive & (working_set.tier == MemoryNode.Tier.LONG_TERM.value))
    if not len(rows) or not items:
        return []
    cosines = corpus.vectors[rows] @ np.array([item.vector for item in items]).T
    cosines[~_go_together(working_set, rows, items)] = -1.0
    least = float(embedder.calibration.cosine(NEAR))
    best: dict[int, float] = {}
    for column in cosines.T:
        for at in np.argsort(-column)[:NEAREST]:
            if column[at] >= least:
                best[int(rows[at])] = max(best.get(int(rows[at]), -1.0), float(column[at]))
    nearest = sorted(best, key=lambda row: (-best[row], row))[:MOST_NEAR]
    return [working_set.nodes[row].id for row in nearest]


def is_unchanged(before: Iterable[Item], now: Mapping[UUID, Item]) -> bool:
    """Tell whether what was thought about is still there, says the same and may still become something else."""
    for item in before:
        again = now.get(item.id)
        if again is None:
            return False
        if again.node.tier == MemoryNode.Tier.SHORT_TERM and again.node.slept_over_at is not None:
            return False
        if (again.text, again.node.category, again.fixed) != (item.text, item.node.category, item.fixed):
            return False
    return True


def _go_together(working_set: WorkingSet, rows: np.ndarray, items: Sequence[Item]) -> np.ndarray:
    """Return (rows, items), whether a memory and an item are of one speaker, one who vouches, and one language."""
    held = [working_set.nodes[row] for row in rows.tolist()]
    ours = [(item.vouched_by, item.node.language, item.speaker) for item in items]
    theirs = [(node.trust, node.language, node.source.speaker if node.source else None) for node in held]
    return np.array([[one == other for other in ours] for one in theirs])
