"""The one way in: whatever memories form from, they are thought out and written here, once.

A chat message, a lesson, a prompt run and an observation differ in where they are read and in how they are marked as
done; both belong to the caller, who gives the words and a `claim`.
"""

from collections.abc import Callable
from datetime import datetime
from time import perf_counter
from uuid import UUID

import structlog

from companion_site.embeddings.service import get_embedder
from companion_site.vault import unlocked
from companion_site.vault.boxes import SpaceKey
from companion_site.vault.scope import lock_space, space_scope
from memory.student.compression.requests import compress_if_needed
from memory.student.ingest.formation import Draft, Said, draft_memories
from memory.student.ingest.store import store_memories
from memory.student.sleep.timing import plan_sleep
from memory.student.workingset import working_sets

logger = structlog.get_logger(__name__)


def form_memories(
    said: Said, *, space: UUID, key: SpaceKey, now: datetime, claim: Callable[[Draft], bool]
) -> int | None:
    """Form the memories of one thing said; return how many are new, or None where somebody was faster.

    Embedding and models come before the transaction, which takes the space's lock. Killed anywhere, it has either
    written everything or nothing.

    Args:
        claim: called in the transaction, under the lock: marks what was read as done and returns True, or returns
            False where that has been done already.
    """
    began = perf_counter()
    with unlocked(space, key):
        embedder = get_embedder()
        working_set = working_sets.get(space, model=embedder.model, dimension=embedder.dimension)
        draft = draft_memories(said, working_set=working_set, embedder=embedder)
        with space_scope(space):
            lock_space(space)
            if not claim(draft):
                return None
            formed = store_memories(space, draft, now=now)
            plan_sleep(space, now=now)
        if formed:
            compress_if_needed(space, now=now)
    logger.info(
        "memory.formed",
        space=str(space),
        source=str(said.source_id),
        count=len(formed),
        snr=round(draft.snr),
        duration_ms=round((perf_counter() - began) * 1000, 1),
    )
    return len(formed)
