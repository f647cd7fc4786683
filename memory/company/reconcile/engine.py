"""Telling of each new fact whether it is believed already, takes the place of one that is, or is news.

Part of the thinking step: it may ask a model, and so never runs inside a transaction. Measured:
docs/algorithms/company.md.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from math import log
from uuid import UUID

import numpy as np
from numpy.typing import NDArray

from companion_site.embeddings.protocol import Embedder
from companion_site.language import as_language
from memory.algorithms.values import (
    DEFAULT_FACT_PARAMS,
    Comparison,
    Fact,
    FactParams,
    Verdict,
    compare_facts,
    never_same,
)
from memory.algorithms.values.business.verdicts import RESOLVED
from memory.company.facts import HeldFact, NewFact, fingerprint
from memory.company.reconcile.findings import NEWS, Discerned, FoundBy, Relation
from memory.company.reconcile.prompts import MOST_PAIRS, Ask, Judgement
from memory.company.retrieval.relevance import shared_bits
from memory.reading.service import get_heads
from memory.reading.views import joint_text

Vectors = NDArray[np.float32]
OPEN_ITEM = "unresolved"
#: A head is never surer, and no word tells more.
LEAST_CHANCE, MOST_BITS = 1e-3, 25.0


@dataclass(frozen=True, slots=True, kw_only=True)
class DiscerningParams:
    """Bounds, as calibrated similarities.

    Attributes:
        near: from which two facts are compared; across languages contradictions lie low.
        neighbours: of each new fact that are compared.
        read: from which the reader's head on pairs is asked whether the later fact takes the earlier one's place.
        most_read: of each new fact's neighbours, the nearest, that the head is asked about: each costs an embedding, and with all
            sixteen no figure of `bench.lifecycle` is another.
        asked: from which a model is asked about what the values leave open.
        doubts: from which the earlier of two facts is in doubt: the log-odds of the head, and for nearness and the most telling
            word in common so much each. Before it saw unrelated pairs the head alone found 9 of 25 changes of six companies from .75
            and doubted 35 of 115 other facts, with both from 12 17 and 12. From 12.5 two years' dividends are two facts.
        values: of the comparison itself.
    """

    near: float = 0.15
    neighbours: int = 16
    read: float = 0.5
    most_read: int = 4
    asked: float = 0.5
    doubts: float = 12.5
    nearness: float = 10.0
    wording: float = 8.0
    values: FactParams = DEFAULT_FACT_PARAMS


DISCERNING = DiscerningParams()


@dataclass(frozen=True, kw_only=True)
class _Known:
    """A fact to compare with: a held one, or a new one before."""

    name: UUID | int
    fact: Fact
    print: str
    said_at: datetime


@dataclass(frozen=True, kw_only=True)
class _Pair:
    """A new fact and one that it is compared with.

    Attributes:
        place: of the new fact.
        is_later: that the new one was said after the known one, or together with it.
        is_at_once: that both were said in one message.
        doubt: how much speaks for the later one's taking the earlier one's place, by the reader; None where it was not asked.
    """

    place: int
    known: _Known
    earlier: Fact
    later: Fact
    is_later: bool
    is_at_once: bool
    is_same_words: bool
    similarity: float
    comparison: Comparison
    doubt: float | None = None


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
        ask: a model's judgement of pairs, asked once for all; None: only the values decide.
    """
    if not new:
        return []
    known = [*map(_as_held, held), *(_as_new(place, fact) for place, fact in enumerate(new))]
    near = _similarities(new_vectors, held, embedder)
    pairs = [
        _pair(place, known[len(held) + place], known[row], float(near[place, row]), params)
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


def _as_held(fact: HeldFact) -> _Known:
    return _Known(name=fact.id, fact=_as_fact(fact), print=fingerprint(fact.content), said_at=fact.said_at)


def _as_new(place: int, fact: NewFact) -> _Known:
    return _Known(name=place, fact=_as_fact(fact), print=fingerprint(fact.content), said_at=fact.said_at)


def _as_fact(fact: HeldFact | NewFact) -> Fact:
    return Fact(text=fact.content, language=fact.language, is_open=fact.category == OPEN_ITEM)


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


def _pair(place: int, new: _Known, known: _Known, similarity: float, params: DiscerningParams) -> _Pair:
    is_later = new.said_at >= known.said_at
    earlier, later = (known.fact, new.fact) if is_later else (new.fact, known.fact)
    return _Pair(
        place=place,
        known=known,
        earlier=earlier,
        later=later,
        is_later=is_later,
        is_at_once=new.said_at == known.said_at,
        is_same_words=new.print == known.print,
        similarity=similarity,
        comparison=compare_facts(earlier, later, similarity=similarity, params=params.values),
    )


def _read(pairs: Sequence[_Pair], embedder: Embedder, params: DiscerningParams) -> list[_Pair]:
    """Return the pairs with the reader's judgement of the near ones that the values leave open."""
    left_open: dict[int, list[int]] = {}
    for number, pair in enumerate(pairs):
        is_open = pair.comparison.verdict is Verdict.DIFFERENT and not pair.is_at_once
        if is_open and pair.similarity >= params.read:
            left_open.setdefault(pair.place, []).append(number)
    read = [
        number
        for numbers in left_open.values()
        for number in sorted(numbers, key=lambda number: -pairs[number].similarity)[: params.most_read]
    ]
    if not read:
        return list(pairs)
    texts = [(pairs[number].earlier.text, pairs[number].later.text) for number in read]
    each = list(dict.fromkeys(text for pair in texts for text in pair))
    joint = [joint_text(*pair) for pair in texts]
    embedded = embedder.embed([*each, *joint])
    vectors = dict(zip(each, embedded, strict=False))
    told = get_heads(embedder).read_pairs(
        texts,
        np.array([vectors[earlier] for earlier, _ in texts]),
        np.array([vectors[later] for _, later in texts]),
        embedded[len(each) :],
        is_company=True,
    )
    doubts = {
        number: _weigh_doubt(pairs[number], told.of("replaces", row), params)
        for row, number in enumerate(read)
    }
    return [replace(pair, doubt=doubts.get(number)) for number, pair in enumerate(pairs)]


def _weigh_doubt(pair: _Pair, chance: float, params: DiscerningParams) -> float:
    bounded = min(max(chance, LEAST_CHANCE), 1 - LEAST_CHANCE)
    language = as_language(pair.later.language)
    (bits,) = shared_bits(pair.later.text, language, [pair.earlier], compounds=True)
    shared = min(bits, MOST_BITS) / MOST_BITS
    odds = log(bounded / (1 - bounded))
    return odds + params.nearness * pair.similarity + params.wording * shared


def _ask(pairs: Sequence[_Pair], ask: Ask | None, params: DiscerningParams) -> Mapping[int, Judgement]:
    """Return a model's judgements by the pair's number: of what would be retired, and of what is near and left open."""
    if ask is None:
        return {}
    doubtful = [
        (pair.comparison.verdict is Verdict.DIFFERENT, -pair.similarity, number)
        for number, pair in enumerate(pairs)
        if pair.comparison.verdict is Verdict.CONTRADICTS
        or (pair.comparison.verdict is Verdict.DIFFERENT and pair.similarity >= params.asked)
    ]
    asked = [number for *_, number in sorted(doubtful)[:MOST_PAIRS]]
    texts = [(pairs[number].earlier.text, pairs[number].later.text) for number in asked]
    answers = ask(texts) if texts else {}
    return {asked[place]: verdict for place, verdict in answers.items() if 0 <= place < len(asked)}


def _judge(pair: _Pair, model: Judgement | None, params: DiscerningParams) -> Discerned:
    """Return the finding of a pair: values stop a model's `same`, a model stops a contradiction of values.

    The reader alone never lets a fact give way, it only puts the earlier one in doubt; a model that finds both true stops it.
    """
    verdict = pair.comparison.verdict
    if verdict is Verdict.SAME:
        return _found(pair, Relation.SAME, FoundBy.WORDS if pair.is_same_words else FoundBy.MEANING)
    if verdict is Verdict.CONTRADICTS and model in (None, "contradicts", "settles"):
        resolved = pair.comparison.reason == RESOLVED
        return replace(_found(pair, Relation.CONTRADICTS, FoundBy.VALUES), resolved=resolved)
    if model == "same" and not never_same(pair.earlier, pair.later):
        return _found(pair, Relation.SAME, FoundBy.MODEL)
    if model in ("contradicts", "settles") and verdict is Verdict.DIFFERENT:
        return replace(
            _found(pair, Relation.CONTRADICTS, FoundBy.MODEL),
            resolved=model == "settles" and pair.earlier.claim.is_open,
            reason="model",
        )
    if model is None and pair.doubt is not None and pair.doubt >= params.doubts:
        return replace(_found(pair, Relation.DOUBTS, FoundBy.READER), reason="reader", doubt=pair.doubt)
    return NEWS


def _found(pair: _Pair, relation: Relation, found_by: FoundBy) -> Discerned:
    return Discerned(
        relation=relation,
        about=pair.known.name,
        is_later=pair.is_later,
        found_by=found_by,
        reason=pair.comparison.reason,
        similarity=pair.similarity,
    )


def _join(findings: Sequence[Discerned]) -> Discerned:
    """Return the surest finding with the others behind it: the same, then a contradiction, then a doubt; of each the nearest."""
    if not findings:
        return NEWS
    order = {FoundBy.WORDS: 0, FoundBy.MEANING: 1, FoundBy.VALUES: 2, FoundBy.MODEL: 3, FoundBy.READER: 4}
    first, *others = sorted(
        findings,
        key=lambda one: (
            one.relation is not Relation.SAME, order[one.found_by or FoundBy.MODEL], -one.doubt, -one.similarity,
        ),
    )  # fmt: skip
    return replace(first, also=tuple(others))
