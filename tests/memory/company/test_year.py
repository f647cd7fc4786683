"""A company's life of thirteen months, with a clock of its own: nothing is lost, and the memory stays small."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from random import Random
from uuid import UUID

import pytest

from companion_site.llm.tokens import estimate_tokens
from companion_site.vault.scope import space_scope
from memory.company.intake import believe
from memory.company.params import COMPANY
from memory.models import CompanyCompression, CompanyEvent, CompanyFact
from tests.memory.company.firm import Firm
from tests.memory.company.histories import replay
from tests.memory.company.life import DAYS, tell_life

START = datetime(2025, 1, 7, 6, tzinfo=UTC)
_INTO_SUMMARY = ("summarised", "annual")


@dataclass
class Year:
    """The company, and what was seen of its memory on the way.

    Attributes:
        seen: ids of all rows that ever were.
        most: the most facts that were active at the end of a day.
    """

    firm: Firm
    seen: set[UUID] = field(default_factory=set)
    most: int = 0
    compressions: list[CompanyCompression] = field(default_factory=list)

    def live(self) -> None:
        told = {conversation.day: conversation.facts for conversation in tell_life(START)}
        for day in range(DAYS):
            now = START + timedelta(days=day, hours=18)
            if day in told:
                believe(self.firm.space, told[day], now=now)
            if day in told or day % 15 == 0:
                self._close_day(now)

    def _close_day(self, now: datetime) -> None:
        """Do what the site does by the clock, and look."""
        before = self.firm.words(now=now)
        done = self.firm.compress(now=now)
        if done is not None:
            self.compressions.append(done)
            words = self.firm.words(now=now)
            assert sum(map(estimate_tokens, words)) <= COMPANY.most_tokens
            assert count_repeats(words) <= count_repeats(before)
        rows = set(self.firm.rows())
        assert self.seen <= rows
        self.seen = rows
        self.most = max(self.most, len(self.firm.active(now=now)))


def count_repeats(words: Sequence[str]) -> int:
    """Return how many facts say in so many words what another does as well."""
    said = [piece for each in words for piece in pieces(each)]
    return len(said) - len(set(said))


def pieces(words: str) -> list[str]:
    """Return what a fact says, piece by piece; of a year's summary without the year."""
    return re.sub(r"^\d{4}: ", "", words.rstrip(" .")).split("; ")


@pytest.fixture
def year(db) -> Year:
    lived = Year(Firm())
    lived.live()
    return lived


@pytest.mark.slow
@pytest.mark.spec("C8", "C9", "C12")
def test_a_year_of_a_company(year):
    """Fifty facts at the most, fifteen to thirty after each compression, every fact kept or followed, every day told."""
    check_sizes(year)
    check_nothing_is_lost(year)
    check_every_day_is_told(year)
    check_that_it_rests(year)


def check_sizes(year: Year) -> None:
    """At most fifty are active at the end of any day, and 15 to 30 after each compression of more than that."""
    assert year.most <= COMPANY.most_active
    triggers = {done.trigger for done in year.compressions}
    assert triggers >= {"monthly", "too_many"}
    assert any(done.before > COMPANY.most_active for done in year.compressions)
    for done in year.compressions:
        assert done.after <= done.before
        assert done.before < COMPANY.least_after or done.after >= COMPANY.least_after
        assert done.after <= COMPANY.most_after


def check_nothing_is_lost(year: Year) -> None:
    """Each fact is active, has expired, or has a successor; what went into a summary stands in its words."""
    rows = year.firm.rows()
    assert {row.category for row in rows.values()} == set(CompanyFact.Category.values)
    assert {row.origin for row in rows.values()} >= {"stated", "summary", "annual"}
    reasons = {row.superseded_reason for row in rows.values()}
    assert reasons >= {"summarised", "annual", "contradicted"}
    for row in rows.values():
        following = row
        while following.superseded_by_id is not None:
            into = following.superseded_reason in _INTO_SUMMARY
            following = rows[following.superseded_by_id]
            if not into:
                break
            assert set(pieces(row.content)) <= set(pieces(following.content))
    words = {row.content for row in rows.values()}
    told = {fact.content for conversation in tell_life(START) for fact in conversation.facts}
    assert len(told - words) < len(told) / 20


def check_every_day_is_told(year: Year) -> None:
    """What was believed at any moment is the same, told from the rows or from the events."""
    rng, space = Random(9), year.firm.space
    moments = [START + timedelta(days=rng.uniform(-1, DAYS + 200)) for _ in range(44)]
    moments += [done.at for done in year.compressions[:6]]
    assert len(moments) == 50
    for moment in moments:
        with space_scope(space):
            from_rows = set(
                CompanyFact.objects.for_space(space).believed_at(moment).values_list("pk", flat=True)
            )
        assert from_rows == replay(space, moment)


def check_that_it_rests(year: Year) -> None:
    """Compressing once more changes no fact and adds no event."""
    end = START + timedelta(days=DAYS)
    year.firm.force(now=end)
    before, events = year.firm.look(), count_events(year)
    assert year.firm.force(now=end).summaries == 0
    assert (year.firm.look(), count_events(year)) == (before, events)


def count_events(year: Year) -> int:
    with space_scope(year.firm.space):
        return CompanyEvent.objects.for_space(year.firm.space).count()
