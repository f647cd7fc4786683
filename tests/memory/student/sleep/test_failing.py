"""A sleep that fails says so, loses nothing, is tried again, and is done without a model in the end."""

from datetime import timedelta

import pytest

from companion_site.audit.models import AuditEvent
from companion_site.embeddings.errors import EmbedderUnavailable
from companion_site.vault.services import grant_lease
from memory.student.sleep import run as running
from memory.student.sleep.timing import queue_due
from tests.cases import cases
from tests.llm.wire_server import Act
from tests.memory.student.sleep.batches import answer
from tests.memory.student.sleep.sleeper import HANDBALL, MOSES, NIGHT, Sleeper

pytestmark = [pytest.mark.django_db, pytest.mark.spec("I4", "AC-2.1.7", "AC-2.1.8")]

MINUTE = timedelta(minutes=1)
HALF = Act(text='{"insights": [{"category": "background", "lines": ["My kitt')
SILENT = Act(hang="request")


@pytest.fixture
def model(model, settings):
    """It has one second to answer in."""
    settings.LLM_TIMEOUT_S = 1
    return model


def fall_asleep(ada: Sleeper, *, now) -> None:
    """Let the clock and the worker do what is due."""
    grant_lease(ada.key, now=now)
    queue_due(now=now)
    run = ada.runs()[-1]
    ada.sleep(now=now)
    assert ada.runs()[-1].pk == run.pk


@pytest.mark.spec("I3", "AC-2.1.6")
def test_a_model_that_breaks_off_and_then_falls_silent_is_done_without(ada, model):
    """Half a JSON, then no answer at all: history tells both, nothing is lost, and the third try needs no model."""
    ada.say([*MOSES, *HANDBALL], salience=0.8)
    ada.plan()
    before = ada.look(versions=True)
    model.always(HALF)
    fall_asleep(ada, now=NIGHT)
    assert ada.next_sleep_at() == NIGHT + 5 * MINUTE
    model.always(SILENT)
    fall_asleep(ada, now=NIGHT + 5 * MINUTE)
    assert ada.next_sleep_at() == NIGHT + 35 * MINUTE
    assert ada.look(versions=True) == before
    asked = len(model.requests)
    fall_asleep(ada, now=NIGHT + 35 * MINUTE)
    assert [(run.state, run.attempt) for run in ada.runs()] == [("failed", 1), ("failed", 2), ("success", 3)]
    first, second, last = ada.runs()
    assert (first.error, last.error, last.provider) == ("llm.malformed", "", "offline")
    assert {(run.provider, bool(run.model)) for run in (first, second)} == {("anthropic", True)}
    assert second.error.startswith("llm.") and second.error != "llm.malformed"
    assert last.processed == 6 and len(model.requests) == asked
    words = "\n".join(ada.active().values())
    assert all(literal in words for literal in ("Moses", "Berit", "21", "24"))


@pytest.mark.spec("I3", "AC-2.1.6")
@cases(
    "lie",
    [
        HANDBALL[1].replace("Berit", "strict"),
        HANDBALL[1].replace("Berit", "Karin"),
        "Our coach is not called Berit",
        "",
    ],
)
def test_what_a_model_loses_stays_and_the_next_sleep_repairs_it(ada, model, lie):
    """A name dropped, changed or denied: that memory stays as it is, the run is partial, and honest words cover it later."""
    nodes = ada.say([*MOSES, *HANDBALL], salience=0.8)
    ada.plan()
    truths = [
        {"content": "\n".join(MOSES), "sources": [1, 2, 3]},
        {"content": f"{HANDBALL[0]}\n{HANDBALL[2]}", "sources": [4, 6]},
    ]
    answer(model, *truths, *([{"content": lie, "sources": [5]}] if lie else []))
    run = ada.sleep()
    assert (run.state, run.provider, run.left) == ("partial", "anthropic", 1)
    assert run.processed == run.covered + run.left == 6
    coach = ada.nodes(pk=nodes[4])[nodes[4]]
    assert (coach.tier, coach.slept_over_at, coach.sleep_tries, coach.removed_at) == (
        "short_term",
        None,
        1,
        None,
    )
    assert "Berit" in "\n".join(ada.active().values())
    assert ada.next_sleep_at() == NIGHT + timedelta(hours=4)
    answer(model, {"content": HANDBALL[1], "sources": [1]})
    again = ada.sleep(now=NIGHT + timedelta(hours=4))
    assert (again.state, again.processed, again.left) == ("success", 1, 0)
    assert ada.nodes(pk=nodes[4])[nodes[4]].slept_over_at == NIGHT + timedelta(hours=4)
    assert "Our coach is called Berit" in "\n".join(ada.active().values())
    assert ada.next_sleep_at() is None


@pytest.mark.spec("I3", "AC-2.1.6")
def test_what_a_model_never_covers_is_kept_word_for_word(ada, model):
    """After three sleeps that left it, the fourth takes it as it is."""
    (node,) = ada.say(HANDBALL[1:2], salience=0.8)
    model.always(Act(text='{"insights": []}'))
    runs = [ada.sleep(now=NIGHT + timedelta(hours=4 * night)) for night in range(4)]
    assert [run.state for run in runs] == ["partial"] * 3 + ["success"]
    row = ada.nodes(pk=node)[node]
    assert (row.tier, row.removed_at, row.superseded_at) == ("long_term", None, None)
    assert row.category and ada.active()[node] == HANDBALL[1]


def test_without_an_embedder_the_try_has_failed(ada, monkeypatch):
    """Also what breaks before a word is read ends on the record, with the next try planned."""

    def unavailable():
        raise EmbedderUnavailable()

    ada.say(MOSES)
    monkeypatch.setattr(running, "get_embedder", unavailable)
    run = ada.sleep()
    assert (run.state, run.error, run.provider) == ("failed", EmbedderUnavailable.code, "")
    assert ada.next_sleep_at() == NIGHT + 5 * MINUTE


@pytest.mark.spec("I3")
def test_what_cannot_be_read_fails_three_times_and_then_rests(ada):
    """Whatever is wrong, it is on record; the next sleep begins anew four hours later, with its own three tries."""
    nodes = ada.say(MOSES)
    ada.plan()
    ada.spoil(nodes[0])
    for _ in range(3):
        ada.sleep()
    assert [(run.state, run.attempt) for run in ada.runs()] == [("failed", 1), ("failed", 2), ("failed", 3)]
    assert len({run.error for run in ada.runs()}) == 1 and ada.runs()[0].error
    assert ada.next_sleep_at() == NIGHT + timedelta(hours=4)
    assert ada.changes("consolidated") == []
    assert ada.sleep(now=NIGHT + timedelta(hours=4)).attempt == 1
    events = AuditEvent.objects.filter(chain=ada.space, action="memory.sleep_failed")
    assert [event.data["attempt"] for event in events.order_by("id")] == [1, 2, 3, 1]
