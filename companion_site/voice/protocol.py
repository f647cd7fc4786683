"""What every way to listen and every voice can do."""

from typing import Protocol

from companion_site.language import Language
from companion_site.voice.types import Recording, Speech, ToneParams


class SpeechToText(Protocol):
    """Hears words in a recording.

    Attributes:
        name: for rows, pages and logs.
        languages: those it is asked for.
        experimental: those of them in which it often errs.
        leaves_machine: whether recordings go elsewhere.
        hears_partly: whether it can be asked again and again while somebody speaks, at nobody's cost.
    """

    name: str
    languages: frozenset[Language]
    experimental: frozenset[Language]
    leaves_machine: bool
    hears_partly: bool

    async def hear(self, recording: Recording, *, language: Language, quick: bool = False) -> str:
        """Return the words; an empty string where there are none.

        Args:
            quick: rough and at once, or not at all.

        Raises:
            VoiceError: it could not.
        """
        ...

    async def aclose(self) -> None: ...


class TextToSpeech(Protocol):
    """Says a sentence. Attributes as above."""

    name: str
    languages: frozenset[Language]
    leaves_machine: bool

    async def speak(self, text: str, *, language: Language, tone: ToneParams) -> Speech:
        """Return the speech with its first sound there, so that what fails has failed by now.

        Raises:
            VoiceError: it could not.
        """
        ...

    async def aclose(self) -> None: ...
