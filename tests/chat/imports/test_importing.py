"""Exports of other chats: what is read of them, that nothing comes in twice, and that all of it goes as one."""

import io
import json
import zipfile
from datetime import datetime, timedelta

import pytest
from django.utils import timezone

from bench.exports import BEGAN, chatgpt, claude, open_webui
from chat.conversations import deletion
from chat.conversations.deletion import remove_expired_texts
from chat.imports import uploads, work
from chat.memories.formation import find_awaiting
from chat.models import Conversation, Import, ImportPart, Message
from companion_site.errors import InvalidInput, NotFound
from companion_site.vault.scope import space_scope
from companion_site.vault.services import drop_lease, resume_work
from memory.models import MemorySource
from tests.chat.imports.importing import as_file, bring, preview, run_all, talks, upload
from tests.chat.talking import change_rows, held, rows
from tests.factories import make_access

pytestmark = pytest.mark.spec("C2")

TOLD = ("I live in Lund with my aunt Karin.", "My exam in organic chemistry is on 3 June.")
FORMATS = {"ChatGPT": chatgpt, "Claude": claude, "Open WebUI": open_webui}


@pytest.mark.parametrize("source", FORMATS)
def test_an_export_becomes_conversations_and_memories(ada, source):
    """Each side's shown words along the branch taken, in order; memories from the person's own, with the time they said it."""
    row = bring(ada, as_file(FORMATS[source](1, TOLD)))
    assert row.state == Import.State.KEPT and row.problem == ""
    told = preview(ada, row)
    assert told["sources"] == [source]
    assert [told[name] for name in ("conversations", "messages", "said", "known")] == [1, 4, 2, 0]
    assert datetime.fromisoformat(told["first"]) == BEGAN + timedelta(days=1)
    assert {one["text"] for one in told["examples"]} <= set(TOLD) and told["examples"]
    ((title, lines),) = talks(ada)
    assert title.startswith("About ")
    assert [who for who, _ in lines] == ["person", "companion"] * 2
    assert [text for who, text in lines if who == "person"] == list(TOLD)
    assert any("Lund" in memory for memory in held(ada)) and not any("Atlantis" in m for m in held(ada))
    assert {one.said_at.date() for one in rows(ada, MemorySource)} == {(BEGAN + timedelta(days=1)).date()}
    assert rows(ada, ImportPart) == []


def test_the_same_export_adds_nothing_and_a_later_one_what_was_said_since(ada):
    """Conversations and messages are known by their ids there, whichever file they come in."""
    bring(ada, as_file(chatgpt(1, TOLD[:1])))
    before, memories = talks(ada), held(ada)
    again = bring(ada, as_file(chatgpt(1, TOLD[:1])), as_file(chatgpt(1, TOLD[:1])))
    assert preview(ada, again)["known"] == 1 == preview(ada, again)["conversations"]
    assert talks(ada) == before and held(ada) == memories
    bring(ada, as_file(chatgpt(1, TOLD)))
    ((_title, lines),) = talks(ada)
    assert [text for who, text in lines if who == "person"] == list(TOLD)


def test_nothing_is_kept_before_its_person_says_yes(ada):
    """What waits is sealed, shown as a preview alone, and goes by one click or after a day."""
    row = upload(ada, as_file(chatgpt(1, TOLD)))
    assert row.state == Import.State.READY and talks(ada) == [] and held(ada) == []
    assert len(rows(ada, ImportPart)) == 1
    work.discard(ada, row.pk)
    assert rows(ada, Import) == rows(ada, ImportPart) == []
    upload(ada, as_file(chatgpt(1, TOLD)))
    now = timezone.now()
    assert work.remove_unkept(now=now + timedelta(hours=23)) == 0
    assert work.remove_unkept(now=now + timedelta(hours=25)) == 1 and rows(ada, ImportPart) == []


