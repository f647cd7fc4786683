"""Which strategy applies to which finding, and how far to look. Source: row G8."""

from dataclasses import dataclass

from memory.models import Contradiction


@dataclass(frozen=True, kw_only=True)
class ContradictionParams:
    """How contradictions are found and what is done about them.

    Attributes:
        neighbours: memories that one statement is compared with, the nearest first.
        near: calibrated similarity that a memory needs to be compared at all.
        opposed: similarity from which opposite feelings are a contradiction to review.
        felt: valence from which a statement counts as a feeling.
        shared_words: share of the shorter one's telling words that two feelings must have in common to be about the same.
        by_reader: strategy for what surely takes the earlier one's place.
        by_order_unknown: strategy where both were said at the same moment, so that neither is newer.
        by_doubt: strategy for what perhaps does.
        by_valence: strategy for opposite feelings. One bad day does not undo a general feeling, so the person decides.
        by_model: strategy for what a model says is replaced: the newer one, undone in one click.
    """

    neighbours: int = 5
    near: float = 0.25
    opposed: float = 0.8
    felt: float = 0.5
    shared_words: float = 0.5
    by_reader: str = Contradiction.Strategy.NEWER_WINS.value
    by_order_unknown: str = Contradiction.Strategy.STRONGER_WINS.value
    by_doubt: str = Contradiction.Strategy.MANUAL.value
    by_valence: str = Contradiction.Strategy.MANUAL.value
    by_model: str = Contradiction.Strategy.NEWER_WINS.value


CONTRADICTIONS = ContradictionParams()
