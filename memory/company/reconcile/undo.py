"""A person's word on what the companion did to a fact: undo it, keep what was flagged, settle a doubt.

History stays: what is brought back is a new row. What one change replaced comes back as a whole, so that nothing is lost by
undoing half of it. A summary comes back as the facts that it was made of.
"""

from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from uuid import UUID

from django.db import models

from companion_site.audit.services import record_event
from companion_site.vault.scope import space_scope, write_scope
from companion_site.vault.services import bump_version
from memory.company.errors import Settled
from memory.company.facts import renewed_expiry
from memory.company.reconcile.selectors import INTO_SUMMARY, is_summary
from memory.company.reconcile.store import restorable, restore_fact, says_again
from memory.company.store import OUTDATED, end_doubt, note_event, supersede, vouch
from memory.models import CompanyEvent, CompanyFact
from memory.querysets import FactQuerySet

_REASON = CompanyFact.Reason
#: Why a row gives way to one that says the same.
SAID_AGAIN = (_REASON.RESTATED, _REASON.RENEWED)
#: Why a row gives way to one that stands whether it does or not.
STANDS_BESIDE = (_REASON.RESOLVED, _REASON.OUTDATED)
_CLEARED = CompanyEvent.Cleared


def undo(space: UUID, fact_id: UUID, *, actor: models.Model, now: datetime) -> list[CompanyFact]:
    """Undo what replaced a fact; return the rows that are believed in its place, its own words first.

    What had replaced it gives way, except where it only settled an open item, or a person said which of two is out of date: then
    both stand.

    Args:
        fact_id: the fact that was replaced, or the one that took its place.

    Raises:
        NotFound: the space has no such fact.
        Settled: nothing has replaced it and it has replaced nothing, or what replaced it is not to be undone any more.
    """
    with write_scope(space):
        return undo_change(_replaced_fact(space, fact_id), actor=actor, now=now)


def undo_change(old: CompanyFact, *, actor: models.Model, now: datetime) -> list[CompanyFact]:
    """Undo what replaced `old`, under the space's lock; see `undo`."""
    if why := obstacles(old.space_id, [old]).get(old.pk):
        raise Settled(why=why)
    gives_way = None
    if old.superseded_reason not in STANDS_BESIDE:
        facts = CompanyFact.objects.for_space(old.space_id)
        gives_way = facts.get(pk=_standing(facts, [old.superseded_by_id])[old.superseded_by_id])  # type: ignore[list-item, index]  # replaced
    rows = _bring_back(old, instead_of=gives_way, actor=actor, now=now)
    if gives_way is not None:
        # Nothing is in doubt because of a fact that was taken back.
        for fact in gives_way.doubts.order_by("id"):
            end_doubt(fact, why=_CLEARED.TAKEN_BACK, at=now, actor=actor)
        if gives_way.flagged_at is not None:
            mark_reviewed(gives_way, actor=actor, now=now, kept=False)
    record_event(
        "company.fact_undone",
        chain=old.space_id,
        actor=actor,
        subject=old,
        data={
            "reason": old.superseded_reason,
            "replacement": str(old.superseded_by_id),
            "restored": len(rows),
        },
        now=now,
    )
    bump_version(old.space_id)
    return rows


def mark_reviewed(fact: CompanyFact, *, actor: models.Model, now: datetime, kept: bool) -> None:
    """Note that somebody has decided about a flagged fact."""
    fact.flagged_at, fact.reviewed_at, fact.reviewed_by_id = None, now, actor.pk
    fact.save(update_fields=["flagged_at", "reviewed_at", "reviewed_by"])
    record = "company.fact_reviewed", {"kept": kept}
    reason = "kept" if kept else "undone"
    note_event(fact, CompanyEvent.Kind.REVIEWED, at=now, actor=actor, record=record, reason=reason)


def _replaced_fact(space: UUID, fact_id: UUID) -> CompanyFact:
    """Return the fact itself where it was replaced, else the one that it replaced last."""
    rows = CompanyFact.objects.for_space(space)
    fact = rows.find(pk=fact_id)
    if fact.superseded_by_id is not None:
        return fact
    last = gave_way_to(space, [fact.pk]).exclude(superseded_reason=_REASON.UNDONE).first()
    if last is None:
        raise Settled(why="fact-unchanged")
    return last


