"""Long conversations are folded into a summary: batch by batch, once each, behind the conversation, within its tokens."""

import json
from uuid import uuid4

import pytest
from django.utils import timezone
from django_q.models import OrmQ
from hypothesis import given
from hypothesis import strategies as st

from chat import services
from chat.conversations.versions import show_version
from chat.memories import due
from chat.models import Conversation, Message
from chat.summaries import service
from chat.summaries.points import (
    CLOSING,
    OPENING,
    SUMMARY,
    Batch,
    Kind,
    Line,
    Point,
    condense,
    find_points,
    join_points,
    read_points,
    summary_block,
    thin_out,
    tokens_of,
    write_points,
)
from chat.summaries.service import (
    MOST_READ,
    awaits_folding,
    batch_text,
    fold_after_reply,
    fold_conversation,
    read_batch,
)
from chat.tasks import fold_awaiting, fold_messages
from chat.turn.recall import meet_step
from companion_site.llm.tokens import estimate_tokens
from companion_site.vault.scope import space_scope
from tests.chat.talking import begin, compose, finish, reply_to, rows, say, tell
from tests.factories import NOW, make_access, make_business_user, make_company_access
from tests.live import leases, run_jobs
from tests.llm.wire_server import Act
from tests.overlay.building import make_school, named

pytestmark = pytest.mark.spec("C3")

TALK = [
    ("Hello!", "Hi! What can I do for you?"),
    ("I am a beginner, please use plain words", "Of course, I will keep it simple."),
    ("What is the difference between K2 and K3?", "K2 has ready rules and is simpler than K3, which follows principles."),
    ("Thanks!", "You are welcome."),
    ("We decided to take 150k in dividend in December", "Noted. That needs free equity and a general meeting."),
    ("I am halfway through booking the transactions of October", "Good, which ones remain?"),
    ("ok", "Shall we go on?"),
    ("The supplier Kust AB sends its invoices as photographs", "Then attach the photographs to the vouchers."),
    ("great", "Anything else?"),
    ("When is the VAT for October due?", "The VAT return for the fourth quarter is due on 12 February."),
]  # fmt: skip


@pytest.fixture
def ada(db):
    return make_access("ada")


def add_talk(access, talk=TALK, *, conversation=None, provider: str = "offline", **options) -> Conversation:
    """Store a conversation as it stands after these exchanges."""
    row = conversation or begin(access, **options)
    for said, answered in talk:
        say(access, row, said, answer=answered, provider=provider, now=timezone.now())
    return row


def summary_of(access, row) -> tuple[str, int]:
    (found,) = rows(access, Conversation, pk=row.pk)
    with access.open():
        return found.summary or "", found.summarised_until


def batch(*texts: str, summary: str = "", language: str = "en") -> Batch:
    lines = tuple(Line(number % 2 == 0, text) for number, text in enumerate(texts))
    return Batch(
        conversation=uuid4(), begins_after=0, until=20, summary=summary, lines=lines, language=language
    )


def test_what_matters_is_kept_and_filler_dropped():
    """By rule: decisions, answered questions, what is under way and who asks stay; greetings and thanks go."""
    points = condense(batch(*(text for pair in TALK for text in pair)))
    assert points == [
        Point(Kind.PERSON, "I am a beginner, please use plain words"),
        Point(
            Kind.ANSWERED,
            "What is the difference between K2 and K3? → K2 has ready rules and is simpler than K3, which follows principles.",
        ),
        Point(Kind.DECISION, "We decided to take 150k in dividend in December"),
        Point(Kind.TASK, "I am halfway through booking the transactions of October"),
        Point(Kind.SAID, "The supplier Kust AB sends its invoices as photographs"),
        Point(
            Kind.ANSWERED,
            "When is the VAT for October due? → The VAT return for the fourth quarter is due on 12 February.",
        ),
    ]


def test_swedish_is_read_as_well():
    """The same in Swedish, with its own labels."""
    given = batch(
        "Hej!",
        "Hej, vad kan jag hjälpa till med?",
        "Vi har bestämt att ta ut 120 000 kr i utdelning",
        "Bra, då behövs ett stämmobeslut.",
        "Jag är nybörjare, så förklara enkelt tack",
        "Det gör jag.",
        "Jag håller på att gå igenom oktobers transaktioner",
        "Säg till om du fastnar.",
        language="sv",
    )
    assert write_points(condense(given), "sv").splitlines() == [
        "- Beslutat: Vi har bestämt att ta ut 120 000 kr i utdelning",
        "- Om personen: Jag är nybörjare, så förklara enkelt tack",
        "- Pågår: Jag håller på att gå igenom oktobers transaktioner",
    ]


