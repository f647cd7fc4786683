"""What of a student's overlay goes along with a message: plain data, in which nothing unknown is named."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from typing import Literal
from uuid import UUID

from companion_site.accounts.models import Person
from overlay.models import Concept
from overlay.params import PARAMS
from overlay.selectors import Known, load_known
from overlay.services import known_concepts, make_fog, mask_unknown
from overlay.worlds import World, world_of

#: whether the message names a concept, or only something that it hangs together with
Why = Literal["named", "nearby"]


@dataclass(frozen=True)
class OverlayLine:
    """One known concept as the companion is told of it."""

    name: str
    #: without the names of what is unknown
    description: str
    why: Why
    #: -1 to 1
    attitude: float
    #: 0 to 1
    familiarity: float
    #: the student's own words
    notes: str


def overlay_lines(person: Person, space: UUID, text: str, *, now: datetime) -> tuple[OverlayLine, ...]:
    """Return the known concepts that a message names, and those next to them; the student's space is unlocked.

    What is named stands first, in order of how familiar it is; of the rest so many go along as there is room.
    """
    world = world_of(person)
    named = world.named_in(text)
    if not named:
        return ()
    visible = known_concepts(person, space, now=now)
    around = {end for concept in named for edge in world.edges_at.get(concept, ()) for end in edge.ends}
    found: dict[Why, frozenset[UUID]] = {"named": named & visible, "nearby": visible & (around - named)}
    known = load_known(space, found["named"] | found["nearby"])
    chosen = [
        (concept, why)
        for why, concepts in found.items()
        for concept in _by_familiarity(world, concepts, known)
    ]
    fog, lines = make_fog(world, visible), []
    for concept, why in chosen[: PARAMS.lines]:
        own = known.get(concept.id)
        lines.append(
            OverlayLine(
                name=concept.name,
                description=mask_unknown(fog, concept.description),
                why=why,
                attitude=own.attitude if own else 0.0,
                familiarity=own.familiarity if own else 0.0,
                notes=mask_unknown(fog, own.notes) if own else "",
            )
        )
    return tuple(lines)


def _by_familiarity(world: World, concepts: Iterable[UUID], known: dict[UUID, Known]) -> list[Concept]:
    def order(concept: Concept) -> tuple[float, str]:
        found = known.get(concept.id)
        return -(found.familiarity if found else 0.0), concept.key

    return sorted((world.concepts[world.number[id]] for id in concepts), key=order)
