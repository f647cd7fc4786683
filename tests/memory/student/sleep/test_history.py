"""What is kept of sleeps, for how long, who is told of those that are late, and what expires."""

from datetime import timedelta

import pytest

from companion_site.errors import NotFound
from companion_site.vault import unlocked
from companion_site.vault.models import Space
from companion_site.vault.scope import space_scope
from memory.models import Contradiction, MemoryNode
from memory.student.params import SleepParams
from memory.student.sleep import history
from memory.student.sleep.history import list_failed, overdue_spaces, purge_runs, review_run
from memory.student.sleep.store import expire_short_term
from memory.student.sleep.timing import awaiting, begin_run
from memory.student.store import purge_tombstones
from memory.student.workingset import WorkingSets
from tests.factories import make_access
from tests.memory.student.kept import dense, doubt
from tests.memory.student.sleep.sleeper import HANDBALL, MOSES, NIGHT, Sleeper

pytestmark = [pytest.mark.spec("I4", "AC-2.1.8")]

DAY = timedelta(days=1)


@pytest.fixture
def access(committed):
    return make_access("ada")


def test_records_go_after_their_days_and_never_before_thirty(ada, monkeypatch):
    """The undo of what they did stays as long as it would have; an open run is never dropped."""
    ada.say(MOSES, salience=0.9)
    ada.sleep()
    ada.sleep(now=NIGHT + DAY)
    waiting = begin_run(ada.space, trigger="requested", now=NIGHT)
    with monkeypatch.context() as patch:
        patch.setattr(history, "SLEEP", SleepParams(history_days=1))
        assert purge_runs(now=NIGHT + 30 * DAY) == 0
        assert purge_runs(now=NIGHT + 30.5 * DAY) == 1
    assert purge_runs(now=NIGHT + 90.5 * DAY) == 0
    assert purge_runs(now=NIGHT + 91.5 * DAY) == 1
    assert [run.pk for run in ada.runs()] == [waiting.pk]
    changes = ada.changes("consolidated")
    assert changes and {change.sleep_id for change in changes} == {None}
    for change in changes:
        assert ada.restore(change, now=NIGHT + 2 * DAY).undone_at


def test_failed_tries_are_listed_until_somebody_looks(ada, access):
    """Across spaces, the newest first, by a role that sees no content; looked at in their own space alone, and twice is once."""
    (node,) = ada.say(MOSES[:1])
    ada.spoil(node)
    runs = [ada.sleep(), ada.sleep()]
    listed = list_failed(limit=5)
    assert [(each.space_id, each.pk, each.attempt) for each in listed] == [
        (ada.space, runs[1].pk, 2),
        (ada.space, runs[0].pk, 1),
    ]
    assert listed[0].error == runs[1].error
    assert [each.pk for each in list_failed(limit=1)] == [runs[1].pk]
    with pytest.raises(NotFound):
        review_run(make_access("elsa").space, runs[1].pk, now=NIGHT, actor=access.person)
    for at in (NIGHT, NIGHT + DAY):
        assert review_run(ada.space, runs[1].pk, now=at, actor=access.person).reviewed_at == NIGHT
    assert [each.pk for each in list_failed(limit=5)] == [runs[0].pk]


@pytest.mark.spec("AC-2.1.5")
def test_spaces_that_should_have_slept_are_told(ada):
    """A plan that nobody looked at, a run that nobody carried out; not one whose key is missing, nor one that was closed."""
    elsa = Sleeper(make_access("elsa"))
    for sleeper in (ada, elsa):
        sleeper.say(MOSES)
        sleeper.plan()
    assert overdue_spaces(NIGHT + DAY).count == 0
    late = overdue_spaces(NIGHT + DAY + timedelta(minutes=1))
    assert (late.count, late.oldest) == (2, NIGHT)
    begin_run(ada.space, trigger="scheduled", now=NIGHT)
    Space.objects.filter(pk=ada.space).update(next_sleep_at=NIGHT + 5 * DAY)
    elsa.sleep()
    late = overdue_spaces(NIGHT + 2 * DAY)
    assert (late.count, late.oldest) == (1, NIGHT)
    Space.objects.filter(pk=ada.space).update(awaiting_key_since=NIGHT)
    assert overdue_spaces(NIGHT + 2 * DAY) == type(late)(count=0, oldest=None)
    Space.objects.filter(pk=ada.space).update(awaiting_key_since=None, closed_at=NIGHT)
    assert overdue_spaces(NIGHT + 2 * DAY).count == 0


