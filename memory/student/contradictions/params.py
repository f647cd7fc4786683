"""How far to look for contradictions. Source: row G8."""

from dataclasses import dataclass


@dataclass(frozen=True, kw_only=True)
class ContradictionParams:
    """How contradictions are found.

    Attributes:
        neighbours: memories that one statement is compared with, the nearest first.
        near: calibrated similarity that a memory needs to be compared at all.
        opposed: similarity from which opposite feelings are a contradiction to review.
        felt: valence from which a statement counts as a feeling.
        shared_words: share of the shorter one's telling words that two feelings must have in common to be about the same.
    """

    neighbours: int = 5
    near: float = 0.25
    opposed: float = 0.8
    felt: float = 0.5
    shared_words: float = 0.5


CONTRADICTIONS = ContradictionParams()
