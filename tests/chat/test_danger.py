"""Danger in a turn: two answers, nothing beside them, nothing of it brought up elsewhere; by the real services, to the request."""

import json
from contextlib import suppress
from datetime import timedelta
from uuid import uuid4

import pytest

from chat import services
from chat.company.dialogue import read_conversation
from chat.company.suggestions import show_suggestions
from chat.conversations.search import search_messages
from chat.demo.recordings import parse_conversation
from chat.demo.replay import store_turns
from chat.initiative import show_initiative
from chat.memories.formation import form_all_awaiting
from chat.models import Conversation, Message
from chat.said import NEUTRAL_TITLES, sense
from companion_site.accounts.models import School
from companion_site.embeddings.bundled import BundledEmbedder
from companion_site.embeddings.errors import EmbeddingError
from companion_site.embeddings.service import get_embedder
from companion_site.llm.offline_phrases import WORDS
from companion_site.vault.scope import space_scope
from ledger.models import LedgerEntry, ThreatAlert
from memory.models import CompanyFact, Goal, MemoryNode
from memory.student.assessment import assess
from memory.student.life.goals import set_goal
from memory.student.life.journals import write_note
from memory.student.life.kinds import GRATITUDE
from memory.student.recall.retrieval import RetrievalOptions, retrieve
from memory.student.store import find_untouchable
from memory.student.workingset import working_sets
from tests.cases import cases
from tests.chat.talking import (
    DAY_BEFORE,
    begin,
    believe,
    message_at,
    outcome_of,
    prompt,
    remember,
    rows,
    talk,
    tell,
)
from tests.factories import NOW
from tests.llm.wire_server import Act
from tests.overlay.building import make_school, named

pytestmark = [pytest.mark.spec("L4"), pytest.mark.usefixtures("committed")]

SURE = {"en": "I don't want to live anymore", "sv": "Jag orkar inte leva längre"}
PERHAPS = {
    "en": "Only my sister knows that I take antidepressants every day.",
    "sv": "Alla hatar mig",
}
ORDINARY = {"en": "What is recursion?", "sv": "Vad är rekursion?"}
DOG = "We have got a brown dog called Bosse who sleeps in my bed"


def system(server) -> str:
    """Return the instructions that the model read last."""
    return server.requests[-1].system_text


def nodes(access) -> dict[str, bool]:
    """Return what is remembered, with whether it is marked."""
    with space_scope(access.space), access.open():
        active = MemoryNode.objects.for_space(access.space).active()
        return {node.content: node.of_danger for node in active}


# --- the two answers --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("language", ["en", "sv"])
def test_sure_and_perhaps_are_answered_differently_without_a_model(ada, language):
    """In the message's language, whole and alone: no notice, no memory; sure names the emergency number, perhaps does not."""
    remember(ada, DOG)
    own = WORDS[language].care
    for text, danger, ways in (
        (SURE[language], "sure", own.sure),
        (PERHAPS[language], "perhaps", own.perhaps),
    ):
        reply = talk(ada, text)
        said = services.read_text(ada, reply)
        assert said.split("\n\n")[0] == ways[0][0] and said.count("\n\n") == 3
        assert ("112" in said, "116 111" in said, "Bosse" in said) == (danger == "sure", True, False)
        assert outcome_of(ada, reply)["plan"]["danger"] == danger
        assert reply.reply_type == Message.ReplyType.ESCALATION


def test_a_model_is_told_which_of_the_two_it_is_and_reads_nothing_else(ada, listening):
    """No goal, no gratitude, no other memory goes along; and where it names nobody the reply ends with whom to call."""
    remember(ada, DOG)
    with ada.open():
        set_goal(ada.space, "Run every morning", now=DAY_BEFORE)
        write_note(ada.space, GRATITUDE, "Cinnamon buns", now=DAY_BEFORE)
    told = {}
    for danger, texts in (("sure", SURE), ("perhaps", PERHAPS)):
        said = services.read_text(ada, talk(ada, texts["en"]))
        told[danger] = system(listening)
        assert said.startswith("All right.") and "116 111" in said and ("112" in said) == (danger == "sure")
        # What is only perhaps danger is mostly none, and needs what is remembered.
        left_out = ("Bosse", "Run every", "Cinnamon") if danger == "sure" else ("Run every", "Cinnamon")
        assert not any(word in prompt(listening) for word in left_out)
        assert len(rows(ada, Goal)) == 1
    assert "speaks of danger" in told["sure"] and "112" in told["sure"]
    assert "may be about danger, and may not" in told["perhaps"] and "112" not in told["perhaps"]
    talk(ada, "Tell me about my dog Bosse")
    assert "Bosse" in prompt(listening) and "danger" not in system(listening)
    listening.always(Act(text="Please call 112 now. Who is with you?"))
    assert services.read_text(ada, talk(ada, SURE["en"])) == "Please call 112 now. Who is with you?", (
        "nothing is said twice"
    )


