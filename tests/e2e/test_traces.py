"""The search for words in bytes finds what is there, in whatever guise, and nothing else."""

import base64
import json
import pickle
import zlib

from hypothesis import given
from hypothesis import strategies as st

from tests.cases import cases
from tests.e2e.traces import Search

WORD = "Snöglöppsfjärilen"
KEY = bytes(range(7, 39))
SEARCH = Search({"word": WORD, "key": KEY})
PACKINGS = {
    "job": lambda raw: b"." + base64.urlsafe_b64encode(zlib.compress(raw)).rstrip(b"=") + b":1x2y3z:sig",
    "pickle": lambda raw: base64.b64encode(pickle.dumps({"args": [raw.decode()]}, protocol=5)),
    "bytea": lambda raw: b"(1,\\x" + raw.hex().encode() + b",t)",
    "json in base64 in hex": lambda raw: base64.b64encode(json.dumps(raw.decode()).encode()).hex().encode(),
}


@given(before=st.binary(max_size=40), after=st.binary(max_size=40))
def test_base64_is_found_at_every_alignment(before, after):
    """Whatever stands before and after a secret in what is encoded, in either alphabet, it is met."""
    for name, secret in (("word", WORD.encode()), ("key", KEY)):
        encoded = base64.b64encode(before + secret + after)
        for form in (encoded, encoded.translate(bytes.maketrans(b"+/", b"-_"))):
            assert name in SEARCH.in_bytes(b"x:" + form + b" y")


@given(before=st.binary(max_size=40), after=st.binary(max_size=40))
def test_raw_and_hex_are_found_anywhere(before, after):
    """A secret is met as it is and in hex of either case."""
    for name, secret in (("word", WORD.encode()), ("key", KEY)):
        assert name in SEARCH.in_bytes(before + secret + after)
        encoded = (before + secret + after).hex()
        assert name in SEARCH.in_bytes(encoded.encode()) and name in SEARCH.in_bytes(encoded.upper().encode())


@cases(
    "form",
    [
        WORD.upper().encode(),
        WORD.lower().encode(),
        WORD.encode("utf-16-le"),
        WORD.encode("utf-16-be"),
        WORD.encode("latin-1"),
        json.dumps({"said": WORD}).encode(),
        repr(WORD.encode()).encode(),
        b"Sn%C3%B6gl%C3%B6ppsfj%C3%A4rilen",
        WORD.replace("ö", "o\u0308").replace("ä", "a\u0308").encode(),
    ],
)
def test_a_word_is_found_in_every_writing(form):
    """Case, encoding, composition and the escapes of JSON, Python and addresses hide nothing."""
    assert SEARCH.in_bytes(b"before " + form + b" after") == {"word"}


@cases("packing", PACKINGS.values())
def test_a_word_is_found_under_layers(packing):
    """What was pickled, compressed or encoded, one in another, is opened."""
    packed = packing(f"something {WORD} something".encode())
    assert SEARCH.in_layers(b"a,b," + packed + b",c") == {"word"}


@given(st.binary(max_size=300))
def test_nothing_is_found_where_nothing_is(data):
    """Other bytes are no finding."""
    assert SEARCH.in_layers(data) == set()
