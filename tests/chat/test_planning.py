"""What a reply is for, and how it sounds: the rules in their order, and the eight tones within their ranges."""

from dataclasses import replace
from datetime import timedelta
from itertools import product
from uuid import uuid4

import pytest
from hypothesis import given
from hypothesis import strategies as st

from chat.turn.life import Before, Life
from chat.turn.plan import Plan, make_plan
from chat.turn.snapshot import GOALS, MODES, TONES, Snapshot
from chat.turn.tone import LIVELY, TONE_MAP, choose_tone
from companion_site.embeddings.service import get_embedder
from companion_site.llm.types import Care
from memory.student.life.feelings import EMOTIONS, LEVELS, EmotionState, classify
from memory.student.life.journals import ShownNote
from tests.chat.planning import ANXIOUS, CALM, FALLING, GLAD, PLAIN, SAD, due, hear, heard, minded
from tests.factories import NOW

planner = pytest.mark.spec("L4")
toned = pytest.mark.spec("L6")

emotions = st.builds(
    EmotionState,
    primary_emotion=st.sampled_from(EMOTIONS),
    intensity=st.sampled_from(LEVELS),
    energy=st.sampled_from(LEVELS),
    social_need=st.sampled_from(["wants_connection", "wants_space", "wants_guidance", "unknown"]),
    valence=st.floats(-1, 1),
    confidence=st.floats(0, 1),
)
DANGERS = [None, "perhaps", "sure"]
THANKS = ShownNote(id=uuid4(), text="The lake", at=NOW - timedelta(hours=3), message_id=None)
plans = st.builds(
    Plan,
    mode=st.sampled_from(MODES),
    goal=st.sampled_from(GOALS),
    coach_intensity=st.sampled_from(LEVELS),
    danger=st.sampled_from(DANGERS),
    gentle=st.booleans(),
)
inputs = st.builds(
    minded,
    emotion=emotions,
    heard=st.builds(
        heard,
        intent=st.sampled_from(["tell", "explain", "plan", "feelings", "small_talk", "game"]),
        way=st.sampled_from([None, "game", "ear", "coach"]),
        is_thankful=st.booleans(),
    ),
    care=st.sampled_from([None, *(Care(danger=danger) for danger in DANGERS)]),
    before=st.builds(Before, mode=st.sampled_from([None, *MODES])),
    calm=st.booleans(),
)
snapshots = st.builds(Snapshot, near_goal=st.booleans(), open_loops=st.sampled_from([(), (due(),)]))


def make(*, snapshot: Snapshot | None = None, good: int = 0, last: str | None = None, **fields) -> Plan:
    return make_plan(minded(before=Before(mode=last), **fields), snapshot or Snapshot(), good=good)


def plan(**fields) -> tuple[str, str]:
    made = make(**fields)
    return made.mode, made.goal