def test_what_is_under_way_is_what_was_last():
    """A later task takes the place of the earlier one; the same words said again are one point."""
    old = [Point(Kind.TASK, "Going through September"), Point(Kind.DECISION, "We chose K2.")]
    new = [Point(Kind.DECISION, "we chose K2"), Point(Kind.TASK, "Going through October")]
    assert join_points(old, new) == [
        Point(Kind.DECISION, "we chose K2"),
        Point(Kind.TASK, "Going through October"),
    ]


POINTS = st.lists(
    st.builds(Point, st.sampled_from(Kind), st.text(st.characters(codec="utf-8"), min_size=1, max_size=900)),
    max_size=40,
)


@given(POINTS)
def test_a_summary_stays_within_its_tokens(points):
    """However much there is, what is kept fits; it is a part of what there was, in its order."""
    kept = thin_out(points, "en")
    assert tokens_of(kept, "en") <= SUMMARY.most_tokens
    rest = iter(points)
    assert all(any(point is other for other in rest) for point in kept)
    assert kept == points or tokens_of(points, "en") > SUMMARY.most_tokens


@given(POINTS, st.integers(0, 700))
def test_a_summary_is_data_that_cannot_leave_its_block(points, tokens):
    """Whatever was said, each line of the block is one of ours or one point; nothing closes it early."""
    block = summary_block(write_points(points, "sv"), tokens=tokens)
    if not block:
        return
    lines = block.splitlines()
    assert lines[0] == OPENING and lines[-1] == CLOSING and estimate_tokens(block) <= tokens
    assert all(line.startswith("- ") and not set("[]") & set(line) for line in lines[2:-1])


WORDS = st.lists(st.text("abåäö", min_size=1, max_size=8), min_size=1, max_size=6).map(" ".join)


@given(st.lists(st.builds(Point, st.sampled_from(Kind), WORDS), max_size=12))
def test_points_are_read_as_they_were_written(points):
    """A summary's lines give back its points, in either language."""
    assert read_points(write_points(points, "en")) == points == read_points(write_points(points, "sv"))


def test_a_batch_is_folded_once(ada):
    """After twenty messages the oldest batch is in the summary, and doing it again changes nothing; the next adds to what still matters of it."""
    row = add_talk(ada)
    assert fold_conversation(ada.space, row.pk, key=ada.key) == 1
    summary, until = summary_of(ada, row)
    assert until == 20 and "150k in dividend" in summary and "Hello" not in summary
    assert fold_conversation(ada.space, row.pk, key=ada.key) == 0
    assert summary_of(ada, row) == (summary, 20)
    later = [("We decided to switch from SEB to Handelsbanken", "Noted."), *[("ok", "Go on.")] * 9]
    add_talk(ada, later, conversation=row)
    assert fold_conversation(ada.space, row.pk, key=ada.key) == 1
    summary, until = summary_of(ada, row)
    assert until == 40 and "Handelsbanken" in summary and "150k in dividend" in summary


def test_less_than_a_batch_waits(ada):
    """Nineteen messages beyond the summary are nothing to fold; a reply that is being written holds its batch back."""
    row = add_talk(ada, TALK[:9])
    exchange = tell(ada, row, "When is it due?")
    assert fold_conversation(ada.space, row.pk, key=ada.key) == 0
    finish(ada, exchange.reply, "Soon.", provider="offline")
    assert fold_conversation(ada.space, row.pk, key=ada.key) == 1


def test_two_workers_fold_a_batch_once(ada):
    """Who comes second finds it done and does not write an older summary over it."""
    from chat.summaries.service import _write

    row = add_talk(ada)
    with ada.open():
        read = read_batch(ada.space, row.pk)
        assert _write(ada.space, read, "- Said: the first")
        assert not _write(ada.space, read, "- Said: the second")
    assert summary_of(ada, row) == ("- Said: the first", 20)


def test_a_fault_between_reading_and_writing_loses_nothing(ada, monkeypatch):
    """Killed before it writes, the batch is still to come."""
    row = add_talk(ada)

    class Killed(BaseException):
        pass

    def die(*args, **kwargs):
        raise Killed

    with monkeypatch.context() as patch:
        patch.setattr(Conversation, "save", die)
        with pytest.raises(Killed):
            fold_conversation(ada.space, row.pk, key=ada.key)
    assert summary_of(ada, row) == ("", 0)
    assert fold_conversation(ada.space, row.pk, key=ada.key) == 1


