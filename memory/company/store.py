"""The only writers of a company's facts: a row, its event and its entry in the record, always all three.

Words are never changed and rows never deleted: a fact gives way by pointing at the one that took its place. The caller
holds the space's lock and transaction, and counts the space's version once.
"""

from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime, timedelta
from typing import Any
from uuid import UUID

import numpy as np
from django.db import models
from django.db.models import Q

from companion_site.audit.services import record_event
from companion_site.embeddings.protocol import Embedder
from companion_site.language import as_sentence
from companion_site.vault.scope import lock_space, space_scope
from companion_site.vault.services import bump_version
from memory.company.facts import boosted_confidence, present_confidence, renewed_expiry
from memory.models import CompanyEvent, CompanyFact, CompanyFactVector

#: A fact that gives way, and why.
Replaced = tuple[CompanyFact, CompanyFact.Reason]
#: In a fact's metadata: that it never stood; when somebody vouched for it after it was said, as an ISO moment.
OUTDATED, VOUCHED = "outdated", "vouched_at"
_KIND = CompanyEvent.Kind
#: By embedding model.
Vectors = Mapping[str, np.ndarray]


def insert_fact(
    fact: CompanyFact,
    *,
    vectors: Vectors,
    at: datetime,
    replaces: Sequence[Replaced] = (),
    actor: models.Model | None = None,
) -> CompanyFact:
    """Write a new fact with its vectors, and let those that it replaces give way to it.

    A clock that was set back is taken no earlier than what gives way began, so that nothing ends before it began.

    Args:
        fact: not saved; `created_at` is set here.
        vectors: by the name of the embedding model, (d,) float32 of unit length.
    """
    fact.created_at = max([at, *(old.created_at for old, _ in replaces)])
    if replaces:
        # The new row stands back while the old one has the same words: the database allows no two, not for a moment.
        fact.superseded_by, fact.superseded_reason = replaces[0]
        fact.superseded_at = fact.created_at
    fact.save(force_insert=True)
    for old, reason in replaces:
        _give_way(old, to=fact, reason=reason, at=fact.created_at, actor=actor)
    if replaces:
        fact.superseded_by, fact.superseded_at, fact.superseded_reason = None, None, ""
        fact.save(update_fields=["superseded_by", "superseded_at", "superseded_reason"])
    _note_believed(fact, vectors, actor=actor, restores=str(fact.restores_id) if fact.restores_id else None)
    for old, _reason in replaces:
        _note_replaced(old, actor=actor)
    return fact


def insert_outdated(
    fact: CompanyFact, *, by: CompanyFact, reason: CompanyFact.Reason, vectors: Vectors, at: datetime
) -> CompanyFact:
    """Write a fact that was replaced before it was heard of, so that the history tells that it was said."""
    fact.created_at = fact.superseded_at = at
    fact.superseded_by, fact.superseded_reason = by, reason
    fact.metadata = {**fact.metadata, OUTDATED: True}
    fact.save(force_insert=True)
    _note_believed(fact, vectors, outdated=True)
    _note_replaced(fact)
    return fact


def supersede(
    old: CompanyFact,
    *,
    by: CompanyFact,
    reason: CompanyFact.Reason,
    at: datetime,
    actor: models.Model | None = None,
) -> None:
    """Let a fact give way to another that is believed already."""
    _give_way(old, to=by, reason=reason, at=max(at, old.created_at, by.created_at), actor=actor)
    _note_replaced(old, actor=actor)


def flag(fact: CompanyFact, *, against: CompanyFact, at: datetime) -> None:
    """Ask for a review of a fact that took the place of one it contradicts."""
    fact.flagged_at = at
    fact.save(update_fields=["flagged_at"])
    note_event(fact, _KIND.FLAGGED, at=at, other_id=against.pk)


