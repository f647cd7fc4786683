"""The companion without a model: honest, deterministic, in the person's language."""

from collections import Counter
from dataclasses import replace
from typing import get_args

import pytest

from bench.replies import split_sentences
from companion_site.llm.offline import OfflineCompanion, compose_reply, is_question
from companion_site.llm.offline_phrases import PHRASES
from companion_site.llm.types import Cue, Guidance, ToldFact, Utterance
from tests.cases import cases
from tests.llm.builders import make_request

ENGLISH, SWEDISH = PHRASES["en"], PHRASES["sv"]
HEARD = Utterance("assistant", "…")
#: a conversation in which nothing was said yet but the notice
BEFORE = tuple(turn for _ in range(60) for turn in (Utterance("user", "a"), HEARD))


def reply(said: str, *, recalled=(), answers=(), language="en", before=(), cue="other", **given) -> str:
    turns = [*before, Utterance("user", said)]
    found = [one if isinstance(one, ToldFact) else ToldFact(text=one) for one in answers]
    return compose_reply(
        make_request(
            turns=turns,
            find_kindred=lambda: recalled,
            find_answers=lambda: found,
            language=language,
            cue=cue,
            **given,
        )
    )


def converse(messages, **given) -> list[str]:
    """Return the companion's replies to one message after the other."""
    turns: list[Utterance] = []
    for said in messages:
        turns += [
            Utterance("user", said),
            Utterance("assistant", reply(said, before=tuple(turns), **given)),
        ]
    return [turn.text for turn in turns[1::2]]


@pytest.mark.spec("I7")
@cases(("language", "words"), [("en", "no language model"), ("sv", "ingen språkmodell")])
def test_says_once_that_there_is_no_model(language, words):
    """Plainly in the first reply of a conversation, and not again in the next."""
    earlier = [Utterance("user", "a"), HEARD]
    assert reply("b", language=language).count(words) == 1
    assert words not in reply("b", language=language, before=earlier)


@cases(
    ("language", "when", "quoted"),
    [
        ("en", "Tuesday 3 March", "You told me on Tuesday 3 March: “I like green tea”."),
        ("en", "", "You told me: “I like green tea”."),
        ("sv", "tisdag 3 mars", "Du berättade för mig tisdag 3 mars: ”I like green tea”."),
        ("sv", "", "Du har berättat för mig: ”I like green tea”."),
    ],
)
def test_question_is_answered_with_what_the_person_said(language, when, quoted):
    """As a quotation with its day, so that it is clear whose words they are and when they were said."""
    told = ToldFact(text="I like green tea.", when=when)
    text = reply("What tea do I like?", answers=[told], language=language, before=BEFORE)
    assert text == quoted


def test_what_is_only_near_is_not_quoted_to_a_question():
    """What came to mind is no answer: then nothing of it is said."""
    text = reply("Who is my teacher?", recalled=["My teacher's car is red"], before=BEFORE)
    assert text in ENGLISH.not_told


@cases("language", ["en", "sv"])
@cases("cue", ["question", "other", "plan", "remember", "glad"])
@cases("answers", [(), ("a fact",), ("a fact", "another")])
def test_who_asks_for_a_fact_is_asked_nothing_back(language, cue, answers):
    """Neither a coaching question nor a first step follows an answer, nor that there is none."""
    text = reply("What is my sister called?", answers=answers, language=language, cue=cue, before=BEFORE)
    assert "?" not in text and "1. " not in text


