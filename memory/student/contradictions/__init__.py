"""Memories that cannot both be true now: found at formation, settled or left to the person, and undone in one click.

Measured: docs/algorithms/change.md.
"""

from memory.student.contradictions.errors import AlreadySettled, NoLongerHeld
from memory.student.contradictions.params import CONTRADICTIONS, ContradictionParams
from memory.student.contradictions.resolution import resolve
from memory.student.contradictions.search import Found, find_contradictions
from memory.student.contradictions.settlement import replace_by_model, settle

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
