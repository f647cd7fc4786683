"""What is believed, each fact with what it is made of, and which of it one summary will stand for.

First the decisions of years gone by, one summary for each calendar year, then what belongs together.
"""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

import numpy as np
from django.utils.timezone import get_default_timezone, localtime

from companion_site.embeddings.calibration import Calibration
from companion_site.embeddings.protocol import Embedder
from companion_site.language import (
    as_language,
    detect_language,
    stem_words,
    word_information,
    words,
)
from companion_site.vault.scope import space_scope
from memory.algorithms.fact_groups import FOR_ROOM, FREELY, LAST, NEVER, GroupingParams, Row, group_rows
from memory.algorithms.quantities import MONTHS, NUMBER_WORDS, ORDINALS, SEASONS, UNIT_WORDS, WEEKDAYS
from memory.company.facts import present_confidence
from memory.company.params import COMPANY
from memory.company.reconcile.selectors import INTO_SUMMARY, told_by
from memory.company.store import embed_missing, read_vectors
from memory.models import CompanyFact
from memory.querysets import FactQuerySet


@dataclass(frozen=True, kw_only=True)
class Whole:
    """A fact that is believed, and its parts in the order they were said; a plain fact is its own only part.

    Attributes:
        is_taken_out: that somebody took it out of a summary by hand.
        is_unsettled: that a part of it is in doubt, or puts another fact there that is believed.
    """

    fact: CompanyFact
    parts: tuple[CompanyFact, ...]
    is_taken_out: bool = False
    is_unsettled: bool = False


def read_wholes(
    space: UUID, *, embedder: Embedder, now: datetime
) -> tuple[list[Whole], dict[UUID, np.ndarray]]:
    """Return what is believed at `now`, and the vector of each part, (d,) float32 of unit length, by its id.

    Parts that have no vector of this model are embedded, outside the transaction.
    """
    with space_scope(space):
        wholes = wholes_of(space, CompanyFact.objects.for_space(space).active(now), now=now)
        parts = [part for whole in wholes for part in whole.parts]
        vectors = read_vectors(space, [part.pk for part in parts], model=embedder.model)
    return wholes, vectors | embed_missing(parts, vectors, embedder)


def wholes_of(space: UUID, facts: FactQuerySet, *, now: datetime) -> list[Whole]:
    """Return facts with their parts, in the order they were said. Inside the space's scope."""
    rows = list(facts.order_by("said_at", "id"))
    told = {fact: in_order(parts) for fact, parts in told_by(space, rows).items()}
    return [
        Whole(
            fact=row,
            parts=told[row.pk],
            is_taken_out=_was_taken_out(row),
            is_unsettled=_is_unsettled(space, told[row.pk], now=now),
        )
        for row in rows
    ]


def _is_unsettled(space: UUID, parts: Sequence[CompanyFact], *, now: datetime) -> bool:
    """Tell whether one of these is in doubt, or puts in doubt what is believed, by itself or in a summary. Inside the space's scope."""
    if any(part.doubted_by_id is not None for part in parts):
        return True
    doubted = CompanyFact.objects.for_space(space).filter(doubted_by__in=[part.pk for part in parts])
    return doubted.active(now).exists() or doubted.filter(superseded_reason__in=INTO_SUMMARY).exists()


def in_order(parts: Iterable[CompanyFact]) -> tuple[CompanyFact, ...]:
    """Return parts in the order they were said."""
    return tuple(sorted(parts, key=lambda part: (part.said_at, part.pk)))


def _was_taken_out(fact: CompanyFact) -> bool:
    """Tell whether somebody took a fact out of a summary by undoing that. Inside the space's scope.

    What stands by itself again because another part of its summary was contradicted is none of these.
    """
    if fact.origin != CompanyFact.Origin.RESTORED:
        return False
    row = fact.restores
    while row is not None and row.superseded_reason in INTO_SUMMARY:
        row = row.superseded_by
        if row is not None and row.superseded_reason == CompanyFact.Reason.UNDONE:
            return True
    return False


