"""Which nodes of a graph light up: probe, bloom, trim. Pure: arrays in, arrays out.

    score = .45 meaning + .20 edge + .15 recency + .10 usage + .07 task + .03 persona

What a search found (the probe) are the seeds; `bloom` adds what they lead to over edges; `score_activation` scores it
all by six terms of 0 to 1, which explain the score because they are all that goes into it; `trim` takes the best under
a cap for each type, so that no type crowds out the others. Two call it: the memory of agents, and the context of the
students' chat, which takes the bloom and has a relevance of its own.

What each step is worth, measured with it left out: docs/algorithms/recall.md.
"""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.sparse import csr_array

from memory.algorithms.relevance import Relevance

FloatArray = NDArray[np.float64]
IntArray = NDArray[np.int64]

#: The types of nodes; a type's code is its place here.
TYPES = ("concept", "skill", "fact", "snippet", "pattern", "episode", "tool", "persona", "task")
TYPE_CODE: Mapping[str, int] = {name: code for code, name in enumerate(TYPES)}
TERMS = ("meaning", "edge", "recency", "usage", "task", "persona")
#: What a source is thought of before anything is known: 15 of 20 times of use.
_USEFUL, _USELESS = 15.0, 5.0


@dataclass(frozen=True, kw_only=True)
class ActivationWeights:
    """The weight of each term, 1 in all. Source: row K2."""

    meaning: float = 0.45
    edge: float = 0.20
    recency: float = 0.15
    usage: float = 0.10
    task: float = 0.07
    persona: float = 0.03

    def __post_init__(self) -> None:
        values = [getattr(self, name) for name in TERMS]
        if min(values) < 0 or abs(sum(values) - 1.0) > 1e-9:
            raise ValueError("the weights of the terms must be 0 or more and add up to 1")


@dataclass(frozen=True, kw_only=True)
class ActivationParams:
    """How far activation goes, and what its terms go by. Source: row K2 and the document's section 4."""

    weights: ActivationWeights = field(default_factory=ActivationWeights)
    #: edges walked from the seeds, and how many each node may add at each of them
    hops: int = 2
    max_per_node: int = 6
    min_edge_weight: float = 0.0
    #: days until the recency of a node has halved: as gravity's (docs/algorithms/sleep.md)
    recency_half_life_days: float = 7.0
    #: uses from which more say nothing; the term grows by their logarithm
    usage_scale: int = 100
    #: nodes of each type in one context, at the most
    caps: Mapping[str, int] = field(
        default_factory=lambda: {
            "concept": 8,
            "skill": 6,
            "fact": 8,
            "snippet": 10,
            "pattern": 4,
            "episode": 8,
            "tool": 4,
            "persona": 1,
            "task": 2,
        }
    )
    #: A node whose resonance is below this leaves the working set. One that was fully activated once stays for 148
    #: ticks at the usual decay of .98.
    epsilon: float = 0.05
    #: nodes in the working set: fewer than 800
    most_in_working_set: int = 799

    def __post_init__(self) -> None:
        if self.recency_half_life_days <= 0 or self.usage_scale < 1:
            raise ValueError("the half-life must be positive and the scale of usage 1 or more")
        if unknown := set(self.caps) - set(TYPES):
            raise ValueError(f"no such types: {sorted(unknown)}")

    def caps_by_code(self) -> IntArray:
        """Return the cap of each type by its code; a type that is not named has none to give."""
        return np.array([self.caps.get(name, 0) for name in TYPES], np.int64)


ACTIVATION = ActivationParams()
#: what is left of a node's resonance a tick later, and what a link weighs, where they do not say
DECAY, LINK_WEIGHT = 0.98, 0.5


@dataclass(frozen=True)
class Bloom:
    """What the seeds lead to, themselves included.

    Attributes:
        rows: (m,) ascending.
        hops: (m,) 0 for a seed.
        edge: (m,) float64, the greatest weight of an edge to the row from one with fewer hops; 1 for a seed.
    """

    rows: IntArray
    hops: IntArray
    edge: FloatArray

    def __len__(self) -> int:
        return len(self.rows)


