"""An agent's memory as arrays, held by this process while it is used: loaded whole, kept up by the space's version.

What a pack lends is not here: packs are open, and as large as they like.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from threading import RLock
from typing import Any
from uuid import UUID

import numpy as np
from django.conf import settings

from companion_site.embeddings.protocol import Embedder
from companion_site.embeddings.service import get_embedder
from companion_site.errors import NotFound
from companion_site.vault.keyring import key_of
from companion_site.vault.plaintext import HeldBySpace
from companion_site.vault.scope import space_scope
from companion_site.vault.services import space_version
from memory.agents.links import Linked, link_rows
from memory.agents.profiles import Profile
from memory.agents.selectors import AgentChanges, AgentNodeData, load_agent_changes
from memory.algorithms.activation import resonate
from memory.algorithms.hdod import NodeText
from memory.algorithms.lexical import LexicalIndex
from memory.models.agents import NodeType
from memory.nodes.wire import terms_of, text_of, wire_content

#: bytes of one row beside its vector and words: postings, numbers, objects
ROW_BYTES = 3_000
#: characters of nodes' texts that are kept encoded; beyond that all are given up, and made anew as they are asked for
MOST_TOLD_CHARS = 8 * 2**20
TYPES: tuple[str, ...] = tuple(NodeType.values)
TYPE_CODE: Mapping[str, int] = {name: code for code, name in enumerate(TYPES)}
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
        self._link()

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

    def paths(self, rows: np.ndarray) -> list[str]:
        return [self.contents[row]["id"] for row in rows]

    def tags_of(self, row: int) -> frozenset[str]:
        return self.tag_sets[self.numbers["tags"][row]]

    def text_at(self, row: int) -> NodeText:
        """Return what a node says in a context, encoded once for as long as it is the same."""
        text = self._told.get(row)
        if text is None:
            text = NodeText({**self.contents[row], "type": TYPES[self.numbers["type"][row]]})
            if self._told_chars + text.most_chars > MOST_TOLD_CHARS:
                self._forget_told(*self._told)
            self._told[row] = text
            self._count_told(text.most_chars)
        return text

    def rows_of_type(self, name: str) -> list[int]:
        """Return the rows of one type, the newest first."""
        rows = np.flatnonzero(self.numbers["alive"] & (self.numbers["type"] == TYPE_CODE[name]))
        return [int(row) for row in rows[np.argsort(-self.numbers["created_at"][rows], kind="stable")]]

    def apply(self, changes: AgentChanges) -> None:
        """Take in what changed; running it twice with the same changes changes nothing more."""
        terms: list[list[str]] = []
        relink = [self._put(node, terms) for node in changes.nodes]
        if len(self.lexical) == 0:
            self.lexical = LexicalIndex(terms)
        else:
            for tokens in terms:
                self.lexical.add(tokens)
        self.tick, self.name, self.profile = changes.tick, changes.name, changes.profile
        self.sources, self.packs = changes.sources, changes.packs
        self.left.clear()
        if any(relink):
            self._link()
        self.version = changes.version

    def _put(self, node: AgentNodeData, terms: list[list[str]]) -> bool:
        """Take in one node, adding a new one's terms to `terms`; return whether its links may be others."""
        row = self.row_of_id.get(node.id)
        if row is None:
            if node.content is None:
                return False
            row = self._append(node)
            terms.append(terms_of(text_of(node.content)))
            same = False
        else:
            same = self._replace(row, node)
        self._vectors[row] = 0.0 if node.vector is None else node.vector
        self._number(row, node)
        return not same

    def _append(self, node: AgentNodeData) -> int:
        row = len(self.ids)
        if row >= len(self._numbers):
            room = max(64, 2 * row)
            vectors = np.zeros((room, self.dimension), dtype=np.float32)
            numbers = np.zeros(room, dtype=NUMBERS)
            vectors[:row], numbers[:row] = self._vectors, self._numbers
            self._vectors, self._numbers = vectors, numbers
        self.ids.append(node.id)
        self.row_of_id[node.id] = row
        self.contents.append({})
        self._task.append(None)
        self._take_content(row, node)
        self.size_bytes += ROW_BYTES + 4 * self.dimension
        return row

    def _replace(self, row: int, node: AgentNodeData) -> bool:
        """Take in another version of a node that is held; return whether its content is the same."""
        before = self.contents[row]
        if node.content is None:
            if before:
                self.row_of.pop(before["id"], None)
                self.lexical.remove(row)
                self._set_content(row, {})
                self._set_task(row, None)
            return not before
        self._set_task(row, node.task)
        if before == node.content:
            return True
        self._take_content(row, node)
        self.lexical.update(row, terms_of(text_of(node.content)))
        return False

    def _take_content(self, row: int, node: AgentNodeData) -> None:
        content = node.content or {}
        self._set_content(row, content)
        self.row_of[content["id"]] = row
        self._set_task(row, node.task)

    def _set_content(self, row: int, content: Mapping[str, Any]) -> None:
        before, self.contents[row] = self.contents[row], content
        self._forget_told(row)
        self.size_bytes += _text_bytes(content) - _text_bytes(before)

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

    def _number(self, row: int, node: AgentNodeData) -> None:
        if self._numbers["type"][row] != TYPE_CODE[node.type]:
            self._forget_told(row)
        self._numbers[row] = (
            node.content is not None,
            TYPE_CODE[node.type],
            node.uses,
            node.last_used_at,
            node.changed_at,
            node.created_at,
            node.resonance,
            node.resonance_tick,
            node.decay,
            self._number_of(self._source_numbers, self.source_names, node.source or b""),
            self._number_of(
                self._tag_numbers, self.tag_sets, frozenset((node.content or {}).get("tags", ()))
            ),
        )

    @staticmethod
    def _number_of(numbers: dict, names: list, name: Any) -> int:
        """Return the number of a name, a new one after all others."""
        if name not in numbers:
            numbers[name] = len(names)
            names.append(name)
        return int(numbers[name])

    def _link(self) -> None:
        self.linked = link_rows(self.contents, self.row_of)


