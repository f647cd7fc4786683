"""Conversations to measure with: reading and checking their files.

One JSON file per conversation (UTF-8): `name`, `source`, `language`, `people` (two speakers), `sessions` in order of
time (`id`, `at` in ISO 8601, `turns` of `id`, `speaker`, `text`) and `questions` (`id`, `text`, `category`, and
`evidence`, the ids of the turns that hold the answer). Speakers may be roles, texts long, categories any.
"""

import json
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from itertools import count
from pathlib import Path
from typing import Annotated

from pydantic import BeforeValidator, TypeAdapter, ValidationError
from pydantic.dataclasses import dataclass

#: Ten years of daily talk are some 20 MB; a larger file is something else.
MAX_BYTES = 64 * 2**20
#: Dates outside cannot be counted on from, or are another calendar's.
YEARS = range(1900, 2200)
#: Some files hold several ids in one string.
_SEPARATORS = re.compile(r"[\s,;]+")


class BadConversation(ValueError):
    """A file is not a conversation; the message says where."""


def clean(text: str) -> str:
    """Return the text without NUL and halves of surrogate pairs: no database takes them."""
    paired = text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "ignore")
    return paired.replace("\0", "")


def split_evidence(evidence: object) -> list[str]:
    """Return the turn ids of a question's evidence, each once: a list or a string, several ids in one string too."""
    entries = evidence if isinstance(evidence, list | tuple) else [evidence or ""]
    found = (part for entry in entries for part in _SEPARATORS.split(clean(str(entry))))
    return list(dict.fromkeys(part for part in found if part))


def _read_moment(told: object) -> datetime:
    at = told if isinstance(told, datetime) else datetime.fromisoformat(told if isinstance(told, str) else "")
    if at.year not in YEARS:
        raise ValueError(f"the year {at.year} is no likely one")
    return at if at.tzinfo else at.replace(tzinfo=UTC)


#: text of the file, and what may be a number as well
Words = Annotated[str, BeforeValidator(lambda value: clean(value) if isinstance(value, str) else value)]
Name = Annotated[str, BeforeValidator(lambda value: "" if value is None else clean(str(value)))]


@dataclass(frozen=True)
class Turn:
    """One message. `position` counts turns from 0 over the whole conversation."""

    id: Words
    speaker: Words
    text: Words
    position: int = 0


@dataclass(frozen=True)
class Session:
    """Turns of one sitting."""

    id: Words
    at: Annotated[datetime, BeforeValidator(_read_moment)]
    turns: tuple[Turn, ...]


@dataclass(frozen=True)
class Question:
    """A question and the turns that hold its answer; those not in the file are in `missing`."""

    text: Words
    id: Name = ""
    category: Name = "all"
    evidence: Annotated[tuple[str, ...], BeforeValidator(split_evidence)] = ()
    missing: tuple[str, ...] = ()


@dataclass(frozen=True, kw_only=True)
class Conversation:
    """One file."""

    sessions: tuple[Session, ...]
    name: Name = ""
    source: Name = ""
    language: Name = "en"
    people: tuple[Name, ...] = ()
    questions: tuple[Question, ...] = ()

    @property
    def now(self) -> datetime:
        """One day after the last session: when the questions are asked."""
        return self.sessions[-1].at + timedelta(days=1)

    def turns(self) -> Iterator[tuple[Session, Turn]]:
        """Yield every turn with its session, in order."""
        for session in self.sessions:
            for turn in session.turns:
                yield session, turn


_FILE = TypeAdapter(Conversation)


def load_conversation(path: Path) -> Conversation:
    """Return the conversation of one file.

    Raises:
        BadConversation: it is not JSON of this form; the message names the place.
    """
    try:
        if path.stat().st_size > MAX_BYTES:
            raise BadConversation(f"larger than {MAX_BYTES // 2**20} MB")
        return parse_conversation(json.loads(path.read_text(encoding="utf-8")), default_name=path.stem)
    except OSError as error:
        raise BadConversation(f"{path}: {error.strerror}") from error
    except UnicodeDecodeError as error:
        raise BadConversation(f"{path.name}: not UTF-8") from error
    except RecursionError as error:
        raise BadConversation(f"{path.name}: nested too deeply") from error
    except json.JSONDecodeError as error:
        raise BadConversation(f"{path.name}: not JSON: {error}") from error
    except BadConversation as error:
        raise BadConversation(f"{path.name}: {error}") from error


def parse_conversation(data: object, *, default_name: str = "conversation") -> Conversation:
    """Return a conversation from decoded JSON; sessions come out in order of time, however they came in.

    Raises:
        BadConversation: a part is missing, of the wrong kind, or an id is there twice.
    """
    try:
        told = _FILE.validate_python(data)
    except ValidationError as error:
        first = error.errors(include_url=False)[0]
        raise BadConversation(f"{_place(first['loc'])}: {first['msg']}") from error
    position = count()
    sessions = tuple(
        replace(session, turns=tuple(replace(turn, position=next(position)) for turn in session.turns))
        for session in sorted(told.sessions, key=lambda session: session.at)
    )
    turns = [turn for session in sessions for turn in session.turns]
    if not turns:
        raise BadConversation("no turns" if sessions else "no sessions")
    ids = _once("turn", [turn.id for turn in turns])
    questions = tuple(
        replace(
            one,
            id=one.id or str(number),
            evidence=tuple(turn for turn in one.evidence if turn in ids),
            missing=tuple(turn for turn in one.evidence if turn not in ids),
        )
        for number, one in enumerate(told.questions)
    )
    _once("question", [question.id for question in questions])
    people = told.people or tuple(dict.fromkeys(turn.speaker for turn in turns))
    name = told.name or clean(default_name)
    return replace(told, name=name, people=people, sessions=sessions, questions=questions)


def _once(what: str, ids: Sequence[str]) -> set[str]:
    """Return ids of which none is there twice."""
    if twice := [one for one, times in Counter(ids).items() if times > 1]:
        raise BadConversation(f"{what} ids are there twice: {', '.join(twice[:5])}")
    return set(ids)


def _place(path: Sequence[int | str]) -> str:
    """Return where something stands in a file, as "sessions[0].at"."""
    return (
        "".join(f"[{step}]" if isinstance(step, int) else f".{step}" for step in path).lstrip(".")
        or "the file"
    )
