"""One sleep from beginning to end, without a model: read, thought out, written, recorded, gone on with."""

from datetime import timedelta

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from companion_site.audit.models import AuditEvent
from companion_site.ids import new_id
from companion_site.vault import unlocked
from companion_site.vault.scope import space_scope
from memory.models import MemoryVector
from memory.student.sleep import run as running
from memory.student.sleep.run import sleep
from memory.student.sleep.selectors import cut_batch
from memory.student.sleep.timing import begin_run
from tests.factories import NOW
from tests.memory.conftest import Counting
from tests.memory.student.sleep.sleeper import HANDBALL, MOSES, NIGHT, Sleeper

pytestmark = [pytest.mark.django_db, pytest.mark.spec("I2")]

ABOUT = [
    "My name is Ada and I go to Vasaskolan in year nine",
    "My mother tongue is Swedish and I live in Lund",
    "I find fractions really hard",
    "I want to become a vet",
    "I am good at drawing horses",
]


def tell_sessions(ada: Sleeper, count: int, *, each: int = 4) -> None:
    """Have so many sessions, a minute apart, each of which says something of its own."""
    for session in range(count):
        texts = [
            f"In match {session}.{number} we scored {10 + number} goals in town {session}"
            for number in range(each)
        ]
        ada.say(texts, at=NOW + timedelta(minutes=session), conversation_id=new_id())


@pytest.mark.spec("AC-2.1.1", "AC-2.1.2", "AC-2.1.3", "AC-2.1.8", "I4")
def test_what_was_said_is_taken_into_long_term_memory(ada):
    """Every memory ends in a category, in an insight, or with a date to expire; what is stored shows it, and so does the record.

    The audit chain has one event for each run that wrote, with ids and counts alone.
    """
    said = ada.say(ABOUT)
    run = ada.sleep()
    assert (run.state, run.processed, run.left, run.error) == ("success", 5, 0, "")
    assert (run.provider, run.attempt, run.trigger, run.progress) == ("offline", 1, "scheduled", 1.0)
    rows = ada.nodes(pk__in=said)
    assert all(row.slept_over_at == NIGHT for row in rows.values())
    for row in rows.values():
        into = ada.nodes(pk=row.merged_into_id)[row.merged_into_id] if row.merged_into_id else row
        assert into.removed_at is None
        assert (
            into.category in {"background", "strengths", "struggles", "goals"} or into.expires_at is not None
        )
    kept = run.processed - run.covered - run.let_go - run.left
    long_term = [row for row in ada.nodes().values() if row.tier == "long_term" and row.removed_at is None]
    assert len(long_term) == run.created + kept > 0
    assert run.duration_ms >= run.commit_ms >= 0
    (event,) = AuditEvent.objects.filter(chain=ada.space, action="memory.slept")
    assert (event.subject_id, event.data["processed"]) == (run.pk, 5)
    assert all(isinstance(value, int) for name, value in event.data.items() if name != "trigger")
    assert ada.next_sleep_at() is None


@pytest.mark.spec("I3", "AC-2.1.4", "AC-2.1.6")
def test_basic_background_and_all_that_matters_survive(ada):
    """Whatever was important is still believed afterwards, names and numbers to the letter."""
    ada.say([*ABOUT, *MOSES, *HANDBALL], salience=0.8)
    assert ada.sleep().state == "success"
    words = "\n".join(ada.active().values())
    for literal in (
        "Ada",
        "Vasaskolan",
        "nine",
        "Swedish",
        "Lund",
        "Moses",
        "two",
        "Berit",
        "21",
        "24",
        "vet",
    ):
        assert literal in words


@pytest.mark.spec("AC-2.1.5")
def test_it_goes_on_while_work_is_left(ada):
    """Batches of ten to twenty, whole sessions where they fit, one run after the other, until nothing waits."""
    tell_sessions(ada, 11)
    runs = ada.sleep_through()
    assert [run.processed for run in runs] == [20, 12, 12]
    assert [run.trigger for run in runs] == ["scheduled", "continued", "continued"]
    assert {run.state for run in runs} == {"success"}
    assert all(row.slept_over_at == NIGHT for row in ada.nodes(tier="short_term").values())
    assert ada.next_sleep_at() is None


def test_what_came_in_after_it_began_waits_for_the_next(ada):
    """A session that goes on is not slept over in its middle; its sleep is planned by its own last word."""
    tell_sessions(ada, 1)
    (late,) = ada.say(["My bus leaves at 07.15"], at=NIGHT + timedelta(seconds=1))
    ada.sleep()
    assert ada.nodes(pk=late)[late].slept_over_at is None
    assert ada.next_sleep_at() == NIGHT + timedelta(hours=4, seconds=1)


def test_a_run_costs_as_much_as_the_one_before(ada, monkeypatch):
    """Its statements to the database do not grow with the batches before it, and no statement that has a vector is embedded."""
    tell_sessions(ada, 25)
    said, costs = set(ada.active().values()), []
    for _ in range(4):
        run = begin_run(ada.space, trigger="scheduled", now=NIGHT)
        embedder = Counting()
        monkeypatch.setattr(running, "get_embedder", lambda made=embedder: made)
        with CaptureQueriesContext(connection) as queries:
            sleep(ada.space, run.pk, key=ada.key, now=NIGHT, queue=False)
        costs.append(len(queries))
        assert said.isdisjoint(embedder.texts)
    assert costs[3] <= max(costs[1:3]) + 5


def test_a_sleep_with_nothing_to_do_says_so(ada):
    """Asked for in vain it ends well, changes nothing, and plans nothing."""
    run = ada.sleep()
    assert (run.state, run.processed) == ("success", 0)
    assert ada.changes("consolidated") == [] and ada.next_sleep_at() is None


def test_vectors_of_another_model_do_not_keep_it_awake(ada):
    """What has no vector under the present model gets one for thinking; the insights carry theirs."""
    nodes = ada.say(MOSES, salience=0.9)
    with space_scope(ada.space):
        MemoryVector.objects.for_space(ada.space).filter(node_id__in=nodes).update(model="another")
    assert ada.sleep().processed == 3


def test_the_vector_of_an_insight_is_not_taken_for_that_of_its_words(ada):
    """It is the mean of what it stands for, also where it is one line; only what was said is known by its vector."""
    nodes = ada.say(MOSES)
    ada.write([ada.insight(nodes[:2], "Moses sleeps")])
    (made,) = ada.nodes(trust="derived")
    with space_scope(ada.space), unlocked(ada.space, ada.key):
        read = running.read_items(ada.space, [made, nodes[2]], model=ada.model, now=NIGHT)
        counting = Counting()
        embedder = running.EmbedUnknown(counting)
        embedder.embed([item.text for item in embedder.with_vectors([*read.values()])])
    assert set(counting.texts) == {"Moses sleeps"}


def cut(sizes: list[int]) -> int:
    sessions = [session for session, size in enumerate(sizes) for _ in range(size)][:30]
    return cut_batch(sessions, least=10, most=20)


def test_a_batch_ends_between_sessions_where_that_fits(subtests):
    """As many as fit; else as many as are allowed, and at least ten stay for the next where more than twenty wait."""
    for sizes, taken in [
        ([], 0),
        ([3], 3),
        ([20], 20),
        ([6, 6], 12),
        ([8, 9, 8], 15),
        ([12, 12], 12),
        ([7, 7, 7, 7, 7], 14),
        ([40], 20),
        ([21], 11),
        ([5, 16], 11),
    ]:
        with subtests.test(sizes=sizes, taken=taken):
            assert cut(sizes) == taken
