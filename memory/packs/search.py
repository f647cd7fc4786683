"""Finding nodes in packs: by meaning, by words, by links. Each pack is read inside its own space, and only once it is ready.

By meaning a large pack is searched through the index of its model (HNSW), which goes on until it has found enough of *this*
pack's nodes, however large the others beside it are. Where that is not enough, and in a small pack, every vector is compared.
"""

from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Any
from uuid import UUID

import numpy as np
from django.db.models.functions import Length
from numpy.typing import NDArray

from companion_site.embeddings.service import get_embedder
from companion_site.language import as_language, tokens
from companion_site.vault.scope import space_scope
from memory.models import Pack, PackNode, PackPosting
from memory.packs.cache import PackRow, WordList, kept_of
from memory.packs.nearest import PackHit, find_nearest, read_rows

#: Of a long query the words with the shortest lists, which tell most.
MOST_WORDS = 24
#: Where types are asked for, so many of the best by words are looked at.
MOST_SIFTED = 2_000
#: Reciprocal rank fusion's constant (Cormack et al. 2009, "Reciprocal Rank Fusion outperforms Condorcet").
RANKS = 60


def search_packs(packs: Sequence[UUID], **query: Any) -> list[PackHit]:
    """Return what `search_ready` does of the packs of these spaces; one that is not ready (any more) holds nothing."""
    rows: list[Pack] = []
    for pack in packs:
        with space_scope(pack, reading=True):
            rows += Pack.objects.for_space(pack).filter(state=Pack.State.READY)
    return search_ready(rows, **query)


def search_ready(
    packs: Sequence[Pack],
    *,
    vector: NDArray[np.float32] | None,
    words: str | Sequence[str] = "",
    model: str | None = None,
    k: int = 32,
    types: Iterable[str] | None = None,
) -> list[PackHit]:
    """Return what packs hold on a query: of each pack the `k` nearest by meaning and the `k` best by words, together.

    Args:
        packs: that were found ready just now.
        vector: (d,) float32 of unit length; None, or zeros where it could not be made, searches by words alone.
        words: the query's text, read in each pack's own language; or its tokens, taken as they are.
        model: what the vector is of; this site's model where nothing is said.

    Returns:
        best first: by rank in meaning among all packs and rank in words within its own, fused (1 / (60 + rank) of both),
        since BM25 of two packs cannot be compared; of equal ones by cosine, pack and position. What has no cosine has no
        rank in meaning.
    """
    if vector is not None and not vector.any():
        vector = None
    model = model or (get_embedder().model if vector is not None else "")
    kinds = None if types is None else sorted(set(types))
    return _fuse([_search_one(pack, vector, words, model=model, k=k, types=kinds) for pack in packs])


def cosines(
    pack: UUID, positions: Sequence[int], vector: NDArray[np.float32], *, model: str
) -> NDArray[np.float32]:
    """Return (n,) the cosine of each node with a vector; 0.0 where it has none of that model, and with zeros."""
    if not vector.any():
        return np.zeros(len(positions), np.float32)
    return _compare(rows_at(pack, positions, model=model, dimension=len(vector)), vector)


def rows_at(pack: UUID, positions: Sequence[int], *, model: str, dimension: int) -> list[PackRow]:
    """Return the nodes at `positions`, each with its vector of that model if it has one. What is read is kept."""
    kept = kept_of(pack)
    found = kept.rows.find((model, dimension, position) for position in positions)
    rows = {position: row for (_, _, position), row in found.items()}
    if missing := [int(position) for position in dict.fromkeys(positions) if position not in rows]:
        with space_scope(pack, reading=True):
            read = read_rows(pack, missing, model=model, dimension=dimension)
        for position, row in read.items():
            kept.keep_row(model, position, row)
        rows |= read
    return [rows[position] for position in positions]


def defaults(pack: Pack, tags: Iterable[str]) -> list[int]:
    """Return the positions of the nodes of a ready pack that stand for a domain where a search finds too little.

    Args:
        tags: the task's; a pack of such a domain gives all its default nodes, another those with such a tag.
    """
    wanted = {tag.casefold() for tag in tags}
    with space_scope(pack.space_id, reading=True):
        rows = PackNode.objects.for_space(pack.space_id).filter(is_default=True).order_by("position")
        found = list(rows.values_list("position", "tags"))
    whole = bool(wanted & {tag.casefold() for tag in pack.domain_tags})
    return [position for position, own in found if whole or wanted & {tag.casefold() for tag in own}]


def _search_one(
    pack: Pack,
    vector: NDArray[np.float32] | None,
    words: str | Sequence[str],
    *,
    model: str,
    k: int,
    types: list[str] | None,
) -> list[PackHit]:
    space = pack.space_id
    with space_scope(space, reading=True):
        lexical = _score_words(pack, words)
        near: list[PackHit] = []
        if vector is not None:
            near = find_nearest(space, vector, model=model, k=k, types=types, nodes=pack.node_count)
        seen = {node.position for node in near}
        named = [at for at in _best(lexical, k if types is None else MOST_SIFTED) if at not in seen]
        found = near + _read(space, named, vector, model=model, k=k, types=types)
    return [replace(hit, lexical=float(lexical[hit.position])) for hit in found]


