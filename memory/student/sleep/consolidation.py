"""How sleep thinks: from a batch of memories to what they come to. No database; asks a model, so never in a transaction."""

from datetime import datetime
from uuid import UUID

from companion_site.embeddings.protocol import Embedder
from companion_site.llm.offline import OfflineCompanion
from memory.algorithms.coverage import plain_words
from memory.algorithms.merge import write_out
from memory.student.sleep.coverage import Judge
from memory.student.sleep.insights import Batch, Consolidation, Insight, Item
from memory.student.sleep.model import think_by_model
from memory.student.sleep.params import SLEEP, SleepParams
from memory.student.sleep.proposals import Proposal, Thought, whose
from memory.student.sleep.weights import Weighed, weigh, weigh_vectors


def consolidate(
    batch: Batch, *, embedder: Embedder, now: datetime, with_model: bool = True, params: SleepParams = SLEEP
) -> Consolidation:
    """Return what a batch comes to: insights that cover their members, and what becomes of the rest.

    Whoever thinks, nothing counts that coverage does not confirm.

    Args:
        with_model: ask a language model if one is set up; without one all is kept in the person's own words.

    Raises:
        LanguageModelError: a model was asked and did not answer in the form.
    """
    judge = Judge(batch, embedder, params)
    weighed = weigh(batch.items, judge, embedder=embedder, params=params)
    thought = think_by_model(batch, weighed) if with_model else None
    return keep_whole(batch, weighed) if thought is None else _settle(batch, thought, weighed, judge, params)


def keep_whole(batch: Batch, weighed: Weighed) -> Consolidation:
    """Return what sleep does without a model: every memory becomes a lasting one, word for word, in the part of life it belongs to.

    What only repeats the statements that it stands for is let go: they stay.
    """
    return Consolidation(
        kept={
            item.id: weighed.parts[item.id].category for item in batch.items if item.id not in weighed.repeats
        },
        let_go=list(weighed.repeats),
        provider=OfflineCompanion.name,
    )


def _settle(
    batch: Batch, thought: Thought, weighed: Weighed, judge: Judge, params: SleepParams
) -> Consolidation:
    judge.embed(line for proposal in thought.proposals for line in proposal.lines)
    insights: list[Insight] = []
    kept = {item.id: weighed.parts[item.id].category for item in batch.items if item.fixed}
    placed: set[UUID] = set(kept)
    for proposal in thought.proposals:
        found = _confirm(proposal, weighed, judge, placed)
        if found is None:
            continue
        if _is_as_it_was(found, proposal):
            kept[found.members[0]] = found.category
        else:
            insights.append(found)
        placed.update(found.members)
    left, let_go = [], []
    for item in weighed.items:
        if item.id in placed:
            continue
        if item.id not in weighed.important:
            let_go.append(item.id)
        elif item.sleep_tries >= params.most_sleeps:
            kept[item.id] = weighed.parts[item.id].category
        else:
            left.append(item.id)
    return Consolidation(
        insights=insights,
        kept=kept,
        let_go=let_go,
        left=left,
        provider=thought.provider,
        model=thought.model,
        input_tokens=thought.input_tokens,
        output_tokens=thought.output_tokens,
    )


def _confirm(proposal: Proposal, weighed: Weighed, judge: Judge, placed: set[UUID]) -> Insight | None:
    """Return the insight with those members that it covers; None where it covers none, or says what none of them said.

    What renews a memory stays in its part: its person may have put it there.
    """
    wanted = [item for item in proposal.members if item.id not in placed and not item.fixed]
    covered = [item for item in wanted if _covers(proposal, item, weighed, judge)]
    covered += [
        item
        for item in wanted
        if item not in covered
        and item.id in weighed.repeats
        and any(p in covered for p in weighed.repeats[item.id])
    ]
    renewed = [
        item
        for item in proposal.renews
        if item.id not in placed
        and not item.fixed
        and not judge.find_loss(item, proposal.lines, in_words=True)
    ]
    members = [*renewed, *covered]
    if not covered or len({whose(item) for item in members}) > 1:
        return None
    if not judge.is_grounded(proposal.lines, members):
        return None
    return Insight(
        category=next((item.category for item in renewed if item.category), proposal.category),
        text=write_out(proposal.lines),
        language=covered[0].language,
        confidence=proposal.confidence,
        members=tuple(item.id for item in members),
        vector=weigh_vectors(members, weighed, judge),
    )


def _covers(proposal: Proposal, item: Item, weighed: Weighed, judge: Judge) -> bool:
    return not judge.find_loss(item, proposal.lines, in_words=weighed.counts_in_words(item))


def _is_as_it_was(insight: Insight, proposal: Proposal) -> bool:
    """Tell whether one memory would only be replaced by itself."""
    texts = [item.text for item in (*proposal.renews, *proposal.members) if item.id in insight.members]
    return len(texts) == 1 and plain_words(insight.text) == plain_words(texts[0])
