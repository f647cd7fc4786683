"""The guard on one reply: pieces in, pieces out, no hidden name among them however it was split."""

from collections.abc import Iterable

from companion_site.language import Language
from overlay.guard.cuts import find_cuts, set_apart
from overlay.guard.fog import Fog

#: A word so long without white space is let go of from its beginning.
_LONGEST_WORD = 600
#: So much of it stays, for what could still be read together with what follows.
_KEPT = 300
#: Where more is held than this, it is looked at again only when it has grown by half: each character a few times, not once a piece.
_PATIENCE = 600


class StreamGuard:
    """Withholds hidden names from one reply as it streams.

    Attributes:
        cut: how many places were veiled so far.
    """

    def __init__(self, fog: Fog, *, language: Language, allowed: Iterable[str] = ()) -> None:
        """Begin a reply.

        Args:
            fog: what the student has not met.
            language: in which the reply says that something was withheld.
            allowed: concepts that may be named this once.
        """
        self._fog = fog.allowing(allowed)
        self._veil = self._fog.veil(language)
        self._buffer = ""
        self._sent = 0
        self._looked_at = 0
        self._look_at = 0
        self.cut = 0

    @property
    def held_chars(self) -> int:
        """How much is kept back now."""
        return len(self._buffer) - self._sent

    def feed(self, piece: str) -> str:
        """Take the next piece of the reply; return what may go out now.

        Kept back is the word that is not finished, and what could still become a name.
        """
        if self._fog.hides_nothing:
            return piece
        self._buffer += piece
        if len(self._buffer) < self._look_at:
            return ""
        if not any(map(str.isspace, piece)) and len(self._buffer) < self._looked_at + _LONGEST_WORD:
            return ""
        return self._release(at_end=False)

    def finish(self) -> str:
        """Return what was kept back; the reply is over."""
        return self._release(at_end=True)

    def _release(self, *, at_end: bool) -> str:
        text = self._buffer
        cuts, found = find_cuts(text, self._fog)
        places = [(name.start, name.end) for name in found]
        until = len(text) if at_end else self._find_end(text, [*cuts, *places])
        out: list[str] = []
        at = self._sent
        for start, end in cuts:
            if at <= start and end <= until:
                out += [text[at:start], set_apart(self._veil, text, start, end)]
                at = end
                self.cut += 1
        if at < until:
            out.append(text[at:until])
            at = until
        self._let_go(at)
        return "".join(out)

    def _find_end(self, text: str, spans: list[tuple[int, int]]) -> int:
        """Return up to where nothing that follows can change what is said."""
        opened = self._fog.names.matcher.open_from(text)
        until = _begin_word(text, len(text))
        if opened < until:
            until = _begin_word(text, opened)
        for start, end in sorted(spans, reverse=True):
            if start < until < end:
                until = _begin_word(text, start)
        return max(until, self._sent)

    def _let_go(self, sent: int) -> None:
        """Forget what was sent, but for the part of a word that its end is judged with."""
        begin = _begin_word(self._buffer, sent)
        self._buffer = self._buffer[max(begin, sent - _KEPT) :]
        self._sent = sent - max(begin, sent - _KEPT)
        self._looked_at = len(self._buffer)
        self._look_at = self._looked_at * 3 // 2 if self._looked_at > _PATIENCE else 0


def _begin_word(text: str, end: int) -> int:
    """Return where the word begins that `end` stands in or ends, or a place inside if it is a very long one."""
    for i in range(end, max(0, end - _LONGEST_WORD), -1):
        if text[i - 1].isspace():
            return i
    return 0 if end < _LONGEST_WORD else end - _KEPT


def mask(text: str, fog: Fog, *, language: Language, allowed: Iterable[str] = ()) -> str:
    """Return a whole text without hidden names: a line of a prompt, a description."""
    guard = StreamGuard(fog, language=language, allowed=allowed)
    return guard.feed(text) + guard.finish()
