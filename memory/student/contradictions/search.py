"""Finding what a new statement contradicts: among near neighbours only, by values, by feeling, by the reader.

Part of the thinking step: it embeds, and so never runs inside a transaction.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from uuid import UUID

import numpy as np

from companion_site.embeddings.protocol import Embedder
from companion_site.language import find_names, fold_words, tokens
from memory.algorithms.values import Comparison, Said, Verdict, compare
from memory.models import Contradiction
from memory.reading.params import READING
from memory.reading.service import get_heads
from memory.reading.splitter import split
from memory.reading.statements import Statement
from memory.reading.views import joint_text
from memory.student.contradictions.params import CONTRADICTIONS, ContradictionParams
from memory.student.selectors import NodeData
from memory.student.workingset import WorkingSet


@dataclass(frozen=True, kw_only=True)
class Found:
    """One new statement that contradicts what is held.

    Attributes:
        statement: position among the statements given.
        earlier: the memory, or the position of an earlier statement of the same message.
        found_by: a `Contradiction.FoundBy`.
        strategy: a `Contradiction.Strategy`; `settle` may still leave it to the person.
        reason: a word for what differs, for the change's row.
    """

    statement: int
    earlier: UUID | int
    found_by: str
    strategy: str
    reason: str


@dataclass(frozen=True, kw_only=True)
class _Pair:
    statement: int
    earlier: UUID | int
    texts: tuple[str, str]
    languages: tuple[str, str]
    similarity: float
    comparison: Comparison
    #: how likely the later replaces the earlier, as the reader judges; None where the pair is not near enough to be read
    replaces: float | None = None


def find_contradictions(
    statements: Sequence[Statement],
    vectors: np.ndarray,
    *,
    working_set: WorkingSet,
    embedder: Embedder,
    language: str,
    speaker: str | None = None,
    params: ContradictionParams = CONTRADICTIONS,
) -> list[Found]:
    """Return what new statements contradict, in the order of the statements.

    Args:
        statements: of one message, without a parent that stands for the whole.
        vectors: (n, d) float32 unit rows of the statements.
        language: of the message.
        speaker: who said it; None for the space's own person. Different people's words never contradict.
    """
    said = [
        Said(text=statement.text, language=language, valence=statement.valence, speaker=speaker)
        for statement in statements
    ]
    found = [
        *_pairs_within(said, vectors, embedder, params),
        *_pairs_held(said, vectors, working_set, embedder, params),
    ]
    pairs = _read([pair for pair in found if all(map(_is_said, pair.texts))], embedder, params)
    judged = [_judge(pair, params) for pair in pairs]
    return sorted((one for one in judged if one is not None), key=lambda one: one.statement)


def _is_said(text: str) -> bool:
    """Tell words from what stands for something else, as "[shares a picture: …]": that claims nothing."""
    return not (text.startswith("[") and text.rstrip(".").endswith("]"))


def _similarities(left: np.ndarray, right: np.ndarray, embedder: Embedder) -> np.ndarray:
    """Return (n, m) calibrated similarities; what is not a number is nothing alike."""
    return np.nan_to_num(embedder.calibration.similarity(np.nan_to_num(left) @ np.nan_to_num(right).T))


def _pairs_within(
    said: Sequence[Said], vectors: np.ndarray, embedder: Embedder, params: ContradictionParams
) -> list[_Pair]:
    if len(said) < 2:
        return []
    among = _similarities(vectors, vectors, embedder)
    return [
        _pair(said[after], after, said[before], before, float(among[after, before]), params)
        for after in range(1, len(said))
        for before in range(after)
        if among[after, before] >= params.near
    ]


def _pairs_held(
    said: Sequence[Said],
    vectors: np.ndarray,
    working_set: WorkingSet,
    embedder: Embedder,
    params: ContradictionParams,
) -> list[_Pair]:
    with working_set.lock:
        corpus, nodes = working_set.corpus, list(working_set.nodes)
    if not said or not nodes:
        return []
    alive = corpus.alive[None, :]
    similarities = np.where(alive, _similarities(vectors, corpus.vectors, embedder), 0.0)
    near = [_nearest(row, params) for row in similarities]
    held = {row: _as_said(working_set, nodes[row]) for rows in near for row in rows}
    return [
        _pair(said[index], index, held[row], nodes[row].id, float(similarities[index, row]), params)
        for index, rows in enumerate(near)
        for row in rows
    ]


def _nearest(similarities: np.ndarray, params: ContradictionParams) -> list[int]:
    order = np.argsort(-similarities, kind="stable")[: params.neighbours]
    return [int(row) for row in order if similarities[row] >= params.near]


def _as_said(working_set: WorkingSet, node: NodeData) -> Said:
    """Return what a memory says, as it was read when it was first compared."""
    said = working_set.readings.get(node.id)
    if said is None:
        speaker = node.source.speaker if node.source else None
        said = Said(text=node.text or "", language=node.language, valence=node.valence, speaker=speaker)
        working_set.readings[node.id] = said
    return said


def _pair(
    later: Said,
    index: int,
    earlier: Said,
    at: UUID | int,
    similarity: float,
    params: ContradictionParams,
) -> _Pair:
    comparison = compare(earlier, later, similarity=similarity, params=params.values)
    if earlier.speaker != later.speaker:
        comparison = replace(comparison, verdict=Verdict.DIFFERENT)
    return _Pair(
        statement=index,
        earlier=at,
        texts=(earlier.text, later.text),
        languages=(earlier.language, later.language),
        similarity=similarity,
        comparison=comparison,
    )


def _read(pairs: Sequence[_Pair], embedder: Embedder, params: ContradictionParams) -> list[_Pair]:
    """Return the pairs with the reader's judgement of the nearest of which the values say nothing."""
    read = [
        pair
        for pair in pairs
        if pair.similarity >= params.read
        and pair.comparison.verdict not in {Verdict.SAME, Verdict.CONTRADICTS}
    ]
    if not read:
        return list(pairs)
    texts = [pair.texts for pair in read]
    each = list(dict.fromkeys(text for pair in texts for text in pair))
    vectors = dict(zip(each, embedder.embed(each), strict=True))
    told = get_heads(embedder).read_pairs(
        texts,
        np.array([vectors[earlier] for earlier, _ in texts]),
        np.array([vectors[later] for _, later in texts]),
        embedder.embed([joint_text(*pair) for pair in texts]),
    )
    judged = {id(pair): told.of("replaces", row) for row, pair in enumerate(read)}
    return [replace(pair, replaces=judged.get(id(pair))) for pair in pairs]


