"""What a student's pages show of their world, read once for a request: the map, the list, one concept closely."""

from dataclasses import dataclass, replace
from functools import cache, partial
from uuid import UUID

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from companion_site.accounts.models import Person
from companion_site.errors import NotFound
from overlay.models import Concept, ConceptEdge
from overlay.picture import Picture, Plate, draw_picture, make_plate
from overlay.selectors import Known, find_discovered, load_known, load_retired
from overlay.services import drop_unknown, make_fog, mask_unknown
from overlay.worlds import World, world_of

#: What a concept is to the other end of an edge: by the edge's type, seen from its source and from its target.
RELATIONS: dict[str, tuple[Promise, Promise]] = {
    ConceptEdge.Type.REQUIRES: (_("Builds on"), _("Leads on to")),
    ConceptEdge.Type.PART_OF: (_("Is part of"), _("Has as a part")),
    ConceptEdge.Type.RELATES_TO: (_("Hangs together with"), _("Hangs together with")),
}


@dataclass(frozen=True)
class Neighbour:
    """A known concept at the other end of an edge."""

    id: UUID
    name: str
    relation: Promise
    is_discovered: bool


@dataclass(frozen=True)
class Details:
    """What a student is shown of a concept they know."""

    known: Known
    concept: Concept
    #: without the names of what is still unknown
    description: str
    neighbours: tuple[Neighbour, ...]
    #: whether an edge leads into the fog; never how many, nor where to
    has_fog: bool
    is_retired: bool


@dataclass(frozen=True)
class Atlas:
    """A student's part of their school's world."""

    world: World
    known: dict[UUID, Known]
    known_edges: frozenset[str]
    #: concepts they know that were taken out of the world
    retired: dict[UUID, Concept]

    def picture(self) -> Picture | None:
        """Return the map; None where nothing of the world is known yet."""
        if not self.world.number.keys() & self.known.keys():
            return None
        return draw_picture(self.world, self.known, self.known_edges)

    def listing(self) -> list[Plate]:
        """Return everything that is known, by kind and name; a kind that is itself unknown is not named."""
        name_kind = cache(partial(drop_unknown, make_fog(self.world, self.known)))
        found = ((known, self.concept(known.concept)) for known in self.known.values())
        whole = (make_plate(known, concept) for known, concept in found if concept is not None)
        plates = [replace(plate, kind=name_kind(plate.kind)) for plate in whole]
        return sorted(plates, key=lambda plate: (plate.kind.casefold(), plate.name.casefold()))

    def concept(self, concept: UUID) -> Concept | None:
        return self.world.get(concept) or self.retired.get(concept)

    def details(self, known_id: UUID) -> Details:
        """Return one concept closely.

        Raises:
            NotFound: it is none of the student's, or nothing is left of it.
        """
        known = next((item for item in self.known.values() if item.id == known_id), None)
        concept = None if known is None else self.concept(known.concept)
        if known is None or concept is None:
            raise NotFound()
        edges = self.world.edges_at.get(concept.id, [])
        neighbours = [found for edge in edges if (found := self._neighbour(edge, concept.id)) is not None]
        return Details(
            known=known,
            concept=concept,
            description=mask_unknown(make_fog(self.world, self.known), concept.description),
            neighbours=tuple(sorted(neighbours, key=lambda item: (str(item.relation), item.name))),
            has_fog=len(neighbours) < len(edges),
            is_retired=concept.id not in self.world.number,
        )

    def _neighbour(self, edge: ConceptEdge, here: UUID) -> Neighbour | None:
        """Return what lies at the other end of an edge; None where that is not known."""
        side = 0 if edge.source_id == here else 1
        other = edge.ends[1 - side]
        if other not in self.known:
            return None
        name = self.world.concepts[self.world.number[other]].name
        return Neighbour(self.known[other].id, name, RELATIONS[edge.type][side], edge.key in self.known_edges)


def load_atlas(person: Person, space: UUID) -> Atlas:
    """Return what a student's pages show; their space is unlocked."""
    world, known = world_of(person), load_known(space)
    gone = frozenset(known.keys() - world.number.keys())
    between = (edge for edge in world.edges if known.keys() >= set(edge.ends))
    return Atlas(world, known, find_discovered(space, between), load_retired(person, gone))
