"""The step that chooses how a reply sounds: by rules, or by a model that names one of the eight tones."""

from dataclasses import dataclass, replace

from chat.planning.forms import ReadTone, render_tone, tone_instructions
from chat.planning.moods import is_low
from chat.planning.plans import Plan
from chat.planning.tones import LIVELY, Tone, choose_tone, place_tone
from chat.turn.model import ask_fast, form_without
from chat.turn.steps import Form
from companion_site.llm.chain import Gateway
from companion_site.llm.errors import LanguageModelError
from memory.student.life.feelings import EmotionState

PURPOSE = "chat.tone"


@dataclass(frozen=True, kw_only=True)
class ToneInput:
    """What decides the tone.

    Attributes:
        calm: high energy is disliked, or nobody may know whether it is.
    """

    emotion: EmotionState
    plan: Plan
    calm: bool


@dataclass(frozen=True, kw_only=True)
class Toned:
    tone: Tone
    form: Form = "offline"


async def tone_step(given: ToneInput, *, gateway: Gateway | None = None) -> Toned:
    """Return the tone; its numbers are always those of the map, and who is low or likes it calm gets no lively one."""
    offline = Toned(tone=choose_tone(given.emotion, given.plan, calm=given.calm))
    if gateway is None or given.plan.danger or given.plan.gentle:
        return offline
    try:
        read = await ask_fast(
            gateway,
            ReadTone,
            instructions=tone_instructions(),
            data=render_tone(given.emotion, given.plan),
            purpose=PURPOSE,
        )
    except (LanguageModelError, TimeoutError) as error:
        return replace(offline, form=form_without(error, step="tone"))
    if read.name in LIVELY and is_low(given.emotion):
        return offline
    return Toned(tone=place_tone(read.name, given.emotion, calm=given.calm), form="model")
