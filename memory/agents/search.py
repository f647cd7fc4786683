"""Finding what an agent knows: meaning and words of its own nodes and of the packs it reads, on one scale."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from companion_site.accounts.access import Access
from companion_site.embeddings.service import get_embedder
from memory.agents import mounts
from memory.agents.mounts import LentNode
from memory.agents.params import SEARCH
from memory.agents.question import Question, ask
from memory.agents.workingset import AgentWorkingSet, held_nodes, open_memory
from memory.algorithms.activation import TYPE_CODE
from memory.algorithms.scaling import standardise
from memory.models import Pack
from memory.nodes import clean_tags
from memory.packs.exporter import Selection

OWN = "own"


@dataclass(frozen=True)
class Found:
    """One node that answers a question.

    Attributes:
        score: 0 to 1, of use for the order alone.
        source: "own", or the key of the pack that lends it.
    """

    node: dict[str, Any]
    score: float
    source: str


@dataclass(frozen=True)
class Hit:
    """A node that a search found: a row of the agent's own, or where a pack lends it. `score`: 0 to 1, for the order alone."""

    at: int | LentNode
    score: float


def search_memory(
    access: Access,
    query: str,
    *,
    k: int = SEARCH.limit,
    types: Sequence[str] | None = None,
    tags: Sequence[str] | None = None,
) -> list[Found]:
    """Return the nodes that answer a question, best first; a pack's is none where the agent has one of its path itself.

    Args:
        types, tags: keep nodes of one of these types, with one of these tags; None or none: of any.

    Raises:
        NodeInvalid: the question says nothing.
    """
    kinds, wanted = frozenset(types or ()), frozenset(clean_tags(tags))
    question = ask(query, embedder=get_embedder())
    with open_memory(access) as held:
        packs = mounts.mounted_packs(held)
        hits = find_hits(held, packs, question, k=k, types=kinds, tags=wanted, without=held.row_of)
        return _present(held, packs, hits)


def find_hits(
    held: AgentWorkingSet,
    packs: Sequence[Pack],
    question: Question,
    *,
    k: int,
    types: Collection[str] = (),
    tags: Collection[str] = (),
    without: Collection[str] = (),
    measured: tuple[np.ndarray, np.ndarray] | None = None,
) -> list[Hit]:
    """Return the `k` nodes that answer a question best, own and lent; the caller holds the working set's lock.

    A node that has no word of the question needs a calibrated similarity of `SEARCH.min_similarity`.

    Args:
        without: paths of which packs' nodes are left out.
        measured: what `measure_own` returned, where that is known.
    """
    cosine, lexical = measured or measure_own(held, question)
    rows = _best_own(held, cosine, lexical, k=k, types=types, tags=tags)
    borrowed = mounts.search_lent(packs, question, k=k, types=types, tags=tags)
    hits = [hit for hit in borrowed if hit.path not in without]
    cosines = np.concatenate([cosine[rows], [hit.cosine for hit in hits]])
    words = np.concatenate([lexical[rows], [hit.lexical for hit in hits]])
    fits = (words > 0) | (question.calibration.similarity(cosines) >= SEARCH.min_similarity)
    score = 1 / (1 + np.exp(-(standardise(cosines) + standardise(words))))
    order = np.argsort(-score, kind="stable")
    places = [*rows.tolist(), *(hit.at for hit in hits)]
    return [Hit(places[at], float(score[at])) for at in order[fits[order]][:k]]


def measure_own(held: AgentWorkingSet, question: Question) -> tuple[np.ndarray, np.ndarray]:
    """Return (n,) cosine and (n,) words of every row with a question, on the scales of `mounts.search_lent`."""
    cosine = held.vectors @ question.vector
    words = held.lexical.contributions(question.terms, most=SEARCH.most_terms).sum(axis=0)
    return cosine, words / (np.log1p(len(held.row_of)) or 1.0)


def _present(held: AgentWorkingSet, packs: Sequence[Pack], hits: Sequence[Hit]) -> list[Found]:
    """Return hits with their nodes, in the order given; what went with its pack meanwhile is left out."""
    own = [hit.at for hit in hits if isinstance(hit.at, int)]
    nodes: dict[int | LentNode, dict[str, Any]] = dict(zip(own, held_nodes(held, own), strict=True))
    lent = mounts.load_lent([hit.at for hit in hits if not isinstance(hit.at, int)])
    nodes |= {at: dict(found.node) for at, found in lent.items()}
    keys = mounts.keys_of(packs)
    return [
        Found(nodes[hit.at], round(hit.score, 6), OWN if isinstance(hit.at, int) else keys[hit.at[0]])
        for hit in hits
        if hit.at in nodes
    ]


def _best_own(
    held: AgentWorkingSet,
    cosine: np.ndarray,
    lexical: np.ndarray,
    *,
    k: int,
    types: Collection[str],
    tags: Collection[str],
) -> np.ndarray:
    """Return the rows that answer best by both signals, at most `k`."""
    rows = np.flatnonzero(held.numbers["alive"])
    if types:
        rows = rows[np.isin(held.numbers["type"][rows], [TYPE_CODE[name] for name in types])]
    if tags:
        wanted = [number for number, own in enumerate(held.tag_sets) if not own.isdisjoint(tags)]
        rows = rows[np.isin(held.numbers["tags"][rows], wanted)]
    score = standardise(cosine[rows]) + standardise(lexical[rows])
    if len(rows) > k:
        # What is no better than the k-th is dropped before the sort; equals stay, so that ties end the same way.
        kept = score >= np.partition(score, len(score) - k)[len(score) - k]
        rows, score = rows[kept], score[kept]
    return np.asarray(rows[np.argsort(-score, kind="stable")][:k])


def select_rows(held: AgentWorkingSet, wanted: Selection) -> list[int]:
    """Return the rows of the agent's own nodes that are among those selected."""
    return [row for row in sorted(held.row_of.values()) if wanted.takes(held.contents[row])]


def nodes_of(access: Access, paths: Sequence[str]) -> list[Found]:
    """Return the nodes of these paths that there are, the agent's own before those of its packs, in the order asked."""
    with open_memory(access) as held:
        packs = mounts.mounted_packs(held)
        lent = mounts.nodes_of_paths(packs, {path for path in paths if path not in held.row_of})
        places: dict[str, int | LentNode] = {**lent, **held.row_of}
        return _present(
            held, packs, [Hit(places[path], 0.0) for path in dict.fromkeys(paths) if path in places]
        )
