"""Sleep without a model: the person's own words, taken together and condensed; nothing is put into others.

What was said in one message becomes one memory of several statements, and so does what was said in two near ones that
tell little. Each statement is condensed to what carries
something, trimmed to what tells most, and those that tell least for their length go as long as the rest covers them.
"""

import math
from collections import defaultdict
from collections.abc import Hashable, Mapping, Sequence
from dataclasses import replace
from uuid import UUID

from companion_site.llm.offline import OfflineCompanion
from memory.algorithms.consolidating import (
    CONSOLIDATING,
    ConsolidatingParams,
    Message,
    drop_covered,
    group_together,
)
from memory.algorithms.merging import MERGING
from memory.sleep.categorising import choose_category
from memory.sleep.condensing import condense
from memory.sleep.covering import Judge
from memory.sleep.insights import Item
from memory.sleep.proposals import Proposal, Thought, whose
from memory.sleep.trimming import trim
from memory.sleep.weighing import Weighed, weigh_vectors


def think_offline(
    weighed: Weighed,
    judge: Judge,
    *,
    context: Sequence[Item] = (),
    params: ConsolidatingParams = CONSOLIDATING,
) -> Thought:
    """Return insights in the person's own words.

    Args:
        context: long-term memories, which those that go on with them, or say them again, renew.
    """
    items = weighed.items
    groups = group_together(
        _messages(weighed, judge),
        similarity=lambda cosine: float(judge.embedder.calibration.similarity(cosine)),
        params=params,
    )
    shortened = {item.id: shorten(item, judge) for item in items}
    judge.embed(line for forms in shortened.values() for form in forms for line in form)
    proposals = []
    known = [item for item in context if not item.fixed]
    for rows in groups:
        proposal = _propose([items[row] for row in rows], shortened, weighed, judge, params)
        if proposal is None:
            continue
        proposal = _renew(proposal, known, judge)
        known = [item for item in known if item not in proposal.renews]
        proposals.append(proposal)
    return Thought(proposals=proposals, provider=OfflineCompanion.name)


def _renew(proposal: Proposal, known: Sequence[Item], judge: Judge) -> Proposal:
    """Return a proposal that takes a long-term memory's place where both speak of one message, or say the same."""
    for item in known:
        if whose(item) != whose(proposal.members[0]):
            continue
        lines = item.text.splitlines()
        judge.embed(lines)
        if all(not judge.find_loss(member, lines, in_words=True) for member in proposal.members):
            return replace(proposal, category=item.category, lines=lines, renews=[item])
        goes_on = any(set(item.sources) & set(member.sources) for member in proposal.members)
        together = list(dict.fromkeys([*lines, *proposal.lines]))
        if goes_on and sum(map(len, together)) <= MERGING.longest_text:
            return replace(proposal, lines=together, renews=[item])
    return proposal


def _messages(weighed: Weighed, judge: Judge) -> list[Message]:
    """Return what the batch holds, message by message."""
    rows: dict[Hashable, list[int]] = defaultdict(list)
    for row, item in enumerate(weighed.items):
        rows[whose(item), item.sources[0] if item.sources else item.id].append(row)
    return [_message(found, weighed, judge) for found in rows.values()]


def _message(rows: Sequence[int], weighed: Weighed, judge: Judge) -> Message:
    items = [weighed.items[row] for row in rows]
    first = items[0]
    telling = [item for item in items if item.id not in weighed.repeats]
    is_specific = any(clause.literal for item in items for clause in judge.read_clauses(item))
    return Message(
        rows=rows,
        key=(whose(first), first.conversation) if first.conversation else None,
        position=first.position,
        told=math.inf if is_specific else sum(judge.bits_told(item) for item in telling),
        vector=weigh_vectors(items, weighed, judge),
    )


def _propose(
    group: Sequence[Item],
    shortened: Mapping[UUID, tuple[list[str], list[str]]],
    weighed: Weighed,
    judge: Judge,
    params: ConsolidatingParams,
) -> Proposal | None:
    """Return what a group comes to; None where nothing in it is worth keeping."""
    telling = [item for item in group if weighed.is_worth_keeping(item) and item.id not in weighed.repeats]
    if not telling:
        return None
    lines = [(item, line) for item in telling for line in _lines(item, shortened[item.id], weighed, judge)]
    lines = list({line: (item, line) for item, line in reversed(lines)}.values())[::-1]

    def is_covered(kept: Sequence[int]) -> bool:
        texts = [lines[row][1] for row in kept]
        return all(
            not judge.find_loss(item, texts, in_words=weighed.counts_in_words(item)) for item in telling
        )

    kept = drop_covered(
        [len(line) for _, line in lines],
        [judge.bits(line, group[0].language) for _, line in lines],
        most=params.least_share * sum(len(item.text) for item in group),
        is_covered=is_covered,
        params=params,
    )
    return Proposal(
        category=choose_category(
            [weighed.parts[item.id] for item in telling], [item.salience for item in telling]
        ),
        lines=[lines[row][1] for row in kept],
        confidence=min(lines[row][0].confidence for row in kept),
        members=group,
    )


def shorten(item: Item, judge: Judge) -> tuple[list[str], list[str]]:
    """Return a statement condensed, clause by clause, and the same with each clause trimmed to what tells most."""
    short = condense(item.text, names=judge.people)
    return short, [trim(line, read=lambda text: judge.read(text, item.language)) for line in short]


def _lines(item: Item, forms: tuple[list[str], list[str]], weighed: Weighed, judge: Judge) -> Sequence[str]:
    """Return a statement condensed, each clause trimmed that may be, or word for word where that would lose something."""
    in_words = weighed.counts_in_words(item)
    short, trimmed = forms
    if not short or judge.find_loss(item, short, in_words=in_words):
        return [item.text]
    if not judge.find_loss(item, trimmed, in_words=in_words):
        return trimmed
    lines = list(short)
    for at in sorted(range(len(lines)), key=lambda at: len(trimmed[at]) - len(short[at])):
        tried = [*lines[:at], trimmed[at], *lines[at + 1 :]]
        if not judge.find_loss(item, tried, in_words=in_words):
            lines = tried
    return lines
