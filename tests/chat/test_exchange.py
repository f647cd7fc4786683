"""A model reads an exchange once its person pauses: one request, believed word by word, each change undone by itself."""

import asyncio
import json
from datetime import timedelta

import pytest
from django.utils import timezone
from django_q.models import OrmQ

from chat import services
from chat.coaching.store import noted_of
from chat.conversations.properties import rename
from chat.memories import due, exchange
from chat.memories.exchange import leave_page, read_exchange
from chat.memories.formation import count_memories, form_all_awaiting
from chat.memories.intake import take_in_waiting
from chat.models import Conversation, Message
from chat.tasks import queue_readings
from chat.tasks import read_exchange as read_job
from companion_site.audit.models import AuditEvent
from companion_site.vault.models import KeySlot
from companion_site.vault.scope import space_scope
from ledger.models import LedgerEntry
from memory.models import LifeFact, MemoryChange, MemoryNode, MemorySource
from memory.student.exchange import store
from memory.student.life.moods import moods_between
from memory.student.pages.changes import recent_changes
from memory.student.undo import undo_change
from tests.chat.talking import begin, change_rows, held, renew, rows, say, tell
from tests.factories import NOW, make_access
from tests.live import run_jobs
from tests.llm.wire_server import Act

pytestmark = pytest.mark.spec("G3")

SECOND = timedelta(seconds=1)
LATER = NOW + timedelta(minutes=2)


@pytest.fixture
def ada(db, model):
    return make_access("ada")


def answer(model, **found) -> None:
    model.always(Act(text=json.dumps({"facts": [], **found})))


def fact(message: int, quote: str, text: str = "", **given) -> dict:
    return {"message": message, "quote": quote, "text": text or quote, **given}


def read(access, row, *, now=LATER) -> int:
    return read_exchange(access.space, row.pk, key=access.key, now=now)


def form(access) -> None:
    """Have the heads form what was said, as the worker does at once."""
    form_all_awaiting(access.space, key=access.key, now=NOW)


def promises(access) -> int:
    with space_scope(access.space):
        current = LedgerEntry.objects.for_space(access.space).current()
        return current.filter(category="promise", is_active=True).count()


def told(access, model, *texts: str, **found) -> Conversation:
    """Say some things in a new conversation and have them read."""
    row = begin(access)
    for text in texts:
        say(access, row, text)
    answer(model, **found)
    assert read(access, row) == 1
    return row


def shown(model) -> dict:
    """Return what the model was shown as data."""
    text = model.requests[-1].last_text
    return json.loads(text[text.index("{") : text.rindex("}") + 1])


def test_one_request_reads_all_that_was_said_and_short_words_too(ada, model):
    """Each message is read once, with the replies around it, what is known and what formed; nothing of it is an instruction."""
    row = begin(ada)
    for text in ("I'm vegan.", "My brother Noah plays chess. I am a little afraid of him.", "ok thanks"):
        say(ada, row, text, answer="Tell me more about that.")
    answer(model, facts=[fact(1, "I'm vegan", "I'm vegan.", life=["preference"])])
    assert read(ada, row) == 1 and len(model.requests) == 1
    sent = shown(model)
    assert [one["n"] for one in sent["messages"] if one.get("new")] == [1, 3, 5]
    assert "Tell me more" in json.dumps(sent) and "Noah" not in model.requests[0].system_text
    assert any("vegan" in text for text in held(ada))
    assert rows(ada, LifeFact, kind="preference")
    assert (renew(row).extracted_until, renew(row).extract_at) == (6, None)
    assert read(ada, row) == 0 and len(model.requests) == 1
    say(ada, row, "I have a cat.", now=LATER)
    assert read(ada, row, now=LATER + timedelta(minutes=5)) == 1
    assert [one["n"] for one in shown(model)["messages"] if one.get("new")] == [7]


