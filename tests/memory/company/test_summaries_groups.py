"""Which rows belong together, by numbers alone."""

from dataclasses import replace

import numpy as np
import pytest

from memory.algorithms.fact_groups import FOR_ROOM, FREELY, LAST, NEVER, GroupingParams, Row, group_rows

pytestmark = pytest.mark.spec("C9")


def rows(count: int, **fields) -> list[Row]:
    values = {"kind": "decision", "chars": 40, **fields}
    return [Row(parts=(number,), **values) for number in range(count)]


def alike(count: int, *groups: tuple[int, ...], near: float = 0.9, far: float = 0.1) -> np.ndarray:
    """Return (count, count) similarities: high inside the groups, low between them."""
    similarity = np.full((count, count), far)
    for group in groups:
        similarity[np.ix_(group, group)] = near
    np.fill_diagonal(similarity, 1.0)
    return similarity


def group(found: list[Row], similarity: np.ndarray, *, shares: np.ndarray | None = None, **params):
    sharing = np.ones(similarity.shape, bool) if shares is None else shares
    bounds = {"least": 0, "most": 100, **params}
    return group_rows(found, similarity=similarity, shares=sharing, params=GroupingParams(**bounds))


def test_a_topic_is_what_shares_a_word_and_is_alike_on_the_mean():
    """However alike, rows that share no word of their subject stay apart, unless room must be made; and a row near one member only does
    not come in: topics do not chain."""
    similarity, nothing = alike(4, (0, 1)), np.zeros((4, 4), bool)
    assert group(rows(4), similarity, shares=nothing) == []
    assert group(rows(4), similarity, shares=nothing, most=3) == [(0, 1)]
    assert group(rows(3), alike(3, (0, 1), (1, 2))) == [(0, 1)]


def test_no_group_is_too_long():
    """The characters of all parts and what stands between them fit."""
    similarity = alike(4, (0, 1, 2, 3))
    assert group(rows(4, chars=99), similarity, most_chars=200) == [(0, 1), (2, 3)]
    assert group(rows(4, chars=100), similarity, most_chars=200) == []


def test_tiers():
    """First what goes freely, then what was taken out of a summary, then open items; what may not, never."""
    similarity = alike(8, tuple(range(8)))
    tiers = [FREELY, FREELY, FOR_ROOM, FOR_ROOM, LAST, LAST, NEVER, NEVER]
    joined = [LAST if tier == LAST else FREELY for tier in tiers]
    found = [
        replace(row, tier=tier, tier_joined=after)
        for row, tier, after in zip(rows(8), tiers, joined, strict=True)
    ]
    assert group(found, similarity) == [(0, 1)]
    assert group(found, similarity, most=6) == [(0, 1, 2)]
    assert group(found, similarity, most=4) == [(0, 1, 2, 3, 4)]
    assert group(found, similarity, most=1) == [(0, 1, 2, 3, 4, 5)]


def test_grouping_what_a_grouping_left_finds_nothing(subtests):
    """Rows made of the parts of groups that were found stay as they are, whatever had to be done for room."""
    for seed in range(12):
        with subtests.test(case=seed):
            rng = np.random.default_rng(seed)
            points = rng.standard_normal((40, 3))
            points /= np.linalg.norm(points, axis=1, keepdims=True)
            similarity = (points @ points.T + 1) / 2
            shares = similarity > rng.uniform(0.5, 0.9)
            first = [
                Row(
                    kind=number % 2,
                    parts=(number,),
                    chars=int(rng.integers(20, 300)),
                    tier=int(rng.integers(0, 3)),
                )
                for number in range(40)
            ]
            params = {"least": 5, "most": int(rng.integers(8, 40)), "shares": shares}
            found = group(first, similarity, **params)
            in_group = {row for each in found for row in each}
            joined = [
                Row(
                    kind=first[each[0]].kind,
                    parts=tuple(part for row in each for part in first[row].parts),
                    chars=sum(first[row].chars for row in each) + 2 * (len(each) - 1),
                )
                for each in found
            ]
            rest = [row for number, row in enumerate(first) if number not in in_group]
            assert group([*joined, *rest], similarity, **params) == []


def test_what_is_no_number_is_refused():
    """A similarity that is not finite is an error of the caller."""
    similarity = alike(3)
    similarity[0, 1] = np.nan
    with pytest.raises(ValueError, match="finite"):
        group(rows(3), similarity)
    assert group([], np.zeros((0, 0))) == []
