"""Taking a SIE file in: read into key figures, compared with what stands first, and written as it was shown.

Source: the BAS plan's account classes: 1 assets, 2 equity and debts, 3 income, 4 to 8 costs and the rest of the result.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime
from decimal import Decimal
from hashlib import sha256
from uuid import UUID

from django.db import models
from django.utils.translation import gettext as _

from companion_site.vault.scope import write_scope
from memory.company.errors import SieRefused, StateChanged
from memory.company.live.entries import KpiEntry
from memory.company.live.services import KPI_FIELDS, Written, differs, set_kpis, standing_figures
from memory.company.live.sie import Balances, Books
from memory.models import Kpi

#: digits by which an account is placed in the plan; programs may add more of their own
PLAN_DIGITS = 4
CENTS = Decimal("0.01")
#: what roundings of single accounts may sum to
TOLERANCE = Decimal(1)
MOST = Decimal(10) ** 13


@dataclass(frozen=True)
class AccountRange:
    """The accounts whose sum is one figure. `sign`: 1 where debit is what is told as positive, -1 where credit is."""

    key: str
    first: int
    last: int
    sign: int
    result: bool = False


#: 2660 to 2699 are excise duties. 8990 to 8999 book the year's result itself, so that with them every closed year is zero.
RANGES = (
    AccountRange("cash", 1900, 1999, 1),
    AccountRange("receivables", 1500, 1599, 1),
    AccountRange("tax_account", 1630, 1630, 1),
    AccountRange("payables", 2400, 2499, -1),
    AccountRange("vat_due", 2600, 2659, -1),
    AccountRange("revenue_year", 3000, 3999, -1, result=True),
    AccountRange("result_year", 3000, 8989, -1, result=True),
)


def derive_figures(books: Books, *, today: date) -> list[KpiEntry]:
    """Return the figures of the present year, as of the latest day that the file covers, today at the latest.

    A figure is told where the file knows an account of its range; an account without a balance has none, and counts
    as zero.

    Raises:
        SieRefused: the file holds no balances, does not add up, or does not tell of which day it is.
    """
    balances, results = _present(books.closing), _present(books.results)
    if not balances:
        raise SieRefused(
            _(
                "The file holds no closing balances of this year, perhaps vouchers alone. Export SIE type 4 (4E) or 1."
            )
        )
    # Closing balances and results sum to what the opening balances sum to: zero, or a last year's result that was not
    # booked yet. Where a row is missing, debit and credit do not meet.
    opening = _sum(_present(books.opening), 1000, 2999)
    if abs(_sum(balances, 1000, 2999) + _sum(results, 3000, 8999) - opening) > TOLERANCE:
        raise SieRefused(
            _(
                "The balances of the file do not add up: rows of it are missing or wrong. Export it again, whole."
            )
        )
    as_of = find_day(books, today=today)
    places = {_place(account) for account in (*books.accounts, *balances, *results)}
    sums = {
        one.key: one.sign * _sum(results if one.result else balances, one.first, one.last)
        for one in RANGES
        if any(one.first <= place <= one.last for place in places)
    }
    if any(abs(value) > MOST for value in sums.values()):
        raise SieRefused(_("The balances of the file are larger than any company's. Export it again."))
    return [
        KpiEntry(key=key, value=value.quantize(CENTS), unit=books.currency, as_of=as_of)
        for key, value in sums.items()
    ]


def find_day(books: Books, *, today: date) -> date:
    """Return the latest day that the balances cover: as the file says, or of its last voucher, never a day to come.

    Programs give the year's last day for what they cover, also while the year still runs.

    Raises:
        SieRefused: the file names no day that has come.
    """
    told = [books.covers_until, *books.vouchers]
    days = [day for day in told if day is not None and day <= today]
    if not days:
        ends = [books.years[0][1]] if 0 in books.years else []
        days = [min([*ends, books.generated])] if books.generated else ends
        days = [day for day in days if day <= today]
    if not days:
        raise SieRefused(
            _(
                "The file does not tell of which day its balances are (#OMFATTN or #GEN). Export it again, as type 4."
            )
        )
    return max(days)


def _present(balances: Balances) -> dict[str, Decimal]:
    return {account: amount for (year, account), amount in balances.items() if year == 0}


def _place(account: str) -> int:
    """Return an account's place in the plan; 0 where it has none."""
    return int(account[:PLAN_DIGITS]) if len(account) >= PLAN_DIGITS else 0


def _sum(balances: Mapping[str, Decimal], first: int, last: int) -> Decimal:
    return sum(
        (amount for account, amount in balances.items() if first <= _place(account) <= last), Decimal()
    )


@dataclass(frozen=True, kw_only=True)
class FigureChange:
    """A figure of a file beside the one that stands."""

    entry: KpiEntry
    standing: Kpi | None

    @property
    def is_older(self) -> bool:
        """Whether a newer figure stands, which this one does not replace."""
        return self.standing is not None and self.entry.as_of < self.standing.as_of

    @property
    def is_same(self) -> bool:
        return self.standing is not None and not differs(self.standing, self.entry)


def compare(space: UUID, entries: Sequence[KpiEntry]) -> list[FigureChange]:
    """Return what setting the figures would change now."""
    standing = {figure.key: figure for figure in standing_figures(space)}
    return [FigureChange(entry=entry, standing=standing.get(entry.key)) for entry in entries]


def fingerprint(changes: Sequence[FigureChange]) -> str:
    """Return by what a page that showed these changes is known to show them still."""
    told = [
        [getattr(one, field) for field in KPI_FIELDS]
        for change in changes
        for one in (change.entry, change.standing or change.entry)
    ]
    return sha256(repr(told).encode()).hexdigest()


def take_in(
    space: UUID, entries: Sequence[KpiEntry], *, shown: str, now: datetime, actor: models.Model | None
) -> Written:
    """Set the figures of a file, as they were shown.

    Args:
        shown: the fingerprint of the changes that were shown.

    Raises:
        StateChanged: something else stands by now; nothing was written.
    """
    with write_scope(space):
        if fingerprint(compare(space, entries)) != shown:
            raise StateChanged()
        return set_kpis(space, entries, source=Kpi.Source.SIE, now=now, actor=actor)
