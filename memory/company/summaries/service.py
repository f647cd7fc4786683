"""One compression of a company's memory, with too many facts, once a month, and when a year has ended: read, think, write.

Reading and writing are short transactions; a model is asked in neither. All summaries are written together with the
record of the compression, or nothing is.
"""

from collections.abc import Iterable, Sequence
from datetime import datetime
from uuid import UUID

import numpy as np
import structlog
from django.db.models import Count

from companion_site.audit.services import record_event
from companion_site.embeddings.protocol import Embedder
from companion_site.embeddings.service import get_embedder
from companion_site.jobs import enqueue
from companion_site.language import as_sentence
from companion_site.llm.gateway import get_gateway
from companion_site.vault.models import Space
from companion_site.vault.scope import space_scope, write_scope
from companion_site.vault.services import bump_version
from memory.company.facts import fingerprint, later_expiry, present_confidence
from memory.company.params import COMPANY
from memory.company.reconcile.store import says_again
from memory.company.store import insert_fact
from memory.company.summaries.plan import is_historical, plan, read_wholes, wholes_of, year_of
from memory.company.summaries.text import Written, write_summaries
from memory.models import CompanyCompression, CompanyFact

logger = structlog.get_logger(__name__)

#: How often it is thought out anew where the memory changed meanwhile.
MOST_TRIES = 3


def compress(
    space: UUID,
    *,
    now: datetime,
    embedder: Embedder | None = None,
    trigger: CompanyCompression.Trigger | None = None,
) -> CompanyCompression | None:
    """Compress a company's memory if that is due; return its record, None where it is not due.

    Synchronous and slow: called from a worker, never inside a transaction.

    Args:
        trigger: compresses for this reason, whether that is due or not.
    """
    embedder = embedder or get_embedder()
    for attempt in range(MOST_TRIES + 1):
        with space_scope(space):
            if (trigger or find_trigger(space, now=now)) is None:
                return None
        wholes, known = read_wholes(space, embedder=embedder, now=now)
        written = write_summaries(plan(wholes, known, calibration=embedder.calibration, now=now))
        vectors = embedder.embed([as_sentence(one.text) for one in written])
        with write_scope(space):
            why = trigger or find_trigger(space, now=now)
            if why is None:
                return None
            read = [whole.fact for whole in wholes]
            active = CompanyFact.objects.for_space(space).active(now)
            before = {fact.pk: _state(fact) for fact in read}
            unchanged = {row.pk: row for row in active if before.get(row.pk) == _state(row)}
            count = active.count()
            # Where others write all the time, what still holds of the last plan is better than nothing.
            if not len(unchanged) == len(read) == count and attempt < MOST_TRIES:
                continue
            pruned = _count_pruned(space, now=now)
            stored = []
            for one, vector in zip(written, vectors, strict=True):
                members = [unchanged[fact.pk] for fact in one.planned.facts if fact.pk in unchanged]
                if len(members) == len(one.planned.facts) and _store(
                    space, one, members, vector=vector, model=embedder.model, now=now
                ):
                    stored.append(one)
            if stored:
                bump_version(space)
            return _record(space, stored, trigger=why, before=count, pruned=pruned, now=now)
    return None


def _state(fact: CompanyFact) -> tuple[object, ...]:
    """Return what confirming, flagging, reviewing and doubting change of a fact that stands."""
    reviewed = fact.flagged_at, fact.reviewed_at, fact.doubted_by_id, fact.doubted_since
    return fact.confirmed_at, fact.confidence, fact.expires_at, *reviewed


def _count_pruned(space: UUID, *, now: datetime) -> int:
    """Return how many facts have expired since the last compression, with nothing in their place."""
    rows = CompanyFact.objects.for_space(space).filter(superseded_by__isnull=True, expires_at__lte=now)
    last = last_compression(space)
    return (rows.filter(expires_at__gt=last.at) if last is not None else rows).count()