def test_all_of_it_is_removed_as_one_and_comes_back(ada):
    """Its conversations and what was remembered from them alone; what was said elsewhere too stays, and what it replaced itself stays replaced."""
    bring(ada, as_file(claude(5, ("My exam in organic chemistry is on 3 June.",))))
    own, rooms = held(ada), ("My room is number 12.", "My room is number 40.")
    row = bring(ada, as_file(chatgpt(1, TOLD), *(chatgpt(n, (room,)) for n, room in enumerate(rooms, 2))))
    assert rooms[1] in held(ada) and rooms[0] not in held(ada)
    everything, shown = held(ada), talks(ada)
    assert len(everything) > len(own)
    work.remove(ada, row.pk, now=timezone.now())
    assert len(talks(ada)) == 1
    run_all()
    assert uploads.own_import(ada, row.pk).state == Import.State.REMOVED
    assert held(ada) == own
    work.restore(ada, row.pk, now=timezone.now())
    run_all()
    assert held(ada) == everything and talks(ada) == shown
    work.remove(ada, row.pk, now=timezone.now())
    run_all()
    later = timezone.now() + timedelta(days=31)
    with pytest.raises(NotFound):
        work.restore(ada, row.pk, now=later)
    deletion.remove_deleted(now=later)
    work.remove_unkept(now=later)
    assert len(rows(ada, Import)) == 1 and len(rows(ada, Conversation)) == 1


def test_a_worker_that_is_killed_doubles_nothing(ada):
    """Reading that is cut short begins again; keeping goes on from there, conversation by conversation."""
    data = as_file(*(chatgpt(number, TOLD[:1]) for number in range(5)))
    row = upload(ada, data)
    change_rows(ada, Import, {"pk": row.pk}, state=Import.State.RECEIVING)
    uploads.take_piece(ada, row.pk, file=0, number=0, content=data)
    work.finish_upload(ada, row.pk, now=timezone.now())
    run_all()
    assert len(rows(ada, ImportPart)) == 5 == preview(ada, row)["conversations"]
    work.keep(ada, row.pk, now=timezone.now())
    for left in (4, 3):
        assert work.go_on(ada.space, row.pk, key=ada.key, now=timezone.now(), may_go_on=lambda: False)
        assert len(rows(ada, ImportPart)) == left and len(rows(ada, Conversation)) == 5 - left
    with space_scope(ada.space):
        assert work.awaits_work(ada.space)
    run_all()
    run_all()
    assert len(rows(ada, Conversation)) == 5 and len(rows(ada, Message)) == 10
    assert not find_awaiting(ada.space)


def test_work_that_lost_its_key_waits_for_the_next_log_in(ada, settings):
    """A worker without the key does nothing; where no worker may hold it, the page does the work before it answers."""
    row = upload(ada, as_file(chatgpt(1, TOLD)))
    work.keep(ada, row.pk, now=timezone.now())
    drop_lease(ada.space, now=timezone.now(), actor=None)
    run_all()
    assert talks(ada) == [] and uploads.own_import(ada, row.pk).state == Import.State.KEEPING
    resume_work(ada.key, now=timezone.now())
    run_all()
    assert uploads.own_import(ada, row.pk).state == Import.State.KEPT and held(ada)
    settings.LEASE_HOURS = 0
    row = upload(ada, as_file(chatgpt(2, TOLD)))
    assert row.state == Import.State.READY
    work.keep(ada, row.pk, now=timezone.now())
    assert uploads.own_import(ada, row.pk).state == Import.State.KEPT and len(talks(ada)) == 2
    assert find_awaiting(ada.space)


def test_who_is_remembered_nothing_of_gets_their_conversations_alone(ada):
    """With their memory off nothing forms, not even when it is switched on again."""
    ada.person.memory_on = False
    ada.person.save(update_fields=["memory_on"])
    bring(ada, as_file(chatgpt(1, TOLD)))
    ada.person.memory_on = True
    ada.person.save(update_fields=["memory_on"])
    assert len(talks(ada)) == 1 and not find_awaiting(ada.space) and held(ada) == []


