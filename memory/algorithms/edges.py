"""Typed edges among the statements of one message, and from them to what the space holds already.

Nothing here decides that two statements say the same thing: embedders place a contradiction nearer than a paraphrase,
so an edge of agreement (`SUPPORTS`, `REFINES`) is only drawn where polarity, valence and numbers do not differ.
"""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from memory.algorithms.difference import differ_in_value, is_negated, read_words


@dataclass(frozen=True, slots=True)
class Edge:
    """A suggested edge; `source` and `target` are positions, `weight` lies in 0..1."""

    source: int
    target: int
    kind: str
    weight: float


@dataclass(frozen=True, slots=True)
class LinkParams:
    """Weights and bounds of edges.

    Attributes:
        related: calibrated similarity from which statements of one message are related. Of 21 neighbours that share no telling word 8 of 10
            above it joined what is about one matter, and 5 of 11 below.
        related_apart: the same for statements of two messages. Likeness says little there: of 47 such edges of a long talk between
            .7 and .9, drawn at random, 6 joined what is about one matter, no more near .9 than near .7.
        supporting: similarity from which they may support or refine each other.
        stated_weight: weight of an edge the person put into words ("because").
        ordered_weight: weight of an edge read from order alone; .5 is the least that context building follows.
        named_weight: least weight of an edge to whom something reminds of.
        telling_bits: a word that two statements share ties them from so much information on; "week" has 11.4, "park" 12.8.
        most_edges: edges one statement may get to existing memories.
    """

    related: float = 0.7
    related_apart: float = 0.9
    supporting: float = 0.9
    stated_weight: float = 0.9
    ordered_weight: float = 0.6
    named_weight: float = 0.6
    telling_bits: float = 12.0
    most_edges: int = 8


LINKS = LinkParams()
LONGEST_ABSTRACT = 400
# Position of an abstract parent, which is not among its statements.
PARENT = -1

_BECAUSE_GAP = re.compile(r"\b(?:because|since|eftersom|därför att)\s*$", re.IGNORECASE)
_BECAUSE = re.compile(r"(?:because|eftersom|därför att)\b", re.IGNORECASE)
_THEREFORE_GAP = re.compile(r"(?:^|[\s,])(?:so|så)\s*$", re.IGNORECASE)
_THEREFORE = re.compile(
    r"(?:therefore|that(?:['\u2019]s| is) why|because of that|därför(?! att)|det är därför|på grund av det)\b",
    re.IGNORECASE,
)
_ENABLES_GAP = re.compile(r"\b(?:so that|så att|which means(?: that)?|vilket gör att)\s*$", re.IGNORECASE)
_ENABLES = re.compile(
    r"(?:thanks to (?:that|this|it)|so now (?:i|we) can|that is how (?:i|we) can|tack vare det|så nu kan (?:jag|vi)|därmed kan (?:jag|vi))\b",
    re.IGNORECASE,
)
_REMINDS = re.compile(
    r"\b(?:reminds? me of|makes? me think of|takes? me back to|påminner (?:mig )?om|får mig att tänka på)\b",
    re.IGNORECASE,
)
_POINTS_BACK = re.compile(r"(?:that|it|this|which|det|den|vilket)\b", re.IGNORECASE)
_WORD = re.compile(r"[^\W_]+(?:['\u2019][^\W_]+)?")
_FOR_EXAMPLE = re.compile(
    r"(?:for example|for instance|i mean|specifically|till exempel|t\.ex\.|alltså)", re.IGNORECASE
)


def link_statements(
    modalities: Sequence[str],
    texts: Sequence[str],
    similarities: NDArray[np.float64],
    *,
    tied: NDArray[np.bool_],
    gaps: Sequence[str],
    valences: NDArray[np.float64],
) -> list[Edge]:
    """Suggest edges among the statements of one message.

    Neighbours in the message get one edge where the person's words or their kinds say which, or where they are tied or alike; statements
    further apart where they are tied and alike. What supports or refines another needs no tie.

    Args:
        modalities: n modalities, in the order of the message.
        texts: the n statements.
        similarities: (n, n) calibrated similarity, 0..1.
        tied: (n, n) whether two share something, or the later leans on the one before it.
        gaps: what the message says between each statement and the one before it (", because").
        valences: (n,) -1..1.

    Returns:
        At most one edge for each pair; source and target are positions in `texts`.
    """
    edges = []
    for i, j in ((before, after) for after in range(1, len(texts)) for before in range(after)):
        edge = None
        weight = float(similarities[i, j])
        if j - i == 1:
            edge = _link_stated(i, j, texts[j], gaps[j])
            weight = max(weight, LINKS.ordered_weight)
            edge = edge or _link_by_kind(i, j, modalities, weight)
        if edge is None and (weight >= LINKS.related or (j - i == 1 and tied[i, j])):
            edge = _link_alike(i, j, texts, weight, float(valences[i] * valences[j]))
            edge = edge if j - i == 1 or tied[i, j] or edge.kind != "RELATES_TO" else None
        if edge is not None:
            edges.append(edge)
    return edges


