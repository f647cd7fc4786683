"""What a reply is for: mode, goal and how strongly it coaches, by rules of which the first that fits decides; and the same as a sentence. Pure.

Danger comes before all, then that it was spoken of a moment ago. Then what is asked for is done: to be heard, played with or
coached where the person themselves says so, and an answer to whatever else they ask. Who asks nothing is met by how they
feel, what they tell and what is due; plain talk is what is left. The sentence is of our own words: it may stand in a system
role, so nothing of the person's is in it.
"""

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from uuid import UUID

from chat.planning.cues import (
    asks_for_coaching,
    asks_for_game,
    asks_for_help,
    asks_to_be_heard,
    is_grateful,
    tells_of_success,
)
from chat.planning.snapshot import Goal, Mode, Snapshot, is_bright, is_low, is_soon
from memory.reading.service import Danger
from memory.student.life.facts.loops import OpenLoop
from memory.student.life.feelings import EmotionState, Level, MoodTrend

GOAL_WORDS: Mapping[Goal, str] = {
    "inform": "give them what they asked for",
    "reflect": "show that you have heard what matters to them",
    "validate_feelings": "let them feel that what they feel is allowed",
    "clarify_goal": "help them say what they want, in their own words",
    "suggest_tiny_step": "gently offer one tiny step that they can surely take",
    "celebrate": "be glad with them about what is good",
    "ask_gratitude": "ask what they are grateful for today",
}
MODE_WORDS: Mapping[Mode, str] = {
    "answer": "answer what they ask",
    "support": "be there",
    "coach": "coach",
    "gratitude": "stay with what is good",
    "game": "play a small guessing game with their own good memories",
    "reminder": "bring up what is due, in passing",
    "small_talk": "answer what they say",
}
LOOP_WORDS: Mapping[str, str] = {
    "appointment": "their appointment",
    "medication": "their medicine",
    "promise": "what they promised",
    "goal": "their goal",
}


#: of a message that is surely, and perhaps, about danger
DANGER_WORDS: Mapping[Danger, str] = {
    "sure": "Take it seriously, stay calm, and lead them to people who can help now.",
    "perhaps": "Ask kindly and plainly how they are and whether they are safe, and say whom they can talk to.",
}
AFTER_DANGER = "Answer what they say, gently, and let them feel that you are still there."


def write_aim(
    mode: Mode, goal: Goal, *, low: bool, loops: Sequence[str], danger: Danger | None, gentle: bool
) -> str:
    """Return what the reply is to come to, such as "Calm down, show that you remember their appointment, ..."."""
    if danger is not None:
        return DANGER_WORDS[danger]
    if gentle:
        return AFTER_DANGER
    parts = ["help them calm down"] if low else []
    parts.append(MODE_WORDS[mode])
    named = list(dict.fromkeys(LOOP_WORDS[kind] for kind in loops if kind in LOOP_WORDS))
    if named and mode in {"support", "reminder"}:
        parts.append(f"show that you remember {' and '.join(named[:2])}")
    parts.append(GOAL_WORDS[goal])
    sentence = ", ".join(parts)
    return f"{sentence[0].upper()}{sentence[1:]}."


#: a game plays with so many good memories at least
GAME_MEMORIES = 2
#: after so long without it, a calm person is asked what they are grateful for
ASK_AGAIN = timedelta(days=2)
#: clauses that want an answer and no other talk
ASKING = frozenset({"question", "request"})
#: clauses that say what somebody wants or is going to do
WISHING = frozenset({"wish", "plan", "promise"})


@dataclass(frozen=True, kw_only=True)
class Plan:
    """What a reply is for.

    Attributes:
        aim: the same in a sentence of our own words.
        danger: how surely the message is about danger: nothing light, no game, nothing noted.
        gentle: danger was spoken of shortly before: nothing light either.
        is_wished: the person asked for this way of talking: a game, coaching, or only to be heard.
        reminds_of: what is open that the reply brings up.
    """

    mode: Mode = "small_talk"
    goal: Goal = "reflect"
    coach_intensity: Level = "low"
    aim: str = ""
    danger: Danger | None = None
    gentle: bool = False
    is_wished: bool = False
    reminds_of: UUID | None = None


@dataclass(frozen=True, kw_only=True)
class PlanInput:
    """What is known when it is decided.

    Attributes:
        clauses: the message, clause by clause; intentions: what each of them is.
        told: those clauses that tell how something is: neither asked, nor wished, planned or supposed.
        good_memories: how many good memories there are to play with.
        last_mode: of the reply before, in this conversation; None before the first.
        reminded: what was brought up already, today and here.
        last_gratitude: when they last were grateful for something.
        calm: high energy is disliked.
        danger: how surely the message is about danger; after_danger: it was spoken of shortly before in this conversation.
    """

    snapshot: Snapshot
    emotion: EmotionState
    now: datetime
    trend: MoodTrend = field(default_factory=MoodTrend)
    clauses: Sequence[str] = field(default=(), repr=False)
    intentions: Collection[str] = ()
    told: Sequence[str] = field(default=(), repr=False)
    good_memories: int = 0
    last_mode: Mode | None = None
    reminded: Collection[UUID] = ()
    last_gratitude: datetime | None = None
    calm: bool = False
    danger: Danger | None = None
    after_danger: bool = False

    @property
    def asks(self) -> bool:
        """Whether the message wants an answer."""
        return not ASKING.isdisjoint(self.intentions) or asks_for_help(self.clauses)

    @property
    def wishes(self) -> bool:
        """Whether the message says what its person wants or is going to do."""
        return not WISHING.isdisjoint(self.intentions)

    @property
    def can_play(self) -> bool:
        return self.good_memories >= GAME_MEMORIES


