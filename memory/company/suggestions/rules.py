"""Which facts and deadlines call for a suggestion, and which of them first, told by words: no model is asked while a page opens."""

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from functools import cache
from uuid import UUID

from django.utils.translation import get_language

from companion_site.language import as_language, fold_words, stem_words, words
from memory.company.live.catalogue import deadline_label
from memory.company.params import COMPANY
from memory.company.suggestions.follow_ups import FollowUp, follow_up_of, settles
from memory.models import CompanyFact, Deadline

#: Words by which a deadline and a fact are about the same matter, in Swedish and English, whatever is in front of or
#: behind them in a compound.
_TOPICS: Mapping[str, str] = {
    "vat": r"\w*moms\w*|mervärdesskatt\w*|vat",
    "dividend": r"\w*utdelning\w*|dela\w* ut|k10\w*|3:12\w*|dividends?",
    "employer": r"\w*anställ\w*|arbetsgivar\w*|agi|lön|lön(?:er|en|erna|e\w+)|\w*employ\w*|hir(?:e|ed|es|ing)"
    r"|payroll|salar(?:y|ies)|wages?",
    "annual accounts": r"årsredovisning\w*|årsstämm\w*|bokslut\w*|k[23]|annual (?:reports?|accounts|meeting)"
    r"|general meeting|year[- ]end",
    "financial year": r"räkenskapsår\w*|(?:fiscal|financial) year",
    "income tax": r"\w*inkomstdeklaration\w*|bolagsskatt\w*|income tax|corporate tax|tax returns?",
    "preliminary tax": r"preliminär\w*|f-?skatt\w*|debiterad\w*|preliminary tax",
    "pension": r"\w*pension\w*",
    "premises": r"lokal(?:en|er|erna|hyra\w*)?|hyr(?:a|an|or|es\w*)|premises|rent|lease",
    "insurance": r"\w*försäkring\w*|insurances?",
    "receivables": r"påminnelseavgift\w*|betalningspåminnels\w*|inkasso\w*|kundfordring\w*|receivables?",
    "owners": r"verklig\w* huvudm[aä]n\w*|aktiebok\w*|beneficial owners?|share register",
}
_PATTERNS = {name: re.compile(rf"\b(?:{words_})\b") for name, words_ in _TOPICS.items()}
#: That a person wants to be told of deadlines at all relates to each of them.
_REMINDERS = re.compile(
    r"\b(?:påminn\w*|påminnels\w*|förvarn\w*|remind\w*|deadlines?|heads[- ]up)\b"
    r"(?!\w*\s+(?:till|to)\s+(?:kund|customer))"
)
#: Words that stand in the label of any deadline and tell nothing of its matter.
_EMPTY_WORDS = (
    "bolag bolaget företag företaget sista dag datum lämna lämnas lämnar inlämning betala betalas betalning skatt "
    "skatten deklaration deklarationen klart färdig färdigt senast månad månaden kvartal kvartalet året rapport "
    "rapporten skatteverket bolagsverket company submit submission payment return declaration deadline month "
    "quarter filing ready report"
)
_EMPTY = frozenset(_EMPTY_WORDS.split())
_SHORTEST = 5
#: kind, fact and deadline: what makes a suggestion one and the same
Identity = tuple[str, UUID, UUID | None]
#: shown at a time
MOST_SHOWN = 3
#: A decision older than this has been seen to, or never will be.
FOLLOW_UP_UNTIL = timedelta(days=90)
#: Open items that never expire wait behind whatever has a day.
_NO_HURRY_DAYS = 365.0
#: What a deadline is best put together with, where several facts fit it.
_RELATING = ("decision", "preference", "knowledge")


def read_matters(text: str) -> tuple[frozenset[str], frozenset[str]]:
    """Return the known matters that a text names, and the stems, in both languages, of the words by which any other can be told."""
    plain = fold_words(text)
    topics = frozenset(name for name, pattern in _PATTERNS.items() if pattern.search(plain))
    long = [word for word in words(text) if len(word) >= _SHORTEST and word not in _EMPTY]
    return topics, frozenset([*stem_words(long, "sv"), *stem_words(long, "en")])


def last_at(fact: CompanyFact) -> datetime:
    """Return when a fact last came up."""
    return max(fact.said_at, fact.confirmed_at)


def label_of(deadline: Deadline) -> str:
    """Return what a deadline is called in the language of the page."""
    return deadline_label(deadline, as_language(get_language() or ""))