def test_what_follows_danger_is_met_gently_and_then_as_ever(ada, listening):
    """Neither game nor cheer for two replies, with memory off, too; the model is told, and the sentence stands without one."""
    for memory_on in (True, False):
        row = begin(ada, memory_on=memory_on)
        talk(ada, SURE["en"], conversation=row)
        for gentle in (True, True, False):
            reply = talk(ada, "Let's play a game!", conversation=row)
            assert ("A moment ago they spoke" in system(listening)) == gentle
            assert reply.reply_type != Message.ReplyType.ESCALATION
            if memory_on:
                plan = outcome_of(ada, reply)["plan"]
                assert plan["gentle"] == gentle and (plan["mode"] == "support") == gentle


def test_the_gentle_sentence_stands_before_the_ordinary_reply(ada):
    """Once more in other words, and then no more."""
    row = begin(ada)
    talk(ada, SURE["en"], conversation=row)
    said = [services.read_text(ada, talk(ada, ORDINARY["en"], conversation=row)) for _ in range(3)]
    assert [sum(way in text for way in WORDS["en"].care.after) for text in said] == [1, 1, 0]
    assert said[0] != said[1]


def test_a_school_s_own_lines_and_its_country_count(ada, tmp_path, settings):
    """What staff wrote stands at the end; another country's numbers take the place of the site's."""
    line = {"en": "help", "sv": "hjälp"}
    own = json.loads(settings.HELP_LINES.read_text())
    settings.HELP_LINES = tmp_path / "lines.json"
    settings.HELP_LINES.write_text(
        json.dumps({**own, "XX": [{"number": "0-1", "urgent": True, **line}, {"number": "0-2", **line}]})
    )
    school = School(name="Bergaskolan", country="xx", help_lines="School nurse Eva, 040-12 34 56")
    school.full_clean()
    school.save()
    ada.person.school = school
    ada.person.save(update_fields=["school"])
    said = services.read_text(ada, talk(ada, SURE["en"]))
    assert "- **0-1**: help\n- **0-2**: help\n- School nurse Eva, 040-12 34 56" in said
    assert "112" not in said


def test_whom_to_call_is_never_withheld_by_the_fog(ada):
    """Though the school's world calls one of the words a concept that the student has not met."""
    ada.person.school = make_school(concepts=named("computer program", "danger"), edges=[])
    ada.person.save(update_fields=["school"])
    said = services.read_text(ada, talk(ada, SURE["en"]))
    assert "computer program" in said and "in danger right now" in said


def test_where_the_embedder_is_away_it_counts_as_none_and_nothing_is_noted(ada, monkeypatch, caplog):
    """There is no list of words beside the head: the reply is the ordinary one, the title is neutral, and no goal is taken."""

    def fail(self, texts):
        raise EmbeddingError()

    row = begin(ada)
    monkeypatch.setattr(BundledEmbedder, "embed", fail)
    reply = talk(ada, "I want to run every day. I want to die", conversation=row)
    assert reply.reply_type != Message.ReplyType.ESCALATION and reply.state == Message.State.COMPLETE
    assert services.read_title(ada, row.pk) == NEUTRAL_TITLES["en"]
    assert any("danger.unread" in record.getMessage() for record in caplog.records)
    assert rows(ada, Goal) == []


# --- a company's people -----------------------------------------------------------------------------------------------