def make_plan(given: PlanInput) -> Plan:
    """Return what the reply is for, with its aim."""
    plan = next(plan for rule in RULES if (plan := rule(given)) is not None)
    return with_aim(plan, given)


def with_aim(plan: Plan, given: PlanInput) -> Plan:
    """Return a plan with its aim in our own words."""
    aim = write_aim(
        plan.mode,
        plan.goal,
        low=is_low(given.emotion),
        loops=[loop.kind for loop in given.snapshot.open_loops if is_soon(loop, now=given.now)],
        danger=plan.danger,
        gentle=plan.gentle,
    )
    return replace(plan, aim=aim)


def intensity_of(given: PlanInput) -> Level:
    """Return how strongly to coach: softly who is low, tired or newly met, strongly who is lively and well known."""
    emotion, trust = given.emotion, given.snapshot.relationship.trust_level
    if is_low(emotion) or given.trend.is_declining or emotion.energy == "low" or trust == "new":
        return "low"
    lively = emotion.energy == "high" and not given.calm
    return "high" if lively and trust == "trusted" else "medium"


def find_due(given: PlanInput) -> OpenLoop | None:
    """Return what is open, soon due, and was not brought up yet."""
    for loop in given.snapshot.open_loops:
        if loop.priority != "low" and is_soon(loop, now=given.now) and loop.id not in given.reminded:
            return loop
    return None


# --- the rules, in their order --------------------------------------------------------------------------------------


def _danger(given: PlanInput) -> Plan | None:
    if given.danger is None:
        return None
    return Plan(mode="support", goal="validate_feelings", danger=given.danger)


def _after_danger(given: PlanInput) -> Plan | None:
    return Plan(mode="support", goal="reflect", gentle=True) if given.after_danger else None


def _heard_out(given: PlanInput) -> Plan | None:
    if not asks_to_be_heard(given.clauses):
        return None
    return Plan(
        mode="support",
        goal="validate_feelings" if is_low(given.emotion) else "reflect",
        is_wished=True,
    )


def _game(given: PlanInput) -> Plan | None:
    """Who is low is not played with; without memories to play with, what was good is looked for first."""
    if is_low(given.emotion) or not asks_for_game(given.clauses):
        return None
    if given.can_play:
        return Plan(mode="game", goal="reflect", is_wished=True)
    return Plan(mode="gratitude", goal="ask_gratitude")


def _coach(given: PlanInput) -> Plan | None:
    """A goal that is there is taken a step further; one that is only wished for is made clear first.

    Coaching begins where it is asked for, and goes on while the person says what they want to do. Who is low is taken in with it.
    """
    asks = asks_for_coaching(given.clauses)
    goes_on = given.last_mode == "coach" and not given.asks and given.wishes
    if not (asks or goes_on):
        return None
    if is_low(given.emotion):
        return replace(_support(given), is_wished=True) if asks else None
    goal: Goal = "suggest_tiny_step" if given.snapshot.near_goal else "clarify_goal"
    return Plan(mode="coach", goal=goal, coach_intensity=intensity_of(given), is_wished=True)


def _answer(given: PlanInput) -> Plan | None:
    """What is asked is answered, however its writer feels; who is low is taken in where nothing is known to answer with."""
    if not given.asks:
        return None
    return Plan(mode="answer", goal=_support(given).goal if is_low(given.emotion) else "inform")


def _low(given: PlanInput) -> Plan | None:
    return _support(given) if is_low(given.emotion) else None


def _support(given: PlanInput) -> Plan:
    """Feelings first; who asks what to do and can bear it is given one small step."""
    bears_a_step = given.emotion.intensity != "high" and given.emotion.social_need == "wants_guidance"
    if bears_a_step and (given.last_mode == "support" or asks_for_coaching(given.clauses)):
        return Plan(mode="support", goal="suggest_tiny_step")
    return Plan(mode="support", goal="validate_feelings")


def _success(given: PlanInput) -> Plan | None:
    return Plan(mode="gratitude", goal="celebrate") if tells_of_success(given.told) else None


def _grateful(given: PlanInput) -> Plan | None:
    return Plan(mode="gratitude", goal="celebrate") if is_grateful(given.told) else None


def _due(given: PlanInput) -> Plan | None:
    loop = find_due(given)
    if loop is None or given.last_mode == "reminder":
        return None
    return Plan(mode="reminder", goal="suggest_tiny_step", reminds_of=loop.id)


def _declining(given: PlanInput) -> Plan | None:
    """Days that go down are met with an ear even where the message itself says nothing of them."""
    if not given.trend.is_declining or is_bright(given.emotion):
        return None
    return Plan(mode="support", goal="reflect")


def _delight(given: PlanInput) -> Plan | None:
    emotion = given.emotion
    glad = emotion.primary_emotion == "joy" and emotion.intensity != "low" and is_bright(emotion)
    return Plan(mode="gratitude", goal="celebrate") if glad else None


def _ask_gratitude(given: PlanInput) -> Plan | None:
    last = given.last_gratitude
    rested = last is None or given.now - last >= ASK_AGAIN
    quiet = given.emotion.primary_emotion == "calm" and is_bright(given.emotion)
    if not (quiet and rested) or given.last_mode in {None, "gratitude"}:
        return None
    return Plan(mode="gratitude", goal="ask_gratitude")


def _small_talk(given: PlanInput) -> Plan:
    return Plan(mode="small_talk", goal="reflect")


RULES: tuple[Callable[[PlanInput], Plan | None], ...] = (
    _danger,
    _after_danger,
    _heard_out,
    _game,
    _coach,
    _answer,
    _low,
    _success,
    _grateful,
    _due,
    _declining,
    _delight,
    _ask_gratitude,
    _small_talk,
)
