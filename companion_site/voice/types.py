"""What goes in and out of the voice. Recordings live as long as their request."""

from collections.abc import AsyncGenerator
from dataclasses import dataclass, field

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
