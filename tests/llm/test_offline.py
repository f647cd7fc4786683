"""The companion without a model: honest, deterministic, in the person's language."""

import re

import pytest

from companion_site.llm.offline import OfflineCompanion, compose_reply, find_cue, is_question, split_words
from companion_site.llm.offline_phrases import ENGLISH, PHRASES, SWEDISH
from companion_site.llm.types import Utterance
from tests.llm.builders import make_request

HEARD = Utterance("assistant", "I see.")


def reply(said: str, *, recalled=(), language="en", before=()) -> str:
    turns = [*before, Utterance("user", said)]
    return compose_reply(make_request(turns=turns, recalled=tuple(recalled), language=language))


@pytest.mark.spec("I7")
@pytest.mark.parametrize(("language", "words"), [("en", "no language model"), ("sv", "ingen språkmodell")])
def test_says_once_that_there_is_no_model(language, words):
    """Plainly in the first reply of a conversation, and not again in the next."""
    earlier = [Utterance("user", "a"), HEARD]
    assert reply("b", language=language).count(words) == 1
    assert words not in reply("b", language=language, before=earlier)


@pytest.mark.parametrize(
    ("language", "question", "told", "quoted"),
    [
        ("en", "What tea do I like?", "I like green tea", "You told me: “I like green tea”"),
        (
            "sv",
            "Vilket te gillar jag?",
            "Jag gillar grönt te",
            "Du har berättat för mig: ”Jag gillar grönt te”",
        ),
    ],
)
def test_question_is_answered_with_what_the_person_said(language, question, told, quoted):
    """As a quotation, so that it is clear whose words they are."""
    assert quoted in reply(question, recalled=[told], language=language)


def test_several_memories_are_listed_and_bounded():
    """The best few; the order is the caller's."""
    text = reply("What do you know?", recalled=[f"fact {n}" for n in range(9)])
    assert re.findall("“fact (.)”", text) == ["0", "1", "2"]


@pytest.mark.parametrize(
    ("language", "question"), [("en", "Who is my teacher?"), ("sv", "Vem är min lärare?")]
)
def test_nothing_remembered_is_said_and_nothing_invented(language, question):
    """Every sentence is one of the phrases; not a word comes from elsewhere."""
    text = reply(question, language=language, before=[Utterance("user", "a"), HEARD])
    phrases = PHRASES[language]
    asked = {question for ways in phrases.ask.values() for question in ways}
    first, last = text.split("\n\n")
    assert first == phrases.nothing_known
    assert last in asked


@pytest.mark.parametrize("language", ["en", "sv"])
@pytest.mark.parametrize("recalled", [(), ("one told thing",), ("one told thing", "another")])
@pytest.mark.parametrize(
    "said", ["Hello", "I am stuck on the exam", "Jag är ledsen", "Vad vet du?", "Fine.", "tack!"]
)
def test_reply_is_phrases_and_quotations_only(said, recalled, language):
    """Take the phrases and the quotations away and nothing is left."""
    phrases = PHRASES[language]
    rest = reply(said, recalled=recalled, language=language)
    known = [
        phrases.notice,
        phrases.told_me_several,
        phrases.told_me,
        phrases.nothing_known,
        phrases.connects,
    ]
    for ways in (*phrases.acknowledge.values(), *phrases.ask.values(), phrases.first_step):
        known += ways
    for text in sorted([*known, *(phrases.quote.format(told) for told in recalled)], key=len, reverse=True):
        rest = rest.replace(text, "")
    assert rest.strip(" \n-") == ""


@pytest.mark.parametrize(
    "said", ["I feel sad today", "I am stuck", "My exam is on Friday", "Some thing or other"]
)
def test_reply_ends_in_one_open_question(said):
    """One, so that it is easy to go on from."""
    text = reply(said, before=[Utterance("user", "a"), HEARD])
    assert text.count("?") == 1
    assert text.endswith("?")


@pytest.mark.parametrize(
    ("language", "said", "step"),
    [("en", "I have an exam tomorrow", "1. "), ("sv", "Jag har prov på fredag", "1. ")],
)
def test_plan_is_offered_a_first_step(language, said, step):
    """Step by step, as an offer."""
    assert step in reply(said, language=language)


@pytest.mark.parametrize(
    ("language", "said", "cue"),
    [
        ("en", "My grandmother passed away", "heavy"),
        ("en", "I passed my exam!", "win"),
        ("en", "I have not finished", "other"),
        ("en", "I won't do it", "other"),
        ("en", "I can\N{RIGHT SINGLE QUOTATION MARK}t do this", "stuck"),
        ("en", "This is a thing", "other"),
        ("en", "I want to die", "danger"),
        ("sv", "Jag klarade provet", "win"),
        ("sv", "Jag klarade det inte", "other"),
        ("sv", "Jag har kört fast", "stuck"),
        ("sv", "Det var fast på ett annat sätt", "other"),
        ("sv", "Jag är orolig inför provet", "heavy"),
        ("sv", "Jag vill inte leva längre", "danger"),
    ],
)
def test_cue_goes_by_whole_words_and_minds_negation(language, said, cue):
    """A loss is not a success, and a success denied is none."""
    assert find_cue(PHRASES[language], said) == cue


@pytest.mark.parametrize(
    ("language", "said"), [("en", "I want to kill myself"), ("sv", "Jag vill ta livet av mig")]
)
def test_danger_points_to_a_person_who_can_help(language, said):
    """Nothing else comes first, no memory and no plan."""
    text = reply(said, language=language, recalled=["something"])
    assert "112" in text
    assert "something" not in text


@pytest.mark.parametrize("said", ["What now?", "what is it", "I wonder. Who was that", "Really?"])
def test_question_is_recognised(said):
    """By its mark, or by how its last sentence begins."""
    assert is_question(ENGLISH, said)
    assert not is_question(ENGLISH, "I know what it is.")
    assert is_question(SWEDISH, "Hur gör jag")


def test_long_memory_is_cut_at_a_word():
    """A quotation stays a line."""
    text = reply("What?", recalled=["word " * 200])
    quote = re.search("“(.*)”", text)[1]
    assert quote.endswith("word…")
    assert len(quote) <= 242


async def test_stream_is_the_reply_in_groups_of_words():
    """Together the pieces are the reply, and the same every time."""
    request = make_request(turns=[Utterance("user", "I have an exam, what do I do?")])
    pieces = [piece async for piece in OfflineCompanion().stream(request)]
    assert "".join(pieces) == compose_reply(request)
    assert len(pieces) > 5
    assert pieces == [piece async for piece in OfflineCompanion().stream(request)]


@pytest.mark.parametrize("text", ["", "  lead and  trail \n\n", "one", "a b c d"])
def test_split_loses_nothing(text):
    """Whitespace included."""
    assert "".join(split_words(text)) == text


def test_languages_have_the_same_phrases():
    """What one can say, the other can."""
    assert set(ENGLISH.cues) == set(SWEDISH.cues)
    assert set(ENGLISH.ask) == set(SWEDISH.ask) == set(ENGLISH.acknowledge) == set(SWEDISH.acknowledge)