def put_in_doubt(fact: CompanyFact, *, by: CompanyFact, since: datetime, at: datetime) -> None:
    """Note that what was said later probably takes a fact's place; it is believed meanwhile.

    Of several that stand the one said first is the reason: what changes a thing is mostly said before what merely speaks of it.

    Args:
        since: when that was said.
    """
    if by.pk in (fact.pk, fact.doubted_by_id):
        return
    known, first = fact.doubted_since, fact.doubted_by
    if first is not None and first.superseded_by_id is None and known is not None and known <= since:
        return
    fact.doubted_by, fact.doubted_since = by, since
    fact.save(update_fields=["doubted_by", "doubted_since"])
    record = "company.fact_doubted", {"by": str(by.pk)}
    note_event(fact, _KIND.DOUBTED, at=at, record=record, other_id=by.pk, since=since)


def end_doubt(
    fact: CompanyFact, *, why: CompanyEvent.Cleared, at: datetime, actor: models.Model | None = None
) -> None:
    """Let a fact be in doubt no more."""
    if fact.doubted_since is None:
        return
    fact.doubted_by = fact.doubted_since = None
    fact.save(update_fields=["doubted_by", "doubted_since"])
    record = "company.fact_cleared", {"why": str(why)}
    note_event(fact, _KIND.CLEARED, at=at, actor=actor, record=record, reason=str(why))


def vouch(fact: CompanyFact, *, at: datetime) -> None:
    """Keep when a fact was said again, or said to hold, without a new row: what was said before that does not replace it."""
    fact.metadata = {**fact.metadata, VOUCHED: at.isoformat()}
    fact.save(update_fields=["metadata"])


def add_vectors(space: UUID, vectors: Iterable[tuple[UUID, str, np.ndarray]]) -> None:
    """Keep vectors, each of a fact under a model; one that is there already stays."""
    CompanyFactVector.objects.bulk_create(
        (
            CompanyFactVector(
                space_id=space, fact_id=fact, model=model, dimension=len(vector), embedding=vector
            )
            for fact, model, vector in vectors
        ),
        ignore_conflicts=True,
    )


def vectors_of(fact: CompanyFact) -> Vectors:
    """Return the vectors that are kept of a fact, by model."""
    kept = CompanyFactVector.objects.for_space(fact.space_id).filter(fact=fact)
    return {model: np.asarray(vector, np.float32) for model, vector in kept.values_list("model", "embedding")}


def read_vectors(space: UUID, facts: Iterable[UUID], *, model: str) -> dict[UUID, np.ndarray]:
    """Return the vectors of facts under a model, by fact. Inside the space's scope."""
    rows = CompanyFactVector.objects.for_space(space).filter(model=model, fact_id__in=list(facts))
    return {fact: np.asarray(vector, np.float32) for fact, vector in rows.values_list("fact_id", "embedding")}


def embed_missing(
    facts: Iterable[CompanyFact], vectors: Mapping[UUID, np.ndarray], embedder: Embedder
) -> dict[UUID, np.ndarray]:
    """Return the vectors of the facts that have none among `vectors`, by fact. Outside of any transaction."""
    missing = [fact for fact in facts if fact.pk not in vectors]
    made = embedder.embed([as_sentence(fact.content) for fact in missing])
    return {fact.pk: vector for fact, vector in zip(missing, made, strict=True)}


def note_event(
    fact: CompanyFact,
    kind: CompanyEvent.Kind,
    *,
    at: datetime,
    actor: models.Model | None = None,
    record: tuple[str, dict[str, Any]] | None = None,
    **values: Any,
) -> None:
    """Write down what happened to a fact: the auditor's second source, beside the rows themselves.

    Args:
        record: action and data of its entry in the site's record, where it has one.
    """
    actor_id = actor.pk if actor is not None else None
    CompanyEvent.objects.create(
        space_id=fact.space_id, fact_id=fact.pk, kind=kind, at=at, actor_id=actor_id, **values
    )
    if record is not None:
        action, data = record
        record_event(action, chain=fact.space_id, actor=actor, subject=fact, data=data, now=at)


