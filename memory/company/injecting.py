"""Which facts go before a message: preferences always, decisions where they matter now, thirty at the most (C7)."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import NamedTuple
from uuid import UUID

import numpy as np
from django.utils import timezone
from pgvector.django import CosineDistance

from companion_site.embeddings.protocol import Embedder
from companion_site.language import Language
from companion_site.vault.scope import space_scope
from memory.algorithms.confidence import present_confidence
from memory.algorithms.values import Fact
from memory.company.block import FactLine, company_block, fact_line, fitting_facts
from memory.company.overruling import Figure, find_overruling
from memory.company.params import COMPANY, CompanyParams
from memory.company.relevance import Relevance, judge_facts
from memory.models import CompanyFact, CompanyFactVector, Kpi

#: A decision is news for so long, and goes before every message.
RECENT = timedelta(days=30)
#: Facts looked at for one message. Compression keeps some thirty; an unusual store costs a bounded time.
MOST_READ = 1_000


class ReadFact(NamedTuple):
    """The columns of a fact that a request asks for; whole rows take twice the time."""

    pk: UUID
    category: str
    content: str
    language: str
    confidence: float
    confirmed_at: datetime
    said_at: datetime


@dataclass(frozen=True, kw_only=True)
class InjectedFact:
    """A fact that stands in the block, and how it stands to the message."""

    line: FactLine
    relevance: Relevance

    @property
    def is_sure(self) -> bool:
        """Whether it may be told without a doubt."""
        line = self.line
        return not (line.is_uncertain or line.is_contradicted or line.overruled_by)


@dataclass(frozen=True, kw_only=True)
class Injection:
    """What of a company's memory goes before one message."""

    facts: Sequence[InjectedFact] = ()

    def block(self, tokens: int = COMPANY.most_tokens) -> str:
        return company_block((fact.line for fact in self.facts), tokens=tokens)

    def written_in(self, block: str) -> dict[UUID, float]:
        """Return the facts that stand in a block of some size, with what each has to do with the message."""
        written = frozenset(block.splitlines())
        return {fact.line.id: fact.relevance.score for fact in self.facts if fact_line(fact.line) in written}

    @property
    def confirmed(self) -> tuple[UUID, ...]:
        """The facts that the message speaks of; what it speaks against, or the books do, is not confirmed."""
        return tuple(
            fact.line.id for fact in self.facts if fact.relevance.is_confirmed and not fact.line.overruled_by
        )

    @property
    def contradicted(self) -> tuple[str, ...]:
        """What the message speaks against, the nearest first."""
        found = [fact for fact in self.facts if fact.line.is_contradicted]
        return tuple(fact.line.content for fact in sorted(found, key=lambda fact: -fact.relevance.score))

    @property
    def told(self) -> tuple[str, ...]:
        """The sure and relevant ones, best first, as the companion without a model quotes them."""
        sure = [fact for fact in self.facts if fact.is_sure and fact.relevance.is_relevant]
        return tuple(fact.line.content for fact in sorted(sure, key=lambda fact: -fact.relevance.score))


def inject(
    space: UUID,
    message: str,
    *,
    language: Language,
    vector: np.ndarray,
    embedder: Embedder,
    now: datetime,
    params: CompanyParams = COMPANY,
) -> Injection:
    """Return the facts for one message, in the category order, newest first, within the block's tokens.

    Args:
        vector: (d,) the message's own, unit length, of `embedder`'s model; zeros where it could not be made.
    """
    with space_scope(space):
        rows = read_facts(space, now=now)
        cosines = _read_cosines(space, rows, vector, embedder.model)
        figures = read_figures(space)
    similarities = embedder.calibration.similarity(cosines)
    judged = judge_facts(message, language, [_as_compared(row) for row in rows], similarities)
    belonging = [
        (row, relevance)
        for row, relevance in zip(rows, judged, strict=True)
        if _belongs(row, relevance, now=now)
    ]
    chosen = [
        InjectedFact(line=_line(row, relevance, figures, now=now, params=params), relevance=relevance)
        for row, relevance in belonging[: params.most_injected]
    ]
    fitting = len(fitting_facts([fact.line for fact in chosen], tokens=params.most_tokens))
    return Injection(facts=chosen[:fitting])


def read_facts(space: UUID, *, now: datetime) -> list[ReadFact]:
    """Return what is believed, in the order in which the model reads it; inside the space's scope."""
    rows = CompanyFact.objects.for_space(space).active(now).in_reading_order()
    return [ReadFact(*row) for row in rows.values_list(*ReadFact._fields)[:MOST_READ]]


def read_figures(space: UUID) -> list[Figure]:
    """Return the company's live figures; asked inside the space's scope."""
    rows = Kpi.objects.for_space(space).order_by("key")
    return [Figure(key=row.key, value=row.value, label=row.label, unit=row.unit) for row in rows]


def _as_compared(row: ReadFact) -> Fact:
    is_open = row.category == CompanyFact.Category.UNRESOLVED
    return Fact(text=row.content, language=row.language, is_open=is_open)


def _belongs(row: ReadFact, relevance: Relevance, *, now: datetime) -> bool:
    """Tell whether a fact goes before the message: a decision only where it is recent or to the point."""
    return (
        row.category != CompanyFact.Category.DECISION or relevance.is_relevant or now - row.said_at < RECENT
    )


def _line(
    row: ReadFact,
    relevance: Relevance,
    figures: Iterable[Figure],
    *,
    now: datetime,
    params: CompanyParams,
) -> FactLine:
    overruling = find_overruling(row.content, figures) if _is_lasting(row) else None
    confidence = present_confidence(row.confidence, row.confirmed_at, now, row.category, params=params)
    return FactLine(
        id=row.pk,
        category=row.category,
        content=row.content,
        said_on=timezone.localdate(row.said_at),
        is_uncertain=confidence < params.hedged_below,
        is_contradicted=relevance.is_contradicted,
        overruled_by=str(overruling) if overruling else "",
    )


def _is_lasting(row: ReadFact) -> bool:
    """Tell whether a fact is about how things are, as a figure is; what was decided then stays decided."""
    return row.category in {CompanyFact.Category.KNOWLEDGE, CompanyFact.Category.UNRESOLVED}


def _read_cosines(space: UUID, rows: Sequence[ReadFact], vector: np.ndarray, model: str) -> np.ndarray:
    """Return (n,) cosines with the message; nan for a fact that is told by its words alone.

    That is one whose vector is not there yet, and every one where the message has none.
    """
    if not vector.any():
        return np.full(len(rows), np.nan)
    vectors = CompanyFactVector.objects.for_space(space).filter(
        model=model, fact_id__in=[row.pk for row in rows]
    )
    distances = dict(vectors.values_list("fact_id", CosineDistance("embedding", vector.tolist())))
    return 1.0 - np.array([distances.get(row.pk, np.nan) for row in rows], dtype=np.float64)