@planner
def test_what_is_asked_for_and_what_is_due_decide_in_their_order(subtests):
    """What is asked for, then feelings, then what is told, then what is due, then what the mood invites to; else plain talk."""
    asks, near = {"heard": heard("explain")}, {"snapshot": Snapshot(near_goal=True)}
    game, ear, coach = ({"heard": heard(way=way)} for way in ("game", "ear", "coach"))
    for fields, expected in [
        ({"emotion": SAD}, ("support", "validate_feelings")),
        ({"emotion": GLAD}, ("gratitude", "celebrate")),
        ({}, ("small_talk", "reflect")),
        (ear, ("support", "reflect")),
        ({**ear, "emotion": SAD}, ("support", "validate_feelings")),
        ({**game, "good": 3}, ("game", "reflect")),
        ({**game, "good": 0}, ("gratitude", "ask_gratitude")),
        ({"heard": heard(is_thankful=True)}, ("gratitude", "celebrate")),
        ({"heard": heard(is_thankful=True), **near}, ("gratitude", "celebrate")),
        (coach, ("coach", "clarify_goal")),
        ({**coach, **near}, ("coach", "suggest_tiny_step")),
        (near, ("small_talk", "reflect")),
        ({"last": "coach"}, ("coach", "clarify_goal")),
        ({"last": "coach", "heard": heard("thanks")}, ("small_talk", "reflect")),
        ({"last": "coach", **asks}, ("answer", "inform")),
        ({"last": "coach", "emotion": GLAD}, ("gratitude", "celebrate")),
        ({"trend": FALLING}, ("support", "reflect")),
        ({"trend": FALLING, **asks}, ("answer", "inform")),
        ({"emotion": SAD, **asks}, ("answer", "validate_feelings")),
        ({"emotion": SAD, **game, "good": 3}, ("support", "validate_feelings")),
        ({"emotion": CALM, "last": "small_talk"}, ("gratitude", "ask_gratitude")),
        (
            {"emotion": CALM, "life": Life(gratitude=[THANKS], before=Before(mode="small_talk"))},
            ("small_talk", "reflect"),
        ),
        ({"emotion": GLAD, **asks}, ("answer", "inform")),
        (
            {
                "emotion": replace(GLAD, social_need="wants_connection"),
                "last": "small_talk",
                "good": 4,
            },
            ("gratitude", "celebrate"),
        ),
    ]:
        with subtests.test(fields=fields, expected=expected):
            assert plan(**fields) == expected


def plan_for(text: str) -> Plan:
    """Return what the reply to a message is for, as it is heard and felt."""
    emotion = classify(text, vector=get_embedder().embed([text])[0])
    return make(heard=hear(text), emotion=emotion, good=3)


@planner
def test_what_is_asked_is_answered_and_only_what_is_asked_for_is_begun(subtests):
    """A question, an explanation and help are answered; a game, coaching and an ear are what the person asks for, not what they tell of or refuse.

    What gladdens them is celebrated; a phone's apostrophe is one like any other.
    """
    answered, celebrated, nothing = "answer", "gratitude", None
    for text, expected in [
        ("I passed my exam!", celebrated),
        ("Jag klarade provet!", celebrated),
        ("Do you think I passed?", answered),
        ("What is gratitude?", answered),
        ("What even is a derivative?", answered),
        ("what even is a derivative", answered),
        ("How many credits do I need to graduate?", answered),
        ("Explain photosynthesis", answered),
        ("I don't understand how fractions work", answered),
        ("I need help with my essay on otters", answered),
        ("Vad är ens en derivata?", answered),
        ("vem skrev hemsöborna", answered),
        ("Jag förstår inte hur bråk fungerar", answered),
        ("Kan du hjälpa mig med matten?", answered),
        ("Let's play a game of chess", answered),
        ("Skriv en dikt om havet åt mig", answered),
        ("Min syster bor i Lund", nothing),
        ("God morgon", nothing),
        ("My coach says I should rest", nothing),
        ("If I passed, we move", nothing),
        ("I can\u2019t get started with my essay", nothing),
        ("Det gick inte bra", nothing),
        ("When I was little I wanted to become an astronaut.", nothing),
        ("Grandpa is in hospital. He wanted to play a game with me yesterday.", nothing),
        ("My grandpa said let's play a game and we laughed", nothing),
        ("Min morfar ville spela ett spel", nothing),
        ("Can I play a game with my brother tonight?", nothing),
        ("Let us play: you are a dragon and I am a knight called Sir Oliver.", nothing),
        ("I don't want to play a game", nothing),
        ("I'm stuck on my goals", nothing),
        ("My mother said I should set a goal", nothing),
        ("Don't coach me", nothing),
        ("They should just listen to me", nothing),
        ("Min bror vill vara ensam", nothing),
        ("Let's play a game!", "game"),
        ("Hi! Can we play a memory game?", "game"),
        ("Kan vi leka något? Jag har tråkigt", "game"),
        ("Quiz me about my life", "game"),
        ("Fråga ut mig om mina minnen", "game"),
        ("Can you coach me?", "coach"),
        ("Help me set a goal for the autumn", "coach"),
        ("Kan du hjälpa mig att nå mitt mål?", "coach"),
        ("I don\u2019t want any advice, just hear me", "support"),
        ("Just listen, please", "support"),
        ("Kan du bara lyssna?", "support"),
    ]:
        with subtests.test(text=text):
            made = plan_for(text)
            is_begun = expected in {"game", "coach", "support"}
            assert made.is_wished == is_begun and made.mode == (expected or made.mode)


