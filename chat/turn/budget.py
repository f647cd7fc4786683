"""What fits into a request, and what goes first where not everything does.

The order is fixed: the instructions and the message are whole; room is then given to attached files, the brief, the live state,
the latest messages, memory, what mounted packs hold, the summary, and what is left of the conversation, the latest first. So what
is given up first is the oldest of the conversation, then the summary, then packs and memory from their ends. What one
part leaves, the next may take. C1.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import accumulate, takewhile

from companion_site.llm.tokens import TOKENS_PER_MESSAGE, count_tokens, count_turns
from companion_site.llm.types import Utterance

#: A block within so many tokens; "" where nothing of it fits.
Shrink = Callable[[int], str]


@dataclass(frozen=True, kw_only=True)
class Shares:
    """The tokens each part may take; of the conversation, the latest messages come before the notes."""

    files: int = 6_000
    brief: int = 400
    memory: int = 3_000
    state: int = 500
    packs: int = 800
    summary: int = 600
    conversation: int = 8_000
    latest_messages: int = 4


SHARES = Shares()


@dataclass(frozen=True, kw_only=True)
class Wanted:
    """What would go into a request if there were room for everything."""

    system: str
    message: str
    earlier: Sequence[Utterance] = ()
    files: Shrink = lambda tokens: ""
    brief: Shrink = lambda tokens: ""
    memory: Shrink = lambda tokens: ""
    state: Shrink = lambda tokens: ""
    packs: Shrink = lambda tokens: ""
    summary: Shrink = lambda tokens: ""


@dataclass(frozen=True, kw_only=True)
class Fitted:
    """What does go in: the blocks, "" for none, and the last of the conversation."""

    memory: str
    state: str
    summary: str
    earlier: tuple[Utterance, ...]
    packs: str = ""
    brief: str = ""
    files: str = ""

    @property
    def blocks(self) -> list[str]:
        """The blocks that there are, in their order; attached files stand with the message instead."""
        return [block for block in (self.brief, self.memory, self.packs, self.state, self.summary) if block]


def fit(wanted: Wanted, *, ceiling: int, shares: Shares = SHARES) -> Fitted:
    """Return the parts that go beside the instructions and the message, within `ceiling` tokens by estimate."""
    room = _Room(ceiling - count_tokens([wanted.system, wanted.message]))
    files = room.give(wanted.files, most=shares.files)
    brief = room.give(wanted.brief, most=shares.brief)
    state = room.give(wanted.state, most=shares.state)
    latest = room.keep(wanted.earlier[-shares.latest_messages :], most=shares.conversation)
    memory = room.give(wanted.memory, most=shares.memory)
    packs = room.give(wanted.packs, most=shares.packs)
    summary = room.give(wanted.summary, most=shares.summary)
    older: Sequence[Utterance] = ()
    if len(latest) == min(shares.latest_messages, len(wanted.earlier)):
        rest = wanted.earlier[: len(wanted.earlier) - len(latest)]
        spent = count_turns(latest)
        older = room.keep(rest, most=shares.conversation - spent)
    return Fitted(
        memory=memory,
        state=state,
        summary=summary,
        earlier=(*older, *latest),
        packs=packs,
        brief=brief,
        files=files,
    )


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
