"""Lessons reported over the API are sealed to their students; whatever is wrong is refused whole, and nothing is told."""

import json

import pytest

from companion_site.ids import new_id
from companion_site.vault.models import InboxKey
from companion_site.vault.scope import space_scope
from memory.inbound.contents import TEXT_LENGTH
from memory.inbound.xapi import parse_statements
from memory.models import MemorySource
from tests.cases import cases
from tests.factories import NOW
from tests.teaching.conftest import Reporter, boxes, remembered, take_in

pytestmark = pytest.mark.spec("G4")

URL = "/api/xapi/statements"
VERSION = {"X-Experience-API-Version": "1.0.3"}


@pytest.fixture
def moodle(place):
    return Reporter(place.school, URL, **VERSION)


def statement(username="ada", verb="completed", **given):
    return {
        "actor": {"account": {"homePage": "http://testserver", "name": username}},
        "verb": {"id": f"http://adlnet.gov/expapi/verbs/{verb}"},
        "object": {
            "id": "https://school.example/lessons/photosynthesis",
            "definition": {
                "name": {"en": "Photosynthesis", "sv-SE": "Fotosyntes"},
                "description": {
                    "en": "Plants make zebrafinches from light and water.",
                    "sv-SE": "Växter gör sebrafinkar av ljus och vatten.",
                },
            },
        },
        "result": {"score": {"scaled": 0.85}, "success": True},
        **given,
    }


def count(student):
    return len(boxes(student))


def learned(student):
    """Open what was sent and return the words of all memories."""
    take_in(student)
    return " ".join(remembered(student))


def test_a_lesson_is_sealed_and_remembered(place, moodle):
    """One statement in, its id out; the student's memory learns what was taught and how it went."""
    answer = moodle.send(statement())
    assert answer.status_code == 200 and answer["X-Experience-API-Version"] == "1.0.3"
    (given,) = answer.json()
    (box,) = boxes(place.ada)
    assert (str(box.statement_id), box.kind, box.sender_id) == (given, "lesson", None)
    said = learned(place.ada)
    assert "zebrafinches from light" in said and "Passed with 85 %" in said


def test_a_list_reaches_each_student(place, moodle):
    """Many statements at once; the ids come back in the order given. Of a title in several languages the memory keeps the one its owner
    reads."""
    ids = [str(new_id()) for _ in range(3)]
    sent = [statement(name, id=key) for name, key in zip(("elsa", "ada", "olle"), ids, strict=True)]
    assert moodle.send(sent).json() == ids
    assert [count(student) for student in (place.ada, place.elsa, place.olle)] == [1, 1, 1]
    assert "sebrafinkar" in learned(place.elsa)


def test_a_prompt_run_is_remembered(place, moodle):
    """What a lesson asked, with what the student made of it."""
    result = {"response": "It is the slope of the tangent line"}
    definition = {"name": {"en": "Derivatives"}, "description": {"en": "What is a derivative?"}}
    sent = statement(
        verb="answered", result=result, object={"id": "https://x.example/1", "definition": definition}
    )
    assert moodle.send(sent).status_code == 200
    assert "slope of the tangent line" in learned(place.ada)
    assert {row.trust for row in remembered(place.ada).values()} == {"system"}
    with space_scope(place.ada.space_id):
        rows = MemorySource.objects.for_space(place.ada.space_id)
        assert set(rows.values_list("kind", flat=True)) == {"prompt_run"}


@cases(
    ("verb", "result", "said"),
    [
        ("passed", {"score": {"raw": 17, "max": 20}}, "Passed with 85 %"),
        ("failed", {"score": {"scaled": 0.2}}, "Did not pass with 20 %"),
        ("attempted", {}, "Tried it"),
        ("completed", {}, "Completed it"),
        ("completed", {"success": False}, "Did not pass"),
        ("passed", {"score": {"raw": 1e9, "max": 1e-300}}, "Passed"),
    ],
)
def test_the_result_is_said_in_words(verb, result, said):
    """Verb and score become a sentence that can stand by itself; a score that means nothing is left out."""
    (report,) = parse_statements(json.dumps(statement(verb=verb, result=result)).encode())
    told = report.said.read("en", now=NOW).to_words()
    assert told.endswith(f"How the lesson about Photosynthesis went: {said}.")


def test_the_longest_answer_to_a_lesson_fits():
    """What a student wrote may be as long as any text; with how it went before it, its last words give way."""
    (report,) = parse_statements(json.dumps(statement(result={"response": "y" * TEXT_LENGTH})).encode())
    lesson = report.said.read("en", now=NOW)
    assert lesson.result.startswith("Completed it. y") and len(lesson.result) == TEXT_LENGTH


def test_the_same_statement_again_is_taken_in_once(place, moodle):
    """A system that is unsure sends again: by POST or PUT, the answer is the same and nothing is doubled."""
    key = str(new_id())
    sent = statement(id=key)
    assert [moodle.send(sent).json() for _ in range(2)] == [[key], [key]]
    put = moodle.send(statement(), method="PUT", query=f"?statementId={key}")
    assert put.status_code == 204 and put.content == b""
    take_in(place.ada)
    assert moodle.send({**sent, "stored": "2026-03-02T14:05:00Z"}).json() == [key]
    assert count(place.ada) == 1


def test_a_list_is_taken_in_whole_or_not_at_all(place, moodle):
    """One statement that cannot be taken in keeps the others out too, so that the list can be sent again."""
    used = str(new_id())
    moodle.send(statement(id=used))
    for last in (
        statement("nobody"),
        statement("filip"),
        statement(verb="dreamt"),
        statement(verb="failed", id=used),
    ):
        assert moodle.send([statement("ada"), statement("elsa"), last]).status_code in (400, 409)
    with space_scope(place.olle.space_id):
        InboxKey.objects.for_space(place.olle.space_id).delete()
    assert moodle.send([statement("ada"), statement("olle")]).status_code == 400
    assert (count(place.ada), count(place.elsa)) == (1, 0)


def test_only_this_version_is_read_and_a_put_names_its_statement(place, moodle):
    """Other versions are told what to send; which it is can be asked. By PUT the id stands in the address; a body that says another, or
    holds a list, is refused."""
    assert moodle.client.get("/api/xapi/about").json() == {"version": ["1.0.3"]}
    for version in ("", "0.9", "2.0.0"):
        assert moodle.send(statement(), **{"X-Experience-API-Version": version}).status_code == 400
    key = str(new_id())
    named = f"?statementId={key}"
    for body, query in (
        (statement(), ""),
        (statement(), "?statementId=x"),
        (statement(id=str(new_id())), named),
        ([statement()], named),
    ):
        assert moodle.send(body, method="PUT", query=query).status_code == 400, query
    assert moodle.send(statement(id=key), method="PUT", query=named).status_code == 204
    assert count(place.ada) == 1
    assert moodle.send(statement(), **{"X-Experience-API-Version": "1.0"}).status_code == 200
