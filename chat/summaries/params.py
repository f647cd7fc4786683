"""The numbers of the summaries. Source: row C3 and its document, Layer 1."""

from dataclasses import dataclass


@dataclass(frozen=True, kw_only=True)
class SummaryParams:
    #: messages that are sent word for word, and messages that are folded in at once
    window: int = 20
    batch: int = 20
    #: tokens past which a summary is summarised again
    most_tokens: int = 500
    #: characters of one line, and lines taken from one batch
    most_chars: int = 240
    most_points: int = 12
    #: characters of one message that are read
    most_read: int = 4_000


SUMMARY = SummaryParams()
