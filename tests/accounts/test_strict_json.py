"""JSON from other programs is read whole and exactly, or refused as no JSON, whatever it says."""

from decimal import Decimal

import pytest

from companion_site.accounts.strict_json import MOST_DEPTH, BadJson, load_json
from tests.cases import cases

pytestmark = [pytest.mark.spec("E7"), pytest.mark.spec("C11")]


@cases("number", ["1e999", "-1e999", "1e99999999999999999999999"])
def test_a_number_that_none_can_hold_is_refused(number):
    """An exponent beyond what a number has is no number, however numbers are read."""
    with pytest.raises(BadJson):
        load_json(number.encode())


def test_digits_are_kept():
    """Read as decimals, numbers with a point are what was written."""
    assert load_json(b"[0.10, 1e999]", parse_float=Decimal) == [Decimal("0.10"), Decimal("1e999")]


@cases(
    "raw",
    [b"", b"{", b"\xff", b"\xef\xbb\xbf{}", b"NaN", b"-Infinity", b'{"a": 1, "a": 1}', b'"\\ud800"', b'{"\\udfff": 1}',
     b"9" * 5000, b"[1] 2"],
)  # fmt: skip
def test_what_can_be_understood_in_two_ways_is_refused(raw):
    """Half of it, other encodings, names twice, half characters, numbers that are none."""
    with pytest.raises(BadJson, match="no JSON"):
        load_json(raw)


@cases("opening", [b"[", b'{"a":'])
def test_depth_is_bounded(opening):
    """So many levels and no more; a hundred thousand of them break nothing."""
    closing = b"]" if opening == b"[" else b"}"
    assert load_json(opening * (MOST_DEPTH - 1) + b"1" + closing * (MOST_DEPTH - 1))
    for levels in (MOST_DEPTH, 100_000):
        with pytest.raises(BadJson, match="nested"):
            load_json(opening * levels + b"1" + closing * levels)
