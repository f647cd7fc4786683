"""What a SIE file says of a company, as plain data."""

from dataclasses import dataclass, field
from datetime import date
from decimal import Decimal

#: an amount by year (0 is this one, -1 the last) and account
Balances = dict[tuple[int, str], Decimal]


@dataclass
class Account:
    """An account of the plan: T assets, S debts and equity, K costs, I income."""

    number: str
    name: str = ""
    type: str = ""


@dataclass
class Voucher:
    """One voucher with its rows: accounts and amounts, debit above zero."""

    line: int
    date: date
    series: str = ""
    number: str = ""
    text: str = ""
    rows: list[tuple[str, Decimal]] = field(default_factory=list)


@dataclass
class Books:
    """A file, read whole."""

    encoding: str = ""
    type: int = 1
    program: str = ""
    generated: date | None = None
    name: str = ""
    organisation_number: str = ""
    currency: str = "SEK"
    #: the last day that the balances cover, where the file says so
    covers_until: date | None = None
    years: dict[int, tuple[date, date]] = field(default_factory=dict)
    accounts: dict[str, Account] = field(default_factory=dict)
    opening: Balances = field(default_factory=dict)
    closing: Balances = field(default_factory=dict)
    results: Balances = field(default_factory=dict)
    #: by year, month as (year, month), and account; of all objects together
    months: dict[tuple[int, tuple[int, int], str], Decimal] = field(default_factory=dict)
    dimensions: dict[str, str] = field(default_factory=dict)
    object_names: dict[tuple[str, str], str] = field(default_factory=dict)
    vouchers: list[Voucher] = field(default_factory=list)
