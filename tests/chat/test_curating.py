"""What goes into a reply: by how somebody feels, by what the reply is to do, and never what they do not want to speak of."""

import re
from dataclasses import replace
from datetime import timedelta

import pytest

from chat.turn.context import Context, memory_block
from chat.turn.curate import SHARES, curate
from chat.turn.snapshot import GoodMoment, Snapshot, Talked
from chat.turn.topics import make_avoider
from memory.student.life.facts.loops import Portrait
from tests.cases import cases
from tests.chat.planning import CALM, FALLING, GLAD, PLAIN, SAD, candidate, curate_input, due
from tests.factories import NOW

pytestmark = pytest.mark.spec("L3")

GROWING = Talked(since=NOW - timedelta(days=10), messages=60)
FACTS = [candidate(f"Fact number {number}", relevance=0.9 - number / 100) for number in range(12)]
LIFTING = [
    candidate(f"Good thing number {number}", relevance=0.5 - number / 100, lifts=True) for number in range(5)
]
GOOD = [candidate(f"Good memory number {number}", lifts=True) for number in range(10)]
GOALS = [candidate(f"Goal number {number}", "goal", relevance=number / 10) for number in range(4)]
THANKS = [
    candidate(f"Thanks number {number}", "gratitude", at=NOW - timedelta(days=number)) for number in range(9)
]
EVERYTHING = {"facts": FACTS + LIFTING, "good": GOOD, "goals": GOALS, "gratitude": THANKS}


def told_the_coach(snapshot: Snapshot) -> str:
    """Return what the model that replies is told of a life."""
    return memory_block(Context(notes=snapshot.notes))


def test_who_is_sad_gets_more_that_carries_and_fewer_facts():
    """Sad against cheerful, with the same at hand: more of what lifts, recent gratitude, fewer plain facts."""
    sad = curate(curate_input(emotion=SAD, **EVERYTHING))
    glad = curate(curate_input(emotion=GLAD, **EVERYTHING))

    def plain(memories):
        return [fact for fact in memories.facts if not fact.lifts]

    assert len(plain(sad)) < len(plain(glad))
    assert sum(fact.lifts for fact in sad.facts) > sum(fact.lifts for fact in glad.facts)
    assert [one.text for one in sad.gratitude] == [f"Thanks number {number}" for number in range(4)]
    assert len(glad.gratitude) < len(sad.gratitude)
    assert sad.facts[0].lifts, "what carries comes first"


def test_of_the_facts_the_most_relevant_stay():
    """Who is low, or has been lower day by day, though this message says nothing, keeps what bears most on their message; who only asks, and plain talk, keep all."""
    sad = curate(curate_input(emotion=SAD, facts=FACTS))
    assert [fact.text for fact in sad.facts] == [fact.text for fact in FACTS[:5]]
    assert sad.dropped == curate(curate_input(trend=FALLING, facts=FACTS)).dropped == {"emotion": 7}
    assert curate(curate_input(emotion=GLAD, trend=FALLING, facts=FACTS)).dropped == {}
    asks = curate(curate_input(emotion=SAD, asks=True, **EVERYTHING))
    assert list(asks.facts) == [*LIFTING, *FACTS]
    supported = curate(curate_input(mode="support", asks=True, facts=FACTS))
    assert list(supported.facts) == FACTS, "a reply that supports answers a question, too"
    plain = curate(curate_input(facts=FACTS + LIFTING))
    assert list(plain.facts) == FACTS + LIFTING and plain.dropped == {}


def test_each_mode_takes_its_own(subtests):
    """Coaching takes goals, the nearest first, support gratitude, a game good memories; no mode takes more than its share."""
    for mode in list(SHARES):
        with subtests.test(case=mode):
            chosen = curate(curate_input(mode=mode, asks_widely=True, **EVERYTHING))
            shares = SHARES[mode]

            assert len(chosen.goals) == min(shares.goals, len(GOALS))
            assert len(chosen.gratitude) == min(shares.gratitude, len(THANKS))
            assert len([fact for fact in chosen.facts if fact in GOOD]) == min(shares.lifting, len(GOOD))
            assert len([fact for fact in chosen.facts if fact not in GOOD]) <= shares.facts
            assert list(chosen.goals) == sorted(chosen.goals, key=lambda goal: -goal.relevance)


@cases("mode", ["answer", "small_talk"])
def test_a_question_brings_the_goals_that_it_is_about(mode):
    """Of years of goals and thanks the rest stays out of a request, and so does the last good moment, but for who is low."""
    near = replace(GOALS[0], relevance=0.9)
    resting = due(kind="goal", priority="low", text=GOALS[1].text, due=None)
    moment = GoodMoment(text="Signe told me about the otters", at=NOW)
    given = curate_input(
        mode=mode,
        facts=FACTS,
        goals=[near, *GOALS[1:]],
        gratitude=THANKS,
        open_loops=[resting],
        last_positive=moment,
    )

    chosen = curate(given)
    assert chosen.goals == (near,) and not chosen.gratitude
    assert not chosen.open_loops and chosen.last_positive is None
    assert curate(replace(given, emotion=SAD)).last_positive == moment
    widely = curate(replace(given, asks_widely=True))
    assert len(widely.goals) == SHARES[mode].goals and widely.open_loops


def test_what_is_open_is_put_in_order_of_what_matters():
    """Medicines come before appointments and promises; of the same weight what is due first; what is far off waits."""
    visit = due(kind="appointment", priority="medium", text="The dentist", due=NOW + timedelta(hours=2))
    promise = due(kind="promise", priority="low", text="Call Sara", due=None)
    pills = due(due=NOW + timedelta(hours=9))
    later = due(kind="appointment", priority="medium", text="The optician", due=NOW + timedelta(days=2))
    far = due(kind="appointment", priority="low", text="A wedding", due=NOW + timedelta(days=30))

    snapshot = curate(curate_input(open_loops=[promise, later, far, visit, pills]))

    assert [loop.text for loop in snapshot.open_loops] == [pills.text, visit.text, later.text, promise.text]


