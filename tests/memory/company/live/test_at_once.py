"""Programs that report at the same moment: every request ends whole, and the newest day stands."""

from datetime import timedelta
from functools import partial

import pytest

from companion_site.accounts.services import create_company
from companion_site.audit.services import find_breaks
from memory.company.live.entries import DeadlineEntry, KpiEntry
from memory.company.live.services import set_state, standing_deadlines, standing_figures
from tests.factories import NOW
from tests.racing import at_once

TODAY = NOW.date()
AT_ONCE = 6


@pytest.mark.spec("C11")
def test_requests_at_the_same_moment_do_not_lose_or_double_anything(committed):
    """Six set the same keys at once, each of another day: one row a key, of the newest, and the record holds."""
    space = create_company("Demo AB", now=NOW).space_id

    def report(days):
        day = TODAY - timedelta(days=days)
        kpis = [KpiEntry(key=key, value=days, as_of=day) for key in ("cash", "employees")]
        due = [DeadlineEntry(key="rent", due_on=TODAY)]
        set_state(space, kpis, due, source="api", now=NOW, actor=None)

    at_once(*(partial(report, days) for days in range(AT_ONCE)))
    assert [(figure.key, figure.value) for figure in standing_figures(space)] == [
        ("employees", 0),
        ("cash", 0),
    ]
    assert len(standing_deadlines(space)) == 1
    assert list(find_breaks(space)) == []
