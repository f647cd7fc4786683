"""The ways in: whatever memories form from, one thing said or several together, is thought out and written here, once.

A chat message, a lesson, a prompt run and an observation differ in where they are read and in how they are marked as
done; both belong to the caller, who gives the words and a `claim`.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from time import perf_counter
from uuid import UUID

import structlog

from companion_site.embeddings.protocol import Embedder
from companion_site.embeddings.service import get_embedder
from companion_site.ids import new_id
from companion_site.vault import unlocked
from companion_site.vault.boxes import SpaceKey
from companion_site.vault.keyring import hash_words
from companion_site.vault.scope import space_scope, write_scope
from memory.models import MemoryNode
from memory.student.compression.run import compress_if_needed
from memory.student.ingest.formation import Draft, Said, draft_memories
from memory.student.ingest.store import store_memories
from memory.student.selectors import GraphChanges, NodeData, SourceData, load_changes
from memory.student.sleep.timing import plan_sleep
from memory.student.workingset import WorkingSet, working_sets

logger = structlog.get_logger(__name__)


@dataclass(frozen=True, kw_only=True)
class Foreseen:
    """A draft, and by which ids those after it know its statements."""

    draft: Draft
    ids: Sequence[UUID]


class Foresight:
    """A space's memory with what is about to be written; one serves all that forms in one run, one thing after the other.

    The space is read whole once, and from then on only what changed. Whoever uses it has the space unlocked.
    """

    def __init__(self, space: UUID) -> None:
        self._space = space
        self._held: WorkingSet | None = None
        self._foreseen: list[NodeData] = []

    def begin(self, embedder: Embedder) -> WorkingSet:
        """Return the memory as it is written now; what was foreseen before is forgotten, whatever has become of it."""
        held = self._held = self._held or WorkingSet(self._space, embedder.dimension)
        with space_scope(self._space):
            changes = load_changes(self._space, after=held.version, model=embedder.model)
        gone = [replace(node, alive=False, text=None, vector=None) for node in self._foreseen]
        held.apply(replace(changes, nodes=[*gone, *changes.nodes]))
        self._foreseen = []
        return held

    def add(self, foreseen: Foreseen) -> None:
        """Hold a draft's statements as if they were written."""
        held, nodes = self._held, _as_nodes(foreseen)
        if held is None:
            raise ValueError("begin first")
        self._foreseen += nodes
        held.apply(GraphChanges(version=held.version, nodes=nodes, edges=()))


def _as_nodes(foreseen: Foreseen) -> list[NodeData]:
    draft, said = foreseen.draft, foreseen.draft.said
    at = said.said_at.timestamp()
    source = SourceData(
        kind=said.source_kind,
        source_id=said.source_id,
        conversation=said.conversation_id,
        position=said.position,
        said_at=at,
        speaker=said.speaker,
    )
    return [
        NodeData(
            id=node,
            alive=True,
            text=statement.text,
            vector=vector,
            modality=statement.modality,
            trust=said.trust,
            derived=False,
            tier=MemoryNode.Tier.SHORT_TERM,
            category=MemoryNode.Category.NONE,
            language=said.language,
            salience=statement.salience,
            gravity=statement.salience,
            confidence=statement.confidence,
            valence=statement.valence,
            accessed_at=at,
            expires_at=float("inf"),
            formed_at=at,
            source=source,
        )
        for node, statement, vector in zip(foreseen.ids, draft.statements, draft.vectors, strict=True)
    ]


def form_memories(
    said: Sequence[Said],
    *,
    space: UUID,
    key: SpaceKey,
    now: datetime,
    claim: Callable[[Sequence[Draft]], bool],
    foresight: Foresight | None = None,
) -> int | None:
    """Form the memories of what was said; return how many are new, or None where somebody was faster.

    Embedding and models come before the transaction, which takes the space's lock. Killed anywhere, it has either
    written everything or nothing.

    Args:
        said: in the order in which they were said; of none, nothing forms.
        claim: called in the transaction, under the lock, with what each leaves behind: marks what was read as done and
            returns True, or returns False where that has been done already.
        foresight: one for all that is formed in the same run, so that the space is not read whole for each.
    """
    began = perf_counter()
    with unlocked(space, key):
        foreseen = _draft_in_order(space, said, foresight or Foresight(space), embedder=get_embedder())
        with write_scope(space):
            if not claim([each.draft for each in foreseen]):
                return None
            counts, written = list[int](), dict[UUID, UUID]()
            for each in foreseen:
                counts.append(len(store_memories(space, _resolved(each.draft, written), now=now)))
                written |= _find_written(space, each)
            if said:
                plan_sleep(space, now=now)
        if any(counts):
            compress_if_needed(space, now=now)
    duration_ms = round((perf_counter() - began) * 1000, 1)
    for one, each, count in zip(said, foreseen, counts, strict=True):
        logger.info(
            "memory.formed",
            space=str(space),
            source=str(one.source_id),
            count=count,
            snr=round(each.draft.snr),
            duration_ms=duration_ms,
        )
    return sum(counts)


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
