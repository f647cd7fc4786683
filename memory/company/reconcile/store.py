"""Writing what was thought out about new facts: under the space's lock, on rows that have not changed since.

What is brought back is old words in a new row: believed from now on, and that it once gave way stays on record.
"""

from collections import Counter
from collections.abc import Iterable, Sequence
from datetime import datetime
from uuid import UUID

from django.db import models

from memory.company import store
from memory.company.facts import NewFact, expiry_of, later_expiry, present_confidence, renewed_expiry
from memory.company.reconcile.plan import Verdict
from memory.company.reconcile.selectors import Holding, is_summary, standing_since, told_by
from memory.company.store import (
    OUTDATED,
    VOUCHED,
    Replaced,
    confirm_row,
    insert_fact,
    put_in_doubt,
    vectors_of,
)
from memory.models import CompanyEvent, CompanyFact, Extraction

_REASON = CompanyFact.Reason
#: A key, and why it gives way.
_Replaces = tuple[UUID, CompanyFact.Reason]


class Taking:
    """One transaction's worth of new facts. `became`: the row that stands for a key by now."""

    def __init__(
        self, space: UUID, holding: Holding, *, model: str, now: datetime, extraction: Extraction | None
    ) -> None:
        self.space, self.model, self.now, self.extraction = space, model, now, extraction
        self.became = CompanyFact.objects.for_space(space).in_bulk(holding.rows)
        self.became |= {part: self.became[whole] for part, whole in holding.row_of.items()}
        store.add_vectors(space, ((key, model, vector) for key, vector in holding.vectors.items()))

    def take(self, verdicts: Sequence[Verdict]) -> tuple[Counter[str], tuple[UUID, ...]]:
        """Write the verdicts in their order; return how many facts came to what, and the new rows."""
        counts: Counter[str] = Counter()
        new = []
        for verdict in verdicts:
            outcomes, row = self._take(verdict)
            counts.update(outcomes)
            new += [row.pk] if row is not None else []
        return counts, tuple(new)

    def _take(self, verdict: Verdict) -> tuple[list[str], CompanyFact | None]:
        if verdict.outdated_by is not None:
            return ["outdated"], self._write_outdated(verdict)
        same, until = self._row_that_says_it(verdict), _until(verdict.new)
        outcomes = sorted({str(reason) for _, reason in verdict.replaces})
        if same is None:
            return ["believed", *outcomes], self._write(verdict, verdict.replaces, until=until)
        if _is_surer(verdict.new, same, self.now):
            replaces = ((same.pk, _REASON.RESTATED), *verdict.replaces)
            row = self._write(verdict, replaces, until=_until(verdict.new, same))
            return ["believed", "restated", *outcomes], row
        return [self._confirm(verdict, same), *outcomes], None

    def _row_that_says_it(self, verdict: Verdict) -> CompanyFact | None:
        """Return the row that says the same and stays; none where it is a summary of which another part gives way."""
        same = self.became[verdict.same] if verdict.same is not None else None
        if same is None or same.superseded_by_id is not None:
            return None
        return None if any(self.became[key].pk == same.pk for key, _ in verdict.replaces) else same

    def _write(
        self, verdict: Verdict, replaces: Sequence[_Replaces], *, until: datetime | None
    ) -> CompanyFact:
        """Believe a new row in the place of what it replaces."""
        row = self._row(verdict, until=until)
        store.insert_fact(
            row, vectors={self.model: verdict.vector}, at=self.now, replaces=self._giving_way(replaces)
        )
        self._settle(verdict, row, replaces)
        self._pass_doubts_on(verdict, row, replaces)
        self._doubt(verdict, row)
        return row

    def _confirm(self, verdict: Verdict, same: CompanyFact) -> str:
        """Confirm the row that says it already; what the new fact replaces gives way to that row."""
        said_at = verdict.new.said_at
        confirmed = confirm_row(same, now=self.now, said_at=said_at, message=verdict.new.message)
        said = self._said(verdict.same)  # type: ignore[arg-type]  # something says the same
        if confirmed and said_at > standing_since(said):
            store.vouch(said, at=said_at)
            if said.doubted_since is not None and said_at > said.doubted_since:
                store.end_doubt(said, why=CompanyEvent.Cleared.SAID_AGAIN, at=self.now)
        for old, reason in self._giving_way(verdict.replaces):
            store.supersede(old, by=same, reason=reason, at=self.now)
        self._settle(verdict, same, verdict.replaces)
        if confirmed:
            self._doubt(verdict, said)
        return "confirmed" if confirmed else "skipped"

    def _write_outdated(self, verdict: Verdict) -> CompanyFact:
        """Write what was replaced before it was heard of, by the row at the end of the chain of what replaced it."""
        rows, key = CompanyFact.objects.for_space(self.space), verdict.outdated_by
        by = self.became.get(key) or rows.get(pk=key)
        while by.superseded_by_id is not None:
            by = rows.get(pk=by.superseded_by_id)
        return store.insert_outdated(
            self._row(verdict, until=_until(verdict.new)),
            by=by,
            reason=verdict.outdated_why,
            vectors={self.model: verdict.vector},
            at=self.now,
        )

    def _giving_way(self, replaces: Iterable[_Replaces]) -> list[store.Replaced]:
        """Return each row that still stands once, with the first reason given for it to give way."""
        by_row: dict[UUID, store.Replaced] = {}
        for key, reason in replaces:
            if self.became[key].superseded_by_id is None:
                by_row.setdefault(self.became[key].pk, (self.became[key], reason))
        return list(by_row.values())

    def _settle(self, verdict: Verdict, row: CompanyFact, replaces: Sequence[_Replaces]) -> None:
        """Do what follows once `row` stands where others stood: parts of summaries stand again, and it is flagged."""
        gone = {key: self.became[key] for key, _ in replaces}
        contradicted = [self.became[key] for key, reason in replaces if reason == _REASON.CONTRADICTED]
        inherited = [old for old in gone.values() if old.flagged_at is not None]
        if contradicted or inherited:
            store.flag(row, against=(contradicted or inherited)[0], at=self.now)
        self.became |= dict.fromkeys([verdict.key, row.pk, *gone], row)
        if verdict.same is not None:
            self.became[verdict.same] = row
        for key, old in gone.items():
            if key != old.pk:
                self._break_up(old, but={*gone, verdict.same})

    def _doubt(self, verdict: Verdict, row: CompanyFact) -> None:
        """Put in doubt what `row` probably takes the place of; or `row`, where something said later probably takes its."""
        for key in verdict.doubts:
            store.put_in_doubt(self._said(key), by=row, since=verdict.new.said_at, at=self.now)
        if verdict.doubted_by is not None:
            later = self._said(verdict.doubted_by)
            store.put_in_doubt(row, by=later, since=standing_since(later), at=self.now)

    def _pass_doubts_on(self, verdict: Verdict, row: CompanyFact, replaces: Sequence[_Replaces]) -> None:
        """Let a row that says another again doubt what that did, and be in doubt by what was said after both."""
        said_at = verdict.new.said_at
        again = [key for key, reason in replaces if reason in (_REASON.RESTATED, _REASON.RENEWED)]
        for old in CompanyFact.objects.for_space(self.space).filter(pk__in=again).order_by("id"):
            is_later = old.doubted_since is not None and old.doubted_since > said_at
            _pass_doubts(old, row, at=self.now, since=said_at, is_doubted=is_later)

    def _said(self, key: UUID) -> CompanyFact:
        """Return the row whose words a key stands for: of a summary, the part."""
        row = self.became[key]
        return CompanyFact.objects.for_space(self.space).get(pk=key) if is_summary(row) else row

    def _break_up(self, summary: CompanyFact, *, but: set[UUID | None]) -> None:
        """Believe by itself again what a summary said beside the part that gave way."""
        if not is_summary(summary) or (summary.expires_at is not None and summary.expires_at <= self.now):
            return
        for part in restorable([summary]):
            if part.pk not in but:
                self.became[part.pk] = says_again(part) or restore_fact(
                    part,
                    # What its summary was confirmed for counts for the part too.
                    expires_at=later_expiry(part.expires_at, summary.expires_at),
                    confirmed_at=max(part.confirmed_at, summary.confirmed_at),
                    at=self.now,
                )

    def _row(self, verdict: Verdict, *, until: datetime | None) -> CompanyFact:
        new = verdict.new
        return CompanyFact(
            space_id=self.space,
            category=new.category,
            content=new.content,
            fingerprint=new.words,
            language=new.language,
            confidence=new.confidence,
            confirmed_at=new.said_at,
            expires_at=until,
            source_conversation_id=new.conversation,
            source_message_id=new.message,
            said_by_id=new.said_by,
            said_at=new.said_at,
            extraction=self.extraction,
        )


