"""Steps that ask a model (`TURN_STEPS=model`): what it may decide, and what happens where it is late."""

import asyncio
import json
from collections.abc import Awaitable, Callable
from dataclasses import replace
from typing import TypeVar

import pytest

from chat.models import Message
from chat.turn.plan import Plan, PlanInput, plan_step
from chat.turn.snapshot import Snapshot
from chat.turn.steps import Step
from chat.turn.tone import LIVELY, tone_step
from companion_site.llm.chain import Gateway
from companion_site.llm.gateway import get_gateway
from tests.chat.planning import GLAD, SAD, due, plan_input
from tests.chat.talking import remember, talk
from tests.factories import make_access
from tests.llm.wire_server import Act, WireServer

LATE = Act(hang="request")
T = TypeVar("T")


#: It asks nothing, so that a model may plan.
TOLD = "The otters ate a lot at the zoo today"


def answers(model: WireServer, **answer) -> None:
    model.always(Act(text=json.dumps(answer)))


def ask(take: Callable[[Step, Gateway], Awaitable[T]]) -> tuple[T, str]:
    """Return what a step comes to that asks a model, and in which form it was done."""

    async def run() -> T:
        taken = await take(step, get_gateway())
        await get_gateway().aclose()
        return taken

    step = Step("step")
    return asyncio.run(run()), step.form


def plan(given: PlanInput) -> tuple[Plan, str]:
    return ask(lambda step, gateway: plan_step(given, step, gateway))


@pytest.fixture
def reminds(model, committed) -> None:
    """A model that wants to remind, firmly."""
    answers(model, mode="reminder", goal="suggest_tiny_step", coach_intensity="high")


@pytest.mark.spec("L4")
def test_a_model_reminds_of_what_is_due_and_of_nothing_twice(reminds):
    """Its plan names what it brings up, as the rules' does; where nothing is due, or all was brought up, the rules decide."""
    pills = due()
    open_now = plan_input(emotion=GLAD, snapshot=Snapshot(open_loops=(pills,)))

    made, form = plan(open_now)
    assert (form, made.mode, made.reminds_of) == ("model", "reminder", pills.id)
    assert plan(replace(open_now, reminded={pills.id}))[1] == "offline"
    assert plan(plan_input())[0].mode == "small_talk"


@pytest.mark.spec("L4")
def test_a_model_does_not_coach_hard_who_is_low(model, committed):
    """Nor does it coach or play with anybody who did not ask for it: then the rules decide."""
    answers(model, mode="support", goal="reflect", coach_intensity="high")
    assert plan(plan_input(emotion=SAD))[0].coach_intensity == "low"
    assert plan(plan_input(emotion=GLAD))[0].coach_intensity == "high"

    for mode in ("game", "coach"):
        answers(model, mode=mode, goal="reflect", coach_intensity="low")
        assert plan(plan_input(emotion=SAD, good_memories=5))[0].mode == "support"
        assert plan(plan_input(emotion=GLAD, good_memories=5))[0].mode == "gratitude"


@pytest.mark.spec("L4")
def test_what_the_person_asks_for_is_planned_without_a_model(model, committed):
    """A question is answered, a game is played and a coach coaches, whatever a model would say; nobody is asked."""
    answers(model, mode="gratitude", goal="ask_gratitude", coach_intensity="low")
    for fields, mode in [
        ({"clauses": ["what is photosynthesis"], "intentions": {"question"}}, "answer"),
        ({"clauses": ["let's play a game"], "intentions": {"request"}, "good_memories": 3}, "game"),
        ({"clauses": ["please coach me"], "intentions": {"request"}}, "coach"),
        ({"clauses": ["please just listen"]}, "support"),
    ]:
        made, form = plan(plan_input(**fields))
        assert (made.mode, form) == (mode, "offline")
    assert model.requests == []


@pytest.mark.spec("L6")
@pytest.mark.parametrize("name", sorted(LIVELY))
def test_a_model_does_not_speak_lively_to_who_is_low(model, committed, name):
    """Whatever it names, somebody sad is spoken to warmly; somebody glad as it says."""
    answers(model, name=name)

    def tone(emotion) -> str:
        supports = Plan(mode="support")
        return ask(lambda step, gateway: tone_step(emotion, supports, step, calm=False, gateway=gateway))[
            0
        ].name

    assert tone(SAD) == "warm_empathic"
    assert tone(GLAD) == name


@pytest.mark.slow
@pytest.mark.spec("L9")
def test_a_model_that_is_late_is_waited_for_once(model, committed, settings):
    """The steps after it go by the rules without asking, and the reply comes."""
    settings.TURN_STEPS = "model"
    settings.TURN_STEP_TIMEOUT_S = 1.0
    ada = make_access("ada")
    remember(ada, "I counted seventeen otters by the river at Skansen in March")
    model.script(LATE, LATE)
    model.always(Act(text="All right."))

    reply = talk(ada, TOLD)

    assert reply.state == Message.State.COMPLETE
    found = {step["step"]: step["form"] for step in reply.steps}
    forms = {"emotion": "offline", "curate": "late", "plan": "late", "tone": "offline"}
    assert {name: found[name] for name in forms} == forms
    streamed = [bool(request.body.get("stream")) for request in model.requests]
    assert streamed.index(True) == 2
