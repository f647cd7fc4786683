"""Conversations and messages over the REST API."""

from uuid import UUID

import pytest

from chat.access import own_conversation
from chat.conversations.deletion import delete
from tests.api.conftest import make_program
from tests.api.content import lose_answers, problem, walk
from tests.chat.attachments.samples import NOTES, attach
from tests.chat.attachments.samples import say as say_with
from tests.factories import NOW, make_access, make_business_user, make_company_access, open_space

pytestmark = pytest.mark.spec("K10")


def say(program, conversation, text, **body):
    return program.post(f"conversations/{conversation}/messages", {"text": text, **body})


def test_something_is_said_and_answered_until_the_conversation_is_deleted(program):
    """The reply is there when the answer comes; deleted, it is neither in the list nor there by its id, and nothing is said in it."""
    conversation = program.begin()
    answer = say(program, conversation, "I like rowing on the lake.")
    assert answer.status_code == 201, answer.content
    said, reply = answer.json()["message"], answer.json()["reply"]
    assert said["text"] == "I like rowing on the lake." and said["role"] == "person"
    assert reply["state"] == "complete" and reply["text"] and reply["reply_to"] == said["id"]
    shown = program.get(f"conversations/{conversation}/messages/{reply['id']}").json()
    assert shown == reply
    delete(program.access, UUID(conversation), now=NOW)
    assert program.get("conversations").json()["items"] == []
    for path in (f"conversations/{conversation}", f"conversations/{conversation}/messages"):
        assert program.get(path).status_code == 404
    assert say(program, conversation, "Hello there").status_code == 404


def test_what_is_said_again_is_said_once(program):
    """By its client_id, and by the request's key, also where that was cut short before its answer was kept: no second reply."""
    conversation = program.begin()
    path, mine = f"conversations/{conversation}/messages", "01a20222-0000-7000-8000-000000000001"
    one, same = (say(program, conversation, "Hello there", client_id=mine).json() for _time in range(2))
    assert one["message"]["id"] == same["message"]["id"] and one["reply"]["id"] == same["reply"]["id"]
    problem(say(program, conversation, "Goodbye", client_id=mine), 409, "client-id.reused")
    first, again = (program.post(path, {"text": "And again"}, idempotency_key="k") for _time in range(2))
    assert first.json() == again.json() and again["Idempotent-Replayed"] == "true"
    lose_answers(program.access.space)
    lost = program.post(path, {"text": "And again"}, idempotency_key="k").json()
    assert lost["message"]["id"] == first.json()["message"]["id"]
    shown = program.get(path).json()["items"]
    assert [message["role"] for message in shown] == ["companion", "person"] * 2


def test_a_reply_is_written_anew_once_by_its_key(program):
    """Sent again, also where the answer was lost, it finds the version that was made."""
    conversation = program.begin()
    path = f"conversations/{conversation}/messages"
    reply = say(program, conversation, "Hello there").json()["reply"]["id"]
    first, again = (program.post(f"{path}/{reply}/retry", idempotency_key="k") for _time in range(2))
    assert first.status_code == 202 and first.json() == again.json()
    lose_answers(program.access.space)
    lost = program.post(f"{path}/{reply}/retry", idempotency_key="k")
    assert lost.json() == first.json() and len(program.get(path).json()["items"]) == 2


def test_conversations_and_messages_are_listed_filtered_and_switched(program):
    """A title comes of the first message, memory goes off and on; of messages what the person said, by pages, the latest first."""
    conversation = program.begin()
    path = f"conversations/{conversation}"
    for text in ("Tell me about the moon", "Another thing"):
        say(program, conversation, text)
    shown = program.get(path).json()
    assert shown["title"] == "Tell me about the moon" and shown["memory_on"] is True
    assert program.ask("PATCH", path, {"memory_on": False}).json()["memory_on"] is False
    assert program.get("conversations?memory_on=false").json()["items"][0]["id"] == conversation
    assert program.get("conversations?memory_on=true").json()["items"] == []
    said = [message["text"] for message in walk(program, f"{path}/messages?role=person", limit=1)]
    assert said == ["Another thing", "Tell me about the moon"]


def test_of_complete_replies_the_last_alone_is_written_again(program):
    """Stopping one leaves it as it is; written again it is another version; once more was said, that is refused."""
    conversation = program.begin()
    reply = say(program, conversation, "Hello").json()["reply"]
    path = f"conversations/{conversation}/messages/{reply['id']}"
    stopped = program.post(f"{path}/stop")
    assert stopped.status_code == 202 and stopped.json() == reply
    again = program.post(f"{path}/retry").json()["reply"]
    assert again["id"] != reply["id"]
    listed = [one["id"] for one in program.get(f"conversations/{conversation}/messages").json()["items"]]
    assert again["id"] in listed and reply["id"] not in listed
    say(program, conversation, "Go on")
    settled = program.post(f"conversations/{conversation}/messages/{again['id']}/retry")
    assert problem(settled, 422)["detail"].endswith("Only the last reply can be written anew.")
    assert program.post(f"{path}/retry").status_code == 404
    assert program.get(path).json()["state"] == "complete"


def test_somebody_of_a_company_talks_in_their_company_s_space(committed):
    """With the key of their own space; a colleague's conversation is 404."""
    people = [make_business_user("bo")]
    people.append(make_business_user("kim", company=people[0].company))
    bo, kim = (make_program(make_company_access(person), "chat", key=open_space(person)) for person in people)
    conversation = bo.begin()
    assert say(bo, conversation, "What did we decide?").json()["reply"]["state"] == "complete"
    assert kim.get(f"conversations/{conversation}").status_code == 404
    assert {space["kind"] for space in bo.get("spaces").json()["items"]} == {"personal", "company"}


def test_no_word_of_it_is_logged(program, caplog):
    """Neither what was said nor the token stands in any line, of a success or of a refusal."""
    conversation = program.begin()
    say(program, conversation, "My cat is called Xenophilius")
    say(program, conversation, "My cat is called Xenophilius", wait_s=99)
    program.post("memories/search", {"query": "Who is Xenophilius?"})
    written = caplog.text
    assert "Xenophilius" not in written and program.text[10:] not in written and "api.refused" in written


def test_what_is_attached_is_listed_and_fetched(program):
    """By its message, as it is kept; another person's program finds neither."""
    conversation = program.begin()
    with_file = attach(program.access, own_conversation(program.access, UUID(conversation)))
    exchange = say_with(program.access, with_file.conversation, "Look", with_file.pk)
    path = f"conversations/{conversation}/messages/{exchange.message.pk}/attachments"
    (told,) = program.get(path).json()["items"]
    assert told == {"id": str(with_file.pk), "name": "notes.txt", "type": "text/plain", "size": len(NOTES)}
    answer = program.get(f"attachments/{told['id']}")
    assert answer.content.decode() == NOTES and answer["Content-Type"] == "application/octet-stream"
    stranger = make_program(make_access("eve"))
    assert {stranger.get(path).status_code, stranger.get(f"attachments/{told['id']}").status_code} == {404}
