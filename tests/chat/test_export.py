"""A conversation of one's own is taken along as a file: whole, in order, under a safe name, kept by no cache, and on record."""

import json

import pytest
from django.urls import reverse

from chat.conversations import deletion, export, properties
from chat.models import Message
from companion_site.audit.models import AuditEvent
from tests.cases import cases
from tests.chat.talking import change_rows, converse, rows, tell
from tests.factories import NOW

pytestmark = [pytest.mark.django_db, pytest.mark.spec("C2")]

TEXT = 'Vad är ett "elektronpar"?\nOch varför?'


def save(page, row, form):
    return page.get(reverse("chat:export", args=[row.pk]), {"as": form})


def read(answer) -> str:
    return b"".join(answer.streaming_content).decode()


def test_json_holds_each_message(access, page, monkeypatch):
    """Ids, who, when and the words, in order, also where they are read in several lots."""
    monkeypatch.setattr(export, "BATCH", 2)
    row = converse(access, TEXT)
    for number in range(3):
        tell(access, row, f"More {number}")
    answer = save(page, row, "json")
    assert answer["Content-Type"] == "application/json" and "no-store" in answer["Cache-Control"]
    told = json.loads(read(answer))
    assert told["id"] == str(row.pk) and told["title"].startswith("Vad är")
    assert [message["id"] for message in told["messages"]] == [
        str(message.pk) for message in rows(access, Message)
    ]
    assert [message["who"] for message in told["messages"]] == ["person", "companion"] * 4
    first = told["messages"][0]
    assert first["text"] == TEXT and first["at"] == "2026-03-02T14:05:00+00:00"
    assert [message["text"] for message in told["messages"][2::2]] == ["More 0", "More 1", "More 2"]


def test_markdown_is_for_reading(access, page):
    """The title, and a heading with who and when over each message; what has been removed is said to be."""
    row = converse(access, "What is an electron pair?")
    answer = save(page, row, "markdown")
    assert answer["Content-Type"].startswith("text/markdown") and "no-store" in answer["Cache-Control"]
    text = read(answer)
    assert text.startswith("# What is an electron pair?\n\n## You, 2026-03-02 15:05\n\nWhat is")
    assert text.endswith("\n## Companion, 2026-03-02 15:05\n\nI see.\n")
    change_rows(access, Message, {"role": "person"}, text=None, text_removed_at=NOW)
    assert "*The words of this message have been removed.*" in read(save(page, row, "markdown"))
    assert json.loads(read(save(page, row, "json")))["messages"][0]["text"] is None


@cases(
    ("title", "name"),
    [
        ("Kemi: vad är ett elektronpar?", "kemi-vad-ar-ett-elektronpar"),
        ('../../etc/passwd"; x="', "etcpasswd-x"),
        ("日本語", "conversation"),
        ("a" * 100, "a" * 60),
    ],
)
def test_the_name_of_the_file_is_safe(access, page, title, name):
    """Nothing in it leads elsewhere or ends the header, whatever the conversation is called."""
    row = converse(access, "What is an electron pair?")
    properties.rename(access, row.pk, title=title)
    for form, ending in (("markdown", "md"), ("json", "json")):
        answer = save(page, row, form)
        assert answer["Content-Disposition"] == f'attachment; filename="{name}-2026-03-02.{ending}"'
        assert title in read(answer).replace('\\"', '"')


def test_it_is_on_record_without_a_word(access, page):
    """That a conversation was taken along, by whom and as what; another form and a deleted one are refused, and not on record."""
    row = converse(access, "What is an electron pair?")
    read(save(page, row, "markdown"))
    assert save(page, row, "docx").status_code == 400
    deletion.delete(access, row.pk, now=NOW)
    assert save(page, row, "json").status_code == 404
    event = AuditEvent.objects.get(action="chat.conversation_exported")
    assert event.chain == access.space and event.subject_id == row.pk and event.data == {"form": "markdown"}
