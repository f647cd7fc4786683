"""From vectors and texts to what the heads compare, the same in training and in reading."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from memory.reading import features
from memory.reading.kernels import PLAIN, Floats


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
        return features.unit_rows((np.asarray(vectors, np.float32) - self.centre) @ self.basis)

    def narrow(self, directions: int) -> "Projection":
        """Return the projection onto its first directions alone."""
        return Projection(self.centre, self.basis[:, :directions], self.rarity)

    def centred(self, vectors: NDArray[np.floating]) -> Floats:
        """Return (n, d) unit rows, centred: their products part texts better than raw cosines."""
        return features.unit_rows(np.asarray(vectors, np.float32) - self.centre)


def joint_text(earlier: str, later: str) -> str:
    """Return both statements as one text: the embedder sees them together."""
    return f"Before: {earlier} Now: {later}"


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
    earlier: NDArray[np.floating],
    later: NDArray[np.floating],
    joint: NDArray[np.floating],
    of_company: Sequence[bool],
) -> dict[str, Floats]:
    """Return the views of pairs of statements."""
    cosines = (projection.centred(earlier) * projection.centred(later)).sum(1).tolist()
    plain = [
        features.describe_pair(*pair, cosine, is_company=company)
        for pair, cosine, company in zip(pairs, cosines, of_company, strict=True)
    ]
    return {
        "joint": projection.reduce(joint),
        "later": projection.reduce(later),
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
