"""One known concept closely: what it is, what it hangs together with, what the student thinks of it."""

from collections.abc import Mapping
from dataclasses import dataclass
from uuid import UUID

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from overlay.models import ConceptEdge
from overlay.selectors import Known
from overlay.worlds import World, WorldConcept, WorldEdge

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
