"""What a student's pages show of their world, read once for a request: the map, the list, one concept closely."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cache, partial
from uuid import UUID

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from companion_site.accounts.models import Person
from companion_site.errors import NotFound, SpaceLocked
from companion_site.vault.boxes import SpaceKey
from overlay.models import ConceptEdge
from overlay.picture import Picture, Plate, draw_picture, make_plate
from overlay.selectors import Known, find_discovered, load_known, load_retired
from overlay.services import drop_unknown, make_fog, mask_unknown
from overlay.worlds import World, WorldConcept, WorldEdge, world_of


@dataclass(frozen=True)
class OverlayAccess:
    """A student, the space their overlay is in, and the key that opens it."""

    person: Person
    space: UUID
    key: SpaceKey


def overlay_access(person: Person, space_key: SpaceKey | None) -> OverlayAccess:
    """Return where a student's overlay is.

    Raises:
        NotFound: people of this role have no overlay.
        SpaceLocked: their space is not open in this session.
    """
    if not person.is_active or person.role != Person.Role.STUDENT:
        raise NotFound()
    if space_key is None or space_key.space != person.space_id:
        raise SpaceLocked()
    return OverlayAccess(person, space_key.space, space_key)


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
    concept: WorldConcept
    #: without the names of what is still unknown
    description: str
    neighbours: tuple[Neighbour, ...]
    #: whether an edge leads into the fog; never how many, nor where to
    has_fog: bool
    is_retired: bool


def describe_concept(
    world: World,
    concept: WorldConcept,
    known: Mapping[UUID, Known],
    known_edges: frozenset[str],
    *,
    description: str,
) -> Details:
    """Return a known concept's details; of its neighbours only those that are known too."""
    edges = world.edges_at.get(concept.id, ())
    seen = [edge for edge in edges if _other(edge, concept.id) in known]
    neighbours = [_neighbour(world, edge, concept.id, known, known_edges) for edge in seen]
    return Details(
        known=known[concept.id],
        concept=concept,
        description=description,
        neighbours=tuple(sorted(neighbours, key=lambda item: (str(item.relation), item.name))),
        has_fog=len(seen) < len(edges),
        is_retired=concept.id not in world.number,
    )


def _neighbour(
    world: World,
    edge: WorldEdge,
    here: UUID,
    known: Mapping[UUID, Known],
    known_edges: frozenset[str],
) -> Neighbour:
    other = _other(edge, here)
    return Neighbour(
        id=known[other].id,
        name=world.concepts[world.number[other]].name,
        relation=RELATIONS[edge.type][0 if edge.source == here else 1],
        is_discovered=edge.key in known_edges,
    )


def _other(edge: WorldEdge, here: UUID) -> UUID:
    return edge.target if edge.source == here else edge.source


@dataclass(frozen=True)
class Atlas:
    """A student's part of their school's world."""

    world: World
    known: dict[UUID, Known]
    known_edges: frozenset[str]
    #: concepts they know that were taken out of the world
    retired: dict[UUID, WorldConcept]

    def picture(self) -> Picture | None:
        """Return the map; None where nothing of the world is known yet."""
        if not self.world.number.keys() & self.known.keys():
            return None
        return draw_picture(self.world, self.known, self.known_edges)

    def listing(self) -> list[Plate]:
        """Return everything that is known, by kind and name; a kind that is itself unknown is not named."""
        name_kind = cache(partial(drop_unknown, make_fog(self.world, self.known)))
        found = ((known, self.concept(known.concept)) for known in self.known.values())
        plates = (
            make_plate(known, replace(concept, kind=name_kind(concept.kind)))
            for known, concept in found
            if concept is not None
        )
        return sorted(plates, key=lambda plate: (plate.kind.casefold(), plate.name.casefold()))

    def concept(self, concept: UUID) -> WorldConcept | None:
        return self.world.get(concept) or self.retired.get(concept)

    def details(self, known_id: UUID) -> Details:
        """Return one concept closely.

        Raises:
            NotFound: it is none of the student's, or nothing is left of it.
        """
        known = next((item for item in self.known.values() if item.id == known_id), None)
        concept = None if known is None else self.concept(known.concept)
        if concept is None:
            raise NotFound()
        description = mask_unknown(make_fog(self.world, self.known), concept.description)
        return describe_concept(self.world, concept, self.known, self.known_edges, description=description)


def load_atlas(person: Person, space: UUID) -> Atlas:
    """Return what a student's pages show; their space is unlocked."""
    world, known = world_of(person), load_known(space)
    gone = frozenset(known.keys() - world.number.keys())
    between = (edge for edge in world.edges if edge.source in known and edge.target in known)
    return Atlas(world, known, find_discovered(space, between), load_retired(person, gone))
