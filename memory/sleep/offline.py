"""Sleep without a model: the person's own words, taken together and condensed; nothing is put into others.

What was said in one message becomes one memory of several statements; but what is surely a struggle, a strength, a goal
or background never stands under another of these. Each statement is condensed to what carries something, trimmed to what
tells most, and those that tell least for their length go as long as the rest covers them.
"""

from collections import defaultdict
from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from uuid import UUID

from companion_site.llm.offline import OfflineCompanion
from memory.algorithms.consolidating import (
    CONSOLIDATING,
    ConsolidatingParams,
    drop_covered,
)
from memory.algorithms.merging import MERGING
from memory.sleep.categorising import choose_category
from memory.sleep.condensing import condense
from memory.sleep.covering import Judge
from memory.sleep.insights import Item
from memory.sleep.proposals import Proposal, Thought, whose
from memory.sleep.trimming import trim
from memory.sleep.weighing import Weighed


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
    shortened = {item.id: shorten(item, judge) for item in items}
    judge.embed(line for forms in shortened.values() for form in forms for line in form)
    propose = partial(_propose, shortened=shortened, weighed=weighed, judge=judge, params=params)
    drafts = [
        _draft([items[row] for row in rows], weighed, propose=propose) for rows in group_messages(weighed)
    ]
    room = judge.params.room * sum(len(item.text) for item in items)
    proposals = []
    known = [item for item in context if not item.fixed]
    for proposal in fill_room(drafts, room=room):
        proposal = _renew(proposal, known, judge)
        known = [item for item in known if item not in proposal.renews]
        proposals.append(proposal)
    return Thought(proposals=proposals, provider=OfflineCompanion.name)


@dataclass(frozen=True, kw_only=True)
class Draft:
    """What a group comes to: by what must be kept, and with what is kept where there is room; None where that is nothing.

    Attributes:
        worth: the highest salience of what only fills.
    """

    lean: Proposal | None
    full: Proposal | None
    worth: float

    @property
    def size(self) -> int:
        return _size(self.lean)

    @property
    def extra(self) -> int:
        """Return the characters that the full form takes more."""
        return _size(self.full) - self.size


def fill_room(drafts: Sequence[Draft], *, room: float) -> list[Proposal]:
    """Return the proposals, with what fills as long as all of it stays within `room` characters, the worthiest first."""
    left = room - sum(draft.size for draft in drafts)
    chosen = [draft.lean for draft in drafts]
    for at in sorted(range(len(drafts)), key=lambda at: (-drafts[at].worth, at)):
        draft = drafts[at]
        if draft.full is not None and draft.extra <= left:
            chosen[at], left = draft.full, left - draft.extra
    return [proposal for proposal in chosen if proposal is not None]


def _size(proposal: Proposal | None) -> int:
    return sum(map(len, proposal.lines)) if proposal else 0


def _draft(
    group: Sequence[Item],
    weighed: Weighed,
    *,
    propose: Callable[[Sequence[Item], Sequence[Item]], Proposal | None],
) -> Draft:
    own = [item for item in group if item.id not in weighed.repeats]
    must = [item for item in own if weighed.is_worth_keeping(item)]
    both = [item for item in own if item in must or item.id in weighed.filling]
    return Draft(
        lean=propose(group, must),
        full=propose(group, both) if len(both) > len(must) else None,
        worth=max((item.salience for item in both if item not in must), default=0.0),
    )


def _renew(proposal: Proposal, known: Sequence[Item], judge: Judge) -> Proposal:
    """Return a proposal that takes a long-term memory's place where both speak of one message, or say the same."""
    for item in known:
        if whose(item) != whose(proposal.members[0]):
            continue
        lines = item.text.splitlines()
        judge.embed(lines)
        if all(not judge.find_loss(member, lines, in_words=True) for member in proposal.members):
            return replace(proposal, lines=lines, renews=[item])
        goes_on = any(set(item.sources) & set(member.sources) for member in proposal.members)
        together = list(dict.fromkeys([*lines, *proposal.lines]))
        if goes_on and sum(map(len, together)) <= MERGING.longest_text:
            return replace(proposal, lines=together, renews=[item])
    return proposal


def group_messages(weighed: Weighed) -> list[list[int]]:
    """Return the rows that become one memory: those of one message, of one part of a life."""
    messages: dict[Hashable, list[int]] = defaultdict(list)
    for row, item in enumerate(weighed.items):
        messages[whose(item), item.sources[0] if item.sources else item.id].append(row)
    return [part for rows in messages.values() for part in split_by_part(rows, weighed)]


def split_by_part(rows: Sequence[int], weighed: Weighed) -> list[list[int]]:
    """Return the statements of one message by the part they surely belong to; others go with the one before them."""
    sure = [find_part([weighed.items[row]], weighed) for row in rows]
    last = next((part for part in sure if part), "")
    found: dict[str, list[int]] = defaultdict(list)
    for row, part in zip(rows, sure, strict=True):
        last = part or last
        found[last].append(row)
    return list(found.values())


def find_part(items: Sequence[Item], weighed: Weighed) -> str:
    """Return the part of a life that some of the items surely belong to; empty where none does."""
    parts = (weighed.parts[item.id] for item in items if item.id not in weighed.repeats)
    return next((part.category for part in parts if part.is_clear or part.is_basic), "")


def _propose(
    group: Sequence[Item],
    telling: Sequence[Item],
    *,
    shortened: Mapping[UUID, tuple[list[str], list[str]]],
    weighed: Weighed,
    judge: Judge,
    params: ConsolidatingParams,
) -> Proposal | None:
    """Return what a group comes to if it has to tell what those of its items say; None where they are none."""
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
        category=find_part(telling, weighed)
        or choose_category([weighed.parts[item.id] for item in telling], [item.salience for item in telling]),
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
