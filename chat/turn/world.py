"""The step that looks at the student's world: what they name becomes known, and the rest stays in the fog."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime

from chat.access import ChatAccess
from companion_site.vault import unlocked
from overlay.guard import Fog
from overlay.lines import OverlayLine, overlay_lines
from overlay.services import fog_for, learn_from_text, make_fog, take_over_openings
from overlay.worlds import NO_WORLD, world_of


@dataclass(frozen=True, kw_only=True)
class Met:
    """What of the world may be named in this turn, and what is known of it."""

    fog: Fog = field(default_factory=lambda: make_fog(NO_WORLD, ()))
    concepts: Sequence[OverlayLine] = ()


def meet_step(access: ChatAccess, text: str, *, learns: bool, now: datetime) -> Met:
    """Return the fog over the student's world, lifted from what this message names.

    Args:
        learns: whether what is named here is kept, as in every conversation with memory.
    """
    if not access.remembers or not (world := world_of(access.person)).concepts:
        return Met()
    named = frozenset(map(str, world.named_in(text)))
    with unlocked(access.space, access.key):
        if learns:
            take_over_openings(access.person, access.space, now=now)
            if named:
                learn_from_text(access.person, access.space, text, now=now)
        fog = fog_for(access.person, access.space, now=now).allowing(named)
        lines = overlay_lines(access.person, access.space, text, now=now) if learns else ()
    return Met(fog=fog, concepts=lines)
