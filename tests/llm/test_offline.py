"""The companion without a model: honest, deterministic, in the person's language."""

import re
from typing import get_args

import pytest

from companion_site.llm.offline import OfflineCompanion, compose_reply, is_question, split_words
from companion_site.llm.offline_phrases import ENGLISH, PHRASES, SWEDISH
from companion_site.llm.types import Cue, Utterance
from tests.cases import cases
from tests.llm.builders import make_request

HEARD = Utterance("assistant", "I see.")


def reply(said: str, *, recalled=(), language="en", before=(), cue="other") -> str:
    turns = [*before, Utterance("user", said)]
    return compose_reply(make_request(turns=turns, recalled=tuple(recalled), language=language, cue=cue))


@pytest.mark.spec("I7")
@cases(("language", "words"), [("en", "no language model"), ("sv", "ingen språkmodell")])
def test_says_once_that_there_is_no_model(language, words):
    """Plainly in the first reply of a conversation, and not again in the next."""
    earlier = [Utterance("user", "a"), HEARD]
    assert reply("b", language=language).count(words) == 1
    assert words not in reply("b", language=language, before=earlier)


@cases(
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


@cases(("language", "question"), [("en", "Who is my teacher?"), ("sv", "Vem är min lärare?")])
def test_nothing_remembered_is_said_and_nothing_invented(language, question):
    """Every sentence is one of the phrases; not a word comes from elsewhere."""
    text = reply(question, language=language, before=[Utterance("user", "a"), HEARD])
    phrases = PHRASES[language]
    asked = {question for ways in phrases.ask.values() for question in ways}
    first, last = text.split("\n\n")
    assert first == phrases.nothing_known
    assert last in asked


@cases("language", ["en", "sv"])
@cases("recalled", [(), ("one told thing",), ("one told thing", "another")])
@cases("cue", get_args(Cue))
@cases("said", ["I am stuck on the exam", "Vad vet du?"])
def test_reply_is_phrases_and_quotations_only(said, cue, recalled, language):
    """Take the phrases and the quotations away and nothing is left."""
    phrases = PHRASES[language]
    rest = reply(said, recalled=recalled, language=language, cue=cue)
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


def test_reply_ends_in_one_open_question(subtests):
    """One, so that it is easy to go on from."""
    for cue in get_args(Cue):
        with subtests.test(case=cue):
            text = reply("Some thing or other", before=[Utterance("user", "a"), HEARD], cue=cue)
            assert text.count("?") == 1
            assert text.endswith("?")


@cases(
    ("language", "said", "step"),
    [("en", "I have an exam tomorrow", "1. "), ("sv", "Jag har prov på fredag", "1. ")],
)
def test_plan_is_offered_a_first_step(language, said, step):
    """Step by step, as an offer."""
    assert step in reply(said, language=language, cue="plan")


def test_question_is_recognised(subtests):
    """By its mark, or by how its last sentence begins."""
    for said in ["What now?", "what is it", "I wonder. Who was that", "Really?"]:
        with subtests.test(case=said):
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


def test_split_loses_nothing(subtests):
    """Whitespace included."""
    for text in ["", "  lead and  trail \n\n", "one", "a b c d"]:
        with subtests.test(case=text):
            assert "".join(split_words(text)) == text


def test_languages_have_the_same_phrases():
    """What one can say, the other can, of everything a message can be."""
    assert (
        set(get_args(Cue))
        == set(ENGLISH.ask)
        == set(SWEDISH.ask)
        == set(ENGLISH.acknowledge)
        == set(SWEDISH.acknowledge)
    )