def _is_surer(new: NewFact, same: CompanyFact, now: datetime) -> bool:
    """Tell whether a fact said again takes the old row's place: said no earlier, surer, and not a part of a summary."""
    present = present_confidence(same.confidence, same.confirmed_at, now, same.category)
    return not is_summary(same) and new.said_at >= standing_since(same) and new.confidence > present


def _until(new: NewFact, same: CompanyFact | None = None) -> datetime | None:
    """Return until when a new row is believed: no shorter than the one of its category that said it before."""
    if same is not None and same.category == new.category:
        return renewed_expiry(same.expires_at, new.category, since=new.said_at)
    return expiry_of(new.category, since=new.said_at)


#: What a restored row takes over: the words, and how they came to be said.
SAID = (
    "space_id", "category", "content", "fingerprint", "language", "confidence", "source_conversation_id",
    "source_message_id", "said_by_id", "said_at", "extraction_id",
)  # fmt: skip


def restore_fact(
    old: CompanyFact,
    *,
    expires_at: datetime | None,
    confirmed_at: datetime,
    at: datetime,
    actor: models.Model | None = None,
    vouches: bool = False,
    replaces: Iterable[Replaced] = (),
) -> CompanyFact:
    """Believe a fact's words again, in the place of what is given. The caller holds the space's lock.

    Args:
        actor: who brings it back; None: the companion.
        vouches: that they vouch for it from then on, so that it is in doubt no more.
    """
    vouched = at if vouches else standing_since(old)
    # What was brought back just before may be the reason for the doubt by now.
    old.refresh_from_db(fields=["doubted_by", "doubted_since"])
    kept = {name: value for name, value in old.metadata.items() if name != OUTDATED}
    fact = CompanyFact(
        **{name: getattr(old, name) for name in SAID},
        origin=CompanyFact.Origin.RESTORED,
        confirmed_at=confirmed_at,
        expires_at=expires_at,
        restores=old,
        metadata={**kept, VOUCHED: vouched.isoformat()},
    )
    insert_fact(fact, vectors=vectors_of(old), at=at, replaces=list(replaces), actor=actor)
    _pass_doubts(old, fact, at=fact.created_at, is_doubted=not vouches)
    return fact


