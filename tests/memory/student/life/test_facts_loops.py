"""What is open in a person's life, and their portrait."""

from contextvars import Context
from datetime import UTC, datetime, timedelta
from uuid import UUID

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from companion_site.audit.models import AuditEvent
from companion_site.errors import NotFound, SpaceLocked
from companion_site.ids import new_id
from companion_site.vault.scope import space_scope
from memory.models import Goal, LifeFact, MemoryNode
from memory.student.life.facts.loops import MOST, MOST_OF_KIND, OpenLoop, Portrait, loops_and_portrait
from memory.student.life.facts.store import close_fact, finish_fact, reopen_fact
from tests.cases import cases
from tests.factories import NOW
from tests.memory.student.drafts import make_node
from tests.memory.student.sleep.sleeper import merge

pytestmark = [pytest.mark.django_db]

DAY, HOUR = timedelta(days=1), timedelta(hours=1)


def at(day: int, hour: int = 12, minute: int = 0) -> datetime:
    """Return a moment of March 2026, in Swedish winter time; the 2nd is a Monday."""
    return datetime(2026, 3, day, hour - 1, minute, tzinfo=UTC)


@pytest.fixture
def write(unsealed):
    """Write facts as if a memory had told them."""

    def run(kind: str, text: str, *, said_at: datetime = NOW - 12 * HOUR, **detail) -> UUID:
        with space_scope(unsealed):
            node = make_node(unsealed, text, at=said_at)
            node.save()
            row = LifeFact.objects.create(
                space_id=unsealed, node=node, kind=kind, detail=detail, noted_at=said_at
            )
        return row.pk

    return run


@pytest.fixture
def loops(unsealed):
    def run(now: datetime) -> list[OpenLoop]:
        return loops_and_portrait(unsealed, now=now)[0]

    return run


@pytest.fixture
def portrait(unsealed):
    def run(now: datetime = NOW) -> Portrait:
        return loops_and_portrait(unsealed, now=now)[1]

    return run


@pytest.mark.spec("L3")
class TestAppointments:
    @cases("day, shown", [(1, False), (3, True), (10, True), (12, True), (13, False)])
    def test_it_is_open_from_a_week_before_until_two_days_after(self, write, loops, day, shown):
        """Sooner nobody thinks of it, later nobody asks how it went."""
        write(
            "appointment", "I see the doctor on the tenth.", said_at=at(1, 1), on="2026-03-10", at=["09:15"]
        )
        assert bool(loops(at(day, 8))) == shown

    def test_what_is_over_is_past(self, write, loops):
        """A minute after its time it is asked how it went; of a whole day, when the day is over."""
        write("appointment", "I see the doctor.", on="2026-03-10", at=["09:15"])
        write("appointment", "My test.", on="2026-03-10")
        before, after, later = (
            {one.text: one for one in loops(moment)} for moment in (at(10, 9), at(10, 10), at(11))
        )
        assert [before["I see the doctor."].is_past, after["I see the doctor."].is_past] == [False, True]
        assert before["I see the doctor."].due == at(10, 9, 15)
        assert [after["My test."].is_past, later["My test."].is_past] == [False, True]
        assert before["My test."].is_all_day

    @cases("end", [finish_fact, close_fact])
    def test_what_is_over_is_not_brought_up_until_it_is_reopened(self, write, loops, unsealed, end):
        """Done with or closed, twice is once, also in the record, which holds no word; what nobody knows is not found."""
        fact = write("appointment", "I see the doctor.", on="2026-03-03")
        for _ in range(2):
            end(unsealed, fact, now=at(2))
        assert loops(at(2)) == []
        for _ in range(2):
            reopen_fact(unsealed, fact, now=at(2))
        assert [one.id for one in loops(at(2))] == [fact]
        with pytest.raises(NotFound):
            end(unsealed, new_id(), now=at(2))
        events = AuditEvent.objects.filter(chain=unsealed, subject_id=fact).order_by("position")
        ended = "memory.life_fact_finished" if end is finish_fact else "memory.life_fact_closed"
        assert [(event.action, event.data) for event in events] == [
            (ended, {}),
            ("memory.life_fact_reopened", {}),
        ]

    def test_what_is_forgotten_cannot_be_closed(self, write, unsealed):
        """A fact that does not stand is none."""
        fact = write("appointment", "I see the doctor.", on="2026-03-03")
        with space_scope(unsealed):
            MemoryNode.objects.for_space(unsealed).update(removed_at=NOW)
        for change in (finish_fact, close_fact, reopen_fact):
            with pytest.raises(NotFound):
                change(unsealed, fact, now=at(2))

    def test_what_is_never_open_is_never_done_with(self, write, unsealed):
        """A sister is no errand; she can only be left unmentioned."""
        fact = write("family", "My sister is Anna.")
        with pytest.raises(NotFound):
            finish_fact(unsealed, fact, now=at(2))


