"""Which facts one summary will stand for: the decisions of years gone by, then what belongs together."""

from collections.abc import Hashable, Sequence
from datetime import datetime

import numpy as np
from django.utils.timezone import get_default_timezone, localtime

from companion_site.embeddings.calibration import Calibration
from memory.algorithms.fact_groups import FOR_ROOM, FREELY, LAST, NEVER, GroupingParams, Row, group_rows
from memory.company.params import COMPANY, CompanyParams
from memory.company.summaries.annual import is_doubtful, is_fresh_review, plan_annual, year_of
from memory.company.summaries.draft import JOINT, Planned, chars_of, most_chars
from memory.company.summaries.selectors import Snapshot, Whole
from memory.company.summaries.subjects import find_subjects
from memory.models import CompanyFact

_CATEGORY = CompanyFact.Category
#: Calibrated similarity from which facts in two languages are of one subject.
NEAR_ACROSS = 0.7


def plan(snapshot: Snapshot, *, calibration: Calibration, params: CompanyParams = COMPANY) -> list[Planned]:
    """Return the summaries to write; no fact is in two of them."""
    annual = plan_annual(snapshot.wholes, now=snapshot.now, params=params)
    taken = {fact.pk for summary in annual for fact in summary.facts}
    left = [whole for whole in snapshot.wholes if whole.fact.pk not in taken]
    if not left:
        return annual
    similarity, shares = _compare_parts(snapshot, left, calibration)
    groups = group_rows(
        _as_rows(left, now=snapshot.now, params=params),
        similarity=similarity,
        shares=shares,
        params=GroupingParams(
            least=max(0, params.least_after - len(annual)),
            most=max(1, params.most_after - len(annual)),
            most_chars=most_chars(params),
            joint_chars=len(JOINT),
        ),
    )
    return [*annual, *(Planned(wholes=tuple(left[row] for row in group)) for group in groups)]


def _compare_parts(
    snapshot: Snapshot, wholes: Sequence[Whole], calibration: Calibration
) -> tuple[np.ndarray, np.ndarray]:
    """Return (p, p) how alike all parts are, and whether they share a word of their subject."""
    parts = [part for whole in wholes for part in whole.parts]
    vectors = np.array([snapshot.vectors[part.pk] for part in parts])
    similarity = calibration.similarity(vectors @ vectors.T)
    subjects = [find_subjects(part.content, part.language) for part in parts]
    shares = np.array([[bool(one & other) for other in subjects] for one in subjects])
    # Across languages no word is shared: what lies near enough is of one subject.
    across = np.array([[one.language != other.language for other in parts] for one in parts])
    return similarity, shares | (across & (similarity >= NEAR_ACROSS))


def _as_rows(wholes: Sequence[Whole], *, now: datetime, params: CompanyParams) -> list[Row]:
    rows, at = [], 0
    for whole in wholes:
        places = tuple(range(at, at + len(whole.parts)))
        at += len(places)
        by_kind = LAST if whole.fact.category == _CATEGORY.UNRESOLVED else FREELY
        rows.append(
            Row(
                kind=_kind(whole.fact, now=now, params=params),
                parts=places,
                chars=chars_of(whole.parts),
                tier=max(by_kind, _tier(whole, now=now, params=params)),
                tier_joined=by_kind,
            )
        )
    return rows


def _kind(fact: CompanyFact, *, now: datetime, params: CompanyParams) -> Hashable:
    """Return what the facts of one summary have in common.

    None is told more surely in it than by itself, nor less; decisions go into the summary of one year together, and
    what expires does so at about the same time.
    """
    year = year_of(fact.said_at) if fact.category == _CATEGORY.DECISION else None
    doubtful = is_doubtful(fact, now=now, params=params)
    return fact.category, doubtful, year, _quarter_of(fact.expires_at)


def _quarter_of(moment: datetime | None) -> tuple[int, int] | None:
    if moment is None:
        return None
    local = localtime(moment, get_default_timezone())
    return local.year, (local.month - 1) // 3


def _tier(whole: Whole, *, now: datetime, params: CompanyParams) -> int:
    """Return how readily a fact goes into a summary: not while it is under review, seldom when taken out of one."""
    fact = whole.fact
    if fact.origin == CompanyFact.Origin.ANNUAL or is_fresh_review(
        fact, now=now, within=params.compress_every
    ):
        return NEVER
    if fact.flagged_at is not None and fact.reviewed_at is None:
        return LAST
    return FOR_ROOM if whole.is_taken_out else FREELY