def bloom(
    adjacency: csr_array,
    seeds: Iterable[int] | IntArray,
    *,
    hops: int = ACTIVATION.hops,
    max_per_node: int | None = ACTIVATION.max_per_node,
    min_weight: float = ACTIVATION.min_edge_weight,
) -> Bloom:
    """Return the rows within `hops` edges of the seeds. The order of the seeds does not matter.

    At each hop every row reached at the one before adds its heaviest neighbours that are not reached yet (of equal
    weight the lower row), all at the same time.

    Args:
        adjacency: (n, n) weights, 0 to 1; row i holds the edges that lead from i. To walk both ways give both.
        seeds: rows; one that is given twice counts once.
        max_per_node: how many each row adds at the most; None: all.
        min_weight: edges lighter than this are not walked, nor are those of no weight.

    Raises:
        ValueError: a seed is no row, or a bound is negative.
    """
    count = adjacency.shape[0]
    rows = np.asarray(seeds if isinstance(seeds, np.ndarray) else [*seeds], np.int64)
    if len(rows) and not 0 <= rows.min() <= rows.max() < count:
        raise ValueError("a seed is no row of the graph")
    if hops < 0 or (max_per_node is not None and max_per_node < 0):
        raise ValueError("neither hops nor max_per_node may be negative")
    graph = adjacency if adjacency.has_sorted_indices else adjacency.sorted_indices()
    edge, distance = np.zeros(count), np.full(count, -1, np.int32)
    frontier = _once(rows, count)
    edge[frontier], distance[frontier] = 1.0, 0
    for hop in range(1, hops + 1):
        source, target, weight = edges_from(graph, frontier)
        fresh = np.flatnonzero((weight > 0) & (weight >= min_weight) & (distance[target] < 0))
        source, target, weight = source[fresh], target[fresh], weight[fresh]
        np.maximum.at(edge, target, weight)
        frontier = _once(target[_heaviest(source, weight, most=max_per_node)], count)
        distance[frontier] = hop
    reached = np.flatnonzero(distance >= 0)
    return Bloom(reached, distance[reached].astype(np.int64), edge[reached])


def _once(rows: IntArray, count: int) -> IntArray:
    """Return the rows, each once, ascending. Marking them among `count` costs less than sorting does."""
    among = np.zeros(count, np.bool_)
    among[rows] = True
    return np.flatnonzero(among)


def edges_from(adjacency: csr_array, rows: IntArray) -> tuple[IntArray, IntArray, FloatArray]:
    """Return source, target and weight of all edges that lead from `rows`, in the order of both."""
    starts = adjacency.indptr[rows].astype(np.int64)
    sizes = adjacency.indptr[rows + 1] - starts
    at = np.arange(int(sizes.sum())) + np.repeat(starts - (np.cumsum(sizes) - sizes), sizes)
    return (
        np.repeat(rows, sizes),
        adjacency.indices[at].astype(np.int64),
        adjacency.data[at].astype(np.float64),
    )


def _heaviest(source: IntArray, weight: FloatArray, *, most: int | None) -> IntArray:
    """Return the positions of the `most` heaviest edges of each source; of equal weight those to the lower row.

    Args:
        source: (e,) ascending; the edges of one source in the order of their targets.
    """
    if most is None or not len(source):
        return np.arange(len(source))
    starts = np.concatenate([[0], np.flatnonzero(source[1:] != source[:-1]) + 1])
    sizes = np.diff(np.concatenate([starts, [len(source)]]))
    if sizes.max() <= most:
        return np.arange(len(source))
    # One stable sort keeps the sources apart: a weight moves an edge by less than one source's place.
    group = np.repeat(np.arange(len(starts)), sizes)
    order = np.argsort(group - weight / (2.0 * max(1.0, float(weight.max()))), kind="stable")
    kept: IntArray = order[np.arange(len(source)) - np.repeat(starts, sizes) < most]
    return kept


def score_activation(
    *,
    cosine: ArrayLike,
    edge: ArrayLike,
    age_days: ArrayLike,
    uses: ArrayLike,
    task_affinity: ArrayLike,
    persona: ArrayLike,
    params: ActivationParams = ACTIVATION,
) -> Relevance:
    """Return the score of m nodes and the six terms that it is the weighted sum of.

    Args:
        cosine: (m,) of node and query, -1 to 1; below 0 counts as 0. Where all vectors of a model are alike, give the
            cosine without what they share (`memory.algorithms.isotropy`), or the term tells nothing apart.
        edge: (m,) greatest weight of an edge to the frontier, 0 to 1 (`Bloom.edge`).
        age_days: (m,) since a node was last used; nan: it never was.
        uses: (m,) how often it was used, 0 or more.
        task_affinity, persona: (m,) 0 to 1 (`share_of_tags`).

    Raises:
        ValueError: the terms have different lengths.
    """
    given = {
        "meaning": np.asarray(cosine, np.float64),
        "edge": np.asarray(edge, np.float64),
        "recency": recency_term(age_days, half_life_days=params.recency_half_life_days),
        "usage": usage_term(uses, scale=params.usage_scale),
        "task": np.asarray(task_affinity, np.float64),
        "persona": np.asarray(persona, np.float64),
    }
    if len({values.shape for values in given.values()}) != 1:
        raise ValueError("every term needs one value for each node")
    clipped = np.clip(np.nan_to_num(np.stack(list(given.values()))), 0.0, 1.0)
    terms = dict(zip(given, clipped, strict=True))
    weights = {name: float(getattr(params.weights, name)) for name in TERMS}
    score = np.zeros(len(terms["meaning"]))
    for name in TERMS:
        score += weights[name] * terms[name]
    return Relevance(np.clip(score, 0.0, 1.0), terms, weights)


def recency_term(age_days: ArrayLike, *, half_life_days: float) -> FloatArray:
    """Return (m,) 1 for what was used just now, half as much after each half-life, 0 for what never was (nan)."""
    age = np.maximum(np.asarray(age_days, np.float64), 0.0)
    return np.asarray(np.nan_to_num(np.exp2(-age / half_life_days)), np.float64)


