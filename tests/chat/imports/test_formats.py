"""Reading conversations of exports, without a database: whatever stands where, it is a conversation or none."""

from datetime import UTC, datetime

import pytest

from bench.exports import chatgpt, claude, open_webui
from chat.imports.formats import Talk, read_talk

pytestmark = pytest.mark.spec("C2")

NOW = datetime(2026, 3, 2, tzinfo=UTC)
FORMATS = [chatgpt, claude, open_webui]
ODD = (
    None,
    True,
    -1,
    10**400,
    1e300,
    float("nan"),
    "",
    "a\0b\ud800\u202e",
    [],
    {},
    [None, 1, {"text": 2}],
    {"a": {"parent": "a"}},
)


def places(value, way=()):
    """Yield the way to each value inside another."""
    entries = (
        value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    )
    for key, inner in list(entries):
        yield (*way, key)
        yield from places(inner, (*way, key))


@pytest.mark.parametrize("form", FORMATS)
def test_any_odd_part_is_passed_over(form):
    """Of whatever kind and wherever it stands; what is read can be kept and read again."""
    turns = "I live in Lund.", "My exam is in May."
    for *way, last in places(form(1, turns)):
        for odd in ODD:
            entry = form(1, turns)
            inner = entry
            for key in way:
                inner = inner[key]
            inner[last] = odd
            talk = read_talk(entry, now=NOW)
            if talk is not None:
                again = Talk.model_validate_json(talk.model_dump_json())
                assert (again.origin, again.lines) == (talk.origin, talk.lines)


@pytest.mark.parametrize("form", FORMATS)
def test_ids_are_the_same_each_time_and_others_for_another(form):
    """What is known again is known by source and id; without an id, by how it begins."""
    one, again, other = (read_talk(form(number, ("Hello there",)), now=NOW) for number in (1, 1, 2))
    assert one == again and one.origin != other.origin
    assert {line.id for line in one.lines}.isdisjoint(line.id for line in other.lines)
    nameless = [form(1, ("Hello there",), id=None, conversation_id=None, uuid=None) for _ in "ab"]
    assert read_talk(nameless[0], now=NOW) == read_talk(nameless[1], now=NOW)
