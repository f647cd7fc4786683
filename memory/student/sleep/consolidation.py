"""How sleep thinks: from a batch of memories to what they come to. No database; asks a model, so never in a transaction.

What must not be lost, what merely repeats the rest, and to which part of long-term memory each belongs is weighed first. What a
model answers is a proposal, and is checked like any other.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from uuid import UUID

import numpy as np

from companion_site.embeddings.protocol import Embedder
from companion_site.llm.offline import OfflineCompanion
from memory.algorithms.coverage import plain_words
from memory.algorithms.merge import write_out
from memory.models import MemoryNode
from memory.reading.model import extract_by_model
from memory.reading.params import READING
from memory.student.assessment import UNASSESSED, read_parts
from memory.student.compression.plan import mean_vector
from memory.student.params import SLEEP
from memory.student.sleep.coverage import Judge
from memory.student.sleep.insights import CATEGORIES, Consolidation, Insight, Item
from memory.student.sleep.prompts import ReadInsight, ReadInsights, consolidation_instructions, render_batch

BACKGROUND: str = MemoryNode.Category.BACKGROUND.value
JUDGED = CATEGORIES - {BACKGROUND}
PURPOSE = "memory.sleep"
#: the longest answer: more than a batch of long memories could come to
MOST_TOKENS = 4096


@dataclass(frozen=True, kw_only=True)
class Part:
    """Where a memory belongs.

    Attributes:
        is_clear: it surely is a strength, a struggle or a goal.
        is_basic: it says who the person is.
    """

    category: str
    is_clear: bool = False
    is_basic: bool = False


@dataclass(frozen=True, kw_only=True)
class Weighed:
    """The items of a batch that are free to be taken together, and how much each counts.

    Attributes:
        important: must be covered.
        repeats: items that stand for a whole message and say nothing that its statements do not say → those statements.
    """

    items: Sequence[Item]
    parts: Mapping[UUID, Part]
    important: frozenset[UUID]
    repeats: Mapping[UUID, Sequence[Item]]

    def counts_in_words(self, item: Item) -> bool:
        """Tell whether a likeness is not enough: its words say who somebody is, can, cannot, wants or likes to be helped."""
        part = self.parts[item.id]
        return part.is_basic or part.is_clear or item.node.modality == MemoryNode.Modality.PROCEDURAL


def categorise(items: Sequence[Item], *, embedder: Embedder) -> list[Part]:
    """Return the part of each item; what is none of the others is background."""
    vectors = np.array([item.vector for item in items])
    read = read_parts([item.text for item in items], vectors, embedder)
    return [_part(item, *told) for item, told in zip(items, read, strict=True)]


def _part(item: Item, part: str, chance: float) -> Part:
    if part not in JUDGED or item.node.modality in UNASSESSED:
        return Part(category=BACKGROUND, is_basic=part == "basic")
    return Part(category=part, is_clear=chance >= READING.part)


def weigh(items: Sequence[Item], *, embedder: Embedder) -> Weighed:
    """Return what of a batch counts: by its salience, or because it says who the person is or what comes up in their life."""
    parts = dict(zip((item.id for item in items), categorise(items, embedder=embedder), strict=True))
    important = {
        item.id
        for item in items
        if item.node.salience >= SLEEP.important or parts[item.id].is_basic or item.tells_life
    }
    free = [item for item in items if not item.fixed]
    return Weighed(
        items=free,
        parts=parts,
        important=frozenset(important),
        repeats=find_repeats(free),
    )


def weigh_vectors(items: Sequence[Item], weighed: Weighed, judge: Judge) -> np.ndarray:
    """Return the mean direction of items, (d,) of unit length, each by the information of what it says.

    What only repeats the others counts once.
    """
    weights = np.array([0.0 if item.id in weighed.repeats else judge.bits_told(item) for item in items])
    if not weights.any():
        weights = np.ones(len(items))
    return mean_vector(np.stack([item.vector for item in items]) * weights[:, None])


def find_repeats(items: Sequence[Item]) -> dict[UUID, list[Item]]:
    """Return the items of which no word is left without those others that came from the same source."""
    found: dict[UUID, list[Item]] = {}
    came_from = {item.id: {source.source_id for source in item.sources} for item in items}
    for item in items:
        parts = [
            other
            for other in items
            if other is not item and came_from[other.id] & came_from[item.id] and other.text in item.text
        ]
        rest = item.text
        for part in sorted(parts, key=lambda part: -len(part.text)):
            rest = rest.replace(part.text, " ", 1)
        if parts and not plain_words(rest).strip():
            found[item.id] = parts
    return found


def consolidate(
    items: Sequence[Item], context: Sequence[Item] = (), *, embedder: Embedder, with_model: bool = True
) -> Consolidation:
    """Return what a batch comes to: insights that cover their members, and what becomes of the rest.

    Whoever thinks, nothing counts that coverage does not confirm. Without a model every memory becomes a lasting one, word for word,
    in the part of life it belongs to; what only repeats the statements that it stands for is let go: they stay.

    Args:
        items: short-term memories, the oldest first.
        context: the long-term ones they are nearest to.
        with_model: ask a language model if one is set up.

    Raises:
        LanguageModelError: a model was asked and did not answer in the form.
    """
    weighed = weigh(items, embedder=embedder)
    # What stands for a whole message is not shown: its statements are.
    new = [item for item in weighed.items if item.id not in weighed.repeats]
    known = [item for item in context if not item.fixed]
    asked = None
    if with_model and new:
        asked = extract_by_model(
            ReadInsights,
            instructions=consolidation_instructions(),
            data=render_batch(new, known),
            purpose=PURPOSE,
            max_tokens=MOST_TOKENS,
        )
    if asked is None:
        return Consolidation(
            kept={
                item.id: weighed.parts[item.id].category for item in items if item.id not in weighed.repeats
            },
            let_go=list(weighed.repeats),
            provider=OfflineCompanion.name,
        )
    judge = Judge((*items, *context), embedder)
    judge.embedder.embed([line for read in asked.value.insights for line in read.lines])  # all at once
    insights: list[Insight] = []
    kept = {item.id: weighed.parts[item.id].category for item in items if item.fixed}
    placed: set[UUID] = set(kept)
    for read in asked.value.insights:
        renews, members = _numbered(read.renews, known), _numbered(read.sources, new)
        ids = {item.id for item in members}
        members += [
            item for item in weighed.items if any(part.id in ids for part in weighed.repeats.get(item.id, ()))
        ]
        found = _confirm(read, members, renews, weighed, judge, placed)
        if found is None:
            continue
        if _is_as_it_was(found, (*renews, *members)):
            kept[found.members[0]] = found.category
        else:
            insights.append(found)
        placed.update(found.members)
    left, let_go = _account_for_rest(weighed, placed, kept)
    return Consolidation(
        insights=insights,
        kept=kept,
        let_go=let_go,
        left=left,
        provider=asked.provider,
        model=asked.model,
        input_tokens=asked.input_tokens,
        output_tokens=asked.output_tokens,
    )


def _account_for_rest(
    weighed: Weighed, placed: set[UUID], kept: dict[UUID, str]
) -> tuple[list[UUID], list[UUID]]:
    """Return what stays short-term and what is let go of what no insight took; what was left too often is kept as it is."""
    left, let_go = [], []
    for item in weighed.items:
        if item.id in placed:
            continue
        if item.id not in weighed.important:
            let_go.append(item.id)
        elif item.node.sleep_tries >= SLEEP.most_sleeps:
            kept[item.id] = weighed.parts[item.id].category
        else:
            left.append(item.id)
    return left, let_go


def _confirm(
    read: ReadInsight,
    members: Sequence[Item],
    renews: Sequence[Item],
    weighed: Weighed,
    judge: Judge,
    placed: set[UUID],
) -> Insight | None:
    """Return the insight with those members that it covers; None where it covers none, or says what none of them said.

    What renews a memory stays in its part: its person may have put it there.

    Args:
        renews: long-term memories whose place it shall take; it has to cover them too.
    """
    wanted = [item for item in members if item.id not in placed and not item.fixed]
    covered = [
        item
        for item in wanted
        if not judge.find_loss(item, read.lines, in_words=weighed.counts_in_words(item))
    ]
    covered += [
        item
        for item in wanted
        if item not in covered
        and item.id in weighed.repeats
        and any(p in covered for p in weighed.repeats[item.id])
    ]
    renewed = [
        item
        for item in renews
        if item.id not in placed and not item.fixed and not judge.find_loss(item, read.lines, in_words=True)
    ]
    together = [*renewed, *covered]
    alike = {(item.speaker, item.vouched_by, item.node.language) for item in together}
    if not covered or len(alike) > 1 or not judge.is_grounded(read.lines, together):
        return None
    return Insight(
        category=next((item.node.category for item in renewed if item.node.category), read.category),
        text=write_out(read.lines),
        language=covered[0].node.language,
        confidence=read.confidence,
        members=tuple(item.id for item in together),
        vector=weigh_vectors(together, weighed, judge),
    )


def _is_as_it_was(insight: Insight, given: Sequence[Item]) -> bool:
    """Tell whether one memory would only be replaced by itself."""
    texts = [item.text for item in given if item.id in insight.members]
    return len(texts) == 1 and plain_words(insight.text) == plain_words(texts[0])


def _numbered(numbers: Sequence[int], items: Sequence[Item]) -> list[Item]:
    """Return the items of those numbers that there are, each once."""
    return [items[number - 1] for number in dict.fromkeys(numbers) if 1 <= number <= len(items)]