@planner
def test_who_is_low_and_asks_for_help_is_given_one_small_step():
    """First they are taken in; the reply after may offer a step, unless it is too much for them."""
    asks = replace(ANXIOUS, social_need="wants_guidance")

    assert plan(emotion=asks) == ("support", "validate_feelings")
    assert plan(emotion=asks, last="support") == ("support", "suggest_tiny_step")
    assert plan(emotion=replace(asks, intensity="high"), last="support")[1] == "validate_feelings"


@planner
def test_what_is_due_is_brought_up_once():
    """A medicine soon due is a reminder, once nothing is asked; it is not brought up again, nor is what is far off."""
    pills = due()
    open_now = {"snapshot": Snapshot(open_loops=(pills,))}

    made = make(**open_now)
    assert plan(heard=heard("explain"), **open_now) == ("answer", "inform")
    assert (made.mode, made.reminds_of) == ("reminder", pills.id)
    told = Life(before=Before(reminded={pills.id}))
    assert plan(life=told, **open_now) == ("small_talk", "reflect")
    assert plan(last="reminder", **open_now) == ("small_talk", "reflect")
    assert plan(emotion=SAD, **open_now)[0] == "support"
    assert plan(emotion=replace(SAD, intensity="low"), **open_now)[0] == "support"
    assert plan(emotion=GLAD, **open_now) == ("gratitude", "celebrate")
    visit = due(kind="appointment", priority="medium")
    assert plan(snapshot=Snapshot(open_loops=(visit,)))[0] == "reminder"
    assert plan(snapshot=Snapshot(open_loops=(visit,)), heard=heard("explain"))[0] == "answer"
    far = due(due=NOW + timedelta(days=3))
    assert plan(snapshot=Snapshot(open_loops=(far,)))[0] == "small_talk"


@planner
@given(given_input=inputs, snapshot=snapshots, good=st.integers(0, 5))
def test_danger_and_what_follows_it_are_never_made_light_of(given_input, snapshot, good):
    """Whatever else holds: support, softly, no game, no reminder."""
    for danger in ("sure", "perhaps"):
        made = make_plan(replace(given_input, care=Care(danger=danger)), snapshot, good=good)
        assert (made.mode, made.goal, made.coach_intensity) == ("support", "validate_feelings", "low")
        assert made.danger == danger and made.reminds_of is None
    after = make_plan(replace(given_input, care=Care()), snapshot, good=good)
    assert (after.mode, after.coach_intensity, after.gentle) == ("support", "low", True)
    assert after.danger is None and after.reminds_of is None


@planner
@given(given_input=inputs, snapshot=snapshots, good=st.integers(0, 5))
def test_there_is_always_a_plan_of_the_document_s_words(given_input, snapshot, good):
    """Mode, goal and intensity come from the closed sets; who is low is neither played with nor coached hard."""
    made = make_plan(given_input, snapshot, good=good)

    assert made.mode in MODES and made.goal in GOALS and made.coach_intensity in LEVELS
    if made.mode == "game":
        assert good >= 2
    assert made.is_wished or made.mode not in {"game", "coach"}
    if given_input.heard.asks and given_input.care is None:
        assert made.mode == "answer" or made.is_wished or given_input.heard.way == "game"
    if given_input.emotion in (SAD, ANXIOUS):
        assert made.coach_intensity == "low"


