"""What sleep and compression go by."""

from dataclasses import dataclass

from django.conf import settings


@dataclass(frozen=True, kw_only=True)
class SpaceCompressionParams:
    """What compression of a space goes by, beside its algorithm's own numbers. Source: rows G5 and G6."""

    #: active memories above which a space is compressed down to so many
    max_nodes: int = 1_000
    #: calibrated similarity from which two memories without an edge are compared value by value
    alike: float = 0.85
    #: as many of the memories nearest to one, at the most
    nearest: int = 3
    #: how often what was thought out is thrown away because the memory changed meanwhile
    most_tries: int = 5
    #: after a compression that could not get a space below its bound, so much more must come before the next
    growth: float = 1.1


COMPRESSION = SpaceCompressionParams(max_nodes=settings.MAX_NODES)


@dataclass(frozen=True, kw_only=True)
class SleepParams:
    """The numbers of sleep. Source: rows I1 to I4."""

    #: hours after the last thing taken in, until a space falls asleep
    after_hours: float = 4.0
    #: short-term memories of one batch: no more than `most_items`, and no fewer than `least_items` where more are there
    least_items: int = 10
    most_items: int = 20
    #: tries at one batch, and the minutes before the second and the third
    most_tries: int = 3
    backoff_minutes: tuple[int, ...] = (5, 30)
    #: sleeps that may leave a memory uncovered; then it is kept word for word
    most_sleeps: int = 3
    #: salience from which a memory must be covered: that of a statement of some 190 bits. What lies below may be let go
    important: float = 0.65
    #: calibrated similarity from which an insight covers a memory, if names, numbers and negations agree too
    covers: float = 0.7
    #: days for which what was let go is still recalled, and for which runs are kept
    short_term_days: int = 30
    history_days: int = 90
    #: hours by which a sleep may be late before the health check tells
    overdue_hours: float = 24.0


SLEEP = SleepParams(
    after_hours=settings.SLEEP_AFTER_HOURS,
    short_term_days=settings.SHORT_TERM_DAYS,
    history_days=settings.SLEEP_HISTORY_DAYS,
)
