"""What fits into a request, and what goes first where not everything does.

The order is fixed: the instructions and the message are whole; room is then given to attached files, the brief, the live state,
the latest messages, memory, what mounted packs hold, the summary, and what is left of the conversation, the latest first. So what
is given up first is the oldest of the conversation, then the summary, then packs and memory from their ends. What one
part leaves, the next may take. C1.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import accumulate, takewhile
from typing import Literal

from companion_site.llm.tokens import TOKENS_PER_MESSAGE, count_tokens, count_turns
from companion_site.llm.types import Utterance

#: A block within so many tokens; "" where nothing of it fits.
Shrink = Callable[[int], str]
Part = Literal["files", "brief", "state", "memory", "packs", "summary"]
#: The tokens that each part may take, in the order in which they get room.
SHARES: Mapping[Part, int] = {
    "files": 6_000,
    "brief": 400,
    "state": 500,
    "memory": 3_000,
    "packs": 800,
    "summary": 600,
}
#: The tokens that the conversation may take, and how many of its messages come before memory.
CONVERSATION, LATEST_MESSAGES = 8_000, 4
#: The order in which notes stand; attached files stand with the message instead.
NOTES: Sequence[Part] = ("brief", "memory", "packs", "state", "summary")


@dataclass(frozen=True, kw_only=True)
class Wanted:
    """What would go into a request if there were room for everything."""

    system: str
    message: str
    earlier: Sequence[Utterance] = ()
    parts: Mapping[Part, Shrink]


@dataclass(frozen=True, kw_only=True)
class Fitted:
    """What does go in: the blocks, "" for none, and the last of the conversation."""

    parts: Mapping[Part, str]
    earlier: tuple[Utterance, ...]

    @property
    def notes(self) -> list[str]:
        """The blocks of notes that there are, in their order."""
        return [block for part in NOTES if (block := self.parts[part])]


def fit(
    wanted: Wanted,
    *,
    ceiling: int,
    shares: Mapping[Part, int] = SHARES,
    conversation: int = CONVERSATION,
) -> Fitted:
    """Return the parts that go beside the instructions and the message, within `ceiling` tokens by estimate."""
    room = _Room(ceiling - count_tokens([wanted.system, wanted.message]))
    parts: dict[Part, str] = {}
    latest: Sequence[Utterance] = ()
    for part, most in shares.items():
        if part == "memory":
            latest = room.keep(wanted.earlier[-LATEST_MESSAGES:], most=conversation)
        shrink = wanted.parts.get(part)
        parts[part] = room.give(shrink, most=most) if shrink is not None else ""
    older: Sequence[Utterance] = ()
    if len(latest) == min(LATEST_MESSAGES, len(wanted.earlier)):
        rest = wanted.earlier[: len(wanted.earlier) - len(latest)]
        older = room.keep(rest, most=conversation - count_turns(latest))
    return Fitted(parts=parts, earlier=(*older, *latest))


def lead_in(blocks: Sequence[str]) -> list[Utterance]:
    """Return blocks of notes as what stands before the conversation: data said by the user's side, never instructions."""
    return [Utterance("user", "\n\n".join(blocks))] if blocks else []


def keep_latest(turns: Sequence[Utterance], *, tokens: int) -> list[Utterance]:
    """Return the longest run of last turns that fits into `tokens`, by estimate."""
    sums = accumulate(count_turns([turn]) for turn in reversed(turns))
    fitting = sum(1 for _ in takewhile(lambda total: total <= tokens, sums))
    return list(turns[len(turns) - fitting :])


class _Room:
    """Tokens left of a request."""

    def __init__(self, tokens: int) -> None:
        self._left = tokens

    def give(self, block: Shrink, *, most: int) -> str:
        # A block is joined to others by an empty line, which the message's own share pays for.
        text = block(min(most, self._left - TOKENS_PER_MESSAGE))
        return text if self._take(count_tokens([text]) if text else 0) else ""

    def keep(self, turns: Sequence[Utterance], *, most: int) -> list[Utterance]:
        kept = keep_latest(turns, tokens=min(most, self._left))
        self._take(count_turns(kept))
        return kept

    def _take(self, tokens: int) -> bool:
        if tokens > self._left:
            return False
        self._left -= tokens
        return True
