"""What every reply says of itself, in its row and on the page: type, level, confidence, the memories, and where each came from."""

import re
from uuid import UUID, uuid4

import pytest
from django.db import connection

from chat import services
from chat.models import Message
from chat.replies.presentation import render_message, show_messages
from companion_site.ids import new_id
from companion_site.vault.scope import space_scope
from memory.models import CompanyFact, MemoryNode, MemorySource
from tests.chat.talking import (
    DAY_BEFORE,
    article,
    begin,
    believe,
    change_memories,
    change_rows,
    finish,
    last_reply,
    memory_ids,
    remember,
    rows,
    talk,
    tell,
)
from tests.factories import NOW, make_access, make_business_user
from tests.llm.wire_server import Act

pytestmark = [pytest.mark.spec("I6", "AC-2.2.7"), pytest.mark.usefixtures("listening")]

TOLD = "I find fractions hard, and pictures of pizza slices help me with fractions"
QUESTION = "Can you help me with fractions?"
PERSONAL = "You told me that pictures of pizza slices help you. Take three of eight slices."
LEVELS = set(Message.Personalisation.values)


def show(access, reply: Message) -> str:
    """Return the reply's article, as the page gets it at the end of a reply and on each visit."""
    return " ".join(article(access, reply).split())


def badge(html: str) -> str:
    """Return the words of the badge."""
    found = re.search(r"<summary>.*?<span>(.*?)</span></summary>", html)
    return found[1] if found else ""


def stored_reply(access, text: str, *, said: str = QUESTION, **given) -> Message:
    """Store a message and a reply to it as a turn ends it, without one."""
    row = begin(access)
    finish(access, tell(access, row, said).reply, text, **given)
    return last_reply(access, row)


# --- the row --------------------------------------------------------------------------------------------------------


def test_a_student_s_reply_carries_everything(ada, model):
    """Type, level, confidence, tokens of memory, and for each memory its score, its terms and whether it shows."""
    remember(ada, TOLD)
    model.script(Act(text=PERSONAL))
    reply = talk(ada, QUESTION)
    assert reply.reply_type == "chat" and reply.personalisation in {"medium", "high"}
    assert 0.5 <= reply.confidence <= 1 and reply.memory_tokens is not None
    assert {entry["id"] for entry in reply.recalled} <= memory_ids(ada)
    for entry in reply.recalled:
        assert set(entry) == {"id", "score", "terms", "drawn"}
        assert all(isinstance(share, float) for share in entry["terms"].values())
    assert "clearly" in {entry["drawn"] for entry in reply.recalled}


def test_a_business_user_s_reply_carries_everything(bo, model):
    """Their memories are facts; confidence is theirs, faded to the day, and a decision told is a piece of history."""
    fact = believe(bo, "Took a dividend of 120 000 kr in December", category="decision", confidence=0.95)
    model.script(Act(text="You took a dividend of 120 000 kr in December, so count that against the limit."))
    reply = talk(bo, "Can we take a dividend this year?")
    assert (reply.personalisation, reply.confidence, reply.reply_type) == ("high", 0.95, "chat")
    assert [(entry["id"], entry["drawn"]) for entry in reply.recalled] == [(str(fact.pk), "clearly")]


def test_every_reply_says_how_personal_it_is_whoever_gets_it(ada, bo, model):
    """With a history and without, with memory and without."""
    for access in (ada, bo):
        for memory_on in (True, False):
            reply = talk(access, "Hello there", memory_on=memory_on)
            assert reply.personalisation == "none" and reply.reply_type == "chat"
            assert reply.recalled == [] and reply.confidence is None


def test_a_reply_about_danger_is_an_escalation_and_says_no_more(ada, bo, model):
    """When, never what: the row's readable columns hold the type and numbers, and not a word of the message."""
    for access in (ada, bo):
        reply = talk(access, "My stepfather hits me when he drinks")
        assert reply.reply_type == "escalation"
        readable = f"{reply.recalled}{reply.personalisation}{reply.confidence}{reply.timings_ms}".casefold()
        assert not any(word in readable for word in ("stepfather", "hits", "drinks", "threat"))