def _give_way(
    old: CompanyFact, *, to: CompanyFact, reason: CompanyFact.Reason, at: datetime, actor: models.Model | None
) -> None:
    if old.superseded_by_id is not None:
        raise ValueError("a fact gives way once: what replaced it stays on record")
    old.superseded_by, old.superseded_at, old.superseded_reason = to, at, reason
    old.superseded_actor_id = actor.pk if actor is not None else None
    old.save(update_fields=["superseded_by", "superseded_at", "superseded_reason", "superseded_actor"])


def _note_believed(
    fact: CompanyFact, vectors: Vectors, *, actor: models.Model | None = None, **data: object
) -> None:
    add_vectors(fact.space_id, ((fact.pk, model, vector) for model, vector in vectors.items()))
    note_event(
        fact,
        _KIND.BELIEVED,
        at=fact.created_at,
        actor=actor,
        record=("company.fact_believed", {"category": fact.category, "origin": fact.origin, **data}),
        other_id=fact.restores_id,
        confidence=fact.confidence,
        expires_at=fact.expires_at,
        source_message_id=fact.source_message_id,
    )


def _note_replaced(old: CompanyFact, *, actor: models.Model | None = None) -> None:
    data = {"by": str(old.superseded_by_id), "reason": str(old.superseded_reason)}
    note_event(
        old,
        _KIND.SUPERSEDED,
        at=old.superseded_at,  # type: ignore[arg-type]  # it was replaced
        actor=actor,
        record=("company.fact_superseded", data),
        reason=old.superseded_reason,
        other_id=old.superseded_by_id,
    )


#: Use confirms a fact once in this time: twenty questions about one thing in a row make it no surer than one does.
BETWEEN_USES = timedelta(days=1)


def confirm(space: UUID, fact_ids: Iterable[UUID], *, now: datetime) -> list[UUID]:
    """Confirm the facts that were put into a reply and bear on what the person said; return those that were.

    What is not believed at `now` is left alone, and so is what was confirmed less than a day ago.
    """
    wanted = list(fact_ids)
    with space_scope(space):
        if not _used(space, wanted, now=now):
            return []
        lock_space(space)
        used = _used(space, wanted, now=now)
        for fact in used:
            confirm_row(fact, now=now)
        if used:
            bump_version(space)
    return [fact.pk for fact in used]


def confirm_row(
    fact: CompanyFact, *, now: datetime, said_at: datetime | None = None, message: UUID | None = None
) -> bool:
    """Confirm one fact under the space's lock; return whether that changed anything.

    Args:
        fact: as it is now; one that has expired, or was confirmed by the same message before, stays as it is.
        said_at: when the fact was said again, from which it lives on; None: it was used now.
    """
    if fact.superseded_by_id is not None or (fact.expires_at is not None and fact.expires_at <= now):
        return False
    if message is not None and fact.events.filter(source_message_id=message).exists():
        return False
    moment = max(fact.confirmed_at, said_at or now)
    present = present_confidence(fact.confidence, fact.confirmed_at, moment, fact.category)
    fact.confidence, fact.confirmed_at = boosted_confidence(present), moment
    fact.confirmations += 1
    fact.expires_at = renewed_expiry(fact.expires_at, fact.category, since=said_at or now)
    fact.save(update_fields=["confidence", "confirmed_at", "confirmations", "expires_at"])
    note_event(
        fact,
        CompanyEvent.Kind.CONFIRMED,
        at=now,
        confidence=fact.confidence,
        expires_at=fact.expires_at,
        source_message_id=message,
    )
    return True


def _used(space: UUID, fact_ids: Sequence[UUID], *, now: datetime) -> list[CompanyFact]:
    """Return the facts that using them now confirms."""
    facts = CompanyFact.objects.for_space(space).active(now).filter(pk__in=fact_ids)
    return list(facts.filter(Q(confirmations=0) | Q(confirmed_at__lte=now - BETWEEN_USES)).order_by("id"))
