"""Asking a model about near pairs, in one call, where there is one."""

from collections.abc import Hashable, Sequence
from typing import TypeVar

from memory.contradiction_prompts import MOST_PAIRS, JudgedPairs, contradiction_instructions, render_pairs
from memory.model_asking import ask_model

P = TypeVar("P", bound=Hashable)


def ask_about_pairs(pairs: Sequence[tuple[tuple[str, str], P]]) -> dict[P, str]:
    """Return a model's verdict on each pair it answered; nothing where no model could be asked.

    Args:
        pairs: the earlier and the later text, and what to call the pair; the first ones count.
    """
    asked = pairs[:MOST_PAIRS]
    if not asked:
        return {}
    judged = ask_model(
        JudgedPairs,
        instructions=contradiction_instructions(),
        data=render_pairs([texts for texts, _ in asked]),
        purpose="memory.contradictions",
        max_tokens=512,
    )
    found = judged.pairs if judged else []
    return {asked[one.pair][1]: one.verdict for one in found if one.pair < len(asked)}
