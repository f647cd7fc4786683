"""Which short-term memories belong together, and which of their statements can stand for all. Pure."""

from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

FloatArray = NDArray[np.float64]


@dataclass(frozen=True, kw_only=True)
class ConsolidatingParams:
    """How far memories are taken together."""

    #: similarity from which what was said in two near messages is one matter
    alike: float = 0.75
    #: turns between two messages that may be taken together: the other's answer stands between
    most_turns: int = 4
    #: messages taken together; each more would hide behind the others when it is searched for
    most_messages: int = 2
    #: characters that a group need not fall below, as a share of what its memories have
    least_share: float = 0.3
    #: so many characters more every statement is taken to cost: a short one is seldom worth a line
    line_cost: int = 20


CONSOLIDATING = ConsolidatingParams()


@dataclass(frozen=True, kw_only=True)
class Placed:
    """Where a memory stands.

    Attributes:
        origin: what it was first said in.
        key: whose it is, in which language; only memories of one key are taken together.
        thread: the conversation, if any.
        position: the turn in it.
        vector: (d,) unit length.
    """

    origin: Hashable
    key: Hashable
    thread: Hashable | None
    position: int
    vector: NDArray[np.float32]


@dataclass
class _Group:
    rows: list[int]
    messages: int
    last: Placed
    total: NDArray[np.float32]


def group_together(
    placed: Sequence[Placed],
    *,
    similarity: Callable[[float], float],
    params: ConsolidatingParams = CONSOLIDATING,
) -> list[list[int]]:
    """Return rows that belong together, in their order: what was said in one message, and in two near ones alike.

    Args:
        placed: in the order in which they were said.
        similarity: calibrated, of a cosine.
    """
    groups: dict[tuple[Hashable, Hashable], _Group] = {}
    for row, one in enumerate(placed):
        group = groups.setdefault((one.key, one.origin), _Group([], 1, one, np.zeros_like(one.vector)))
        group.rows.append(row)
        group.total = group.total + one.vector
    taken: list[_Group] = []
    for group in groups.values():
        before = next((one for one in reversed(taken) if _may_join(one, group, similarity, params)), None)
        if before is None:
            taken.append(group)
            continue
        before.rows += group.rows
        before.messages += 1
        before.last, before.total = group.last, before.total + group.total
    return [group.rows for group in taken]


def _may_join(
    before: _Group, group: _Group, similarity: Callable[[float], float], params: ConsolidatingParams
) -> bool:
    one, other = before.last, group.last
    if one.thread is None or (one.thread, one.key) != (other.thread, other.key):
        return False
    if before.messages >= params.most_messages or abs(other.position - one.position) > params.most_turns:
        return False
    lengths = float(np.linalg.norm(before.total) * np.linalg.norm(group.total))
    return lengths > 0 and similarity(float(before.total @ group.total) / lengths) >= params.alike


def drop_covered(
    sizes: Sequence[int],
    bits: Sequence[float],
    *,
    most: float,
    is_covered: Callable[[Sequence[int]], bool],
    params: ConsolidatingParams = CONSOLIDATING,
) -> list[int]:
    """Return the statements that are kept: those that tell least for their length go first, while the rest covers them.

    Args:
        sizes: characters of each of n statements.
        bits: information of each.
        most: characters at which nothing more has to go.
        is_covered: whether the given statements cover all that goes.
    """
    kept = list(range(len(sizes)))
    for row in sorted(kept, key=lambda row: (bits[row] / (sizes[row] + params.line_cost), -row)):
        if len(kept) == 1 or sum(sizes[other] for other in kept) <= most:
            break
        rest = [other for other in kept if other != row]
        if is_covered(rest):
            kept = rest
    return kept
