"""How personal a reply is, and how sure of what it stands on: the rule of docs/personalised-replies.md as pure functions."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from chat.personalisation.attribution import Shows
from memory.student.assessment import SURE

Level = Literal["none", "low", "medium", "high"]

#: So many memories shown do so whatever they are.
SEVERAL = 2


@dataclass(frozen=True, kw_only=True)
class Stood:
    """One memory of a prompt, as the reply came to show it.

    Attributes:
        confidence: how sure the companion is of it, 0 to 1.
        is_history: it tells what the person did, lived through or became, not what they like or feel at present.
    """

    shows: Shows
    confidence: float
    is_history: bool = False


def judge_level(memories: Sequence[Stood]) -> Level:
    """Return how personal a reply is: none shown, only faintly, one, or several or one sure piece of the person's history."""
    clear = [memory for memory in memories if memory.shows is Shows.CLEARLY]
    if len(clear) >= SEVERAL or any(memory.is_history and memory.confidence >= SURE for memory in clear):
        return "high"
    if clear:
        return "medium"
    return "low" if any(memory.shows is Shows.FAINTLY for memory in memories) else "none"


def judge_confidence(memories: Sequence[Stood]) -> float | None:
    """Return how sure a reply is of what it drew on: as its least sure memory; None where it drew on none.

    Where none shows clearly, those that show faintly count.
    """
    for wanted in (Shows.CLEARLY, Shows.FAINTLY):
        found = [memory.confidence for memory in memories if memory.shows is wanted]
        if found:
            return min(found)
    return None
