"""The one place that decides whether two statements are the same, exclude each other, or may be merged.

Pure: texts and numbers in, a verdict out; English, Swedish and mixed. How well it does: docs/algorithms/contradictions.md.
"""

from memory.algorithms.values.differing import differ_in_value
from memory.algorithms.values.verdicts import Comparison, Said, ValueParams, Verdict, compare

__all__ = ["Comparison", "Said", "ValueParams", "Verdict", "compare", "differ_in_value"]
