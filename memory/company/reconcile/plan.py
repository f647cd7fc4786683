"""What each new fact means for what is held, thought out before anything is written. No database here.

The new facts are taken in the order in which they were said, each against what the ones before it leave standing.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from uuid import UUID

import numpy as np

from companion_site.ids import new_id
from memory.company.facts import HeldFact, NewFact
from memory.company.reconcile.engine import Finding, Relation
from memory.company.reconcile.selectors import Holding
from memory.models import CompanyFact

#: How many facts one new one may contradict or settle: the surest; more is a sign that the reading went wrong.
MOST_REPLACED = 3

_REASON = CompanyFact.Reason
#: From facts, their vectors and what is held to what each is to it, the surest first.
Compare = Callable[[Sequence[NewFact], np.ndarray, Sequence[HeldFact]], Sequence[Sequence[Finding]]]
#: What was found, and the key of what it is about.
_Found = tuple[UUID, Finding]


@dataclass(frozen=True, kw_only=True)
class Verdict:
    """What becomes of one new fact.

    Attributes:
        key: stands for the fact among the keys below, which are ids of held facts or keys of verdicts before.
        doubts: what it probably takes the place of, which is believed meanwhile.
        doubted_by: what was said later and probably takes its place.
        outdated_by: what was said later and contradicts it; then nothing gives way.
    """

    key: UUID
    new: NewFact
    vector: np.ndarray
    same: UUID | None = None
    replaces: tuple[tuple[UUID, CompanyFact.Reason], ...] = ()
    doubts: tuple[UUID, ...] = ()
    doubted_by: UUID | None = None
    outdated_by: UUID | None = None
    outdated_why: CompanyFact.Reason = _REASON.CONTRADICTED

    @property
    def stands(self) -> bool:
        """Whether a fact of its own is left of it."""
        return self.same is None and self.outdated_by is None


def weigh(
    new: Sequence[NewFact], vectors: np.ndarray, holding: Holding, *, compare: Compare
) -> list[Verdict]:
    """Return a verdict for each new fact, in the order in which they were said.

    Args:
        compare: called at most three times for all facts together: it may ask a model.
    """
    order = sorted(range(len(new)), key=lambda place: new[place].said_at)
    facts, vectors = [new[place] for place in order], vectors[order]
    keys = [new_id() for _ in facts]

    def find(held: Sequence[HeldFact]) -> list[list[_Found]]:
        return [
            [(keys[one.about] if isinstance(one.about, int) else one.about, one) for one in findings]
            for findings in compare(facts, vectors, held)
        ]

    weighing = _Weighing(holding)
    believed = find(holding.active)
    expired = find(holding.expired) if holding.expired else [[] for _ in facts]
    past = find([one.fact for one in holding.past]) if holding.past else [[] for _ in facts]
    verdicts = (
        Verdict(key=key, new=fact, vector=vector)
        for key, fact, vector in zip(keys, facts, vectors, strict=True)
    )
    return [weighing.weigh(*each) for each in zip(verdicts, believed, expired, past, strict=True)]


class _Weighing:
    """What is held while the new facts come in, one after the other.

    Attributes:
        stands_for: of a new fact that said the same as another, the other.
    """

    def __init__(self, holding: Holding) -> None:
        self.held = {fact.id: fact for fact in holding.active}
        self.expired = {fact.id: fact for fact in holding.expired}
        self.past = {one.fact.id: one for one in holding.past}
        self.by_words = dict(holding.by_words)
        self.stands_for: dict[UUID, UUID] = {}

    def weigh(
        self,
        verdict: Verdict,
        believed: Sequence[_Found],
        expired: Sequence[_Found],
        past: Sequence[_Found],
    ) -> Verdict:
        verdict = self._against_held(verdict, believed)
        if verdict.outdated_by is None:
            verdict = self._against_expired(verdict, expired)
        if verdict.stands:
            verdict = self._against_past(verdict, past)
        self._take(verdict)
        return verdict

    def _against_held(self, verdict: Verdict, found: Sequence[_Found]) -> Verdict:
        """Compare with what is believed by now; what gave way to a new fact before is passed over."""
        same = self.by_words.get(verdict.new.words)
        same = None if same in self.expired else same
        replaces: dict[UUID, CompanyFact.Reason] = {}
        doubts: list[UUID] = []
        doubted_by: UUID | None = None
        for key, one in found:
            held = self.held.get(self.stands_for.get(key, key))
            if held is None or held.id == same:
                continue
            if one.relation is Relation.DOUBTS:
                if verdict.new.said_at > held.said_at:
                    doubts.append(held.id)
                elif verdict.new.said_at < held.said_at:
                    doubted_by = doubted_by or held.id
                continue
            if one.relation is Relation.SAME:
                same = same or held.id
            elif verdict.new.said_at >= held.said_at:
                replaces[held.id] = _why(one)
            elif same is None:
                return replace(verdict, outdated_by=held.id, outdated_why=_why(one))
        most = tuple(replaces.items())[:MOST_REPLACED]
        unsure = tuple(key for key in doubts if key != same and key not in dict(most))[:MOST_REPLACED]
        return replace(
            verdict,
            same=same,
            replaces=most,
            doubts=unsure,
            doubted_by=doubted_by if same is None else None,
        )

    def _against_expired(self, verdict: Verdict, found: Sequence[_Found]) -> Verdict:
        """Let a fact that says again what has expired take its place; where it is believed too, in the very words."""
        words = self.by_words.get(verdict.new.words)
        keys = [words, *_same(found)] if verdict.stands else [words]
        same = next((key for key in keys if key in self.expired), None)
        if same is None:
            return verdict
        if verdict.stands and verdict.new.said_at < self.expired[same].said_at:
            return replace(verdict, same=same, replaces=(), doubts=(), doubted_by=None)
        return replace(verdict, replaces=(*verdict.replaces, (same, _REASON.RENEWED)))

    def _against_past(self, verdict: Verdict, found: Sequence[_Found]) -> Verdict:
        """Find out whether what a fact says was replaced by something said after it: it came in late."""
        past = {key: one for key, one in self.past.items() if one.replaced_at > verdict.new.said_at}
        words = [key for key, one in past.items() if one.fact.words == verdict.new.words]
        same = next((past[key] for key in [*words, *_same(found)] if key in past), None)
        if same is None:
            return verdict
        return replace(
            verdict,
            outdated_by=same.successor,
            outdated_why=same.why,
            replaces=(),
            doubts=(),
            doubted_by=None,
        )

    def _take(self, verdict: Verdict) -> None:
        """Let what is held be as the verdict leaves it."""
        gone = {key for key, _ in verdict.replaces}
        for key in gone:
            self.held.pop(key, None)
            self.expired.pop(key, None)
        self.by_words = {words: key for words, key in self.by_words.items() if key not in gone}
        if verdict.same is not None:
            self.stands_for[verdict.key] = self.stands_for.get(verdict.same, verdict.same)
        if verdict.stands:
            new = verdict.new
            self.held[verdict.key] = HeldFact(
                id=verdict.key,
                category=new.category,
                content=new.content,
                said_at=new.said_at,
                vector=verdict.vector,
            )
            self.by_words[new.words] = verdict.key


def _same(found: Sequence[_Found]) -> list[UUID]:
    return [key for key, one in found if one.relation is Relation.SAME]


def _why(found: Finding) -> CompanyFact.Reason:
    return _REASON.RESOLVED if found.resolved else _REASON.CONTRADICTED
