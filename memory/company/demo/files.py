"""The demo company's files, read: days are counted back from the day of the first look."""

import json
from dataclasses import dataclass
from datetime import datetime, time, timedelta
from functools import cache
from pathlib import Path
from typing import Any
from uuid import UUID, uuid5

from django.utils import timezone

from companion_site.days import moment_of
from memory.company.facts import NewFact

LANGUAGE = "sv"
#: between one message and the next
_PAUSE = timedelta(minutes=2)
_FOLDER = Path(__file__).parent


@dataclass(frozen=True, kw_only=True)
class DemoMessage:
    """One message: the person's and the companion's take turns, the person first."""

    id: UUID
    position: int
    text: str
    said_at: datetime

    @property
    def is_person(self) -> bool:
        return self.position % 2 == 1


@dataclass(frozen=True, kw_only=True)
class DemoFact:
    """What is worth believing of a conversation, and the position of the message that says it."""

    position: int
    category: str
    content: str
    confidence: float


@dataclass(frozen=True, kw_only=True)
class DemoConversation:
    """One conversation of one of the demo company's people."""

    id: UUID
    username: str
    title: str
    messages: tuple[DemoMessage, ...]
    facts: tuple[DemoFact, ...]

    @property
    def began_at(self) -> datetime:
        return self.messages[0].said_at

    @property
    def ended_at(self) -> datetime:
        return self.messages[-1].said_at

    def new_facts(self, *, said_by: UUID) -> list[NewFact]:
        """Return its facts on their way into the memory."""
        return [self._new_fact(fact, said_by) for fact in self.facts]

    def _new_fact(self, fact: DemoFact, said_by: UUID) -> NewFact:
        message = self.messages[fact.position - 1]
        return NewFact(
            category=fact.category,
            content=fact.content,
            language=LANGUAGE,
            confidence=fact.confidence,
            said_at=message.said_at,
            conversation=self.id,
            message=message.id,
            said_by=said_by,
        )


def read_conversations(space: UUID, *, now: datetime) -> list[DemoConversation]:
    """Return the conversations of the three months before `now`, the first said first.

    Their ids are told by the space and their place in the file: a load that was cut short finds what it has written.
    """
    rows = _read("conversations.json")
    return [_conversation(space, number, row, now) for number, row in enumerate(rows)]


@cache
def read_state() -> dict[str, Any]:
    """Return key figures and deadlines: `figures` by key, `deadlines` by key and days ahead."""
    return _read("state.json")


def _conversation(space: UUID, number: int, row: dict[str, Any], now: datetime) -> DemoConversation:
    began_at = _at(row["days_ago"], row["time"], now)
    return DemoConversation(
        id=uuid5(space, f"conversation {number}"),
        username=row["by"],
        title=row["title"],
        messages=tuple(
            DemoMessage(
                id=uuid5(space, f"message {number} {place}"),
                position=place + 1,
                text=text,
                said_at=began_at + place * _PAUSE,
            )
            for place, text in enumerate(row["messages"])
        ),
        facts=tuple(DemoFact(position=fact.pop("message") + 1, **fact) for fact in map(dict, row["facts"])),
    )


def _at(days_ago: int, clock: str, now: datetime) -> datetime:
    """Return the moment of a local time of day, so many days before the local day of `now`."""
    day = timezone.localdate(now) - timedelta(days=days_ago)
    return moment_of(day, time.fromisoformat(clock))


def _read(name: str) -> Any:
    return json.loads((_FOLDER / name).read_text(encoding="utf-8"))
