"""What of everything at hand answers a question, for a reply without a model."""

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, date, datetime, timedelta
from functools import partial
from uuid import UUID

from django.utils import timezone

from chat.notebook.days import write_day
from chat.turn.brief import Brief
from chat.turn.context import Context, is_unsure, statements_of
from companion_site.embeddings.errors import EmbeddingError
from companion_site.embeddings.protocol import Embedder
from companion_site.ids import new_id
from companion_site.language import Language
from companion_site.llm.types import ToldFact, Utterance
from companion_site.shortening import shorten
from memory.algorithms.reminders import day_within, read_recurring, span_asked_for
from memory.reading.answers import Said, choose_answers
from memory.reading.heads import UnusableWeights
from memory.reading.owners import ask_of_another
from memory.reading.questions import (
    PLAINLY_VALUES,
    Sought,
    find_about,
    find_same_kind,
    find_sought,
    has_matter,
    has_sought,
    leans,
)
from memory.reading.service import get_heads
from memory.reading.statements import find_statements
from memory.reading.words import write_out
from memory.reconcile import read_changes, says_more
from memory.student.contradictions import AT_ONCE

#: How many questions back one that leans on others is understood, and how much of each.
MOST_BEFORE, MOST_CHARS_BEFORE = 3, 200
#: Of what was said on no known day.
EPOCH = datetime.fromtimestamp(0, UTC)
#: So many near statements, and as many of a message, are compared for what has changed.
MOST_CHANGED = 2
#: Of what comes up so much is told.
MOST_COMING = 5
#: What can be told by a number or a day, which no other word of a sentence is taken for.
MEASURED: frozenset[Sought] = frozenset({"time", "number"})


@dataclass(frozen=True, kw_only=True)
class Held:
    """A statement at hand: its words, the day it was said (None where that is not known), whether it was sure, and until when it was so.

    Attributes:
        row: the memory or fact that it stands in; doubted_by: the later one that may have taken its place;
            is_slightly_doubted: that little speaks for it.
        after: what it puts right; it is read with that, and told without.
        who: what those are to the person whom it calls by their name alone, or what its matter goes by; it is read with that, and told without.
        is_own, said_by: that whoever asks said it, and the name of who says it of themselves, without which it is not told.
        is_near, is_open, is_decided: of a company, what plain questions are answered from, what is still open, and what was decided.
        is_booked, tells, due: of an entry in a company's books, the kind of thing that it tells and the day of a deadline.
    """

    text: str
    row: UUID | None = None
    doubted_by: UUID | None = None
    is_slightly_doubted: bool = False
    said_at: datetime | None = None
    is_unsure: bool = False
    until: datetime | None = None
    after: str = ""
    who: tuple[str, ...] = ()
    is_own: bool = False
    said_by: str = ""
    is_near: bool = False
    is_open: bool = False
    is_decided: bool = False
    is_booked: bool = False
    tells: Sought | None = None
    due: date | None = None

    @property
    def read(self) -> str:
        told = f"{self.after}; {self.text}" if self.after else self.text
        return f"{told} ({', '.join(self.who)})" if self.who else told


def held_of_student(context: Context) -> list[Held]:
    """Return the statements of a person's memories and ledger; what others observed is not theirs to be quoted by."""
    held = [
        Held(
            text=line,
            row=memory.id,
            doubted_by=memory.outdated_by,
            is_slightly_doubted=memory.is_slightly_doubted,
            said_at=_at(memory.said_at),
            is_unsure=is_unsure(memory),
            until=_at(memory.until) if memory.until is not None else None,
            who=tuple(one for one in memory.who if one.split(":")[0] in line),
        )
        for memory in context.own
        for line in statements_of(memory)
    ]
    told = {one.text for one in held}
    # Where a message calls for no memory, what is always at hand lies near to nothing: with nothing beside it, it would seem near.
    entries = context.entries if held else ()
    return [*held, *(Held(text=entry.content) for entry in entries if entry.content not in told)]


