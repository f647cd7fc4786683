"""From what a SIE file says to the key figures of a company."""

from collections.abc import Mapping
from datetime import date
from decimal import Decimal

from django.utils.translation import gettext as _

from memory.company.live.entries import KpiEntry
from memory.company.live.sie.accounts import RANGES, is_of_balance, is_of_result
from memory.company.live.sie.books import Balances, Books
from memory.company.live.sie.errors import SieRefused

CENTS = Decimal("0.01")
#: what roundings of single accounts may sum to
TOLERANCE = Decimal(1)
MOST = Decimal(10) ** 13


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
