"""An agent's memory as arrays, held by this process while it is used: loaded whole, kept up by the space's version.

What a pack lends is not here: packs are open, and as large as they like.
"""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from threading import RLock
from typing import Any
from uuid import UUID

import numpy as np

from companion_site.accounts.access import Access
from companion_site.embeddings.protocol import Embedder
from companion_site.embeddings.service import get_embedder
from companion_site.vault import workingsets
from companion_site.vault.keyring import key_of
from companion_site.vault.services import space_version
from memory.agents.links import Linked, link_rows
from memory.agents.profiles import Profile
from memory.algorithms.activation import TYPE_CODE, resonate
from memory.algorithms.hdod import NodeText
from memory.algorithms.lexical import LexicalIndex
from memory.models import Agent, AgentNode, AgentSource, AgentVector, PackMount
from memory.nodes import NEVER, terms_of, text_of, wire_node

#: bytes of one row beside its vector and words: postings, numbers, objects
ROW_BYTES = 3_000
#: characters of nodes' texts that are kept encoded; beyond that all are given up, and made anew as they are asked for
MOST_TOLD_CHARS = 8 * 2**20
#: one row's numbers; times in seconds since the epoch, nan: never
NUMBERS = np.dtype(
    [
        ("alive", "?"),
        ("type", "i1"),
        ("uses", "i8"),
        ("last_used_at", "f8"),
        ("changed_at", "f8"),
        ("created_at", "f8"),
        ("resonance", "f8"),
        ("resonance_tick", "i8"),
        ("decay", "f8"),
        ("source", "i4"),
        ("tags", "i4"),
    ]
)