def _text_bytes(content: Mapping[str, Any]) -> int:
    return 2 * len(text_of(content)) if content else 0


class AgentWorkingSets(HeldBySpace[AgentWorkingSet]):
    """The agents' working sets of this process."""

    def get(self, space: UUID, *, model: str, dimension: int) -> AgentWorkingSet:
        """Return the current working set of an unlocked agent's space: one query when nothing changed.

        Raises:
            SpaceLocked: the space is not unlocked here.
        """
        key_of(space)
        held = self.take(
            space,
            lambda: AgentWorkingSet(space, model, dimension),
            fits=lambda found: found.model == model and found.dimension == dimension,
        )
        with held.lock:
            # The version is no row of the space: asking for it needs no transaction, which would cost three round trips.
            if space_version(space) != held.version:
                with space_scope(space):
                    held.apply(load_agent_changes(space, after=held.version, model=model))
        self.trim()
        return held


agent_working_sets = AgentWorkingSets(
    budget_bytes=settings.WORKING_SET_MB * 2**20, idle_s=settings.SESSION_IDLE_MINUTES * 60
)


def working_set_of(space: UUID, *, embedder: Embedder | None = None) -> AgentWorkingSet:
    """Return the current memory of an agent's space as arrays; the space is unlocked here."""
    embedder = embedder or get_embedder()
    return agent_working_sets.get(space, model=embedder.model, dimension=embedder.dimension)


def resonance_now(held: AgentWorkingSet, *, tick: int | None = None) -> np.ndarray:
    """Return (n,) the resonance of each row at a tick, by default that of the last context; not to be written to."""
    at = held.tick if tick is None else tick
    known = held.resonant
    if known is None or known[:2] != (held.version, at):
        numbers = held.numbers
        value = np.asarray(resonate(numbers["resonance"], numbers["decay"], at - numbers["resonance_tick"]))
        known = held.resonant = (held.version, at, value)
    return known[2]


def held_node(held: AgentWorkingSet, path: str) -> dict[str, Any]:
    """Return one node in wire form.

    Raises:
        NotFound: there is none of this path.
    """
    row = held.row_of.get(path)
    if row is None:
        raise NotFound()
    return held_nodes(held, [row])[0]


def held_nodes(held: AgentWorkingSet, rows: Sequence[int] | np.ndarray) -> list[dict[str, Any]]:
    """Return nodes in wire form, in the order given."""
    at = np.asarray(rows, dtype=np.int64)
    numbers = held.numbers[at]
    columns = zip(
        at.tolist(),
        numbers["type"].tolist(),
        numbers["uses"].tolist(),
        numbers["last_used_at"].tolist(),
        resonance_now(held)[at].tolist(),
        numbers["decay"].tolist(),
        strict=True,
    )
    return [
        wire_content(
            held.contents[row],
            type=TYPES[code],
            uses=uses,
            last_used_at=last_used_at,
            resonance=resonance,
            decay=decay,
        )
        for row, code, uses, last_used_at, resonance, decay in columns
    ]