def _link_stated(i: int, j: int, text: str, gap: str) -> Edge | None:
    """Return the edge that the person put into words between two neighbouring statements."""
    if _BECAUSE_GAP.search(gap) or _BECAUSE.match(text):
        return Edge(j, i, "CAUSES", LINKS.stated_weight)
    if _THEREFORE_GAP.search(gap) or _THEREFORE.match(text):
        return Edge(i, j, "CAUSES", LINKS.stated_weight)
    if _ENABLES_GAP.search(gap) or _ENABLES.match(text):
        return Edge(i, j, "ENABLES", LINKS.stated_weight)
    if _REMINDS.search(text) and _POINTS_BACK.match(text):
        return Edge(i, j, "REMINDS_OF", LINKS.stated_weight)
    if _FOR_EXAMPLE.match(text):
        return Edge(j, i, "REFINES", LINKS.stated_weight)
    return None


def _link_by_kind(i: int, j: int, modalities: Sequence[str], weight: float) -> Edge | None:
    before, after = modalities[i], modalities[j]
    if after == "emotional" and before in ("episodic", "semantic"):
        return Edge(i, j, "EVOKES", weight)
    if before == "emotional" and after == "episodic":
        return Edge(j, i, "EVOKES", weight)
    if before == after == "episodic":
        return Edge(i, j, "PRECEDES", weight)
    return None


def _link_alike(i: int, j: int, texts: Sequence[str], weight: float, feeling: float) -> Edge:
    before, after = read_words(texts[i]), read_words(texts[j])
    if weight >= LINKS.supporting and feeling >= 0.0:
        if after > before and is_negated(texts[i]) == is_negated(texts[j]):
            return Edge(j, i, "REFINES", weight)
        if not differ_in_value(texts[j], texts[i]):
            return Edge(j, i, "SUPPORTS", weight)
    return Edge(i, j, "RELATES_TO", weight)


def leans_back(text: str, *, pronouns: frozenset[str], named: Iterable[int]) -> bool:
    """Tell whether a statement is about what stands before it: it begins with "it" or "that", or says "she" before it names anybody.

    Args:
        pronouns: words for others, casefolded.
        named: where in the text somebody or something is named.
    """
    if _POINTS_BACK.match(text):
        return True
    said = next((match.start() for match in _WORD.finditer(text) if match[0].casefold() in pronouns), None)
    return said is not None and all(place > said for place in named)


def link_neighbours(
    similarities: NDArray[np.float64],
    *,
    tied: NDArray[np.bool_],
    names: Sequence[frozenset[str]],
    neighbour_names: Sequence[frozenset[str]],
    texts: Sequence[str],
) -> list[Edge]:
    """Suggest edges from new statements to memories the space holds.

    What says that it reminds of something gets `REMINDS_OF` to what shares a name with it, great likeness `RELATES_TO` to what it is tied
    to. That two speak of one person, place or thing is held by whom they mention, and needs no edge between them.

    Args:
        similarities: (n, m) calibrated similarity, 0..1.
        tied: (n, m) whether two share something and tell of no two days.
        names: the names in each of n new statements.
        neighbour_names: the names in each of m memories.
        texts: the n statements.

    Returns:
        At most `most_edges` for each statement, heaviest first; source is the statement's position, target the
        memory's.
    """
    edges: list[Edge] = []
    for i, own in enumerate(names):
        reminds = _REMINDS.search(texts[i]) is not None
        found = []
        for j, others in enumerate(neighbour_names):
            similarity = float(similarities[i, j])
            if reminds and own & others:
                found.append(Edge(i, j, "REMINDS_OF", max(similarity, LINKS.named_weight)))
            elif similarity >= LINKS.related_apart and tied[i, j]:
                found.append(Edge(i, j, "RELATES_TO", similarity))
        edges += sorted(found, key=lambda edge: (-edge.weight, edge.target))[: LINKS.most_edges]
    return edges


def abstract(texts: Sequence[str], information: NDArray[np.float64]) -> str:
    """Return the text of an abstract parent: the most informative statements, word for word, in their own order.

    A statement that does not fit into `LONGEST_ABSTRACT` is left out whole, the best one is cut at a word.

    Args:
        texts: n statements.
        information: (n,) bits of each.
    """
    chosen: list[int] = []
    used = 0
    for index in np.argsort(-information, kind="stable"):
        cost = len(texts[index]) + 1
        if used + cost <= LONGEST_ABSTRACT + 1:
            chosen.append(int(index))
            used += cost
    if not chosen and texts:
        return texts[int(np.argmax(information))][: LONGEST_ABSTRACT - 1].rsplit(None, 1)[0] + "…"
    return " ".join(texts[index] for index in sorted(chosen))


def link_abstract(count: int) -> list[Edge]:
    """Return `ABSTRACTS` edges from the parent (position `PARENT`) to each of n statements."""
    return [Edge(PARENT, target, "ABSTRACTS", LINKS.stated_weight) for target in range(count)]
