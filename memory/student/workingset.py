"""An unlocked space's memory as arrays, held by this process while its person is there.

A sealed space is small by design, so searching it is one matrix product over everything, with no approximation. A
write elsewhere is seen by the space's version counter and brings only the rows that changed.
"""

from dataclasses import dataclass, field
from itertools import islice
from threading import RLock
from uuid import UUID

import numpy as np
from scipy.sparse import csr_array

from companion_site.language import tokens
from companion_site.vault import workingsets
from memory.algorithms.adjacency import from_pairs
from memory.algorithms.fusion import Corpus, question_share
from memory.algorithms.isotropy import Isotropy, fit_isotropy
from memory.algorithms.lexical import LexicalIndex
from memory.student.entities import Known
from memory.student.selectors import GraphChanges, NodeData, load_changes

#: bytes of one row beside its vector and text: index postings, arrays, objects (measured by bench.retrieval)
ROW_BYTES = 3_000
#: Up to so many memories, what all vectors share is fitted anew at each write (2 ms for 1,000).
FITTED_TO_ALL = 2_048
#: Beyond, it is fitted to a multiple of a sixteenth of their number: few writes fit it anew, and a working set that
#: grew memory by memory still searches as one that was loaded.
FITTED_SHARE = 16
#: What speaks of one person or thing is held together by so much, as an edge is, with so many of those before it.
TOGETHER = 0.6
MOST_TOGETHER = 8


