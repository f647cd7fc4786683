"""What compression of a space goes by."""

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
