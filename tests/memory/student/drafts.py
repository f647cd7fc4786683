"""Statements as formation hands them on, made by hand."""

from collections.abc import Sequence
from datetime import datetime
from uuid import UUID

import numpy as np

from companion_site.embeddings.service import get_embedder
from companion_site.ids import new_id
from memory.algorithms.edges import Edge
from memory.models import MemoryNode, MemorySource
from memory.reading.statements import Statement
from memory.student.ingest.formation import Draft, Said
from tests.factories import NOW


def make_statement(text: str, *, start: int = 0, **given) -> Statement:
    """Return one statement."""
    fields = {"modality": "semantic", "valence": 0.0, "confidence": 0.9, "salience": 0.5, **given}
    return Statement(text=text, start=start, end=start + len(text), **fields)


def make_node(space: UUID, text: str, *, at: datetime = NOW, **given) -> MemoryNode:
    """Return one memory as a row, to be written."""
    fields = {
        "modality": "semantic", "trust": "person", "language": "en", "salience": 0.5, "gravity": 0.5, "confidence": 0.9,
        "formed_at": at, "accessed_at": at, "version": 1, **given,
    }  # fmt: skip
    return MemoryNode(space_id=space, content=text, content_hash=new_id().bytes * 2, **fields)


def make_draft(
    statements: Sequence[Statement],
    *,
    edges: Sequence[tuple[int, int, str, float]] = (),
    vectors: np.ndarray | None = None,
    at: datetime = NOW,
    mentions: Sequence = (),
    **said,
) -> Draft:
    """Return what one message with these statements leaves behind."""
    texts, embedder = [one.text for one in statements], get_embedder()
    fields = {
        "text": ". ".join(texts),
        "language": "en",
        "said_at": at,
        "source_kind": MemorySource.Kind.MESSAGE,
        "source_id": new_id(),
        **said,
    }
    return Draft(
        said=Said(**fields),
        snr=300.0,
        statements=statements,
        vectors=embedder.embed(texts) if vectors is None else vectors,
        mentions=mentions,
        model=embedder.model,
        edges=[Edge(*edge) for edge in edges],
    )
