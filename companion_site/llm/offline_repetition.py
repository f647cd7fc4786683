"""Saying nothing twice in a conversation: of several ways of saying something, one that the companion has not used in it."""

from collections.abc import Sequence
from dataclasses import dataclass

from companion_site.llm.types import Utterance


@dataclass(frozen=True)
class Saying:
    """What the companion has said in a conversation, as far as the request holds it."""

    heard: str
    #: replies before this one
    turn: int

    @classmethod
    def after(cls, turns: Sequence[Utterance]) -> "Saying":
        replies = [turn.text for turn in turns if turn.role == "assistant"]
        return cls(_plain("\n".join(replies)), len(replies))

    def has_said(self, sentence: str) -> bool:
        return _plain(sentence) in self.heard

    def pick(self, ways: Sequence[str], *, otherwise: str = "") -> str:
        """Return the turn's way, or the next that was not said yet; `otherwise` where all were."""
        start = self.turn % len(ways) if ways else 0
        return next((way for way in (*ways[start:], *ways[:start]) if not self.has_said(way)), otherwise)


def _plain(text: str) -> str:
    return " ".join(text.casefold().split())
