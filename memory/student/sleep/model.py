"""Sleep with a model: it is asked what a batch comes to. What it answers is a proposal, and is checked like any other."""

from collections.abc import Sequence

from memory.reading.model import extract_by_model
from memory.student.sleep.insights import Batch, Item
from memory.student.sleep.prompts import consolidation_instructions, render_batch
from memory.student.sleep.proposals import Proposal, Thought
from memory.student.sleep.schema import ReadInsight, ReadInsights
from memory.student.sleep.weights import Weighed

PURPOSE = "memory.sleep"
#: the longest answer: more than a batch of long memories could come to
MOST_TOKENS = 4096


def think_by_model(batch: Batch, weighed: Weighed) -> Thought | None:
    """Return what a model makes of a batch; None where none is set up, or there is nothing to ask about.

    Synchronous and slow: called from a worker, never inside a transaction. What stands for a whole message is not shown:
    its statements are.

    Raises:
        LanguageModelError: no model could be asked, or none answered in the form.
    """
    new = [item for item in weighed.items if item.id not in weighed.repeats]
    known = [item for item in batch.context if not item.fixed]
    if not new:
        return None
    asked = extract_by_model(
        ReadInsights,
        instructions=consolidation_instructions(),
        data=render_batch(new, known),
        purpose=PURPOSE,
        max_tokens=MOST_TOKENS,
    )
    if asked is None:
        return None
    return Thought(
        proposals=[_propose(insight, new, known, weighed) for insight in asked.value.insights],
        provider=asked.provider,
        model=asked.model,
        input_tokens=asked.input_tokens,
        output_tokens=asked.output_tokens,
    )


def _propose(insight: ReadInsight, new: Sequence[Item], known: Sequence[Item], weighed: Weighed) -> Proposal:
    members = _numbered(insight.sources, new)
    ids = {item.id for item in members}
    whole = [
        item for item in weighed.items if any(part.id in ids for part in weighed.repeats.get(item.id, ()))
    ]
    return Proposal(
        category=insight.category,
        lines=[line.strip() for line in insight.content.splitlines() if line.strip()],
        confidence=insight.confidence,
        members=[*members, *whole],
        renews=_numbered(insight.renews, known),
    )


def _numbered(numbers: Sequence[int], items: Sequence[Item]) -> list[Item]:
    """Return the items of those numbers that there are, each once."""
    return [items[number - 1] for number in dict.fromkeys(numbers) if 1 <= number <= len(items)]
