"""Scenarios to measure with: somebody tells of themselves over weeks, and asks for it later. Reading and checking their files.

One JSON file each (UTF-8); its form is told in bench/data/scenarios/README.md. A file with an error is refused with the place of
the error, and so is one with a key that is not known: what is misspelt would otherwise silently not be measured.
"""

import json
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime, timedelta
from pathlib import Path
from typing import Annotated, Literal, get_args
from zoneinfo import ZoneInfo

from pydantic import BeforeValidator, ConfigDict, Field, StringConstraints, TypeAdapter, ValidationError
from pydantic.dataclasses import dataclass

from bench.commands import BadInput

#: the lives that everything is judged by
SCENARIOS = Path(__file__).parent / "data" / "scenarios"
SECONDS_BETWEEN_MESSAGES = 30
#: Of other talk before a life so many messages are said in one sitting.
TALK_A_DAY = 20
#: Times of a file without an offset are of here, as the site's are.
ZONE = ZoneInfo("Europe/Stockholm")
YEARS = range(1990, 2200)
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


def _read_moment(told: object) -> datetime:
    at = told if isinstance(told, datetime) else datetime.fromisoformat(told if isinstance(told, str) else "")
    if at.year not in YEARS:
        raise ValueError(f"the year {at.year} is not between {YEARS.start} and {YEARS.stop - 1}")
    return at if at.tzinfo else at.replace(tzinfo=ZONE)


Side = Literal["student", "company"]
Language = Literal["en", "sv", "mixed"]
SIDES, LANGUAGES = get_args(Side), get_args(Language)
Words = Annotated[str, StringConstraints(pattern=r"\S")]
#: As many characters as a message of the site may have by default.
Said = Annotated[Words, StringConstraints(max_length=32_000)]
Moment = Annotated[datetime, BeforeValidator(_read_moment)]
Step = Annotated[str, StringConstraints(pattern=r"^(sleep|clean_up|weeks:[1-9][0-9]{0,2})$")]
"""What happens once: "sleep", "clean_up", "weeks:N"."""
Need = Annotated[tuple[Words, ...], Field(min_length=1)]
"""Wordings of one thing, any of which will do."""
_OF_A_FILE = ConfigDict(extra="forbid", populate_by_name=True)


@dataclass(frozen=True, config=_OF_A_FILE)
class Sitting:
    """What one person writes in one sitting, half a minute apart.

    Attributes:
        by: who of a company; "" for the one there is.
    """

    at: Moment
    messages: Annotated[tuple[Said, ...], Field(min_length=1)]
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


@dataclass(frozen=True, config=_OF_A_FILE)
class Asked:
    """One question.

    Attributes:
        needs: what the answer needs, each in any of its wordings.
        must_not_say: what may not stand there as current.
    """

    at: Moment
    text: Said
    language: Language
    needs: tuple[Need, ...]
    kind: str
    answer: str = ""
    must_not_say: tuple[Words, ...] = ()


@dataclass(frozen=True, config=_OF_A_FILE)
class Scenario:
    """One life.

    Attributes:
        after: what happens once after the last sitting.
        bland: messages that call nothing to mind.
        keep: further things told that are still to be found in the memory afterwards.
        junk: parts of messages that are not to become a memory.
    """

    name: Annotated[Words, Field(alias="id")]
    side: Side
    language: Language
    who: Words
    sittings: Annotated[tuple[Sitting, ...], Field(alias="sessions")]
    after: tuple[Step, ...]
    questions: tuple[Asked, ...]
    bland: tuple[Said, ...] = ()
    keep: tuple[Need, ...] = ()
    junk: tuple[Words, ...] = ()

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


_FILE = TypeAdapter(Scenario)


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
        return parse_scenario(json.loads(path.read_text(encoding="utf-8")))
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
    try:
        scenario = _FILE.validate_python(data)
    except ValidationError as error:
        raise BadInput(tell_first(error)) from error
    if not scenario.sittings:
        raise BadInput("sessions: none")
    if not scenario.questions:
        raise BadInput("questions: none")
    for number, question in enumerate(scenario.questions):
        if not question.needs:
            raise BadInput(f"questions[{number}].needs: none")
        if question.kind not in KINDS:
            raise BadInput(f"questions[{number}].kind: {question.kind!r} is none of {', '.join(KINDS)}")
    _check_times(scenario)
    for number, junk in enumerate(scenario.junk):
        if not any(junk in message for message in scenario.messages):
            raise BadInput(f"junk[{number}]: no message has these words: {junk!r}")
    if scenario.side == "student" and any(sitting.by for sitting in scenario.sittings):
        raise BadInput("sessions: `by` is for companies")
    return scenario


def tell_first(error: ValidationError) -> str:
    """Return what is wrong first, and where it stands in a file, as "sessions[0].at"."""
    first = error.errors(include_url=False)[0]
    steps = (f"[{step}]" if isinstance(step, int) else f".{step}" for step in first["loc"])
    return f"{''.join(steps).lstrip('.') or 'the file'}: {first['msg']}"


def weeks_of(step: str) -> int:
    """Return how many weeks a step of `after` takes."""
    return int(step.partition(":")[2] or 0)


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