def test_a_reply_without_a_word_stands_on_nothing(ada):
    """What failed has no type and no level, and no badge."""
    reply = stored_reply(ada, "", state=Message.State.FAILED)
    assert (reply.reply_type, reply.personalisation, reply.confidence) == ("", "", None)
    assert badge(show(ada, reply)) == ""


def test_a_reply_written_anew_forgets_what_the_first_try_stood_on(ada):
    """Its metadata go with its words."""
    remember(ada, TOLD)
    used = [{"id": pk, "score": 1.0, "terms": {}} for pk in memory_ids(ada)]
    reply = stored_reply(ada, PERSONAL, state=Message.State.STOPPED, recalled=used, memory_tokens=40)
    assert reply.personalisation in {"medium", "high"}
    services.retry_reply(ada, reply.conversation_id, reply.pk, now=NOW)
    again = services.find_message(ada, reply.conversation_id, reply.pk)
    assert (again.recalled, again.personalisation, again.reply_type) == ([], "", "")
    assert (again.confidence, again.memory_tokens) == (None, None)


def test_a_fault_in_measuring_costs_the_reply_nothing(ada, monkeypatch):
    """The reply is written all the same, with the memories of its prompt."""

    def fail(*args, **kwargs):
        raise ValueError

    monkeypatch.setattr("chat.personalisation.measure.find_shown", fail)
    remember(ada, TOLD)
    used = [{"id": pk, "score": 1.0, "terms": {}} for pk in memory_ids(ada)]
    reply = stored_reply(ada, PERSONAL, recalled=used)
    assert services.read_text(ada, reply) == PERSONAL
    assert reply.recalled == used and reply.personalisation == "none"


def test_a_memory_that_cannot_be_opened_any_more_costs_the_reply_nothing(ada):
    """Damaged between the prompt and the end of the reply: what was said is kept, and no figure is made up."""
    remember(ada, TOLD)
    used = [{"id": pk, "score": 1.0, "terms": {}} for pk in memory_ids(ada)]
    with space_scope(ada.space), connection.cursor() as cursor:
        damaged = "UPDATE memory_memorynode SET content = %s WHERE space_id = %s"
        cursor.execute(damaged, [b"\x00" * 40, ada.space])
    reply = stored_reply(ada, PERSONAL, recalled=used)
    assert services.read_text(ada, reply) == PERSONAL
    assert (reply.state, reply.recalled, reply.personalisation) == (Message.State.COMPLETE, used, "none")


# --- the page -------------------------------------------------------------------------------------------------------


@pytest.mark.spec("AC-2.3.5")
def test_the_badge_says_the_level_in_words_and_opens_to_the_memories(ada):
    """Each with its words, where it came from, how sure the companion is, whether the reply draws on it and why it was found."""
    conversation, message = new_id(), new_id()
    remember(ada, TOLD, conversation_id=conversation, source_id=message)
    terms = {"keyword": 0.8, "meaning": 0.5, "recency": 0.1, "importance": 0.0, "confidence": 0.9}
    used = [{"id": pk, "score": 0.7, "terms": terms} for pk in memory_ids(ada)]
    html = show(ada, stored_reply(ada, PERSONAL, recalled=used))
    assert re.fullmatch(r"(Personal|Very personal) · \d memor(y|ies)", badge(html))
    assert "pizza slices help me" in html and "Short-term" in html
    assert (
        f'<a href="/chat/{conversation}/?at={message}#message-{message}">You said it, 1 March 2026</a>'
        in html
    )
    assert "quite sure" in html and "The reply draws on this." in html
    reasons = re.findall(r'<li class="reason">(\w+)<meter.*?value="([\d.]+)"', html)[:4]
    assert reasons == [("words", "0.80"), ("meaning", "0.50"), ("recent", "0.10"), ("sure", "0.90")]


