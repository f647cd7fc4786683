"""A company's own program sets and reads its company's state; whatever is wrong is refused whole, and said where."""

import json
import logging
from base64 import b64encode

import pytest
from django.test import Client
from django.utils import timezone

from companion_site.accounts.models import BusinessSystem, Company, LearningSystem, School
from companion_site.accounts.services import create_company
from companion_site.accounts.systems import create_system, renew_secret, revoke
from companion_site.running import PROJECT
from memory.company.live.catalogue import DEADLINES, FIGURES
from memory.company.live.views import MOST_BYTES, NAMES, parse_state
from tests.cases import cases
from tests.factories import NOW, make_business_user
from tests.live import logged_in

pytestmark = [pytest.mark.django_db, pytest.mark.spec("C11")]

URL = "/api/company/state/"
TODAY = timezone.localdate()
DAY = TODAY.isoformat()
SECRET_WORD = "zebrafinch"


class Program:
    """A business system of a company of its own, and its way of asking."""

    def __init__(self, name="Demo AB"):
        self.company = create_company(name, now=NOW)
        self.system, self.secret = create_system(
            BusinessSystem, company=self.company, name="Books", now=NOW, actor=None
        )
        self.client = Client()

    def headers(self, **changed):
        name, secret = changed.pop("name", self.system.pk), changed.pop("secret", self.secret)
        return {"Authorization": "Basic " + b64encode(f"{name}:{secret}".encode()).decode(), **changed}

    def put(self, body, *, content_type="application/json", **headers):
        data = body if isinstance(body, (bytes, str)) else json.dumps(body)
        return self.client.generic(
            "PUT", URL, data, content_type=content_type, headers=self.headers(**headers)
        )

    def get(self, **headers):
        return self.client.get(URL, headers=self.headers(**headers))

    def stands(self):
        return {row["key"]: row["value"] for row in self.get().json()["kpis"]}


@pytest.fixture
def books():
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
    books.company = Company.objects.create(name="Bare AB")
    books.system, books.secret = create_system(
        BusinessSystem, company=books.company, name="Books", now=NOW, actor=None
    )
    for answer in (books.put({"kpis": [kpi()]}), books.get()):
        assert answer.status_code == 400 and "staff" in answer.json()["message"]


@pytest.mark.spec("E2")
def test_only_a_program_with_its_secret_is_heard(books):
    """Wrong, empty, foreign, renewed and revoked secrets, learning systems and people are all turned away alike."""
    other, old = Program("Other AB"), books.secret
    moodle, moodle_secret = create_system(
        LearningSystem, school=School.objects.create(name="North"), name="Moodle", now=NOW, actor=None
    )
    books.secret = renew_secret(books.system, now=NOW, actor=None)
    wrong = [
        {"secret": old}, {"secret": ""}, {"secret": other.secret}, {"name": "bo"}, {"name": other.system.pk},
        {"name": moodle.pk, "secret": moodle_secret}, {"Authorization": ""}, {"Authorization": "Basic ???"},
        {"Authorization": "Bearer x"}, {"Authorization": "Basic " + b64encode(b"\xff:\xff").decode()},
        {"name": "\x00"},
    ]  # fmt: skip
    answers = [books.put({"kpis": [kpi()]}, **headers) for headers in wrong]
    answers += [books.get(**headers) for headers in wrong]
    make_business_user("bo", company=books.company)
    answers.append(logged_in("bo").get(URL))
    assert {(answer.status_code, answer.content) for answer in answers} == {(401, answers[0].content)}
    assert answers[0]["WWW-Authenticate"].startswith("Basic")
    assert books.put({"kpis": [kpi()]}).status_code == 200
    revoke(books.system, now=NOW, actor=None)
    assert books.get().status_code == 401


WRONG = {
    "nothing": (b" ", "no JSON"),
    "no JSON": (b"{", "no JSON"),
    "a list": ("[]", "JSON object"),
    "a name twice": ('{"kpis": [], "kpis": []}', "no JSON"),
    "deep": ("[" * 50 + "]" * 50, "nested"),
    "another name": ({SECRET_WORD: 1}, "not known"),
    "a key that is none": ({"kpis": [kpi(SECRET_WORD.upper())]}, "kpis[0].key"),
    "a number far too long": (f'{{"kpis": [{{"key": "a", "value": {"9" * 9999}, "as_of": "{DAY}"}}]}}', "no JSON"),
    "an own field": ({"kpis": [kpi(**{SECRET_WORD: 1})]}, "not known"),
    "too many": ({"kpis": [kpi(f"k{number}") for number in range(201)]}, "kpis:"),
    "a label of lines": ({"deadlines": [{"key": "a", "due_on": DAY, "label": "a\nb"}]}, "deadlines[0].label"),
}  # fmt: skip


@cases(("body", "said"), WRONG.values())
def test_what_is_wrong_is_named_and_nothing_is_set(books, body, said):
    """400 with the field and what is expected there, in words that repeat nothing of what was sent."""
    books.put({"kpis": [kpi("cash", 7)]})
    answer = books.put(body)
    assert answer.status_code == 400, answer.text
    assert said in answer.json()["message"] and SECRET_WORD not in answer.text.lower()
    assert books.stands() == {"cash": "7"}


def test_too_much_is_refused(books):
    """Too many bytes, and far too many: 413, and the bounds are said."""
    for size in (MOST_BYTES + 1, 3_000_000):
        answer = books.put(" " * size)
        assert answer.status_code == 413 and "200 kB" in answer.json()["message"]


def test_only_json_is_read(books):
    """Other content types are told what to send, other methods that there are none."""
    for content_type in (
        "text/plain",
        "multipart/form-data; boundary=x",
        "application/x-www-form-urlencoded",
    ):
        assert books.put({"kpis": [kpi()]}, content_type=content_type).status_code == 415
    assert books.put({"kpis": [kpi()]}, content_type="application/json; charset=utf-8").status_code == 200
    for method in ("POST", "DELETE", "PATCH"):
        answer = books.client.generic(method, URL, "{}", headers=books.headers())
        assert answer.status_code == 405


def test_nothing_of_a_request_is_logged(books, caplog):
    """Whether it was taken in or refused."""
    caplog.set_level(logging.DEBUG)
    books.put({"kpis": [kpi("own", 987654321, label=SECRET_WORD)]})
    books.put({"kpis": [kpi("own", 987654321, label=SECRET_WORD, more=1)]})
    assert SECRET_WORD not in caplog.text and "987654321" not in caplog.text
    assert books.secret not in caplog.text


def test_the_documented_example_works(books):
    """What docs/api.md shows can be sent as it stands, and every name of it is explained there."""
    text = (PROJECT / "docs" / "api.md").read_text().split("### Company state\n")[1]
    (example,) = [part.split("```")[0] for part in text.split("```json\n")[1:]]
    state = parse_state(example.encode())
    assert len(state.kpis) == 3 and len(state.deadlines) == 2
    assert all(f"`{name}`" in text for name in (*NAMES, *FIGURES, *DEADLINES))