def _judge(pair: _Pair, params: ContradictionParams) -> Found | None:
    """Return the finding of a pair; the reader alone only asks."""
    verdict, by = pair.comparison.verdict, Contradiction.FoundBy
    if verdict is Verdict.CONTRADICTS:
        return _found(pair, by.VALUES, params.by_doubt if _says_more(*pair.texts) else params.by_values)
    if verdict is Verdict.OPPOSED and pair.comparison.values_differ:
        return _found(pair, by.VALUES, params.by_doubt)
    if verdict is Verdict.OPPOSED and _share_topic(pair, params):
        return _found(pair, by.VALENCE, params.by_valence)
    if pair.replaces is not None and pair.replaces >= READING.probably_replaces:
        return _found(pair, by.READER, params.by_doubt)
    return None


def _says_more(earlier: str, later: str) -> bool:
    """Tell whether an earlier statement says more than what the later gives another value: that would be lost with it."""
    named = {fold_words(name) for name in find_names(earlier)}
    return len(split(earlier)) > 1 or len(named - {fold_words(name) for name in find_names(later)}) > 1


def _share_topic(pair: _Pair, params: ContradictionParams) -> bool:
    """Tell whether both feelings are about the same: likeness alone sees one in "Well done!" and "Sorry about that"."""
    earlier, later = (
        set(tokens(text, language))  # type: ignore[arg-type]  # a column of languages
        for text, language in zip(pair.texts, pair.languages, strict=True)
    )
    return len(earlier & later) >= max(1.0, params.shared_words * min(len(earlier), len(later)))


def _found(pair: _Pair, found_by: Contradiction.FoundBy, strategy: str) -> Found:
    by = Contradiction.FoundBy
    reason = found_by.value if found_by == by.READER else pair.comparison.reason
    return Found(
        statement=pair.statement,
        earlier=pair.earlier,
        found_by=found_by.value,
        strategy=strategy,
        reason=reason.replace(" ", "_"),
    )
