"""The steps that call to mind: the space's memory as arrays, then the message in, and memories and ledger entries out."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

import numpy as np

from chat.access import ChatAccess
from companion_site.embeddings.service import get_embedder
from companion_site.vault import unlocked
from ledger.indexes import find_triggered
from ledger.matching import Triggered
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


@dataclass(frozen=True, kw_only=True)
class CalledToMind:
    """Memories and ledger entries for one message, best first."""

    recalled: Sequence[Recalled] = ()
    entries: Sequence[Triggered] = ()


def recall_step(given: RecallInput) -> CalledToMind:
    """Return what this message calls to mind."""
    access = given.access
    recalled = recall(
        given.working_set,
        given.text,
        vector=given.vector,
        embedder=get_embedder(),
        now=given.now,
        own_name=access.person.display_name,
    )
    with unlocked(access.space, access.key):
        return CalledToMind(
            recalled=recalled, entries=find_triggered(access.space, given.text, now=given.now)
        )
