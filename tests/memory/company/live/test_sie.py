"""SIE files of types 1 to 4 are read whole or refused with the line and what to do."""

import random
from datetime import date
from decimal import Decimal
from pathlib import Path

import pytest

from memory.company.errors import SieRefused
from memory.company.live.importer import RANGES, derive_figures
from memory.company.live.sie import MOST_BYTES, Record, read_records, read_sie
from tests.cases import cases

pytestmark = pytest.mark.spec("C11")

FILES = Path(__file__).parents[3] / "data" / "sie"
TODAY = date(2026, 3, 2)
TYPE_4 = (FILES / "type4e_pc8.se").read_bytes()
TYPE_1 = (FILES / "type1_utf8.se").read_text()


def values(raw, *, today=TODAY):
    return {entry.key: entry.value for entry in derive_figures(read_sie(raw), today=today)}


def refusal(raw):
    with pytest.raises(SieRefused) as refused:
        derive_figures(read_sie(raw if isinstance(raw, bytes) else raw.encode()), today=TODAY)
    return refused.value


def changed(old, new, text=TYPE_1):
    assert text.count(old) == 1, old
    return text.replace(old, new)


def test_a_whole_file_of_type_4_is_read():
    """Company, years, accounts, balances and vouchers, with quotes, objects and braces as they come."""
    books = read_sie(TYPE_4)
    assert (books.name, books.organisation_number) == ("Björk & Åström Konsult AB", "556000-4615")
    assert (books.type, books.program, books.encoding) == (4, 'Bokföraren "Plus"', "cp437")
    assert (books.generated, books.covers_until) == (date(2026, 3, 1), date(2026, 12, 31))
    assert books.years == {
        0: (date(2026, 1, 1), date(2026, 12, 31)),
        -1: (date(2025, 1, 1), date(2025, 12, 31)),
    }
    assert {"1510", "1630", "8310"} <= books.accounts
    assert books.opening[0, "1930"] == 100000 and books.opening[-1, "1930"] == 80000
    assert books.closing[0, "2641"] == 2000 and books.results[-1, "3010"] == -310000
    assert books.vouchers[0] == date(2026, 1, 15) and len(books.vouchers) == 5


def test_balances_become_key_figures():
    """Debts and income are told as positive, the year's result without what books it, all of the latest day."""
    entries = derive_figures(read_sie(TYPE_4), today=TODAY)
    assert {entry.key: entry.value for entry in entries} == {
        "cash": 117510,
        "receivables": 37500,
        "tax_account": 1200,
        "payables": 10000,
        "vat_due": 8000,
        "revenue_year": 40000,
        "result_year": 26510,
    }
    assert {(entry.as_of, entry.unit) for entry in entries} == {(date(2026, 2, 28), "SEK")}


@cases(
    ("name", "encoding"),
    [("type1_utf8.se", "utf-8"), ("type1_latin1.se", "latin-1"), ("type1_checksum.se", "cp437")],
)
def test_the_bytes_decide_on_the_encoding(name, encoding):
    """Files say PC8 and are in something else; the letters come out right, and so do the figures."""
    books = read_sie((FILES / name).read_bytes())
    assert (books.name, books.encoding) == ("Åkerbärs Bageri AB", encoding)
    assert {entry.key: entry.value for entry in derive_figures(books, today=TODAY)} == {
        "cash": Decimal("8800.5"),
        "payables": 0,
        "vat_due": Decimal("-1199.5"),
        "revenue_year": 10000,
        "result_year": 10000,
    }


def test_marks_of_other_systems_are_passed_over():
    """A byte order mark, a final control Z, old Macintosh line ends, UTF-16."""
    plain = values(TYPE_1.encode())
    for raw in (
        TYPE_1.encode("utf-8-sig"),
        TYPE_1.encode("cp437") + b"\r\n\x1a",
        TYPE_1.replace("\n", "\r").encode("latin-1"),
        TYPE_1.encode("utf-16"),
        TYPE_1.replace(" ", "\t ").encode(),
        TYPE_1.replace("#UB", "#ub").encode(),
        (TYPE_1 + '#NYHET {1 2} "något"\n\n   \n').encode(),
    ):
        assert values(raw) == plain


CLOSED = changed("#GEN 20260215\n", "")


@cases(
    ("text", "today", "day"),
    [
        (TYPE_1 + "#OMFATTN 20260131\n", TODAY, date(2026, 1, 31)),
        (TYPE_1 + "#OMFATTN 20261231\n", TODAY, date(2026, 2, 15)),
        (TYPE_1, TODAY, date(2026, 2, 15)),
        (TYPE_1, date(2027, 6, 1), date(2026, 2, 15)),
        (CLOSED, date(2027, 6, 1), date(2026, 12, 31)),
    ],
)
def test_the_day_is_the_latest_that_has_come(text, today, day):
    """What is covered, the last voucher, or the day of the export; the year's end while it runs is none."""
    assert {entry.as_of for entry in derive_figures(read_sie(text.encode()), today=today)} == {day}
    assert "of which day" in str(refusal(CLOSED))


