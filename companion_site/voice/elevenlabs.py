"""Speaking elsewhere: ElevenLabs, with the tone's numbers in its voice settings, streamed back as MP3.

Source: https://elevenlabs.io/docs/api-reference/text-to-speech/stream
"""

from typing import Any

from companion_site.language import LANGUAGES, Language
from companion_site.voice.http import VoiceService
from companion_site.voice.types import Speech, ToneParams

DEFAULT_BASE_URL = "https://api.elevenlabs.io/v1"
#: The quickest of its models that speaks both languages; it is told which, so that a short sentence is not guessed at.
DEFAULT_MODEL = "eleven_flash_v2_5"
OUTPUT = "mp3_44100_64"
#: The service refuses a speed outside of these.
SLOWEST, FASTEST = 0.7, 1.2
#: How strongly a style is acted, 0 to 1. The service advises little: more costs time and steadiness.
STYLES = {
    "soft": 0.1,
    "serious": 0.1,
    "narration": 0.2,
    "conversational": 0.3,
    "emotional": 0.4,
    "excited": 0.6,
}
NEUTRAL_STYLE = 0.2
#: Models that take the language as a parameter, and refuse the request otherwise.
_TOLD_LANGUAGE = ("eleven_flash_v2_5", "eleven_turbo_v2_5")
#: Of this family, stability knows three steps, and a style is said in the text, as a stage direction in brackets.
_TAGGED = "eleven_v3"


class ElevenLabs(VoiceService):
    """One voice, in both languages."""

    name, purpose = "elevenlabs", "voice.speak"
    languages: frozenset[Language] = frozenset(LANGUAGES)

    def __init__(
        self,
        *,
        api_key: str,
        voice: str,
        model: str = DEFAULT_MODEL,
        base_url: str = DEFAULT_BASE_URL,
        **more: Any,
    ) -> None:
        self._voice = voice
        super().__init__(model=model, base_url=base_url, headers={"xi-api-key": api_key}, **more)

    async def speak(self, text: str, *, language: Language, tone: ToneParams) -> Speech:
        pieces = await self._trying(
            self._open,
            f"text-to-speech/{self._voice}/stream",
            params={"output_format": OUTPUT},
            json=request_of(text, language=language, tone=tone, model=self.model),
        )
        return Speech(media_type="audio/mpeg", pieces=pieces)


def request_of(text: str, *, language: Language, tone: ToneParams, model: str) -> dict[str, Any]:
    """Return what is sent for one sentence."""
    words = [word for word in map(str.strip, tone.style.lower().split("+")) if word in STYLES]
    # How strongly to act: the mean over the words that are known.
    style = round(sum(map(STYLES.__getitem__, words)) / len(words), 2) if words else NEUTRAL_STYLE
    settings = {
        "stability": _bounded(tone.stability),
        "similarity_boost": _bounded(tone.similarity),
        "style": style,
        "use_speaker_boost": False,
        "speed": round(min(max(tone.speed, SLOWEST), FASTEST), 2),
    }
    if model.startswith(_TAGGED):
        tags = "".join(f"[{word}] " for word in words)
        return {
            "text": f"{tags}{text}",
            "model_id": model,
            "voice_settings": {**settings, "stability": round(settings["stability"] * 2) / 2},
        }
    told = {"language_code": language} if model in _TOLD_LANGUAGE else {}
    return {"text": text, "model_id": model, "voice_settings": settings, **told}


def _bounded(value: float) -> float:
    return round(min(max(value, 0.0), 1.0), 2)