def test_words_of_a_memory_stand_alone_and_are_undone_in_one_click(ada, model):
    """What leans on a word before it is put in words that stand alone, in place of what the heads kept."""
    said = "Mira has a dog called Bosse. I am a little afraid of big dogs, but not of him."
    clear = "I am a little afraid of big dogs, but not of Bosse."
    told(ada, model, said, facts=[fact(1, "I am a little afraid of big dogs, but not of him.", clear)])
    assert clear in held(ada) and not any("him" in text for text in held(ada))
    with space_scope(ada.space):
        (message,) = Message.objects.for_space(ada.space).said_by_person()
        assert count_memories(ada.space, {message.pk}) == {message.pk: len(held(ada))}
    with ada.open():
        (change,) = recent_changes(ada.space, now=LATER)
        assert change.title == "Put in words that stand alone" and change.can_be_undone
        undo_change(ada.space, change.id, now=LATER, actor=ada.person)
    assert clear not in held(ada) and any("but not of him" in text for text in held(ada))


def test_a_sentence_of_three_things_becomes_three_only_where_nothing_is_lost(ada, model):
    """What formed stays where the facts of its words leave something of it out."""
    said = "I go to class 7B and I live in Lund with my brother Noah."
    parts = ["I go to class 7B", "I live in Lund", "I live with my brother Noah"]
    told(ada, model, said, facts=[fact(1, said, one) for one in parts])
    assert set(parts) <= set(held(ada)) and said not in held(ada)
    other = "I take the train to Malmö and I read about whales in the Atlantic on Fridays."
    told(ada, model, other, facts=[fact(1, "I take the train to Malmö", "I take the train to Malmö.")])
    assert any("whales" in text for text in held(ada))


def test_what_stands_nowhere_is_never_believed(ada, model, subtests):
    """A quote must be the person's; names, numbers, dates and denials of a text must be in what was shown."""
    said = "I met Karin on Friday and we did not argue about 12 books."
    cases = {
        "a quote of nobody": fact(1, "I love skydiving"),
        "no message of that number": fact(9, said),
        "a reply's words": fact(2, "Tell me about Erik."),
        "a name": fact(1, said, "I met Karin and Bertil on Friday and we did not argue about 12 books."),
        "a first name": fact(1, said, "Bertil met Karin and did not argue about 12 books."),
        "a number": fact(1, said, "I met Karin and we did not argue about 14 books."),
        "a date": fact(1, said, "I met Karin on 3 March and we did not argue about 12 books."),
        "a denial lost": fact(1, said, "I met Karin and we did argue about 12 books."),
        "a denial made up": fact(1, "I met Karin on Friday", "I never met Karin on Friday."),
        "another language": fact(1, said, "Я встретил друга в пятницу"),
        "no words": fact(1, said, " "),
        "too many words": fact(1, said, "I met Karin. " * 60),
    }
    for name, one in cases.items():
        with subtests.test(name):
            row = begin(ada)
            say(ada, row, said, answer="Tell me about Erik.")
            answer(model, facts=[one])
            assert read(ada, row) == 1
            assert held(ada) in ([said], [])


def test_dates_may_be_put_for_the_words_that_meant_them(ada, model):
    """The 2nd of March 2026 is a Monday, so "on Friday" is the 6th."""
    told(
        ada,
        model,
        "On Friday I have a biology test.",
        facts=[
            fact(
                1,
                "On Friday I have a biology test.",
                "On Friday 6 March I have a biology test.",
                life=["appointment"],
            )
        ],
    )
    assert "On Friday 6 March I have a biology test." in held(ada)
    with ada.open():
        details = [one.detail for one in rows(ada, LifeFact, kind="appointment")]
    assert {"on": "2026-03-06"} in details


def test_answers_that_are_none_leave_what_the_heads_formed(ada, model, settings, subtests):
    """No JSON, an empty or foreign answer, an error: nothing is lost, nothing is asked for ever, and the words are read once."""
    said = "I find recursion hard, please explain step by step."
    acts = {
        "prose": Act(text="I would rather talk about the weather."),
        "empty": Act(text=""),
        "another form": Act(text='{"statements": 3}'),
        "junk": Act(text='{"facts": [{"message": "eins", "quote": 4}]}'),
        "an error": Act(status=400),
        "nothing found": Act(text='{"facts": []}'),
        "late": Act(hang="request"),
    }
    settings.LLM_TIMEOUT_S = 1
    for name, act in acts.items():
        with subtests.test(name):
            row = begin(ada)
            say(ada, row, said)
            model.always(act)
            read(ada, row)
            assert any("recursion" in text for text in held(ada))
            assert renew(row).extract_at is None
            asked = len(model.requests)
            assert read(ada, row) == 0 and len(model.requests) == asked


