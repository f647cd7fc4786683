"""How somebody feels by one message, as a model reads it."""

import asyncio
import json

from companion_site.llm.chain import Gateway
from memory.life.emotions.schema import ReadEmotion, emotion_instructions
from memory.life.emotions.sounding import Sounding
from memory.life.feelings import EmotionState, valence_of

PURPOSE = "chat.emotion"
#: a turn does not wait longer, s
MOST_S = 2.0
MOST_TOKENS = 120
MOST_CHARS = 2_000
#: how sure the reading of a model is, which names none
CONFIDENCE = 0.9


async def classify_by_model(
    text: str, *, gateway: Gateway, sound: Sounding | None = None, most_s: float | None = None
) -> EmotionState:
    """Return what a model reads in a message.

    Raises:
        LanguageModelError: no model could be asked, or none answered in the form.
        TimeoutError: none answered in time.
    """
    async with asyncio.timeout(MOST_S if most_s is None else most_s):
        asked = await gateway.extract(
            ReadEmotion,
            instructions=emotion_instructions(),
            data=_render(text, sound),
            purpose=PURPOSE,
            max_tokens=MOST_TOKENS,
        )
    read = asked.value
    return EmotionState(
        primary_emotion=read.primary_emotion,
        intensity=read.intensity,
        energy=read.energy,
        social_need=read.social_need,
        valence=valence_of(read.primary_emotion, read.intensity),
        confidence=CONFIDENCE,
    )


def _render(text: str, sound: Sounding | None) -> str:
    data: dict[str, object] = {"message": text[:MOST_CHARS]}
    if sound is not None:
        data["sound"] = {
            "duration_s": round(sound.duration_s, 1),
            "loudness_db": round(sound.loudness_db, 1),
            "tempo_wps": None if sound.tempo_wps is None else round(sound.tempo_wps, 2),
            "pause_share": round(sound.pause_share, 2),
        }
    return json.dumps(data, ensure_ascii=False)
