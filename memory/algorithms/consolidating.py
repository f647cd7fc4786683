"""Which short-term memories belong together, and which of their statements can stand for all. Pure."""

from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray


@dataclass(frozen=True, kw_only=True)
class ConsolidatingParams:
    """How far memories are taken together, and their statements dropped."""

    #: bits of a message, all it tells, below which it may be taken together with another; what tells more stands alone
    little: float = 300.0
    #: similarity from which what two near messages say is one matter
    alike: float = 0.75
    #: turns between them: the other's answer stands there
    most_turns: int = 4
    #: messages of a group; each more would hide behind the others when it is searched for
    most_messages: int = 2
    #: characters that a group need not fall below, as a share of what its memories have
    least_share: float = 0.3
    #: so many characters more every statement is taken to cost: a short one is seldom worth a line
    line_cost: int = 20
    #: characters that one bit of information is worth
    bit_worth: float = 0.5


CONSOLIDATING = ConsolidatingParams()


@dataclass(frozen=True, kw_only=True)
class Message:
    """What was said in one message.

    Attributes:
        rows: of its memories.
        key: whose it is, in which language and conversation; only messages of one key are taken together. None: of none.
        position: the turn in it.
        told: bits; those of a message that holds a name, a number or a date are without end.
        vector: (d,) unit length.
    """

    rows: Sequence[int]
    key: Hashable | None
    position: int
    told: float
    vector: NDArray[np.float32]


def group_together(
    messages: Sequence[Message],
    *,
    similarity: Callable[[float], float],
    params: ConsolidatingParams = CONSOLIDATING,
) -> list[list[int]]:
    """Return the rows that belong together: each message by itself, but near ones of one matter that tell little.

    Args:
        messages: in the order in which they were said.
        similarity: calibrated, of a cosine.
    """
    groups: list[list[Message]] = []
    for message in messages:
        near = (group for group in reversed(groups) if _may_join(group, message, similarity, params))
        group = next(near, None)
        if group is None:
            groups.append([message])
        else:
            group.append(message)
    return [[row for message in group for row in message.rows] for group in groups]


def _may_join(
    group: Sequence[Message],
    message: Message,
    similarity: Callable[[float], float],
    params: ConsolidatingParams,
) -> bool:
    last = group[-1]
    if message.key is None or last.key != message.key or len(group) >= params.most_messages:
        return False
    if abs(message.position - last.position) > params.most_turns:
        return False
    if max(last.told, message.told) >= params.little:
        return False
    return similarity(float(last.vector @ message.vector)) >= params.alike


def drop_covered(
    sizes: Sequence[int],
    bits: Sequence[float],
    *,
    most: float,
    is_covered: Callable[[Sequence[int]], bool],
    params: ConsolidatingParams = CONSOLIDATING,
) -> list[int]:
    """Return the statements that are kept: the others go one by one, while the rest covers them.

    What goes first decides what can still go; so several orders are tried, by information, by length and by both, and of
    what they leave the shortest is taken, where information is worth some length.

    Args:
        sizes: characters of each of n statements.
        bits: information of each.
        most: characters at which nothing more has to go.
        is_covered: whether the given statements cover all that goes; asked once for each choice.
    """
    costs = [size + params.line_cost for size in sizes]
    known: dict[tuple[int, ...], bool] = {}

    def covers(rows: Sequence[int]) -> bool:
        if tuple(rows) not in known:
            known[tuple(rows)] = is_covered(rows)
        return known[tuple(rows)]

    def cost(rows: Sequence[int]) -> float:
        return sum(costs[row] - params.bit_worth * bits[row] for row in rows)

    rows = range(len(sizes))
    orders = [
        sorted(rows, key=lambda row: (bits[row] ** informed / costs[row] ** long, -row))
        for informed, long in ((1.0, 1.0), (1.0, 1.5), (1.0, 0.0), (0.0, 1.0))
    ]
    return min((_drop_in_order(order, sizes, most=most, is_covered=covers) for order in orders), key=cost)


def _drop_in_order(
    order: Sequence[int], sizes: Sequence[int], *, most: float, is_covered: Callable[[Sequence[int]], bool]
) -> list[int]:
    kept = sorted(order)
    for row in order:
        if len(kept) == 1 or sum(sizes[other] for other in kept) <= most:
            break
        rest = [other for other in kept if other != row]
        if is_covered(rest):
            kept = rest
    return kept