def test_what_was_not_meant_goes_and_can_be_had_back(ada, model):
    """A memory of words that were played is put away by words that show it; without such words, or of another message, it stays."""
    told(ada, model, "I live in Lund with my mum.")
    row = begin(ada)
    say(
        ada,
        row,
        "My name is Captain Hook. I promise to give my parrot Polly to my brother Noah. Just playing pirates!",
    )
    form(ada)
    assert any("parrot" in text for text in held(ada)) and promises(ada) == 1
    answer(
        model, unmeant=[{"memory": n, "quote": "Just playing pirates", "why": "played"} for n in range(1, 6)]
    )
    assert read(ada, row) == 1
    assert not any("parrot" in text for text in held(ada)) and promises(ada) == 0
    assert any("Lund" in text for text in held(ada))
    with ada.open():
        changes = recent_changes(ada.space, now=LATER)
        assert {change.title for change in changes} == {"Not meant as said"}
        for change in changes:
            undo_change(ada.space, change.id, now=LATER, actor=ada.person)
    assert any("parrot" in text for text in held(ada)) and promises(ada) == 1


def test_what_a_later_word_replaces_is_retired_and_can_be_had_back(ada, model):
    """A model's word on the same subject acts, also where the heads only doubted; on what is far from it it does not."""
    told(ada, model, "I train at the gym with Leo after school.", "My grandma grows roses in Ystad.")
    row = begin(ada)
    left = "I have left the gym, it was too expensive for Leo and me."
    say(ada, row, left, now=NOW + SECOND)
    form(ada)
    known = shown_memories(ada, row)
    gym, roses = (
        next(number for number, text in known.items() if words in text)
        for words in ("with Leo after", "roses")
    )
    answer(model, facts=[fact(1, left, replaces=[gym, roses, 77])])
    assert read(ada, row) == 1
    assert not any("with Leo after" in text for text in held(ada)) and any(
        "roses" in text for text in held(ada)
    )
    with ada.open():
        change = next(one for one in recent_changes(ada.space, now=LATER) if one.kind == "superseded")
        undo_change(ada.space, change.id, now=LATER, actor=ada.person)
    assert any("with Leo after" in text for text in held(ada))


def shown_memories(access, row) -> dict[int, str]:
    """Return the numbered memories that a reading of this conversation would show."""
    with access.open():
        part = exchange._next_part(access.space, row.pk, now=LATER)
        found = exchange._show(access.space, part, exchange.get_embedder())
        return {number: one.text for number, one in enumerate(found.held, start=1)}


def test_ledger_actions_and_feelings_come_of_the_same_request(ada, model):
    """Each is the person's own words, written once, and what the person told or took back stays."""
    said = "Grandma lent me her old violin until June. I would be so happy to run a marathon. I am thankful for my sister."
    row = begin(ada)
    message = say(ada, row, said).message
    answer(
        model,
        facts=[
            fact(1, "Grandma lent me her old violin until June.", ledger="debt"),
            fact(1, "1984.", ledger="fact"),
        ],
        actions=[
            {"message": 1, "type": "set_goal", "words": "run a marathon"},
            {"message": 1, "type": "log_gratitude", "words": "my sister"},
            {"message": 1, "type": "log_gratitude", "words": "my whole family"},
            {"message": 1, "type": "update_goal", "words": "run a marathon", "goal": 4},
            {"message": 1, "type": "conquer", "words": "run a marathon"},
        ],
        feelings=[
            {"message": 1, "emotion": "joy", "intensity": "high", "energy": "high", "social_need": "unknown"},
            {"message": 1, "emotion": "rage"},
            {"message": 8, "emotion": "joy"},
        ],
    )
    assert read(ada, row) == 1 and len(model.requests) == 1
    with ada.open():
        with space_scope(ada.space):
            entries = LedgerEntry.objects.for_space(ada.space).current().filter(category="debt")
            (entry,) = [one for one in entries if "violin" in one.content]
            assert entry.node_id is not None
        noted = [one.text for one in noted_of(ada.space, [message.pk])[message.pk]]
        (mood,) = moods_between(ada.space, NOW, LATER)
    assert (
        len(noted) == 3
        and "Mood noted: Glad" in noted
        and any("marathon" in one for one in noted)
        and any("my sister" in one for one in noted)
    )
    assert (mood.state.primary_emotion, mood.message_id, mood.is_told) == ("joy", message.pk, False)