def _read(
    pack: UUID,
    positions: Sequence[int],
    vector: NDArray[np.float32] | None,
    *,
    model: str,
    k: int,
    types: list[str] | None,
) -> list[PackHit]:
    """Return the first `k` of the nodes at `positions` that are of these types, in this order."""
    query = np.zeros(0, np.float32) if vector is None else vector
    found: list[PackHit] = []
    for start in range(0, len(positions), k):
        some = positions[start : start + k]
        rows = rows_at(pack, some, model=model, dimension=len(query))
        found += [
            PackHit(pack, position, row.path, row.type, cosine)
            for position, row, cosine in zip(some, rows, _compare(rows, query).tolist(), strict=True)
            if types is None or row.type in types
        ]
        if len(found) >= k:
            break
    return found[:k]


def _compare(rows: Sequence[PackRow], vector: NDArray[np.float32]) -> NDArray[np.float32]:
    """Return (n,) the cosine of each node with a vector; 0.0 where it has none."""
    nothing = np.zeros_like(vector)
    vectors = [nothing if row.vector is None else row.vector for row in rows]
    return np.reshape(vectors, (len(rows), len(vector))) @ vector


def _fuse(found: Sequence[Sequence[PackHit]]) -> list[PackHit]:
    """Return the hits of all packs, best first."""
    every = [hit for hits in found for hit in hits]
    names = {hit.pack: str(hit.pack) for hit in every}
    score = dict.fromkeys(((hit.pack, hit.position) for hit in every), 0.0)
    for ranked in (
        sorted(
            (hit for hit in every if hit.cosine), key=lambda hit: (-hit.cosine, names[hit.pack], hit.position)
        ),
        *(
            sorted((hit for hit in hits if hit.lexical > 0), key=lambda hit: (-hit.lexical, hit.position))
            for hits in found
        ),
    ):
        for rank, hit in enumerate(ranked, 1):
            score[hit.pack, hit.position] += 1 / (RANKS + rank)
    return sorted(
        every, key=lambda hit: (-score[hit.pack, hit.position], -hit.cosine, names[hit.pack], hit.position)
    )


def _score_words(pack: Pack, words: str | Sequence[str]) -> NDArray[np.float32]:
    """Return (nodes,) BM25 of the words."""
    given = tokens(words, as_language(pack.language)) if isinstance(words, str) else list(words)
    terms = list(dict.fromkeys(given))
    if not terms:
        return np.zeros(pack.node_count, np.float32)
    lists = _lists_of(pack.space_id, terms)
    told = sorted((len(found[0]), term) for term, found in lists.items() if found is not None)
    shortest = [lists[term] for _, term in told[:MOST_WORDS]]
    return add_up([found for found in shortest if found is not None], pack.node_count)


def _lists_of(pack: UUID, terms: Sequence[str]) -> dict[str, WordList | None]:
    """Return each word's list, None where no node has it; what is read is kept. Inside the pack's scope.

    Of words that are not kept the `MOST_WORDS` with the shortest lists are read, and the others left out.
    """
    kept = kept_of(pack)
    lists = kept.words.find(terms)
    if missing := [term for term in terms if term not in lists]:
        rows = PackPosting.objects.for_space(pack).filter(term__in=missing)
        raw = rows.order_by(Length("postings"), "term").values_list("term", "postings")[:MOST_WORDS]
        read: dict[str, WordList | None] = {term: unpack_list(bytes(part)) for term, part in raw}
        if len(read) < MOST_WORDS:
            read = dict.fromkeys(missing) | read
        for term, found in read.items():
            kept.keep_word(term, found)
        lists |= read
    return lists


def _best(scores: NDArray[np.float32], k: int) -> list[int]:
    """Return the rows with a score, best first, of equal ones the lower first."""
    rows = np.flatnonzero(scores > 0)
    order = np.lexsort((rows, -scores[rows]))
    return [int(row) for row in rows[order[:k]]]


def unpack_list(raw: bytes) -> WordList:
    """Return what `memory.packs.store.pack_list` packed: (n,) positions, (n,) weights."""
    half = len(raw) // 2
    return np.frombuffer(raw, "<i4", count=half // 4), np.frombuffer(raw, "<f4", offset=half)


def add_up(lists: Sequence[WordList], nodes: int) -> NDArray[np.float32]:
    """Return (nodes,) float32: the score of each node for the words whose lists are given; 0 where none stands in it."""
    scores = np.zeros(nodes, np.float32)
    for positions, weights in lists:
        inside = positions < nodes
        scores[positions[inside]] += weights[inside]
    return scores