@cases("is_shared", [False, True])
@cases("language", ["en", "sv"])
@cases(
    ("said", "cue"),
    [
        ("What am I allergic to?", "question"),
        ("What is osmosis?", "explain"),
        ("Write me a poem", "task"),
        ("What did we talk about?", "conversation"),
        ("Plan my week", "days"),
        ("Remember that I swim", "remember"),
        ("Never use emojis with me", "wish"),
    ],
)
def test_nothing_is_promised_to_be_kept_with_memory_off(said, cue, language, is_shared):
    """Whoever asks, tells or wishes reads that memory is off, or nothing of it; no way of an open memory is said, however often."""
    phrases = PHRASES[language]
    promises = [
        *(phrases.not_told + phrases.not_explained + phrases.not_made + phrases.not_talked + phrases.no_days),
        *(phrases.acknowledge["remember"] + phrases.acknowledge["wish"]),
    ]
    given = {"language": language, "cue": cue, "is_shared": is_shared, "memory_on": False}
    replies = converse([said] * 6, **given)
    assert [way for way in promises if any(way in text for text in replies)] == []
    off = {"en": "emory is off", "sv": "innet är av"}[language]
    assert cue in {"explain", "task"} or off in replies[0]


@cases(("language", "map_says"), [("en", "Your map"), ("sv", "Din karta")])
def test_what_one_s_map_says_of_what_is_named_is_told(language, map_says):
    """In the map's words, with the name; of nothing that was not named."""
    said = reply("?", language=language, before=BEFORE, explained=[("Diffusion", "Particles spread")])
    assert (
        said
        == f"{map_says} {'says of' if language == 'en' else 'säger om'} {quoted('Diffusion', language)}: {quoted('Particles spread', language)}."
    )
    assert map_says not in reply("?", language=language, before=BEFORE)


def quoted(text: str, language) -> str:
    return PHRASES[language].quote.format(text)


@cases(("language", "none"), [("en", "put none away"), ("sv", "inte lagt undan")])
def test_where_it_is_not_clear_what_is_to_be_forgotten_nothing_is_said_to_be_noted(language, none):
    """It says that nothing was put away, and where one can do it oneself; a second time in other words."""
    first, second = converse(["Forget it", "Forget it all"], language=language, asked_to_forget=True)
    assert none in first and none in second and first.split("\n")[-1] != second


def test_all_that_is_known_is_listed():
    """Several answers stand under one sentence, each on a line with its day and its doubt."""
    told = [ToldFact(text="Amir is tall", when="Monday 1 June"), ToldFact(text="Amir left", is_doubted=True)]
    _, *lines = reply("What do you know about Amir?", answers=told, before=BEFORE).splitlines()
    assert lines == ["- “Amir is tall” (Monday 1 June)", "- If I remember rightly: “Amir left”"]


@cases("language", ["en", "sv"])
@cases("answers", [(), ("My sister is Ada",), (ToldFact(text="I am nine", is_doubted=True),)])
def test_no_sentence_is_said_twice_in_a_conversation(language, answers):
    """However often is asked; at last the question's own words stand beside the answer."""
    replies = converse([f"What about the {n} one?" for n in range(24)], answers=answers, language=language)
    said = Counter(sentence for text in replies for sentence in split_sentences(text))
    assert [sentence for sentence, count in said.items() if count > 1] == []


@cases(("language", "said"), [("en", "Never use emojis with me."), ("sv", "Använd aldrig emojis med mig.")])
def test_a_wish_is_confirmed(language, said):
    """Nobody is coached who says how they want to be spoken with, whatever the plan."""
    guidance = Guidance(mode="coach", goal="small_step")
    text = reply(said, language=language, cue="wish", before=BEFORE, guidance=guidance)
    assert text in PHRASES[language].acknowledge["wish"]


@cases(
    ("language", "said"),
    [("en", "Can you coach me? I want to run more"), ("sv", "Kan du coacha mig? Jag vill springa mer")],
)
def test_who_asks_to_be_coached_is_not_told_that_nothing_answers(language, said):
    """What they ask for comes before an answer; where they did not ask for it, the question does."""
    guidance = Guidance(mode="coach", goal="clarify_goal", is_wished=True)
    declined = PHRASES[language].not_told
    led = reply(said, language=language, cue="question", before=BEFORE, guidance=guidance)
    plain = replace(guidance, is_wished=False)
    asked = reply(f"{said}?", language=language, cue="question", before=BEFORE, guidance=plain)
    assert led not in declined and asked in declined