def test_somebody_of_a_company_is_a_person_too(bo):
    """Answered with care and as a grown-up, whether memory is on or off; the next reply is gentle."""
    believe(bo, "Our auditor is called Helena Berg")
    for memory_on in (True, False):
        row = begin(bo, memory_on=memory_on)
        said = services.read_text(bo, talk(bo, SURE["sv"], conversation=row))
        assert said.startswith(WORDS["sv"].care.sure[0][0]) and "112" in said and "Bris" not in said
        assert "Helena" not in said and "vuxen" not in said
        after = services.read_text(bo, talk(bo, "Vem är vår revisor?", conversation=row))
        assert any(way in after for way in WORDS["sv"].care.after)


def test_a_person_s_danger_stands_beside_no_facts_and_becomes_none(bo, listening):
    """The model reads the directions and the message, and the facts again for something ordinary; what was answered as danger is not read for facts that colleagues are told."""
    believe(bo, "Our auditor is called Helena Berg")
    talk(bo, "I don't want to live anymore, and our auditor keeps calling me")
    assert "Helena" not in prompt(listening) and "speaks of danger" in system(listening)
    talk(bo, "Who is our auditor?")
    assert "Helena" in prompt(listening) and "danger" not in system(listening)
    row = begin(bo)
    talk(bo, "I don't want to live anymore. We have decided to switch bank to SEB.", conversation=row)
    talk(bo, "We have decided to move the office to Lund.", conversation=row)
    read_conversation(bo.space, row.pk, now=NOW + timedelta(hours=2))
    told = " ".join(fact.content for fact in rows(bo, CompanyFact))
    assert "live" not in told and "SEB" not in told and "Lund" in told


# --- titles, search, cards --------------------------------------------------------------------------------------------


@cases("language", ["en", "sv"])
def test_a_conversation_s_title_never_quotes_danger(ada, language):
    """Nor what is perhaps danger, nor where it is brought in; anything else is quoted as ever."""
    for text, title in (
        (SURE[language], NEUTRAL_TITLES[language]),
        (PERHAPS[language], NEUTRAL_TITLES[language]),
        (ORDINARY[language], ORDINARY[language]),
    ):
        row = begin(ada)
        exchange = tell(ada, row, text)
        assert exchange.title == services.read_title(ada, row.pk) == title
    said = {"id": "1", "speaker": "Ada", "text": SURE[language]}
    brought = {"name": language, "sessions": [{"id": "1", "at": NOW, "turns": [said]}]}
    store_turns(ada, parse_conversation(brought))
    with ada.open():
        assert rows(ada, Conversation)[-1].title == NEUTRAL_TITLES["en"]


def test_a_search_names_where_danger_was_said_and_shows_no_word_of_it(ada):
    """Neither of the message nor of the reply; other messages are shown as ever."""
    row = begin(ada)
    talk(ada, "I don't want to live anymore", "Where do otters live?", conversation=row)
    found = {one.message: one for one in search_messages(ada, "live").found}
    first, third = message_at(ada, row), message_at(ada, row, 3)
    assert found[first.pk].snippet == () and found[first.pk].title == NEUTRAL_TITLES["en"]
    assert "".join(piece.text for piece in found[third.pk].snippet) == "Where do otters live?"
    assert not any(one.snippet for one in search_messages(ada, "serious").found)


def test_no_card_and_no_suggestion_stands_beside_danger(ada, bo):
    """For a day, in every conversation of the person; then as before."""
    morning = NOW.replace(hour=8)
    assert show_initiative(ada, is_remembered=True, now=morning)["initiative"] is not None
    for access in (ada, bo):
        talk(access, SURE["en"])
        assert services.has_spoken_of_danger(access, now=NOW + timedelta(hours=1))
        assert not services.has_spoken_of_danger(access, now=NOW + timedelta(days=2))
    assert show_initiative(ada, is_remembered=True, now=NOW + timedelta(hours=1))["initiative"] is None
    assert show_suggestions(bo, is_remembered=True, chosen=None, now=NOW)["suggestions"] == []


# --- memory -----------------------------------------------------------------------------------------------------------

ABOUT_ME = {"en": ("Who am I?", "What do you know about me?"), "sv": ("Vem är jag?", "Vad vet du om mig?")}