@pytest.mark.parametrize("said", ["What makes me so happy?", "Forget that I am afraid of heights"])
def test_who_asks_or_has_something_forgotten_tells_no_feeling(ada, model, said):
    """Whatever a model reads in it."""
    row = begin(ada)
    say(ada, row, said)
    answer(model, feelings=[{"message": 1, "emotion": "joy"}])
    assert read(ada, row) == 1
    with ada.open():
        assert not moods_between(ada.space, NOW, LATER)


def test_a_message_of_danger_keeps_what_it_had(ada, model):
    """Its threat stays in the ledger, its memories as they are; nothing is noted or felt of it."""
    said = "I do not want to live any more. I want to kill myself tonight."
    row = begin(ada)
    message = say(ada, row, said).message
    form(ada)
    before = held(ada)
    answer(
        model,
        facts=[fact(1, "I want to kill myself tonight.", "I want to feel better.")],
        unmeant=[{"memory": n, "quote": "I want to kill myself tonight", "why": "ironic"} for n in (1, 2)],
        actions=[{"message": 1, "type": "set_goal", "words": "kill myself tonight"}],
        feelings=[{"message": 1, "emotion": "joy"}],
    )
    assert read(ada, row) == 1
    assert set(before) <= set(held(ada)) and "I want to feel better." not in held(ada)
    with ada.open():
        assert not noted_of(ada.space, [message.pk])
        assert not moods_between(ada.space, NOW, LATER)
        with space_scope(ada.space):
            assert LedgerEntry.objects.for_space(ada.space).current().filter(category="threat").exists()


def test_what_the_person_took_away_does_not_come_back(ada, model):
    """Forgotten between forming and reading, a memory stays forgotten, in whatever words."""
    from memory.student.corrections import forget_memory

    row = begin(ada)
    say(ada, row, "I find recursion hard, please explain step by step.")
    form(ada)
    (node,) = rows(ada, MemoryNode)
    with ada.open():
        forget_memory(ada.space, node.pk, now=NOW, actor=ada.person)
    answer(model, facts=[fact(1, "I find recursion hard", "I find recursion hard.")])
    assert read(ada, row) == 1 and held(ada) == []


def test_with_memory_off_nothing_is_asked(ada, model, subtests):
    """Neither what is said while it is off nor, once it is off, what was said before."""
    from chat.conversations.properties import switch_conversation

    with subtests.test("from the first"):
        row = begin(ada, memory_on=False)
        say(ada, row, "I live in Lund.")
        assert renew(row).extract_at is None and read(ada, row) == 0
    with subtests.test("switched off before it is read"):
        row = begin(ada)
        say(ada, row, "I have a cat called Misse.")
        switch_conversation(ada, row.pk, on=False, now=NOW)
        assert read(ada, row) == 0
        say(ada, row, "I have a secret.", now=NOW + SECOND)
        switch_conversation(ada, row.pk, on=True, now=NOW + 2 * SECOND)
        answer(model)
        assert read(ada, row) == 1 and "secret" not in json.dumps(shown(model))
    assert len(model.requests) == 1


def test_without_a_model_nothing_is_due(db):
    """Nothing is noted on a conversation and no job is queued for it."""
    ada = make_access("ada")
    row = begin(ada)
    say(ada, row, "I live in Lund.")
    assert renew(row).extract_at is None
    assert [job.func() for job in OrmQ.objects.all()] == ["chat.tasks.form_memory"]


