"""A part of a message around the words that were found, cut where words end."""

from collections.abc import Sequence
from dataclasses import dataclass

BEFORE = 60
LENGTH = 220


@dataclass(frozen=True)
class Piece:
    """A run of a snippet, which is one of the words that were found or what stands between them."""

    text: str
    is_hit: bool = False


def cut_snippet(text: str, hits: Sequence[tuple[int, int]]) -> tuple[Piece, ...]:
    """Return some 220 characters of a text, where most of the hits stand together, in runs.

    Args:
        hits: first character and end of each, in order, none within another.
    """
    start, end = _window(text, hits)
    pieces, at = [Piece("…")] if start else [], start
    for first, last in hits:
        if start <= first and last <= end:
            pieces += [Piece(text[at:first]), Piece(text[first:last], is_hit=True)]
            at = last
    pieces.append(Piece(text[at:end]))
    if end < len(text):
        pieces.append(Piece("…"))
    return tuple(piece for piece in pieces if piece.text)


def _window(text: str, hits: Sequence[tuple[int, int]]) -> tuple[int, int]:
    """Return the part that holds the most hits, a little before the first of them, ending where words end."""
    counts = [sum(first <= other < first + LENGTH - BEFORE for other, _ in hits) for first, _ in hits]
    first, last = hits[counts.index(max(counts))]
    start = max(first - BEFORE, 0)
    while start > 0 and start < first and not text[start - 1].isspace():
        start += 1
    end = min(max(start + LENGTH, last), len(text))
    while last < end < len(text) and not text[end].isspace():
        end -= 1
    return start, end
