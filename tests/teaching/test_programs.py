"""The APIs for programs share an edge: who is heard, what is read, and that nothing of it is told or logged."""

import json
import logging
from base64 import b64encode
from dataclasses import dataclass
from typing import Any

import pytest
from django.test import Client
from django.utils import timezone
from django_q.models import OrmQ

from companion_site.audit.models import AuditEvent
from companion_site.ids import new_id
from companion_site.running import PROJECT
from companion_site.vault.models import SealedBox
from memory.inbound.measures import MOST_DAYS
from memory.models import Kpi
from tests.factories import make_business_user
from tests.teaching.conftest import Reporter, boxes, take_in

pytestmark = [pytest.mark.spec("E2", "G4", "C11", "L3"), pytest.mark.spec("I8")]

WORD = "zebrafinch"
LESSON = {
    "id": "0198b9b0-7d3c-7c57-9d0a-5f1f6f8f9a11",
    "actor": {"account": {"homePage": "http://testserver", "name": "ada"}},
    "verb": {"id": "http://adlnet.gov/expapi/verbs/completed"},
    "object": {"id": "https://x.example/1", "definition": {"name": {"en": WORD}}},
}
SESSION = {
    "id": "0198b9b0-7d3c-7c57-9d0a-5f1f6f8f9a12",
    "student": "ada",
    "title": WORD,
    "started_at": "2026-03-02T14:05:00+01:00",
    "ended_at": "2026-03-02T14:35:00+01:00",
    "turns": [{"speaker": "student", "text": WORD}],
}
MEASURES = {
    "id": "0198b9b0-7d3c-7c57-9d0a-5f1f6f8f9a13",
    "days": [{"day": timezone.localdate().isoformat(), "steps": 1200}],
}
STATE = {"kpis": [{"key": "own", "value": 987654321, "label": WORD, "as_of": "2026-03-02"}]}


def turns(**given: Any) -> dict[str, Any]:
    return {**SESSION, "turns": [{**SESSION["turns"][0], **given}]}


def result(**given: Any) -> dict[str, Any]:
    return {**LESSON, "result": given}


def activity(**definition: Any) -> dict[str, Any]:
    return {**LESSON, "object": {"id": "https://x.example/1", "definition": definition}}


def day(**given: Any) -> dict[str, Any]:
    return {**MEASURES, "days": [{**MEASURES["days"][0], **given}]}


def figure(**given: Any) -> dict[str, Any]:
    return {"kpis": [{**STATE["kpis"][0], **given}]}


@dataclass(frozen=True)
class Door:
    """One API: what it takes, and what of its own it does not."""

    url: str
    body: Any
    wrong: list[Any]
    too_much: Any
    method: str = "POST"


