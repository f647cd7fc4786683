"""Taking the demo company's facts and figures in, by the doors that all facts and figures come in by."""

from datetime import datetime, timedelta
from decimal import Decimal
from uuid import UUID

from django.db import models
from django.utils import timezone

from companion_site.vault.scope import space_scope
from memory.company.demo.files import DemoConversation, read_state
from memory.company.intake import believe
from memory.company.live.entries import DeadlineEntry, KpiEntry
from memory.company.live.services import set_state
from memory.company.params import COMPANY
from memory.models import Extraction, Kpi


def believe_demo(space: UUID, conversation: DemoConversation, *, person: models.Model) -> None:
    """Believe what a conversation says, as of when it was read then; a second time it changes nothing."""
    read_at = conversation.ended_at + COMPANY.silence
    extraction = _begin_reading(space, conversation, at=read_at)
    facts = conversation.new_facts(said_by=person.pk)
    outcome = believe(space, facts, now=read_at, extraction=extraction)
    with space_scope(space):
        extraction.state = Extraction.State.DONE
        extraction.finished_at = read_at + timedelta(seconds=1)
        extraction.counts = {"found": len(facts), **outcome.counts}
        extraction.save(update_fields=["state", "finished_at", "counts"])


def set_demo_state(space: UUID, *, now: datetime, person: models.Model) -> None:
    """Set how the company stands at `now`: its figures, and the days by which something is due."""
    today, state = timezone.localdate(now), read_state()
    figures = [KpiEntry(key=row["key"], value=Decimal(row["value"]), as_of=today) for row in state["figures"]]
    deadlines = [
        DeadlineEntry(key=row["key"], due_on=today + timedelta(days=row["in_days"]))
        for row in state["deadlines"]
    ]
    set_state(space, figures, deadlines, source=Kpi.Source.ADMIN, now=now, actor=person)


def _begin_reading(space: UUID, conversation: DemoConversation, *, at: datetime) -> Extraction:
    with space_scope(space):
        row, _ = Extraction.objects.for_space(space).get_or_create(
            conversation_id=conversation.id,
            after_position=0,
            defaults={
                "space_id": space,
                "trigger": Extraction.Trigger.SILENCE,
                "until_position": len(conversation.messages),
                "started_at": at,
            },
        )
    return row
