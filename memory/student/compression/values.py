"""May two statements become one? The one place where compression asks about values.

Said apart, only the same words may. Said together, in one message, two statements stay word for word
beside each other when they merge, as they stood in the message, so nothing is blurred unless one gives another value
to what the other says.
"""

import re

from memory.algorithms.difference import differ_in_value, plain

_WORD = re.compile(r"[^\W_]+")
#: Of two statements of one message, those that share less of the shorter one's words speak of different things.
SHARED = 1 / 3


def may_merge(text: str, other: str, together: bool) -> bool:
    """Tell whether no value differs between two statements."""
    if plain(text) == plain(other):
        return True
    words, others = _words(text), _words(other)
    shared, shorter = len(words & others), min(len(words), len(others))
    # One is the other with some words exchanged where half of the shorter one's words stand in both.
    differ = differ_in_value(text, other) or differ_in_value(other, text)
    is_exchanged = 2 * shared >= shorter and differ
    return together and (shared < SHARED * shorter or not is_exchanged)


def _words(text: str) -> set[str]:
    return set(_WORD.findall(text.casefold()))
