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
class Fitted:
    """What does go in: the blocks, "" for none, and the last of the conversation."""

    parts: Mapping[Part, str]
    earlier: tuple[Utterance, ...]

    @property
    def notes(self) -> list[str]:
        """The blocks of notes that there are, in their order."""
        return [block for part in NOTES if (block := self.parts[part])]


def fit(
    parts: Mapping[Part, Shrink],
    *,
    system: str,
    message: str,
    earlier: Sequence[Utterance] = (),
    ceiling: int,
    shares: Mapping[Part, int] = SHARES,
    conversation: int = CONVERSATION,
) -> Fitted:
    """Return what of the parts and the conversation goes beside the instructions and the message, within `ceiling` tokens by estimate."""
    left = ceiling - count_tokens([system, message])

    def take(tokens: int) -> bool:
        nonlocal left
        if tokens > left:
            return False
        left -= tokens
        return True

    def keep(turns: Sequence[Utterance], most: int) -> list[Utterance]:
        kept = keep_latest(turns, tokens=min(most, left))
        take(count_turns(kept))
        return kept

    fitting: dict[Part, str] = {}
    latest: Sequence[Utterance] = ()
    for part, most in shares.items():
        if part == "memory":
            latest = keep(earlier[-LATEST_MESSAGES:], conversation)
        shrink = parts.get(part)
        # A block is joined to others by an empty line, which the message's own share pays for.
        text = shrink(min(most, left - TOKENS_PER_MESSAGE)) if shrink is not None else ""
        fitting[part] = text if text and take(count_tokens([text])) else ""
    older: Sequence[Utterance] = ()
    if len(latest) == min(LATEST_MESSAGES, len(earlier)):
        rest = earlier[: len(earlier) - len(latest)]
        older = keep(rest, conversation - count_turns(latest))
    return Fitted(parts=fitting, earlier=(*older, *latest))


def lead_in(blocks: Sequence[str]) -> list[Utterance]:
    """Return blocks of notes as what stands before the conversation: data said by the user's side, never instructions."""
    return [Utterance("user", "\n\n".join(blocks))] if blocks else []


def keep_latest(turns: Sequence[Utterance], *, tokens: int) -> list[Utterance]:
    """Return the longest run of last turns that fits into `tokens`, by estimate."""
    sums = accumulate(count_turns([turn]) for turn in reversed(turns))
    fitting = sum(1 for _ in takewhile(lambda total: total <= tokens, sums))
    return list(turns[len(turns) - fitting :])
