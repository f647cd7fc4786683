"""The labelled sentences as planes through the space of meaning: how likely a clause is of each kind."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from memory.algorithms.discerning import Plane, fit_plane
from memory.algorithms.isotropy import unit_rows
from memory.company.extraction.sentences import KINDS, SENTENCES
from memory.kept_vectors import Embed, embed_own, once_for_each_model

#: the inverse of the planes' penalty; of 1, 3, 10 and 30 the best on the development messages
FREEDOM = 3.0


@dataclass(frozen=True, slots=True)
class FactPrototypes:
    """What the sentences come to under one embedding model.

    Attributes:
        mean: (d,) float32, taken from every vector before it is compared.
        planes: one for each of `KINDS`.
    """

    mean: NDArray[np.float32]
    planes: tuple[Plane, ...]

    def likelihoods(self, vectors: NDArray[np.float32]) -> NDArray[np.float64]:
        """Return (n, 5) how likely each of (n, d) vectors is of each kind, 0 to 1, each by itself."""
        centred = unit_rows(np.asarray(vectors, dtype=np.float32) - self.mean)
        return np.stack([plane.probability(centred) for plane in self.planes], axis=1)


@once_for_each_model
def load_fact_prototypes(embed: Embed, model: str) -> FactPrototypes:
    """Return the prototypes under an embedding model."""
    rows: Sequence[tuple[str, str]] = [(kind, text) for kind in KINDS for text in SENTENCES[kind]]
    vectors = embed_own([text for _, text in rows], embed=embed, model=model)
    mean = vectors.mean(axis=0)
    centred = unit_rows(vectors - mean)
    kinds = np.array([kind for kind, _ in rows])
    planes = tuple(fit_plane(centred, kinds == kind, freedom=FREEDOM) for kind in KINDS)
    return FactPrototypes(mean=mean, planes=planes)
