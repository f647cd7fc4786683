"""How long to wait, how often to try again and how much may be sent."""

from dataclasses import dataclass


@dataclass(frozen=True, kw_only=True)
class Limits:
    """Bounds of one call. All times in seconds.

    Attributes:
        connect_s: to open a connection.
        first_token_s: from asking to the first sign of an answer.
        between_tokens_s: between two signs of an answer.
        extract_s: for one whole extraction.
        total_s: for the call over all providers and tries; what is left bounds each of the others.
        attempts: tries per provider, the first included.
        attempts_after_timeout: the same for a provider that does not answer in time, which costs the person more.
        backoff_s: pause before the second try, doubled before each further one, with jitter.
        backoff_max_s: the longest such pause.
        retry_after_max_s: the longest pause a provider may ask for; above it the next provider is asked instead.
        max_input_tokens: ceiling on what is sent, by estimate.
        max_reply_chars, max_reply_tokens: ceiling on what is taken of a reply or an answer, the latter by estimate.
        breaker_failures: failures in a row after which a provider is left alone.
        breaker_open_s: how long it is left alone.
    """

    connect_s: float = 5.0
    first_token_s: float = 15.0
    between_tokens_s: float = 20.0
    extract_s: float = 45.0
    total_s: float = 120.0
    attempts: int = 3
    attempts_after_timeout: int = 2
    backoff_s: float = 0.5
    backoff_max_s: float = 4.0
    retry_after_max_s: float = 5.0
    max_input_tokens: int = 60_000
    max_reply_chars: int = 40_000
    max_reply_tokens: int = 16_000
    breaker_failures: int = 5
    breaker_open_s: float = 30.0