@dataclass(eq=False)
class AgentWorkingSet:
    """Rows never move: row i is node `ids[i]` for as long as the working set lives.

    Taking changes in and searching exclude each other by `lock`.
    """

    space: UUID
    model: str
    dimension: int
    version: int = -1
    tick: int = 0
    name: str = ""
    profile: Profile = field(default_factory=Profile)
    #: spaces of the packs that are mounted
    packs: Sequence[UUID] = ()
    ids: list[UUID] = field(default_factory=list)
    contents: list[Mapping[str, Any]] = field(default_factory=list)
    #: every set of tags that some node carries, each once; which of them a row carries, `numbers` says
    tag_sets: list[frozenset[str]] = field(default_factory=lambda: [frozenset()])
    row_of: dict[str, int] = field(default_factory=dict)
    row_of_id: dict[UUID, int] = field(default_factory=dict)
    #: rows of episodes, by keyed hash of their task
    episodes: dict[bytes, set[int]] = field(default_factory=dict)
    #: times shown and times of use, by keyed hash of the source's name
    sources: Mapping[bytes, tuple[int, int]] = field(default_factory=dict)
    #: keyed hash of a source's name, by its number in `numbers`; number 0 stands for none
    source_names: list[bytes] = field(default_factory=lambda: [b""])
    lexical: LexicalIndex = field(default_factory=LexicalIndex)
    #: what an earlier context of a task left, by keyed hash of the task: read once, gone with the next change
    left: dict[bytes, Any] = field(default_factory=dict, repr=False)
    #: (n,) resonance, with the version and the tick that it was last worked out for
    resonant: tuple[int, int, np.ndarray] | None = field(default=None, repr=False)
    size_bytes: int = 0
    lock: RLock = field(default_factory=RLock, repr=False)
    linked: Linked = field(init=False)

    def __post_init__(self) -> None:
        self._vectors = np.zeros((0, self.dimension), dtype=np.float32)
        self._numbers = np.zeros(0, dtype=NUMBERS)
        self._task: list[bytes | None] = []
        self._source_numbers: dict[bytes, int] = {b"": 0}
        self._tag_numbers: dict[frozenset[str], int] = {frozenset(): 0}
        self._told: dict[int, NodeText] = {}
        self._told_chars = 0
        self.linked = link_rows((), {})

    def __len__(self) -> int:
        return len(self.ids)

    @property
    def vectors(self) -> np.ndarray:
        """(n, d) float32 of unit length; zeros where a node has none under this model, or is gone."""
        return self._vectors[: len(self)]

    @property
    def numbers(self) -> np.ndarray:
        """(n,) of dtype `NUMBERS`."""
        return self._numbers[: len(self)]

    def text_at(self, row: int) -> NodeText:
        """Return what a node says in a context, encoded once for as long as it is the same."""
        text = self._told.get(row)
        if text is None:
            text = NodeText(self.contents[row])
            if self._told_chars + text.most_chars > MOST_TOLD_CHARS:
                self._forget_told(*self._told)
            self._told[row] = text
            self._count_told(text.most_chars)
        return text

    def rows_of_type(self, name: str) -> list[int]:
        """Return the rows of one type, the newest first."""
        rows = np.flatnonzero(self.numbers["alive"] & (self.numbers["type"] == TYPE_CODE[name]))
        return [int(row) for row in rows[np.argsort(-self.numbers["created_at"][rows], kind="stable")]]

    def refresh(self) -> None:
        """Take in what changed since the version that is held. Inside the space's scope, the space unlocked."""
        space, is_new = self.space, self.version < 0
        version = space_version(space)
        agent = Agent.objects.for_space(space).get()
        rows = AgentNode.objects.for_space(space).filter(version__gt=self.version).order_by("id")
        vectors = AgentVector.objects.for_space(space).filter(model=self.model).order_by()
        # Of a memory that is loaded whole, all vectors come by a join; of a few changes, by the nodes' ids.
        if is_new:
            rows = rows.filter(removed_at__isnull=True)
            vectors = vectors.filter(node__removed_at__isnull=True)
        nodes = list(rows)
        if not is_new:
            vectors = vectors.filter(node_id__in=[node.pk for node in nodes])
        vector_of = {row.node_id: row.vector for row in vectors}
        terms: list[list[str]] = []
        relink = [self._put(node, vector_of.get(node.pk), terms) for node in nodes]
        if len(self.lexical) == 0:
            self.lexical = LexicalIndex(terms)
        else:
            for tokens in terms:
                self.lexical.add(tokens)
        self.tick, self.name, self.profile = agent.tick, agent.name, Profile(**agent.profile)
        sources = AgentSource.objects.for_space(space).values_list("name_hash", "shown", "helped")
        self.sources = {bytes(digest): (shown, helped) for digest, shown, helped in sources}
        self.packs = list(PackMount.objects.for_space(space).values_list("pack_space_id", flat=True))
        self.left.clear()
        if any(relink):
            self.linked = link_rows(self.contents, self.row_of)
        self.version = version

    def _put(self, node: AgentNode, vector: np.ndarray | None, terms: list[list[str]]) -> bool:
        """Take in one node, adding a new one's terms to `terms`; return whether its links may be others."""
        content: Mapping[str, Any] = {} if node.removed_at else {**node.content, "type": node.type}
        row = self.row_of_id.get(node.pk)
        is_new = row is None
        if row is None:
            if not content:
                return False
            row = self._append(node.pk)
            terms.append(terms_of(text_of(content)))
        before = self.contents[row]
        if content != before:
            self.contents[row] = content
            self.size_bytes += _text_bytes(content) - _text_bytes(before)
            if not content:
                self.row_of.pop(before["id"], None)
                self.lexical.remove(row)
            else:
                self.row_of[content["id"]] = row
                if not is_new:
                    self.lexical.update(row, terms_of(text_of(content)))
            self._forget_told(row)
        self._set_task(row, bytes(node.task_hash) if content and node.task_hash else None)
        self._vectors[row] = vector if content and vector is not None else 0.0
        self._number(row, node, content)
        return is_new or content != before

    def _append(self, node: UUID) -> int:
        row = len(self.ids)
        if row >= len(self._numbers):
            room = max(64, 2 * row)
            vectors = np.zeros((room, self.dimension), dtype=np.float32)
            numbers = np.zeros(room, dtype=NUMBERS)
            vectors[:row], numbers[:row] = self._vectors, self._numbers
            self._vectors, self._numbers = vectors, numbers
        self.ids.append(node)
        self.row_of_id[node] = row
        self.contents.append({})
        self._task.append(None)
        self.size_bytes += ROW_BYTES + 4 * self.dimension
        return row

    def _forget_told(self, *rows: int) -> None:
        for row in rows:
            if text := self._told.pop(row, None):
                self._count_told(-text.most_chars)

    def _count_told(self, chars: int) -> None:
        self._told_chars += chars
        self.size_bytes += chars

    def _set_task(self, row: int, task: bytes | None) -> None:
        before, self._task[row] = self._task[row], task
        if before is not None:
            self.episodes[before].discard(row)
        if task is not None:
            self.episodes.setdefault(task, set()).add(row)

    def _number(self, row: int, node: AgentNode, content: Mapping[str, Any]) -> None:
        source, tags = bytes(node.source_hash or b""), frozenset(content.get("tags", ()))
        self._numbers[row] = (
            bool(content),
            TYPE_CODE[node.type],
            node.uses,
            NEVER if node.last_used_at is None else node.last_used_at.timestamp(),
            node.changed_at.timestamp(),
            node.created_at.timestamp(),
            node.resonance,
            node.resonance_tick,
            node.decay,
            self._number_of(self._source_numbers, self.source_names, source),
            self._number_of(self._tag_numbers, self.tag_sets, tags),
        )

    @staticmethod
    def _number_of(numbers: dict, names: list, name: Any) -> int:
        """Return the number of a name, a new one after all others."""
        if name not in numbers:
            numbers[name] = len(names)
            names.append(name)
        return int(numbers[name])