@pytest.mark.spec("I1", "AC-2.1.3")
def test_what_was_let_go_is_recalled_until_it_expires(ada):
    """Then it is a tombstone, without a key; thirty days later its words go. Long-term memories stay."""
    cat, ball = ada.say(MOSES, edges=dense(3)), ada.say(HANDBALL)
    ada.write(kept=dict.fromkeys(ball, "strengths"), let_go=cat)
    assert expire_short_term(now=NIGHT + 29 * DAY) == 0
    assert expire_short_term(now=NIGHT + 30 * DAY) == 3
    assert expire_short_term(now=NIGHT + 31 * DAY) == 0
    assert set(ada.active()) == set(ball)
    tombs = ada.nodes(pk__in=cat)
    assert {(tomb.removed_at, tomb.content_until) for tomb in tombs.values()} == {
        (NIGHT + 30 * DAY, NIGHT + 60 * DAY)
    }
    purge_tombstones(now=NIGHT + 60 * DAY)
    with space_scope(ada.space), unlocked(ada.space, ada.key):
        assert {row.content for row in MemoryNode.objects.for_space(ada.space).filter(pk__in=cat)} == {None}


@pytest.mark.spec("I3")
def test_what_was_let_go_and_is_said_again_stays_for_another_sleep(ada):
    """Somebody who comes back to it finds it important enough to be looked at once more; the rest expires."""
    cat = ada.say(MOSES)
    ada.write(let_go=cat)
    assert ada.say(MOSES[:1], at=NIGHT + DAY) == []
    assert expire_short_term(now=NIGHT + 31 * DAY) == 2
    with space_scope(ada.space):
        assert list(awaiting(ada.space).values_list("pk", flat=True)) == cat[:1]


@pytest.mark.spec("I3")
def test_what_the_ledger_holds_or_the_person_has_to_decide_does_not_expire(ada):
    """However long ago it was let go: it goes when the entry is over and the decision made."""
    cat = ada.say(MOSES)
    ada.write(let_go=cat)
    ada.keep_in_ledger(cat[0], expires_at=NIGHT + 50 * DAY)
    review = doubt(ada.space, *cat[1:])
    assert expire_short_term(now=NIGHT + 31 * DAY) == 0
    with space_scope(ada.space):
        Contradiction.objects.for_space(ada.space).filter(pk=review.pk).update(state="both_true")
    assert expire_short_term(now=NIGHT + 32 * DAY) == 2
    assert expire_short_term(now=NIGHT + 51 * DAY) == 1


def test_what_expired_can_be_had_back_and_then_stays(ada):
    """One at a time, edges and all; it does not expire a second time. An open working set sees both."""
    cat = ada.say(MOSES, edges=dense(3))
    before = ada.look()["edges"]
    ada.write(let_go=cat)
    sets = WorkingSets(budget_bytes=2**30, idle_s=3600)

    def held() -> int:
        with unlocked(ada.space, ada.key):
            return int(sets.get(ada.space, model=ada.model, dimension=384).corpus.alive.sum())

    assert held() == 3
    expire_short_term(now=NIGHT + 30 * DAY)
    assert held() == 0
    for change in ada.changes("pruned"):
        assert change.reason == "expired"
        ada.restore(change, now=NIGHT + 31 * DAY)
    assert held() == 3
    assert ada.look()["edges"] == before
    assert expire_short_term(now=NIGHT + 99 * DAY) == 0
