"""All that a student's pages show of the world: what they know of it, read once for a request."""

from dataclasses import dataclass, replace
from functools import cache, partial
from uuid import UUID

from companion_site.accounts.models import Person
from companion_site.errors import NotFound
from overlay.details import Details, describe_concept
from overlay.fog import drop_unknown, make_fog, mask_unknown
from overlay.picture import Picture, Plate, draw_picture, make_plate
from overlay.selectors import Known, find_discovered, load_known, load_retired
from overlay.worlds import World, WorldConcept, world_of


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
