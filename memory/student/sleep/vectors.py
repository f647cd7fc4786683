"""Vectors for what has none under the present model; of everything else they are stored, and not computed again."""

from collections.abc import Sequence
from dataclasses import replace

from companion_site.embeddings.service import EmbedOnce
from memory.student.sleep.insights import Item


class EmbedUnknown(EmbedOnce):
    """An embedder that is told what is stored, and asks for the rest once."""

    def with_vectors(self, items: Sequence[Item]) -> list[Item]:
        """Return the items, each with a vector; embeds only the texts of those that have none.

        The vector of what was said is that text's own, and known from here on; that of a derived memory is a mean of others.
        """
        self._known.update(
            {item.text: item.vector for item in items if item.vector.size and not item.derived}
        )
        bare = {item.text for item in items if not item.vector.size}
        vectors = dict(zip(bare, self.embed(list(bare)), strict=True)) if bare else {}
        return [item if item.vector.size else replace(item, vector=vectors[item.text]) for item in items]
