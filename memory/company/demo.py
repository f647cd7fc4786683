"""A demo company's three months, from files: what its people said, what was believed of it, and how it stands today.

Days are counted back from the day of the first look. Facts and figures are taken in by the doors that all come in by.
"""

import json
from dataclasses import dataclass, replace
from datetime import datetime, time, timedelta
from decimal import Decimal
from functools import cache
from pathlib import Path
from typing import Any
from uuid import UUID, uuid5

from django.db import models
from django.utils import timezone

from companion_site.days import moment_of
from companion_site.vault.scope import space_scope
from memory.company.extraction.dialogue import Line
from memory.company.facts import NewFact
from memory.company.intake import believe
from memory.company.live.entries import DeadlineEntry, KpiEntry
from memory.company.live.services import set_state
from memory.company.params import COMPANY
from memory.models import Extraction, Kpi

LANGUAGE = "sv"
#: between one message and the next
_PAUSE = timedelta(minutes=2)
_FOLDER = Path(__file__).parent / "data"


@dataclass(frozen=True, kw_only=True)
class DemoConversation:
    """One conversation of one of the demo company's people, who begins it, and what is worth believing of it."""

    id: UUID
    username: str
    title: str
    messages: tuple[Line, ...]
    facts: tuple[NewFact, ...]

    @property
    def began_at(self) -> datetime:
        return self.messages[0].said_at

    @property
    def ended_at(self) -> datetime:
        return self.messages[-1].said_at


def read_conversations(space: UUID, *, now: datetime) -> list[DemoConversation]:
    """Return the conversations of the three months before `now`, the first said first.

    Their ids are told by the space and their place in the file: a load that was cut short finds what it has written.
    """
    rows = _read("conversations.json")
    return [_conversation(space, number, row, now) for number, row in enumerate(rows)]


def _conversation(space: UUID, number: int, row: dict[str, Any], now: datetime) -> DemoConversation:
    day = timezone.localdate(now) - timedelta(days=row["days_ago"])
    began_at = moment_of(day, time.fromisoformat(row["time"]))
    key = uuid5(space, f"conversation {number}")
    messages = tuple(
        Line(
            id=uuid5(space, f"message {number} {place}"),
            position=place + 1,
            text=text,
            language=LANGUAGE,
            said_at=began_at + place * _PAUSE,
            is_person=place % 2 == 0,
        )
        for place, text in enumerate(row["messages"])
    )
    facts = tuple(
        NewFact(
            category=fact["category"],
            content=fact["content"],
            language=LANGUAGE,
            confidence=fact["confidence"],
            said_at=messages[fact["message"]].said_at,
            conversation=key,
            message=messages[fact["message"]].id,
        )
        for fact in row["facts"]
    )
    return DemoConversation(id=key, username=row["by"], title=row["title"], messages=messages, facts=facts)


@cache
def _read(name: str) -> Any:
    return json.loads((_FOLDER / name).read_text(encoding="utf-8"))


def believe_demo(space: UUID, conversation: DemoConversation, *, person: models.Model) -> None:
    """Believe what a conversation says, as of when it was read then; a second time it changes nothing."""
    read_at = conversation.ended_at + COMPANY.silence
    with space_scope(space):
        extraction, _ = Extraction.objects.for_space(space).get_or_create(
            conversation_id=conversation.id,
            after_position=0,
            defaults={
                "space_id": space,
                "trigger": Extraction.Trigger.SILENCE,
                "until_position": len(conversation.messages),
                "started_at": read_at,
            },
        )
    facts = [replace(fact, said_by=person.pk) for fact in conversation.facts]
    outcome = believe(space, facts, now=read_at, extraction=extraction)
    with space_scope(space):
        extraction.state = Extraction.State.DONE
        extraction.finished_at = read_at + timedelta(seconds=1)
        extraction.counts = {"found": len(facts), **outcome.counts}
        extraction.save(update_fields=["state", "finished_at", "counts"])


def set_demo_state(space: UUID, *, now: datetime, person: models.Model) -> None:
    """Set how the company stands at `now`: its figures, and the days by which something is due."""
    today, state = timezone.localdate(now), _read("state.json")
    figures = [KpiEntry(key=row["key"], value=Decimal(row["value"]), as_of=today) for row in state["figures"]]
    deadlines = [
        DeadlineEntry(key=row["key"], due_on=today + timedelta(days=row["in_days"]))
        for row in state["deadlines"]
    ]
    set_state(space, figures, deadlines, source=Kpi.Source.ADMIN, now=now, actor=person)
