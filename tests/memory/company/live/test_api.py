"""A company's own program sets and reads its company's state; whatever is wrong is refused whole, and said where."""

import pytest
from django.utils import timezone

from companion_site.accounts.models import Company
from companion_site.accounts.services import create_company
from companion_site.running import PROJECT
from memory.company.live.catalogue import DEADLINES, FIGURES
from memory.company.live.views import API, parse_state
from tests.factories import NOW
from tests.teaching.conftest import Reporter

pytestmark = [pytest.mark.django_db, pytest.mark.spec("C11")]

URL = "/api/company/state/"
TODAY = timezone.localdate()
DAY = TODAY.isoformat()


class Program(Reporter):
    """A business system of a company of its own, and its way of asking."""

    def __init__(self, name="Demo AB"):
        super().__init__(create_company(name, now=NOW), URL)

    def put(self, body):
        return self.send(body, method="PUT")

    def get(self):
        return self.client.get(URL, headers=self.headers())

    def stands(self):
        return {row["key"]: row["value"] for row in self.get().json()["kpis"]}


@pytest.fixture
def books(db):
    return Program()


def kpi(key="cash", value=1, **more):
    return {"key": key, "value": value, "as_of": DAY, **more}


def test_figures_and_deadlines_are_set_and_read_back(books):
    """What was sent stands, exactly, and sent back as it was read changes nothing."""
    sent = {
        "kpis": [kpi("cash", 412000.10, unit="SEK"), kpi("employees", "3", label="Staff")],
        "deadlines": [{"key": "vat_return", "due_on": DAY}],
    }
    answer = books.put(sent)
    assert answer.status_code == 200
    counts = {"created": 2, "changed": 0, "same": 0, "older": 0}
    assert answer.json() == {"kpis": counts, "deadlines": {**counts, "created": 1}}
    stands = books.get().json()
    assert [(row["key"], row["value"], row["unit"], row["source"]) for row in stands["kpis"]] == [
        ("employees", "3", "", "api"),
        ("cash", "412000.1", "SEK", "api"),
    ]
    assert stands["deadlines"] == [
        {"key": "vat_return", "label": "", "due_on": DAY, "done": False, "source": "api"}
    ]
    again = {
        name: [{k: v for k, v in row.items() if k != "source"} for row in rows]
        for name, rows in stands.items()
    }
    assert books.put(again).json()["kpis"] == {**counts, "created": 0, "same": 2}


@pytest.mark.spec("C13")
def test_a_program_sees_its_own_company_alone(books):
    """Another company's program neither reads nor changes a figure of this one."""
    other = Program("Other AB")
    books.put({"kpis": [kpi("cash", 1)]})
    other.put({"kpis": [kpi("cash", 2), kpi("employees", 5)]})
    assert (books.stands(), other.stands()) == ({"cash": "1"}, {"employees": "5", "cash": "2"})


def test_a_company_without_a_memory_is_told_so(books):
    """Nothing can be set or read where there is no space, and nobody else's is taken."""
    books.system.company = Company.objects.create(name="Bare AB")
    books.system.save()
    for answer in (books.put({"kpis": [kpi()]}), books.get()):
        assert answer.status_code == 400 and "staff" in answer.json()["message"]


def test_the_documented_example_works(books):
    """What docs/api.md shows can be sent as it stands, and every name of it is explained there."""
    text = (PROJECT / "docs" / "api.md").read_text().split("### Company state\n")[1]
    (example,) = [part.split("```")[0] for part in text.split("```json\n")[1:]]
    state = parse_state(example.encode())
    assert len(state.kpis) == 3 and len(state.deadlines) == 2
    assert all(f"`{name}`" in text for name in (*API.names, *FIGURES, *DEADLINES))
