"""Asking a model about near pairs of facts, in one call, where there is one."""

from collections.abc import Mapping, Sequence

from memory.company.reconcile.prompts import (
    MOST_PAIRS,
    JudgedFactPairs,
    Judgement,
    discerning_instructions,
    render_fact_pairs,
)
from memory.reading.model import ask_model


def ask_about_facts(pairs: Sequence[tuple[str, str]]) -> Mapping[int, Judgement]:
    """Return a model's judgement of each pair it answered; nothing where no model could be asked.

    Synchronous and slow: called from a worker, never inside a transaction. The first `MOST_PAIRS` count.
    """
    asked = pairs[:MOST_PAIRS]
    if not asked:
        return {}
    judged = ask_model(
        JudgedFactPairs,
        instructions=discerning_instructions(),
        data=render_fact_pairs(asked),
        purpose="memory.company.reconcile.engine",
        max_tokens=1024,
    )
    return {one.pair: one.verdict for one in (judged.pairs if judged else []) if one.pair < len(asked)}
