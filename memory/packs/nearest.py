"""The nearest vectors of one pack, inside its scope: through the index of the model, or by comparing all."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any
from uuid import UUID

import numpy as np
from django.db import connection
from numpy.typing import NDArray

from memory.packs.cache import PackRow

#: Up to so many vectors comparing all is as fast as an index shared with larger packs, and exact (docs/packs.md).
EXACT_NODES = 5_000
#: How far the index looks around: recall and time both grow with it (docs/packs.md).
EF_SEARCH = 200
#: The index gives up after so many vectors of all packs; then all of this pack's are compared.
MOST_SCANNED = 20_000
#: pgvector's own bound
MOST_EF = 1_000

#: Node by node, each by its key: of a small pack beside a large one the planner expects one row, and would join what it scans.
#: The vector, which is long as a text, is read once.
FIND = """
    WITH asked AS MATERIALIZED (SELECT %(vector)s::vector AS vector)
    SELECT n.position, n.path, n.type, 1 - found.distance {besides}
    FROM (
        SELECT v.node_id, v.embedding <=> (SELECT vector FROM asked) AS distance
        FROM memory_packvector v {of_types}
        WHERE v.space_id = %(pack)s AND v.model = %(model)s AND v.dimension = %(dimension)s {are_types}
        ORDER BY {distance} LIMIT %(k)s
    ) AS found
    CROSS JOIN LATERAL (
        SELECT position, path, type FROM memory_packnode
        WHERE space_id = %(pack)s AND id = found.node_id LIMIT 1
    ) AS n
"""
OF_TYPES = "JOIN memory_packnode t ON t.space_id = v.space_id AND t.id = v.node_id"
ARE_TYPES = "AND t.type = ANY(%(types)s)"
#: Said with the first row that is found, when the plan has been made.
SORT_AGAIN = "(SELECT set_config('enable_sort', 'on', true))"
ROWS = """
    SELECT n.position, n.path, n.type, vector_send(v.embedding)
    FROM unnest(%(positions)s::int[]) AS wanted(position)
    CROSS JOIN LATERAL (
        SELECT id, position, path, type FROM memory_packnode
        WHERE space_id = %(pack)s AND position = wanted.position LIMIT 1
    ) AS n
    LEFT JOIN LATERAL (
        SELECT embedding FROM memory_packvector
        WHERE space_id = %(pack)s AND node_id = n.id AND model = %(model)s AND dimension = %(dimension)s LIMIT 1
    ) AS v ON true
"""
#: what `vector_send` says before the numbers: how many there are
HEAD_BYTES = 4


@dataclass(frozen=True)
class PackHit:
    """A node of a pack that a search found.

    Attributes:
        cosine: with the query's vector; 0.0 where there was none, or the node has none of that model.
        lexical: BM25 of the query's words, 0 or more; comparable within one pack only.
    """

    pack: UUID
    position: int
    path: str
    type: str
    cosine: float
    lexical: float = 0.0

    @property
    def at(self) -> tuple[UUID, int]:
        return self.pack, self.position


def find_nearest(
    pack: UUID,
    vector: NDArray[np.float32],
    *,
    model: str,
    k: int,
    types: list[str] | None = None,
    nodes: int,
) -> list[PackHit]:
    """Return the `k` nodes nearest to `vector` (d,), nearest first; called inside the pack's scope.

    Args:
        nodes: how many the pack has, which decides how they are searched.
    """
    if nodes > EXACT_NODES:
        found = ask_index(pack, vector, model=model, k=k, types=types)
        if len(found) >= k:
            return found
    return compare_all(pack, vector, model=model, k=k, types=types)


def read_rows(pack: UUID, positions: Sequence[int], *, model: str, dimension: int) -> dict[int, PackRow]:
    """Return the nodes at `positions` by position, each with its vector of this model; inside the pack's scope."""
    asked: dict[str, Any] = {
        "pack": pack,
        "positions": list(positions),
        "model": model,
        "dimension": dimension,
    }
    with connection.cursor() as cursor:
        cursor.execute(ROWS, asked)
        return {
            position: PackRow(
                path,
                kind,
                None if raw is None else np.frombuffer(raw, ">f4", offset=HEAD_BYTES).astype(np.float32),
            )
            for position, path, kind, raw in cursor.fetchall()
        }


def ask_index(
    pack: UUID, vector: NDArray[np.float32], *, model: str, k: int, types: list[str] | None = None
) -> list[PackHit]:
    """Return up to `k` of the nearest, by the index: fewer where it gave up.

    Ordered by the index's own distance, over half-precision numbers; the cosines returned are counted in full.
    """
    dimension = len(vector)
    half = f"halfvec({dimension})"
    distance = f"v.embedding::{half} <=> (SELECT vector::{half} FROM asked)"  # noqa: S608  a number of our own
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT set_config('hnsw.iterative_scan', 'strict_order', true), "
            "set_config('hnsw.ef_search', %s, true), set_config('hnsw.max_scan_tuples', %s, true), "
            # Of a pack that just came in the planner knows nothing yet, and would sort what it takes for few rows.
            "set_config('enable_sort', 'off', true)",
            [str(min(max(EF_SEARCH, k), MOST_EF)), str(MOST_SCANNED)],
        )
        found = _run(pack, vector, distance, model=model, k=k, types=types, besides=f", {SORT_AGAIN}")
        if not found:
            cursor.execute(f"SELECT {SORT_AGAIN}")
    return found


def compare_all(
    pack: UUID, vector: NDArray[np.float32], *, model: str, k: int, types: list[str] | None = None
) -> list[PackHit]:
    """Return the `k` nearest, exactly: ordered by a distance that no index is of, so that every vector is compared."""
    return _run(pack, vector, "v.embedding <=> (SELECT vector FROM asked)", model=model, k=k, types=types)


def _run(
    pack: UUID,
    vector: NDArray[np.float32],
    distance: str,
    *,
    model: str,
    k: int,
    types: list[str] | None,
    besides: str = "",
) -> list[PackHit]:
    of_types, are_types = ("", "") if types is None else (OF_TYPES, ARE_TYPES)
    statement = FIND.format(distance=distance, of_types=of_types, are_types=are_types, besides=besides)
    asked: dict[str, Any] = {
        "vector": str(np.asarray(vector, np.float32).tolist()),
        "dimension": len(vector),
        "pack": pack,
        "model": model,
        "types": types,
        "k": k,
    }
    with connection.cursor() as cursor:
        cursor.execute(statement, asked)
        found = [
            PackHit(pack, position, path, kind, float(cosine))
            for position, path, kind, cosine, *_ in cursor.fetchall()
        ]
    return sorted(found, key=lambda node: (-node.cosine, node.position))