def test_killed_anywhere_it_is_done_once(ada, model, monkeypatch, subtests):
    """Cut off while it writes, a reading leaves nothing; begun again it writes each row once."""
    said = "Mira has a dog called Bosse. I am a little afraid of big dogs, but not of him. I am thankful for my sister."
    row = begin(ada)
    say(ada, row, said)
    form(ada)
    found = {
        "facts": [
            fact(1, "but not of him", "I am a little afraid of big dogs, but not of Bosse."),
            fact(1, "I am thankful for my sister.", "I am thankful for my sister.", ledger="fact"),
        ],
        "actions": [{"message": 1, "type": "log_gratitude", "words": "my sister"}],
        "feelings": [{"message": 1, "emotion": "calm"}],
    }
    answer(model, **found)

    def count() -> list[int]:
        kinds = (MemoryNode, MemorySource, MemoryChange, LedgerEntry, LifeFact)
        events = AuditEvent.objects.filter(chain=ada.space).exclude(action__startswith="vault.")
        return [*(len(rows(ada, kind)) for kind in kinds), events.count()]

    before = count()

    def die(*args, **given):
        raise SystemExit

    for place in (
        (exchange, "store"), (store, "store_memories"), (store, "promote"), (store, "_reword"), (exchange, "correct_mood"),
        (exchange, "apply_actions"), (exchange, "count_memories"),
    ):  # fmt: skip
        with subtests.test(place[1]), monkeypatch.context() as patched:
            patched.setattr(*place, die)
            with pytest.raises(SystemExit):
                read(ada, row)
            assert count() == before and renew(row).extracted_until == 0
    assert read(ada, row) == 1
    after = count()
    assert after[0] > before[0] and read(ada, row) == 0 and count() == after
    change_rows(ada, Conversation, {"pk": row.pk}, extracted_until=0)
    assert read(ada, row) == 1
    assert count()[:2] == after[:2] and count()[3:5] == after[3:5]


class TestWhen:
    """The reading waits for a pause, a leave or another conversation, and for the key."""

    @pytest.fixture
    def kim(self, model, committed):
        return make_access("kim")

    def test_after_a_pause_and_not_before(self, kim, model):
        """Whoever goes on is not interrupted; job arguments are ids; it is queued once."""
        began = timezone.now() - 60 * SECOND
        row = begin(kim)
        say(kim, row, "I have a cat called Misse.", now=began)
        run_jobs()
        assert due.queue_due(now=began + 19 * SECOND) == 0
        assert due.queue_due(now=began + 20 * SECOND) == 1
        (job,) = OrmQ.objects.all()
        assert (job.func(), job.args()) == ("chat.tasks.read_exchange", (str(kim.space), str(row.pk)))
        OrmQ.objects.all().delete()
        say(kim, row, "He is black.", now=began + 20 * SECOND)
        assert read(kim, row, now=began + 21 * SECOND) == 0 and not model.requests
        answer(model, facts=[fact(3, "He is black.", "Misse is black.")])
        queue_readings()
        run_jobs()
        assert len(model.requests) == 1 and "Misse is black." in held(kim)
        read_job(str(kim.space), str(row.pk))
        queue_readings()
        assert OrmQ.objects.filter(key__contains="read_exchange").count() == 0 and len(model.requests) == 1

    def test_at_once_where_they_leave_or_begin_another(self, kim, model, subtests):
        """The page's end and a new conversation are pauses of their own."""
        first = begin(kim)
        say(kim, first, "I have a cat called Misse.")
        run_jobs()
        with subtests.test("another conversation"):
            begin(kim)
            assert [job.args()[1] for job in OrmQ.objects.all()] == [str(first.pk)]
            OrmQ.objects.all().delete()
        with subtests.test("the page's end"):
            due.leave(kim, first.pk, now=NOW)
            assert [job.args()[1] for job in OrmQ.objects.all()] == [str(first.pk)]

    def test_where_no_worker_may_hold_the_key_the_open_session_reads(self, kim, model, settings):
        """Nothing is queued; what is due is read after the next reply, and as the page is left."""
        settings.LEASE_HOURS = 0
        row = begin(kim)
        say(kim, row, "I have a cat called Misse.")
        answer(model, facts=[fact(1, "I have a cat called Misse.")])
        begin(kim)
        assert OrmQ.objects.count() == 0 and due.queue_due(now=LATER) == 0
        take_in_waiting(kim.space, key=kim.key, now=NOW + SECOND)
        assert not model.requests
        take_in_waiting(kim.space, key=kim.key, now=LATER)
        assert len(model.requests) == 1 and "I have a cat called Misse." in held(kim)
        say(kim, row, "He is black.", now=LATER)
        answer(model, facts=[fact(3, "He is black.", "Misse is black.")])
        asyncio.run(leave_page(kim, row))
        assert len(model.requests) == 2 and "Misse is black." in held(kim)

    def test_the_key_stays_until_it_is_read_and_without_one_it_waits(self, kim, model):
        """A lease lasts as long as there is something to read; where it went, the next unlock goes on."""
        row = begin(kim)
        tell(kim, row, "I have a cat called Misse.", now=timezone.now())
        run_jobs()
        with space_scope(kim.space):
            leases = KeySlot.objects.for_space(kim.space).of_kind(KeySlot.Kind.LEASE)
            assert leases.count() == 1
            leases.delete()
        later = timezone.now() + timedelta(minutes=2)
        assert due.queue_due(now=later) == 1
        run_jobs()
        assert not model.requests and due.queue_due(now=later + timedelta(hours=1)) == 0


