"""What the fast model finds in an exchange, and what of it may be believed.

Each item is checked by itself, word by word, so that one that was made up costs no other.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from datetime import date, datetime
from typing import cast
from uuid import UUID

from django.utils import timezone

from companion_site.language import Language, fold_words, hide_foreign, sanitise, tokens, words
from memory.algorithms.dates import DAY, MONTHS, WEEKDAYS, find_ranges
from memory.algorithms.reminders import read_coming, read_days
from memory.reading.grounding import is_grounded
from memory.reading.model import ask_model
from memory.reading.splitter import split_sentences
from memory.student.exchange.prompts import (
    LIFE_KINDS,
    MOST_FACTS,
    UNMEANT,
    Exchange,
    Line,
    ReadAction,
    ReadExchange,
    ReadFact,
    ReadFeeling,
    Why,
    exchange_instructions,
    render_exchange,
)
from memory.student.ledger_promotion import ENTRIES, Entry
from memory.student.life.feelings import (
    EMOTIONS,
    LEVELS,
    SOCIAL_NEEDS,
    EmotionState,
    Level,
    PrimaryEmotion,
    SocialNeed,
)
from memory.student.life.kinds import BY_MODEL, CHANGES, UPDATE_GOAL, Action

PURPOSE = "memory.exchange"
#: one memory is one thing; what is longer is a text
LONGEST_CHARS = 400
#: a name alone, or a yes, says nothing by itself
LEAST_WORDS = 2
#: how sure the reading of a model is, which names none
CONFIDENCE = 0.9
_LETTER = re.compile(r"[^\W\d_]")
#: words of their own as well, so that they count as months only beside a number
_AMBIGUOUS = {"may", "mars"}


@dataclass(frozen=True, kw_only=True)
class Fact:
    """One thing to be kept.

    Attributes:
        start, end: the person's own words in the message that say it.
        text: what is kept.
        replaces: memories that no longer hold once this does.
    """

    line: Line
    start: int
    end: int
    text: str
    life: Sequence[str] = ()
    ledger: Entry | None = None
    replaces: Sequence[UUID] = ()


@dataclass(frozen=True, kw_only=True)
class Findings:
    """What a reading found and may be believed.

    Attributes:
        unmeant: memories that were never meant as said, each with why.
        actions: what messages ask to be noted, each with its message.
        feelings: by message.
        title: what the conversation is about, "" where it may be about danger or none was given.
    """

    facts: Sequence[Fact] = ()
    unmeant: dict[UUID, Why] = field(default_factory=dict)
    actions: Sequence[tuple[UUID, Action]] = ()
    feelings: dict[UUID, EmotionState] = field(default_factory=dict)
    title: str = ""


#: characters of a title; what is longer is a text
MOST_TITLE = 60


def read(exchange: Exchange) -> Findings | None:
    """Return what a model finds in an exchange, checked; None where none answered: what the heads formed stands alone.

    One request. Synchronous and slow: called from a worker, never inside a transaction.
    """
    found = ask_model(
        ReadExchange,
        instructions=exchange_instructions(),
        data=render_exchange(exchange),
        purpose=PURPOSE,
    )
    return None if found is None else check(found, exchange)


def check(read: ReadExchange, exchange: Exchange) -> Findings:
    """Return what of a model's answer stands in the messages."""
    lines = {line.number: line for line in exchange.new}
    facts = [_check_fact(one, lines.get(one.message), exchange) for one in read.facts[:MOST_FACTS]]
    asked = [_check_action(one, lines.get(one.message), goals=len(exchange.goals)) for one in read.actions]
    return Findings(
        facts=list({(one.line.id, fold_words(one.text)): one for one in facts if one is not None}.values()),
        unmeant=dict(_find_unmeant(read, exchange)),
        actions=[one for one in asked if one is not None],
        feelings={
            line.id: state
            for one in read.feelings
            if (line := lines.get(one.message)) is not None
            if line.may_keep and not line.of_danger
            if (state := _check_feeling(one)) is not None
        },
        title=_check_title(read.title, exchange),
    )


def _check_title(title: str, exchange: Exchange) -> str:
    """Return a title on one line without marks; none of a conversation that may be about danger, and none that is a text."""
    clean = " ".join(sanitise(title).split()).strip("\"'“”*_#`.:")
    is_plain = 0 < len(clean) <= MOST_TITLE and not re.search(r"[<>\[\]{}|\\/]", clean)
    return clean if is_plain and not any(line.of_danger for line in exchange.lines) else ""


def _check_fact(one: ReadFact, line: Line | None, exchange: Exchange) -> Fact | None:
    """Return a fact with its words in the message; what its text adds falls back to the words themselves."""
    if line is None or not line.may_keep or (place := find_quote(one.quote, line.text)) is None:
        return None
    text = " ".join(sanitise(one.text).split())
    if not text or len(text) > LONGEST_CHARS or not _is_told(text, place, line, exchange):
        place = _whole_sentences(line.text, place)
        text = " ".join(line.text[slice(*place)].split())
        if len(words(text)) < LEAST_WORDS:
            return None
    if any(
        line.id == message and start < place[1] and place[0] < end for message, start, end in exchange.settled
    ):
        return None
    held = exchange.held
    return Fact(
        line=line,
        start=place[0],
        end=place[1],
        text=text,
        life=[kind for kind in one.life if kind in LIFE_KINDS],
        ledger=next((kind for kind in ENTRIES if kind == one.ledger), None),
        replaces=[held[number - 1].id for number in one.replaces if 0 < number <= len(held)],
    )


