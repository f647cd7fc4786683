"""Several nodes become one: what it says, what it weighs, and where its edges lead. Pure.

A merged node says every distinct statement of its members, weighs what the heaviest of them weighs, and takes over
their edges; of parallel ones the strongest stays. So neither gravity nor any weight ever grows by merging, however
often it is repeated.
"""

import re
from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from memory.algorithms.graphs import BoolArray, Edges, Graph, IntArray, keep

Cluster = tuple[int, ...]

_WORD = re.compile(r"\w+")
_ENDED = (*".!?…:;])»'\"", "\u201d", "\u2019")


#: characters of a merged text, at the most: as much as the embedder reads of one text
LONGEST_TEXT = 1_200


def merge_clusters(graph: Graph, clusters: Sequence[Cluster]) -> Graph:
    """Return the graph in which each cluster is one node.

    A merged node stands in the row order where its first member stood.

    Args:
        clusters: disjoint rows of `graph`, two or more each.
    """
    head = _find_heads(len(graph), clusters)
    texts, sources, members = list(graph.texts), list(graph.sources), list(graph.members)
    numbers = {
        name: getattr(graph, name).copy()
        for name in ("gravity", "modality", "said_at", "prunable", "droppable")
    }
    for cluster in clusters:
        first, rows = min(cluster), list(cluster)
        in_time = sorted(rows, key=lambda row: (graph.said_at[row], row))
        texts[first] = join_statements([text for row in in_time for text in graph.texts[row]])
        sources[first] = frozenset[int]().union(*(graph.sources[row] for row in rows))
        members[first] = tuple(sorted(member for row in rows for member in graph.members[row]))
        heaviest = max(rows, key=lambda row: (graph.gravity[row], -row))
        numbers["gravity"][first] = graph.gravity[heaviest]
        numbers["modality"][first] = graph.modality[heaviest]
        numbers["said_at"][first] = graph.said_at[rows].min()
        numbers["prunable"][first] = False
        numbers["droppable"][first] = bool(graph.droppable[rows].all())
    merged = replace(
        graph,
        **numbers,
        texts=tuple(texts),
        sources=tuple(sources),
        members=tuple(members),
        edges=repoint_edges(graph.edges, head),
    )
    return keep(merged, _are_heads(head))


def repoint_edges(edges: Edges, head: IntArray) -> Edges:
    """Return the edges between the nodes that rows have become; of parallel ones the strongest.

    Args:
        head: (n,) the row that each row has become, itself where it stayed.

    Returns:
        No edge to itself, and one edge for each (source, target, kind), in that order.
    """
    moved = Edges(head[edges.source], head[edges.target], edges.kind, edges.weight)
    moved = moved.take(moved.source != moved.target)
    if not len(moved):
        return moved
    moved = moved.take(np.lexsort((-moved.weight, moved.kind, moved.target, moved.source)))
    same = (
        (moved.source[1:] == moved.source[:-1])
        & (moved.target[1:] == moved.target[:-1])
        & (moved.kind[1:] == moved.kind[:-1])
    )
    return moved.take(np.concatenate([[True], ~same]))


def join_statements(texts: Sequence[str]) -> tuple[str, ...]:
    """Return the distinct statements in their order: one whose words stand in another in one piece is left out."""
    plain = [f" {' '.join(_WORD.findall(text.casefold()))} " for text in texts]
    kept = [
        row
        for row, words in enumerate(plain)
        if not any(
            words in other and (words != other or at < row) for at, other in enumerate(plain) if at != row
        )
    ]
    return tuple(texts[row] for row in kept)


def write_out(statements: Sequence[str]) -> str:
    """Return the text of a merged node: one statement a line, each ended like a sentence."""
    lines = (" ".join(statement.split()) for statement in statements)
    return "\n".join(line if line.endswith(_ENDED) else f"{line}." for line in lines if line)


def _find_heads(count: int, clusters: Sequence[Cluster]) -> IntArray:
    head = np.arange(count)
    for cluster in clusters:
        head[list(cluster)] = min(cluster)
    return head


def _are_heads(head: IntArray) -> BoolArray:
    return np.asarray(head == np.arange(len(head)))
