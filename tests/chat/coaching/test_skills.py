"""The seven coaching skills: what the companion without a model says by them, and what a model is directed to."""

import re
from dataclasses import dataclass, replace
from itertools import product

import pytest

from chat.prompts import system_prompt
from chat.turn.directions import DIRECTIONS, choose_skills, directions, guidance_of
from chat.turn.plan import make_plan
from chat.turn.snapshot import GOALS, MODES, Snapshot
from companion_site.llm.offline import compose_reply
from companion_site.llm.offline_phrases import WORDS
from companion_site.llm.types import Care, Guidance, HelpLine, ToldFact, Utterance
from tests.cases import cases
from tests.chat.planning import ANXIOUS, PLAIN, heard, minded
from tests.llm.builders import make_request

pytestmark = pytest.mark.spec("L5")

SAID = {"en": "Nothing works today. My sister left.", "sv": "Inget fungerar i dag. Min syster åkte."}
TOLD = {
    "en": ("We rowed out to the island and ate waffles in the rain", "I want to swim more often"),
    "sv": ("Vi rodde ut till ön och åt våfflor i regnet", "Jag vill simma oftare"),
}
#: a command, a diagnosis, blame and belittling: what nobody is told, whatever the reply is for
NEVER = {
    "en": r"\byou (?:must|have to|need to|should|ought to)\b|\b(?:depress|burn-?out|disorder|syndrome|adhd)"
    r"|\bwhy (?:didn't|haven't) you\b|\byour (?:own )?fault\b|\b(?:cheer up|calm down|don't worry|no big deal)\b",
    "sv": r"\bdu (?:måste|bör|borde|ska|behöver)\b|depression|deprimerad|utbränd|utmattning|syndrom|adhd"
    r"|\bvarför (?:gjorde du|har du) inte\b|\bditt (?:eget )?fel\b|\b(?:ryck upp dig|lugna ner dig|oroa dig inte)\b",
}


@dataclass(frozen=True)
class Planned:
    mode: str = "coach"
    goal: str = "clarify_goal"
    coach_intensity: str = "low"
    is_wished: bool = True


@dataclass(frozen=True)
class Toned:
    directive: str = "warm and slow"


def reply_of(plan: Planned, *, said: str, language: str, turn: int = 1, recalled=()) -> str:
    before = [Utterance("user" if n % 2 == 0 else "assistant", "before") for n in range(2 * turn)]
    request = make_request(
        turns=[*before, Utterance("user", said)],
        find_kindred=lambda: recalled,
        language=language,
        guidance=guidance_of(plan, about=recalled),
    )
    return compose_reply(request)


def skills_in(text: str, language: str) -> set[str]:
    """Return the skills of which one of the phrases stands in a reply."""
    words = WORDS[language].guided
    asked = [way for ways in (*words.questions.values(), *words.grow.values()) for way in ways]
    ways = {
        **words.statements,
        "micro_goals": words.micro,
        "open_questions": [*asked, *words.micro, *words.looks_back],
        "accountability": (*words.looks_back, *words.told_before),
    }
    return {
        skill
        for skill, phrases in ways.items()
        for phrase in phrases
        if re.search(re.sub(r"\\\{\w+\\\}", ".+", re.escape(phrase)), text)
    }


def assert_kind(text: str, language: str) -> None:
    """Assert that a text asks one question at the most, and holds nothing that nobody is told."""
    own = re.sub(r"“[^”]*”", " ", text)
    assert own.count("?") <= 1 and not re.search(NEVER[language], own, re.IGNORECASE), text


@pytest.mark.slow
@cases("language", ["en", "sv"])
@cases(("mode", "goal"), list(product(MODES, GOALS)))
def test_without_a_model_each_mode_answers_by_its_skills(mode, goal, language):
    """At every intensity, with and without memories, on every turn; where nothing was told, nobody is held to account."""
    levels = ("low", "medium", "high")
    for intensity, told, turn in product(levels, ((), TOLD[language]), range(4)):
        plan = Planned(mode, goal, intensity)
        text = reply_of(plan, said=SAID[language], language=language, turn=turn, recalled=told)
        wanted = set(choose_skills(mode, goal, intensity))
        if (
            mode in {"small_talk", "game"}
            or (mode == "reminder" and not told)
            or (mode, goal) == ("answer", "inform")
        ):
            wanted = set()
        if not told or goal == "celebrate":
            wanted.discard("accountability")
        assert wanted <= skills_in(text, language), text
        assert_kind(text, language)


@cases("language", ["en", "sv"])
def test_the_examples_of_each_skill_are_good_ones(language):
    """They break none of the rules that hold always; a quotation within a message breaks no mark of the reply's own."""
    for told in DIRECTIONS[language].skills.values():
        _aim, _, examples = told.partition("“")
        for example in examples.split("” “"):
            assert_kind(example, language)
    said = 'She said "why me?" and “left”'
    text = reply_of(Planned("support", "validate_feelings"), said=said, language=language)
    assert_kind(text, language)
    assert text.count("“") <= 1 and text.count("”") <= 2