@pytest.mark.spec("L3")
class TestMedication:
    def test_each_time_of_today_is_open_until_it_is_over_or_done(self, write, loops, unsealed):
        """Done in the morning, the evening's is still open; tomorrow is another day."""
        pills = write("medication", "I take my pills at 8 am and 8 pm.", at=["08:00", "20:00"])
        with space_scope(unsealed):
            row = LifeFact.objects.for_space(unsealed).get(pk=pills)
            row.detail = {**row.detail, "every": "day"}
            row.save(update_fields=["detail"])
        (morning,) = loops(at(3, 7))
        assert (morning.due, morning.priority) == (at(3, 8), "high")
        assert finish_fact(unsealed, pills, now=at(3, 8, 5))
        assert [one.due for one in loops(at(3, 8, 10))] == [at(3, 20)]
        finish_fact(unsealed, pills, now=at(3, 20))
        assert loops(at(3, 20, 5)) == []
        assert [one.due for one in loops(at(4, 7))] == [at(4, 8)]
        reopen_fact(unsealed, pills, now=at(4))
        assert [one.due for one in loops(at(3, 20, 5))] == [at(3, 20)]

    def test_only_on_its_weekdays(self, write, loops):
        """What is taken on Sundays is not brought up on a Monday."""
        write("medication", "Methotrexate on Sundays.", weekdays=[6], every="week")
        assert loops(at(2)) == []
        assert [one.is_all_day for one in loops(at(8))] == [True]

    @cases("detail", [{"every": "week"}, {"every": "2 weeks", "weekdays": [0]}, {}])
    def test_a_day_that_nobody_said_is_not_made_up(self, write, loops, detail):
        """Once a week, but when? Every other Monday, but which?"""
        write("medication", "I take it now and then.", **detail)
        assert loops(at(2)) == []

    def test_closed_for_good_stays_closed(self, write, loops, unsealed):
        """What the person never wants to be reminded of is not open on any day."""
        pills = write("medication", "I take Levaxin every morning.", every="day")
        close_fact(unsealed, pills, now=NOW)
        assert not finish_fact(unsealed, pills, now=at(3))
        assert loops(at(5)) == []

    def test_much_that_was_promised_since_does_not_push_it_out(self, write, loops):
        """What was said once, years ago, and is taken each day is still open today."""
        pills = write("medication", "I take Levaxin every morning.", every="day")
        for number in range(MOST_OF_KIND + 1):
            write("promise", f"Promise {number}.", said_at=NOW - 6 * HOUR)
            write("appointment", f"Visit {number}.", said_at=NOW - 6 * HOUR, on="2025-01-01")
            write("promise", f"Another {number}.", said_at=NOW - 6 * HOUR)
        assert loops(at(3))[0].id == pills

    def test_what_is_said_later_is_not_open_yet(self, write, loops):
        """Looked at as of a moment, later words are not there."""
        write("medication", "I take Levaxin every morning.", every="day", said_at=at(4))
        assert (loops(at(3)), len(loops(at(5)))) == ([], 1)


