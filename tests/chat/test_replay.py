"""Living a recorded conversation: once, whole, and with its own dates."""

import json
from datetime import datetime, timedelta
from io import StringIO
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command

from chat.access import ChatAccess, chat_access
from chat.demo import replay as replaying
from chat.models import Conversation, Message
from companion_site.accounts.demo import PASSWORD
from companion_site.accounts.models import Person
from companion_site.accounts.services import find_person, unlock_at_log_in
from companion_site.vault.models import Space
from memory.models import MemoryNode, MemorySource, SleepRun
from tests.cases import cases
from tests.chat.talking import rows
from tests.factories import NOW, make_student

DATA = Path(__file__).parents[1] / "data"
ENGLISH, SWEDISH = DATA / "conversation-en.json", DATA / "conversation-sv.json"

FIRST_ENDED = datetime.fromisoformat("2026-01-12T16:01:30+00:00")

pytestmark = pytest.mark.django_db


def replay(file: Path, **options) -> str:
    """Run the command; return what it says."""
    told = StringIO()
    call_command("replay", str(file), stdout=told, **options)
    return told.getvalue()


def log_in(username: str) -> ChatAccess:
    person = find_person(username)
    assert person is not None
    return chat_access(person, unlock_at_log_in(person, password=PASSWORD, now=NOW))


def read(access: ChatAccess, model, *fields: str) -> list[tuple]:
    """Return fields of all rows of a space, in order of their ids."""
    with access.open():
        return [tuple(getattr(row, name) for name in fields) for row in rows(access, model)]


def everything(access: ChatAccess) -> list[list[tuple]]:
    return [
        read(access, Conversation, "pk", "title", "updated_at"),
        read(access, Message, "pk", "position", "text", "speaker", "formed_at"),
        read(access, MemoryNode, "pk", "content"),
        read(access, MemorySource, "pk", "source_id"),
    ]


@pytest.mark.spec("G4")
def test_a_conversation_is_lived_with_its_own_dates():
    """Sessions become conversations, turns messages; who spoke and when is kept; both count as persons, and what is too slight leaves no memory."""
    assert "6 turns lived as ines-small-en" in replay(ENGLISH)
    access = log_in("ines-small-en")
    assert (access.person.display_name, access.person.role) == ("Ines", Person.Role.STUDENT)
    conversations = read(access, Conversation, "created_at")
    assert [at.isoformat()[:16] for (at,) in conversations] == ["2026-01-12T16:00", "2026-01-20T17:30"]
    messages = read(access, Message, "position", "speaker", "said_at", "role")
    assert [position for position, *_ in messages] == [1, 2, 3, 4, 1, 2]
    assert [speaker for _, speaker, *_ in messages] == [None, "Tom", None, "Tom", "Tom", None]
    assert messages[1][2] == datetime.fromisoformat("2026-01-12T16:00:30+00:00")
    assert {role for *_, role in messages} == {Message.Role.PERSON}
    remembered = " ".join(text for (text,) in read(access, MemoryNode, "content"))
    assert "Pixel" in remembered and "canoe" in remembered
    ok = next(pk for pk, text in read(access, Message, "pk", "text") if text == "Ok!")
    assert ok not in {source for (source,) in read(access, MemorySource, "source_id")}
    assert all(formed for (formed,) in read(access, Message, "formed_at"))


def test_what_the_assistant_said_forms_nothing():
    """The companion's side is stored as such, in Swedish too; living the file twice adds nothing."""
    replay(SWEDISH)
    access = log_in("user-small-sv")
    roles = [role for (role,) in read(access, Message, "role")]
    assert roles == [Message.Role.PERSON, Message.Role.COMPANION, Message.Role.PERSON, Message.Role.PERSON]
    remembered = " ".join(text for (text,) in read(access, MemoryNode, "content"))
    assert access.person.language == "sv" and "innebandy" in remembered and "Ingeborg" not in remembered
    before = everything(access)
    assert "nothing to add" in replay(SWEDISH) and everything(access) == before


@pytest.mark.slow
@pytest.mark.spec("I2", "AC-2.1.5")
def test_the_memory_sleeps_four_hours_after_a_session(tmp_path):
    """At its own time, once; after the last session it is planned and left to life. With less time between them there is none, nor where it is left out."""
    assert "slept over in 1 batches" in replay(ENGLISH)
    access = log_in("ines-small-en")
    (run,) = read(access, SleepRun, "state", "requested_at", "processed")
    assert run[:2] == ("success", FIRST_ENDED + timedelta(hours=4)) and run[2] > 0
    assert Space.objects.get(pk=access.space).next_sleep_at > run[1] + timedelta(days=5)
    assert "nothing to add" in replay(ENGLISH) and len(read(access, SleepRun, "pk")) == 1
    data = json.loads(ENGLISH.read_text())
    data["sessions"][1]["at"] = "2026-01-12T20:01:00+00:00"
    replay(broken(tmp_path, json.dumps(data).encode()), username="close")
    assert "slept" not in replay(ENGLISH, awake=True, username="awake")
    assert read(log_in("close"), SleepRun, "pk") == read(log_in("awake"), SleepRun, "pk") == []


