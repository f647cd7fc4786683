"""A company's life of thirteen months, with a clock of its own: nothing is lost, and the memory stays small."""

import re
from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from random import Random

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


@pytest.mark.slow
@pytest.mark.spec("C8", "C9", "C12")
@pytest.mark.django_db
def test_a_year_of_a_company():
    """Fifty facts at the most, fifteen to thirty after each compression, every fact kept or followed, every day told."""
    firm, told = Firm(), tell_life(START)
    compressions: list[CompanyCompression] = []
    seen, most = set(), 0
    for day in range(DAYS):
        now = START + timedelta(days=day, hours=18)
        if day in told:
            believe(firm.space, told[day], now=now)
        elif day % 15:
            continue
        before = firm.words(now=now)
        done = firm.compress(now=now)
        if done is not None:
            compressions.append(done)
            words = firm.words(now=now)
            assert sum(map(estimate_tokens, words)) <= COMPANY.most_tokens
            assert count_repeats(words) <= count_repeats(before)
        rows = set(firm.rows())
        assert seen <= rows
        seen, most = rows, max(most, len(firm.active(now=now)))
    assert most <= COMPANY.most_active
    check_sizes(compressions)
    check_nothing_is_lost(firm, {fact.content for facts in told.values() for fact in facts})
    check_every_day_is_told(firm, compressions)
    check_that_it_rests(firm)


def count_repeats(words: Sequence[str]) -> int:
    """Return how many facts say in so many words what another does as well."""
    said = [piece for each in words for piece in pieces(each)]
    return len(said) - len(set(said))


def pieces(words: str) -> list[str]:
    """Return what a fact says, piece by piece; of a year's summary without the year."""
    return re.sub(r"^\d{4}: ", "", words.rstrip(" .")).split("; ")


def check_sizes(compressions: Sequence[CompanyCompression]) -> None:
    """There are 15 to 30 after each compression of more than that, and each reason for one comes up."""
    assert {done.trigger for done in compressions} >= {"monthly", "too_many"}
    assert any(done.before > COMPANY.most_active for done in compressions)
    for done in compressions:
        assert done.after <= done.before
        assert done.before < COMPANY.least_after or done.after >= COMPANY.least_after
        assert done.after <= COMPANY.most_after


def check_nothing_is_lost(firm: Firm, told: set[str]) -> None:
    """Each fact is active, has expired, or has a successor; what went into a summary stands in its words."""
    rows = firm.rows()
    assert {row.category for row in rows.values()} == set(CompanyFact.Category.values)
    assert {row.origin for row in rows.values()} >= {"stated", "summary", "annual"}
    assert {row.superseded_reason for row in rows.values()} >= {*_INTO_SUMMARY, "contradicted"}
    for row in rows.values():
        following = row
        while following.superseded_reason in _INTO_SUMMARY:
            following = rows[following.superseded_by_id]
            assert set(pieces(row.content)) <= set(pieces(following.content))
    assert len(told - {row.content for row in rows.values()}) < len(told) / 20


def check_every_day_is_told(firm: Firm, compressions: Sequence[CompanyCompression]) -> None:
    """What was believed at any moment is the same, told from the rows or from the events."""
    rng = Random(9)
    moments = [START + timedelta(days=rng.uniform(-1, DAYS + 200)) for _ in range(44)]
    moments += [done.at for done in compressions[:6]]
    assert len(moments) == 50
    with space_scope(firm.space):
        facts = CompanyFact.objects.for_space(firm.space)
        for moment in moments:
            from_rows = set(facts.believed_at(moment).values_list("pk", flat=True))
            assert from_rows == replay(firm.space, moment)


def check_that_it_rests(firm: Firm) -> None:
    """Compressing once more changes no fact and adds no event."""

    def look() -> tuple[list[tuple], int]:
        with space_scope(firm.space):
            return firm.look(), CompanyEvent.objects.for_space(firm.space).count()

    end = START + timedelta(days=DAYS)
    firm.force(now=end)
    before = look()
    assert firm.force(now=end).summaries == 0
    assert look() == before
