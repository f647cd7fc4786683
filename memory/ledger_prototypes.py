"""The labelled sentences as vectors, by which it is told whether something said belongs into the ledger, and as what."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from memory.algorithms.discerning import Plane, fit_plane
from memory.algorithms.isotropy import unit_rows
from memory.kept_vectors import Embed, embed_own, once_for_each_model
from memory.ledger_everyday import SENTENCES as EVERYDAY
from memory.ledger_sentences import KINDS, SENTENCES

#: How closely the plane follows the sentences; 2 to 20 part the labelled threats alike.
FREEDOM = 2.0


@dataclass(frozen=True, slots=True)
class LedgerPrototypes:
    """The sentences' vectors, centred on their own mean.

    Attributes:
        mean: (d,) float32, taken from every vector before it is compared.
        vectors: (n, d) float32, unit length after centring.
        kinds: (n,) int, index into `KINDS`.
        threat: parts the threats from all others.
    """

    mean: NDArray[np.float32]
    vectors: NDArray[np.float32]
    kinds: NDArray[np.int64]
    threat: Plane

    def centre(self, vectors: NDArray[np.float32]) -> NDArray[np.float32]:
        """Return (m, d) vectors without what all texts share, at unit length."""
        return unit_rows(np.asarray(vectors, dtype=np.float32) - self.mean)


@once_for_each_model
def load_ledger_prototypes(embed: Embed, model: str) -> LedgerPrototypes:
    """Return the prototypes under an embedding model."""
    sentences = [sentence for kind in KINDS for sentence in SENTENCES[kind]]
    vectors = embed_own([*sentences, *EVERYDAY], embed=embed, model=model)
    mean = vectors[: len(sentences)].mean(axis=0)
    centred = unit_rows(vectors - mean)
    kinds = np.repeat(np.arange(len(KINDS)), [len(SENTENCES[kind]) for kind in KINDS])
    is_threat = np.zeros(len(vectors), dtype=bool)
    is_threat[: len(sentences)] = kinds == KINDS.index("threat")
    threat = fit_plane(centred, is_threat, freedom=FREEDOM)
    return LedgerPrototypes(mean=mean, vectors=centred[: len(sentences)], kinds=kinds, threat=threat)