def _one_change(old: CompanyFact) -> list[CompanyFact]:
    """Return what gave way together with `old`, itself first; what was outdated when it came in never stood."""
    if old.superseded_reason in STANDS_BESIDE:
        return [old]
    to = [old.superseded_by_id]
    together = gave_way_to(old.space_id, to).filter(superseded_at=old.superseded_at)  # type: ignore[arg-type]  # replaced
    return [old, *together.exclude(pk=old.pk)]


def _bring_back(
    old: CompanyFact, *, instead_of: CompanyFact | None, actor: models.Model, now: datetime
) -> list[CompanyFact]:
    """Believe again what gave way together with `old`, the first of it in the place of what gives way now.

    What was in doubt is so again, but for `old` itself where something had replaced it: who takes it out of a summary says nothing of that.
    What had expired before it was said again has expired then too; what something else says in the same words is there already.
    """
    rows: list[CompanyFact] = []
    for fact in restorable(_one_change(old)):
        is_asked_for = fact == old and old.superseded_reason not in INTO_SUMMARY
        replaces = [(instead_of, _REASON.UNDONE)] if instead_of is not None and not rows else []
        holder = says_again(fact)
        if holder is not None and not (replaces and holder == instead_of):
            continue
        had_expired = fact.superseded_reason == _REASON.RENEWED
        renewed = renewed_expiry(fact.expires_at, fact.category, since=now)
        rows.append(
            restore_fact(
                fact,
                expires_at=fact.expires_at if had_expired else renewed,
                confirmed_at=fact.confirmed_at if had_expired else max(fact.confirmed_at, now),
                at=now,
                actor=actor,
                vouches=is_asked_for or fact.doubted_by_id is None,
                replaces=replaces,
            )
        )
    return rows


def review(
    space: UUID, fact_id: UUID, *, actor: models.Model, keep: bool, now: datetime
) -> list[CompanyFact]:
    """Decide about a flagged fact; return what is believed for it: itself, or the rows that were brought back.

    Raises:
        NotFound: the space has no such fact.
        Settled: it is not flagged, something has replaced it, or it is not kept and cannot be undone.
    """
    with write_scope(space):
        rows = CompanyFact.objects.for_space(space)
        fact = rows.find(pk=fact_id)
        if fact.flagged_at is None or fact.superseded_by_id is not None:
            raise Settled(why="nothing-to-review")
        if not keep:
            contradicted = next(iter(contradicted_by(space, [fact.pk])), None)
            if contradicted is None:
                raise Settled(why="nothing-to-review")
            return undo_change(rows.get(pk=contradicted), actor=actor, now=now)
        mark_reviewed(fact, actor=actor, now=now, kept=True)
        bump_version(space)
        return [fact]


def contradicted_by(space: UUID, flagged: Sequence[UUID]) -> dict[UUID, UUID]:
    """Return the facts that flagged ones contradicted, each with the flagged one, the nearest first; inside the scope.

    What contradicted a fact may have been said again since, or been brought back; then the row that says so now is
    flagged, and stands further on.
    """
    found: dict[UUID, UUID] = {}
    stands_as = {fact: fact for fact in flagged}
    level = list(flagged)
    while level:
        replaced = gave_way_to(space, level).values_list("pk", "superseded_by", "superseded_reason")
        before: dict[UUID, UUID] = {}
        for fact, successor, reason in replaced:
            if reason == _REASON.CONTRADICTED:
                found[fact] = stands_as[successor]
            elif reason in SAID_AGAIN:
                before[fact] = stands_as[successor]
        brought_back = CompanyFact.objects.for_space(space).filter(pk__in=level, restores__isnull=False)
        before |= {old: stands_as[new] for old, new in brought_back.values_list("restores", "pk")}
        level = [fact for fact in before if fact not in stands_as]
        stands_as = before | stands_as
    return found