def _store(
    space: UUID,
    written: Written,
    members: Iterable[CompanyFact],
    *,
    vector: np.ndarray,
    model: str,
    now: datetime,
) -> bool:
    """Write a summary that its members give way to; False where another fact has the same words already.

    It is as sure as its least sure member, and in place for as long as the last of them.
    """
    members = sorted(members, key=lambda row: (row.said_at, row.pk))
    newest, year = members[-1], written.planned.year
    least_sure = min(
        members,
        key=lambda row: (
            present_confidence(row.confidence, row.confirmed_at, now, row.category), row.confirmed_at,
        ),
    )  # fmt: skip
    languages = [part.language for part in written.planned.parts]
    row = CompanyFact(
        space_id=space,
        category=newest.category,
        origin=CompanyFact.Origin.SUMMARY if year is None else CompanyFact.Origin.ANNUAL,
        content=written.text,
        fingerprint=fingerprint(written.text),
        language=max(sorted(set(languages)), key=languages.count),
        confidence=least_sure.confidence,
        confirmed_at=least_sure.confirmed_at,
        confirmations=least_sure.confirmations,
        expires_at=later_expiry(*(member.expires_at for member in members)),
        said_by_id=_shared(member.said_by_id for member in members),
        said_at=newest.said_at,
        source_conversation_id=_shared(member.source_conversation_id for member in members),
        metadata={"by_model": written.by_model},
    )
    if says_again(row) not in (None, *members):
        return False
    reason = CompanyFact.Reason.SUMMARISED if year is None else CompanyFact.Reason.ANNUAL
    insert_fact(row, vectors={model: vector}, at=now, replaces=[(member, reason) for member in members])
    return True


def _shared(values: Iterable[UUID | None]) -> UUID | None:
    """Return what is the same of all members; None where they differ."""
    found = set(values)
    return found.pop() if len(found) == 1 else None


def _record(
    space: UUID,
    stored: Sequence[Written],
    *,
    trigger: CompanyCompression.Trigger,
    before: int,
    pruned: int,
    now: datetime,
) -> CompanyCompression:
    """Write down the compression, also one that found nothing to do: by it the next is due."""
    asked = "/".join(provider.name for provider in get_gateway().providers)
    row = CompanyCompression.objects.create(
        space_id=space,
        trigger=trigger,
        at=now,
        before=before,
        after=CompanyFact.objects.for_space(space).active(now).count(),
        summaries=len(stored),
        provider=asked[:32] if any(one.by_model for one in stored) else "",
    )
    data = {
        "trigger": str(trigger),
        "before": before,
        "after": row.after,
        "summaries": len(stored),
        "annual": sum(one.planned.year is not None for one in stored),
        "pruned": pruned,
    }
    record_event("company.memory_compressed", chain=space, subject=row, data=data, now=now)
    if row.after > COMPANY.most_after:
        logger.warning("company.still_many_facts", space=str(space), after=row.after)
    return row


_TRIGGER = CompanyCompression.Trigger
JOB = "memory.company.tasks.compress_company"


def find_trigger(space: UUID, *, now: datetime) -> CompanyCompression.Trigger | None:
    """Return why a company's memory is to be compressed at `now`; None where it is not. Inside the space's scope.

    What a compression has left is not too much until something is added to it.
    """
    active = CompanyFact.objects.for_space(space).active(now)
    count = active.count()
    last = last_compression(space)
    if count > max(COMPANY.most_active, last.after if last is not None else 0):
        return _TRIGGER.TOO_MANY
    first = CompanyFact.objects.for_space(space).order_by("created_at").values_list("created_at", flat=True)
    since = last.at if last is not None else first.first()
    if not count or since is None:
        return None
    if since + COMPANY.compress_every <= now:
        return _TRIGGER.MONTHLY
    if year_of(since) < year_of(now):
        decisions = active.filter(category=CompanyFact.Category.DECISION)
        wholes = wholes_of(space, decisions.exclude(origin=CompanyFact.Origin.ANNUAL), now=now)
        if any(is_historical(whole, now=now) for whole in wholes):
            return _TRIGGER.ANNUAL
    return None


def last_compression(space: UUID) -> CompanyCompression | None:
    return CompanyCompression.objects.for_space(space).order_by("at", "id").last()


def queue_if_due(space: UUID, *, now: datetime) -> bool:
    """Queue a compression if one is due; called in the transaction that wrote facts, or by the clock."""
    with space_scope(space):
        due = find_trigger(space, now=now) is not None
        if due:
            enqueue(JOB, space)
    return due


def queue_all_due(*, now: datetime) -> int:
    """Queue the compressions that are due, in every company's space; return how many there are.

    Only companies are looked into that believe something, and too much or for a month without a compression; the turn of a
    year counts as a month. So many queries whatever the number of the others.
    """
    # Across spaces, so by the role that sees no content.
    believed = CompanyFact.objects.using("metadata").active(now).order_by().values_list("space_id")
    counts = dict(believed.annotate(Count("pk")))
    last_month = CompanyCompression.objects.using("metadata").filter(at__gt=now - COMPANY.compress_every)
    resting = {space for space, at in last_month.values_list("space_id", "at") if year_of(at) == year_of(now)}
    companies = Space.objects.filter(kind=Space.Kind.COMPANY, closed_at__isnull=True).order_by("pk")
    restless = [
        space
        for space in companies.values_list("pk", flat=True)
        if space in counts and (space not in resting or counts[space] > COMPANY.most_active)
    ]
    return sum(queue_if_due(space, now=now) for space in restless)
