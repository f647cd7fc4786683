"""Listening elsewhere: Whisper at OpenAI, or at any server that speaks its `audio/transcriptions`.

Source: https://platform.openai.com/docs/api-reference/audio/createTranscription
"""

from typing import Any

from companion_site.language import LANGUAGES, Language
from companion_site.voice.errors import VoiceProviderFailed
from companion_site.voice.http import VoiceService
from companion_site.voice.types import Recording

DEFAULT_BASE_URL = "https://api.openai.com/v1"
DEFAULT_MODEL = "whisper-1"
#: Whisper writes something into noise as well, and says beside it how little it believes it.
NO_SPEECH_PROBABILITY = 0.6
BELIEVED_LOG_PROBABILITY = -1.0


class OpenAIWhisper(VoiceService):
    """One server. Each recording is sent once, under the name of its container alone."""

    name, purpose = "openai", "voice.listen"
    languages: frozenset[Language] = frozenset(LANGUAGES)
    experimental: frozenset[Language] = frozenset()
    hears_partly = False

    def __init__(
        self, *, api_key: str, model: str = DEFAULT_MODEL, base_url: str = DEFAULT_BASE_URL, **more: Any
    ) -> None:
        headers = {"Authorization": f"Bearer {api_key}"} if api_key else {}
        super().__init__(model=model, base_url=base_url, headers=headers, **more)

    async def hear(self, recording: Recording, *, language: Language, quick: bool = False) -> str:
        container = recording.container
        answer = await self._trying(
            self._post,
            "audio/transcriptions",
            data={
                "model": self.model,
                "language": language,
                "response_format": "verbose_json" if self.model == DEFAULT_MODEL else "json",
                "temperature": "0",
            },
            files={"file": (f"recording.{container.suffix}", recording.data, container.media_type)},
        )
        return _text_of(answer)


def _text_of(answer: Any) -> str:
    try:
        segments = answer.get("segments")
        if segments is None:
            return str(answer["text"]).strip()
        return " ".join(segment["text"].strip() for segment in segments if not _is_noise(segment)).strip()
    except (AttributeError, KeyError, TypeError):
        raise VoiceProviderFailed() from None


def _is_noise(segment: dict[str, Any]) -> bool:
    return (
        segment.get("no_speech_prob", 0.0) > NO_SPEECH_PROBABILITY
        and segment.get("avg_logprob", 0.0) < BELIEVED_LOG_PROBABILITY
    )
