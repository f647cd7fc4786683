"""What can be told of a new fact: the same, a contradiction, or news, about what, and by what it was found."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from enum import Enum
from math import log
from uuid import UUID

import numpy as np
from numpy.typing import NDArray

from companion_site.embeddings.protocol import Embedder
from companion_site.language import as_language
from memory.algorithms.difference import values_differ
from memory.company.facts import HeldFact, NewFact, fingerprint
from memory.company.reconcile.model import MOST_PAIRS, Ask, Judgement
from memory.company.retrieval.relevance import shared_bits
from memory.reconcile import NO_CHANGE, Change, Effect, read_changes

Vectors = NDArray[np.float32]
OPEN_ITEM = "unresolved"
#: No word tells more.
MOST_BITS = 25.0


class Relation(Enum):
    SAME = "same"
    CONTRADICTS = "contradicts"
    DOUBTS = "doubts"
    DIFFERENT = "different"


class FoundBy(Enum):
    """What told: the same words, the reader that finds the same or a change, or a model."""

    WORDS = "words"
    MEANING = "meaning"
    READER = "reader"
    MODEL = "model"


@dataclass(frozen=True, kw_only=True)
class Discerned:
    """What one new fact is to what is believed.

    Attributes:
        about: the held fact, or the place of another new one before it; None where it is different from all.
        is_later: that the new one was said after, or together with, the one it is about.
        resolved: that of the two the one said earlier is an open item, which the other settles.
        reason: a word for what differs, for the row and the auditor.
        doubt: how likely the later one takes the earlier one's place, where that is in doubt.
        also: what else it is the same as, contradicts or puts in doubt, the surest first.
    """

    relation: Relation
    about: UUID | int | None = None
    is_later: bool = True
    resolved: bool = False
    found_by: FoundBy | None = None
    reason: str = ""
    similarity: float = 0.0
    doubt: float = 0.0
    also: tuple["Discerned", ...] = ()


NEWS = Discerned(relation=Relation.DIFFERENT)


@dataclass(frozen=True, slots=True, kw_only=True)
class DiscerningParams:
    """Bounds, as calibrated similarities.

    Attributes:
        near: from which two facts are compared; across languages contradictions lie low.
        neighbours: of each new fact that are compared.
        most_read: of each new fact's neighbours, the nearest, that the reader judges: each costs embeddings.
        asked: from which a model is asked about what the reader leaves open.
        doubts: from which the earlier of two facts is in doubt: the log-odds of the head from `least_chance` on, and for nearness and
            the most telling word in common so much each. By the head alone from .5 .643 of what was corrected is answered in
            `bench.lifecycle`, with both .786; from 12.5 two years' dividends are two facts.
        settles: chances of "the same" and "replaces" together from which a fact that is not open settles an open item.
    """

    near: float = 0.15
    neighbours: int = 16
    most_read: int = 4
    asked: float = 0.5
    doubts: float = 12.5
    nearness: float = 10.0
    wording: float = 8.0
    least_chance: float = 0.15
    settles: float = 0.8


DISCERNING = DiscerningParams()


@dataclass(frozen=True, kw_only=True)
class _Known:
    """A fact to compare with: a held one, or a new one before."""

    name: UUID | int
    content: str
    language: str
    is_open: bool
    print: str
    said_at: datetime


@dataclass(frozen=True, kw_only=True)
class _Pair:
    """A new fact and one that it is compared with.

    Attributes:
        place: of the new fact.
        is_later: that the new one was said after the known one, or together with it.
        is_at_once: that both were said in one message.
    """

    place: int
    known: _Known
    earlier: _Known
    later: _Known
    is_later: bool
    is_at_once: bool
    is_same_words: bool
    similarity: float
    change: Change = NO_CHANGE


def discern(
    new: Sequence[NewFact],
    new_vectors: Vectors,
    held: Sequence[HeldFact],
    *,
    embedder: Embedder,
    ask: Ask | None = None,
    params: DiscerningParams = DISCERNING,
) -> list[Discerned]:
    """Return for each new fact, in order, what it is to the held ones and to the new ones before it.

    Args:
        new_vectors: (n, d) float32 unit rows.
        held: with vectors of the same model.
        ask: a model's judgement of pairs, asked once for all; None: only the reader decides.
    """
    if not new:
        return []
    known = [*(_as_known(fact.id, fact) for fact in held), *(_as_known(*one) for one in enumerate(new))]
    near = _similarities(new_vectors, held, embedder)
    pairs = [
        _pair(place, known[len(held) + place], known[row], float(near[place, row]))
        for place in range(len(new))
        for row in _neighbours(near[place, : len(held) + place], known, known[len(held) + place], params)
    ]
    pairs = _read(pairs, embedder, params)
    judged = _ask(pairs, ask, params)
    found: list[list[Discerned]] = [[] for _ in new]
    for number, pair in enumerate(pairs):
        finding = _judge(pair, judged.get(number), params)
        if finding.relation is not Relation.DIFFERENT:
            found[pair.place].append(finding)
    return [_join(findings) for findings in found]


def _as_known(name: UUID | int, fact: HeldFact | NewFact) -> _Known:
    return _Known(
        name=name,
        content=fact.content,
        language=fact.language,
        is_open=fact.category == OPEN_ITEM,
        print=fingerprint(fact.content),
        said_at=fact.said_at,
    )


def _similarities(new_vectors: Vectors, held: Sequence[HeldFact], embedder: Embedder) -> NDArray[np.float64]:
    """Return (n, held + n) calibrated similarities; what is not a number is nothing alike."""
    rows = [*(fact.vector for fact in held), *new_vectors]
    cosines = np.nan_to_num(np.asarray(new_vectors)) @ np.nan_to_num(np.asarray(rows)).T
    return np.nan_to_num(embedder.calibration.similarity(cosines))


def _neighbours(
    similarities: NDArray[np.float64], known: Sequence[_Known], new: _Known, params: DiscerningParams
) -> list[int]:
    """Return the rows to compare with, nearest first; the same words always."""
    nearest = np.argsort(-similarities, kind="stable")[: params.neighbours]
    rows = [int(row) for row in nearest if similarities[row] >= params.near]
    same = [row for row in range(len(similarities)) if known[row].print == new.print]
    return list(dict.fromkeys([*same, *rows]))


def _pair(place: int, new: _Known, known: _Known, similarity: float) -> _Pair:
    is_later = new.said_at >= known.said_at
    earlier, later = (known, new) if is_later else (new, known)
    return _Pair(
        place=place,
        known=known,
        earlier=earlier,
        later=later,
        is_later=is_later,
        is_at_once=new.said_at == known.said_at,
        is_same_words=new.print == known.print,
        similarity=similarity,
    )


def _read(pairs: Sequence[_Pair], embedder: Embedder, params: DiscerningParams) -> list[_Pair]:
    """Return the pairs with the reader's judgement of each new fact's nearest."""
    by_place: dict[int, list[int]] = {}
    for number, pair in enumerate(pairs):
        by_place.setdefault(pair.place, []).append(number)
    read = [
        number
        for numbers in by_place.values()
        for number in sorted(numbers, key=lambda number: -pairs[number].similarity)[: params.most_read]
    ]
    changes = read_changes(
        [(pairs[number].earlier.content, pairs[number].later.content) for number in read],
        [pairs[number].similarity for number in read],
        embedder=embedder,
        is_company=True,
    )
    told = dict(zip(read, changes, strict=True))
    return [_with_change(pair, told.get(number, NO_CHANGE)) for number, pair in enumerate(pairs)]


def _with_change(pair: _Pair, change: Change) -> _Pair:
    """Return a pair as it is judged; what was said at once puts nothing in doubt."""
    if pair.is_same_words:
        return replace(pair, change=Change(Effect.SAME))
    is_moot = pair.is_at_once and change.effect in {Effect.DOUBTS, Effect.NONE}
    return pair if is_moot else replace(pair, change=change)


def _weigh_doubt(pair: _Pair, params: DiscerningParams) -> float:
    """Return how much speaks for the later fact's taking the earlier one's place; nothing where the reader hardly thinks so."""
    chance = min(pair.change.chance, 1 - params.least_chance)
    if chance < params.least_chance:
        return 0.0
    told = [(pair.earlier.content, pair.earlier.language)]
    (bits,) = shared_bits(pair.later.content, as_language(pair.later.language), told, compounds=True)
    shared = min(bits, MOST_BITS) / MOST_BITS
    return log(chance / (1 - chance)) + params.nearness * pair.similarity + params.wording * shared


def _ask(pairs: Sequence[_Pair], ask: Ask | None, params: DiscerningParams) -> Mapping[int, Judgement]:
    """Return a model's judgements by the pair's number: of what would be retired, and of what is near and left open."""
    if ask is None:
        return {}
    doubtful = [
        (pair.change.effect is not Effect.REPLACES, -pair.similarity, number)
        for number, pair in enumerate(pairs)
        if pair.change.effect is Effect.REPLACES
        or (pair.change.effect is not Effect.SAME and pair.similarity >= params.asked)
    ]
    asked = [number for *_, number in sorted(doubtful)[:MOST_PAIRS]]
    texts = [(pairs[number].earlier.content, pairs[number].later.content) for number in asked]
    answers = ask(texts) if texts else {}
    return {asked[place]: verdict for place, verdict in answers.items() if 0 <= place < len(asked)}


def _judge(pair: _Pair, model: Judgement | None, params: DiscerningParams) -> Discerned:
    """Return the finding of a pair: values stop a model's `same`, a model stops what the reader finds.

    What takes an open item's place settles it.
    """
    effect = Effect.REPLACES if _settles(pair, params) else pair.change.effect
    if effect is Effect.SAME:
        return _found(pair, Relation.SAME, FoundBy.WORDS if pair.is_same_words else FoundBy.MEANING)
    if model == "same" and not values_differ(pair.earlier.content, pair.later.content):
        return _found(pair, Relation.SAME, FoundBy.MODEL)
    if model in ("contradicts", "settles"):
        resolved = pair.earlier.is_open and (model == "settles" or effect is Effect.REPLACES)
        return replace(_found(pair, Relation.CONTRADICTS, FoundBy.MODEL), resolved=resolved)
    if model is None and effect is Effect.REPLACES:
        return replace(_found(pair, Relation.CONTRADICTS, FoundBy.READER), resolved=pair.earlier.is_open)
    if model is None and (doubt := _weigh_doubt(pair, params)) >= params.doubts:
        return replace(_found(pair, Relation.DOUBTS, FoundBy.READER), doubt=doubt)
    return NEWS


def _settles(pair: _Pair, params: DiscerningParams) -> bool:
    """Tell whether the later fact decides or does what the earlier one left open: it says the same, or takes its place."""
    is_answered = pair.earlier.is_open and not pair.later.is_open and not pair.is_same_words
    return is_answered and pair.change.chance + pair.change.same >= params.settles


def _found(pair: _Pair, relation: Relation, found_by: FoundBy) -> Discerned:
    return Discerned(
        relation=relation,
        about=pair.known.name,
        is_later=pair.is_later,
        found_by=found_by,
        reason=found_by.value,
        similarity=pair.similarity,
    )


def _join(findings: Sequence[Discerned]) -> Discerned:
    """Return the surest finding with the others behind it: the same, then a contradiction, then a doubt; of each the nearest."""
    if not findings:
        return NEWS
    order = {FoundBy.WORDS: 0, FoundBy.MEANING: 1, FoundBy.MODEL: 2, FoundBy.READER: 3}
    first, *others = sorted(
        findings,
        key=lambda one: (
            one.relation is not Relation.SAME, order[one.found_by or FoundBy.MODEL], -one.doubt, -one.similarity,
        ),
    )  # fmt: skip
    return replace(first, also=tuple(others))
