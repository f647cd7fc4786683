"""A summary as points of five kinds, as the lines that it is kept and sent in, and its numbers."""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from enum import StrEnum
from uuid import UUID

from companion_site.language import Language, fold_words
from companion_site.llm.tokens import TOKENS_PER_MESSAGE, estimate_tokens
from memory.company.retrieval.block import one_line


@dataclass(frozen=True, kw_only=True)
class SummaryParams:
    #: messages that are sent word for word, and messages that are folded in at once
    window: int = 20
    batch: int = 20
    #: tokens past which a summary is summarised again
    most_tokens: int = 500
    #: characters of one line, and lines taken from one batch
    most_chars: int = 240
    most_points: int = 12
    #: characters of one message that are read
    most_read: int = 4_000


SUMMARY = SummaryParams()


OPENING = "[CONVERSATION CONTEXT]"
CLOSING = "[END CONTEXT]"
HEADING = "Earlier in this conversation:"
#: A line's own length bounds what is kept; a line of a block is not cut again.
LINE_LENGTH = 1_000


class Kind(StrEnum):
    """What a point is of, the most lasting first."""

    DECISION = "decision"
    PERSON = "person"
    TASK = "task"
    ANSWERED = "answered"
    SAID = "said"


LABELS: dict[Language, dict[Kind, str]] = {
    "en": {
        Kind.DECISION: "Decided",
        Kind.PERSON: "About the person",
        Kind.TASK: "Under way",
        Kind.ANSWERED: "Asked and answered",
        Kind.SAID: "Said",
    },
    "sv": {
        Kind.DECISION: "Beslutat",
        Kind.PERSON: "Om personen",
        Kind.TASK: "Pågår",
        Kind.ANSWERED: "Frågat och besvarat",
        Kind.SAID: "Sagt",
    },
}
_KINDS = {label: kind for labels in LABELS.values() for kind, label in labels.items()}
_LINE = re.compile(r"- (?P<label>[^:]{2,30}): (?P<text>.+)")


@dataclass(frozen=True)
class Point:
    """One thing to know of what was said."""

    kind: Kind
    text: str


def write_points(points: Iterable[Point], language: Language) -> str:
    """Return points as the lines of a summary, in the order given."""
    return "\n".join(f"- {LABELS[language][point.kind]}: {' '.join(point.text.split())}" for point in points)


def read_points(summary: str) -> list[Point]:
    """Return the points of a summary's lines, in either language; a line without a label is something said."""
    points = []
    for line in summary.splitlines():
        match = _LINE.fullmatch(line.strip())
        kind = _KINDS.get(match["label"]) if match else None
        text = match["text"] if match and kind else line.strip(" -")
        if text:
            points.append(Point(kind or Kind.SAID, text))
    return points


def join_points(old: Sequence[Point], new: Sequence[Point]) -> list[Point]:
    """Return both, the later wording of the same words kept; what is under way is only what was last."""
    if any(point.kind == Kind.TASK for point in new):
        old = [point for point in old if point.kind != Kind.TASK]
    by_words = {fold_words(point.text).strip(' .!?…“”"'): point for point in (*old, *new)}
    return list(by_words.values())


def tokens_of(points: Iterable[Point], language: Language) -> int:
    return estimate_tokens(write_points(points, language))


def summary_block(summary: str, *, tokens: int) -> str:
    """Return a summary as the block of a request; lines that do not fit go, the oldest first, "" where none fits."""
    lines = [
        f"- {one_line(line.strip().removeprefix('- '), length=LINE_LENGTH)}" for line in summary.splitlines()
    ]
    lines = [line for line in lines if line != "- "]
    frame = estimate_tokens("\n".join([OPENING, HEADING, CLOSING, ""])) + TOKENS_PER_MESSAGE
    while lines and frame + sum(estimate_tokens(f"{line}\n") for line in lines) > tokens:
        del lines[0]
    return "\n".join([OPENING, HEADING, *lines, CLOSING]) if lines else ""


@dataclass(frozen=True)
class Line:
    """One message of a batch."""

    by_person: bool
    text: str


@dataclass(frozen=True, kw_only=True)
class Batch:
    """The oldest messages that a conversation's summary does not reach yet.

    Attributes:
        begins_after: the summary's reach, by which it is known whether somebody else folded it in meanwhile.
        until: the position that it will reach.
        messages: what was read for it, which must still stand in the conversation when it is written.
    """

    conversation: UUID
    begins_after: int
    until: int
    summary: str
    lines: tuple[Line, ...]
    language: Language
    messages: tuple[UUID, ...] = ()