def test_a_memory_carries_the_day_it_was_said_and_counts_only_the_person_s_own_messages(ada):
    """Not the day on which it could be formed; what a teacher observed or a lesson recorded is no earlier message of theirs."""
    remember(ada, TOLD)
    with space_scope(ada.space):
        MemoryNode.objects.for_space(ada.space).update(formed_at=NOW)
        node = MemoryNode.objects.for_space(ada.space).first()
        for kind in ("observation", "lesson", "message"):
            MemorySource.objects.create(
                space_id=ada.space, node=node, kind=kind, source_id=uuid4(), start=0, end=4, said_at=NOW
            )
    reply = stored_reply(ada, PERSONAL, recalled=[{"id": str(node.pk), "score": 1.0}])
    (shown,) = show_messages(ada, [reply], now=NOW)
    (memory,) = shown.stood_on.memories
    assert (memory.said_at, shown.stood_on.sources_count) == (DAY_BEFORE, 2)
    assert "From 2 earlier messages of yours" in render_message(shown)


def test_what_the_reply_did_not_use_is_told_apart(ada):
    """It was at hand; the badge does not count it, and it stands behind what was used."""
    remember(ada, TOLD)
    remember(ada, "My grandmother Elin lives in Visby and keeps bees behind her house")
    used = [{"id": pk, "score": 0.7, "terms": {}} for pk in memory_ids(ada)]
    html = show(ada, stored_reply(ada, PERSONAL, recalled=used))
    assert "At hand, but not used." in html
    assert html.index("pizza slices help me") < html.index("grandmother")
    assert re.search(r" · (\d)", badge(html))[1] == str(html.count("The reply draws on this."))


@pytest.mark.spec("AC-2.3.4")
def test_a_reply_that_used_nothing_says_so(ada):
    """Not personal, with what was at hand or with nothing."""
    remember(ada, TOLD)
    used = [{"id": pk, "score": 0.7, "terms": {}} for pk in memory_ids(ada)]
    generic = show(ada, stored_reply(ada, "A fraction is a part of a whole.", recalled=used))
    assert badge(generic) == f"Not personal · {len(used)} at hand"
    bare = show(ada, stored_reply(ada, "A fraction is a part of a whole."))
    assert badge(bare) == "Not personal" and "No memory was at hand for this reply." in bare


def test_a_reply_of_earlier_days_still_shows_its_memories(ada):
    """Rows that have ids and scores alone: the words are there, and nothing is claimed that was not measured."""
    remember(ada, TOLD)
    reply = stored_reply(ada, PERSONAL)
    recalled = [{"id": pk, "score": 0.7} for pk in memory_ids(ada)]
    change_rows(ada, Message, {"pk": reply.pk}, recalled=recalled, personalisation="", reply_type="")
    (reply,) = rows(ada, Message, pk=reply.pk)
    html = show(ada, reply)
    assert badge(html) == f"Memories used ({len(reply.recalled)})"
    assert "pizza slices help me" in html and "draws on" not in html and "Why it was found" not in html


def test_a_memory_removed_since_says_so_and_not_a_word_more(ada):
    """Also where its words are kept for some days so that the removal can be undone, and where the row is gone."""
    remember(ada, TOLD)
    gone = {"id": str(uuid4()), "score": 0.5, "terms": {}}
    used = [*({"id": pk, "score": 0.7, "terms": {}} for pk in memory_ids(ada)), gone]
    reply = stored_reply(ada, PERSONAL, recalled=used)
    change_memories(ada, removed_at=NOW)
    html = show(ada, reply)
    assert html.count("This memory has been removed since.") == len(used)
    assert "help me with fractions" not in html and badge(html)


