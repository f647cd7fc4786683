"""A reply's Markdown while it grows: blocks that have ended are drawn once, the open end each time.

So the work and the bytes grow with the reply, and not with its square.
"""

import re
from dataclasses import dataclass

from django.utils.safestring import SafeString

from chat.replies.markdown import render_markdown

_FENCE = re.compile(r" {0,3}(```+|~~~+)")
#: What goes on with the block before it, though a line is empty between them.
_GOES_ON = re.compile(r"\s|[-*+](?:\s|$)|\d{1,9}(?:[.)](?:\s|$)|$)|>|\||\[")


@dataclass
class Drawing:
    """How much of one reply is drawn for good."""

    drawn_chars: int = 0

    def draw(self, text: str) -> tuple[SafeString, SafeString]:
        """Return what has ended since the last time, and the open end behind it, as HTML.

        Args:
            text: the whole reply so far; it only grows.
        """
        rest = text[self.drawn_chars :]
        ended = find_end(rest)
        self.drawn_chars += ended
        return render_markdown(rest[:ended]), render_markdown(rest[ended:])


def find_end(text: str) -> int:
    """Return where the last block that has surely ended does: before a line that begins something else."""
    end, at, fence, in_formula, was_empty = 0, 0, "", False, False
    for line in text.splitlines(keepends=True):
        if was_empty and not fence and not in_formula and line.strip() and not _GOES_ON.match(line):
            end = at
        mark = _FENCE.match(line)
        if mark and not fence:
            fence = mark[1]
        elif mark and line.strip().startswith(fence) and not line.strip().strip(fence[0]):
            fence = ""
        elif not fence and line.count("$$") % 2:
            in_formula = not in_formula
        elif not fence and line.strip() in ("\\[", "\\]"):
            in_formula = line.strip() == "\\["
        at, was_empty = at + len(line), not line.strip()
    return end
