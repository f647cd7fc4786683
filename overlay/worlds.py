"""A school's world as a process holds it: read once, shared by everybody, renewed when its space's version moves.

A world is open data, so it may be kept. Asking for it costs one query; everything derived from it (matchers, layout)
is made once per version.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property, partial
from uuid import UUID

import numpy as np
from numpy.typing import NDArray

from companion_site.accounts.models import Person, School, SchoolClass
from companion_site.phrases import Phrase, PhraseMatcher
from companion_site.vault.plaintext import HeldBySpace
from companion_site.vault.scope import space_scope
from companion_site.vault.services import space_version
from overlay.algorithms.graphs import measure_depths
from overlay.algorithms.layout import lay_out
from overlay.guard import WorldNames
from overlay.models import Concept, ConceptEdge

#: What a concept with two other names takes, with its share of the matchers.
CONCEPT_BYTES = 13_500
#: Of all worlds that one process holds: 30,000 concepts.
HELD_BYTES = 30_000 * CONCEPT_BYTES
#: A world that nobody asks for is kept over the weekend; to make its matchers anew takes some seconds.
IDLE_S = 7 * 24 * 3600


@dataclass(frozen=True, eq=False)
class World:
    """A world graph at one version. Nodes are numbered in the order of their keys."""

    space: UUID | None
    version: int
    concepts: tuple[Concept, ...]
    edges: tuple[ConceptEdge, ...]

    @cached_property
    def size_bytes(self) -> int:
        return CONCEPT_BYTES * len(self.concepts)

    @cached_property
    def number(self) -> dict[UUID, int]:
        """The node of each concept."""
        return {concept.id: place for place, concept in enumerate(self.concepts)}

    @cached_property
    def ends(self) -> NDArray[np.int64]:
        """(m, 2) int64: the nodes of each edge."""
        pairs = [[self.number[end] for end in edge.ends] for edge in self.edges]
        return np.array(pairs, dtype=np.int64).reshape(-1, 2)

    @cached_property
    def edges_at(self) -> dict[UUID, list[ConceptEdge]]:
        """The edges that touch each concept that has any."""
        found: dict[UUID, list[ConceptEdge]] = {}
        for edge in self.edges:
            for end in edge.ends:
                found.setdefault(end, []).append(edge)
        return found

    @cached_property
    def depths(self) -> NDArray[np.int64]:
        """(n,) int64: how many prerequisites each concept stands on, by the longest way."""
        requires = np.array([edge.type == ConceptEdge.Type.REQUIRES for edge in self.edges], dtype=bool)
        return measure_depths(len(self.concepts), self.ends[requires, 0], self.ends[requires, 1])

    @cached_property
    def positions(self) -> NDArray[np.float64]:
        """(n, 2) float64: where each concept stands on the map."""
        return lay_out(self.depths, self.ends[:, 0], self.ends[:, 1])

    @cached_property
    def matcher(self) -> PhraseMatcher:
        """Finds names of concepts, by the text of their ids, in what a student said."""
        return PhraseMatcher(self._phrases())

    @cached_property
    def guarded_names(self) -> WorldNames:
        """All names as the fog of war looks for them, however they are disguised; by the text of the concepts' ids."""
        return WorldNames.build(self._phrases())

    def prepare(self) -> None:
        """Make now what a turn and the map would wait for: at 20,000 concepts the matchers take some seconds."""
        for _ in (self.matcher, self.guarded_names, self.positions, self.edges_at):
            pass

    def get(self, concept: UUID) -> Concept | None:
        """Return a concept of the world; None for what is not, or no longer, part of it."""
        place = self.number.get(concept)
        return None if place is None else self.concepts[place]

    def named_in(self, text: str) -> frozenset[UUID]:
        """Return the concepts that a text names."""
        return frozenset(UUID(found.key) for found in self.matcher.find(text))

    def _phrases(self) -> Iterator[Phrase]:
        return (Phrase(str(concept.id), name) for concept in self.concepts for name in concept.names)


NO_WORLD = World(None, 0, (), ())


class Worlds(HeldBySpace[World]):
    """The worlds that this process holds, the longest unused going first."""

    def get(self, space: UUID | None) -> World:
        """Return the world of a space as it is now; one query where nothing changed."""
        if space is None:
            return NO_WORLD
        version = space_version(space)
        world = self.take(space, partial(load_world, space), fits=lambda held: held.version >= version)
        self.trim()
        return world


def load_world(space: UUID) -> World:
    """Read a world with the version it has; what is written meanwhile shows in the next version."""
    version = space_version(space)
    with space_scope(space):
        rows = Concept.objects.for_space(space).filter(removed_at__isnull=True)
        concepts = tuple(rows.order_by("key"))
        edges = list(ConceptEdge.objects.for_space(space).order_by("id"))
    present = {concept.id for concept in concepts}
    return World(space, version, concepts, tuple(edge for edge in edges if present.issuperset(edge.ends)))


worlds = Worlds(budget_bytes=HELD_BYTES, idle_s=IDLE_S, of_people=False)


def space_of_world(reader: Person | SchoolClass) -> UUID | None:
    """Return the space of the world of a person's or a class's school; None where there is none."""
    return reader.school.world_space_id if reader.school else None


def world_of(reader: Person | SchoolClass) -> World:
    """Return the world of a person's or a class's school; an empty one where there is none."""
    return worlds.get(space_of_world(reader))


def prepare_worlds() -> None:
    """Hold the schools' worlds ready, as many as there is room for: for the start of a server, beside its work."""
    room = worlds.budget_bytes
    for space in School.objects.filter(world_space_id__isnull=False).values_list("world_space_id", flat=True):
        world = worlds.get(space)
        room -= world.size_bytes
        if room < 0:
            return
        world.prepare()