DOORS = {
    "lessons": Door(
        "/api/xapi/statements",
        LESSON,
        [
            {name: value for name, value in LESSON.items() if name != "actor"},
            {**LESSON, "actor": {"objectType": "Group", **LESSON["actor"]}},
            {**LESSON, "actor": {"account": {"homePage": "http://testserver", "name": "ada\0"}}},
            {**LESSON, "verb": {"id": "https://x.example/passed"}},
            {**LESSON, "verb": {"id": "http://adlnet.gov/expapi/verbs/answered"}},
            activity(),
            activity(name={"en": "x"}, description={"en": WORD * 500}),
            result(score={"scaled": 7}),
            {**LESSON, "id": "first"},
            {**LESSON, "timestamp": "0001-01-01T00:00:00+14:00"},
            {**LESSON, "context": {"extensions": json.loads("[" * 50 + "]" * 50)}},
            [LESSON, LESSON],
        ],
        [{**LESSON, "id": None}] * 101,
    ),
    "transcripts": Door(
        "/api/transcripts/",
        SESSION,
        [
            *({**SESSION, "turns": value} for value in ([], "I said", ["I said"])),
            *(turns(text=value) for value in ("", " \n ", 7, "y" * 4001)),
            *(turns(speaker=value) for value in ("system", None)),
            {**SESSION, "trust": "teacher"},
            *({**SESSION, "title": value} for value in (" ", "y" * 201)),
            *({**SESSION, "student": value} for value in (1, "ada\nelsa", "a" * 65)),
            *({**SESSION, "started_at": value} for value in ("1969-12-31T23:59:59Z", "2026-03-02T14:05:00", 1772456700)),
            {**SESSION, "ended_at": "2026-03-02T14:04:59+01:00"},
            *(turns(at=value) for value in ("2026-03-02T14:04:00+01:00", "2026-03-02T15:00:00+01:00")),
            {**SESSION, "turns": [{**SESSION["turns"][0], "at": f"2026-03-02T14:{minute}:00+01:00"} for minute in (20, 10)]},
        ],
        {**SESSION, "turns": SESSION["turns"] * 1001},
    ),
    "measures": Door(
        "/api/measures/",
        MEASURES,
        [
            [],
            {**MEASURES, "id": "x"},
            {"days": MEASURES["days"]},
            {**MEASURES, WORD: 1},
            *({**MEASURES, "days": days} for days in ([], [{"day": MEASURES["days"][0]["day"]}], MEASURES["days"] * 2)),
            *(day(steps=value) for value in ("1", True, 1.5)),
            *(day(**{name: value}) for name, value in (("weight", 60), ("sleep_hours", 25), ("resting_pulse", 3), (WORD, 7))),
            *(day(day=value) for value in ("2001-01-01", "9999-12-31", "1234567890", 1, "2026-02-30")),
        ],
        {**MEASURES, "days": MEASURES["days"] * (MOST_DAYS + 1)},
    ),
    "state": Door(
        "/api/company/state/",
        STATE,
        [
            {WORD: 1},
            {"kpis": 5},
            *(figure(**given) for given in ({"key": WORD.upper()}, {"value": WORD}, {"as_of": "2100-01-01"}, {WORD: 1})),
            {"kpis": STATE["kpis"] * 2},
            {"deadlines": [{"key": "a", "due_on": "2026-03-02", "done": "yes"}]},
        ],
        " " * 200_001,
        method="PUT",
    ),
}  # fmt: skip
#: What none of them reads, whatever it is about.
NO_JSON = (
    b" ",
    b"{",
    b"\xff\xfe{",
    b"[" * 5000,
    b'{"id": "1", "id": "2"}',
    b'{"turns": NaN}',
    b'{"title": "\\ud800"}',
)


@pytest.fixture(params=DOORS)
def door(request) -> Door:
    return DOORS[request.param]


@pytest.fixture
def reporter(place, door) -> Reporter:
    if door.url == DOORS["measures"].url:
        owner = place.ada
    else:
        owner = make_business_user().company if door.method == "PUT" else place.school
    return Reporter(owner, door.url, **{"X-Experience-API-Version": "1.0.3"})


def taken_in() -> int:
    return SealedBox.objects.using("metadata").count() + Kpi.objects.using("metadata").count()


def test_only_a_system_with_its_secret_is_heard(place, door, reporter):
    """Wrong, empty, foreign, renewed and revoked secrets, and people's own log-ins, are all turned away alike."""
    other, old = Reporter(place.far.school, door.url), reporter.secret
    reporter.renew()
    wrong = [
        {"secret": old}, {"secret": ""}, {"secret": "å"}, {"secret": other.secret}, {"name": "ada"}, {"name": new_id()}, {"name": "\x00"},
        {"name": other.system.pk}, {"Authorization": ""}, {"Authorization": "Basic ???"}, {"Authorization": "Bearer x"},
        {"Authorization": "Basic " + b64encode(b"\xff:\xff").decode()},
    ]  # fmt: skip
    answers = [reporter.send(door.body, method=door.method, **headers) for headers in wrong]
    for client in (Client(), place.browser("tove")):
        raw = json.dumps(door.body)
        answers.append(client.generic(door.method, door.url, raw, content_type="application/json"))
    assert {(answer.status_code, answer.content) for answer in answers} == {(401, answers[0].content)}
    assert answers[0]["WWW-Authenticate"].startswith("Basic") and taken_in() == 0
    assert reporter.send(door.body, method=door.method).status_code == 200
    reporter.shut_out()
    assert reporter.send(door.body, method=door.method).status_code == 401


