"""Reading conversations to measure with."""

import json
from datetime import UTC, datetime

import pytest

from chat.demo.recordings import BadConversation, load_conversation, load_conversations, parse_conversation
from tests.cases import cases


def make_file(**overrides):
    """A small, complete conversation as decoded JSON."""
    turns = [
        {"id": "D1:1", "speaker": "Anna", "text": "Hej"},
        {"id": "D1:2", "speaker": "Lars", "text": "Hej hej"},
    ]
    return {
        "name": "small",
        "source": "our own",
        "language": "sv",
        "people": ["Anna", "Lars"],
        "sessions": [{"id": "D1", "at": "2023-05-08T13:56:00", "turns": turns}],
        "questions": [{"id": "q1", "text": "Vem?", "category": "single-hop", "evidence": ["D1:2"]}],
        **overrides,
    }


def test_a_file_is_read_whole(tmp_path):
    """Everything in it arrives, times in UTC unless they say otherwise."""
    path = tmp_path / "small.json"
    path.write_text(json.dumps(make_file()), encoding="utf-8")
    conversation = load_conversation(path)
    assert (conversation.name, conversation.language, conversation.people) == (
        "small",
        "sv",
        ("Anna", "Lars"),
    )
    assert conversation.sessions[0].at == datetime(2023, 5, 8, 13, 56, tzinfo=UTC)
    assert conversation.now == datetime(2023, 5, 9, 13, 56, tzinfo=UTC)
    assert [(turn.speaker, turn.position) for _, turn in conversation.turns()] == [("Anna", 0), ("Lars", 1)]
    assert conversation.questions[0].evidence == ("D1:2",)
    assert conversation.session_of() == {"D1:1": "D1", "D1:2": "D1"}


def test_folders_and_files_can_be_mixed(tmp_path):
    """A folder stands for its JSON files, in order of name."""
    for name in ("b", "a"):
        (tmp_path / f"{name}.json").write_text(json.dumps(make_file(name=name)), encoding="utf-8")
    assert [conversation.name for conversation in load_conversations([tmp_path])] == ["a", "b"]
    assert len(load_conversations([tmp_path / "a.json"])) == 1
    with pytest.raises(BadConversation, match="no conversation"):
        load_conversations([tmp_path / "nowhere"][:0])


def test_any_speaker_category_language_and_length_is_taken():
    """Roles, long texts and new categories are no errors."""
    turns = [
        {"id": "t1", "speaker": "user", "text": "x" * 9_000},
        {"id": "t2", "speaker": "assistant", "text": ""},
    ]
    conversation = parse_conversation(
        make_file(
            language="de",
            sessions=[{"id": "s", "at": "2024-01-01T00:00:00+02:00", "turns": turns}],
            questions=[{"id": 3, "text": "Was?", "category": "knowledge-update", "evidence": "t1"}],
        )
    )
    assert conversation.questions[0].category == "knowledge-update"
    assert conversation.questions[0].evidence == ("t1",)
    assert conversation.sessions[0].at.utcoffset().total_seconds() == 7_200


def test_evidence_is_split_and_checked(subtests):
    """Several ids in one string are several ids; those not in the file are told apart."""
    for evidence, found, missing in [
        (["D1:1 D1:2"], ("D1:1", "D1:2"), ()),
        (["D1:1; D1:2", "D1:1"], ("D1:1", "D1:2"), ()),
        ("D1:1,D9:9", ("D1:1",), ("D9:9",)),
        ([], (), ()),
        (None, (), ()),
    ]:
        with subtests.test(evidence=evidence, found=found):
            entry = {"id": "q", "text": "Vem?", "category": "c", "evidence": evidence}
            question = parse_conversation(make_file(questions=[entry])).questions[0]
            assert (question.evidence, question.missing) == (found, missing)


def test_sessions_are_put_in_order_of_time():
    """Positions count over the whole conversation as it was lived."""
    sessions = [
        {"id": "late", "at": "2024-01-01", "turns": [{"id": "b", "speaker": "x", "text": "two"}]},
        {"id": "early", "at": "2023-01-01", "turns": [{"id": "a", "speaker": "x", "text": "one"}]},
    ]
    conversation = parse_conversation(make_file(sessions=sessions, questions=[]))
    assert [(turn.id, turn.position) for _, turn in conversation.turns()] == [("a", 0), ("b", 1)]


def test_people_default_to_those_who_speak():
    """A file need not say who takes part."""
    data = make_file()
    del data["people"]
    assert parse_conversation(data).people == ("Anna", "Lars")


def test_a_damaged_file_says_where(subtests):
    """The message names the place, not just the fact."""
    for change, message in [
        ({"sessions": []}, "no sessions"),
        ({"sessions": None}, "sessions is not a list"),
        ({"sessions": [{"id": "s", "at": "yesterday", "turns": []}]}, r"sessions\[0\]\.at"),
        ({"sessions": [{"id": "s", "at": "2023-01-01", "turns": [{"id": "t"}]}]}, r"turns\[0\]\.speaker"),
        ({"questions": [{"id": "q"}]}, r"questions\[0\]\.text"),
    ]:
        with subtests.test(change=change, message=message), pytest.raises(BadConversation, match=message):
            parse_conversation(make_file(**change))


def test_an_id_there_twice_is_refused():
    """Evidence could not be told apart."""
    data = make_file()
    data["sessions"][0]["turns"][1]["id"] = "D1:1"
    with pytest.raises(BadConversation, match="twice"):
        parse_conversation(data)


@cases("content", [b"{", b"[]", b"\xff\xfe"])
def test_what_is_no_conversation_is_told_with_its_name(tmp_path, content):
    """Not JSON, not an object, not UTF-8."""
    path = tmp_path / "odd.json"
    path.write_bytes(content)
    with pytest.raises(BadConversation, match=r"odd\.json"):
        load_conversation(path)