@cases("language", ["en", "sv"])
@cases("recalled", [(), ("one told thing",), ("one told thing", "another")])
@cases("cue", get_args(Cue))
@cases("said", ["I am stuck on the exam", "Vad vet du?"])
def test_reply_is_phrases_and_quotations_only(said, cue, recalled, language):
    """Take the phrases and the quotations away and nothing is left."""
    phrases = PHRASES[language]
    rest = reply(said, recalled=recalled, answers=recalled, language=language, cue=cue)
    known = [phrases.notice, *phrases.several, *phrases.first_step]
    for ways in (
        phrases.not_told,
        phrases.not_explained,
        phrases.not_made,
        phrases.itself,
        phrases.not_talked,
        phrases.days,
        phrases.no_days,
    ):
        known += ways
    for ways in (*phrases.acknowledge.values(), *phrases.ask.values()):
        known += ways
    quotes = [phrases.quote.format(told) for told in recalled]
    known += [way.format(quote=quote) for way in (*phrases.told, *phrases.connects) for quote in quotes]
    for text in sorted([*known, *quotes], key=len, reverse=True):
        rest = rest.replace(text, "")
    assert rest.strip(" \n-") == ""


@cases("cue", set(ENGLISH.acknowledge) - {"wish", "thanks", "goodbye"})
def test_reply_ends_in_one_open_question(cue):
    """One, so that it is easy to go on from; who thanks or takes leave may be done, and who asks is answered."""
    text = reply("Some thing or other", before=[Utterance("user", "a"), HEARD], cue=cue)
    assert text.count("?") == 1
    assert text.endswith("?")


@cases(
    ("cue", "said", "others"),
    [
        ("companion", "no teacher", ("Are you human?", "What can you do?")),
        ("task", "language model", ("Write me a poem", "Then a shorter one")),
        ("explain", "language model", ("Explain osmosis to me", "And what is diffusion?")),
        ("conversation", "sum up", ("What did we talk about?", "And before that?")),
    ],
)
def test_what_it_is_and_what_it_cannot_do_is_said_plainly_and_in_other_words_the_next_time(cue, said, others):
    """It says what it is, or why it cannot, with what it can do instead; a memory is no answer to that, and nothing is asked back."""
    replies = converse(others, recalled=["I like green tea"], cue=cue)
    assert said in "\n".join(replies) and "green tea" not in "\n".join(replies)
    sentences = [one for text in replies for one in split_sentences(text)]
    assert len(sentences) == len(set(sentences)) and "?" not in "".join(sentences)


def test_a_conversation_is_summed_up_in_the_person_s_own_words():
    """What they told here, and of what the last one was."""
    told = {
        "find_told": lambda: ("Mira plays the drums", "The test is on Friday"),
        "last_talk": ("Friday 13 March", "Boats"),
    }
    said = reply("What did we talk about?", cue="conversation", **told)
    assert all(words in said for words in (*told["find_told"](), *told["last_talk"]))


@cases("guidance", [None, Guidance(mode="coach", goal="clarify_goal", is_wished=True)])
def test_a_plan_for_days_begins_with_what_stands_on_them(guidance):
    """Then what is to be reached, then a first step, whether or not they ask to be helped along; with nothing there it says so."""
    plan = {"cue": "days", "goals": ("Run a mile",), "guidance": guidance}
    said = reply("Plan my week", answers=["The test is on Friday", "I swim on Mondays"], **plan)
    assert said.index("on Friday") < said.index("Mondays") < said.index("Run a mile") < said.index("1. ")
    assert ENGLISH.no_days[0] in reply("Plan my week", **plan)