#: How long the parts of one summary may be, joined; the heading of a year takes the rest.
MOST_CHARS = 3 * COMPANY.most_chars - 20
JOINT = "; "
_ORIGIN = CompanyFact.Origin
#: A year, and whether its decisions are told with a doubt.
_Shelf = tuple[int, bool]
#: Bits from which a word says what a fact is about: "dividend" has 17, "employees" 14, "took" 11.6, "vill" 8.
TELLING_BITS = 12.0
_CATEGORY = CompanyFact.Category
#: Calibrated similarity from which facts in two languages are of one subject.
NEAR_ACROSS = 0.7


@dataclass(frozen=True, kw_only=True)
class Planned:
    """One summary that is to be written. `year`: whose decisions it holds, of an annual summary; None of any other."""

    wholes: tuple[Whole, ...]
    year: int | None = None

    @property
    def parts(self) -> tuple[CompanyFact, ...]:
        """Return what the summary must say, in the order said."""
        return in_order(part for whole in self.wholes for part in whole.parts)

    @property
    def contents(self) -> list[str]:
        """Return the words of the parts, the same words once."""
        by_words = {part.fingerprint: part.content for part in reversed(self.parts)}
        return [by_words.pop(part.fingerprint) for part in self.parts if part.fingerprint in by_words]

    @property
    def facts(self) -> tuple[CompanyFact, ...]:
        return tuple(whole.fact for whole in self.wholes)

    @property
    def heading(self) -> str:
        return f"{self.year}: " if self.year is not None else ""


def chars_of(parts: Iterable[CompanyFact]) -> int:
    """Return how long parts are, joined."""
    lengths = [len(part.content) for part in parts]
    return sum(lengths) + len(JOINT) * max(0, len(lengths) - 1)


def year_of(moment: datetime) -> int:
    """Return the calendar year of a moment where the site is."""
    return localtime(moment, get_default_timezone()).year


def is_fresh_review(fact: CompanyFact, *, now: datetime) -> bool:
    """Tell whether somebody has still to look at a fact that contradicted another, and has had less time than to a compression."""
    since = now - COMPANY.compress_every
    return fact.flagged_at is not None and fact.reviewed_at is None and fact.flagged_at > since


def is_doubtful(fact: CompanyFact, *, now: datetime) -> bool:
    """Tell whether a fact is told with a doubt at `now`."""
    present = present_confidence(fact.confidence, fact.confirmed_at, now, fact.category)
    return present < COMPANY.hedged_below


def is_historical(whole: Whole, *, now: datetime) -> bool:
    """Tell whether a decision belongs to the summary of its year by now; not if somebody took it out of one by hand, nor while in doubt.

    A summary of decisions, which are all of one year, goes as a whole once the oldest in it is a year old: the year has
    ended by then, and none is split.
    """
    fact = whole.fact
    if fact.category != CompanyFact.Category.DECISION or fact.origin == _ORIGIN.ANNUAL or whole.is_taken_out:
        return False
    under_review = whole.is_unsettled or is_fresh_review(fact, now=now)
    return not under_review and whole.parts[0].said_at <= now - COMPANY.historical_after


def plan_annual(wholes: Sequence[Whole], *, now: datetime) -> list[Planned]:
    """Return the summaries of years to write, oldest year first.

    Each is filled up in the order said, the part that was written last first; what was full already is left as it is.
    """
    found: dict[_Shelf, list[Whole]] = defaultdict(list)
    begun: dict[_Shelf, list[Whole]] = defaultdict(list)
    for whole in wholes:
        shelf = year_of(whole.fact.said_at), is_doubtful(whole.fact, now=now)
        if is_historical(whole, now=now):
            found[shelf].append(whole)
        elif whole.fact.origin == _ORIGIN.ANNUAL:
            begun[shelf].append(whole)
    planned = []
    for shelf, decisions in sorted(found.items()):
        written = sorted(begun[shelf], key=lambda whole: (whole.fact.created_at, whole.fact.pk))[-1:]
        books = [written] if written else []
        for whole in decisions:
            joined = [*books[-1], whole] if books else [whole]
            if books and chars_of(part for one in joined for part in one.parts) <= MOST_CHARS:
                books[-1] = joined
            else:
                books.append([whole])
        planned += [Planned(wholes=tuple(book), year=shelf[0]) for book in books if book != written]
    return planned


