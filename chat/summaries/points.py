"""A summary as points of five kinds, as the lines that it is kept and sent in; and condensing a batch by rule, where no model can be asked.

Each sentence of the person is one of five kinds by the words it has; greetings and filler carry few bits and go. What
is kept are the person's own words, and of a reply its first sentence that says something.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum
from uuid import UUID

from companion_site.language import Language, fold_words, hide_foreign, word_information, words
from companion_site.llm.tokens import TOKENS_PER_MESSAGE, estimate_tokens
from companion_site.shortening import shorten
from memory.company.retrieval.block import one_line
from memory.reading.splitter import cut_sentences


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


#: Bits under which a sentence is filler: "thanks, that helps" has some 25, "we chose K2" some 30.
LEAST_BITS = 34.0
#: A sentence with a cue of its kind needs less: the cue says that it matters.
LEAST_BITS_WITH_CUE = 18.0
#: Of what is of no kind, so much of a batch is kept.
MOST_SAID = 3
#: Points of a summary that are read again; one within its tokens has far fewer.
MOST_KNOWN = 100
MOST_BITS_PER_WORD = 16.0

_FILLER = re.compile(
    r"\W*(?:(?:hi|hello|hey|thanks|thank you|thx|ok|okay|great|good|perfect|super|nice|cool|yes|no|sure|bye|good (?:morning"
    r"|evening|night)|hej|hejsan|hallå|tjena|tack|tackar|okej|bra|toppen|perfekt|jättebra|ja|nej|jo|japp|visst|hej då|god"
    r"\s?(?:morgon|kväll|natt)|så mycket|for that|for the help|för hjälpen|very much|a lot|det hjälpte)\W*)+",
    re.IGNORECASE,
)  # fmt: skip
_CUES: dict[Kind, re.Pattern[str]] = {
    Kind.DECISION: re.compile(
        r"\b(?:decided|deciding on|decision|chose|choose|chosen|went with|going with|go with|will take|we'll take|i'll take"
        r"|settled on|postpone\w*|put off|switched|switching to|agreed|beslut\w*|bestäm\w*|valde|väljer|valt|kör på|kör med"
        r"|tar ut|vi tar|jag tar|skjuter upp|skjuta upp|väntar med|byt(?:er|t|te) till|bytt|enades|det blir)\b",
        re.IGNORECASE,
    ),
    Kind.PERSON: re.compile(
        r"\b(?:beginner|new to (?:this|it|all)|simple|simply|plain words|don't understand|do not understand|step by step"
        r"|in short|briefly|in detail|i prefer|explain like|i know (?:this|how)|experienced|nybörjare|ny på|enkelt|enkla ord"
        r"|förstår inte|fattar inte|steg för steg|kortfattat|i detalj|jag föredrar|jag vill helst|jag är van|rutinerad)\b",
        re.IGNORECASE,
    ),
    Kind.TASK: re.compile(
        r"\b(?:working on|halfway|in the middle of|still (?:need|have)|remain\w*|left to do|next step|need to|have to|going"
        r" through|to do|håller på|mitt i|halvvägs|återstår|kvar|nästa steg|behöver|måste|går igenom|ska göra|ska gå igenom)\b",
        re.IGNORECASE,
    ),
}


def condense(batch: Batch) -> list[Point]:
    """Return the points of a summary with the batch folded in, within its tokens."""
    points = join_points(read_points(batch.summary)[-MOST_KNOWN:], find_points(batch.lines, batch.language))
    return thin_out(points, batch.language)


def find_points(lines: Sequence[Line], language: Language) -> list[Point]:
    """Return what a batch of messages says, in the order in which it was said."""
    found: list[Point] = []
    for line, following in zip(lines, [*lines[1:], None], strict=True):
        if line.by_person:
            answer = following.text if following is not None and not following.by_person else ""
            found.extend(_points_of(line.text, answer, language))
    said = sorted(
        (point for point in found if point.kind == Kind.SAID),
        key=lambda point: -bits_of(point.text, language),
    )
    dropped = set(map(id, said[MOST_SAID:]))
    kept = [point for point in found if id(point) not in dropped]
    return _most_lasting(kept, SUMMARY.most_points)


def thin_out(points: Sequence[Point], language: Language) -> list[Point]:
    """Return the points that fit into a summary: the least lasting kind goes first, and of a kind the oldest."""
    kept = list(points)
    order = list(Kind)
    while kept and tokens_of(kept, language) > SUMMARY.most_tokens:
        last = max(kept, key=lambda point: order.index(point.kind)).kind
        counts = {kind: sum(point.kind == kind for point in kept) for kind in order}
        # A kind is thinned out before the next more lasting one is touched, but decisions do not crowd out everything.
        most = last if counts[last] > 1 else max(counts, key=lambda kind: (counts[kind], order.index(kind)))
        kept.remove(next(point for point in kept if point.kind == most))
    return kept


def bits_of(text: str, language: Language) -> float:
    """Return how much a sentence says, each of its words once."""
    bits = word_information(list(dict.fromkeys(words(text))), language)
    return float(bits.clip(max=MOST_BITS_PER_WORD).sum())


def _prose_sentences(text: str) -> list[str]:
    """Return the sentences of a text, code and quotations left out."""
    found = (sentence.strip(" -*#|>") for sentence in cut_sentences(hide_foreign(text)))
    return [sentence for sentence in found if sentence]


def _points_of(text: str, answer: str, language: Language) -> Iterator[Point]:
    told: str | None = None
    for sentence in _prose_sentences(text):
        if _FILLER.fullmatch(sentence):
            continue
        bits = bits_of(sentence, language)
        kind = _kind_of(sentence)
        if kind is Kind.ANSWERED:
            told = _first_telling(answer, language) if told is None else told
            if told and bits >= LEAST_BITS_WITH_CUE:
                yield Point(kind, f"{shorten(sentence, SUMMARY.most_chars // 2)} → {told}")
        elif bits >= (LEAST_BITS if kind is Kind.SAID else LEAST_BITS_WITH_CUE):
            yield Point(kind, shorten(sentence, SUMMARY.most_chars))


def _kind_of(sentence: str) -> Kind:
    if sentence.endswith("?"):
        return Kind.ANSWERED
    return next((kind for kind, cue in _CUES.items() if cue.search(sentence)), Kind.SAID)


def _first_telling(answer: str, language: Language) -> str:
    """Return the first sentence of a reply that says something, "" where none does."""
    for sentence in _prose_sentences(answer):
        if not sentence.endswith("?") and bits_of(sentence, language) >= LEAST_BITS:
            return shorten(sentence, SUMMARY.most_chars // 2)
    return ""


def _most_lasting(points: Sequence[Point], most: int) -> list[Point]:
    """Return at most so many points, the most lasting kinds first chosen, in the order in which they were said."""
    order = list(Kind)
    chosen = sorted(range(len(points)), key=lambda place: (order.index(points[place].kind), -place))[:most]
    by_words = {fold_words(points[place].text): points[place] for place in sorted(chosen)}
    return list(by_words.values())