def test_recall_brings_danger_up_by_its_own_topic_only(ada, listening):
    """Neither for "Who am I?" nor for a bland message; in danger, and where it is asked about in its words, it is there."""
    said = "My stepfather hits me when he drinks at the cabin in Ystad"
    for text in (said, SURE["en"], DOG):
        remember(ada, text)
    assert nodes(ada) == {said: True, SURE["en"]: True, DOG: False}
    for text in (
        *ABOUT_ME["en"],
        "Hello there!",
        "What is a cabin made of?",
        "Where do I live?",
        "Tell me about my family",
    ):
        talk(ada, text)
        assert "stepfather" not in prompt(listening) and "want to live" not in prompt(listening), text
    for text in ("My stepfather hit me when he was drunk", "What did I say about my stepfather?"):
        reply = talk(ada, text)
        assert "stepfather hits me" in prompt(listening), text
        assert "stepfather" not in services.read_text(ada, reply)


def test_what_was_marked_is_in_no_list_that_nobody_asked_for(ada):
    """Neither looked up without a question, nor told to a teacher, nor slept over or compressed; a dog is still told of, though it stood beside it."""
    remember(ada, f"{DOG}. My stepfather hits me when he drinks and I can't manage maths any more")
    marked = nodes(ada)
    assert {text for text, of_danger in marked.items() if of_danger} == {
        text for text in marked if "stepfather" in text
    }
    embedder = get_embedder()
    with ada.open():
        held = working_sets.get(ada.space, model=embedder.model, dimension=embedder.dimension)
        found = [one.text for one in retrieve(held, RetrievalOptions(), embedder=embedder, now=NOW)]
        assessment = assess(held, embedder=embedder, now=NOW)
    assert found and not any("stepfather" in text for text in found)
    assert not any("maths" in line.text for lines in assessment.lines.values() for line in lines)
    remember_if_any(ada, PERHAPS["en"])
    with space_scope(ada.space), ada.open():
        other = {node.pk for node in rows(ada, MemoryNode) if DOG not in node.content}
        assert find_untouchable(ada.space, now=NOW) == other and len(other) >= 2


def test_an_alert_goes_by_the_same_head(ada):
    """Sure raises one, each time that it is said and without a word; perhaps raises none, nor does what only sounds like it."""
    for text in ("This homework is killing me.", PERHAPS["en"], "I read how Romeo and Juliet died today"):
        remember_if_any(ada, text)
    assert rows(ada, ThreatAlert) == []
    for _ in range(2):
        remember_if_any(ada, "Three boys in my class push me into the lockers every day")
    assert len(rows(ada, ThreatAlert)) == 2


@pytest.mark.parametrize("memory_on", [True, False])
def test_danger_raises_its_alert_as_it_is_stored(ada, memory_on):
    """One of each message, of the time at which it was said, wherever it stands in the conversation; sent or formed again it raises
    none. With memory off no memory and no entry is kept of it."""
    row = begin(ada, memory_on=memory_on)
    tell(ada, row, ORDINARY["en"])
    said = []
    for minutes in (1, 2):
        at, client_id = NOW + timedelta(minutes=minutes), uuid4()
        for _sent in range(2):
            said.append(services.say(ada, row.pk, text=SURE["en"], client_id=client_id, now=at).message)
    form_all_awaiting(ada.space, key=ada.key, now=NOW + timedelta(hours=1))
    alerts = sorted((one.said_at, one.source_id) for one in rows(ada, ThreatAlert))
    assert alerts == [(message.said_at, message.pk) for message in said[::2]]
    assert len(rows(ada, LedgerEntry)) == memory_on and bool(rows(ada, MemoryNode)) == memory_on


def remember_if_any(access, text: str) -> None:
    """Form what was said, whether or not it leaves a memory."""
    with suppress(AssertionError):
        remember(access, text)


@pytest.mark.parametrize("language", ["en", "sv"])
def test_at_work_sure_danger_is_met_and_business_is_business(language):
    """Who is in danger is met wherever they say so; a question about a customer is answered, and hidden from no colleague."""
    assert sense(SURE[language], at_work=True).danger == "sure"
    for text in ("Do they pay on time?", "Sanna vill att vi lägger om till kalenderår, inget bestämt"):
        assert sense(text, at_work=True).danger is None
