"""Reading conversations to measure with."""

import json
from datetime import UTC, datetime

import pytest

from bench.recordings import load_conversations
from chat.demo.recordings import BadConversation, load_conversation, parse_conversation
from tests.cases import cases


def make_file(**overrides):
    """A small, complete conversation as decoded JSON."""
    turns = [
        {"id": "D1:1", "speaker": "Anna", "text": "Hej"},
        {"id": "D1:2", "speaker": "Lars", "text": "x" * 9_000},
    ]
    later = [{"id": "D2:1", "speaker": "user", "text": ""}]
    return {
        "name": "small",
        "source": "our own",
        "language": "de",
        "sessions": [
            {"id": "D2", "at": "2024-01-01T00:00:00+02:00", "turns": later},
            {"id": "D1", "at": "2023-05-08T13:56:00", "turns": turns},
        ],
        "questions": [{"id": 3, "text": "Vem?", "category": "knowledge-update", "evidence": ["D1:2"]}],
        **overrides,
    }


def test_files_and_folders_are_read_whole(tmp_path):
    """Sessions come in order of time, UTC unless they say otherwise; who takes part is who speaks. A folder is its files, by name."""
    for name in ("b", "a"):
        (tmp_path / f"{name}.json").write_text(json.dumps(make_file(name=name)), encoding="utf-8")
    assert [conversation.name for conversation in load_conversations([tmp_path])] == ["a", "b"]
    found = load_conversation(tmp_path / "a.json")
    assert (found.language, found.people) == ("de", ("Anna", "Lars", "user"))
    assert found.sessions[0].at == datetime(2023, 5, 8, 13, 56, tzinfo=UTC)
    assert found.now == datetime(2024, 1, 1, 22, tzinfo=UTC)
    assert [(turn.speaker, turn.position) for _, turn in found.turns()] == [
        ("Anna", 0),
        ("Lars", 1),
        ("user", 2),
    ]
    assert (found.questions[0].category, found.questions[0].evidence) == ("knowledge-update", ("D1:2",))
    with pytest.raises(BadConversation, match="no conversation"):
        load_conversations([])


@cases(
    ("evidence", "found", "missing"),
    [
        (["D1:1; D1:2", "D1:1"], ("D1:1", "D1:2"), ()),
        ("D1:1,D9:9", ("D1:1",), ("D9:9",)),
        (None, (), ()),
    ],
)
def test_evidence_is_split_and_checked(evidence, found, missing):
    """Several ids in one string are several ids; those not in the file are told apart."""
    entry = {"id": "q", "text": "Vem?", "category": "c", "evidence": evidence}
    question = parse_conversation(make_file(questions=[entry])).questions[0]
    assert (question.evidence, question.missing) == (found, missing)


TWICE = [{"id": "t", "speaker": "x", "text": "one"}] * 2


@cases(
    ("content", "message"),
    [
        ("{", r"odd\.json"),
        ("[]", r"odd\.json"),
        ("\ufffe", r"odd\.json"),
        ({"sessions": []}, "no sessions"),
        ({"sessions": [{"id": "s", "at": "yesterday", "turns": []}]}, r"sessions\[0\]\.at"),
        ({"sessions": [{"id": "s", "at": "2023-01-01", "turns": [{"id": "t"}]}]}, r"turns\[0\]\.speaker"),
        ({"sessions": [{"id": "s", "at": "2023-01-01", "turns": TWICE}]}, "twice"),
        ({"questions": [{"id": "q"}]}, r"questions\[0\]\.text"),
    ],
)
def test_a_damaged_file_says_where(tmp_path, content, message):
    """The file's name, or the place in it, not just the fact."""
    path = tmp_path / "odd.json"
    text = content if isinstance(content, str) else json.dumps(make_file(**content))
    path.write_bytes(text.encode("utf-16-le" if text == "\ufffe" else "utf-8"))
    with pytest.raises(BadConversation, match=message):
        load_conversation(path)