@dataclass(frozen=True, slots=True)
class Stated:
    """A clause of the running conversation.

    Attributes:
        after: where it puts something right, what that is: a clause said just before it, or the reply to a question.
    """

    text: str
    after: str = ""


def with_talk(held: Sequence[Held], told: Sequence[Stated], *, now: datetime) -> list[Held]:
    """Return what is held, and what was told in this conversation and is not held yet; what it puts right is in doubt by it."""
    new = [
        Held(text=one.text, row=new_id(), said_at=now, is_own=True, is_near=True)
        for one in told
        if not any(one.text in each.text for each in held)
    ]
    found = [*held, *new]
    for one in (one for one in told if one.after):
        by = next(place for place, each in enumerate(found) if one.text in each.text)
        place = _find_meant(one, found, besides=by)
        if place is not None:
            earlier, later = found[place], found[by]
            found[by] = replace(later, after=earlier.read)
            found = [
                replace(each, doubted_by=later.row, is_slightly_doubted=False)
                if each is earlier or (each.doubted_by is not None and each.doubted_by == earlier.row)
                else each
                for each in found
            ]
    return found


def _find_meant(stated: Stated, held: Sequence[Held], *, besides: int) -> int | None:
    """Return the place of what a clause puts right: the last of what was said just before it with the same kind of value."""
    meant = [
        place
        for place, one in enumerate(held)
        if place != besides and (stated.after in one.text or in_last_answer(one, stated.after))
    ]
    place = find_same_kind(stated.text, [held[place].text for place in meant])
    return None if place is None else meant[place]


def question_before(question: str, turns: Sequence[Utterance]) -> str:
    """Return what the person asked before, where this question leans on it; "" where it stands by itself.

    What leans on something that leans on something itself leans on both. Whom "And my brother?" names takes the place of whom the one
    before was about.
    """
    before: list[str] = []
    question = write_out(question)
    said = [write_out(turn.text) for turn in turns if turn.role == "user"][::-1]
    for text in said[:MOST_BEFORE]:
        if not leans(before[-1] if before else question):
            break
        before.append(shorten(text, MOST_CHARS_BEFORE))
    return ask_of_another(question, " ".join(reversed(before)))


def find_answers(
    question: str,
    held: Sequence[Held],
    *,
    embedder: Embedder,
    language: Language,
    now: datetime,
    before: str = "",
    replied: str = "",
    comes_again: bool = False,
) -> list[ToldFact]:
    """Return the one statement of a person that answers their question, or none; several where everything about a matter is asked for.

    What perhaps took the place of what answers leads, since it may be the answer by now.
    What comes up is answered by the days that statements name. Where the embedder cannot be asked, or the reader was not trained on
    it, nothing surely answers.

    Args:
        before: the question that this one leans on.
        replied: what was last answered; when and how many of it is asked, it says so itself.
        comes_again: of what comes up, whether what has its days every week is told, too.
    """
    if not held:
        return []
    question, before = write_out(question), write_out(before)
    if "coming" in find_sought(question):
        span = span_asked_for(question, language=language, now=timezone.localtime(now))
        chosen = find_coming(held, span=span, language=language, comes_again=comes_again)[:MOST_COMING]
    else:
        find = partial(answering, question, embedder=embedder)
        chosen = _as_it_was(question, held, embedder, before=before) or find(
            held, before=before, replied=replied
        )
        sought = find_sought(question)
        if "past" in sought and any(one.doubted_by for one in chosen):
            # What perhaps is no longer so is how it was; whether it still is was not asked.
            chosen = [replace(one, doubted_by=None) for one in chosen if one.doubted_by]
        elif chosen and all(in_last_answer(one, replied) for one in chosen):
            rest = [one for one in held if not in_last_answer(one, replied)]
            if "past" in sought:
                # How it was before is not how it was just said to be.
                chosen = find(rest)
            elif before and sought - MEASURED:
                # What was just told answers something else only where nothing else does, and names nobody else.
                repeated = [] if "name" in sought else chosen
                understood = "" if has_matter(question) else before
                chosen = find(rest, before=understood) or repeated
        if not chosen and before:
            chosen = of_last_answer(question, held, before=before, replied=replied)
    return tell(chosen, held, asked=f"{before} {question}", language=language, now=now)


