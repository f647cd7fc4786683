"""Every worked booking of the accounting pack: it balances, on accounts of the pack's chart, and its moms is its rate's."""

import ast
import operator
import re
from decimal import Decimal

import pytest

from memory.packs.sources import SHIPPED, read_source
from tests.cases import cases

pytestmark = pytest.mark.spec("K6")

MANIFEST, NODES = read_source(SHIPPED / "bokforing-litet-bolag")
PAYLOADS = {node["id"]: node["payload"] for node in NODES}
BOOKED = {path: payload for path, payload in PAYLOADS.items() if "booking" in payload}
CHART = {
    account: (path, name)
    for path, payload in PAYLOADS.items()
    for account, name in payload.get("accounts", {}).items()
}
#: accounts of moms by their first three digits: the rate that they are for, None for all
OUTGOING = {"261": 25, "262": 12, "263": 6}
INCOMING = "264"
#: the account of sales whose moms is on the other
SALES = {"3001": "2611", "3002": "2621", "3003": "2631"}
#: what is moved about when a period is closed; its rates were told when it was booked
CLOSING = "2650"
#: amounts and shares that a law or an authority sets anew
CHANGING = re.compile(
    r"\b20[23]\d\b(?!\.\d)|31,42|28,97|24,26|20,6 ?%|10,21|79,4|prisbasbelopp|inkomstbasbelopp|\b300 kr per person|\b60 kr per"
)
PROMISED = {
    *("konto", "grunder", "moms", "kund", "leverantor", "lon", "anlaggning", "periodisering", "bokslut"),
    *("arsredovisning", "skatt", "representation", "foretagsform", "likviditet", "nyckeltal", "arkiv"),
    *("fel", "uppgift"),
}
YEAR = re.compile(r"\b20[23]\d\b")
ARITHMETIC = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.Div: operator.truediv,
}


def exact(number):
    return Decimal(str(number))


def amount(row):
    """Return what a row books: above 0 in debit, below 0 in credit."""
    return exact(row.get("debit", 0)) - exact(row.get("credit", 0))


def faults(payload):
    """Return what is wrong with a worked booking."""
    found = []
    rows = payload["booking"]
    if len(rows) < 2 or sum(map(amount, rows)) != 0:
        found.append("does not balance")
    for row in rows:
        sides = row.keys() & {"debit", "credit"}
        if len(sides) != 1 or row.keys() - sides != {"account"} or exact(row[next(iter(sides))]) <= 0:
            found.append("a row is not one amount on one side of an account")
        if amount(row) != round(amount(row), 2):
            found.append("a row has parts of an öre")
        if row["account"] not in CHART:
            found.append("an account is not in the chart")
    return found + moms_faults(payload) + share_faults(payload)


def moms_faults(payload):
    """Return what is wrong with its moms: each such row is told with rate and base, and is what they make."""
    found = []
    rows = {row["account"]: row for row in payload["booking"]}
    told = {tax["account"]: tax for tax in payload.get("vat", ())}
    untold = {account for account in rows if account[:3] in (*OUTGOING, INCOMING)} - told.keys()
    if untold and not (payload.get("settles") and CLOSING in rows):
        found.append("moms without a rate")
    for account, tax in told.items():
        if tax["rate"] != OUTGOING.get(account[:3], tax["rate"]) or tax["rate"] not in OUTGOING.values():
            found.append("a rate that is not the account's")
        if account not in rows or abs(amount(rows[account])) * 100 != exact(tax["base"]) * exact(tax["rate"]):
            found.append("moms that is not its rate's")
    for sales, moms in SALES.items():
        if sales in rows and moms in told and abs(amount(rows[sales])) != exact(told[moms]["base"]):
            found.append("sales that are not the base of their moms")
    turned = [account for account in ("2614", "2615") if account in rows]
    for account in turned:
        if not any(amount(rows[own]) == -amount(rows[account]) for own in ("2645", "2647") if own in rows):
            found.append("reverse charge on one side only")
    return found


def share_faults(payload):
    """Return what is wrong with amounts that are a share of something: fees, taxes, depreciation."""
    rows = {row["account"]: row for row in payload["booking"]}
    return [
        "an amount that is not its share"
        for share in payload.get("shares", ())
        if share["account"] not in rows
        or abs(amount(rows[share["account"]])) != round(exact(share["of"]) * exact(share["rate"]) / 100, 2)
    ]


def compute(expression):
    """Return the value of a sum in a calculation: numbers, + - * / and brackets."""

    def value(part):
        if isinstance(part, ast.BinOp):
            return ARITHMETIC[type(part.op)](value(part.left), value(part.right))
        assert isinstance(part, ast.Constant)
        return exact(part.value)

    return value(ast.parse(expression, mode="eval").body)


