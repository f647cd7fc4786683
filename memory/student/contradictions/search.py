"""Finding what a new statement contradicts: among near neighbours only, by the reader or by feeling.

Part of the thinking step: it embeds, and so never runs inside a transaction.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from uuid import UUID

import numpy as np

from companion_site.embeddings.protocol import Embedder
from companion_site.embeddings.service import EmbedOnce
from companion_site.language import tokens
from memory.models import Contradiction
from memory.reading.params import READING
from memory.reading.statements import Statement, stands_for_another
from memory.reconcile import Effect, read_changes
from memory.student.selectors import NodeData
from memory.student.workingset import WorkingSet


@dataclass(frozen=True, kw_only=True)
class ContradictionParams:
    """How far to look for contradictions. Source: row G8.

    Attributes:
        neighbours: memories that one statement is compared with, the nearest first.
        opposed: similarity from which opposite feelings are a contradiction to review.
        felt: valence from which a statement counts as a feeling.
        shared_words: share of the shorter one's telling words that two feelings must have in common to be about the same.
    """

    neighbours: int = 8
    opposed: float = 0.8
    felt: float = 0.5
    shared_words: float = 0.5


CONTRADICTIONS = ContradictionParams()


FoundBy, Strategy = Contradiction.FoundBy, Contradiction.Strategy
#: what is done where the reader finds that a statement surely, perhaps or barely takes an earlier one's place
STRATEGIES = {
    Effect.REPLACES: Strategy.NEWER_WINS,
    Effect.DOUBTS: Strategy.MANUAL,
    Effect.HINTS: Strategy.MENTION,
}


@dataclass(frozen=True, kw_only=True)
class Found:
    """One new statement that contradicts what is held.

    Attributes:
        statement: position among the statements given.
        earlier: the memory, or the position of an earlier statement of the same message.
        found_by: a `Contradiction.FoundBy`.
        strategy: a `Contradiction.Strategy`; `settle` may still leave it to the person.
    """

    statement: int
    earlier: UUID | int
    found_by: str
    strategy: str


@dataclass(frozen=True)
class _Said:
    """One statement as it is compared, with its (d,) vector; `speaker` is None for the person themselves."""

    text: str
    vector: np.ndarray
    language: str
    valence: float
    speaker: str | None


@dataclass(frozen=True)
class _Pair:
    statement: int
    later: _Said
    at: UUID | int
    earlier: _Said
    similarity: float


def find_contradictions(
    statements: Sequence[Statement],
    vectors: np.ndarray,
    *,
    working_set: WorkingSet,
    embedder: Embedder,
    language: str,
    speaker: str | None = None,
) -> list[Found]:
    """Return what new statements contradict, in the order of the statements.

    Args:
        statements: of one message, without a parent that stands for the whole.
        vectors: (n, d) float32 unit rows of the statements.
        language: of the message.
        speaker: who said it; None for the space's own person.
    """
    said = [
        _Said(statement.text, vector, language, statement.valence, speaker)
        for statement, vector in zip(statements, vectors, strict=True)
    ]
    near = [
        *_pairs_within(said, vectors, embedder),
        *_pairs_held(said, vectors, working_set, embedder),
    ]
    pairs = [pair for pair in near if not any(map(stands_for_another, (pair.earlier.text, pair.later.text)))]
    known = {one.text: one.vector for pair in pairs for one in (pair.earlier, pair.later)}
    changes = read_changes(
        [(pair.earlier.text, pair.later.text) for pair in pairs],
        # Different people's words never contradict.
        [pair.similarity if pair.earlier.speaker == pair.later.speaker else 0.0 for pair in pairs],
        embedder=EmbedOnce(embedder, known),
    )
    found = []
    for pair, change in zip(pairs, changes, strict=True):
        by, strategy = FoundBy.READER, STRATEGIES.get(change.effect)
        # One bad day does not undo a general feeling, so the person decides.
        if change.effect is not Effect.SAME and _feel_otherwise(pair):
            by, strategy = FoundBy.VALENCE, Strategy.MANUAL
        if strategy is not None:
            found.append(
                Found(statement=pair.statement, earlier=pair.at, found_by=by.value, strategy=strategy.value)
            )
    return sorted(found, key=lambda one: one.statement)


def _similarities(left: np.ndarray, right: np.ndarray, embedder: Embedder) -> np.ndarray:
    """Return (n, m) calibrated similarities; what is not a number is nothing alike."""
    return np.nan_to_num(embedder.calibration.similarity(np.nan_to_num(left) @ np.nan_to_num(right).T))


def _pairs_within(said: Sequence[_Said], vectors: np.ndarray, embedder: Embedder) -> list[_Pair]:
    if len(said) < 2:
        return []
    among = _similarities(vectors, vectors, embedder)
    return [
        _Pair(after, said[after], before, said[before], float(among[after, before]))
        for after in range(1, len(said))
        for before in range(after)
        if among[after, before] >= READING.compared
    ]


def _pairs_held(
    said: Sequence[_Said],
    vectors: np.ndarray,
    working_set: WorkingSet,
    embedder: Embedder,
) -> list[_Pair]:
    with working_set.lock:
        corpus, nodes = working_set.corpus, list(working_set.nodes)
    if not said or not nodes:
        return []
    alive = corpus.alive[None, :]
    similarities = np.where(alive, _similarities(vectors, corpus.vectors, embedder), 0.0)
    nearest = np.argsort(-similarities, axis=1, kind="stable")[:, : CONTRADICTIONS.neighbours]
    return [
        _Pair(
            index,
            said[index],
            nodes[row].id,
            _as_said(nodes[row], corpus.vectors[row]),
            similarities[index, row],
        )
        for index, rows in enumerate(nearest.tolist())
        for row in rows
        if similarities[index, row] >= READING.compared
    ]


def _as_said(node: NodeData, vector: np.ndarray) -> _Said:
    speaker = node.source.speaker if node.source else None
    return _Said(node.text or "", vector, node.language, node.valence, speaker)


def _feel_otherwise(pair: _Pair) -> bool:
    """Tell whether one person feels otherwise about the same (row G8)."""
    earlier, later = pair.earlier, pair.later
    felt = min(abs(earlier.valence), abs(later.valence)) >= CONTRADICTIONS.felt
    opposed = felt and pair.similarity > CONTRADICTIONS.opposed and earlier.valence * later.valence < 0
    return opposed and earlier.speaker == later.speaker and _share_topic(pair)


def _share_topic(pair: _Pair) -> bool:
    """Tell whether both feelings are about the same: likeness alone sees one in "Well done!" and "Sorry about that"."""
    earlier, later = (
        set(tokens(said.text, said.language))  # type: ignore[arg-type]  # a column of languages
        for said in (pair.earlier, pair.later)
    )
    return len(earlier & later) >= max(1.0, CONTRADICTIONS.shared_words * min(len(earlier), len(later)))
