"""How a reply sounds: eight tones of one voice, each with its range. Rules choose by feeling, plan and what the person likes; a fast model may."""

import json
from collections.abc import Mapping
from dataclasses import dataclass

from pydantic import BaseModel, ConfigDict

from chat.turn.plan import Plan
from chat.turn.snapshot import ToneName, is_low
from chat.turn.steps import Step, ask
from companion_site.llm.chain import Gateway
from memory.student.life.feelings import EmotionState, Level

Range = tuple[float, float]


@dataclass(frozen=True, kw_only=True)
class ToneRange:
    """One tone of the map.

    Attributes:
        stability, similarity: (least, most), 0 to 1; low stability is lively.
        directive: how to speak; speed: 1 is the voice's own pace.
    """

    stability: Range
    similarity: Range
    style: str
    directive: str
    speed: float


@dataclass(frozen=True, kw_only=True)
class Tone:
    """How one reply is to be said; the voice itself is always the same."""

    name: ToneName
    stability: float
    similarity: float
    style: str
    directive: str
    speed: float


TONE_MAP: Mapping[ToneName, ToneRange] = {
    "warm_empathic": ToneRange(
        stability=(0.65, 0.75),
        similarity=(0.6, 0.6),
        style="Soft + Emotional",
        directive="Speak gently, warmly, slowly and with soft pauses.",
        speed=0.92,
    ),
    "calm_soothing": ToneRange(
        stability=(0.7, 0.85),
        similarity=(0.5, 0.5),
        style="Soft",
        directive="Speak quietly and evenly, in short sentences, with room to breathe between them.",
        speed=0.9,
    ),
    "supportive_caring": ToneRange(
        stability=(0.55, 0.65),
        similarity=(0.7, 0.7),
        style="Conversational + Soft",
        directive="Speak as a friend who has time, softly and naturally.",
        speed=0.97,
    ),
    "coach_grounded": ToneRange(
        stability=(0.6, 0.8),
        similarity=(0.9, 0.9),
        style="Serious + Conversational",
        directive="Speak clearly and steadily, with confidence in them.",
        speed=1.0,
    ),
    "reflective_thoughtful": ToneRange(
        stability=(0.5, 0.6),
        similarity=(0.8, 0.8),
        style="Narration",
        directive="Speak thoughtfully, as if looking back together, and leave a pause before the question.",
        speed=0.95,
    ),
    "cheerful_light": ToneRange(
        stability=(0.35, 0.5),
        similarity=(0.5, 0.6),
        style="Excited + Conversational",
        directive="Speak lightly and with a smile.",
        speed=1.04,
    ),
    "playful_energetic": ToneRange(
        stability=(0.3, 0.45),
        similarity=(0.7, 0.7),
        style="Excited",
        directive="Speak playfully and with energy.",
        speed=1.08,
    ),
    "serious_direct": ToneRange(
        stability=(0.8, 0.95),
        similarity=(1.0, 1.0),
        style="Serious",
        directive="Speak plainly and seriously, without hurry.",
        speed=0.98,
    ),
}
#: What nobody hears who dislikes high energy; they hear the calm tone in its place.
LIVELY: frozenset[ToneName] = frozenset({"cheerful_light", "playful_energetic"})
#: Where in a range a reply lies: what is lively is less even.
LIVELINESS: Mapping[Level, float] = {"low": 1.0, "medium": 0.5, "high": 0.0}


async def tone_step(
    emotion: EmotionState, plan: Plan, step: Step, *, calm: bool, gateway: Gateway | None = None
) -> Tone:
    """Return the tone; its numbers are always those of the map, and who is low or likes it calm gets no lively one.

    Args:
        calm: high energy is disliked, or nobody may know whether it is.
    """
    if gateway is None or plan.danger or plan.gentle:
        return choose_tone(emotion, plan, calm=calm)
    data = {
        "emotion": emotion.primary_emotion,
        "intensity": emotion.intensity,
        "energy": emotion.energy,
        "mode": plan.mode,
        "goal": plan.goal,
        "coach_intensity": plan.coach_intensity,
    }
    read = await ask(gateway, ReadTone, step, instructions=INSTRUCTIONS, data=json.dumps(data))
    if read is not None and read.name in LIVELY and is_low(emotion):
        step.form, read = "offline", None
    return (
        choose_tone(emotion, plan, calm=calm) if read is None else place_tone(read.name, emotion, calm=calm)
    )


def choose_tone(emotion: EmotionState, plan: Plan, *, calm: bool) -> Tone:
    """Return the tone of a reply by the rules."""
    return place_tone(name_tone(emotion, plan), emotion, calm=calm)


def name_tone(emotion: EmotionState, plan: Plan) -> ToneName:
    """Return which of the eight it is, before what the person likes is looked at."""
    low = is_low(emotion)
    if plan.danger:
        return "warm_empathic"
    if low or plan.mode == "support":
        if emotion.primary_emotion == "anxiety":
            return "calm_soothing"
        return "warm_empathic" if low else "supportive_caring"
    if plan.goal == "celebrate" and plan.mode != "game":
        return "cheerful_light"
    if plan.mode == "coach":
        return "supportive_caring" if plan.coach_intensity == "low" else "coach_grounded"
    by_mode: Mapping[str, ToneName] = {
        "game": "playful_energetic",
        "gratitude": "reflective_thoughtful",
        "reminder": "serious_direct",
    }
    by_feeling: Mapping[str, ToneName] = {"joy": "cheerful_light", "calm": "reflective_thoughtful"}
    return by_mode.get(plan.mode) or by_feeling.get(emotion.primary_emotion, "supportive_caring")


def place_tone(name: ToneName, emotion: EmotionState, *, calm: bool) -> Tone:
    """Return a tone with its place in the range, by the person's own energy; who likes it calm gets the even end."""
    name = "calm_soothing" if calm and name in LIVELY else name
    found = TONE_MAP[name]
    share = 1.0 if calm else LIVELINESS[emotion.energy]
    return Tone(
        name=name,
        stability=_within(found.stability, share),
        similarity=_within(found.similarity, 0.5),
        style=found.style,
        directive=found.directive,
        speed=min(found.speed, 1.0) if calm else found.speed,
    )


def _within(bounds: Range, share: float) -> float:
    least, most = bounds
    return round(least + share * (most - least), 3)


class ReadTone(BaseModel):
    """A model's choice of tone."""

    model_config = ConfigDict(extra="forbid")

    name: ToneName


INSTRUCTIONS = (
    "The data is a JSON object: how a person feels and what the reply to them is for. Choose the tone in which it is "
    "spoken: 'warm_empathic' for the sad and lonely, 'calm_soothing' for the anxious, 'supportive_caring' for everyday "
    "warmth, 'coach_grounded' for coaching, 'reflective_thoughtful' for looking back, 'cheerful_light' for joy, "
    "'playful_energetic' for games, 'serious_direct' for what must not be missed."
)