@pytest.mark.slow
def test_a_replay_killed_in_the_middle_goes_on_without_doubles(monkeypatch):
    """The same command completes what one run would have made."""
    replay(ENGLISH, username="whole")
    formed, count = replaying.form_from_message, iter(range(100))

    def form_until_killed(*args, **kwargs):
        if next(count) == 2:
            raise SystemExit
        return formed(*args, **kwargs)

    monkeypatch.setattr(replaying, "form_from_message", form_until_killed)
    with pytest.raises(SystemExit):
        replay(ENGLISH, username="killed")
    replay(ENGLISH, username="killed")
    whole, killed = log_in("whole"), log_in("killed")
    for model, fields in (
        (Conversation, ("title", "updated_at")),
        (Message, ("position", "text", "speaker", "said_at", "formed_at")),
        (MemoryNode, ("content", "salience", "modality")),
    ):
        assert read(killed, model, *fields) == read(whole, model, *fields)


def test_a_file_that_has_grown_adds_what_is_new(tmp_path):
    """Turns that came later are stored where they belong; the others stay as they are."""
    data = json.loads(ENGLISH.read_text())
    late = data["sessions"][1]["turns"].pop(1)
    short = tmp_path / "short.json"
    short.write_text(json.dumps(data))
    replay(short)
    before = read(log_in("ines-small-en"), Message, "pk")
    data["sessions"][1]["turns"].append(late)
    short.write_text(json.dumps(data))
    assert "(5 were there before)" in replay(short)
    after = read(log_in("ines-small-en"), Message, "pk", "position")
    assert [(pk,) for pk, _ in after[:5]] == before
    assert len(read(log_in("ines-small-en"), Conversation, "pk")) == 2
    assert after[5][1] == 2


def test_other_words_under_the_same_name_are_refused(tmp_path):
    """A file that only shares its name and ids with one lived before does not mix with it."""
    replay(ENGLISH)
    before = everything(log_in("ines-small-en"))
    data = json.loads(ENGLISH.read_text())
    data["sessions"][0]["turns"][0]["text"] = "Something else altogether."
    other = tmp_path / "other.json"
    other.write_text(json.dumps(data))
    with pytest.raises(CommandError, match="other words"):
        replay(other)
    assert everything(log_in("ines-small-en")) == before


def broken(tmp_path: Path, content: bytes) -> Path:
    path = tmp_path / "odd.json"
    path.write_bytes(content)
    return path


@cases("content", [b"", b"[]", b"[" * 100_000, b'{"sessions": []}', ("long", "y" * 40_000)])
def test_a_file_that_is_no_conversation_is_one_clear_line(tmp_path, content, monkeypatch):
    """Whatever it is, also missing, a folder or too large to be one, the command says what is wrong with it, without a traceback (see tests/bench/test_conversations.py)."""
    if isinstance(content, tuple):
        turn = {"id": "a", "speaker": "x", "text": content[1]}
        content = json.dumps({"sessions": [{"id": "s", "at": "2024-01-01", "turns": [turn]}]}).encode()
    for path in (broken(tmp_path, content), tmp_path / "nowhere.json", tmp_path):
        with pytest.raises(CommandError) as refused:
            replay(path)
        assert str(refused.value) and "\n" not in str(refused.value)
    monkeypatch.setattr("chat.demo.recordings.MAX_BYTES", 10)
    with pytest.raises(CommandError, match="larger than"):
        replay(ENGLISH)


def test_halves_of_characters_and_odd_names_do_no_harm(tmp_path):
    """What JSON can write and a database cannot take is dropped."""
    turns = [
        {
            "id": "a\x00",
            "speaker": "\ud800",
            "text": "I adopted a grey kitten called Pixel\ud800 from the shelter\x00.",
        }
    ]
    data = {
        "name": "\x00/..",
        "people": ["\ud83d"],
        "sessions": [{"id": "s", "at": "2024-01-01", "turns": turns}],
    }
    assert "1 turns lived as replayed" in replay(broken(tmp_path, json.dumps(data).encode()))


def test_only_demo_students_can_be_lived_as():
    """Neither somebody with another password nor a teacher."""
    make_student("ines")
    make_student("tove", role=Person.Role.TEACHER, password=PASSWORD)
    for username, told in (("ines", "another password"), ("tove", "no student")):
        with pytest.raises(CommandError, match=told):
            replay(ENGLISH, username=username)