@planner
def test_coaching_is_as_strong_as_it_can_be_borne():
    """Softly who is low, tired or newly met; strongly who is lively, well known and does not mind."""

    def intensity(emotion, trust, **fields) -> str:
        snapshot = Snapshot(trust=trust)
        return make(emotion=emotion, snapshot=snapshot, heard=heard(way="coach"), **fields).coach_intensity

    lively = replace(PLAIN, energy="high")
    assert intensity(PLAIN, "new") == "low"
    assert intensity(replace(PLAIN, energy="low"), "trusted") == "low"
    assert intensity(PLAIN, "growing") == "medium"
    assert intensity(lively, "trusted") == "high"
    assert intensity(lively, "trusted", calm=True) == "medium"
    assert intensity(lively, "trusted", trend=FALLING) == "low"


#: the document's table, word for word
DOCUMENT = {
    "warm_empathic": ((0.65, 0.75), (0.6, 0.6), "Soft + Emotional"),
    "calm_soothing": ((0.7, 0.85), (0.5, 0.5), "Soft"),
    "supportive_caring": ((0.55, 0.65), (0.7, 0.7), "Conversational + Soft"),
    "coach_grounded": ((0.6, 0.8), (0.9, 0.9), "Serious + Conversational"),
    "reflective_thoughtful": ((0.5, 0.6), (0.8, 0.8), "Narration"),
    "cheerful_light": ((0.35, 0.5), (0.5, 0.6), "Excited + Conversational"),
    "playful_energetic": ((0.3, 0.45), (0.7, 0.7), "Excited"),
    "serious_direct": ((0.8, 0.95), (1.0, 1.0), "Serious"),
}


@toned
@given(emotion=emotions, plan=plans, calm=st.booleans())
def test_every_tone_keeps_within_the_document_s_ranges(emotion, plan, calm):
    """Stability, similarity and style are those of the map; who dislikes high energy is never spoken to lively, but as evenly as Calm is."""
    tone = choose_tone(emotion, plan, calm=calm)
    (least, most), (least_alike, most_alike), style = DOCUMENT[tone.name]
    assert least <= tone.stability <= most and least_alike <= tone.similarity <= most_alike
    assert tone.style == style and tone.directive and 0.7 <= tone.speed <= 1.2
    if calm:
        assert tone.name not in LIVELY and tone.speed <= 1.0
        if choose_tone(emotion, plan, calm=False).name in LIVELY:
            assert tone.name == "calm_soothing" and 0.7 <= tone.stability <= 0.85


@toned
def test_all_eight_tones_are_heard():
    """Each of the map is the tone of some reply; a livelier person hears a livelier voice within it."""
    heard = {
        choose_tone(emotion, Plan(mode=mode, goal=goal, coach_intensity=level), calm=False).name
        for emotion, mode, goal, level in product((SAD, ANXIOUS, GLAD, CALM, PLAIN), MODES, GOALS, LEVELS)
    }
    assert heard == set(TONES) == set(TONE_MAP) == set(DOCUMENT)
    plan = Plan(mode="game", goal="reflect")
    stabilities = [choose_tone(replace(GLAD, energy=energy), plan, calm=False).stability for energy in LEVELS]
    assert stabilities == sorted(stabilities, reverse=True) and len(set(stabilities)) == 3


@toned
def test_feeling_and_plan_choose_the_tone(subtests):
    """Who is low is spoken to warmly or calmly, whatever the reply is for."""
    for emotion, mode, goal, name in [
        (SAD, "support", "validate_feelings", "warm_empathic"),
        (ANXIOUS, "support", "validate_feelings", "calm_soothing"),
        (PLAIN, "support", "reflect", "supportive_caring"),
        (GLAD, "gratitude", "celebrate", "cheerful_light"),
        (CALM, "gratitude", "ask_gratitude", "reflective_thoughtful"),
        (GLAD, "game", "reflect", "playful_energetic"),
        (PLAIN, "reminder", "suggest_tiny_step", "serious_direct"),
        (SAD, "reminder", "suggest_tiny_step", "warm_empathic"),
        (SAD, "game", "celebrate", "warm_empathic"),
    ]:
        with subtests.test(emotion=emotion, mode=mode):
            assert choose_tone(emotion, Plan(mode=mode, goal=goal), calm=False).name == name
