"""Scenarios to measure with: somebody tells of themselves over weeks, and asks for it later. Reading and checking their files.

One JSON file each (UTF-8); its form is told in bench/data/scenarios/README.md. A file with an error is refused with the place of
the error, and so is one with a key that is not known: what is misspelt would otherwise silently not be measured.
"""

import json
import re
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any, TypeVar
from zoneinfo import ZoneInfo

from bench.commands import BadInput

T = TypeVar("T")

#: A life of years is some hundred kilobytes; a larger file is something else.
MAX_BYTES = 4 * 2**20
#: As many characters as a message of the site may have by default.
MESSAGE_CHARS = 32_000
SECONDS_BETWEEN_MESSAGES = 30
#: Of other talk before a life so many messages are said in one sitting.
TALK_A_DAY = 20
#: Times of a file without an offset are of here, as the site's are.
ZONE = ZoneInfo("Europe/Stockholm")
YEARS = range(1990, 2200)
SIDES = ("student", "company")
LANGUAGES = ("en", "sv", "mixed")
KINDS = (
    "plain",
    "other_words",
    "across_language",
    "two_memories",
    "corrected",
    "detail",
    "when",
    "about_me",
    "as_wished",
    "negation",
)
_AFTER = re.compile(r"sleep|clean_up|weeks:([1-9][0-9]{0,2})")

Need = tuple[str, ...]
"""Wordings of one thing, any of which will do."""


@dataclass(frozen=True)
class Sitting:
    """What one person writes in one sitting, half a minute apart.

    Attributes:
        by: who of a company; "" for the one there is.
    """

    at: datetime
    messages: tuple[str, ...]
    by: str = ""

    def times(self) -> list[datetime]:
        """Return when each message was said."""
        return [
            self.at + timedelta(seconds=SECONDS_BETWEEN_MESSAGES * place)
            for place in range(len(self.messages))
        ]

    @property
    def ended(self) -> datetime:
        return self.times()[-1]


@dataclass(frozen=True)
class Asked:
    """One question.

    Attributes:
        needs: what the answer needs, each in any of its wordings.
        must_not_say: what may not stand there as current.
    """

    at: datetime
    text: str
    language: str
    answer: str
    needs: tuple[Need, ...]
    must_not_say: tuple[str, ...]
    kind: str


@dataclass(frozen=True)
class Scenario:
    """One life.

    Attributes:
        after: what happens once after the last sitting: "sleep", "clean_up", "weeks:N".
        bland: messages that call nothing to mind.
        keep: further things told that are still to be found in the memory afterwards.
        junk: parts of messages that are not to become a memory.
    """

    name: str
    side: str
    language: str
    who: str
    sittings: tuple[Sitting, ...]
    after: tuple[str, ...]
    questions: tuple[Asked, ...]
    bland: tuple[str, ...]
    keep: tuple[Need, ...]
    junk: tuple[str, ...]

    @property
    def messages(self) -> list[str]:
        """Every message, in order."""
        return [text for sitting in self.sittings for text in sitting.messages]

    @property
    def said_on(self) -> frozenset[str]:
        """The days on which something was said, as "2026-03-02"."""
        return frozenset(
            f"{at.astimezone(ZONE):%Y-%m-%d}" for sitting in self.sittings for at in sitting.times()
        )