@dataclass(eq=False)
class WorkingSet:
    """Rows never move: row i is node `nodes[i]` for as long as the working set lives.

    Taking changes in and searching exclude each other by `lock`; a `corpus` that was read once stays as it was. While a
    space's memories are embedded anew, those without a vector of the present model have zeros, and `corpus.known` says so.
    """

    space: UUID
    dimension: int
    model: str = ""
    version: int = -1
    nodes: list[NodeData] = field(default_factory=list)
    row_of: dict[UUID, int] = field(default_factory=dict)
    lexical: LexicalIndex = field(default_factory=LexicalIndex)
    edges: dict[tuple[int, int], float] = field(default_factory=dict)
    speakers: list[str] = field(default_factory=list)
    languages: set[str] = field(default_factory=set)
    entities: dict[UUID, Known] = field(default_factory=dict)
    #: by entity, the rows that speak of it, and how
    spoken_of: dict[UUID, dict[int, str]] = field(default_factory=dict)
    #: names of entities, casefolded
    names: frozenset[str] = frozenset()
    #: the packs that the space reads beside its memory, by their spaces; who may still read them is asked when they are
    mounts: tuple[UUID, ...] = ()
    #: (k, d) of the statements of a memory of several, where they were compared one by one
    statement_vectors: dict[UUID, np.ndarray] = field(default_factory=dict, repr=False)
    size_bytes: int = 0
    lock: RLock = field(default_factory=RLock, repr=False)
    corpus: Corpus = field(init=False)
    adjacency: csr_array = field(init=False)
    gravity: np.ndarray = field(init=False)
    salience: np.ndarray = field(init=False)
    accessed_at: np.ndarray = field(init=False)
    expires_at: np.ndarray = field(init=False)
    confidence: np.ndarray = field(init=False)
    #: seconds since the epoch; of what has no source, when it formed
    said_at: np.ndarray = field(init=False)
    tier: np.ndarray = field(init=False)
    category: np.ndarray = field(init=False)
    of_danger: np.ndarray = field(init=False)

    def __post_init__(self) -> None:
        self._vectors = np.zeros((0, self.dimension), dtype=np.float32)
        self._known = np.zeros(0, dtype=bool)
        self._asks: list[float] = []
        self._fitted_rows = np.zeros(0, dtype=np.int64)
        self._isotropy = fit_isotropy(self._vectors)
        self._freeze()
        self._note_numbers()

    def __len__(self) -> int:
        return len(self.nodes)

    def refresh(self) -> None:
        """Take in what changed since the version that is held; inside the space's scope, the space unlocked."""
        self.apply(load_changes(self.space, after=self.version, model=self.model))

    def apply(self, changes: GraphChanges) -> None:
        """Take in what changed; running it twice with the same changes changes nothing more."""
        placed = [self._put(node) for node in changes.nodes]
        for *ends, weight in changes.edges:
            source, target = map(self.row_of.get, ends)
            if source is not None and target is not None:
                self._join(source, target, weight)
        self._take_entities(changes)
        if any(placed) or changes.edges or changes.mentions:
            self._freeze()
        if placed:
            self._note_numbers()
        if changes.mounts is not None:
            self.mounts = tuple(changes.mounts)
        self.version = changes.version

    def _take_entities(self, changes: GraphChanges) -> None:
        for mention in changes.mentions:
            row = self.row_of.get(mention.node)
            if row is not None:
                rows = self.spoken_of.setdefault(mention.entity, {})
                # What speaks of the same person or thing leads on to it, the latest rather than all.
                if row not in rows:
                    for other in islice(reversed(rows), MOST_TOGETHER):
                        self._join(row, other, TOGETHER)
                rows[row] = mention.type
        if changes.entities:
            self.entities |= {one.id: one for one in changes.entities}
            self.names = frozenset(one.name.casefold() for one in self.entities.values() if one.name)

    def _note_numbers(self) -> None:
        """Keep as arrays what every recall reads of each node, and use or sleep may change without a word of it."""
        rows = [
            (node.gravity, node.salience, node.accessed_at, node.expires_at, node.confidence, said_at(node))
            for node in self.nodes
        ]
        self.gravity, self.salience, self.accessed_at, self.expires_at, self.confidence, self.said_at = (
            np.array(rows).reshape(-1, 6).T.copy()
        )
        self.tier = np.array([node.tier for node in self.nodes], dtype=np.str_)
        self.category = np.array([node.category for node in self.nodes], dtype=np.str_)
        self.of_danger = np.array([node.of_danger for node in self.nodes], dtype=bool)

    def _put(self, node: NodeData) -> bool:
        """Take in one node; return whether searching sees a difference, as it does not when one was merely used."""
        row = self.row_of.get(node.id)
        if row is None:
            if node.alive:
                self._append(node)
            return node.alive
        was_alive, was_known = self.nodes[row].alive, bool(self._known[row])
        self.nodes[row] = node
        if was_alive and not node.alive:
            self.lexical.remove(row)
        elif node.alive and not was_alive:
            self.lexical.update(row, self._tokens(node))
        if node.alive and (not was_alive or was_known != (node.vector is not None)):
            self._place(row, node)
            return True
        return node.alive != was_alive

    def _place(self, row: int, node: NodeData) -> None:
        """Put a memory where its vector says; without one it is nowhere, and found by its words."""
        self._known[row] = node.vector is not None
        self._vectors[row] = 0.0 if node.vector is None else node.vector

    def _append(self, node: NodeData) -> None:
        row = len(self.nodes)
        self.nodes.append(node)
        self.row_of[node.id] = row
        self.lexical.add(self._tokens(node))
        self._asks.append(question_share(node.text or ""))
        if row >= len(self._vectors):
            grown = np.zeros((max(64, 2 * len(self._vectors)), self.dimension), dtype=np.float32)
            grown[: len(self._vectors)] = self._vectors
            self._vectors, self._known = grown, np.resize(self._known, len(grown))
        self._place(row, node)
        self.languages.add(node.language)
        self.size_bytes += ROW_BYTES + 4 * self.dimension + 2 * len(node.text or "")

    def _tokens(self, node: NodeData) -> list[str]:
        return tokens(node.text or "", node.language)  # type: ignore[arg-type]  # a column of languages

    def _join(self, one: int, other: int, weight: float) -> None:
        key = (min(one, other), max(one, other))
        self.edges[key] = max(self.edges.get(key, 0.0), weight)

    def _freeze(self) -> None:
        """Rebuild the arrays that searching reads; the vectors and the lexical index stay as they are."""
        count = len(self.nodes)
        sources = [node.source for node in self.nodes]
        conversation = self._numbered([source.conversation if source else None for source in sources])
        names = [source.speaker if source else None for source in sources]
        self.speakers = sorted({name for name in names if name})
        number = {name: index + 1 for index, name in enumerate(self.speakers)}
        alive = np.array([node.alive for node in self.nodes], dtype=bool)
        known = self._known[:count].copy()
        self.corpus = Corpus.build(
            vectors=self._vectors[:count],
            lexical=self.lexical,
            alive=alive,
            conversation=conversation,
            session=conversation,
            position=np.array([source.position if source else 0 for source in sources], dtype=np.int64),
            speaker=np.array([number[name] if name else 0 for name in names], dtype=np.int64),
            said_at=np.array([source.said_at if source else np.nan for source in sources], dtype=np.float64),
            asks=np.array(self._asks, dtype=np.float32),
            isotropy=self._fitted(alive & known),
            known=known,
        )
        self.adjacency = self._adjacency(alive)

    def _fitted(self, there: np.ndarray) -> Isotropy:
        """Return what the vectors share, fitted anew only where the rows that it is fitted to are others."""
        rows = np.flatnonzero(there)
        if len(rows) > FITTED_TO_ALL:
            step = (1 << len(rows).bit_length() - 1) // FITTED_SHARE
            rows = rows[: len(rows) // step * step]
        if not np.array_equal(rows, self._fitted_rows):
            self._fitted_rows, self._isotropy = rows, fit_isotropy(self._vectors[rows])
        return self._isotropy

    @staticmethod
    def _numbered(keys: list) -> np.ndarray:
        numbers: dict = {None: -1}
        return np.array([numbers.setdefault(key, len(numbers) - 1) for key in keys], dtype=np.int64)

    def _adjacency(self, alive: np.ndarray) -> csr_array:
        """Return the weights among what is believed: nothing leads on through a memory that is not."""
        pairs = np.array(list(self.edges), dtype=np.int64).reshape(-1, 2)
        weights = np.array(list(self.edges.values()), dtype=np.float64)
        held = alive[pairs].all(axis=1)
        low, high = pairs[held].T
        return from_pairs(low, high, weights[held], count=len(alive))


def said_at(node: NodeData) -> float:
    """Return when a memory was said, in seconds since the epoch; of what has no source, when it formed."""
    return node.source.said_at if node.source else node.formed_at


class WorkingSets(workingsets.WorkingSets[WorkingSet]):
    """The students' working sets of this process."""

    make = WorkingSet


working_sets = WorkingSets()
