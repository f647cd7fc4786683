"""The fog of war on what the companion says: no name of a concept that the student has not met. docs/algorithms/fog.md."""

from overlay.guard.fog import Fog, WorldNames
from overlay.guard.stream import StreamGuard, mask

__all__ = ["Fog", "StreamGuard", "WorldNames", "mask"]