def test_the_job_has_the_key_only_while_there_is_work(ada):
    """A student's summary is folded with a lease, which goes with the last of the work; the job carries ids only."""
    row = add_talk(ada)
    OrmQ.objects.all().delete()
    with space_scope(ada.space):
        assert awaits_folding(ada.space)
    fold_after_reply(ada, row.pk, now=timezone.now())
    (job,) = OrmQ.objects.all()
    assert job.args() == (str(ada.space), str(row.pk)) and leases(ada) == 1
    fold_messages(*job.args())
    assert summary_of(ada, row)[1] == 20
    with space_scope(ada.space):
        assert not awaits_folding(ada.space)
        sealed = Conversation.objects.for_space(ada.space).get(pk=row.pk).__dict__["summary"]
    assert b"dividend" not in bytes(sealed)


def test_what_waited_is_folded_once_there_is_a_key(ada):
    """After an unlock every conversation that is due gets a job of its own."""
    talks = [add_talk(ada) for _ in range(2)]
    OrmQ.objects.all().delete()
    fold_awaiting(str(ada.space))
    assert run_jobs() == 2
    assert [summary_of(ada, row)[1] for row in talks] == [20, 20]


def test_a_job_ends_in_time_and_the_rest_is_queued_again(ada, monkeypatch):
    """A very long conversation does not hold a worker: one batch at least, and what is left has a job of its own."""
    row = add_talk(ada, TALK * 3)
    OrmQ.objects.all().delete()
    monkeypatch.setattr(due, "BUDGET", 0)
    fold_messages(str(ada.space), str(row.pk))
    reached = [summary_of(ada, row)[1]]
    while run_jobs():
        reached.append(summary_of(ada, row)[1])
    assert reached == [20, 40, 60]


def test_with_leases_off_the_open_session_folds(ada, settings):
    """LEASE_HOURS=0: no key is left for a worker, so it is done while the person is there, after the reply."""
    settings.LEASE_HOURS = 0
    row = add_talk(ada)
    fold_after_reply(ada, row.pk, now=timezone.now())
    assert summary_of(ada, row)[1] == 20 and leases(ada) == 0


def test_nothing_is_kept_of_a_conversation_without_memory(ada):
    """With memory off there is no summary that would outlive the words."""
    row = add_talk(ada, memory_on=False)
    assert fold_conversation(ada.space, row.pk, key=ada.key) == 0


def test_what_was_brought_in_is_folded_once_somebody_goes_on_with_it(ada):
    """An imported conversation that nobody continues holds no lease; the first reply given here makes it due."""
    row = add_talk(ada, provider="")
    with space_scope(ada.space):
        assert not awaits_folding(ada.space)
    add_talk(ada, [("And now?", "Now we go on.")], conversation=row)
    assert fold_conversation(ada.space, row.pk, key=ada.key) == 1


def test_the_summary_stands_before_the_last_messages(ada):
    """A student's request carries it as data before the conversation, once there are messages beyond the last twenty."""
    row = add_talk(ada)
    fold_conversation(ada.space, row.pk, key=ada.key)
    assert "Decided" not in request_for(ada, row, "What now?").turns[0].text
    add_talk(ada, [("And then?", "Then this.")], conversation=row)
    request = request_for(ada, row, "What now?")
    assert request.turns[0].role == "user" and request.turns[0].text.startswith(OPENING)
    assert "Decided: We decided to take 150k" in request.turns[0].text
    assert len(request.turns) == 22 and request.turns[1].text == TALK[1][1]
    assert "150k" not in request.system


@pytest.mark.spec("G10")
def test_a_summary_passes_the_fog(db):
    """What a model wrote into a summary and the student has not met is not handed on by name."""
    ada = make_access("ada", school=make_school(concepts=named("Mitochondrion"), edges=[]))
    row = add_talk(ada, [*TALK, ("And then?", "Then this.")])
    with space_scope(ada.space), ada.open():
        row.refresh_from_db()
        row.summary = "- Said: The Mitochondrion came up\n- Decided: We chose biology"
        row.save(update_fields=["summary"])
    met = meet_step(ada, "What now?", learns=True, now=NOW)
    request = request_for(ada, row, "What now?", fog=met.fog)
    assert "We chose biology" in request.turns[0].text
    assert "mitochondrion" not in " ".join(turn.text for turn in request.turns).lower()


def request_for(access, row, text: str, *, fog=None):
    exchange = tell(access, row, text, now=timezone.now())
    request = compose(access, exchange.message, text, fog=fog).request
    finish(access, exchange.reply, "So.", state=Message.State.FAILED, provider="offline")
    return request


