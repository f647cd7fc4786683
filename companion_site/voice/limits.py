"""How much may be sent and how long to wait."""

from dataclasses import dataclass

from django.conf import settings


@dataclass(frozen=True, kw_only=True)
class RecordingLimits:
    """What a recording may measure."""

    most_bytes: int = 8 * 1024 * 1024
    most_s: float = 120.0

    @classmethod
    def of_site(cls) -> "RecordingLimits":
        return cls(most_bytes=settings.VOICE_MAX_BYTES, most_s=settings.VOICE_MAX_SECONDS)


@dataclass(frozen=True, kw_only=True)
class CallLimits:
    """Bounds of one call to a provider; times in seconds.

    Attributes:
        connect_s: to open a connection.
        answer_s: to a whole transcript, or the first sound of speech.
        between_s: between two pieces of speech.
        total_s: over all tries, pauses among them.
        attempts: tries, the first included; a provider that was too slow is not asked again.
        backoff_s: pause before the second try, doubled before each further one.
        retry_after_max_s: the longest pause that a provider may ask for.
        breaker_failures: failures in a row after which it is left alone.
        breaker_open_s: for how long.
    """

    connect_s: float = 3.0
    answer_s: float = 15.0
    between_s: float = 10.0
    total_s: float = 20.0
    attempts: int = 2
    backoff_s: float = 0.3
    retry_after_max_s: float = 2.0
    breaker_failures: int = 5
    breaker_open_s: float = 30.0
