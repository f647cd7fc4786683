"""May two statements become one? The one place where compression asks about values.

Said apart, only the same thing in other words may. Said together, in one message, two statements stay word for word
beside each other when they merge, as they stood in the message, so nothing is blurred unless they give one thing two
values.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from companion_site.embeddings.calibration import Calibration
from memory.algorithms.edges import differ_in_value
from memory.algorithms.values import Said, Verdict, compare

_WORD = re.compile(r"[^\W_]+")
_DIGITS = re.compile(r"\d+")
_OPPOSING = (Verdict.CONTRADICTS, Verdict.OPPOSED)
#: Another wording is the same from this calibrated similarity; below, two statements are not even compared.
SAME = 0.85
#: Of two statements of one message, those that share less of the shorter one's words speak of different things.
SHARED = 1 / 3


@dataclass(frozen=True)
class Judge:
    """Knows how each text was said.

    Attributes:
        said: text → how it is compared.
        vectors: text → (d,) unit length, zeros where there is none.
    """

    said: Mapping[str, Said]
    vectors: Mapping[str, np.ndarray]
    calibration: Calibration

    def may_merge(self, text: str, other: str, together: bool) -> bool:
        """Tell whether no value differs between two statements."""
        words, others = _words(text), _words(other)
        similarity = self._similarity(text, other)
        if together:
            if len(words & others) < SHARED * min(len(words), len(others)):
                return True
            found = compare(self.said[text], self.said[other], similarity=similarity)
            exchanged = _are_exchanged(text, other, words, others)
            return found.may_merge or not (found.verdict in _OPPOSING or exchanged)
        if words != others and (similarity < SAME or _numbers(text) != _numbers(other)):
            return False
        return compare(self.said[text], self.said[other], similarity=similarity).may_merge

    def _similarity(self, text: str, other: str) -> float:
        return float(self.calibration.similarity(float(self.vectors[text] @ self.vectors[other])))


def _words(text: str) -> set[str]:
    return set(_WORD.findall(text.casefold()))


def _numbers(text: str) -> set[str]:
    return set(_DIGITS.findall(text))


def _are_exchanged(text: str, other: str, words: set[str], others: set[str]) -> bool:
    """Tell whether one is the other with some words exchanged: half of the shorter one's words stand in both."""
    alike = 2 * len(words & others) >= min(len(words), len(others))
    return alike and (differ_in_value(text, other) or differ_in_value(other, text))
