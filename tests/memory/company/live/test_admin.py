"""Staff enter what stands of a company, and take in a SIE file after seeing what it changes."""

import re
from datetime import timedelta
from html import unescape
from pathlib import Path

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.utils import timezone

from companion_site.accounts.models import Person
from companion_site.accounts.services import create_company
from companion_site.audit.models import AuditEvent
from memory.company.live.entries import KpiEntry
from memory.company.live.services import set_kpis, standing_deadlines, standing_figures
from tests.factories import NOW, make_student
from tests.live import logged_in

pytestmark = pytest.mark.spec("C11")

FILES = Path(__file__).parents[3] / "data" / "sie"
HIDDEN = re.compile(r'name="(packed)" value="([^"]*)"')
TODAY = timezone.localdate()


class Desk:
    """The admin's page of one company, and staff before it."""

    def __init__(self, name="Björk & Åström Konsult AB"):
        self.company = create_company(name, now=NOW)
        self.space = self.company.space_id
        self.page = f"/admin/memory/kpi/company/{self.company.pk}/"
        self.staff = logged_in("root")

    def post(self, do, **fields):
        return self.staff.post(self.page, {"do": do, **fields}, follow=True)

    def upload(self, raw, name="books.se"):
        return self.post("preview", file=SimpleUploadedFile(name, raw))

    def report(self, value, **more):
        """Have the company's own program say how much cash there is."""
        said = KpiEntry(**{"key": "cash", "value": value, "as_of": "2026-01-01", **more})
        set_kpis(self.space, [said], source="api", now=NOW, actor=None)

    def values(self):
        return {figure.key: (figure.value, figure.source) for figure in standing_figures(self.space)}


@pytest.fixture
def desk(db):
    make_student("root", role=Person.Role.STAFF, is_superuser=True)
    return Desk()


def sie(name="type4e_pc8.se"):
    return (FILES / name).read_bytes()


def hidden(answer):
    return {name: unescape(value) for name, value in HIDDEN.findall(answer.text)}


def figure(**changed):
    return {"key": "employees", "value": "3", "as_of": TODAY.isoformat(), **changed}


def test_the_company_s_page_leads_there(desk):
    """From the company to its live state, which says that nothing stands yet."""
    answer = desk.staff.get(f"/admin/accounts/company/{desk.company.pk}/live-state/", follow=True)
    assert answer.request["PATH_INFO"] == desk.page
    assert "No figure stands yet" in answer.text and "No deadline is open" in answer.text


def test_a_figure_is_entered_and_taken_out(desk):
    """It stands as staff's, is shown with its name and day, and goes when it was wrong."""
    assert "Employees: 3" in desk.post("figure", **figure()).text
    assert desk.values() == {"employees": (3, "admin")}
    assert "No figure stands yet" in desk.post("remove", key="employees").text
    assert "Saved." in desk.post("figure", **figure()).text
    older = (TODAY - timedelta(days=1)).isoformat()
    assert "A newer figure stands" in desk.post("figure", **figure(value="9", as_of=older)).text
    assert desk.values() == {"employees": (3, "admin")}
    events = AuditEvent.objects.filter(chain=desk.space, action__startswith="company.").order_by("position")
    actor = Person.objects.get(username="root").pk
    assert [(event.action, event.actor_id) for event in events] == [
        ("company.kpis_set", actor),
        ("company.kpi_removed", actor),
        ("company.kpis_set", actor),
    ]


def test_a_deadline_is_entered_and_marked_as_done(desk):
    """It is listed until it is done, and kept then."""
    due = TODAY + timedelta(days=20)
    assert "VAT return" in desk.post("deadline", key="vat_return", due_on=due.isoformat()).text
    (listed,) = standing_deadlines(desk.space)
    assert "No deadline is open" in desk.post("done", id=str(listed.id)).text
    assert [row.done_at is not None for row in standing_deadlines(desk.space)] == [True]
    assert desk.post("done", id="nobody").status_code == 404


CANNOT_STAND = [
    ("figure", figure(key="Not A Key")), ("figure", figure(as_of="2100-01-01")), ("figure", figure(unit="a\x1bb")), ("figure", {}),
    ("deadline", {"key": "rent", "due_on": "soon"}), ("deadline", {"key": "rent", "due_on": "2101-01-01"}),
]  # fmt: skip


