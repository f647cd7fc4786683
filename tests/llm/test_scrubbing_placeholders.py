"""Values out, placeholders in, and back again."""

import json
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion_site.llm.scrubbing.policy import Kind
from companion_site.llm.scrubbing.scrubber import Scrubber, StreamRestorer, restore_json, restore_text
from tests.cases import cases

pytestmark = pytest.mark.spec("I8")

MAIL, OTHER, PHONE = "anna@example.com", "tom@example.org", "070-174 06 05"
VALUES = [MAIL, MAIL.upper(), OTHER, PHONE, "0701740605", "811218-9876", "SE45 5000 0000 0583 9825 7466"]
TYPED = ["[EMAIL-1]", "[email 2]", "[PHONE-1.2]", "[EMAIL-"]
AROUND = ["[", "]", "\\", "\\[", " ", "\n", '"', "1", ". ", "Hej", "[x](y)", "å"]
PARTS = st.sampled_from([*VALUES, *TYPED, *AROUND])


def scrub(*texts: str, kinds=frozenset(Kind)) -> tuple[Scrubber, list[str]]:
    scrubber = Scrubber(texts, kinds=kinds)
    return scrubber, [scrubber.scrub(text) for text in texts]


def stream(scrubber: Scrubber, pieces) -> str:
    restorer = StreamRestorer(scrubber.originals)
    return "".join([*map(restorer.feed, pieces), restorer.finish()])


def test_the_same_value_has_the_same_number_throughout_a_request():
    """In every text of it, and numbers begin at one for each kind."""
    _, texts = scrub(f"{MAIL} or {OTHER}", f"{PHONE}, {OTHER}, {MAIL}")
    assert texts == ["[EMAIL-1] or [EMAIL-2]", "[PHONE-1], [EMAIL-2], [EMAIL-1]"]


def test_another_way_to_write_a_value_has_its_number_and_comes_back_as_written():
    """The model can tell that it is the same person; what comes back is word for word."""
    scrubber, (text,) = scrub(f"{PHONE} = 0701740605 = +46701740605, {PHONE}")
    assert text == "[PHONE-1] = [PHONE-1.2] = [PHONE-1.3], [PHONE-1]"
    assert restore_text(text, scrubber.originals) == f"{PHONE} = 0701740605 = +46701740605, {PHONE}"


def test_what_the_person_typed_as_a_placeholder_survives():
    """Its number goes to no value, so the reply may repeat it as it is; all texts are looked at before the first number is given."""
    scrubber, (text,) = scrub(f"I typed [EMAIL-1] and [email 2] and {MAIL}")
    assert text == "I typed [EMAIL-1] and [email 2] and [EMAIL-3]"
    assert stream(scrubber, text) == f"I typed [EMAIL-1] and [email 2] and {MAIL}"
    assert scrub(MAIL, "[EMAIL-1]")[1] == ["[EMAIL-2]", "[EMAIL-1]"]


@cases("invented", ["[EMAIL-9]", "[PHONE-1]", "[EMAIL-1.2]", "[EMAIL-0]", "[NAME-1]", "EMAIL-1"])
def test_what_the_model_invents_stays_as_it_is(invented):
    """It stands for nothing that was kept back."""
    scrubber, _ = scrub(MAIL)
    assert stream(scrubber, f"Write to {invented}.") == f"Write to {invented}."


WAYS = [
    "[EMAIL-1]",
    "[email-1]",
    "[Email 1]",
    "[ EMAIL-1 ]",
    "[EMAIL - 1]",
    "[EMAIL_1]",
    "[E-mail-1]",
    "[EMAIL-01]",
    "\\[EMAIL-1\\]",
    "[EMAIL\N{EN DASH}1]",
    "[EMAIL\N{NON-BREAKING HYPHEN}1]",
    "[EMAIL:1]",
    "[EMAIL1]",
]


@cases("written", WAYS)
def test_case_and_spacing_may_vary(written):
    """Models do not copy to the letter; wherever the stream is cut, the value comes back."""
    scrubber, _ = scrub(MAIL)
    text = f"To {written}, please"
    for cut in range(len(text) + 1):
        assert stream(scrubber, [text[:cut], text[cut:]]) == f"To {MAIL}, please"


@given(parts=st.lists(PARTS, max_size=20), cuts=st.lists(st.integers(0, 300)))
def test_every_text_comes_back_however_it_is_split(parts, cuts):
    """Scrubbing and restoring is nothing at all, over any pieces."""
    text = "".join(parts)
    scrubber, (scrubbed,) = scrub(text)
    edges = [0, *sorted(cut for cut in cuts if cut < len(scrubbed)), len(scrubbed)]
    pieces = [scrubbed[start:end] for start, end in pairwise(edges)]
    assert "".join(pieces) == scrubbed
    assert stream(scrubber, pieces) == restore_text(scrubbed, scrubber.originals)
    if "\\]" not in scrubbed:
        assert stream(scrubber, pieces) == text


@given(parts=st.lists(PARTS, max_size=20))
def test_no_value_goes_out(parts):
    """Of values that stand apart none is left, whatever stands around them."""
    scrubber, (scrubbed,) = scrub(" | ".join(parts))
    assert not any(value in scrubbed for value in scrubber.originals.values())
    assert set(scrubber.originals.values()) == set(parts) & set(VALUES)


@given(parts=st.lists(PARTS, max_size=12))
def test_restored_json_is_json_with_the_words_of_the_message(parts):
    """A quote copied by the model is afterwards found in the message, quotes and backslashes included."""
    text = "".join(parts)
    scrubber, (scrubbed,) = scrub(text)
    answer = json.dumps({"quote": scrubbed}, ensure_ascii=False)
    assert json.loads(restore_json(answer, scrubber.originals)) == {"quote": text}


def test_a_stream_of_open_brackets_is_read_in_one_go():
    """What waits is short, so a long reply in single characters costs no more than its length."""
    scrubber, _ = scrub(MAIL)
    for sign in ("[", "[EMAIL-", " ", "\\"):
        assert stream(scrubber, sign * 50_000) == sign * 50_000


def test_a_scrubber_shows_no_value():
    """Neither it nor a place says what it holds, should it ever come into a log or an error."""
    scrubber, _ = scrub(MAIL)
    assert MAIL not in repr(scrubber)