def amid(scenario: Scenario, talk: Sequence[str]) -> Scenario:
    """Return the same life with other talk in it: half of it before, a sitting a day, the rest in the middle between its sittings."""
    sittings, half = scenario.sittings, len(talk) // 2
    parts = [tuple(talk[start : min(start + TALK_A_DAY, half)]) for start in range(0, half, TALK_A_DAY)]
    by = sittings[0].by
    lived = [
        Sitting(sittings[0].at - timedelta(days=len(parts) - place), part, by)
        for place, part in enumerate(parts)
    ]
    gaps = len(sittings) - 1
    for number, one in enumerate(sittings):
        lived.append(one)
        if number < gaps:
            first, last = (half + (len(talk) - half) * at // gaps for at in (number, number + 1))
            spare = (
                sittings[number + 1].at
                - one.ended
                - SECONDS_BETWEEN_MESSAGES * timedelta(seconds=last - first)
            )
            if last > first and spare > timedelta():
                lived.append(Sitting(one.ended + spare / 2, tuple(talk[first:last]), by))
    return replace(scenario, sittings=tuple(lived))


def load_scenarios(paths: Sequence[Path]) -> list[Scenario]:
    """Return the scenarios of files and of all `*.json` in folders, in order of their files.

    Raises:
        BadInput: a file is damaged, two have the same id, or there is none.
    """
    files = sorted(file for path in paths for file in (path.glob("*.json") if path.is_dir() else [path]))
    if not files:
        raise BadInput(f"no scenario in {', '.join(map(str, paths))}")
    scenarios = [load_scenario(file) for file in files]
    counts = Counter(scenario.name for scenario in scenarios)
    if twice := [name for name, count in counts.items() if count > 1]:
        raise BadInput(f"scenarios of the same id: {', '.join(twice)}")
    return scenarios


def load_scenario(path: Path) -> Scenario:
    """Return the scenario of one file.

    Raises:
        BadInput: it is not JSON of this form; the message names the file and the place.
    """
    try:
        if path.stat().st_size > MAX_BYTES:
            raise BadInput(f"larger than {MAX_BYTES // 2**20} MB")
        text = path.read_text(encoding="utf-8")
        return parse_scenario(json.loads(text, object_pairs_hook=_once, parse_constant=_no_number))
    except OSError as error:
        raise BadInput(f"{path}: {error.strerror}") from error
    except UnicodeDecodeError as error:
        raise BadInput(f"{path}: not UTF-8") from error
    except RecursionError as error:
        raise BadInput(f"{path}: nested too deeply") from error
    except json.JSONDecodeError as error:
        raise BadInput(f"{path}:{error.lineno}: not JSON: {error.msg}") from error
    except BadInput as error:
        raise BadInput(f"{path}: {error}") from error


def parse_scenario(data: object) -> Scenario:
    """Return a scenario from decoded JSON.

    Raises:
        BadInput: a part is missing, unknown, of the wrong kind, or at a time that cannot be.
    """
    root = _Place(data, "")
    required = ("id", "side", "language", "who", "sessions", "after", "questions")
    root.check_keys(required, optional=("bland", "keep", "junk"))
    scenario = Scenario(
        name=root.text("id"),
        side=root.one_of("side", SIDES),
        language=root.one_of("language", LANGUAGES),
        who=root.text("who"),
        sittings=tuple(root.each("sessions", _sitting)),
        after=tuple(root.each("after", _after)),
        questions=tuple(root.each("questions", _question)),
        bland=tuple(root.each("bland", _Place.message)),
        keep=tuple(root.each("keep", _need)),
        junk=tuple(root.each("junk", _Place.words)),
    )
    if not scenario.sittings:
        raise BadInput("sessions: none")
    if not scenario.questions:
        raise BadInput("questions: none")
    _check_times(scenario)
    for number, junk in enumerate(scenario.junk):
        if not any(junk in message for message in scenario.messages):
            raise BadInput(f"junk[{number}]: no message has these words: {junk!r}")
    if scenario.side == "student" and any(sitting.by for sitting in scenario.sittings):
        raise BadInput("sessions: `by` is for companies")
    return scenario


class _Place:
    """A value of the file, and where it stands there."""

    def __init__(self, value: object, path: str) -> None:
        self.value, self.path = value, path

    def fail(self, problem: str) -> BadInput:
        return BadInput(f"{self.path}: {problem}" if self.path else problem)

    def check_keys(self, required: Sequence[str], *, optional: Sequence[str] = ()) -> None:
        if not isinstance(self.value, Mapping):
            raise self.fail("not an object")
        if unknown := [key for key in self.value if key not in (*required, *optional)]:
            raise self.fail(f"unknown key {', '.join(map(repr, unknown))}")
        if missing := [key for key in required if key not in self.value]:
            raise self.fail(f"{', '.join(map(repr, missing))} is missing")

    def at(self, key: str | int) -> "_Place":
        """Return the part under a key; an optional one that is not there is an empty list."""
        if isinstance(key, int):
            return _Place(self.value[key], f"{self.path}[{key}]")  # type: ignore[index]  # a list by now
        value: Any = self.value
        return _Place(value.get(key, []), f"{self.path}.{key}" if self.path else key)

    def words(self) -> str:
        if not isinstance(self.value, str):
            raise self.fail("not a text")
        if not self.value.strip():
            raise self.fail("empty")
        return self.value

    def message(self) -> str:
        if len(self.words()) > MESSAGE_CHARS:
            raise self.fail(f"longer than a message may be ({MESSAGE_CHARS} characters)")
        return self.words()

    def text(self, key: str) -> str:
        return self.at(key).words()

    def one_of(self, key: str, known: Sequence[str]) -> str:
        place = self.at(key)
        if place.value not in known:
            raise place.fail(f"{place.value!r} is none of {', '.join(known)}")
        return str(place.value)

    def each(self, key: str, read: "Callable[[_Place], T]") -> list[T]:
        place = self.at(key)
        if not isinstance(place.value, list):
            raise place.fail("not a list")
        return [read(place.at(number)) for number in range(len(place.value))]

    def moment(self, key: str) -> datetime:
        place = self.at(key)
        try:
            found = datetime.fromisoformat(place.words())
        except ValueError as error:
            raise place.fail(f"{place.value!r} is no time in ISO 8601") from error
        if found.year not in YEARS:
            raise place.fail(f"the year {found.year} is not between {YEARS.start} and {YEARS.stop - 1}")
        return found if found.tzinfo is not None else found.replace(tzinfo=ZONE)


def _sitting(place: _Place) -> Sitting:
    place.check_keys(("at", "messages"), optional=("by",))
    messages = tuple(place.each("messages", _Place.message))
    if not messages:
        raise place.fail("no messages")
    has_by = isinstance(place.value, Mapping) and "by" in place.value
    return Sitting(at=place.moment("at"), messages=messages, by=place.text("by") if has_by else "")


def _question(place: _Place) -> Asked:
    keys = ("at", "text", "language", "answer", "needs", "must_not_say", "kind")
    place.check_keys(keys)
    needs = tuple(place.each("needs", _need))
    if not needs:
        raise place.fail("needs nothing")
    return Asked(
        at=place.moment("at"),
        text=place.at("text").message(),
        language=place.one_of("language", LANGUAGES[:2]),
        answer=place.text("answer"),
        needs=needs,
        must_not_say=tuple(place.each("must_not_say", _Place.words)),
        kind=place.one_of("kind", KINDS),
    )


def _need(place: _Place) -> Need:
    if not isinstance(place.value, list) or not place.value:
        raise place.fail("not a list of wordings")
    return tuple(place.at(number).words() for number in range(len(place.value)))


def _after(place: _Place) -> str:
    if not _AFTER.fullmatch(place.words()):
        raise place.fail(f"{place.value!r} is none of sleep, clean_up, weeks:N")
    return place.words()


def weeks_of(step: str) -> int:
    """Return how many weeks a step of `after` takes."""
    match = _AFTER.fullmatch(step)
    return int(match[1]) if match and match[1] else 0


def _check_times(scenario: Scenario) -> None:
    for number, (one, following) in enumerate(
        zip(scenario.sittings, scenario.sittings[1:], strict=False), start=1
    ):
        if following.at <= one.ended:
            raise BadInput(f"sessions[{number}].at: before the session before it has ended")
    over = scenario.sittings[-1].ended + timedelta(weeks=sum(map(weeks_of, scenario.after)))
    for number, question in enumerate(scenario.questions):
        if question.at <= over:
            raise BadInput(
                f"questions[{number}].at: before all that happens has happened ({over:%Y-%m-%d %H:%M})"
            )


def _once(pairs: list[tuple[str, object]]) -> dict[str, object]:
    counts = Counter(key for key, _ in pairs)
    if twice := [key for key, count in counts.items() if count > 1]:
        raise BadInput(f"a key is there twice: {', '.join(map(repr, twice))}")
    return dict(pairs)


def _no_number(constant: str) -> None:
    raise BadInput(f"{constant} is no JSON")
