"""What an auditor takes along as a file: all of it, safe for spreadsheets, on record."""

import csv
import io
import json

import pytest
from django.urls import reverse
from hypothesis import given
from hypothesis import strategies as st

from companion_site.audit.models import AuditEvent
from companion_site.audit.services import find_breaks
from memory.company.audit import export
from memory.company.audit.export import to_cell
from tests.factories import NOW
from tests.memory.company.audit.rows import DAY, believe

pytestmark = [pytest.mark.django_db, pytest.mark.spec("C12"), pytest.mark.spec("E3")]


def take(client, **given):
    answer = client.post(reverse("company:export"), given)
    assert answer.status_code == 200 and answer.streaming
    return b"".join(answer).decode()


def rows_of(text):
    return list(csv.DictReader(io.StringIO(text.removeprefix("\ufeff"), newline="")))


def test_the_whole_history_comes_as_a_table(lived, browser):
    """Every fact once, the oldest first, with what the page shows of it."""
    text = take(browser, form="csv", state="all")
    assert text.startswith("\ufeff"), "so that a spreadsheet reads å, ä and ö"
    rows = rows_of(text)
    assert [row["id"] for row in rows] == sorted(str(fact) for fact in lived.ids().values())
    k2 = next(row for row in rows if row["id"] == str(lived.facts["k2"].pk))
    assert (k2["state"], k2["superseded_reason"], k2["superseded_by"], k2["said_by"]) == (
        "superseded", "contradicted", str(lived.facts["k3"].pk), lived.member.display_name,
    )  # fmt: skip


def test_the_memory_comes_as_json_with_its_events(lived, browser):
    """One object, each fact with what happened to it, in order; as of a moment what was believed then, with its events until then."""
    k2 = lived.facts["k2"]

    def take_json(**asked):
        told = json.loads(take(browser, form="json", **asked))
        return told, {fact["id"]: fact for fact in told["facts"]}

    told, facts = take_json(state="all")
    assert told["company"] == "Demo AB" and len(facts) == 7
    assert [event["kind"] for event in facts[str(k2.pk)]["events"]] == ["believed", "superseded"]
    assert facts[str(k2.pk)]["message_id"] == str(k2.source_message_id)
    _, facts = take_json(as_of=f"{NOW - 5 * DAY:%Y-%m-%dT%H:%M:%SZ}")
    assert facts[str(k2.pk)]["state"] == "active" and str(lived.facts["k3"].pk) not in facts
    assert [event["kind"] for event in facts[str(k2.pk)]["events"]] == ["believed"]


def test_each_export_is_on_record_in_numbers(lived, browser):
    """Who, when, how many and as what, and never a word of what was searched for; a search comes in the order of its hits."""
    take(browser, form="csv", state="all")
    page = browser.get(reverse("company:search"), {"q": "annual report"})
    told = json.loads(take(browser, form="json", q="annual report"))
    assert [fact["id"] for fact in told["facts"]] == [str(one["fact"].id) for one in page.context["hits"]]
    first, second = AuditEvent.objects.filter(action="company.memory_exported").order_by("position")
    assert (first.chain, first.actor_id, first.data) == (
        lived.space, lived.auditor.pk, {"facts": 7, "form": "csv", "of": "history"},
    )  # fmt: skip
    assert second.data["of"] == "search" and "annual" not in json.dumps(second.data)
    assert list(find_breaks(lived.space)) == []


def test_more_than_one_lot_is_whole(lived, browser, monkeypatch):
    """Reading in lots loses and doubles nothing."""
    monkeypatch.setattr(export, "BATCH", 3)
    for form in ("csv", "json"):
        text = take(browser, form=form, state="all")
        told = rows_of(text) if form == "csv" else json.loads(text)["facts"]
        assert [row["id"] for row in told] == sorted(str(fact) for fact in lived.ids().values())


def test_no_cell_is_a_formula(lived, browser):
    """A cell that a spreadsheet would compute begins with an apostrophe instead."""
    starts = ["=", "+", "-", "@", "\t=", " =", "\uff1d", "\u00a0@", "\r", "\n-"]
    assert all(to_cell(f"{start}HYPERLINK(1)") == f"'{start}HYPERLINK(1)" for start in starts)
    believe(lived.space, "=HYPERLINK(1)", vector=False)
    assert "'=HYPERLINK(1)" in {row["content"] for row in rows_of(take(browser, form="csv", state="all"))}


@given(st.text())
def test_every_text_stays_readable_and_harmless(text):
    """Only an apostrophe is ever added, and what begins with a sign of a formula always gets one."""
    cell = to_cell(text)
    assert cell in (text, f"'{text}")
    assert not cell.lstrip().startswith(("=", "+", "-", "@"))


def test_what_cannot_be_understood_is_refused_and_not_recorded(lived, browser):
    """No file, no event."""
    for given_ in ({"form": "xls"}, {"form": "csv", "as_of": "then"}, {}, {"form": "csv", "q": "x" * 201}):
        assert browser.post(reverse("company:export"), given_).status_code == 400, given_
    assert not AuditEvent.objects.filter(action="company.memory_exported").exists()