@pytest.mark.spec("L4")
@cases("language", ["en", "sv"])
def test_game_reminder_and_coaching_go_by_what_was_told(language):
    """A game begins a memory, another each turn, and never ends it; a reminder is in the person's words; coaching goes on by one phase a turn."""
    first, second = TOLD[language]
    texts = [
        reply_of(
            Planned("game", "reflect"), said="Let us play", language=language, turn=n, recalled=TOLD[language]
        )
        for n in range(4)
    ]
    assert any(first.split()[0] in text and first.split()[-1] not in text for text in texts)
    assert any(" ".join(second.split()[:2]) in text for text in texts) and len(set(texts)) == 4
    reminder = Planned("reminder", "suggest_tiny_step")
    assert first in reply_of(reminder, said=SAID[language], language=language, recalled=TOLD[language])
    turns, seen = [], []
    for _ in range(4):
        turns.append(Utterance("user", SAID[language]))
        turns.append(
            Utterance(
                "assistant",
                compose_reply(make_request(turns=turns, language=language, guidance=guidance_of(Planned()))),
            )
        )
        phases = WORDS[language].guided.grow.items()
        seen += [name for name, ways in phases if any(way in turns[-1].text for way in ways)]
    assert seen == ["goal", "reality", "options", "will"]


@pytest.mark.spec("L4")
def test_what_is_merely_recalled_is_not_what_the_plan_is_about():
    """A memory that the question called to mind is neither open, nor good, nor a goal; what is asked is answered, whatever the plan was."""
    for mode in ("reminder", "gratitude", "coach", "game"):
        skills = choose_skills(mode, "reflect", "high")
        guidance = Guidance(mode=mode, goal="reflect", skills=skills)
        turns = [Utterance("user", "Nothing special")]
        text = compose_reply(
            make_request(turns=turns, find_kindred=lambda: ["I failed my exam"], guidance=guidance)
        )
        claims = ("something good", "keep in mind", "told me earlier", "memory of yours", "your own life")
        assert not any(claim in text for claim in claims), text
    asked = make_request(
        turns=[Utterance("user", "What do I like?")],
        find_answers=lambda: [ToldFact(text="I like tea")],
        guidance=Guidance(mode="coach", goal="clarify_goal"),
    )
    assert "You told me: “I like tea”" in compose_reply(asked)


def test_danger_comes_before_every_plan():
    """Neither a game nor a step: the reply is made for danger alone, and the directions say which of the two it is and who can help."""
    care = {
        danger: Care(danger=danger, lines=(HelpLine(number="020 11", words={"en": "help", "sv": "hjälp"}),))
        for danger in ("sure", "perhaps")
    }
    for language, danger in product(("en", "sv"), care):
        plain = make_request(turns=[Utterance("user", "I want to die")], care=care[danger], language=language)
        for mode in MODES:
            guided = replace(plain, guidance=Guidance(mode=mode, goal="reflect"))
            assert compose_reply(guided) == compose_reply(plain)
        told = [
            directions(Planned("game"), None, language, care=one) for one in (*care.values(), Care(), None)
        ]
        assert len(set(told)) == 4 and all("020 11" in one for one in told[:2])


@cases("language", ["en", "sv"])
def test_a_model_is_directed_by_what_was_asked_for_in_our_own_words(language):
    """By plan and tone, each skill with its examples; by nothing where nobody asked, but for calm speech; a plan of a later version breaks nothing."""
    for mode, goal in [*product(MODES, GOALS), ("dance", "x")]:
        text = directions(Planned(mode, goal, "high"), Toned(), language)
        assert Toned.directive in text and text != directions(Planned(mode, goal, "high"), None, language)
        for name in choose_skills(mode, goal, "high"):
            assert f"- {DIRECTIONS[language].skills[name]}\n" in text
        assert len(system_prompt(language=language)) + len(text) < 8_000
        unasked = Planned(mode, goal, "high", is_wished=False)
        assert directions(unasked, Toned(), language) == ""
        calm = directions(unasked, Toned(), language, calm=True)
        assert Toned.directive in calm and calm.count("\n") == 1


@cases("language", ["en", "sv"])
def test_all_seven_skills_reach_a_model_where_coaching_is_asked_for(language):
    """By plans that the rules make of messages that ask for it."""
    lively = replace(PLAIN, energy="high")
    reached = ""
    for emotion, snapshot in [
        (lively, Snapshot(trust="trusted")),
        (lively, Snapshot(trust="trusted", near_goal=True)),
        (ANXIOUS, Snapshot()),
    ]:
        plan = make_plan(minded(heard=heard(way="coach"), emotion=emotion), snapshot, good=0)
        assert plan.is_wished
        reached += directions(plan, None, language)
    assert [name for name, told in DIRECTIONS[language].skills.items() if told not in reached] == []
