"""Several things said that came as one, as the turns of a session: formed in their order and written together or not at all.

Each is thought out as if those before it were remembered already, so that what is taken back later in the same session is
taken back.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from uuid import UUID

import structlog

from companion_site.embeddings.protocol import Embedder
from companion_site.embeddings.service import get_embedder
from companion_site.ids import new_id
from companion_site.vault import unlocked
from companion_site.vault.boxes import SpaceKey
from companion_site.vault.keyring import hash_words
from companion_site.vault.scope import lock_space, space_scope
from memory.models import MemoryNode
from memory.student.compression.requests import compress_if_needed
from memory.student.ingest.formation import Draft, Said, draft_memories
from memory.student.ingest.lookahead import Foreseen, Foresight
from memory.student.ingest.store import store_memories
from memory.student.sleep.timing import plan_sleep
from memory.student.workingset import working_sets

logger = structlog.get_logger(__name__)


def form_together(
    said: Sequence[Said],
    *,
    space: UUID,
    key: SpaceKey,
    now: datetime,
    claim: Callable[[], bool],
    foresight: Foresight | None = None,
) -> int | None:
    """Form the memories of several things said; return how many are new, or None where somebody was faster.

    Embedding and models come before the transaction, which takes the space's lock. Killed anywhere, it has either
    written everything or nothing.

    Args:
        said: in the order in which they were said; of none, nothing forms.
        claim: called in the transaction, under the lock: marks what was read as done and returns True, or returns
            False where that has been done already.
        foresight: one for all that is formed in the same run, so that the space is not read whole for each.
    """
    with unlocked(space, key):
        foreseen = _draft_in_order(space, said, foresight or Foresight(space), embedder=get_embedder())
        with space_scope(space):
            lock_space(space)
            if not claim():
                return None
            formed = _store_in_order(space, foreseen, now=now)
            if said:
                plan_sleep(space, now=now)
        if formed:
            compress_if_needed(space, now=now)
    logger.info("memory.formed_together", things=len(said), count=formed)
    return formed


def _draft_in_order(
    space: UUID, said: Sequence[Said], foresight: Foresight, *, embedder: Embedder
) -> list[Foreseen]:
    """Return what each will leave behind, the earlier ones held as if they were written."""
    foreseen: list[Foreseen] = []
    if not said:
        return foreseen
    if len(said) > 1:
        held = foresight.begin(embedder)
    else:
        held = working_sets.get(space, model=embedder.model, dimension=embedder.dimension)
    for one in said:
        draft = draft_memories(one, working_set=held, embedder=embedder)
        foreseen.append(Foreseen(draft=draft, ids=[new_id() for _ in draft.statements]))
        if len(said) > 1 and draft.statements:
            foresight.add(foreseen[-1])
    return foreseen


def _store_in_order(space: UUID, foreseen: Iterable[Foreseen], *, now: datetime) -> int:
    """Write the drafts; return how many memories are new. The caller holds the space's lock and transaction."""
    formed, written = 0, dict[UUID, UUID]()
    for each in foreseen:
        formed += len(store_memories(space, _resolved(each.draft, written), now=now))
        written |= _find_written(space, each)
    return formed


def _find_written(space: UUID, foreseen: Foreseen) -> dict[UUID, UUID]:
    """Return the memory that each foreseen one has become; none of what is no longer believed."""
    texts = [statement.text for statement in foreseen.draft.statements]
    digest_of = {node: hash_words(space, text) for node, text in zip(foreseen.ids, texts, strict=True)}
    rows = MemoryNode.objects.for_space(space).active().filter(content_hash__in=list(digest_of.values()))
    found = {bytes(digest): node for digest, node in rows.values_list("content_hash", "pk")}
    return {node: found[digest] for node, digest in digest_of.items() if digest in found}


def _resolved(draft: Draft, written: Mapping[UUID, UUID]) -> Draft:
    """Return a draft that points at memories; what it foresaw and was not written is passed over when it is stored."""
    contradictions = [
        found
        if isinstance(found.earlier, int)
        else replace(found, earlier=written.get(found.earlier, found.earlier))
        for found in draft.contradictions
    ]
    edges = [
        (one, written.get(other, other), kind, weight) for one, other, kind, weight in draft.neighbour_edges
    ]
    return replace(draft, contradictions=contradictions, neighbour_edges=edges)