def test_a_worked_booking_is_right(subtests):
    """Debit is credit, on accounts of the chart; moms and shares are what their rates make."""
    for path in sorted(BOOKED):
        with subtests.test(case=path):
            assert faults(BOOKED[path]) == []


@cases(
    ("wrong", "fault"),
    [
        (
            {"booking": [{"account": "1510", "debit": 1251}, {"account": "3001", "credit": 1250}]},
            "does not balance",
        ),
        ({"booking": [{"account": "9999", "debit": 5}]}, "an account is not in the chart"),
        ({"vat": [{"account": "2611", "rate": 25, "base": 960}]}, "moms that is not its rate's"),
        ({"vat": [{"account": "2611", "rate": 12, "base": 1000}]}, "a rate that is not the account's"),
        (
            {"vat": [{"account": "2611", "rate": 25, "base": 900}]},
            "sales that are not the base of their moms",
        ),
        ({"shares": [{"account": "3001", "rate": 31.42, "of": 1000}]}, "an amount that is not its share"),
        (
            {"booking": [{"account": "1930", "debit": 5, "credit": 5}]},
            "a row is not one amount on one side of an account",
        ),
        ({"booking": [{"account": "2614", "credit": 5}]}, "reverse charge on one side only"),
        ({"settles": True, "vat": []}, "moms without a rate"),
    ],
)
def test_what_is_wrong_would_be_noticed(wrong, fault):
    sale = {
        "booking": [
            {"account": "1510", "debit": 1250},
            {"account": "3001", "credit": 1000},
            {"account": "2611", "credit": 250},
        ],
        "vat": [{"account": "2611", "rate": 25, "base": 1000}],
    }
    assert faults(sale) == []
    assert fault in faults(sale | wrong)


def test_every_rate_of_moms_is_worked_both_ways():
    """25, 12 and 6 per cent, on what is sold and on what is bought."""
    taxes = [
        (tax["account"][:3], tax["rate"]) for payload in BOOKED.values() for tax in payload.get("vat", ())
    ]
    assert {rate for account, rate in taxes if account in OUTGOING} == {25, 12, 6}
    assert {rate for account, rate in taxes if account == INCOMING} == {25, 12, 6}
    assert len(BOOKED) >= 50


def test_the_chart_is_bas_by_class():
    """Four digits, once, under the class of the first; and every class of 1 to 8 is there."""
    accounts = [account for payload in PAYLOADS.values() for account in payload.get("accounts", {})]
    assert len(accounts) == len(set(accounts)) >= 100
    for account, (path, name) in CHART.items():
        assert re.fullmatch(r"[1-8]\d{3}", account) and name
        assert path == f"bokforing.konto.klass-{account[0]}"
    assert {account[0] for account in accounts} == set("12345678")


def test_an_account_that_a_text_names_is_in_the_chart():
    """Four digits that look like an account and are none of an amount."""
    named = re.compile(r"(?<![\d ,.])\b([1-8]\d{3})\b(?! ?kr| \d|[,.]\d)")
    for path, payload in PAYLOADS.items():
        words = " ".join([payload["definition"], *payload.get("anti_patterns", ())])
        for number in named.findall(words):
            assert number in CHART or YEAR.fullmatch(number), (path, number)


@cases("path", sorted(path for path in PAYLOADS if "calculation" in PAYLOADS[path]))
def test_a_calculation_gives_what_it_says(path):
    calculation = PAYLOADS[path]["calculation"]
    assert calculation.keys() == {"of", "gives"}
    assert compute(calculation["of"]) == exact(calculation["gives"])


def test_what_changes_by_year_says_for_which_and_where_to_check():
    """A rate, an amount or a date that is set anew never stands there as if it held for ever."""
    for path, payload in PAYLOADS.items():
        prose = [payload["definition"], payload.get("details", ""), *payload.get("examples", ())]
        if CHANGING.search(" ".join(prose)):
            assert payload.get("valid_for"), path
        assert ("valid_for" in payload) == ("check" in payload), path
        if "valid_for" in payload:
            assert YEAR.search(payload["valid_for"]) and len(payload["check"]) > 10, path


def test_changing_rates_in_bookings_are_dated():
    """Fees and taxes by law are told for a year; moms and depreciation rates by their own nodes."""
    by_law = {"7510", "7519", "7533", "8910", "1513"}
    for path, payload in BOOKED.items():
        if by_law & {share["account"] for share in payload.get("shares", ())}:
            assert payload.get("valid_for"), path


def test_what_a_small_company_meets_is_covered():
    found = {path.split(".")[1] for path in PAYLOADS if "." in path}
    assert found >= PROMISED