#: What a fact of any company may say, whatever it is about.
_ANY_WORDS = (
    "company companies business firm ab bolag bolaget bolagets företag företaget use uses using used använder används "
    "prefer prefers want wants decided bought köpte sålde sold tog valde chose beslutade bestämde föredrar föredra "
    "funderar discussed considering kronor month months monthly månad månaden year yearly årlig pays paid betalar "
    "betalade reminder reminders påminnelse påminnelser answers answer svar fråga frågor"
)
_SAYS_NOTHING = frozenset(
    {*_ANY_WORDS.split(), *MONTHS, *WEEKDAYS, *SEASONS, *NUMBER_WORDS, *ORDINALS, *UNIT_WORDS}
)


def find_subjects(text: str, language: str) -> frozenset[str]:
    """Return the stems of a text's telling words."""
    known = as_language(language) if language in ("sv", "en") else detect_language(text, default="en")
    found = [word for word in dict.fromkeys(words(text)) if word not in _SAYS_NOTHING]
    bits = word_information(found, known)
    stems = stem_words(found, known)
    return frozenset(stem for stem, told in zip(stems, bits, strict=True) if told >= TELLING_BITS)


def plan(
    wholes: Sequence[Whole], vectors: Mapping[UUID, np.ndarray], *, calibration: Calibration, now: datetime
) -> list[Planned]:
    """Return the summaries to write; no fact is in two of them. `vectors`: (d,) of each part, by its id."""
    annual = plan_annual(wholes, now=now)
    taken = {fact.pk for summary in annual for fact in summary.facts}
    left = [whole for whole in wholes if whole.fact.pk not in taken]
    if not left:
        return annual
    similarity, shares = _compare_parts(left, vectors, calibration)
    groups = group_rows(
        _as_rows(left, now=now),
        similarity=similarity,
        shares=shares,
        params=GroupingParams(
            least=max(0, COMPANY.least_after - len(annual)),
            most=max(1, COMPANY.most_after - len(annual)),
            most_chars=MOST_CHARS,
            joint_chars=len(JOINT),
        ),
    )
    return [*annual, *(Planned(wholes=tuple(left[row] for row in group)) for group in groups)]


def _compare_parts(
    wholes: Sequence[Whole], vectors: Mapping[UUID, np.ndarray], calibration: Calibration
) -> tuple[np.ndarray, np.ndarray]:
    """Return (p, p) how alike all parts are, and whether they share a word of their subject."""
    parts = [part for whole in wholes for part in whole.parts]
    rows = np.array([vectors[part.pk] for part in parts])
    similarity = calibration.similarity(rows @ rows.T)
    subjects = [find_subjects(part.content, part.language) for part in parts]
    shares = np.array([[bool(one & other) for other in subjects] for one in subjects])
    # Across languages no word is shared: what lies near enough is of one subject.
    across = np.array([[one.language != other.language for other in parts] for one in parts])
    return similarity, shares | (across & (similarity >= NEAR_ACROSS))


def _as_rows(wholes: Sequence[Whole], *, now: datetime) -> list[Row]:
    """Return the facts as they are grouped.

    No fact is told more surely in a summary than by itself, nor less; decisions go into the summary of one year together,
    and what expires does so in about the same quarter.
    """
    rows, at = [], 0
    for whole in wholes:
        fact, parts = whole.fact, tuple(range(at, at + len(whole.parts)))
        at += len(parts)
        year = year_of(fact.said_at) if fact.category == _CATEGORY.DECISION else None
        quarter = None
        if fact.expires_at is not None:
            local = localtime(fact.expires_at, get_default_timezone())
            quarter = local.year, (local.month - 1) // 3
        by_kind = LAST if fact.category == _CATEGORY.UNRESOLVED else FREELY
        rows.append(
            Row(
                kind=(fact.category, is_doubtful(fact, now=now), year, quarter),
                parts=parts,
                chars=chars_of(whole.parts),
                tier=max(by_kind, _tier(whole, now=now)),
                tier_joined=by_kind,
            )
        )
    return rows


def _tier(whole: Whole, *, now: datetime) -> int:
    """Return how readily a fact goes into a summary: not while it is under review or in doubt, seldom when taken out of one."""
    fact = whole.fact
    if fact.origin == _ORIGIN.ANNUAL or whole.is_unsettled or is_fresh_review(fact, now=now):
        return NEVER
    if fact.flagged_at is not None and fact.reviewed_at is None:
        return LAST
    return FOR_ROOM if whole.is_taken_out else FREELY