def test_what_cannot_stand_is_told_at_its_field(desk):
    """The page comes back with what is wrong, and nothing is written."""
    for do, fields in CANNOT_STAND:
        answer = desk.post(do, **fields)
        assert answer.status_code == 200, fields
        assert 'role="alert"' in answer.text or "errorlist" in answer.text, fields
    assert desk.values() == {} and standing_deadlines(desk.space) == []


def test_a_file_is_shown_before_it_is_taken_in(desk):
    """The preview tells what stands and what the file says, and writes nothing; the second step does."""
    desk.report(5)
    answer = desk.upload(sie())
    assert "Björk &amp; Åström Konsult AB 556000-4615" in answer.text and "another company" not in answer.text
    assert "5 SEK" in answer.text and "117,510 SEK" in answer.text and "2026-02-28" in answer.text
    assert "another company" in desk.upload(sie("type1_utf8.se")).text, "the name in the file is compared"
    assert desk.values() == {"cash": (5, "api")}
    answer = desk.post("apply", **hidden(answer))
    assert "now stand" in answer.text and "Cash and bank: 117,510 SEK" in answer.text
    assert desk.values()["vat_due"] == (8000, "sie") and len(desk.values()) == 7
    assert "changes nothing" in desk.upload(sie()).text


def test_the_preview_tells_each_figure_in_its_own_unit(desk):
    """What stands in another currency is told in that one, and is a change when it is of as much; a newer figure stays."""
    desk.report(117510, unit="EUR", as_of="2026-02-28")
    answer = desk.upload(sie())
    assert "117,510 EUR" in answer.text and "117,510 SEK" in answer.text
    desk.report(117510, unit="USD", as_of="2026-02-28")
    assert "have changed since" in desk.post("apply", **hidden(answer)).text
    desk.report(5, as_of="2026-03-01")
    answer = desk.upload(sie())
    assert "a newer figure stands" in answer.text
    desk.post("apply", **hidden(answer))
    assert desk.values()["cash"] == (5, "api") and desk.values()["payables"] == (10000, "sie")


def test_what_changed_since_the_preview_is_shown_anew(desk):
    """Nothing is written that was not shown as it is."""
    answer = desk.upload(sie())
    desk.report(5)
    answer = desk.post("apply", **hidden(answer))
    assert "have changed since" in answer.text and desk.values() == {"cash": (5, "api")}
    assert "now stand" in desk.post("apply", **hidden(answer)).text


def test_a_broken_file_changes_nothing(desk):
    """The page says what is wrong and what to do."""
    broken = [
        (b"", "empty"),
        (b"PK\x03\x04", "no SIE file"),
        (sie().rsplit(b"}", 1)[0], "Export it again"),
        (sie().replace(b"117010.00", b"17010.00"), "do not add up"),
        (sie("type4i_pc8.si"), "vouchers alone"),
        (b"#" * 10_000_001, "larger than 10 MB"),
    ]
    for raw, said in broken:
        answer = desk.upload(raw)
        assert answer.status_code == 200 and said in unescape(answer.text), said
        assert hidden(answer) == {}
    assert desk.values() == {}


def test_what_was_not_shown_cannot_be_taken_in(desk):
    """Tampered, made up, or shown for another company."""
    fields = hidden(desk.upload(sie()))
    other = Desk("Other AB")
    for packed in (fields["packed"][:-2], "x", ""):
        desk.post("apply", **{**fields, "packed": packed})
    other.post("apply", **fields)
    assert desk.values() == {} and other.values() == {}
    assert desk.post("nothing").status_code == 404


@pytest.mark.spec("E2")
def test_only_staff_who_may_change_figures_see_the_page(desk):
    """Being staff is not enough, and nobody else gets as far."""
    make_student("intern", role=Person.Role.STAFF)
    make_student("ada")
    desk.report(777333)
    for name in ("intern", "ada"):
        client = logged_in(name)
        for answer in (client.get(desk.page), client.post(desk.page, {"do": "remove", "key": "cash"})):
            assert answer.status_code in (302, 403) and "777333" not in answer.text
    assert desk.values() == {"cash": (777333, "api")}


def test_lists_of_all_companies_show_no_value(committed):
    """They are read by the metadata role, which cannot read what a figure is."""
    make_student("root", role=Person.Role.STAFF, is_superuser=True)
    desk = Desk()
    desk.post("figure", **figure(value="777333"))
    listed = desk.staff.get("/admin/memory/kpi/")
    assert "employees" in listed.text and "777333" not in listed.text
    detail = desk.staff.get(re.search(r"/admin/memory/kpi/[0-9a-f-]{36}/change/", listed.text).group())
    assert detail.status_code == 200 and "777333" not in detail.text
