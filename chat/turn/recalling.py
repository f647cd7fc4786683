"""The steps that call to mind: the space's memory as arrays, then the message's vector in and memories out."""

from dataclasses import dataclass
from datetime import datetime

import numpy as np

from chat.access import ChatAccess
from companion_site.embeddings.service import get_embedder
from companion_site.vault import unlocked
from memory.recall import Recalled, recall
from memory.workingset import WorkingSet, working_sets


@dataclass(frozen=True, kw_only=True)
class RecallInput:
    access: ChatAccess
    working_set: WorkingSet
    text: str
    vector: np.ndarray
    now: datetime


def open_memory(access: ChatAccess) -> WorkingSet:
    """Return the current working set; needs no question, so it can be had while the message is embedded."""
    embedder = get_embedder()
    with unlocked(access.space, access.key):
        return working_sets.get(access.space, model=embedder.model, dimension=embedder.dimension)


def recall_step(given: RecallInput) -> list[Recalled]:
    """Return the memories for this message, best first."""
    return recall(
        given.working_set,
        given.text,
        vector=given.vector,
        embedder=get_embedder(),
        now=given.now,
        own_name=given.access.person.display_name,
    )