def find_kept(text: str, *, embedder: Embedder, language: Language) -> tuple[str, ...]:
    """Return the statements of a message that memory keeps; none where that cannot be read."""
    try:
        found = find_statements(text, language=language, embedder=embedder, limit=MOST_CHANGED)
    except (EmbeddingError, UnusableWeights):
        return ()
    return tuple(one.text for one in found)


def find_kindred(text: str, told: Sequence[str]) -> list[str]:
    """Return what was told of something that a message names, the most telling first: what one is reminded of, which relevance alone is not."""
    return [told[place] for place in find_about(text, told) or ()]


def find_changed(kept: Callable[[], Sequence[str]], held: Sequence[str], embedder: Embedder) -> list[str]:
    """Return which of the nearest statements what is kept of a message perhaps takes the place of; none where that cannot be read.

    Args:
        kept: returns that; it is asked only where anything is held.
        held: the nearest first.
    """
    pairs = [(earlier, later) for earlier in held[:MOST_CHANGED] for later in kept()]
    try:
        changes = read_changes(pairs, embedder=embedder)
    except (EmbeddingError, UnusableWeights):
        return []
    found = zip(pairs, changes, strict=True)
    return list(dict.fromkeys(earlier for (earlier, _), one in found if one.effect.speaks_against))


def write_last_talk(brief: Brief | None, *, language: Language, now: datetime) -> tuple[str, str] | None:
    """Return the day of the last other conversation, written out, and of what it was; None where that is not to be told."""
    talk = brief.last_talk if brief is not None else None
    if talk is None or not talk.about:
        return None
    return _write(talk.at, language, timezone.localdate(now)), talk.about


def tell(
    chosen: Sequence[Held], held: Sequence[Held], *, asked: str, language: Language, now: datetime
) -> list[ToldFact]:
    """Return statements as they are told, with their days written out.

    What perhaps took the place of one casts a doubt on it only where that answers as well, has the place, time or number that is asked
    for, or is not among all that is held: who has a new teacher is not asked whether they still live where they did.
    """
    today = timezone.localdate(now)
    kinds = find_sought(asked).intersection(PLAINLY_VALUES)
    doubts = {one.doubted_by for one in chosen} - {None}
    silent = {
        one.row
        for one in held
        if one.row in doubts and one not in chosen and not (kinds and has_sought(kinds, one.text, asked))
    }
    return [
        ToldFact(
            text=one.text,
            when=_write(one.said_at, language, today),
            is_doubted=one.is_unsure or (one.doubted_by is not None and one.doubted_by not in silent),
            until=_write(one.until, language, today),
            is_booked=one.is_booked,
            said_by=one.said_by,
        )
        for one in chosen
    ]


def _newer(held: Sequence[Held]) -> dict[int, int]:
    """Return by the place of what is in doubt the place of what perhaps took its place."""
    place_of = {one.row: place for place, one in reversed([*enumerate(held)]) if one.row is not None}
    return {place: place_of[one.doubted_by] for place, one in enumerate(held) if one.doubted_by in place_of}


def _read_with_what_they_put_right(held: Sequence[Held], newer: Mapping[int, int]) -> list[str]:
    """Return statements as they are read: "No wait, it is on Friday" with what was said just before and is in doubt by it."""
    read = [*held]
    for place, by in newer.items():
        earlier, later = held[place], read[by]
        is_at_once = timedelta() < said_at(later) - said_at(earlier) <= AT_ONCE
        if is_at_once and not (earlier.is_slightly_doubted or later.after):
            read[by] = replace(later, after=earlier.text)
    return [one.read for one in read]


