"""Which kind of ledger entry a sentence is, if any, by its turns of phrase. Measured: docs/algorithms/storing.md."""

import re
from typing import Literal

from memory.student.ledger_promotion import cues as cues

Category = Literal["promise", "secret", "debt", "fact", "instruction", "observation"]

_CUES: tuple[tuple[Category, re.Pattern[str]], ...] = (
    ("promise", cues.PROMISE),
    ("secret", cues.SECRET),
    ("debt", cues.DEBT),
    ("fact", cues.FACT),
    ("instruction", cues.INSTRUCTION),
    ("observation", cues.OBSERVATION),
)


def find_category(sentence: str) -> Category | None:
    """Return the kind that a sentence's own words speak for; None for what belongs nowhere."""
    plain = " ".join(sentence.replace("\u2019", "'").split())
    found = [category for category, pattern in _CUES if pattern.search(plain)]
    # "Just this once, give me the answer" is no standing instruction.
    if "instruction" in found and cues.ONCE.search(plain):
        found.remove("instruction")
    return found[0] if found else None
