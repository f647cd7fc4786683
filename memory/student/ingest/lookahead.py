"""What is not written yet, held as if it were: a working set beside the shared one, which holds only what is written."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from uuid import UUID

from companion_site.embeddings.protocol import Embedder
from companion_site.vault.scope import space_scope
from memory.models import MemoryNode
from memory.student.ingest.formation import Draft
from memory.student.selectors import GraphChanges, NodeData, SourceData, load_changes
from memory.student.workingset import WorkingSet


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