@dataclass(frozen=True, kw_only=True)
class Candidate:
    """What may be suggested. `hurry_days`: in how many days it is too late; the smaller, the more urgent."""

    kind: str
    fact: CompanyFact
    hurry_days: float = 0.0
    deadline: Deadline | None = None

    @property
    def identity(self) -> Identity:
        return self.kind, self.fact.id, self.deadline.id if self.deadline else None

    @property
    def follow_up(self) -> FollowUp | None:
        return follow_up_of(self.fact.content) if self.kind == "follow_up" else None


def find_candidates(
    facts: Sequence[CompanyFact],
    deadlines: Sequence[Deadline],
    *,
    now: datetime,
    today: date,
) -> list[Candidate]:
    """Return everything that may be suggested, the most urgent first."""
    near = [*find_near_deadlines(facts, deadlines, today=today)]
    taken = {candidate.fact.id for candidate in near}
    others = [*find_open_items(facts, now=now), *find_follow_ups(facts, now=now)]
    found = near + [candidate for candidate in others if candidate.fact.id not in taken]
    return sorted(found, key=lambda candidate: (candidate.hurry_days, str(candidate.fact.id)))


def find_open_items(facts: Iterable[CompanyFact], *, now: datetime) -> list[Candidate]:
    """Return the open items that nobody has brought up for so many days."""
    found = []
    for fact in facts:
        if fact.category == "unresolved" and now - last_at(fact) > COMPANY.open_item_after:
            left = (fact.expires_at - now) / timedelta(days=1) if fact.expires_at else _NO_HURRY_DAYS
            found.append(Candidate(kind="open_item", fact=fact, hurry_days=left))
    return found


def find_follow_ups(facts: Sequence[CompanyFact], *, now: datetime) -> list[Candidate]:
    """Return what decisions call for and nobody has seen to; of several of one kind the last decides."""
    last: dict[str, Candidate] = {}
    for fact in sorted(facts, key=lambda fact: fact.said_at):
        kind = follow_up_of(fact.content) if fact.category == "decision" else None
        if kind is not None and now - fact.said_at <= FOLLOW_UP_UNTIL:
            age_days = (now - fact.said_at) / timedelta(days=1)
            hurry = max(abs(kind.within_days - age_days), 1.0)  # most urgent about its time, fading after it
            last[kind.key] = Candidate(kind="follow_up", fact=fact, hurry_days=hurry)
    return [candidate for candidate in last.values() if not _is_settled(candidate, facts)]


def find_near_deadlines(
    facts: Sequence[CompanyFact],
    deadlines: Sequence[Deadline],
    *,
    today: date,
) -> list[Candidate]:
    """Return the deadlines of the next days that something believed has to do with, each with the best such fact."""
    found = []
    # Each fact is read once for all deadlines, and nothing of what was read stays.
    read = cache(read_matters)
    for deadline in deadlines:
        days = (deadline.due_on - today).days
        fact = find_related(deadline, facts, read=read) if 0 <= days <= COMPANY.deadline_within.days else None
        if fact is not None:
            found.append(Candidate(kind="deadline", fact=fact, deadline=deadline, hurry_days=float(days)))
    return found


def find_related(
    deadline: Deadline,
    facts: Iterable[CompanyFact],
    *,
    read: Callable[[str], tuple[frozenset[str], frozenset[str]]] = read_matters,
) -> CompanyFact | None:
    """Return the fact that a deadline is best put together with: a decision first, then the last said."""
    matters = read(label_of(deadline))
    fitting = [
        fact
        for fact in facts
        if fact.category in _RELATING
        and any(own & its for own, its in zip(matters, read(fact.content), strict=True))
    ]
    reminding = (f for f in facts if f.category == "preference" and _REMINDERS.search(fold_words(f.content)))
    return min(fitting or reminding, key=_preference, default=None)


def _preference(fact: CompanyFact) -> tuple[int, float, str]:
    return _RELATING.index(fact.category), -fact.said_at.timestamp(), str(fact.id)


def _is_settled(candidate: Candidate, facts: Iterable[CompanyFact]) -> bool:
    kind, decision = candidate.follow_up, candidate.fact
    return kind is not None and any(
        settles(kind, fact.content)
        for fact in facts
        if fact.category in ("decision", "knowledge")
        and fact.said_at >= decision.said_at
        and fact.id != decision.id
    )
