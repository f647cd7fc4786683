"""Vectors of the words that the turns of a space compare again and again: what was said in a conversation, what is known clause by clause.

They are held in the clear while somebody of the space is here, and never written down.
"""

from collections.abc import Mapping, Sequence
from threading import Lock
from uuid import UUID

import numpy as np

from companion_site.embeddings.calibration import Calibration
from companion_site.embeddings.protocol import Vectors
from companion_site.embeddings.service import embed_and_wait, get_embedder
from companion_site.vault.keyring import key_of
from companion_site.vault.plaintext import BUDGET_BYTES, HeldBySpace

#: Of one space; beyond, what was embedded first is embedded anew.
MOST_HELD = 1_000
#: These take this share of the room that working sets have.
BUDGET_SHARE = 8


class SpaceEmbedder:
    """The embedder of this process for what is said in one space: what it embedded lately it knows."""

    def __init__(self) -> None:
        embedder = get_embedder()
        self.model: str = embedder.model
        self.dimension: int = embedder.dimension
        self.size_bytes = 0
        self._held: dict[str, Vectors] = {}
        self._guard = Lock()

    @property
    def calibration(self) -> Calibration:
        return get_embedder().calibration

    def embed(self, texts: Sequence[str]) -> Vectors:
        """Return (n, d) float32 like `Embedder.embed`; whoever asks waits in a thread of their own."""
        with self._guard:
            found = {text: self._held[text] for text in texts if text in self._held}
        if missing := [text for text in dict.fromkeys(texts) if text not in found]:
            made = dict(zip(missing, embed_and_wait(missing), strict=True))
            found |= made
            self.hold(made)
        return np.array([found[text] for text in texts], np.float32).reshape(-1, self.dimension)

    def hold(self, made: Mapping[str, Vectors]) -> None:
        """Keep (d,) vectors by their texts, which somebody made."""
        with self._guard:
            self._held |= made
            for text in list(self._held)[: max(len(self._held) - MOST_HELD, 0)]:
                del self._held[text]
            self.size_bytes = len(self._held) * self.dimension * np.dtype(np.float32).itemsize


class SpaceEmbedders(HeldBySpace[SpaceEmbedder]):
    """Those of the unlocked spaces that this process works with."""

    def get(self, space: UUID) -> SpaceEmbedder:
        """Return the embedder for an unlocked space.

        Raises:
            SpaceLocked: the space is not unlocked here.
        """
        key_of(space)
        model = get_embedder().model
        found = self.take(space, SpaceEmbedder, fits=lambda held: held.model == model)
        self.trim()
        return found


space_embedders = SpaceEmbedders(budget_bytes=BUDGET_BYTES // BUDGET_SHARE)
