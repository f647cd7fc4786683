"""Which parts of a text give a hidden name away, and what of the known names stands."""

from bisect import bisect_right
from collections.abc import Iterable
from itertools import accumulate

from companion_site.phrases import Found
from companion_site.phrases.folding import is_invisible
from overlay.guard.fog import Fog

_MARKUP = frozenset("*_~`")
#: A longer word is not cut as a whole.
_LONGEST_REST = 40

Span = tuple[int, int]


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