def test_what_its_person_deleted_stays_deleted(ada):
    """Another import of the same export brings nothing into a conversation that is gone."""
    bring(ada, as_file(chatgpt(1, TOLD[:1])))
    (conversation,) = rows(ada, Conversation)
    deletion.delete(ada, conversation.pk, now=timezone.now())
    bring(ada, as_file(chatgpt(1, TOLD)))
    assert talks(ada) == [] and len(rows(ada, Message)) == 2


def test_times_that_are_missing_or_impossible(ada):
    """A message without a time has that of the one before it, a conversation without any that of the upload."""
    dated = chatgpt(1, TOLD)
    for number, node in enumerate(dated["mapping"].values()):
        if node["message"]:
            node["message"]["create_time"] = [None, 1e300, -5, "yesterday", True][number % 5]
    undated = chatgpt(2, TOLD, create_time=None)
    for node in undated["mapping"].values():
        if node["message"]:
            node["message"]["create_time"] = None
    row = bring(ada, as_file(dated, undated))
    assert {message.said_at for message in rows(ada, Message)} == {BEGAN + timedelta(days=1), row.created_at}


def test_words_that_no_database_takes_and_titles_of_every_kind(ada):
    """NUL and lone halves go; right-to-left, emoji and endless titles stay as far as a title reaches."""
    titles = [
        "\u05e9\u05dc\u05d5\u05dd \u202e abc",
        "\U0001f469\u200d\U0001f52c\U0001f1f8\U0001f1ea",
        "x" * 5000,
        7,
        None,
        "a\0b\ud800",
    ]
    entries = [
        chatgpt(n, ("I live in Lu\0nd\ud800 with Karin.",), title=title) for n, title in enumerate(titles)
    ]
    bring(ada, as_file(*entries))
    found = [title for title, _ in talks(ada)]
    assert found[1] == titles[1] and found[2] == "x" * 100 and "\u202e" not in found[0]
    assert found[3].startswith("I live in Lu") and found[5].startswith("ab")
    assert all("\0" not in text for _, lines in talks(ada) for _, text in lines)


def test_a_message_longer_than_one_may_be_is_kept_in_parts(ada, settings):
    """Nothing of it is lost, and the preview says so."""
    settings.MESSAGE_MAX_CHARS = 100
    text = " ".join(f"word{number}" for number in range(60))
    row = bring(ada, as_file(chatgpt(1, (text,))))
    ((_title, lines),) = talks(ada)
    parts = [part for who, part in lines if who == "person"]
    assert " ".join(parts) == text and max(map(len, parts)) <= 100 and len(parts) > 3
    assert preview(ada, row)["split"] == 2


def zipped(*members: tuple[str, bytes], kind=zipfile.ZIP_DEFLATED) -> bytes:
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", kind) as archive:
        for name, data in members:
            archive.writestr(name, data)
    return file.getvalue()


def test_an_export_in_its_zip(ada):
    """With its other files, in several parts, in a folder; what comes out is counted, whatever the list of files says of its size."""
    data = zipped(
        ("export/chat.html", b"<html>"),
        ("export/conversations-000.json", as_file(chatgpt(1, TOLD))),
        ("export/conversations-001.json", b"\xef\xbb\xbf" + as_file(chatgpt(2, TOLD))),
        ("export/users.json", b"{"),
    )
    assert preview(ada, upload(ada, data))["conversations"] == 2
    lies = bytearray(zipped(("conversations.json", b"[" + b" " * 30_000_000 + b"]")))
    for signature, at in ((b"PK\x01\x02", 24), (b"PK\x03\x04", 22)):
        start = lies.index(signature) + at
        lies[start : start + 4] = (50_000).to_bytes(4, "little")
    assert upload(ada, bytes(lies)).problem in {"zip_bomb", "bad_zip", "not_json", "cut_short"}


def nested(depth: int) -> bytes:
    return b"[" * depth + b"]" * depth