def test_vouchers_alone_are_no_balances():
    """A file of type 4I is read, and says of no figure how it stands; nor does one without closing balances."""
    raw = (FILES / "type4i_pc8.si").read_bytes()
    assert len(read_sie(raw).vouchers) == 1
    assert "4E" in str(refusal(raw))
    lines = [line for line in TYPE_4.splitlines() if not line.startswith(b"#UB 0")]
    assert "4E" in str(refusal(b"\n".join(lines)))


@cases(
    ("text", "told"),
    [
        # Account 8999 books the year's result into the balance; with it the year would always be zero.
        (
            changed("#RES 0 3001 -10000.00", "#RES 0 3001 -10000.00\n#RES 0 8999 10000\n#UB 0 2099 -10000"),
            {"result_year": 10000},
        ),
        # A last year's result that is not booked yet: neither opening nor closing balances sum to zero, by the same amount.
        (
            changed("#IB 0 1930 0.00", "#IB 0 1930 700").replace("8800,50", "9500.50"),
            {"cash": Decimal("9500.5")},
        ),
        # Excise duties are no VAT; accounts of three digits have no place; longer ones belong to their first four.
        (
            TYPE_1 + "#UB 0 2660 -500\n#UB 0 193099 500\n#UB 0 193 77\n#RES 0 9010 5\n",
            {"cash": Decimal("9300.5")},
        ),
    ],
)
def test_what_is_booked_beside_the_figures_changes_none_of_them(text, told):
    """All others are told as of the plain file."""
    assert values(text.encode()) == {**values(TYPE_1.encode()), **told}
    assert len({figure.key for figure in RANGES}) == len(RANGES)


BROKEN = {
    "nothing": ("", None, "empty"),
    "a letter": ("Dear Sir or Madam", None, "no SIE file"),
    "an archive": (b"PK\x03\x04\x00\x00", None, "no SIE file"),
    "noughts within": (TYPE_4[:500] + b"\x00" + TYPE_4[500:], None, "no SIE file"),
    "half of UTF-16": (b"\xff\xfe\x00", None, "no SIE file"),
    "SIE 5": ('<?xml version="1.0"?><Sie/>', None, "SIE type 4"),
    "a list of headings": ("# One\n# Two\n", None, "no SIE file"),
    "too large": (b"#" * (MOST_BYTES + 1), None, "larger than 10 MB"),
    "type 5": (changed("#SIETYP 1", "#SIETYP 5"), 3, "types 1 to 4"),
    "no type": (changed("#SIETYP 1", "#SIETYP"), 3, "#SIETYP"),
    "a line of its own": (changed("#ORGNR", "ORGNR"), 7, "begins with #"),
    "a line without end": (TYPE_1 + "{" * 1_000_000, 17, "longer than any record"),
    "an open quote": (changed('#KONTO 1930 "Företagskonto"', '#KONTO 1930 "Företagskonto'), 9, "quotation mark"),
    "no account": (changed("#UB 0 2650 1199.50", "#UB 0"), 15, "account"),
    "an account in words": (changed("#UB 0 2650", "#UB 0 moms"), 15, "account"),
    "an amount in words": (changed("1199.50", "zebrafinch"), 15, "amount"),
    "an exponent": (changed("1199.50", "1e999999999"), 15, "amount"),
    "a point alone": (changed("1199.50", "."), 15, "amount"),
    "an absurd amount": (changed("1199.50", "9" * 40), 15, "amount"),
    "a balance twice": (changed("#UB 0 2650 1199.50", "#UB 0 1930 8800.50"), 15, "twice"),
    "a balance that is wrong": (changed("1199.50", "1299.50"), None, "do not add up"),
    "a balance that is missing": (changed("#UB 0 2650 1199.50\n", ""), None, "do not add up"),
    "no year": (changed("#UB 0 2650 1199.50", "#UB x 2650 1199.50"), 15, "year"),
    "a year the wrong way round": (changed("20260101 20261231", "20261231 20260101"), 8, "before it begins"),
    "a day that is none": (changed("#GEN 20260215", "#GEN 20260230"), 5, "day"),
    "a day before all books": (changed("#GEN 20260215", "#GEN 00010101"), 5, "day"),
    "a currency that is none": (TYPE_1 + "#VALUTA kronor\n", 17, "currency"),
    "a row outside": (TYPE_1 + "#TRANS 1930 {} 5\n", 17, "outside"),
    "a brace alone": (TYPE_1 + "}\n", 17, "brace"),
    "a brace too early": (TYPE_1 + "{\n", 17, "brace"),
    "a voucher without rows": (TYPE_1 + "#VER A 1 20260101\n#KONTO 1930\n", 17, "not whole"),
    "a voucher at the end": (TYPE_1 + "#VER A 1 20260101\n", 17, "not whole"),
    "a voucher cut off": (TYPE_1 + "#VER A 1 20260101\n{\n#TRANS 1930 {} 5\n", 17, "not whole"),
    "a voucher in a voucher": (TYPE_1 + "#VER A 1 20260101\n{\n#VER A 2 20260101\n", 19, "not closed"),
    "no balance in a voucher": (
        TYPE_1 + "#VER A 1 20260101\n{\n#TRANS 1930 {} 5\n#TRANS 3001 {} -4.99\n}\n", 17, "does not balance",
    ),
    "a row without its amount": (TYPE_1 + "#VER A 1 20260101\n{\n#TRANS 1930 {}\n}\n", 19, "amount"),
    "a list of objects for an account": (TYPE_1 + "#UB 0 {1 2} 5\n", 17, "account"),
    "another checksum": (
        (FILES / "type1_checksum.se").read_bytes().replace(b"Molnbok", b"Molnbox"), 18, "checksum",
    ),
    "no checksum at the end": (
        (FILES / "type1_checksum.se").read_bytes().rsplit(b"#KSUMMA", 1)[0], 2, "cut off",
    ),
    "a checksum in words": (TYPE_1 + "#KSUMMA\n#KSUMMA many\n", 18, "checksum"),
}  # fmt: skip


