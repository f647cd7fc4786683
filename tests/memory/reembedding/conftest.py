"""A site whose embedding model changes under what it remembers."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from uuid import UUID

import numpy as np
import pytest

from companion_site.embeddings.bundled import MODEL as BUNDLED
from companion_site.embeddings.calibration import DEFAULT, keep_calibration
from companion_site.embeddings.service import name_vectors
from companion_site.language import detect_language
from companion_site.vault.scope import write_scope
from memory.models import MemoryNode
from memory.reembedding.space import Pace
from memory.student.ingest.store import store_memories
from tests.embeddings.conftest import service as service
from tests.embeddings.wire import DIMENSION, MODEL, point_at
from tests.factories import NOW
from tests.memory.student.drafts import make_draft, make_statement

OLD, NEW = BUNDLED, name_vectors(MODEL, DIMENSION)
#: To the end, without the pauses that are for others.
STRAIGHT = Pace(seconds=None, sleep=lambda seconds: None)


@pytest.fixture
def change_model(settings, service, tmp_path) -> Callable[[], None]:
    """Have the site use the service's model from now on, as after a restart with other settings; it is calibrated."""

    def change() -> None:
        settings.VAR_DIR = tmp_path
        point_at(settings, service)
        keep_calibration(NEW, DEFAULT)

    return change


def one_batch(size: int) -> Pace:
    """Return a pace that stops after one batch, as a job whose time is over does."""
    return Pace(seconds=0.0, batch=size, sleep=lambda seconds: None)


def remember(space: UUID, texts: Sequence[str], vectors: np.ndarray, *, model: str) -> None:
    """Store each text as a memory of its own under a model's vector, without reading it first."""
    for text, vector in zip(texts, vectors, strict=True):
        statement = make_statement(text, modality=MemoryNode.Modality.EPISODIC.value)
        language = detect_language(text, default="en")
        draft = replace(make_draft([statement], vectors=vector[None], language=language), model=model)
        with write_scope(space):
            store_memories(space, draft, now=NOW)
