"""Judging what was remembered, as it stands in a request or anywhere else. Pure.

Judged is what stands there between the marks of its blocks, never our own instructions and never the question. A line that says
no more than the question says is left out, and the day or the number that a line carries behind its words counts for nothing: a
date there is when something was said, not when it happens.
"""

import html
import re
import unicodedata
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from functools import cache

from bench.scenarios import Asked, Need
from chat.turn.context import FORMER, OUTDATED, UNSURE
from chat.turn.notes import PAST
from companion_site.llm.tokens import estimate_tokens
from companion_site.llm.types import ChatRequest
from memory.company.retrieval import block

#: The marks of blocks, and headings: nothing remembered.
_FRAME = re.compile(
    r"</?[A-Z_]+>|\[(END )?[A-Z ]+\]|[^-\N{LEFT DOUBLE QUOTATION MARK}\"].*:"
    # The brief's own: the time, the name, the last talk, a guess.
    r"|(?:Now|You talk with|You last talked|They seem \(a guess\)): .*"
)
#: What stands behind the words of a line: the last brackets.
_BEHIND = re.compile(r"[\[(]([^\[\]()]*)[\])]\s*$")
#: Of that, a number that tells nothing of the matter itself.
_NUMBER = re.compile(r"\w+=[-+.\d]+")
_ANY_BRACKETS = re.compile(r"\[[^\[\]]*\]")
_QUOTES = str.maketrans("\u2019\u2018\u00b4`\u201c\u201d\u201e\u00ab\u00bb", "''''" + 5 * '"')
#: Words in common, of those of a piece of junk, from which a memory has become of it.
SAME_WORDS = 0.75
#: A memory of fewer words is no part of anything.
LEAST_WORDS = 3


@dataclass(frozen=True)
class Line:
    """One line of what is remembered.

    Attributes:
        text: plain, without what is behind its words and tells nothing of the matter.
        is_current: not marked as past or in doubt.
    """

    text: str
    is_current: bool = True


@dataclass(frozen=True)
class Judged:
    """What one way of remembering puts before a question.

    Attributes:
        needs: whether each thing that the answer needs stands there.
        is_undoubted: each of them stands there as current, too: a right answer that is marked as perhaps out of date is hardly one.
        is_stale: something that may not be said stands there as current.
        lines, useful, in_doubt: how many lines, how many of them have to do with a need, and how many are marked as past or
            in doubt: whoever marks them all says nothing out of date, and nothing surely.
        tokens: of all of it, by estimate.
    """

    needs: tuple[bool, ...]
    is_undoubted: bool
    is_stale: bool
    lines: int
    useful: int
    in_doubt: int
    tokens: int

    @property
    def is_met(self) -> bool:
        return all(self.needs)

    @property
    def is_met_now(self) -> bool:
        """Whether all that is needed stands there and nothing out of date beside it."""
        return self.is_met and not self.is_stale


def judge(lines: Sequence[Line], asked: Asked, *, tokens: int) -> Judged:
    """Return how lines do on a question."""
    texts = [line.text for line in lines]
    current = [line.text for line in lines if line.is_current]
    return Judged(
        needs=tuple(any(says(text, need) for text in texts) for need in asked.needs),
        is_undoubted=all(any(says(text, need) for text in current) for need in asked.needs),
        is_stale=any(says(text, asked.must_not_say) for text in current),
        lines=len(lines),
        useful=sum(any(says(text, need) for need in asked.needs) for text in texts),
        in_doubt=len(texts) - len(current),
        tokens=tokens,
    )


def remembered(request: ChatRequest) -> str:
    """Return what a request holds beside our instructions and the question: its blocks, as they are sent."""
    before = [turn.text for turn in request.turns[:-1]]
    return "\n\n".join(part for part in (*before, request.context) if part)


def read_lines(block: str, *, question: str, said_on: Collection[str]) -> list[Line]:
    """Return the remembered lines of blocks; a line of our own brackets alone is none, nor is one that the question says.

    Args:
        said_on: the days on which something was said, as "2026-03-02": behind a line they tell when that was, not what of.
    """
    asked = plain(question)
    found = []
    for raw in block.splitlines():
        line = raw.strip()
        if not line or _FRAME.fullmatch(line):
            continue
        text, behind = _split(line.removeprefix("- "))
        text = plain(text).replace(asked, " ").strip()
        words = _ANY_BRACKETS.sub(" ", text).strip(' "-.')
        if not words or words in asked:
            continue
        parts = [part.strip() for part in re.split(r"[,;]", behind)]
        in_doubt = any(part.startswith(in_doubt_marks()) for part in parts)
        told = " ".join(part for part in parts if part not in said_on and not _NUMBER.fullmatch(part))
        found.append(Line(f"{text} {plain(told)}".strip(), is_current=not in_doubt))
    return found


@cache
def in_doubt_marks() -> tuple[str, ...]:
    """Return how that begins which a line carries behind its words where it tells of what is past or in doubt.

    A new form of the request is added here.
    """
    overruled = block.OVERRULED.split("{")[0].strip()
    of_companies = (block.UNCERTAIN, block.OUTDATED, block.CONTRADICTED, overruled)
    return (UNSURE, OUTDATED, FORMER, PAST, *of_companies)


def as_lines(texts: Iterable[str]) -> list[Line]:
    """Return texts as lines without any marks, as plain methods give them."""
    return [Line(plain(text)) for text in texts]


def says(text: str, wordings: Need) -> bool:
    """Tell whether a plain text has one of the wordings; "1 dec" does not stand in "21 dec"."""
    return any(_pattern(wording).search(text) for wording in wordings)


def plain(text: str) -> str:
    """Return a text as texts are compared: case, kinds of quotation marks and of spaces apart."""
    written = unicodedata.normalize("NFKC", html.unescape(text)).translate(_QUOTES)
    return " ".join(written.casefold().split())


def is_made_of(memory: str, junk: str) -> bool:
    """Tell whether a memory has become of a piece of junk: it holds it, is a part of it, or has most of its words."""
    one, other = plain(memory), plain(junk)
    words, theirs = set(re.findall(r"\w+", one)), set(re.findall(r"\w+", other))
    if len(words) < LEAST_WORDS or not theirs:
        return other in one
    return other in one or one in other or len(words & theirs) / len(theirs) >= SAME_WORDS


def count(texts: Iterable[str]) -> int:
    """Return the tokens of texts, one a line, by the site's estimate."""
    joined = "\n".join(texts)
    return estimate_tokens(joined) if joined else 0


def _split(line: str) -> tuple[str, str]:
    """Return a line's words and what stands behind them in brackets, "" for nothing."""
    found = _BEHIND.search(line)
    if found is None or not line[: found.start()].strip():
        return line, ""
    return line[: found.start()], found[1]


def _pattern(wording: str) -> re.Pattern[str]:
    words = plain(wording)
    before = r"(?<!\d)" if words[:1].isdigit() else ""
    after = r"(?!\d)" if words[-1:].isdigit() else ""
    return re.compile(before + re.escape(words) + after)
