"""Which statements of those taken together can stand for all. Pure."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass


@dataclass(frozen=True, kw_only=True)
class ConsolidatingParams:
    """How far statements are dropped."""

    #: characters that a group need not fall below, as a share of what its memories have
    least_share: float = 0.3
    #: so many characters more every statement is taken to cost: a short one is seldom worth a line
    line_cost: int = 20
    #: characters that one bit of information is worth
    bit_worth: float = 0.5


CONSOLIDATING = ConsolidatingParams()


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
