"""The step that decides what a reply is for: by rules, or by a model that chooses from the same closed sets."""

from dataclasses import dataclass

from chat.planning.forms import ReadPlan, plan_instructions, render_situation
from chat.planning.moods import is_low
from chat.planning.plans import Plan, PlanInput, find_due, make_plan, with_aim
from chat.turn.model import ask_fast, form_without
from chat.turn.steps import Form
from companion_site.llm.chain import Gateway
from companion_site.llm.errors import LanguageModelError

PURPOSE = "chat.plan"


@dataclass(frozen=True, kw_only=True)
class Planned:
    plan: Plan
    form: Form = "offline"


async def plan_step(given: PlanInput, *, gateway: Gateway | None = None) -> Planned:
    """Return the plan; in danger and after it, where the person asks for something, and where a model's plan cannot be carried out, the rules decide."""
    ruled = make_plan(given)
    if gateway is None or given.danger or given.after_danger or ruled.is_wished or given.asks:
        return Planned(plan=ruled)
    try:
        read = await ask_fast(
            gateway,
            ReadPlan,
            instructions=plan_instructions(),
            data=render_situation(given),
            purpose=PURPOSE,
        )
    except (LanguageModelError, TimeoutError) as error:
        return Planned(plan=ruled, form=form_without(error, step="plan"))
    plan = _take_up(read, given)
    return Planned(plan=ruled) if plan is None else Planned(plan=with_aim(plan, given), form="model")


def _take_up(read: ReadPlan, given: PlanInput) -> Plan | None:
    """Return a model's plan, softened for who is low; None where it plays or coaches unasked, or there is nothing to remind of."""
    low, due = is_low(given.emotion), find_due(given) if read.mode == "reminder" else None
    if read.mode in {"game", "coach"}:
        return None
    if read.mode == "reminder" and due is None:
        return None
    return Plan(
        mode=read.mode,
        goal=read.goal,
        coach_intensity="low" if low else read.coach_intensity,
        reminds_of=due.id if due is not None else None,
    )
