"""The fog of war of one student: what of their school's world may not be named to them."""

from collections.abc import Iterable
from datetime import datetime
from uuid import UUID

from companion_site.accounts.models import Person
from companion_site.language import Language, detect_language
from overlay.guard import Fog, mask
from overlay.services import known_concepts
from overlay.worlds import World, world_of


def fog_for(person: Person, space: UUID, *, now: datetime) -> Fog:
    """Return what is hidden from a student, whose space is unlocked; nothing where their school has no world."""
    return make_fog(world_of(person), known_concepts(person, space, now=now))


def make_fog(world: World, known: Iterable[UUID]) -> Fog:
    """Return the fog over all of a world but what is known; the world's names are prepared once for everybody."""
    return Fog(world.guarded_names, frozenset(map(str, known)))


def mask_unknown(fog: Fog, text: str, *, default: Language = "en") -> str:
    """Return a text of the world's own with what is hidden veiled, in the text's language."""
    return mask(text, fog, language=detect_language(text, default=default)) if text else text


def drop_unknown(fog: Fog, words: str) -> str:
    """Return a few words of the world's own, as a kind is; none where they name what is hidden."""
    return words if mask_unknown(fog, words) == words else ""
