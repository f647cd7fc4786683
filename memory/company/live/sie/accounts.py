"""Which accounts of the BAS plan make up which key figure.

Source: the BAS plan's account classes: 1 assets, 2 equity and debts, 3 income, 4 to 8 costs and the rest of the result.
"""

from collections.abc import Iterable
from dataclasses import dataclass

#: digits by which an account is placed in the plan; programs may add more of their own
PLAN_DIGITS = 4


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
