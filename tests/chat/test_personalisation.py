"""What a reply shows of the memories in its prompt, and what that makes of it: pure rules, and labelled texts."""

import json
from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from chat.personalisation.measure import (
    SURE,
    TELLS_AT_MOST,
    Shows,
    Statement,
    Stood,
    find_quoted,
    find_shown,
    guides,
    judge_confidence,
    judge_level,
    measure,
)
from companion_site.running import PROJECT
from tests.cases import cases

pytestmark = pytest.mark.spec("I6")

PAIRS = json.loads((PROJECT / "tests" / "data" / "drawn.json").read_text())
TYPES = json.loads((PROJECT / "tests" / "data" / "reply_types.json").read_text())
CLEAR, FAINT, NOT = Shows.CLEARLY, Shows.FAINTLY, Shows.NOT


def shown(reply: str, *memories: str, asked: str = "", language="en") -> list[Shows]:
    return find_shown(reply, [Statement(text=text, language=language) for text in memories], asked=asked)


def judged(pair: dict[str, object]) -> bool:
    """Tell whether a labelled pair counts as drawn."""
    (found,) = shown(pair["reply"], pair["memory"], asked=pair["asked"], language=pair["language"])
    return found is CLEAR


def precision_and_recall(pairs: Sequence[dict[str, object]]) -> tuple[float, float]:
    taken = [pair for pair in pairs if judged(pair)]
    right = sum(bool(pair["drawn"]) for pair in taken)
    return right / len(taken), right / sum(bool(pair["drawn"]) for pair in pairs)


@pytest.mark.spec("AC-2.2.7")
@cases("language", ["en", "sv"])
def test_what_a_reply_drew_on_is_found_in_texts_never_tuned_on(language):
    """Of the labelled pairs in odd places, on which no number was chosen, hardly any is taken for drawn that is not."""
    held_out = [pair for pair in PAIRS[1::2] if pair["language"] == language]
    precision, recall = precision_and_recall(held_out)
    assert len(held_out) >= 20
    assert precision >= 0.95 and recall >= 0.8


def test_a_reply_that_shares_nothing_shows_nothing(subtests):
    """Words that no memory has are no evidence for one, however the reply speaks."""
    for pair in PAIRS:
        with subtests.test(case=pair):
            assert shown("You told me of zyx, as you once said.", pair["memory"]) == [NOT]


def test_what_the_message_said_itself_is_no_evidence():
    """ "Recursion" in question, memory and reply says nothing; the same reply to another question does."""
    memory, reply = "I find recursion hard", "You will see that recursion is a function that calls itself."
    assert shown(reply, memory, asked="Explain recursion!") == [NOT]
    assert shown(reply, memory, asked="Explain that!") != [NOT]


def test_a_quotation_shows_however_common_its_words_are():
    """Four words as the memory has them; three are not enough, and what the person just said is no quotation."""
    memory = "it is what it is"
    assert shown("You said: “It is what it is”.", memory) == [CLEAR]
    assert shown("It is what you make of it.", memory) == [NOT]
    assert shown("It is what it is.", memory, asked="Well, it is what it is?") == [NOT]


def test_of_a_memory_with_several_lines_one_line_is_enough():
    """An insight holds many statements: it shows when one of them does."""
    lines = "Lives in Lund\nPlays the cello\nWants to become a nurse"
    assert shown("Think of your cello: half the string, one octave higher.", lines) == [CLEAR]
    assert shown("Think of your breakfast.", lines) == [NOT]


def test_a_number_of_several_digits_is_telling_and_a_small_one_is_not():
    """ "140" in both is no chance; "2" may be."""
    assert shown("Your yard was 140 metres.", "We measured 140 metres") == [CLEAR]
    assert shown("There are 2 answers.", "I have 2 pens") == [NOT]


def test_words_of_a_sentence_that_speaks_to_nobody_weigh_less():
    """Talk about the matter shares words with memories about it; a reply that draws on them speaks to the person."""
    memory = "In the evening I usually study, around ten"
    assert shown("There it is ten, which is evening here.", memory) != [CLEAR]
    assert shown("It is your evening, around ten, so rest before.", memory) == [CLEAR]


@given(st.text(max_size=200), st.text(max_size=100), st.text(max_size=100))
def test_any_text_can_be_judged(reply, memory, asked):
    """Whatever letters there are, each memory gets one answer."""
    assert len(find_shown(reply, [Statement(text=memory, language="sv")], asked=asked)) == 1


