"""Every worked booking of the accounting pack: it balances, on accounts of the pack's chart, and its moms is its rate's."""

import ast
import operator
import re
from decimal import Decimal

import pytest

from memory.packs.sources import SHIPPED, read_source
from tests.cases import cases

ARITHMETIC = {ast.Add: operator.add, ast.Sub: operator.sub, ast.Mult: operator.mul, ast.Div: operator.truediv}


def compute(expression):
    """Return the value of a sum in a calculation: numbers, + - * / and brackets."""

    def value(part):
        if isinstance(part, ast.BinOp):
            return ARITHMETIC[type(part.op)](value(part.left), value(part.right))
        assert isinstance(part, ast.Constant)
        return exact(part.value)

    return value(ast.parse(expression, mode="eval").body)


pytestmark = pytest.mark.spec("K6")

PAYLOADS = {node["id"]: node["payload"] for node in read_source(SHIPPED / "bokforing-litet-bolag")[1]}
BOOKED = {path: payload for path, payload in PAYLOADS.items() if "booking" in payload}
CHART = {account for payload in PAYLOADS.values() for account in payload.get("accounts", {})}
#: accounts of moms by their first three digits: the rate that they are for, None for all
MOMS = {"261": 25, "262": 12, "263": 6, "264": None}
YEAR = re.compile(r"\b20[23]\d\b")


def exact(number):
    return Decimal(str(number))


def amount(row):
    """Return what a row books: above 0 in debit, below 0 in credit."""
    return exact(row.get("debit", 0)) - exact(row.get("credit", 0))


def faults(payload):
    """Return what is wrong with a worked booking: its sides, its accounts, its moms, its shares."""
    rows = {row["account"]: amount(row) for row in payload["booking"]}
    taxes = {tax["account"]: tax for tax in payload.get("vat", ())}
    found = set()
    if sum(map(amount, payload["booking"])) != 0:
        found.add("does not balance")
    if not rows.keys() <= CHART:
        found.add("an account is not in the chart")
    if {account for account in rows if account[:3] in MOMS} - taxes.keys() and not payload.get("settles"):
        found.add("moms without a rate")
    for account, tax in taxes.items():
        if (MOMS[account[:3]] or tax["rate"]) != tax["rate"]:
            found.add("a rate that is not the account's")
        if abs(rows[account]) * 100 != exact(tax["base"]) * exact(tax["rate"]):
            found.add("moms that is not its rate's")
    for share in payload.get("shares", ()):
        if abs(rows[share["account"]]) != round(exact(share["of"]) * exact(share["rate"]) / 100, 2):
            found.add("an amount that is not its share")
    return found


def test_a_worked_booking_is_right():
    """Debit is credit, on accounts of the chart; moms and shares are what their rates make, at every rate."""
    assert {path: wrong for path, payload in BOOKED.items() if (wrong := faults(payload))} == {}
    assert {tax["rate"] for payload in BOOKED.values() for tax in payload.get("vat", ())} == {25, 12, 6}


def test_what_holds_for_a_year_says_for_which_and_where_to_check():
    """A rate, an amount or a date that is set anew never stands there as if it held for ever."""
    for path, payload in PAYLOADS.items():
        assert ("valid_for" in payload) == ("check" in payload), path
        assert YEAR.search(payload.get("valid_for", "2026")), path
        assert "valid_for" in payload or not YEAR.search(payload["definition"]), path


@cases("path", sorted(path for path in PAYLOADS if "calculation" in PAYLOADS[path]))
def test_a_calculation_gives_what_it_says(path):
    calculation = PAYLOADS[path]["calculation"]
    assert calculation.keys() == {"of", "gives"}
    assert compute(calculation["of"]) == exact(calculation["gives"])