def find_quote(quote: str, text: str) -> tuple[int, int] | None:
    """Return where a quote stands in the person's own prose, as whole words; None where it does not, or says nothing."""
    wanted = _plain(sanitise(quote)).strip()
    if not _LETTER.search(wanted):
        return None
    found = re.search(rf"(?<!\w){re.escape(wanted)}(?!\w)", _plain(hide_foreign(text)))
    return found.span() if found is not None else None


def _plain(text: str) -> str:
    """Return a text of the same length with one kind of apostrophe and of space."""
    return re.sub(r"\s", " ", text.replace("\N{RIGHT SINGLE QUOTATION MARK}", "'"))


def _whole_sentences(text: str, place: tuple[int, int]) -> tuple[int, int]:
    """Return the sentences that hold a quote: a part of one may say something else than the whole."""
    holding = [one for one in split_sentences(text) if one.start < place[1] and place[0] < one.end]
    if not holding:
        return place
    return min(place[0], holding[0].start), max(place[1], holding[-1].end)


def _is_told(text: str, place: tuple[int, int], line: Line, exchange: Exchange) -> bool:
    """Tell whether every name, number, date and denial of a text stands in its quote or in the messages shown."""
    quote = line.text[slice(*place)]
    meant = set(_days_meant(quote, line)) or set(_days_meant(line.text, line))
    shown = "\n".join([*(one.text for one in exchange.lines), *map(_spell, meant)])
    if not _first_word_stands(text, shown, line.language):
        return False
    spoken = set(words(shown))
    dated = any(map(str.isdigit, text))
    named = {word for word in words(text) if word in MONTHS or word in WEEKDAYS}
    if any(word not in spoken for word in named if dated or word not in _AMBIGUOUS):
        return False
    today = timezone.localtime(line.said_at).date()
    days = set(read_days(text.lower(), language=line.language, today=today))
    said = {
        day
        for one in exchange.lines
        for day in read_days(one.text.lower(), language=one.language, today=today)
    }
    if not {(day.month, day.day) for day in days} <= {(day.month, day.day) for day in meant | said}:
        return False
    return is_grounded(text, quote, language=line.language, around=shown)


def _first_word_stands(text: str, shown: str, language: Language) -> bool:
    """Tell whether a text does not begin with a word that carries something and was not said: it may be a name."""
    first = set(tokens(next(iter(words(text)), ""), language))
    return not first or not first.isdisjoint(tokens(shown, language))


def _days_meant(text: str, line: Line) -> Iterator[date]:
    """Yield the days that words point at, from the day on which they were said: "on Friday", "yesterday"."""
    at = timezone.localtime(line.said_at)
    for sentence in split_sentences(text):
        for one in sentence.clauses:
            coming = read_coming(text[one.start : one.end], language=line.language, said_at=at).on
            if coming is not None:
                yield coming
    for span in find_ranges(text, now=at):
        if span.end - span.start <= 2 * DAY.total_seconds():
            yield datetime.fromtimestamp(span.start, at.tzinfo).date()
    yield from read_days(text.lower(), language=line.language, today=at.date())


def _spell(day: date) -> str:
    months = " ".join(name for name, number in MONTHS.items() if number == day.month)
    weekdays = " ".join(name for name, number in WEEKDAYS.items() if number == day.weekday())
    named = f"on {day.day} {day.year} {months} {weekdays} den {day.isoformat()} {day.day}/{day.month}"
    return f"{named} {months.title()} {weekdays.title()} {day:%d} {day.day}th {day.day}st {day.day}nd {day.day}rd"


def _find_unmeant(read: ReadExchange, exchange: Exchange) -> Iterator[tuple[UUID, Why]]:
    """Yield what formed of a message of this exchange and, by words of it, was not meant as said."""
    lines = {line.id: line for line in exchange.new}
    for one in read.unmeant:
        held = exchange.held[one.memory - 1] if 0 < one.memory <= len(exchange.held) else None
        line = lines.get(held.of_message) if held is not None and held.of_message is not None else None
        if held is None or line is None or not held.may_change or find_quote(one.quote, line.text) is None:
            continue
        if one.why in UNMEANT:
            yield held.id, one.why


def _check_action(one: ReadAction, line: Line | None, *, goals: int) -> tuple[UUID, Action] | None:
    """Return an action whose words stand in its message, and whose goal there is."""
    if one.type not in BY_MODEL or line is None or line.of_danger or one.change not in CHANGES:
        return None
    place = find_quote(one.words, line.text)
    if place is None:
        return None
    text = " ".join(line.text[slice(*place)].split())
    if one.type != UPDATE_GOAL:
        return line.id, Action(type=one.type, text=text)
    is_known = 0 < one.goal <= goals
    return (
        (line.id, Action(type=one.type, text=text, goal=one.goal - 1, change=one.change))
        if is_known
        else None
    )


def _check_feeling(one: ReadFeeling) -> EmotionState | None:
    told = (
        (one.emotion, EMOTIONS),
        (one.intensity, LEVELS),
        (one.energy, LEVELS),
        (one.social_need, SOCIAL_NEEDS),
    )
    if any(value not in known for value, known in told):
        return None
    return EmotionState.of(
        cast(PrimaryEmotion, one.emotion),
        cast(Level, one.intensity),
        energy=cast(Level, one.energy),
        social_need=cast(SocialNeed, one.social_need),
        confidence=CONFIDENCE,
    )