def test_longer_replies_need_more():
    """That one of a thousand words is there by chance is likelier than that one of ten is."""
    memory = "I spoke with my uncle"
    short = "You have an uncle."
    long = short + " " + " ".join(f"filler{number}" for number in range(2_000))
    assert [shown(short, memory), shown(long, memory)] == [[CLEAR], [NOT]]


# --- the level ------------------------------------------------------------------------------------------------------


def stood(shows: Shows, confidence: float = 0.5, *, is_history: bool = False) -> Stood:
    memory = Statement(text="I like tea", language="en")
    return Stood(statement=memory, shows=shows, confidence=confidence, is_history=is_history)


@pytest.mark.spec("AC-2.3.4")
def test_the_level_at_its_borders(subtests):
    """None shown, only faintly, one, or several or one sure piece of the person's own history."""
    for memories, level in [
        ([], "none"),
        ([stood(NOT, 1.0, is_history=True)] * 5, "none"),
        ([stood(FAINT, 1.0, is_history=True)], "low"),
        ([stood(FAINT)] * 5, "low"),
        ([stood(CLEAR)], "medium"),
        ([stood(CLEAR), stood(FAINT), stood(NOT)], "medium"),
        ([stood(CLEAR, 1.0)], "medium"),
        ([stood(CLEAR, SURE - 0.01, is_history=True)], "medium"),
        ([stood(CLEAR, SURE, is_history=True)], "high"),
        ([stood(CLEAR), stood(CLEAR)], "high"),
    ]:
        with subtests.test(memories=memories, level=level):
            assert judge_level(memories) == level


def test_a_reply_is_as_sure_as_its_least_sure_memory():
    """Of those it draws on; of those it touches on where it draws on none; of nothing there is no saying."""
    assert judge_confidence([stood(CLEAR, 0.9), stood(CLEAR, 0.6), stood(FAINT, 0.1)]) == 0.6
    assert judge_confidence([stood(FAINT, 0.7), stood(NOT, 0.1)]) == 0.7
    assert judge_confidence([stood(NOT, 0.7)]) is None


# --- the type -------------------------------------------------------------------------------------------------------


def test_a_reply_that_guides_by_a_question_is_told_from_one_that_answers(subtests):
    """Labelled replies in both languages: a courtesy guides nobody, and neither does a question behind an answer."""
    for case in TYPES:
        with subtests.test(case=case):
            assert guides(case["reply"]) == (case["type"] == "socratic")


def test_how_much_may_be_told_before_a_guiding_question():
    """Up to so many words of plain telling it guides; one more, and it answers."""
    question = "What do you think comes next?"
    assert guides(" ".join(["word"] * TELLS_AT_MOST) + ". " + question)
    assert not guides(" ".join(["word"] * (TELLS_AT_MOST + 1)) + ". " + question)


@cases(
    ("reply", "asked", "level"),
    [
        ("You told me on 3 March: “My brother Ossian is nine years old”.", "How old is he?", "high"),
        ("I was not told that about Ossian, your brother of nine years.", "Which bike has he?", "none"),
        (
            "I find no answer about “my brother Ossian is nine years”.",
            "My brother Ossian is nine years?",
            "none",
        ),
    ],
)
def test_without_a_model_only_what_is_quoted_counts(reply, asked, level):
    """Words in common are no evidence there, nor are the question's own given back: nothing quoted, the lowest level."""
    memory = Stood(
        statement=Statement(text="My brother Ossian is nine years old", language="en"),
        confidence=1.0,
        is_history=True,
    )
    found = measure(reply, {"m": memory}, asked=asked, only_quotes=True)
    assert judge_level([*found.values()]) == level


def test_a_short_memory_is_quoted_as_a_whole():
    """One of fewer words than a quotation has is quoted where all of it stands there."""
    statements = [Statement(text="I like tea", language="en"), Statement(text="", language="en")]
    assert find_quoted("You told me: “I like tea”.", statements) == [CLEAR, NOT]
    assert find_quoted("You told me that you like tea.", statements) == [NOT, NOT]
    # What it says by itself is not theirs, though they said so, too.
    said = Statement(text="Say it once more and it will be there", language="en")
    assert find_quoted("I find nothing on this; say it once more, and it will be there.", [said]) == [NOT]
