"""The one place that decides whether two statements are the same, exclude each other, or may be merged.

Pure: texts and numbers in, a verdict out; English, Swedish and mixed. How well it does: docs/algorithms/contradictions.md for
what a person says, docs/algorithms/company.md for what is believed of a company.
"""

from memory.algorithms.values.business.sameness import FactParams
from memory.algorithms.values.business.verdicts import DEFAULT_FACT_PARAMS, Fact, compare_facts, never_same
from memory.algorithms.values.difference import differ_in_value
from memory.algorithms.values.verdicts import Comparison, Said, ValueParams, Verdict, compare

__all__ = [
    "DEFAULT_FACT_PARAMS", "Comparison", "Fact", "FactParams", "Said", "ValueParams", "Verdict", "compare", "compare_facts", "differ_in_value",
    "never_same",
]  # fmt: skip