TEA = {"recalled": ["I like green tea"]}
MOVED = {"find_changed": lambda: ["I live in Lund"], "find_kept": lambda: ["We moved"]}
KEPT = {"find_kept": lambda: ("it",)}
HAY = {"cue": "question", "answers": ["I am allergic to hay"]}
NOTED, NO_NOTE = ENGLISH.acknowledge["remember"][0], ENGLISH.acknowledge["goodbye"][0]


@cases(
    ("said", "given", "told", "untold"),
    [
        # what a statement takes the place of is named, and nothing is asked back; gladness corrects nothing
        ("We moved", MOVED, ENGLISH.changed[0].format(quote="“I live in Lund”"), "?"),
        ("We won!", {**MOVED, "cue": "glad"}, "", "Lund"),
        # what comes to mind stands beside what is told, not where it is in doubt, nor beside a locker's code
        ("My brother is called Noah", {**TEA, **KEPT}, "green tea", ""),
        ("Tea!", {**TEA, "unsure": ("I like green tea",)}, "", "green tea"),
        ("Remember my code, it is 4411", {**TEA, **KEPT, "cue": "remember"}, "", "green tea"),
        # nothing is promised that memory does not do, to whom asks for it no more than to others
        ("My brother is called Noah", KEPT, NOTED, ""),
        ("My brother is called Noah", {**KEPT, "cue": "remember"}, NOTED, ""),
        ("My brother is called Noah", {}, "", NOTED),
        ("My brother is called Noah", {"cue": "remember"}, "", NOTED),
        # a statement near what was told is none of the questions for it
        ("I am allergic to nuts", {**HAY, **KEPT}, NOTED, "hay"),
        ("Tell me about my allergies", HAY, "hay", ""),
        # who takes leave is not greeted, reminded or asked anything more
        ("See you!", {**TEA, "cue": "goodbye"}, NO_NOTE, "tea"),
        # a plan is offered a first step
        ("I have an exam tomorrow", {"cue": "plan"}, "1. ", ""),
        ("Jag har prov på fredag", {"cue": "plan", "language": "sv"}, "1. ", ""),
        # what a student tells nobody else reads; what is told of a company its people share and its auditors read
        ("Who are you?", {"cue": "companion", "is_shared": True}, "auditors", ""),
        ("Who are you?", {"cue": "companion"}, "", "auditors"),
    ],
)
def test_what_is_told_meets_what_it_calls_for(said, given, told, untold):
    """Each case stands under its rule: what the reply says, and what it does not say."""
    text = reply(said, **given)
    assert told in text
    assert not untold or untold not in text
    if given.get("cue") == "goodbye":
        assert text.endswith(told)


def test_a_company_s_people_are_told_when_its_memory_reads_what_they_tell():
    """When the conversation has ended."""
    told = reply("We moved to Ystad", is_shared=True, find_kept=lambda: ["We moved to Ystad"])
    assert any(way in told for way in ENGLISH.read_later)


def test_question_is_recognised():
    """By its mark, or by how its last sentence begins."""
    said = ["What now?", "what is it", "I wonder. Who was that", "Really?", "I know what it is."]
    assert [is_question(ENGLISH, text) for text in said] == [True, True, True, True, False]
    assert is_question(SWEDISH, "Hur gör jag")


async def test_stream_is_the_reply_in_groups_of_words():
    """Together the pieces are the reply, and the same every time."""
    request = make_request(turns=[Utterance("user", "I have an exam, what do I do?")])
    pieces = [piece async for piece in OfflineCompanion().stream(request)]
    assert "".join(pieces) == compose_reply(request)
    assert len(pieces) > 5
    assert pieces == [piece async for piece in OfflineCompanion().stream(request)]


def test_languages_have_the_same_phrases():
    """What one can say, the other can, of everything a message can be that has no answer of its own."""
    answered = {"task", "explain", "companion", "conversation", "question", "days"}
    for words in (ENGLISH, SWEDISH):
        assert set(get_args(Cue)) - answered == set(words.ask) == set(words.acknowledge) == set(words.brief)