@pytest.fixture
def model(model, committed):
    return model


def answer(*points: tuple[str, str]) -> Act:
    return Act(text=json.dumps({"points": [{"kind": kind, "text": text} for kind, text in points]}))


def test_the_cheap_model_folds_and_shortens(model, settings):
    """The fast model is asked with the old summary and the batch as data; past 500 tokens it is asked again."""
    bo = make_company_access(make_business_user())
    row = add_talk(bo)
    long = [("said", f"Point number {number} " + "x" * 180) for number in range(14)]
    model.script(answer(*long), answer(("decision", "Took 150k in dividend")))
    fold_conversation(bo.space, row.pk, key=bo.key)
    assert summary_of(bo, row) == ("- Decided: Took 150k in dividend", 20)
    first, second = model.requests
    assert first.body["model"] == settings.ANTHROPIC_FAST_MODEL
    assert "150k in dividend in December" in first.last_text and "Kust AB" not in first.system_text
    assert "Point number 13" in second.last_text


def test_a_model_that_will_not_be_brief_is_cut_by_rule(model):
    """Whatever it answers, the summary is within its tokens, and the batch counts as folded."""
    bo = make_company_access(make_business_user())
    row = add_talk(bo)
    long = [("said", f"Point number {number} " + "x" * 180) for number in range(14)]
    model.script(answer(("decision", "Took 150k"), *long), answer(("decision", "Took 150k"), *long))
    fold_conversation(bo.space, row.pk, key=bo.key)
    summary, until = summary_of(bo, row)
    assert until == 20 and estimate_tokens(summary) <= SUMMARY.most_tokens
    assert summary.startswith("- Decided: Took 150k")


def test_a_turn_queues_the_folding_and_does_not_wait_for_it(model):
    """The reply is there when the job is only queued; running it brings the summary."""
    bo = make_company_access(make_business_user())
    row = add_talk(bo, TALK[:9])
    exchange = tell(bo, row, "When is the VAT due?")
    reply_to(bo, exchange)
    assert services.find_message(bo, row.pk, exchange.reply.pk).state == "complete"
    jobs = [job for job in OrmQ.objects.all() if "fold" in str(job.func())]
    assert len(jobs) == 1 and summary_of(bo, row) == ("", 0)
    model.script(answer(("decision", "Took 150k")))
    run_jobs()
    assert summary_of(bo, row) == ("- Decided: Took 150k", 20)


def test_no_message_of_a_batch_goes_unread():
    """Of the longest messages a model reads the beginning of each, and in all no more than it reads with care."""
    said = batch_text(batch(*(f"Message {number}: " + "x" * SUMMARY.most_read for number in range(20))))
    assert all(f"Message {number}: " in said for number in range(20))
    assert len(said) <= MOST_READ + 500
    assert batch_text(batch("short", "and sweet")).endswith("Person: short\n\nCompanion: and sweet")


def test_points_of_one_batch_are_bounded():
    """A batch of the longest messages gives a bounded number of points, each one bounded line."""
    texts = [f"We decided to buy machine {number} for the workshop. " * 40 for number in range(20)]
    points = find_points([Line(True, text) for text in texts], "en")
    assert len(points) <= SUMMARY.most_points
    assert all(len(point.text) <= SUMMARY.most_chars for point in points)


def test_a_summary_holds_no_version_that_was_left(ada, monkeypatch):
    """Neither of what is changed while it is folded in, nor of what comes back: then it is folded anew from the beginning."""
    row, whole = add_talk(ada), service.summarise
    last = rows(ada, Message, role=Message.Role.PERSON)[-1].pk

    def change_meanwhile(batch):
        monkeypatch.setattr(service, "summarise", whole)
        given = {"text": "Let us stop here", "client_id": uuid4(), "instead_of": last, "now": timezone.now()}
        services.say(ada, row.pk, **given)
        return whole(batch)

    monkeypatch.setattr(service, "summarise", change_meanwhile)
    fold_conversation(ada.space, row.pk, key=ada.key)
    assert summary_of(ada, row) == ("", 0)
    finish(ada, rows(ada, Message)[-1], "So.", provider="offline")
    assert fold_conversation(ada.space, row.pk, key=ada.key) == 1
    summary, until = summary_of(ada, row)
    assert until == 20 and "150k in dividend" in summary and "VAT for October" not in summary
    show_version(ada, row.pk, last, now=timezone.now())
    assert summary_of(ada, row) == ("", 0)
    fold_conversation(ada.space, row.pk, key=ada.key)
    assert "VAT for October" in summary_of(ada, row)[0]