def test_a_broken_file_is_refused_with_its_line(subtests):
    """A sentence says where it is broken and ends with what to do; words of the file are not in it."""
    for raw, line, said in BROKEN.values():
        with subtests.test(raw=raw, line=line):
            refused = refusal(raw)
            assert refused.line == line and said in str(refused), str(refused)
            assert str(refused).endswith(".") and (line is None or f"Line {line}:" in str(refused))
            assert "zebrafinch" not in str(refused)


def test_balances_that_no_company_has_are_refused():
    """Each within bounds, together beyond what a figure can hold."""
    rows = "".join(f"#UB 0 {1500 + n} 9999999999999\n#UB 0 {2000 + n} -9999999999999\n" for n in range(5))
    assert "larger than any company" in str(refusal(TYPE_1 + rows))


def test_a_file_cut_off_anywhere_gives_no_wrong_figure():
    """At every seventh byte: refused, or the figures of the whole file."""
    whole = values(TYPE_4)
    outcomes = {"refused": 0, "whole": 0}
    for end in range(0, len(TYPE_4), 7):
        try:
            found = values(TYPE_4[:end])
        except SieRefused:
            outcomes["refused"] += 1
        else:
            assert found == whole, end
            outcomes["whole"] += 1
    assert outcomes["refused"] > 200 and outcomes["whole"] < 60


def test_damage_is_refused_or_harmless():
    """Bytes thrown over by chance never end in anything but a refusal or figures."""
    chance = random.Random(11)
    refused = 0
    for _ in range(400):
        raw = bytearray(TYPE_4)
        for _ in range(chance.randrange(1, 4)):
            raw[chance.randrange(len(raw))] = chance.choice(b'\x00"{}# \n\\-.9\x86\xff')
        try:
            derive_figures(read_sie(bytes(raw)), today=TODAY)
        except SieRefused:
            refused += 1
    assert 100 < refused < 400


def test_a_line_is_taken_apart(subtests):
    """Quotes, escaped quotes, lists of objects, braces beside a record."""
    for line, records in [
        ('#A "b \\"c\\" d" ""', [Record(1, "#A", ('b "c" d', ""))]),
        ("#TRANS 1930 {} -1", [Record(1, "#TRANS", ("1930", (), "-1"))]),
        ('#TRANS 1930{1 "x y"}-1', [Record(1, "#TRANS", ("1930", ("1", "x y"), "-1"))]),
        ("#VER A {", [Record(1, "#VER", ("A",)), Record(1, "{")]),
        (
            "#VER A { #TRANS 1 {} 2 }",
            [Record(1, "#VER", ("A",)), Record(1, "{"), Record(1, "#TRANS", ("1", (), "2")), Record(1, "}")],
        ),
        ('#A "#B" c#d', [Record(1, "#A", ("#B", "c#d"))]),
        ("   ", []),
        ('#PATH "C:\\temp"', [Record(1, "#PATH", ("C:\\temp",))]),
    ]:
        with subtests.test(line=line, records=records):
            assert list(read_records(line)) == records
