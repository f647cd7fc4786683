"""Memories that cannot both be true now: found at formation, settled or left to the person, and undone in one click.

Measured: docs/algorithms/contradictions.md.
"""

from memory.contradictions.errors import AlreadySettled, NoLongerHeld
from memory.contradictions.finding import Found, find_contradictions
from memory.contradictions.params import CONTRADICTIONS, ContradictionParams
from memory.contradictions.resolving import resolve
from memory.contradictions.settling import replace_by_model, settle

__all__ = [
    "CONTRADICTIONS",
    "AlreadySettled",
    "ContradictionParams",
    "Found",
    "NoLongerHeld",
    "find_contradictions",
    "replace_by_model",
    "resolve",
    "settle",
]