def _as_it_was(question: str, held: Sequence[Held], embedder: Embedder, *, before: str) -> list[Held]:
    """Return what was so once and answers, where it is asked for how something was; of several what was so last."""
    former = [one for one in held if one.until is not None]
    if not former or "past" not in find_sought(f"{before} {question}"):
        return []
    return answering(question, former, embedder=embedder, before=before)


def answering(
    question: str,
    held: Sequence[Held],
    *,
    embedder: Embedder,
    is_company: bool = False,
    before: str = "",
    replied: str = "",
    among: Collection[Held] | None = None,
) -> list[Held]:
    """Return what surely answers; nothing where that cannot be read.

    Args:
        among: those that may be told, None for all; the others are compared with them.
    """
    if among is not None and not among:
        return []
    newer = _newer(held)
    read = _read_with_what_they_put_right(held, newer)
    statements = [Said(text, said_at(one).timestamp()) for text, one in zip(read, held, strict=True)]
    try:
        chosen = choose_answers(
            question,
            statements,
            embed=embedder.embed,
            heads=get_heads(embedder),
            is_company=is_company,
            before=before,
            expected=[
                place
                for place, one in enumerate(held)
                if one.until is not None or in_last_answer(one, replied)
            ],
            newer=newer,
            ended=[
                place
                for place, by in newer.items()
                if not (held[place].is_slightly_doubted or says_more(held[place].text, held[by].text))
            ],
            among=None if among is None else [place for place, one in enumerate(held) if one in among],
        )
    except (EmbeddingError, UnusableWeights):
        return []
    return [held[place] for place in chosen]


def in_last_answer(one: Held, replied: str) -> bool:
    return one.text[:MOST_CHARS_BEFORE].rstrip(".") in replied


def of_last_answer(
    question: str, held: Sequence[Held], *, before: str, replied: str, is_company: bool = False
) -> list[Held]:
    """Return what was last answered with, where it has the time or the number that is asked for; of a company its own day tells since when it is so."""
    sought = find_sought(question)
    since = is_company and "since" in sought
    sought &= MEASURED
    return [
        one
        for one in held
        if sought
        and in_last_answer(one, replied)
        and (since or has_sought(sought, one.text, f"{before} {question}"))
    ][:1]


def find_coming(
    held: Sequence[Held], *, span: tuple[date, date], language: Language, comes_again: bool = False
) -> list[Held]:
    """Return what has a day within a span, the soonest first.

    Args:
        comes_again: whether what has its days every week has one, too.
    """
    due = [
        (one, day)
        for one in held
        if (day := _day_of(one, span=span, language=language))
        or (comes_again and (day := _next_of(one, span)))
    ]
    return [one for one, _day in sorted(due, key=lambda pair: pair[1])]


def _day_of(one: Held, *, span: tuple[date, date], language: Language) -> date | None:
    if one.due is not None:
        return one.due if span[0] <= one.due <= span[1] else None
    if one.said_at is None:
        return None
    said_at = timezone.localtime(one.said_at)
    day = day_within(one.text, language=language, said_at=said_at, span=span)
    # "I am sad today" tells of a day that was there.
    return None if day == said_at.date() else day


def _next_of(one: Held, span: tuple[date, date]) -> date | None:
    """Return the first day within a span of what has its days every week."""
    weekdays, every = read_recurring(one.text.lower())
    days = (span[0] + timedelta(days=ahead) for ahead in range((span[1] - span[0]).days + 1))
    return next((day for day in days if every == "week" and day.weekday() in weekdays), None)


def _write(said_at: datetime | None, language: Language, today: date) -> str:
    return write_day(timezone.localdate(said_at), language, today=today) if said_at else ""


def said_at(one: Held) -> datetime:
    return one.said_at or EPOCH


def _at(seconds: float) -> datetime:
    return datetime.fromtimestamp(seconds, timezone.get_current_timezone())
