"""Which strategy applies to which finding, and how far to look. Source: row G8."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType

from memory.models import Contradiction, MemoryNode

_NEWER, _STRONGER, _MANUAL = (
    Contradiction.Strategy.NEWER_WINS,
    Contradiction.Strategy.STRONGER_WINS,
    Contradiction.Strategy.MANUAL,
)
_TRUST = MemoryNode.Trust


def _retirable() -> Mapping[str, frozenset[str]]:
    """Return whose memories a memory of each trust may retire by itself.

    Nobody's word retires another's: what a teacher observed is not undone by what the student says in passing, nor the
    student's word by an observation. A merged memory says several things, so no one statement retires it.
    """
    vouched = (_TRUST.PERSON, _TRUST.TEACHER, _TRUST.SYSTEM)
    return MappingProxyType({trust.value: frozenset({trust.value}) for trust in vouched})


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
        retirable: trust to the trusts of memories that it may retire.
    """

    neighbours: int = 5
    near: float = 0.25
    opposed: float = 0.8
    felt: float = 0.5
    shared_words: float = 0.5
    by_reader: str = _NEWER.value
    by_order_unknown: str = _STRONGER.value
    by_doubt: str = _MANUAL.value
    by_valence: str = _MANUAL.value
    by_model: str = _NEWER.value
    retirable: Mapping[str, frozenset[str]] = field(default_factory=_retirable)


CONTRADICTIONS = ContradictionParams()
