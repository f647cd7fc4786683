"""From vectors and texts to what the heads compare, the same in training and in reading."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import chain

import numpy as np
from numpy.typing import NDArray

from memory.algorithms.isotropy import unit_rows
from memory.reading import features
from memory.reading.kernels import PLAIN, Floats
from memory.reading.values import read_values


@dataclass(frozen=True, slots=True)
class Projection:
    """From the embedder's vectors to what the heads compare.

    Attributes:
        centre: (d,), the mean of what people say.
        basis: (d, k), the directions in which it differs most.
        rarity: (BUCKETS,), how much a run of letters tells.
    """

    centre: Floats
    basis: Floats
    rarity: Floats

    def reduce(self, vectors: NDArray[np.floating]) -> Floats:
        """Return (n, k) unit rows of (n, d) vectors: centred, in the directions that the heads compare."""
        centred = np.asarray(vectors, np.float32) - self.centre
        return unit_rows(np.asarray(centred @ self.basis, np.float32))

    def narrow(self, directions: int) -> "Projection":
        """Return the projection onto its first directions alone."""
        return Projection(self.centre, self.basis[:, :directions], self.rarity)

    def centred(self, vectors: NDArray[np.floating]) -> Floats:
        """Return (n, d) unit rows, centred: their products part texts better than raw cosines."""
        return unit_rows(np.asarray(vectors, np.float32) - self.centre)


_TOKEN = re.compile(r"\w+|[^\w\s]")


def pair_letters(
    pairs: Sequence[tuple[str, str]], rarity: Floats, *, known: features.Runs | None = None
) -> Floats:
    """Return (n, 3 · BUCKETS) runs of letters: of the words that are new in the later of two statements, gone, and in both.

    Of "I live in Lund" and "I live in Malmö" those are "Malmö", "Lund" and "I live in".
    """
    parts = [part for pair in pairs for part in _compare_words(*pair)]
    return unit_rows(features.letters(parts, rarity, known=known).reshape(len(pairs), -1))


def _compare_words(earlier: str, later: str) -> tuple[str, str, str]:
    one, other = _TOKEN.findall(earlier), _TOKEN.findall(later)
    in_one, in_other = ({token.casefold() for token in tokens} for tokens in (one, other))
    return (
        " ".join(token for token in other if token.casefold() not in in_one),
        " ".join(token for token in one if token.casefold() not in in_other),
        " ".join(token for token in other if token.casefold() in in_one),
    )


def part_views(
    projection: Projection,
    message: str,
    spans: Sequence[tuple[int, int]],
    vectors: NDArray[np.floating],
    message_vector: NDArray[np.floating],
) -> dict[str, Floats]:
    """Return the views of one message's parts."""
    around = projection.reduce(np.asarray(message_vector)[None])
    plain = np.array([features.describe_unit(message, *span) for span in spans], np.float32)
    return {
        "text": projection.reduce(vectors),
        "message": np.repeat(around, len(spans), axis=0),
        PLAIN: plain.reshape(len(spans), -1),
    }


def candidate_views(
    projection: Projection,
    vectors: NDArray[np.floating],
    around: NDArray[np.floating],
    plain: Sequence[Sequence[float]],
) -> dict[str, Floats]:
    """Return the views of words that may name something, each within its statement."""
    return {
        "text": projection.reduce(vectors),
        "message": projection.reduce(around),
        PLAIN: np.array(plain, np.float32).reshape(len(vectors), -1),
    }


def pair_views(
    projection: Projection,
    pairs: Sequence[tuple[str, str]],
    vectors: NDArray[np.floating],
    of_company: Sequence[bool],
) -> dict[str, Floats]:
    """Return the views of pairs of statements: what either says, and the way from one to the other.

    Args:
        vectors: (n, 2, d) of each pair's statements.
    """
    earlier, later = (projection.centred(vectors[:, place]) for place in (0, 1))
    cosines = (earlier * later).sum(1).tolist()
    beside: dict[str, list[float]] = {}
    for (_, said), cosine in zip(pairs, cosines, strict=True):
        beside.setdefault(said, []).append(cosine)
    values = {text: read_values(text) for text in dict.fromkeys(chain.from_iterable(pairs))}
    plain = [
        features.describe_pair(
            *pair,
            cosine,
            values=values,
            is_company=company,
            nearest=max(beside[pair[1]]),
            place=sum(other > cosine for other in beside[pair[1]]),
        )
        for pair, cosine, company in zip(pairs, cosines, of_company, strict=True)
    ]
    return {
        "earlier": projection.reduce(vectors[:, 0]),
        "later": projection.reduce(vectors[:, 1]),
        "moved": unit_rows(np.asarray((later - earlier) @ projection.basis, np.float32)),
        PLAIN: np.array(plain, np.float32).reshape(len(pairs), -1),
    }


def relevance_views(
    projection: Projection,
    message: str,
    memories: Sequence[str],
    message_vector: NDArray[np.floating],
    vectors: NDArray[np.floating],
    *,
    is_company: bool,
) -> dict[str, Floats]:
    """Return the views of one message's memories."""
    asked = np.asarray(message_vector)[None]
    cosines = (projection.centred(vectors) @ projection.centred(asked)[0]).astype(np.float64)
    return {
        PLAIN: features.describe_candidates(message, memories, cosines, is_company=is_company),
        "message": np.repeat(projection.reduce(asked), len(memories), axis=0),
        "memory": projection.reduce(vectors),
    }
