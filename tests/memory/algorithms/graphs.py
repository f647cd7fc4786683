"""Small memory graphs, and random ones."""

from collections.abc import Sequence

import numpy as np
from hypothesis import strategies as st

from memory.algorithms.graphs import Edges, Graph

MODALITIES = 5
WORDS = ("red", "cat", "Anna", "runs", "maths", "7", "home")


def make_graph(count: int, edges: Sequence[tuple[int, int, str, float]] = (), **given: Sequence) -> Graph:
    """Return a graph whose nodes are alike in everything that is not given."""
    values = {
        "gravity": [0.5] * count,
        "modality": [0] * count,
        "group": [0] * count,
        "active": [True] * count,
        "prunable": [False] * count,
        "droppable": [False] * count,
        "said_at": range(count),
        **given,
    }
    kinds = {"gravity": float, "modality": np.int64, "group": np.int64, "said_at": float}
    arrays = {
        name: np.array(list(values[name]), kinds.get(name, bool))
        for name in ("gravity", "modality", "group", "active", "prunable", "droppable", "said_at")
    }
    return Graph(
        **arrays,
        texts=tuple(given.get("texts", [(f"statement {row}",) for row in range(count)])),
        sources=tuple(given.get("sources", [frozenset([row]) for row in range(count)])),
        members=tuple((row,) for row in range(count)),
        edges=Edges.of(list(edges)),
    )


def complete(
    rows: Sequence[int], weight: float, kind: str = "RELATES_TO"
) -> list[tuple[int, int, str, float]]:
    """Return an edge between every two rows."""
    return [(row, other, kind, weight) for at, row in enumerate(rows) for other in rows[at + 1 :]]


@st.composite
def graphs(draw, most: int = 24) -> Graph:
    """Draw a graph: any weights, kinds, groups, sources and rights to go; up to `most` nodes, or none."""
    count = draw(st.integers(0, most))
    share = st.floats(0, 1, allow_nan=False)
    each = lambda strategy: draw(st.lists(strategy, min_size=count, max_size=count))  # noqa: E731
    kinds = st.sampled_from(["RELATES_TO", "SUPPORTS", "PRECEDES", "CONTRADICTS", "ALIKE"])
    row = st.integers(0, max(0, count - 1))
    edges = draw(st.lists(st.tuples(row, row, kinds, share), max_size=4 * count)) if count else []
    once = {(source, target, kind): weight for source, target, kind, weight in edges if source != target}
    covered = each(st.booleans())
    long_term = each(st.booleans())
    return make_graph(
        count,
        [(*key, weight) for key, weight in once.items()],
        gravity=each(share),
        modality=each(st.integers(0, MODALITIES - 1)),
        group=each(st.integers(-1, 1)),
        active=each(st.booleans()),
        prunable=[one and not other for one, other in zip(covered, long_term, strict=True)],
        droppable=[one and other for one, other in zip(covered, long_term, strict=True)],
        said_at=each(st.integers(0, 3)),
        texts=[
            (" ".join(words),) for words in each(st.lists(st.sampled_from(WORDS), min_size=1, max_size=4))
        ],
        sources=[frozenset(found) for found in each(st.sets(st.integers(0, 5), max_size=2))],
    )
