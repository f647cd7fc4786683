"""Writing facts beside the memories that tell them, in the transaction that writes those; and their person's word on them.

A fact belongs to the memory whose words tell it and is never moved: where that memory is merged or slept into another one, the fact
is found by following what it became (`standing`), so that undoing needs nothing, and later words find it again.

The space is unlocked by the caller. Each change by hand is on record; what changes nothing is not.
"""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from datetime import datetime
from types import MappingProxyType
from uuid import UUID

from django.db import models
from django.db.models import Q
from django.utils import timezone

from companion_site.audit.services import record_event
from companion_site.vault.scope import write_scope
from memory.algorithms.reminders import read_coming
from memory.models import LifeFact, MemoryNode, MemorySource
from memory.reading.words import find_words, table
from memory.student.life.facts.extraction import (
    DONE,
    OPEN_KINDS,
    TIMED,
    Told,
    describe,
    recover,
)
from memory.student.life.facts.selectors import standing


def are_own_words(*, trust: str, source_kind: str, speaker: str | None) -> bool:
    """Tell whether something was said by the person whose memory it is, and not by a teacher, a system or a companion."""
    own = trust == MemoryNode.Trust.PERSON or source_kind == MemorySource.Kind.TRANSCRIPT
    return own and speaker is None


def note_facts(
    space: UUID,
    told: Sequence[Sequence[Told]],
    digests: Sequence[bytes],
    *,
    said_at: datetime,
    new: Mapping[bytes, UUID] = MappingProxyType({}),
) -> None:
    """Write the facts of statements, each kind once a memory. The caller holds the space's lock and transaction.

    What is said again counts from now on: its time is the new one, and what was done with is open again.

    Args:
        told: the facts of each statement.
        digests: by which the memory of each statement is known.
        new: those memories that were written just now, by the same; nothing is known of them yet.
    """
    wanted = {digest for digest, facts in zip(digests, told, strict=True) if facts}
    if not wanted:
        return
    node_of = {**_find_nodes(space, wanted - new.keys()), **new}
    facts = {
        (node_of[digest], fact.kind): fact.detail
        for digest, each in zip(digests, told, strict=True)
        for fact in each
        if digest in node_of
    }
    write_facts(space, facts, said_at=said_at, new=new.values())


def write_facts(
    space: UUID,
    facts: Mapping[tuple[UUID, str], dict[str, object]],
    *,
    said_at: datetime,
    new: Iterable[UUID] = (),
) -> None:
    """Write facts by memory and kind; one that is there already, as none of a `new` memory is, takes the newer words' time."""
    rows = LifeFact.objects.for_space(space).filter(node_id__in={node for node, _ in facts}.difference(new))
    known = {(row.node_id, row.kind): row for row in rows}
    LifeFact.objects.bulk_create(
        LifeFact(space_id=space, node_id=node, kind=kind, detail=detail, noted_at=said_at)
        for (node, kind), detail in facts.items()
        if (node, kind) not in known
    )
    for place in facts.keys() & known.keys():
        _renew(known[place], facts[place], said_at=said_at)


def takes_back(text: str) -> bool:
    """Tell whether words say that something is so no longer, was of no life, or only ask."""
    said = {*find_words(text)}
    return text.rstrip().endswith("?") or any(said & table(name) for name in ("denying", "ending", "playing"))


def carry_facts(
    space: UUID, old: UUID, new: UUID, told: Sequence[Told], *, text: str, language: str, now: datetime
) -> None:
    """Give corrected words their facts: their own, or, where they name no kind themselves, those of the words they replace.

    Args:
        told: the facts that the new words tell themselves; text: those words, whose "tomorrow" is told from `now`.
    """
    facts = {(new, fact.kind): fact.detail for fact in told}
    if not facts and not takes_back(text):
        when = describe(read_coming(text, language=language, said_at=timezone.localtime(now)))
        before = LifeFact.objects.for_space(space).filter(node_id=old)
        facts = {(new, row.kind): (when if when and row.kind in TIMED else row.detail) for row in before}
    write_facts(space, facts, said_at=now)


def _renew(row: LifeFact, detail: dict[str, object], *, said_at: datetime) -> None:
    if said_at <= row.noted_at:
        return
    row.detail, row.noted_at = detail, said_at
    if row.closed_at is not None and row.closed_at < said_at:
        row.closed_at = None
    row.save(update_fields=["detail", "noted_at", "closed_at"])


def _find_nodes(space: UUID, digests: Iterable[bytes]) -> dict[bytes, UUID]:
    """Return the memory of each hash: the one that is believed, or the latest that became part of another."""
    rows = (
        MemoryNode.objects.for_space(space)
        .filter(content_hash__in=list(digests), superseded_at__isnull=True)
        .filter(Q(removed_at__isnull=True) | Q(merged_into__isnull=False))
        .order_by("id")
        .values_list("content_hash", "pk", "removed_at")
    )
    found = sorted(rows, key=lambda row: row[2] is None)
    return {bytes(digest): node for digest, node, _ in found}


def finish_fact(space: UUID, fact_id: UUID, *, now: datetime, actor: models.Model | None = None) -> bool:
    """Note that an open loop is done with: what comes again for this time, all else for good. Return whether it comes again.

    Raises:
        NotFound: the space has no such fact, or it is none that can be open; goals are closed as goals.
    """
    action = "memory.life_fact_finished"
    with _changing(space, fact_id, action, kinds=OPEN_KINDS, now=now, actor=actor) as row:
        if recover(row.detail).is_recurring:
            row.detail = {**row.detail, DONE: now.isoformat()}
        else:
            row.closed_at = row.closed_at or now
    return row.closed_at is None


def close_fact(space: UUID, fact_id: UUID, *, now: datetime, actor: models.Model | None = None) -> None:
    """Never bring a fact up again by oneself, not even what comes again and again. Its memory stays.

    Raises:
        NotFound.
    """
    with _changing(space, fact_id, "memory.life_fact_closed", now=now, actor=actor) as row:
        row.closed_at = row.closed_at or now


def reopen_fact(space: UUID, fact_id: UUID, *, now: datetime, actor: models.Model | None = None) -> None:
    """Keep a fact in mind again, done with for this time or closed.

    Raises:
        NotFound.
    """
    with _changing(space, fact_id, "memory.life_fact_reopened", now=now, actor=actor) as row:
        row.detail = {name: value for name, value in row.detail.items() if name != DONE}
        row.closed_at = None


@contextmanager
def _changing(
    space: UUID,
    fact_id: UUID,
    action: str,
    *,
    kinds: Collection[str] = LifeFact.Kind.values,
    now: datetime,
    actor: models.Model | None,
) -> Iterator[LifeFact]:
    """Give a fact to be changed, and write what differs then."""
    with write_scope(space):
        row = standing(space).find(pk=fact_id, kind__in=kinds)
        before = row.detail, row.closed_at
        yield row
        if (row.detail, row.closed_at) != before:
            row.save(update_fields=["detail", "closed_at"])
            record_event(action, chain=space, actor=actor, subject=row, now=now)
