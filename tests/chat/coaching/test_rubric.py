"""The rubric tells good replies from bad ones, and what the companion without a model says passes it."""

from dataclasses import dataclass, replace
from itertools import product

import pytest

from chat.prompts import system_prompt
from chat.turn.directions import directions, guidance_of
from chat.turn.plan import make_plan
from chat.turn.skills import SKILL_NAMES, SKILLS, choose_skills
from chat.turn.snapshot import Relationship, Snapshot
from companion_site.llm.offline import compose_reply
from companion_site.llm.offline_phrases import WORDS
from companion_site.llm.types import Care, Guidance, HelpLine, ToldFact, Utterance
from tests.cases import cases
from tests.chat.coaching.replies import NEVER, PAIRS
from tests.chat.coaching.rubric import CHECKED, Reply, check_skills, faults
from tests.chat.planning import ANXIOUS, PLAIN, plan_input
from tests.llm.builders import make_request

MODES = ("answer", "support", "coach", "gratitude", "game", "reminder", "small_talk")
GOALS = (
    "inform",
    "reflect",
    "validate_feelings",
    "clarify_goal",
    "suggest_tiny_step",
    "celebrate",
    "ask_gratitude",
)
SAID = {
    "en": (
        "My essay is due on Friday and I keep putting it off.",
        "Nothing works today. My sister left.",
        "ok",
    ),
    "sv": (
        "Uppsatsen ska in på fredag och jag skjuter upp den.",
        "Inget fungerar i dag. Min syster åkte.",
        "ok",
    ),
}
TOLD = {
    "en": (
        "We rowed out to the island with grandma and ate waffles in the rain",
        "I want to swim more often",
    ),
    "sv": ("Vi rodde ut till ön med mormor och åt våfflor i regnet", "Jag vill simma oftare"),
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
        recalled=tuple(recalled),
        language=language,
        guidance=guidance_of(plan, about=recalled),
    )
    return compose_reply(request)


@pytest.mark.spec("L5")
def test_a_good_reply_passes_and_one_that_only_looks_like_it_does_not(subtests):
    """Each pair answers the same message."""
    for pair in PAIRS:
        with subtests.test(case=pair):
            for text, wanted in [*((good, True) for good in pair.good), *((bad, False) for bad in pair.bad)]:
                reply = Reply(text=text, said=pair.said, language=pair.language, earlier=pair.earlier)
                assert (not faults(reply, [pair.skill])) is wanted, text


@pytest.mark.spec("L5")
def test_what_no_reply_may_do_is_found(subtests):
    """Whatever it was for: a diagnosis, a command, blame, belittling, two questions."""
    for language, text, fault in NEVER:
        with subtests.test(language=language, text=text):
            assert fault in faults(Reply(text=text, said="x", language=language))


def test_every_skill_is_checked_and_has_pairs_in_both_languages():
    """Seven skills, fourteen sets."""
    assert set(CHECKED) == set(SKILL_NAMES) and len(SKILL_NAMES) == 7
    assert {(pair.skill, pair.language) for pair in PAIRS} == set(product(SKILL_NAMES, ("en", "sv")))


@pytest.mark.spec("L5")
@cases("language", ["en", "sv"])
@cases("name", SKILL_NAMES)
def test_the_examples_of_a_skill_are_good_ones(name, language):
    """They break none of the rules that hold always, and those that need no message have the skill."""
    for example in SKILLS[language][name].examples:
        reply = Reply(text=example, said=example, language=language, earlier=[example])
        assert faults(reply, [name]) == [], example


@pytest.mark.slow
@pytest.mark.spec("L5")
@cases("language", ["en", "sv"])
@cases(("mode", "goal"), list(product(MODES, GOALS)))
def test_without_a_model_each_mode_answers_by_its_skills(mode, goal, language):
    """At every intensity, with and without memories, on every turn; memory off or nothing recalled, nobody is held to account."""
    for intensity, told, said, turn in product(
        ("low", "medium", "high"), ((), TOLD[language]), SAID[language], range(4)
    ):
        plan = Planned(mode, goal, intensity)
        text = reply_of(plan, said=said, language=language, turn=turn, recalled=told)
        wanted = set(choose_skills(mode, goal, intensity))
        if (
            mode == "small_talk"
            or (mode == "reminder" and not told)
            or (mode == "answer" and goal == "inform")
        ):
            wanted = set()
        if not told or goal == "celebrate":
            wanted.discard("accountability")
        if said == "ok":  # nothing in it to give back
            wanted -= {"active_listening", "reframing"}
        if mode == "gratitude" and goal == "celebrate":
            wanted = wanted & {"active_listening", "open_questions"}
        reply = Reply(text=text, said=said, language=language, earlier=told)
        assert faults(reply, wanted) == [], text


@pytest.mark.spec("L4")
@cases("language", ["en", "sv"])
def test_the_game_plays_with_the_persons_own_memories(language):
    """It gives the first words of one and never the end; another memory on another turn."""
    first, second = TOLD[language]
    plan = Planned("game", "reflect")
    texts = [
        reply_of(plan, said="Let us play", language=language, turn=n, recalled=TOLD[language])
        for n in range(4)
    ]
    assert any(first.split()[0] in text and first.split()[-1] not in text for text in texts)
    assert any(" ".join(second.split()[:2]) in text for text in texts)
    assert len(set(texts)) == 4


@pytest.mark.spec("L4")
@cases("language", ["en", "sv"])
def test_a_reminder_names_what_is_open(language):
    """In the words in which it was told."""
    text = reply_of(
        Planned("reminder", "suggest_tiny_step"),
        said=SAID[language][0],
        language=language,
        recalled=TOLD[language],
    )
    assert TOLD[language][0] in text