def usage_term(uses: ArrayLike, *, scale: int) -> FloatArray:
    """Return (m,) `ln(1 + uses) / ln(1 + scale)`, at most 1: the first uses say more than the hundredth."""
    counted = np.clip(np.asarray(uses, np.float64), 0, scale)
    return np.asarray(np.log1p(counted) / np.log1p(scale), np.float64)


def share_of_tags(carried: Sequence[Collection[str]], wanted: Collection[str]) -> FloatArray:
    """Return (m,) the share of the `wanted` tags (a task's, a persona's) that each node carries; 0 where none is."""
    tags = frozenset(wanted)
    if not tags:
        return np.zeros(len(carried))
    return np.array([len(tags.intersection(own)) for own in carried], np.float64) / len(tags)


def source_weight(shown: ArrayLike, helped: ArrayLike) -> FloatArray:
    """Return (s,) what the scores of a source's nodes are multiplied by, .5 to 1.

    `min(1, .5 + m)` with m the mean of Beta(15 + helped, 5 + shown - helped): a source keeps its whole weight until it
    was shown ten times without use, and loses half of it in the end.

    Args:
        shown: (s,) how often a node of the source was in a context with a known outcome.
        helped: (s,) how often that outcome was good; more than shown counts as shown.
    """
    seen = np.maximum(np.asarray(shown, np.float64), 0.0)
    useful = np.clip(np.asarray(helped, np.float64), 0.0, seen)
    mean = (_USEFUL + useful) / (_USEFUL + _USELESS + seen)
    return np.asarray(np.minimum(1.0, 0.5 + mean), np.float64)


def resonate(value: ArrayLike, decay: ArrayLike, ticks: ArrayLike) -> FloatArray:
    """Return (n,) resonance after `ticks` more contexts were built: `value * decay ** ticks`.

    Nothing multiplies a stored value at each tick: it is kept with the tick it was noted at, and worked out where it
    is read. Ticks below 0 count as 0.
    """
    passed = np.maximum(np.asarray(ticks, np.float64), 0.0)
    return np.asarray(np.asarray(value, np.float64) * np.asarray(decay, np.float64) ** passed, np.float64)


def raise_resonance(value_now: ArrayLike, score: ArrayLike) -> FloatArray:
    """Return (n,) the resonance to store for nodes activated by `score`: that share of the way from now to 1.

    It never falls by it, never passes 1, and the order of nodes activated alike is kept.

    Args:
        value_now: (n,) as `resonate` gives it for this tick, 0 to 1.
        score: (n,) 0 to 1.
    """
    present = np.asarray(value_now, np.float64)
    # Each step keeps the order in floating point, too, which "present + score * (1 - present)" does not.
    lifted = 1.0 - (1.0 - np.clip(np.asarray(score, np.float64), 0.0, 1.0)) * (1.0 - present)
    return np.asarray(np.maximum(lifted, present), np.float64)


def stay_resonant(resonance: ArrayLike, *, params: ActivationParams = ACTIVATION) -> IntArray:
    """Return the rows that stay in the working set, strongest first: `epsilon` and above, below the bound on their number.

    Args:
        resonance: (n,) as `resonate` gives it for this tick. Equal ones stay by the lower row.
    """
    present = np.asarray(resonance, np.float64)
    order = np.argsort(-present, kind="stable")
    return order[present[order] >= params.epsilon][: params.most_in_working_set]


def trim(
    score: ArrayLike,
    type_codes: ArrayLike,
    *,
    caps: ArrayLike | None = None,
    most: int | None = None,
) -> IntArray:
    """Return the positions of the best, best first: under the cap of each type and `most` in all.

    Equal scores go to the lower position. A score of -inf or nan is never taken.

    Args:
        score: (m,).
        type_codes: (m,) places in `TYPES`.
        caps: (t,) how many of each type at the most, by code; those of `ACTIVATION` if left out.

    Raises:
        ValueError: a cap or `most` is negative, a code has no cap, or the lengths differ.
    """
    values, codes = np.asarray(score, np.float64), np.asarray(type_codes, np.int64)
    bounds = ACTIVATION.caps_by_code() if caps is None else np.asarray(caps, np.int64)
    if values.shape != codes.shape or (len(codes) and not 0 <= codes.min() <= codes.max() < len(bounds)):
        raise ValueError("every score needs the code of a type that has a cap")
    if (bounds < 0).any() or (most is not None and most < 0):
        raise ValueError("a cap may not be negative")
    worth = np.where(np.isnan(values), -np.inf, values)
    order = np.argsort(-worth, kind="stable")
    order = order[worth[order] > -np.inf]
    kept: IntArray = order[_places(codes[order], len(bounds)) < bounds[codes[order]]][:most]
    return kept


def _places(codes: IntArray, types: int) -> IntArray:
    """Return (m,) how many of the same code stand before each."""
    sizes = np.bincount(codes, minlength=types)
    places = np.empty(len(codes), np.int64)
    places[np.argsort(codes, kind="stable")] = np.arange(len(codes)) - np.repeat(
        np.cumsum(sizes) - sizes, sizes
    )
    return places
