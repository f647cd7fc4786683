"""Key figures and deadlines are set as said, all or nothing, and the same again changes nothing."""

import random
from datetime import timedelta
from decimal import Decimal

import pytest
from pydantic import ValidationError

from companion_site.audit.models import AuditEvent
from memory.company.errors import StateRefused
from memory.company.live.entries import DeadlineEntry, KpiEntry
from memory.company.live.services import (
    Written,
    remove_kpi,
    set_deadlines,
    set_kpis,
    set_state,
    standing_deadlines,
    standing_figures,
)
from memory.company.params import LIVE
from tests.cases import cases
from tests.factories import NOW

pytestmark = [pytest.mark.django_db, pytest.mark.spec("C11")]

TODAY = NOW.date()


def kpi(key="cash", value=1, *, days=0, **more):
    return KpiEntry(key=key, value=value, as_of=TODAY - timedelta(days=days), **more)


def deadline(key="vat_return", *, days=10, **more):
    return DeadlineEntry(key=key, due_on=TODAY + timedelta(days=days), **more)


def set_figures(space, *rows, source="api", now=NOW):
    return set_kpis(space, rows, source=source, now=now, actor=None)


def values(space):
    return {figure.key: figure.value for figure in standing_figures(space)}


def test_the_same_again_changes_nothing_and_what_is_not_named_stays(space):
    """Said twice, a figure is written once and stands on record once; one program's figures are not taken out by another's."""
    rows = [kpi("cash", "10.5", unit="SEK"), kpi("employees", 3)]
    assert set_figures(space, *rows) == Written(created=2)
    assert set_figures(space, *rows, now=NOW + timedelta(hours=1)) == Written(same=2)
    assert {figure.updated_at for figure in standing_figures(space)} == {NOW}
    assert AuditEvent.objects.filter(chain=space, action="company.kpis_set").count() == 1
    set_figures(space, kpi("cash", 2), source="sie")
    assert values(space) == {"cash": 2, "employees": 3}


def test_an_older_day_never_takes_the_place_of_a_newer_one(space):
    """Whatever order figures arrive in, the newest day stands; of the same day the last said."""
    days = [random.Random(7).randrange(30) for _ in range(20)]
    for days_ago in days:
        set_figures(space, kpi("cash", days_ago, days=days_ago))
    assert values(space) == {"cash": min(days)}
    assert set_figures(space, kpi("cash", 99, days=min(days))) == Written(changed=1)
    assert set_figures(space, kpi("cash", 5, days=min(days) + 1)) == Written(older=1)
    assert values(space) == {"cash": 99}


def test_a_day_to_come_is_refused(space):
    """It would keep every figure out until then; a clock may be a day ahead."""
    set_figures(space, kpi(days=-1))
    with pytest.raises(StateRefused, match=r"kpis\.1\.as_of"):
        set_figures(space, kpi("employees"), kpi(days=-2))
    assert values(space).keys() == {"cash"}


def test_a_wrong_figure_can_be_taken_out(space):
    """So that the figure of an older day can be set again."""
    set_figures(space, kpi("cash", 999))
    remove_kpi(space, "cash", now=NOW, actor=None)
    remove_kpi(space, "cash", now=NOW, actor=None)
    assert set_figures(space, kpi("cash", 5, days=30)) == Written(created=1)
    assert AuditEvent.objects.filter(chain=space, action="company.kpi_removed").count() == 1


def test_the_record_holds_counts_and_no_figure(space):
    """Who reads the record learns how many figures changed, never which."""
    set_figures(space, kpi("secret-key", 777_333, label="Very private"))
    set_deadlines(space, [deadline("secret-key", label="Very private")], source="admin", now=NOW, actor=None)
    events = AuditEvent.objects.filter(chain=space, action__startswith="company.")
    counts = {"created": 1, "changed": 0, "same": 0, "older": 0}
    assert [event.data for event in events.order_by("position")] == [
        {**counts, "source": "api"},
        {**counts, "source": "admin"},
    ]