@pytest.mark.spec("L4")
@cases("language", ["en", "sv"])
def test_coaching_goes_on_by_one_phase_a_turn(language):
    """Goal, reality, options, will: the question after the one that was asked last."""
    turns, seen = [], []
    for _ in range(4):
        turns.append(Utterance("user", SAID[language][0]))
        request = make_request(turns=turns, language=language, guidance=guidance_of(Planned()))
        turns.append(Utterance("assistant", compose_reply(request)))
        seen += [
            name
            for name, ways in WORDS[language].guided.grow.items()
            if any(way in turns[-1].text for way in ways)
        ]
    assert seen == ["goal", "reality", "options", "will"]


@pytest.mark.spec("L5")
def test_danger_comes_before_every_plan():
    """Neither a game nor a step; the reply is made for danger alone, and the directions say which of the two it is and who can help."""
    line = HelpLine(number="020 11", words={"en": "help", "sv": "hjälp"})
    for danger in ("sure", "perhaps"):
        care = Care(danger=danger, lines=(line,))
        plain = make_request(turns=[Utterance("user", "I want to die")], care=care)
        for mode in MODES:
            guided = make_request(turns=plain.turns, care=care, guidance=Guidance(mode=mode, goal="reflect"))
            assert compose_reply(guided) == compose_reply(plain)
        for language in ("en", "sv"):
            told = directions(Planned("game"), None, language, care=care)
            assert "020 11" in told
    for language in ("en", "sv"):
        sure, perhaps, after = (
            directions(Planned(), None, language, care=Care(danger=danger))
            for danger in ("sure", "perhaps", None)
        )
        assert len({sure, perhaps, after, directions(Planned(), None, language)}) == 4


@pytest.mark.spec("L4")
def test_what_is_merely_recalled_is_not_passed_off_as_what_the_plan_is_about(subtests):
    """A memory that the question called to mind is neither open, nor good, nor a goal."""
    for mode in ["reminder", "gratitude", "coach", "game"]:
        with subtests.test(case=mode):
            guidance = Guidance(
                mode=mode,
                goal="reflect",
                coach_intensity="high",
                skills=choose_skills(mode, "reflect", "high"),
            )
            request = make_request(
                turns=[Utterance("user", "Nothing special")],
                recalled=("I failed my exam",),
                guidance=guidance,
            )
            text = compose_reply(request)
            assert (
                "something good" not in text and "keep in mind" not in text and "told me earlier" not in text
            )
            assert (
                "a memory of yours" not in text
                and "your own life" not in text
                and "I begin something" not in text
            )


def test_what_is_asked_is_answered():
    """A question gets what was told about it, whatever the plan was."""
    guidance = Guidance(mode="coach", goal="clarify_goal")
    asked = make_request(
        turns=[Utterance("user", "What do I like?")],
        find_answers=lambda: [ToldFact(text="I like tea")],
        guidance=guidance,
    )
    assert "You told me: “I like tea”" in compose_reply(asked)


@cases("language", ["en", "sv"])
def test_a_quotation_within_the_message_stays_one(language):
    """Marks of quotation and question in it do not break the reply's own."""
    said = 'She said "why me?" and “left”'
    text = reply_of(Planned("support", "validate_feelings"), said=said, language=language)
    assert faults(Reply(text=text, said=said, language=language)) == []
    assert text.count("“") <= 1 and text.count("”") <= 2


@pytest.mark.spec("L5")
@cases("language", ["en", "sv"])
def test_a_model_is_directed_by_what_was_asked_for_alone(language):
    """No plan of its own makes an order of it; whoever wishes calm is spoken with calmly all the same."""
    for mode, goal in product(MODES, GOALS):
        planned = Planned(mode, goal, "high", is_wished=False)
        assert directions(planned, Toned(), language) == ""
        calm = directions(planned, Toned(), language, calm=True)
        assert Toned.directive in calm and calm.count("\n") == 1


@pytest.mark.spec("L5")
@cases("language", ["en", "sv"])
def test_all_seven_skills_reach_a_model_where_coaching_is_asked_for(language):
    """By plans that the rules make of messages that ask for it."""
    asks = {"clauses": ["please coach me"]}
    lively = replace(PLAIN, energy="high")
    known = Relationship(trust_level="trusted")
    reached = ""
    for fields in [
        {"emotion": lively, "snapshot": Snapshot(relationship=known)},
        {"emotion": lively, "snapshot": Snapshot(relationship=known, near_goal=True)},
        {"emotion": ANXIOUS},
    ]:
        plan = make_plan(plan_input(**asks, **fields))
        assert plan.is_wished
        reached += directions(plan, None, language)
    assert [name for name in SKILL_NAMES if SKILLS[language][name].aim not in reached] == []


@pytest.mark.spec("L5")
@cases("language", ["en", "sv"])
@cases(("mode", "goal"), list(product(MODES, GOALS)))
def test_directions_are_our_own_words(mode, goal, language):
    """They follow from the plan's names and the tone alone, say the language's words, and each skill with its examples."""
    text = directions(Planned(mode, goal, "high"), Toned(), language)
    assert Toned.directive in text
    for name in choose_skills(mode, goal, "high"):
        assert SKILLS[language][name].aim in text
        assert all(example in text for example in SKILLS[language][name].examples)
    assert text != directions(Planned(mode, goal, "high"), None, language)
    assert len(system_prompt(language=language)) + len(text) < 8_000


def test_an_unknown_mode_is_small_talk():
    """A plan of a later version breaks nothing."""
    assert choose_skills("dance", "x") == choose_skills("small_talk", "reflect")
    assert directions(Planned("dance", "x"), None, "en")
    assert directions(Planned("dance", "x", is_wished=False), None, "en") == ""
    assert check_skills(Reply(text="Hi", said="Hi", language="en"), ["dance"]) == {}
