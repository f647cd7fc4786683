"""The step that calls to mind: the message's vector in, memories out."""

from dataclasses import dataclass
from datetime import datetime

import numpy as np

from chat.access import ChatAccess
from companion_site.embeddings.service import get_embedder
from companion_site.vault import unlocked
from memory.recall import Recalled, recall
from memory.workingset import working_sets


@dataclass(frozen=True, kw_only=True)
class RecallInput:
    access: ChatAccess
    text: str
    vector: np.ndarray
    now: datetime


def recall_step(given: RecallInput) -> list[Recalled]:
    """Return the memories for this message, best first."""
    embedder = get_embedder()
    with unlocked(given.access.space, given.access.key):
        working_set = working_sets.get(given.access.space, model=embedder.model, dimension=embedder.dimension)
        return recall(
            working_set,
            given.text,
            vector=given.vector,
            embedder=embedder,
            now=given.now,
            own_name=given.access.person.display_name,
        )
