"""Conversations to measure with: reading and checking their files.

One JSON file per conversation (UTF-8): `name`, `source`, `language`, `people` (two speakers), `sessions` in order of
time (`id`, `at` in ISO 8601, `turns` of `id`, `speaker`, `text`) and `questions` (`id`, `text`, `category`, and
`evidence`, the ids of the turns that hold the answer). Speakers may be roles, texts long, categories any.
"""

import json
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

#: Ten years of daily talk are some 20 MB; a larger file is something else.
MAX_BYTES = 64 * 2**20
#: Dates outside cannot be counted on from, or are another calendar's.
YEARS = range(1900, 2200)
#: Some files hold several ids in one string.
_SEPARATORS = re.compile(r"[\s,;]+")


class BadConversation(ValueError):
    """A file is not a conversation; the message says where."""


@dataclass(frozen=True)
class Turn:
    """One message. `position` counts turns from 0 over the whole conversation."""

    id: str
    speaker: str
    text: str
    position: int


@dataclass(frozen=True)
class Session:
    """Turns of one sitting."""

    id: str
    at: datetime
    turns: tuple[Turn, ...]


@dataclass(frozen=True)
class Question:
    """A question and the turns that hold its answer; those not in the file are in `missing`."""

    id: str
    text: str
    category: str
    evidence: tuple[str, ...]
    missing: tuple[str, ...] = ()


@dataclass(frozen=True)
class Conversation:
    """One file."""

    name: str
    source: str
    language: str
    people: tuple[str, ...]
    sessions: tuple[Session, ...]
    questions: tuple[Question, ...]

    @property
    def now(self) -> datetime:
        """One day after the last session: when the questions are asked."""
        return self.sessions[-1].at + timedelta(days=1)

    def turns(self) -> Iterator[tuple[Session, Turn]]:
        """Yield every turn with its session, in order."""
        for session in self.sessions:
            for turn in session.turns:
                yield session, turn

    def session_of(self) -> dict[str, str]:
        """Return the session id of every turn id."""
        return {turn.id: session.id for session, turn in self.turns()}


def load_conversations(paths: Sequence[Path]) -> list[Conversation]:
    """Return the conversations of files and of all `*.json` in folders, in order of name.

    Raises:
        BadConversation: a file is damaged, or there is none.
    """
    files = sorted(file for path in paths for file in (path.glob("*.json") if path.is_dir() else [path]))
    if not files:
        raise BadConversation(f"no conversation in {', '.join(map(str, paths))}")
    return _named_apart([load_conversation(file) for file in files])


def _named_apart(conversations: Sequence[Conversation]) -> list[Conversation]:
    """Give files of one name numbers, so that none is taken for another."""
    seen: Counter[str] = Counter()
    apart = []
    for conversation in conversations:
        seen[conversation.name] += 1
        times = seen[conversation.name]
        apart.append(
            replace(conversation, name=f"{conversation.name} ({times})") if times > 1 else conversation
        )
    return apart


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
    root = _mapping(data, "the file")
    sessions = _number_turns(sorted(_sessions(root), key=lambda session: session.at))
    if not sessions:
        raise BadConversation("no sessions")
    if not any(session.turns for session in sessions):
        raise BadConversation("no turns")
    ids = Counter(turn.id for session in sessions for turn in session.turns)
    if twice := [turn for turn, count in ids.items() if count > 1]:
        raise BadConversation(f"turn ids are there twice: {', '.join(twice[:5])}")
    questions = tuple(_questions(root, frozenset(ids)))
    if twice := [question for question, count in Counter(one.id for one in questions).items() if count > 1]:
        raise BadConversation(f"question ids are there twice: {', '.join(twice[:5])}")
    speakers = dict.fromkeys(turn.speaker for session in sessions for turn in session.turns)
    people = _list(root.get("people", []), "people") or list(speakers)
    return Conversation(
        name=clean(str(root.get("name", default_name))),
        source=clean(str(root.get("source", ""))),
        language=str(root.get("language", "en")),
        people=tuple(clean(str(person)) for person in people),
        sessions=sessions,
        questions=questions,
    )


def clean(text: str) -> str:
    """Return the text without NUL and halves of surrogate pairs: no database takes them."""
    paired = text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "ignore")
    return paired.replace("\0", "")


def _sessions(root: dict[str, Any]) -> Iterator[Session]:
    for index, entry in enumerate(_list(root.get("sessions"), "sessions")):
        where = f"sessions[{index}]"
        session = _mapping(entry, where)
        turns = tuple(_turns(session, where))
        yield Session(_text(session, "id", where), _time(_text(session, "at", where), where), turns)


def _turns(session: dict[str, Any], where: str) -> Iterator[Turn]:
    for index, entry in enumerate(_list(session.get("turns"), f"{where}.turns")):
        place = f"{where}.turns[{index}]"
        turn = _mapping(entry, place)
        yield Turn(_text(turn, "id", place), _text(turn, "speaker", place), _text(turn, "text", place), index)


def _number_turns(sessions: Sequence[Session]) -> tuple[Session, ...]:
    numbered, start = [], 0
    for session in sessions:
        turns = tuple(replace(turn, position=start + index) for index, turn in enumerate(session.turns))
        numbered.append(replace(session, turns=turns))
        start += len(turns)
    return tuple(numbered)


def _questions(root: dict[str, Any], known: frozenset[str]) -> Iterator[Question]:
    for index, entry in enumerate(_list(root.get("questions", []), "questions")):
        where = f"questions[{index}]"
        question = _mapping(entry, where)
        named = split_evidence(question.get("evidence", []))
        yield Question(
            id=clean(str(question.get("id", index))),
            text=_text(question, "text", where),
            category=clean(str(question.get("category", "all"))),
            evidence=tuple(turn for turn in named if turn in known),
            missing=tuple(turn for turn in named if turn not in known),
        )


def split_evidence(evidence: object) -> list[str]:
    """Return the turn ids of a question's evidence, each once: a list or a string, several ids in one string too."""
    entries = [evidence] if isinstance(evidence, str) else _list(evidence or [], "evidence")
    found = (part for entry in entries for part in _SEPARATORS.split(clean(str(entry))))
    return list(dict.fromkeys(part for part in found if part))


def _time(text: str, where: str) -> datetime:
    try:
        at = datetime.fromisoformat(text)
    except ValueError as error:
        raise BadConversation(f"{where}.at: {error}") from error
    if at.year not in YEARS:
        raise BadConversation(f"{where}.at: the year {at.year} is no likely one")
    return at if at.tzinfo else at.replace(tzinfo=UTC)


def _mapping(value: object, where: str) -> dict[str, Any]:
    if not isinstance(value, dict):
        raise BadConversation(f"{where} is not an object")
    return value


def _list(value: object, where: str) -> list[Any]:
    if not isinstance(value, list):
        raise BadConversation(f"{where} is not a list")
    return value


def _text(entry: dict[str, Any], key: str, where: str) -> str:
    value = entry.get(key)
    if not isinstance(value, str):
        raise BadConversation(f"{where}.{key} is not text")
    return clean(value)