def test_what_is_changed_while_it_is_read_forms_nothing(ada, model, monkeypatch):
    """Where another version stands there by the time the model has answered, the next reading begins with that one."""
    row, whole = begin(ada), exchange.read
    said = say(
        ada, row, "Mira has a dog called Bosse. I am a little afraid of big dogs, but not of him."
    ).message
    clear = "I am a little afraid of big dogs, but not of Bosse."
    answer(model, facts=[fact(1, "I am a little afraid of big dogs, but not of him.", clear)])

    def change_meanwhile(shown):
        monkeypatch.setattr(exchange, "read", whole)
        tell(ada, row, "Never mind.", instead_of=said.pk)
        return whole(shown)

    monkeypatch.setattr(exchange, "read", change_meanwhile)
    read(ada, row)
    assert held(ada) == []


def test_a_conversation_is_called_by_what_it_is_about(ada, model):
    """With a model its first reading gives it a title; a name that its person gave stays, and so does what a later reading says."""
    row = told(
        ada, model, "I find recursion hard, please explain step by step.", title='"Recursion, step by step."'
    )
    assert services.read_title(ada, row.pk) == "Recursion, step by step"
    say(ada, row, "And loops?")
    answer(model, title="Loops")
    read(ada, row)
    assert services.read_title(ada, row.pk) == "Recursion, step by step"
    named = begin(ada)
    say(ada, named, "I find recursion hard, please explain step by step.")
    rename(ada, named.pk, title="For the exam")
    answer(model, title="Recursion")
    read(ada, named)
    assert services.read_title(ada, named.pk) == "For the exam"


@pytest.mark.parametrize("title", ["", "x" * 200, "<b>Recursion</b>", "[a](http://b)", "  \n "])
def test_a_title_that_is_none_changes_nothing(ada, model, title):
    """What is empty, a text or markup leaves the first words as they stand."""
    row = told(ada, model, "I find recursion hard.", title=title)
    assert services.read_title(ada, row.pk) == "I find recursion hard."


def test_no_title_is_made_of_danger(ada, model):
    """A conversation in which danger was spoken of keeps a title that says nothing, whatever a model calls it."""
    row = told(ada, model, "I want to hurt myself.", title="Self-harm")
    assert "harm" not in services.read_title(ada, row.pk)
    later = told(
        ada, model, "I find recursion hard.", "I want to hurt myself.", title="Self-harm and recursion"
    )
    assert "harm" not in services.read_title(ada, later.pk)
