"""Bounds of a world and of what a student sees of it."""

from dataclasses import dataclass

from django.conf import settings


@dataclass(frozen=True, kw_only=True)
class WorldBounds:
    """How much one world may hold. Names are what the outgoing stream is searched for, so they are bounded too."""

    file_bytes: int = 16 * 2**20
    concepts: int = 20_000
    edges: int = 100_000
    aliases: int = 20
    name_chars: int = 200
    #: letters and digits that a name has at least: shorter ones stand in every other sentence
    name_least: int = 3
    description_chars: int = 2_000
    #: problems of one file that are told at once
    problems: int = 20


@dataclass(frozen=True, kw_only=True)
class OverlayParams:
    """How a student's part of the world grows, and how much of it is shown."""

    #: share of what is still missing to full familiarity that one message closes; two weeks of daily use: 0.77
    familiarity_rate: float = 0.1
    notes_chars: int = 2_000
    #: known concepts that go along with one message
    lines: int = 12
    #: concepts that the map draws at once
    map_concepts: int = 1_000


BOUNDS = WorldBounds(concepts=settings.WORLD_MAX_CONCEPTS)
PARAMS = OverlayParams()