@pytest.mark.spec("L3")
class TestPromisesAndGoals:
    def test_a_promise_is_open_until_a_week_after_its_day(self, write, loops):
        """Overdue it still counts; without a day for a month."""
        write("promise", "I promised Elin to help.", on="2026-03-07")
        write("promise", "I promised to write.")
        assert {one.text for one in loops(at(12))} == {"I promised Elin to help.", "I promised to write."}
        assert [one.text for one in loops(at(15))] == ["I promised to write."]
        assert loops(NOW + 31 * DAY) == []

    def test_a_goal_that_rested_for_a_week_is_open(self, unsealed, loops):
        """A goal that was touched yesterday is not, nor one that is reached."""
        with space_scope(unsealed):
            for text, days, state in (("Run", 8, "active"), ("Read", 1, "active"), ("Sing", 30, "done")):
                Goal.objects.create(
                    space_id=unsealed, text=text, origin="person", state=state, created_at=NOW - 40 * DAY,
                    updated_at=NOW - days * DAY,
                )  # fmt: skip
        assert [(one.kind, one.text, one.priority) for one in loops(NOW)] == [("goal", "Run", "low")]

    def test_the_most_pressing_comes_first(self, write, loops):
        """Medicine, then what is near, then the rest."""
        write("promise", "promise", on="2026-03-12")
        write("appointment", "tomorrow", on="2026-03-03", at=["10:00"])
        write("medication", "pills", every="day")
        assert [(one.text, one.priority) for one in loops(at(2))] == [
            ("pills", "high"),
            ("tomorrow", "medium"),
            ("promise", "low"),
        ]


@pytest.mark.spec("L2")
class TestPortrait:
    def test_it_tells_each_part_the_newest_first(self, write, portrait):
        """What somebody takes belongs to their health; each thing once, in their own words."""
        write("family", "My sister is Anna.", said_at=NOW - DAY)
        write("family", "I have a cat.")
        write("routine", "Yoga on Tuesdays.", weekdays=[1], every="week")
        write("health", "I have asthma.")
        write("medication", "I use an inhaler.", every="day", said_at=NOW - 13 * HOUR)
        write("medication", "Antibiotics at six tonight.", on="2026-03-02")
        write("preference", "I love jazz.")
        write("appointment", "The dentist.", on="2026-03-03")
        found = portrait()
        assert found.family == ("I have a cat.", "My sister is Anna.")
        assert found.routines == ("Yoga on Tuesdays.",)
        assert found.health == ("I have asthma.", "I use an inhaler.")
        assert found.preferences == ("I love jazz.",)

    def test_a_long_life_is_told_shortly(self, write, portrait):
        """However much there is, a part has a bound; the newest stay."""
        for number in range(MOST + 8):
            write("preference", f"I like number {number}.", said_at=NOW + number * HOUR)
        found = portrait(NOW + 30 * DAY).preferences
        assert len(found) == MOST
        assert found[0] == f"I like number {MOST + 7}."


@pytest.mark.spec("L3")
def test_nothing_is_read_of_a_locked_space(ada, write):
    """Without the key there are no words; facts of another space are none of this one's."""
    write("medication", "pills", every="day")
    with pytest.raises(SpaceLocked):
        Context().run(lambda: loops_and_portrait(ada.space, now=NOW))


@pytest.mark.spec("L3")
def test_it_takes_few_queries_however_much_there_is(memory, write, unsealed, ada):
    """Three for what is open and the portrait, and one more for what has become part of something else."""

    def count(work) -> int:
        with CaptureQueriesContext(connection) as captured:
            work()
        return sum(query["sql"].startswith("SELECT") for query in captured.captured_queries)

    for number in range(30):
        write("promise", f"I promised thing {number}.")
        write("family", f"Person {number} is my cousin.")
    assert count(lambda: loops_and_portrait(unsealed, now=NOW)) == 3
    nodes = [
        memory.hear(text)[0]
        for text in ("I love old jazz records.", "I promised Elin that I would help her.")
    ]
    merge(ada, nodes)
    assert count(lambda: loops_and_portrait(unsealed, now=NOW)) == 4