BAD = {
    "nothing_but_spaces": (b"   ", "not_json"),
    "words": (b"Hello, this is no export.", "not_json"),
    "bytes": (bytes(range(128, 256)), "not_json"),
    "half": (as_file(chatgpt(1, TOLD), chatgpt(2, TOLD))[:-200], "cut_short"),
    "followed_by_more": (as_file(chatgpt(1, TOLD)) + b"x", "not_json"),
    "deep": (nested(100_000), "too_deep"),
    "other_json": (b'[{"a": 1}, 2, "three", null]', "unknown"),
    "a_word": (b'"conversations"', "unknown"),
    "empty_list": (b"[]", "unknown"),
    "no_talk": (json.dumps([chatgpt(1, ())]).encode(), "unknown"),
    "odd_parts": (
        b'[{"mapping": {"a": {"parent": "a"}}, "current_node": "a"}, {"chat_messages": [1]}]',
        "unknown",
    ),
    "endless_number": (b"[" + b"9" * 10_000 + b"]", "not_json"),
    "zip_cut": (zipped(("conversations.json", as_file(chatgpt(1, TOLD))))[:-30], "bad_zip"),
    "zip_of_others": (zipped(("photo.json", b"[]")), "unknown"),
    "zip_bzip2": (zipped(("conversations.json", b"[]"), kind=zipfile.ZIP_BZIP2), "bad_zip"),
    "zip_bomb": (zipped(("conversations.json", b"[" + b" " * 30_000_000 + b"]")), "zip_bomb"),
}


@pytest.mark.parametrize("name", BAD)
def test_bad_input_has_a_reason_and_leaves_nothing(ada, name):
    """What was read before it is not kept either."""
    data, problem = BAD[name]
    row = upload(ada, data)
    assert (row.state, row.problem) == (Import.State.FAILED, problem)
    assert rows(ada, ImportPart) == talks(ada) == []


def test_too_much_has_a_reason(ada, monkeypatch):
    """More messages than can be remembered, one endless conversation, one endless value, too many files in a zip."""
    monkeypatch.setattr("chat.imports.preview.MOST_MESSAGES", 9)
    assert upload(ada, as_file(*(chatgpt(number, TOLD) for number in range(3)))).problem == "too_many"
    monkeypatch.setattr("chat.imports.files.CHUNK", 10_000)
    monkeypatch.setattr("chat.imports.files.MOST_OF_ONE", 100_000)
    long = ["x" * 30_000] * 4
    assert upload(ada, as_file(chatgpt(1, long))).problem == "one_too_large"
    assert upload(ada, as_file({"mapping": {}, "x": "y" * 400_000})).problem == "one_too_large"
    monkeypatch.setattr("chat.imports.files.MOST_UNPACKED", 1000)
    assert upload(ada, as_file(chatgpt(1, TOLD))).problem == "too_large"
    monkeypatch.setattr("chat.imports.files.MOST_FILES", 3)
    assert upload(ada, zipped(*((f"{n}.txt", b"") for n in range(4)))).problem == "zip_bomb"


def test_imports_that_wait_are_few(ada, bo):
    """Nobody fills the disk with uploads that they never answer; a company's memory takes none."""
    with pytest.raises(NotFound):
        uploads.begin(bo, [("a", 1)], now=timezone.now())
    for _ in range(uploads.MOST_WAITING):
        uploads.begin(ada, [("a", 1)], now=timezone.now())
    with pytest.raises(InvalidInput):
        uploads.begin(ada, [("a", 1)], now=timezone.now())
    for size in (0, -1, uploads.MOST_BYTES + 1):
        with pytest.raises(InvalidInput):
            uploads.begin(make_access(f"eve{size}"), [("a", size)], now=timezone.now())


def test_words_from_long_ago_do_not_expire_at_once(ada):
    """They stay as long from the day they came as others from the day they were said."""
    bring(ada, as_file(chatgpt(1, TOLD)))
    now = timezone.now()
    assert remove_expired_texts(now=now + timedelta(days=59)) == 0
    assert remove_expired_texts(now=now + timedelta(days=61)) == 4