def _text_bytes(content: Mapping[str, Any]) -> int:
    return 2 * len(text_of(content)) if content else 0


class AgentWorkingSets(workingsets.WorkingSets[AgentWorkingSet]):
    """The agents' working sets of this process."""

    make = AgentWorkingSet


agent_working_sets = AgentWorkingSets()


def working_set_of(space: UUID, *, embedder: Embedder | None = None) -> AgentWorkingSet:
    """Return the current memory of an agent's space as arrays; the space is unlocked here."""
    embedder = embedder or get_embedder()
    return agent_working_sets.get(space, model=embedder.model, dimension=embedder.dimension)


@contextmanager
def open_memory(access: Access) -> Iterator[AgentWorkingSet]:
    """Open an agent's space for the length of the block, in which nobody else changes its memory as arrays."""
    with access.open() as space:
        held = working_set_of(space)
        with held.lock:
            yield held


def resonance_now(held: AgentWorkingSet, *, tick: int | None = None) -> np.ndarray:
    """Return (n,) the resonance of each row at a tick, by default that of the last context; not to be written to."""
    at = held.tick if tick is None else tick
    known = held.resonant
    if known is None or known[:2] != (held.version, at):
        numbers = held.numbers
        value = np.asarray(resonate(numbers["resonance"], numbers["decay"], at - numbers["resonance_tick"]))
        known = held.resonant = (held.version, at, value)
    return known[2]


def held_nodes(held: AgentWorkingSet, rows: Sequence[int] | np.ndarray) -> list[dict[str, Any]]:
    """Return nodes in wire form, in the order given."""
    at = np.asarray(rows, dtype=np.int64)
    numbers = held.numbers[["uses", "last_used_at", "decay"]][at].tolist()
    columns = zip(at.tolist(), numbers, resonance_now(held)[at].tolist(), strict=True)
    return [
        wire_node(held.contents[row], uses=uses, last_used_at=last, resonance=value, decay=decay)
        for row, (uses, last, decay), value in columns
    ]


#: Keyed hashes by which an agent's names are found without opening a row. The space is unlocked here.
def hash_path(space: UUID, path: str) -> bytes:
    return key_of(space).keyed_hash(f"path:{path}")


def hash_task(space: UUID, task: str) -> bytes:
    return key_of(space).keyed_hash(f"task:{task}")


def hash_source(space: UUID, name: str) -> bytes:
    return key_of(space).keyed_hash(f"source:{name}")
