"""Steps that ask a model (`TURN_STEPS=model`): what it may decide, and what happens where it is late."""

import asyncio
import json
from collections.abc import Awaitable, Callable
from dataclasses import replace
from functools import partial
from typing import TypeVar

import pytest

from chat.models import Message
from chat.turn.life import Before
from chat.turn.plan import Plan, plan_step
from chat.turn.snapshot import Snapshot
from chat.turn.steps import Step
from chat.turn.tone import LIVELY, Tone, tone_step
from companion_site.llm.chain import Gateway
from companion_site.llm.gateway import get_gateway
from tests.chat.planning import GLAD, SAD, due, heard, minded
from tests.chat.talking import remember, steps_of, talk
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


def plan(*, snapshot: Snapshot | None = None, good: int = 0, **fields) -> tuple[Plan, str]:
    return ask(partial(plan_step, minded(**fields), snapshot or Snapshot(), good=good))


@pytest.mark.spec("L4")
def test_a_model_plans_within_what_its_person_asked_for_and_can_bear(model, committed):
    """It reminds of what is due, of nothing twice, and nobody who is a little sad; it coaches softly who is low, and nobody who did not ask; what is asked for is planned without it."""
    pills = due()
    open_now = {"emotion": GLAD, "snapshot": Snapshot(open_loops=(pills,))}
    answers(model, mode="reminder", goal="suggest_tiny_step", coach_intensity="high")
    made, form = plan(**open_now)
    assert (form, made.mode, made.reminds_of) == ("model", "reminder", pills.id)
    assert plan(before=Before(reminded={pills.id}), **open_now)[1] == "offline"
    down = replace(SAD, intensity="low")
    assert plan(**{**open_now, "emotion": down})[0] == Plan(mode="support", goal="reflect")
    assert plan()[0].mode == "small_talk"
    answers(model, mode="support", goal="reflect", coach_intensity="high")
    assert [plan(emotion=one)[0].coach_intensity for one in (SAD, GLAD)] == ["low", "high"]
    for mode in ("game", "coach"):
        answers(model, mode=mode, goal="reflect", coach_intensity="low")
        assert plan(emotion=GLAD, good=5)[0].mode == "gratitude"
    asked = len(model.requests)
    for fields, mode in [
        ({"heard": heard("explain")}, "answer"),
        ({"heard": heard(way="game"), "good": 3}, "game"),
        ({"heard": heard(way="coach")}, "coach"),
        ({"heard": heard(way="ear")}, "support"),
    ]:
        made, form = plan(**fields)
        assert (made.mode, form) == (mode, "offline")
    assert len(model.requests) == asked


@pytest.mark.spec("L6")
@pytest.mark.parametrize("name", sorted(LIVELY))
def test_a_model_does_not_speak_lively_to_who_is_low(model, committed, name):
    """Whatever it names, somebody sad is spoken to warmly; somebody glad as it says."""
    answers(model, name=name)
    for emotion, wanted in ((SAD, "warm_empathic"), (GLAD, name)):
        tone, _ = ask(partial(_tone, emotion))
        assert tone.name == wanted


def _tone(emotion, step: Step, gateway: Gateway) -> Awaitable[Tone]:
    return tone_step(emotion, Plan(mode="support"), step, calm=False, gateway=gateway)


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
    found = steps_of(reply)
    forms = {"emotion": "offline", "curate": "late", "plan": "late", "tone": "offline"}
    assert {name: found[name]["form"] for name in forms} == forms
    streamed = [bool(request.body.get("stream")) for request in model.requests]
    assert streamed.index(True) == 2