def _pass_doubts(
    old: CompanyFact, row: CompanyFact, *, at: datetime, since: datetime | None = None, is_doubted: bool
) -> None:
    """Let a row that has another's words doubt what that did, no earlier than `since`, and be in doubt as it was."""
    for doubted in old.doubts.order_by("id"):
        put_in_doubt(doubted, by=row, since=max(since or doubted.doubted_since, doubted.doubted_since), at=at)  # type: ignore[arg-type, type-var]  # in doubt
    if old.doubted_by is not None and is_doubted:
        put_in_doubt(row, by=old.doubted_by, since=old.doubted_since, at=at)  # type: ignore[arg-type]  # in doubt


def restorable(facts: Iterable[CompanyFact]) -> list[CompanyFact]:
    """Return what bringing back `facts` brings back: of a summary its parts; nothing twice, and nothing that stands.

    The order is kept.
    """
    whole = [part for fact in facts for part in told_by(fact.space_id, [fact])[fact.pk]]
    by_words = {fact.fingerprint: fact for fact in reversed(whole)}
    return [fact for fact in whole if by_words[fact.fingerprint] is fact and not fact.restored_as.exists()]


def says_again(fact: CompanyFact) -> CompanyFact | None:
    """Return the row that has the same words and that nothing replaced; None where there is none."""
    standing = CompanyFact.objects.for_space(fact.space_id).filter(superseded_by__isnull=True)
    return standing.filter(fingerprint=fact.fingerprint).first()
