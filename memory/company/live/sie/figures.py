"""From what a SIE file says to the key figures of a company.

Source: the BAS plan's account classes: 1 assets, 2 equity and debts, 3 income, 4 to 8 costs and the rest of the result.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import date
from decimal import Decimal

from django.utils.translation import gettext as _

from memory.company.errors import SieRefused
from memory.company.live.entries import KpiEntry
from memory.company.live.sie.parser import Balances, Books

#: digits by which an account is placed in the plan; programs may add more of their own
PLAN_DIGITS = 4
CENTS = Decimal("0.01")
#: what roundings of single accounts may sum to
TOLERANCE = Decimal(1)
MOST = Decimal(10) ** 13


@dataclass(frozen=True, kw_only=True)
class AccountRange:
    """The accounts whose sum is one figure.

    Attributes:
        sign: 1 where debit is what is told as positive, -1 where credit is.
        result: whether it is of the result, rather than of the balance.
    """

    key: str
    first: int
    last: int
    sign: int
    result: bool = False

    def holds(self, account: str) -> bool:
        return self.first <= place(account) <= self.last

    def among(self, accounts: Iterable[str]) -> list[str]:
        return [account for account in accounts if self.holds(account)]


#: 2660 to 2699 are excise duties. 8990 to 8999 book the year's result itself, so that with them every closed year is zero.
RANGES = (
    AccountRange(key="cash", first=1900, last=1999, sign=1),
    AccountRange(key="receivables", first=1500, last=1599, sign=1),
    AccountRange(key="tax_account", first=1630, last=1630, sign=1),
    AccountRange(key="payables", first=2400, last=2499, sign=-1),
    AccountRange(key="vat_due", first=2600, last=2659, sign=-1),
    AccountRange(key="revenue_year", first=3000, last=3999, sign=-1, result=True),
    AccountRange(key="result_year", first=3000, last=8989, sign=-1, result=True),
)


def place(account: str) -> int:
    """Return an account's place in the plan; 0 where it has none."""
    return int(account[:PLAN_DIGITS]) if len(account) >= PLAN_DIGITS else 0


def is_of_balance(account: str) -> bool:
    return 1000 <= place(account) <= 2999


def is_of_result(account: str) -> bool:
    return 3000 <= place(account) <= 8999


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
    _check_sums(books)
    as_of = find_day(books, today=today)
    known = {*books.accounts, *balances, *results}
    sums = {
        figure.key: figure.sign * _sum(results if figure.result else balances, figure.among(known))
        for figure in RANGES
        if figure.among(known)
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
    told = [books.covers_until, *(voucher.date for voucher in books.vouchers)]
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


def _check_sums(books: Books) -> None:
    """Compare what stands with where it came from: where a row is missing, debit and credit do not meet.

    Closing balances and results sum to what the opening balances sum to: zero, or a last year's result that was not
    booked yet.
    """
    sums = [
        _sum(balances, [account for account in balances if belongs(account)])
        for balances, belongs in (
            (_present(books.closing), is_of_balance),
            (_present(books.results), is_of_result),
            (_present(books.opening), is_of_balance),
        )
    ]
    if abs(sums[0] + sums[1] - sums[2]) > TOLERANCE:
        raise SieRefused(
            _(
                "The balances of the file do not add up: rows of it are missing or wrong. Export it again, whole."
            )
        )


def _present(balances: Balances) -> dict[str, Decimal]:
    return {account: amount for (year, account), amount in balances.items() if year == 0}


def _sum(balances: Mapping[str, Decimal], accounts: list[str]) -> Decimal:
    return sum((balances.get(account, Decimal()) for account in accounts), Decimal())
