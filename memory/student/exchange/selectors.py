"""What a reading is shown of the memory: what formed of the messages it reads, and what is nearest to them."""

from collections import defaultdict
from collections.abc import Callable, Collection, Sequence
from datetime import UTC, datetime
from uuid import UUID

import numpy as np
from numpy.typing import NDArray

from companion_site.embeddings.protocol import Embedder
from companion_site.vault.scope import space_scope
from ledger.models import LedgerEntry
from memory.models import MemoryNode, MemorySource
from memory.student.exchange.prompts import Held
from memory.student.workingset import WorkingSet, said_at

#: memories that are shown beside what formed, and how near they must be
MOST_NEAR, NEAR = 12, 0.4


def load_formed(
    space: UUID, messages: Collection[UUID], *, of_danger: Collection[UUID] = ()
) -> tuple[list[Held], list[tuple[UUID, int, int]]]:
    """Return what formed of some messages, and the places of what is held no more. The space is unlocked by the caller.

    What speaks of danger and what was said elsewhere too stays as it is.

    Args:
        of_danger: which of the messages perhaps name danger.
    """
    with space_scope(space):
        sources = MemorySource.objects.for_space(space)
        named = set(sources.filter(source_id__in=messages).values_list("node_id", flat=True))
        of_node: dict[UUID, list[MemorySource]] = defaultdict(list)
        for source in sources.filter(node_id__in=named).order_by("id"):
            of_node[source.node_id].append(source)
        entries = LedgerEntry.objects.for_space(space).current().filter(node_id__in=named, is_active=True)
        kept_as = dict(entries.order_by("category").values_list("node_id", "category"))
        nodes = list(MemoryNode.objects.for_space(space).filter(pk__in=named).order_by("id"))
    places = [(source.source_id, source.start, source.end) for each in of_node.values() for source in each]
    held: list[Held] = []
    gone: list[tuple[UUID, int, int]] = []
    for node in nodes:
        here = [source for source in of_node[node.pk] if source.source_id in messages]
        if node.removed_at is not None or node.superseded_at is not None:
            ends = [(source.source_id, source.start, source.end) for source in here]
            # What stood for a whole message is none of its statements.
            gone += [place for place in ends if not any(_lies_within(other, place) for other in places)]
            continue
        is_own = len(of_node[node.pk]) == len(here) and len({source.source_id for source in here}) == 1
        held.append(
            Held(
                id=node.pk,
                text=node.content or "",
                said_at=here[0].said_at,
                of_message=here[0].source_id,
                in_ledger=node.pk in kept_as,
                spans=[(source.start, source.end) for source in here],
                may_change=is_own
                and not (node.of_danger or here[0].source_id in of_danger)
                and kept_as.get(node.pk) != LedgerEntry.Category.THREAT
                and node.trust == MemoryNode.Trust.PERSON,
            )
        )
    return held, gone


def _lies_within(place: tuple[UUID, int, int], other: tuple[UUID, int, int]) -> bool:
    """Tell whether one place is a part of another, and not all of it."""
    return place[0] == other[0] and place != other and other[1] <= place[1] and place[2] <= other[2]


def find_near(
    vectors: NDArray[np.float32],
    working_set: WorkingSet,
    embedder: Embedder,
    *,
    without: Collection[UUID],
    avoids: Callable[[str], bool],
) -> list[Held]:
    """Return the memories nearest to any of some messages, the nearest first; none of danger or of what is to be avoided.

    Args:
        vectors: (n, d) of the messages.
    """
    with working_set.lock:
        corpus, nodes = working_set.corpus, list(working_set.nodes)
        of_danger = working_set.of_danger
    if not nodes or not len(vectors):
        return []
    similarity = np.nan_to_num(embedder.calibration.similarity(vectors @ corpus.vectors.T)).max(axis=0)
    similarity = np.where(corpus.alive & ~of_danger, similarity, 0.0)
    found: Sequence[int] = [
        int(row) for row in np.argsort(-similarity, kind="stable") if similarity[row] >= NEAR
    ]
    near = [nodes[row] for row in found if nodes[row].id not in without]
    return [
        Held(id=node.id, text=node.text, said_at=datetime.fromtimestamp(said_at(node), UTC))
        for node in near[: 2 * MOST_NEAR]
        if node.text and not avoids(node.text)
    ][:MOST_NEAR]
