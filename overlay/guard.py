"""The fog of war on what the companion says: no name of a concept that the student has not met. docs/algorithms/fog.md."""

from bisect import bisect_right
from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from itertools import accumulate

from companion_site.language import Language
from companion_site.phrases import Found, Phrase, PhraseMatcher
from companion_site.phrases.folding import BARRIER, fold, is_invisible

#: What stands in the place of a name.
VEILS: dict[Language, str] = {"en": "something you have not met yet", "sv": "något du inte har mött än"}
_MARKUP = frozenset("*_~`")
#: A longer word is not cut as a whole.
_LONGEST_REST = 40
Span = tuple[int, int]
#: A word so long without white space is let go of from its beginning.
_LONGEST_WORD = 600
#: So much of it stays, for what could still be read together with what follows.
_KEPT = 300
#: Where more is held than this, it is looked at again only when it has grown by half: each character a few times, not once a piece.
_PATIENCE = 600


@dataclass(frozen=True, slots=True)
class WorldNames:
    """The names of all concepts of a world, ready to be found; made once for a version of the world.

    Attributes:
        matcher: finds them, disguised too; keyed by concept.
        keys: all concepts.
        clashing: by language, the concepts with a name that the usual veil would say, or make with a word beside it.
    """

    matcher: PhraseMatcher
    keys: frozenset[str]
    clashing: dict[Language, frozenset[str]]

    @classmethod
    def build(cls, names: Iterable[Phrase]) -> "WorldNames":
        """Prepare names and aliases, each a phrase with its concept's id as the key."""
        phrases = list(names)
        matcher = PhraseMatcher(phrases, strict=True)
        clashing = {language: _find_clashing(veil, phrases, matcher) for language, veil in VEILS.items()}
        return cls(matcher, frozenset(phrase.key for phrase in phrases), clashing)


def _find_clashing(veil: str, phrases: list[Phrase], matcher: PhraseMatcher) -> frozenset[str]:
    words = [fold(word) for word in veil.split()]
    heads = tuple("".join(words[:end]) for end in range(1, len(words) + 1))
    tails = tuple("".join(words[start:]) for start in range(len(words)))
    said = {found.key for found in matcher.find(veil)}
    for phrase in phrases:
        name = fold(phrase.text)
        if name.startswith(tails) or name.endswith(heads):
            said.add(phrase.key)
    return frozenset(said)


@dataclass(frozen=True, slots=True)
class Fog:
    """What one student has not met of a world. Cheap to make and to derive from: it holds keys, not names.

    Attributes:
        names: the world's.
        known: the concepts the student has met.
    """

    names: WorldNames
    known: frozenset[str] = field(default=frozenset())

    def allowing(self, keys: Iterable[str]) -> "Fog":
        """Return the fog with more concepts known, for instance those the person has just named."""
        return replace(self, known=self.known | frozenset(keys))

    @property
    def hides_nothing(self) -> bool:
        """Whether the student has met all there is."""
        return self.names.keys <= self.known

    def is_hidden(self, found: Found) -> bool:
        return found.key not in self.known

    def veil(self, language: Language) -> str:
        """Return what is said in the place of a hidden name; it names nothing hidden itself."""
        clashing = self.names.clashing[language]
        return VEILS[language] if clashing <= self.known else BARRIER


def find_cuts(text: str, fog: Fog) -> tuple[list[Span], list[Found]]:
    """Return the spans to be veiled, in order and apart from each other, and every name that was found.

    A hidden name within a known one ("power" in "power rule") stays, as long as the known one itself stays whole.
    """
    found = fog.names.matcher.find(text)
    known = [name for name in found if not fog.is_hidden(name)]
    hidden = [name for name in found if fog.is_hidden(name)]
    if not hidden:
        return [], found
    cuts: list[Span] = []
    while True:
        shelter = Shelter((name.start, name.end) for name in known)
        bare = [name for name in hidden if not shelter.covers(name.start, name.end)]
        grown = merge_spans([widen(text, name.start, name.end) for name in bare])
        ends = [end for _, end in grown]
        standing = [name for name in known if not _is_touched(name, grown, ends)]
        if grown == cuts and len(standing) == len(known):
            return cuts, found
        cuts, known = grown, standing


class Shelter:
    """Spans that cover what lies within any one of them."""

    def __init__(self, spans: Iterable[Span]) -> None:
        ordered = sorted(spans)
        self._starts = [start for start, _ in ordered]
        self._reach = list(accumulate((end for _, end in ordered), max))

    def covers(self, start: int, end: int) -> bool:
        """Say whether a span lies within one of them: of those that begin in time, one reaches far enough."""
        before = bisect_right(self._starts, start)
        return before > 0 and self._reach[before - 1] >= end


def _is_touched(name: Found, spans: list[Span], ends: list[int]) -> bool:
    """Say whether a name overlaps one of several spans, which are in order and apart."""
    first = bisect_right(ends, name.start)
    return first < len(spans) and spans[first][0] < name.end


def widen(text: str, start: int, end: int) -> Span:
    """Return the span with the rest of the words at its edges, and with the markup that would be left half open."""
    first, last = start, end
    if _is_inside_word(text[start]):
        while first > max(0, start - _LONGEST_REST) and _is_inside_word(text[first - 1]):
            first -= 1
    if _is_inside_word(text[end - 1]):
        while last < min(len(text), end + _LONGEST_REST) and _is_inside_word(text[last]):
            last += 1
    if any(mark in text[first:last] for mark in _MARKUP):
        while first and text[first - 1] in _MARKUP:
            first -= 1
        while last < len(text) and text[last] in _MARKUP:
            last += 1
    return first, last


def _is_inside_word(char: str) -> bool:
    return char.isalnum() or is_invisible(char)


def set_apart(veil: str, text: str, start: int, end: int) -> str:
    """Return the veil with a space where it would be one word with what stands beside it (an emoji's neighbours,
    or a soft hyphen written as a code)."""
    before = " " if start and (_is_inside_word(text[start - 1]) or text[start - 1] == ";") else ""
    after = " " if end < len(text) and (_is_inside_word(text[end]) or text[end] in "&%") else ""
    return f"{before}{veil}{after}"


def merge_spans(spans: list[Span]) -> list[Span]:
    """Return the spans in order, those that overlap or touch joined."""
    merged: list[Span] = []
    for start, end in sorted(spans):
        if merged and start <= merged[-1][1]:
            merged[-1] = (merged[-1][0], max(merged[-1][1], end))
        else:
            merged.append((start, end))
    return merged


class StreamGuard:
    """Withholds hidden names from one reply as it streams.

    Attributes:
        cut: how many places were veiled so far.
    """

    def __init__(self, fog: Fog, *, language: Language) -> None:
        """Begin a reply.

        Args:
            fog: what the student has not met.
            language: in which the reply says that something was withheld.
        """
        self._fog = fog
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


def mask(text: str, fog: Fog, *, language: Language) -> str:
    """Return a whole text without hidden names: a line of a prompt, a description."""
    guard = StreamGuard(fog, language=language)
    return guard.feed(text) + guard.finish()