def test_a_deadline_is_known_by_its_key_and_day(space):
    """Done and open again, named anew; another day is another deadline."""
    set_deadlines(space, [deadline(), deadline(days=40)], source="api", now=NOW, actor=None)
    done = set_deadlines(space, [deadline(done=True, label="VAT Q1")], source="api", now=NOW, actor=None)
    assert done == Written(changed=1)
    stands = standing_deadlines(space)
    assert [(due.label, due.done_at is not None) for due in stands] == [("VAT Q1", True), ("", False)]
    assert [due.done_at is not None for due in standing_deadlines(space, open_only=True)] == [False]
    set_deadlines(space, [deadline()], source="api", now=NOW, actor=None)
    assert [due.done_at is not None for due in standing_deadlines(space)] == [False, False]


def test_twice_the_same_is_refused(space):
    """Which of the two would stand cannot be told; a deadline that cannot be set keeps the figures out too."""
    with pytest.raises(StateRefused, match=r"kpis\.2\.key: the same as kpis\.0"):
        set_figures(space, kpi("a"), kpi("b"), kpi("a", 2))
    with pytest.raises(StateRefused, match=r"deadlines\.1\.key"):
        set_state(space, [kpi()], [deadline(), deadline(done=True)], source="api", now=NOW, actor=None)
    assert values(space) == {}
    assert not AuditEvent.objects.filter(chain=space, action="company.kpis_set").exists()


def test_a_company_has_so_many_figures_and_no_more(space):
    """At most 200 at a time and altogether; a request above it leaves everything as it was."""
    full = [kpi(f"k{number}") for number in range(LIVE.most_rows)]
    with pytest.raises(StateRefused, match="at most 200"):
        set_figures(space, *full, kpi("one-more"))
    set_figures(space, *full)
    with pytest.raises(StateRefused, match="at most 200"):
        set_figures(space, kpi("k0", 7), kpi("one-more"))
    assert values(space)["k0"] == 1
    ahead = [deadline(days=number) for number in range(LIVE.most_rows)]
    set_deadlines(space, ahead, source="api", now=NOW, actor=None)
    with pytest.raises(StateRefused, match="at most 200"):
        set_deadlines(space, [deadline("other")], source="api", now=NOW, actor=None)
    assert len(standing_deadlines(space)) == LIVE.most_rows


@cases(
    ("field", "given"),
    [
        ("key", ""), ("key", "Cash"), ("key", "a b"), ("key", "a\n"), ("key", "å"), ("key", "x" * 65), ("key", 5),
        ("value", None), ("value", True), ("value", 0.1), ("value", "ten"), ("value", ""), ("value", "NaN"),
        ("value", "Infinity"), ("value", Decimal("-Infinity")), ("value", "1e999999999"), ("value", 10**16), ("value", "1e-999999999999"),
        ("value", "-" + "9" * 17), ("value", "0.00001"), ("value", "1" * 5000), ("value", "1,5"), ("value", [1]),
        ("as_of", "1989-12-31"), ("as_of", "2101-01-01"), ("as_of", "2026-02-30"), ("as_of", "yesterday"),
        ("as_of", 20260302), ("as_of", None), ("as_of", NOW), ("label", "x" * 101), ("label", "\x1b[0m"),
        ("unit", "x" * 17), ("unit", 5), ("more", 1),
    ],
)  # fmt: skip
def test_a_figure_is_within_bounds_or_is_none(field, given):
    """Keys are slugs, numbers finite and exact, days real; anything else never becomes an entry."""
    fine = {"key": "cash", "value": 1, "as_of": "2026-03-02"}
    assert KpiEntry(**fine)
    with pytest.raises(ValidationError):
        KpiEntry(**{**fine, field: given})


@cases(
    ("given", "kept"),
    [(0, "0"), ("-0", "0"), ("1234.5", "1234.5"), ("1e3", "1000"), (10**16 - 1, str(10**16 - 1)),
     ("1.10000000", "1.1"), (Decimal("-0.0001"), "-0.0001")],
)  # fmt: skip
def test_a_number_is_kept_exactly(space, given, kept):
    """As it was written, through the database and back."""
    set_figures(space, kpi("own", given))
    assert values(space) == {"own": Decimal(kept)}
    assert not str(values(space)["own"]).startswith("-0.0000")