def settle_doubt(
    space: UUID, fact_id: UUID, *, actor: models.Model, holds: bool, now: datetime
) -> CompanyFact:
    """Decide about a fact in doubt; return it as it is now.

    What is said to hold is vouched for: what was said before that puts it in doubt no more. What is said to be out of date gives
    way to what put it in doubt; undoing that lets both stand.

    Raises:
        NotFound: the space has no such fact.
        Settled: it is not in doubt any more, or something has replaced it.
    """
    with write_scope(space):
        fact = CompanyFact.objects.for_space(space).select_related("doubted_by").find(pk=fact_id)
        if fact.doubted_by is None or fact.superseded_by_id is not None:
            raise Settled(why="not-in-doubt")
        if holds:
            vouch(fact, at=now)
            end_doubt(fact, why=_CLEARED.HOLDS, at=now, actor=actor)
        else:
            supersede(fact, by=fact.doubted_by, reason=CompanyFact.Reason.OUTDATED, at=now, actor=actor)
        bump_version(space)
    return fact


def can_be_undone(space: UUID, facts: Sequence[UUID]) -> set[UUID]:
    """Return which of these facts were replaced and can be brought back."""
    with space_scope(space):
        rows = CompanyFact.objects.for_space(space).filter(pk__in=facts, superseded_by__isnull=False)
        ended = list(rows)
        return {fact.pk for fact in ended} - obstacles(space, ended).keys()


def obstacles(space: UUID, ended: Sequence[CompanyFact]) -> dict[UUID, str]:
    """Return the reasons of `Settled` why facts that were replaced cannot be brought back, of those that cannot; inside the scope."""
    rows = CompanyFact.objects.for_space(space)
    restored = set(rows.filter(restores__in=[fact.pk for fact in ended]).values_list("restores", flat=True))
    # What would come back first of each fact; nothing of what came back already.
    words: dict[UUID, str] = {}
    for fact in ended:
        if is_summary(fact):
            if parts := restorable([fact]):
                words[fact.pk] = parts[0].fingerprint
        elif fact.pk not in restored:
            words[fact.pk] = fact.fingerprint
    stands_as = _standing(rows, {fact.superseded_by_id for fact in ended})  # type: ignore[misc]  # replaced
    standing = rows.filter(superseded_by__isnull=True, fingerprint__in=words.values())
    held = dict(standing.values_list("fingerprint", "pk"))
    found: dict[UUID, str] = {}
    for fact in ended:
        stays = fact.superseded_reason in STANDS_BESIDE
        gives_way = None if stays else stands_as[fact.superseded_by_id]  # type: ignore[index]  # replaced
        if fact.superseded_reason == _REASON.UNDONE:
            found[fact.pk] = "undone-by-hand"
        elif fact.pk not in words:
            found[fact.pk] = "already-undone"
        elif gives_way is None and not stays:
            found[fact.pk] = "superseded-since"
        elif held.get(words[fact.pk]) not in (None, gives_way):
            found[fact.pk] = "held-again"
    return found


def _standing(rows: FactQuerySet, facts: Iterable[UUID]) -> Mapping[UUID, UUID | None]:
    """Return the row as which each fact stands now: itself, said again, or brought back; None where it does not."""
    leads_to: dict[UUID, UUID | None] = {}
    level = set(facts)
    while level:
        brought_back = dict(rows.filter(restores__in=level).order_by("id").values_list("restores", "pk"))
        found = rows.filter(pk__in=level).values_list("pk", "superseded_by", "superseded_reason")
        for fact, successor, reason in found:
            again = successor if reason in SAID_AGAIN else None
            leads_to[fact] = fact if successor is None else brought_back.get(fact, again)
        level = {fact for fact in leads_to.values() if fact is not None} - leads_to.keys()
    ends: dict[UUID, UUID | None] = {}
    for fact in leads_to:
        end: UUID | None = fact
        while end is not None and leads_to[end] != end:
            end = leads_to[end]
        ends[fact] = end
    return ends


def gave_way_to(space: UUID, successors: Iterable[UUID]) -> FactQuerySet:
    """Return what these facts replaced, without what came in late and never stood; the latest change first.

    Inside the space's scope.
    """
    replaced = CompanyFact.objects.for_space(space).filter(superseded_by__in=successors)
    return replaced.exclude(metadata__has_key=OUTDATED).order_by("-superseded_at", "id")