def test_who_is_low_is_not_burdened_with_what_can_wait():
    """On a bad day only medicines and what is due within a day come up; on another all that comes up soon."""
    pills = due(due=NOW + timedelta(days=3))
    visit = due(kind="appointment", priority="medium", text="The dentist", due=NOW + timedelta(hours=20))
    later = due(kind="appointment", priority="medium", text="The optician", due=NOW + timedelta(days=2))
    promise = due(kind="promise", priority="low", text="Call Sara", due=None)
    open_now = [pills, visit, later, promise]

    sad = curate(curate_input(emotion=SAD, open_loops=open_now))
    glad = curate(curate_input(emotion=GLAD, open_loops=open_now))

    assert set(sad.open_loops) == {pills, visit} and sad.dropped == {"emotion": 2}
    assert set(glad.open_loops) == set(open_now)


def test_the_snapshot_has_what_the_document_names():
    """The day's measures, open loops, relationship, memories, and a text each for planner and coach."""
    moment = GoodMoment(text="Signe told me about the otters", at=NOW - timedelta(days=1))
    pills = due()
    snapshot = curate(
        curate_input(
            emotion=SAD,
            mode="support",
            trend=FALLING,
            today={"sleep_hours": 5.5, "steps": 1200},
            open_loops=[pills],
            portrait=Portrait(health=("I have high blood pressure",), preferences=("I like short answers",)),
            talked=GROWING,
            last_positive=moment,
            **EVERYTHING,
        )
    )

    assert snapshot.today == {"sleep_hours": 5.5, "steps": 1200}
    assert snapshot.open_loops == (pills,)
    assert snapshot.trust == "growing"
    assert snapshot.last_positive == moment
    coach, planner = told_the_coach(snapshot), snapshot.context_for_planner
    for words in (pills.text, "Thanks number 0", "I like short answers", moment.text, "5.5 hours of sleep"):
        assert words in coach
    assert coach != planner
    assert "open_loop kind=medication priority=high due=+3h" in planner
    assert "steps=1200" in planner
    assert not any(words in planner for words in ("number", pills.text, moment.text, "blood")), (
        "no word of the person's"
    )


def test_trust_needs_both_time_and_talk(subtests):
    """Neither a long silence nor one long evening makes two people close."""
    for days, messages, level in [
        (0, 500, "new"),
        (10, 5, "new"),
        (10, 60, "growing"),
        (60, 60, "growing"),
        (60, 400, "trusted"),
    ]:
        with subtests.test(days=days, messages=messages):
            talked = Talked(since=NOW - timedelta(days=days), messages=messages)

            assert curate(curate_input(talked=talked)).trust == level


def test_every_choice_has_its_reason():
    """Whatever is chosen says why it was."""
    near = replace(GOALS[0], relevance=0.9)
    snapshot = curate(
        curate_input(emotion=SAD, facts=FACTS[:1] + LIFTING[:1], goals=[near], gratitude=THANKS[:1])
    )

    reasons = {one.text: snapshot.reasons[one.id] for one in snapshot.chosen}
    assert reasons == {
        "Fact number 0": "about_it",
        "Good thing number 0": "lifts",
        "Goal number 0": "goal_near",
        "Thanks number 0": "gratitude",
    }
    assert snapshot.near_goal


@cases("emotion", [SAD, GLAD, CALM, PLAIN])
@cases("mode", list(SHARES))
def test_a_topic_to_avoid_is_in_no_part_of_the_snapshot(emotion, mode):
    """From memories, goals, their notes, gratitude, open loops, portrait and the last good moment alike."""
    about, other = "My father called again", "I swam in the lake"
    goal = candidate("Swim every week", "goal", last_word=about)
    snapshot = curate(
        curate_input(
            emotion=emotion,
            mode=mode,
            avoider=make_avoider(["my dad"]),
            facts=[candidate(about), candidate(other)],
            good=[candidate(about, lifts=True)],
            goals=[candidate("Forgive my father", "goal"), goal],
            gratitude=[candidate("A walk with dad", "gratitude", at=NOW)],
            open_loops=[due(text="I promised my father to write", kind="promise")],
            portrait=Portrait(family=(about,), preferences=("I hate when dad shouts",), health=(about,)),
            last_positive=GoodMoment(text="Dad laughed", at=NOW),
        )
    )

    told = re.sub(r"uuid\('[^']*'\)", "", f"{snapshot}{told_the_coach(snapshot)}".casefold())
    assert "father" not in told and "dad" not in told
    assert snapshot.dropped["avoided"] == 10


def test_nothing_is_told_twice_in_other_parts():
    """A goal that is pursued is not open once more, unless it has a day; a good moment that is among what they are grateful for is there already."""
    thanks = candidate("Signe told me about the otters", "gratitude", at=NOW)
    goal = candidate("I will run ten kilometres", "goal", relevance=0.9)
    moment = GoodMoment(text=thanks.text, at=NOW)
    loop = due(kind="promise", priority="low", text=goal.text, due=None)
    given = {"mode": "gratitude", "goals": [goal], "gratitude": [thanks], "last_positive": moment}

    told = told_the_coach(curate(curate_input(open_loops=[loop], **given)))
    assert told.count(goal.text) == told.count(thanks.text) == 1
    assert "just met" in told and "You two" not in told_the_coach(curate(curate_input(talked=GROWING)))
    dated = told_the_coach(curate(curate_input(open_loops=[replace(loop, due=NOW)], **given)))
    assert dated.count(goal.text) == 2
