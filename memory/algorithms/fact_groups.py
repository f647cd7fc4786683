"""Which facts of a company belong together, so that one summary can stand for them. Pure.

Rows are grouped from the nearest pair on, by the mean over all pairs of what they are made of (average linkage). A row
that is a summary is looked at by its parts, never by its own words; so a group that was made is looked at as it was
when it was made, and grouping what a grouping left finds nothing.

Source: the document, "Compression Cycle"; Sokal and Michener 1958 (average linkage); docs/algorithms/company.md.
"""

from collections.abc import Hashable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Group = tuple[int, ...]
"""Rows of one group, in rising order."""

#: How readily a row is joined with others.
FREELY, FOR_ROOM, LAST, NEVER = range(4)


@dataclass(frozen=True, kw_only=True)
class GroupingParams:
    """When facts belong together.

    Attributes:
        related: mean similarity, counted between parts that share a word of their subject, from which rows are one
            topic. Calibrated similarity says "related" from .7 on; a few pairs of a topic may be further apart.
        shared: what a shared word adds to similarity where room must be made among rows that are no topic.
        least, most: rows below which nothing is joined, and rows that may stay.
        most_chars: that the parts of one group may take, joined.
        joint_chars: between two parts.
    """

    related: float = 0.6
    shared: float = 0.2
    least: int = 15
    most: int = 30
    most_chars: int = 880
    joint_chars: int = 2


@dataclass(frozen=True, kw_only=True)
class Row:
    """One fact, as far as grouping looks at it.

    Attributes:
        kind: only rows of one kind are joined.
        parts: its places in the matrices; a plain fact is its own only part.
        chars: of its parts, joined.
        tier: FREELY, FOR_ROOM, LAST or NEVER.
        tier_joined: what a group has that it is in; that of its kind.
    """

    kind: Hashable
    parts: tuple[int, ...]
    chars: int
    tier: int = FREELY
    tier_joined: int = FREELY


def group_rows(
    rows: Sequence[Row],
    *,
    similarity: NDArray[np.float64],
    shares: NDArray[np.bool_],
    params: GroupingParams,
) -> list[Group]:
    """Return the groups of two and more rows, in the order of their first rows.

    First what is related is joined, then, above `params.most`, whatever is nearest. Never below `params.least` rows.

    Args:
        similarity: (p, p) calibrated, 0 to 1, symmetric, between the parts of all rows.
        shares: (p, p) whether two parts share a word of their subject, symmetric.

    Raises:
        ValueError: a similarity is not finite, or the matrices do not fit each other.
    """
    if similarity.shape != shares.shape or not np.isfinite(similarity).all():
        raise ValueError("similarities are finite, with a sign of sharing each")
    work = _Grouping(rows, similarity=similarity, shares=shares, params=params)
    work.join(work.topical, least=params.related, until=params.least)
    if work.count > params.most:
        for tier in (FREELY, FOR_ROOM, LAST):
            work.join(work.near, tier=tier, until=params.most)
        # What was joined for room may by now be joined freely.
        work.join(work.topical, least=params.related, until=params.least)
    return sorted(tuple(sorted(group)) for group in work.groups() if len(group) > 1)


class _Grouping:
    """Groups on their way: matrices of sums over pairs of parts, a row of them for each group that stands."""

    def __init__(
        self,
        rows: Sequence[Row],
        *,
        similarity: NDArray[np.float64],
        shares: NDArray[np.bool_],
        params: GroupingParams,
    ) -> None:
        self._params = params
        self._members: list[list[int]] = [[row] for row in range(len(rows))]
        self._sizes = np.array([len(row.parts) for row in rows], np.float64)
        self._chars = np.array([row.chars for row in rows], np.int64)
        self._tiers = np.array([row.tier for row in rows], np.int64)
        self._joined = [row.tier_joined for row in rows]
        kinds = {kind: number for number, kind in enumerate(dict.fromkeys(row.kind for row in rows))}
        kind = np.array([kinds[row.kind] for row in rows], np.int64)
        self._allowed = (kind[:, None] == kind[None, :]) & ~np.eye(len(rows), dtype=bool)
        belongs = np.zeros((len(rows), len(similarity)))
        for number, row in enumerate(rows):
            belongs[number, list(row.parts)] = 1.0
        self.topical = belongs @ np.where(shares, similarity, 0.0) @ belongs.T
        self.near = belongs @ (similarity + params.shared * shares) @ belongs.T
        self.count = len(rows)

    def groups(self) -> Iterator[list[int]]:
        return (members for members in self._members if members)

    def join(self, sums: NDArray[np.float64], *, until: int, tier: int = FREELY, least: float = 0.0) -> None:
        """Join the nearest two, of rows up to a tier and a mean of at least so much, while more than `until` rows stand."""
        while self.count > until:
            pair = self._nearest(sums, tier=tier, least=least)
            if pair is None:
                return
            self._put_together(*pair)

    def _nearest(self, sums: NDArray[np.float64], *, tier: int, least: float) -> tuple[int, int] | None:
        """Return the two groups of the highest mean that may be joined; of equal ones the first."""
        fits = (
            self._chars[:, None] + self._chars[None, :] + self._params.joint_chars <= self._params.most_chars
        )
        willing = self._tiers <= tier
        may = np.triu(self._allowed & fits & willing[:, None] & willing[None, :])
        if not may.any():
            return None
        means = np.where(may, sums / np.outer(self._sizes, self._sizes), -1.0)
        best = int(np.argmax(means))
        low, high = divmod(best, len(means))
        return (low, high) if means[low, high] >= least else None

    def _put_together(self, one: int, other: int) -> None:
        """Put two groups into the place of the first."""
        self._members[one] += self._members[other]
        self._members[other] = []
        self._sizes[one] += self._sizes[other]
        self._chars[one] += self._chars[other] + self._params.joint_chars
        self._joined[one] = max(self._joined[one], self._joined[other])
        self._tiers[one] = self._joined[one]
        for sums in (self.topical, self.near):
            sums[one] += sums[other]
            sums[:, one] += sums[:, other]
        self._allowed[other] = self._allowed[:, other] = False
        self.count -= 1
