"""Changing the embedding model of a live store: every space crosses over by itself, and is searched all the while.

A vector is kept under its item and the model that made it, so those of two models stand side by side. New memories get the
present model's at once; those there are get it batch by batch, the believed and the latest first. Until then an item is
found by its words (`memory.algorithms.scaling`). When nothing of a space lacks the present model's vectors, the
others go. All of this is read from the rows, nothing else is kept: killed anywhere, the next run goes on where it stopped.

docs/embeddings.md; why so: docs/decisions/0010-embedding-models.md.
"""

from memory.reembedding.tables import awaits_reembedding

__all__ = ["awaits_reembedding"]