def test_an_insight_says_how_many_memories_it_stands_for(ada):
    """And one that became part of another says that."""
    remember(ada, TOLD)
    remember(ada, "My grandmother Elin lives in Visby and keeps bees behind her house")
    first, *others = sorted(memory_ids(ada))
    change_rows(ada, MemoryNode, {"pk__in": others}, merged_into=UUID(first), removed_at=NOW)
    change_rows(ada, MemoryNode, {"pk": first}, tier="long_term", category="struggles", trust="derived")
    used = [{"id": pk, "score": 0.7, "terms": {}} for pk in (first, *others)]
    html = show(ada, stored_reply(ada, PERSONAL, recalled=used))
    assert re.search(rf"Derived from {len(others)} memor(y|ies)", html)
    assert "Long-term" in html and "Struggles" in html
    assert html.count("It has become part of another memory since.") == len(others)


def test_a_fact_that_went_into_a_summary_holds_as_long_as_that_does(bo):
    """Under a reply it is ended only by what takes the place of the summary, or of the row that brought it back."""
    fact, whole, other = (
        believe(bo, text)
        for text in ("The box costs 389 kr", "The box costs 389 kr; Uses SEB", "Box: 349 kr")
    )
    reply = stored_reply(bo, PERSONAL, recalled=[{"id": str(fact.pk), "score": 0.7, "terms": {}}])
    ended = "Something newer has taken its place since."

    def give_way(old, by, reason):
        ended = {"superseded_by": by, "superseded_at": NOW, "superseded_reason": reason}
        change_rows(bo, CompanyFact, {"pk": old.pk}, **ended)

    give_way(fact, whole, "summarised")
    html = show(bo, reply)
    assert "The box costs 389 kr" in html and ended not in html
    give_way(whole, other, "contradicted")
    assert ended in show(bo, reply)
    believe(bo, "The box costs 389 kr", origin="restored", restores=fact)
    assert ended not in show(bo, reply)


def test_members_see_the_facts_used_and_not_where_a_colleague_said_them(bo, model):
    """The words, how sure, and that a colleague said it; a conversation is its author's alone."""
    colleague = make_business_user("cy", company=bo.person.company)
    row = begin(bo)
    own = believe(
        bo,
        "Prefers short answers in plain Swedish",
        "preference",
        said_by=bo.person,
        source_conversation_id=row.pk,
        source_message_id=new_id(),
    )
    secret = new_id()
    believe(
        bo,
        "Uses the bank SEB for everything",
        "preference",
        said_by=colleague,
        source_conversation_id=secret,
        source_message_id=new_id(),
    )
    html = show(bo, talk(bo, "Which bank do we use, and how do I like answers?", conversation=row))
    assert "Prefers short answers" in html and "SEB" in html
    assert f"/chat/{row.pk}/?at={own.source_message_id}#message-{own.source_message_id}" in html
    assert "A colleague said it, " in html and str(secret) not in html and "Cy" not in html


def test_somebody_else_s_ids_show_nothing(ada, committed):
    """Were a row to name a memory of another space, it would show as one that is gone."""
    eve = make_access("eve")
    remember(eve, "My secret place is the old lighthouse on the island of Ven")
    reply = stored_reply(
        ada, "I see.", recalled=[{"id": pk, "score": 1.0, "terms": {}} for pk in memory_ids(eve)]
    )
    html = show(ada, reply)
    assert "lighthouse" not in html and "removed since" in html


def test_showing_many_replies_takes_a_fixed_number_of_queries(ada, django_assert_max_num_queries):
    """However many replies there are, and however many memories each was given."""
    remember(ada, TOLD)
    remember(ada, "My grandmother Elin lives in Visby and keeps bees behind her house")
    used = [{"id": pk, "score": 0.7, "terms": {}} for pk in memory_ids(ada)]
    store = [stored_reply(ada, PERSONAL, recalled=used) for _ in range(3)]
    with django_assert_max_num_queries(30):
        show_messages(ada, store, now=NOW)
    assert {reply.personalisation for reply in store} <= LEVELS
