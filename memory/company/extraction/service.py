"""One reading of a part of a conversation, from the row that claims it to the facts that are believed.

The row comes first: two workers at once read a part once. The reading runs outside any transaction. Killed anywhere,
nothing is lost and nothing doubled: a row that has been running for longer than a job may is taken over, and what it
had written by then is known by the facts' own events.
"""

from collections import Counter
from collections.abc import Callable, Sequence
from datetime import datetime, timedelta
from uuid import UUID

import structlog
from django.conf import settings

from companion_site.audit.services import record_event
from companion_site.vault.scope import space_scope
from memory.company.extraction.dialogue import Dialogue, Reading, Refused
from memory.company.extraction.reader import read
from memory.company.intake import believe
from memory.company.live.selectors import standing_keys
from memory.models import CompanyEvent, CompanyRefusal, Extraction

State, Trigger = Extraction.State, Extraction.Trigger
#: Told up to which position a conversation has been read, in the transaction that ends a reading.
Settle = Callable[[int], None]

logger = structlog.get_logger(__name__)
#: rows of one extraction for each reason: a model gone astray does not fill the auditors' page
MOST_EACH = 10


def extract(
    space: UUID, dialogue: Dialogue, *, trigger: Extraction.Trigger, settle: Settle, now: datetime
) -> Extraction | None:
    """Read a part of a conversation and believe what it says; None where another worker reads it or has.

    Args:
        settle: marks the conversation as read, inside the space's scope.
    """
    row = _begin(space, dialogue, trigger=trigger, settle=settle, now=now)
    if row is None:
        return None
    try:
        reading = read(dialogue, standing=standing_keys(space))
        # When an earlier reading broke off, of each message all facts had been written, or none.
        sources = [line.id for line in dialogue.sources]
        with space_scope(space):
            events = CompanyEvent.objects.for_space(space).filter(source_message_id__in=sources)
            taken = set(events.values_list("source_message_id", flat=True))
        facts = [fact for fact in reading.facts if fact.message not in taken]
        outcome = believe(space, facts, now=now, extraction=row)
        _finish(row, counts=outcome.counts, reading=reading, settle=settle, now=now)
    except Exception:  # raised again; the part is read anew later
        with space_scope(space):
            running = Extraction.objects.for_space(space).filter(pk=row.pk, state=State.RUNNING)
            running.update(state=State.FAILED, finished_at=now)
        raise
    logger.info("company.extracted", extraction=str(row.pk), count=len(reading.facts))
    return row


def count_failures(space: UUID, conversation: UUID, *, after: int, since: datetime) -> int:
    """Return how often the reading of one part has failed since some moment; asked inside the space's scope."""
    rows = Extraction.objects.for_space(space).filter(conversation_id=conversation, after_position=after)
    return rows.filter(state=State.FAILED, started_at__gte=since).count()


def _begin(
    space: UUID, dialogue: Dialogue, *, trigger: Extraction.Trigger, settle: Settle, now: datetime
) -> Extraction | None:
    """Return the row by which this worker, and no other, reads the part."""
    with space_scope(space):
        rows = Extraction.objects.for_space(space).exclude(state=State.FAILED).select_for_update()
        row, is_new = rows.get_or_create(
            space_id=space,
            conversation_id=dialogue.conversation,
            after_position=dialogue.after,
            defaults={"until_position": dialogue.until, "trigger": trigger, "started_at": now},
        )
        if is_new:
            return row
        if row.state == State.DONE:
            settle(row.until_position)
            return None
        if row.started_at > now - timedelta(seconds=settings.JOB_TIMEOUT_S):
            return None
        row.started_at, row.until_position = now, dialogue.until
        row.save(update_fields=["started_at", "until_position"])
        return row


def _finish(
    row: Extraction, *, counts: dict[str, int], reading: Reading, settle: Settle, now: datetime
) -> None:
    with space_scope(row.space_id):
        refused = record_refusals(row, reading.refused, now=now)
        row.state, row.finished_at = State.DONE, now
        row.counts = {
            "found": len(reading.facts),
            **counts,
            **{f"refused_{why}": n for why, n in refused.items()},
        }
        row.provider, row.model = reading.provider, reading.model
        row.save(update_fields=["state", "finished_at", "counts", "provider", "model"])
        settle(row.until_position)
        record_event("company.extracted", chain=row.space_id, subject=row, data=dict(row.counts), now=now)


def record_refusals(extraction: Extraction, refused: Sequence[Refused], *, now: datetime) -> dict[str, int]:
    """Write what was refused, inside the space's scope; return how many of each reason there were.

    All are counted; of very many with one reason the first ones are written.
    """
    written: Counter[str] = Counter()
    rows = []
    for one in refused:
        written[one.reason] += 1
        if written[one.reason] <= MOST_EACH:
            rows.append(
                CompanyRefusal(
                    space_id=extraction.space_id,
                    extraction=extraction,
                    reason=one.reason,
                    content=one.content,
                    source_message_id=one.message,
                    at=now,
                )
            )
    CompanyRefusal.objects.bulk_create(rows)
    return {str(reason): count for reason, count in written.items()}