def test_what_is_not_understood_is_refused_whole(door, reporter, caplog):
    """400 with a code and a sentence that says what to do and repeats nothing; nothing is taken in and nothing logged."""
    caplog.set_level(logging.DEBUG)
    for body in (*NO_JSON, *door.wrong):
        answer = reporter.send(body, method=door.method)
        assert answer.status_code == 400 and set(answer.json()) == {"error", "message"}, (
            body,
            answer.content,
        )
        assert len(answer.json()["message"]) > 10 and WORD not in answer.text.lower()
    assert taken_in() == 0
    assert reporter.send(door.body, method=door.method).status_code == 200 and taken_in() == 1
    assert WORD not in caplog.text and "987654321" not in caplog.text and reporter.secret not in caplog.text


def test_too_much_or_another_kind_is_refused(door, reporter):
    """Too many things, too many bytes, and more bytes than the site reads: 413, and the bounds are said. Other content types are told
    what to send; there is no way to remove anything, and none to read what was sealed."""
    for body in (door.too_much, " " * 1_000_001, " " * 8_000_000):
        answer = reporter.send(body, method=door.method)
        assert answer.status_code == 413 and "at most" in answer.json()["message"]
    for kind in ("text/plain", "multipart/mixed; boundary=x", "application/x-www-form-urlencoded"):
        assert reporter.send(door.body, method=door.method, content_type=kind).status_code == 415
    assert taken_in() == 0
    in_utf8 = "application/json; charset=utf-8"
    assert reporter.send(door.body, method=door.method, content_type=in_utf8).status_code == 200
    for method in {"GET", "HEAD", "PATCH", "DELETE"} - ({"GET"} if door.method == "PUT" else set()):
        assert reporter.send(door.body, method=method).status_code == 405


of_students = pytest.mark.parametrize("door", ["lessons", "transcripts"], indirect=True)


@of_students
@pytest.mark.spec("G11")
def test_an_id_is_of_one_thing(place, door, reporter):
    """The same again changes nothing; other words, or another student, are 409: before the box was opened and after. Nor do boxes, jobs
    or the record hold a word of it."""
    sent = json.dumps(door.body)
    first = reporter.send(sent)
    assert first.status_code == 200
    for _ in range(2):
        assert reporter.send(sent).content == first.content
        for changed in (sent.replace(WORD, "otter"), sent.replace('"ada"', '"elsa"')):
            assert reporter.send(changed).status_code == 409
        kept = b"".join(bytes(box.sealed_text or b"") for box in boxes(place.ada))
        kept += str([(event.action, event.data) for event in AuditEvent.objects.all()]).encode()
        kept += str([job.task for job in OrmQ.objects.all()]).encode()
        assert kept and WORD.encode() not in kept
        take_in(place.ada)
    (box,) = boxes(place.ada)
    assert box.opened_at is not None and boxes(place.elsa) == []


@of_students
@pytest.mark.usefixtures("strangers")
def test_why_a_student_is_refused_stays_untold(door, reporter):
    """A name nobody has, a teacher's, one of another school or of none, an account of another site: the same answer."""
    sent = json.dumps(door.body)
    wrong = [sent.replace('"ada"', f'"{name}"') for name in ("nobody", "tove", "filip", "eva", "bo", "root")]
    if door is DOORS["lessons"]:
        wrong.append(sent.replace("http://testserver", "https://elsewhere.example"))
    answers = [reporter.send(body) for body in wrong]
    assert {(answer.status_code, answer.content) for answer in answers} == {(400, answers[0].content)}
    assert taken_in() == 0


@of_students
def test_the_documented_examples_work(place, door, reporter):
    """What docs/api.md shows can be sent as it stands, with the names of one's own site."""
    title = "Lessons" if door is DOORS["lessons"] else "Transcripts"
    text = (PROJECT / "docs" / "api.md").read_text().split(f"### {title}\n")[1].split("\n### ")[0]
    examples = [part.split("```")[0] for part in text.split("```json\n")[1:]]
    for example in examples:
        sent = example.replace("https://companion.example", "http://testserver")
        assert reporter.send(sent).status_code == 200, example
    assert examples and len(boxes(place.ada)) == len(examples)
