"""What goes in and out of the voice, and what listens and speaks. Recordings live as long as their request."""

from collections.abc import AsyncGenerator
from dataclasses import dataclass, field
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from companion_site.language import Language

#: (n,) float32, -1 to 1, one channel, RATE samples a second.
Samples = NDArray[np.float32]
RATE = 16_000


@dataclass(frozen=True)
class Container:
    """A form of recording that can be taken in.

    Attributes:
        name: as FFmpeg's readers are called.
        suffix: how the name of such a file ends.
        media_type: how HTTP names it.
    """

    name: str
    suffix: str
    media_type: str


@dataclass(frozen=True, kw_only=True)
class Recording:
    """What somebody recorded: as it came, and decoded where this machine can."""

    data: bytes = field(repr=False)
    container: Container
    samples: Samples | None = field(repr=False)


@dataclass(frozen=True, kw_only=True)
class Sound:
    """How somebody spoke.

    Attributes:
        duration_s: the whole recording.
        loudness_db: mean level of what is not silence, in dB of full scale: 0 is the loudest there is.
        tempo_wps: words a second, from the first sound to the last; None without words.
        pause_share: how much of that time is pauses, 0 to 1.
    """

    duration_s: float
    loudness_db: float
    tempo_wps: float | None
    pause_share: float


@dataclass(frozen=True, kw_only=True)
class Transcript:
    """What was heard. `sound` is None where the recording was only passed on and never decoded here."""

    text: str = field(repr=False)
    language: Language
    sound: Sound | None


@dataclass(frozen=True, kw_only=True)
class ToneParams:
    """How something is to be said.

    Attributes:
        stability: 0 (lively) to 1 (even).
        similarity: how closely the voice keeps to itself, 0 to 1.
        style: words such as "Soft + Emotional".
        speed: 1 is the voice's own pace.
    """

    stability: float = 0.6
    similarity: float = 0.7
    style: str = "Conversational"
    speed: float = 1.0


@dataclass(frozen=True, kw_only=True)
class Speech:
    """Something being said: whoever takes it reads all pieces or closes them."""

    media_type: str
    pieces: AsyncGenerator[bytes, None]


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
