"""Sleep without a model: the person's own words, taken together and condensed; nothing important is lost."""

import re
from dataclasses import replace

import pytest

from companion_site.ids import new_id
from memory.sleep.params import SLEEP
from tests.memory.sleep.batches import item, message, places, think

pytestmark = [pytest.mark.spec("I3")]


def words(text: str) -> list[str]:
    return re.findall(r"\w+", text.casefold())


@pytest.mark.spec("I2", "AC-2.1.2")
def test_one_message_becomes_one_insight():
    """What was said in one message is taken together, one statement a line, in the order said."""
    said = message(
        "My kitten is called Moses.", "He was born on 3 May in Gothenburg.", "He sleeps on the radiator."
    )
    done = think(said, with_model=False)
    (insight,) = done.insights
    assert set(insight.members) == {one.id for one in said}
    assert insight.text.splitlines()[:2] == [
        "My kitten is called Moses.",
        "He was born on 3 May in Gothenburg.",
    ]
    assert done.is_complete
    assert (done.provider, done.model) == ("offline", "")


def test_a_struggle_never_stands_under_background():
    """What one message tells of several parts of a life becomes an insight for each; the rest goes with what it followed."""
    said = message(
        "My name is Aylin and I am in the eighth grade.",
        "My sister is called Elif.",
        "I find recursion hard and I never understand it.",
    )
    done = think(said, with_model=False)
    placed = {line: insight.category for insight in done.insights for line in insight.text.splitlines()}
    placed |= {one.text: done.kept[one.id] for one in said if one.id in done.kept}
    by_word = {word: category for line, category in placed.items() for word in words(line)}
    assert by_word["recursion"] == "struggles"
    assert by_word["aylin"] == by_word["elif"] == "background"


@pytest.mark.parametrize(
    ("texts", "gone", "stays"),
    [
        (
            (
                "Hey there! Thanks so much for the help!",
                "Yesterday I got 18 points on the maths test, it was awesome!",
            ),
            ("thanks", "hey", "awesome"),
            ("yesterday", "18", "points", "maths"),
        ),
        (
            ("Tack så mycket för hjälpen!", "Oj, i går fick jag 18 poäng på matteprovet!"),
            ("tack", "oj"),
            ("i", "går", "18", "poäng", "matteprovet"),
        ),
    ],
)
def test_talk_goes_and_what_was_told_stays(texts, gone, stays):
    """Greetings, thanks and praise go; dates, numbers and the person's own words stay."""
    language = "sv" if "Tack" in texts[0] else "en"
    done = think(message(*texts, language=language), with_model=False)
    (insight,) = done.insights
    said = words(insight.text)
    assert not set(gone) & set(said)
    assert set(stays) <= set(said)


def test_only_the_person_s_own_words_are_used():
    """No word of an insight was not said, and the words of each line stand in the order in which they were said."""
    said = message(
        "Well, I really want to become a vet, you know.",
        "My sister Aylin actually lives in Malmö - it's so great.",
        "I failed the chemistry exam on Tuesday, but I passed biology.",
    )
    done = think(said, with_model=False)
    spoken = [words(one.text) for one in said]
    for line in "\n".join(insight.text for insight in done.insights).splitlines():
        assert any(_is_part(words(line), told) for told in spoken), line


def _is_part(line: list[str], told: list[str]) -> bool:
    rest = iter(told)
    return all(word in rest for word in line)


def test_two_people_s_words_are_never_put_together():
    """Another speaker's, another voucher's and another language's memories become other insights."""
    thread = new_id()
    own = message("I love hiking in the hills near Lund.", "Hiking calms me down.", conversation=thread)
    hers = message(
        "I love hiking in the hills near Ystad.",
        "Hiking calms me, too.",
        conversation=thread,
        position=2,
        speaker="Mia",
    )
    taught = [
        replace(one, vouched_by="teacher")
        for one in message("He hikes in the hills.", "He is calm.", position=3)
    ]
    done = think([*own, *hers, *taught], with_model=False)
    for insight in done.insights:
        members = set(insight.members)
        assert any(members <= {one.id for one in group} for group in (own, hers, taught))


def test_a_statement_that_says_the_same_again_is_covered_by_the_other():
    """Of two statements of one meaning one stands for both."""
    done = think(
        message(
            "I was scared before the oral exam in English.",
            "I was so scared before the oral exam in English.",
            "We waited in the corridor for an hour.",
        ),
        with_model=False,
    )
    (insight,) = done.insights
    assert len(insight.members) == 3
    assert insight.text.count("oral exam") == 1


@pytest.mark.spec("I3", "AC-2.1.6")
def test_what_differs_in_a_value_is_never_covered_by_the_other():
    """However alike two statements are: another number, another name or a denial stays beside the first."""
    texts = (
        "I scored 12 points on the maths test.",
        "I scored 18 points on the maths test.",
        "I like working with Anna in class.",
        "I do not like working with Bertil in class.",
    )
    done = think(message(*texts), with_model=False)
    (insight,) = done.insights
    for text in texts:
        assert text in insight.text.splitlines()


@pytest.mark.spec("I3", "AC-2.1.4")
def test_a_memory_by_itself_stays_word_for_word():
    """What can neither be condensed nor taken together is kept as it is."""
    one = item("My sister Aylin lives in Malmö.")
    done = think([one], with_model=False)
    assert done.kept == {one.id: "background"}
    assert not done.insights


@pytest.mark.spec("I3", "AC-2.1.4", "AC-2.1.6")
def test_basic_background_survives_however_faint_it_is():
    """Who the person is, is never let go, in either language."""
    said = [
        item("I go to Parkside School.", salience=0.1),
        item("I have two brothers.", salience=0.05),
        item("Jag bor i Gävle.", salience=0.1, language="sv"),
        item("Hemma pratar vi arabiska.", salience=0.1, language="sv"),
    ]
    done = think(said, with_model=False)
    assert not done.let_go
    assert not done.left
    assert len(done.kept) + sum(len(insight.members) for insight in done.insights) == 4


@pytest.mark.spec("I1", "AC-2.1.1")
def test_what_is_of_no_importance_is_let_go():
    """What lies below the bound is let go, and so is mere talk, whatever its salience."""
    faint, talk = (
        item("The bus was red.", salience=0.2),
        item("Thanks so much, see you tomorrow!", salience=0.6),
    )
    done = think([faint, talk], with_model=False)
    assert set(done.let_go) == {faint.id, talk.id}


def test_what_comes_up_in_a_life_is_important():
    """An appointment is not let go for being said in few words."""
    (said,) = message("The dentist, Friday at nine.", salience=0.3, tells_life=True)
    (other,) = message("The bus, Friday at nine.", salience=0.3, position=3)
    assert think([said, other], with_model=False).let_go == [other.id]


@pytest.mark.parametrize(("room", "kept"), [(1.0, True), (0.1, False)])
def test_what_matters_less_is_kept_where_there_is_room(room, kept):
    """What is important is covered however much it takes; the rest goes as soon as it would be too much to hold."""
    must = message("My grandmother in Gävle is called Svea and turned ninety on 3 May.", salience=0.9)
    fills = message("We had pancakes with blueberry jam after the match.", salience=0.5, position=3)
    done = think([*must, *fills], with_model=False, params=replace(SLEEP, room=room))
    assert must[0].id in places(done) and must[0].id not in done.let_go
    assert (fills[0].id not in done.let_go) is kept


def test_the_worthiest_fills_first():
    """What room there is goes to what has the highest salience; what is too long for what is left does not stop the next."""
    must, low, high, long = (
        message(text, salience=salience, position=position)
        for position, (text, salience) in enumerate(
            [
                ("My grandmother in Gävle is called Svea.", 0.9),
                ("We had pancakes after the match.", 0.46),
                ("We had waffles after the training.", 0.55),
                (
                    "We had soup with bread and cheese and then a very long walk along the old canal home.",
                    0.58,
                ),
            ]
        )
    )
    said = [*must, *low, *high, *long]
    room = (len(must[0].text) + len(high[0].text) + 5) / sum(len(one.text) for one in said)
    done = think(said, with_model=False, params=replace(SLEEP, room=room))
    assert set(done.let_go) == {low[0].id, long[0].id}


def test_what_is_fixed_stays_word_for_word():
    """What the ledger holds, or the person has to decide about, is kept as it is and is no member of anything."""
    said = message("My kitten is called Moses.", "Moses sleeps on the radiator.", "Moses is two years old.")
    said[1] = replace(said[1], fixed=True, salience=0.1)
    done = think(said, with_model=False)
    assert said[1].id in done.kept
    assert all(said[1].id not in insight.members for insight in done.insights)


def test_the_memory_of_a_whole_message_goes_with_its_statements():
    """A memory that only repeats the statements of its message adds no line."""
    texts = ("My kitten is called Moses.", "He was born on 3 May in Gothenburg.")
    said = message(*texts)
    whole = item(" ".join(texts), sources=said[0].sources, said_at=said[0].said_at, salience=0.9)
    done = think([*said, whole], with_model=False)
    (insight,) = done.insights
    assert set(insight.members) == {one.id for one in (*said, whole)}
    assert insight.text.splitlines() == list(texts)


def test_a_message_that_is_slept_over_twice_becomes_one_insight():
    """What goes on with a long-term memory of the same message renews it, and loses nothing of it."""
    first, second = message("My kitten is called Moses.", "He was born on 3 May in Gothenburg.")
    known = replace(first, category="background")
    done = think([second], [known], with_model=False)
    (insight,) = done.insights
    assert set(insight.members) == {known.id, second.id}
    assert insight.text.splitlines() == ["My kitten is called Moses.", "He was born on 3 May in Gothenburg."]


def test_a_renewed_memory_stays_in_its_part():
    """Its person may have put it there; what goes on with it, and what says it again, comes to stand there too."""
    first, second = message("My kitten is called Moses.", "I find it hard to divide fractions.")
    known = replace(first, category="goals")
    for new in (second, item("Oh, my kitten is called Moses!")):
        (insight,) = think([new], [known], with_model=False).insights
        assert (insight.category, set(insight.members)) == ("goals", {known.id, new.id})


def test_what_is_known_already_renews_what_is_known():
    """The same said again adds a source, and no line."""
    known = item("My kitten is called Moses.", category="background")
    again = item("Oh, my kitten is called Moses!")
    done = think([again], [known], with_model=False)
    (insight,) = done.insights
    assert set(insight.members) == {known.id, again.id}
    assert insight.text == "My kitten is called Moses."


@pytest.mark.parametrize(
    ("language", "long", "left_out"),
    [
        ("en", "Our old labrador chewed through the garden hose, which was a bit of a thing for all of us.", "a bit of a thing"),
        ("sv", "Vår gamla labrador tuggade sönder trädgårdsslangen, som var en sak för oss alla.", "för oss alla"),
    ],
)  # fmt: skip
def test_what_tells_least_is_left_out_and_dots_say_so(language, long, left_out):
    """A tail goes, in the words that stay nothing is changed, and what is important is still covered."""
    one = item(long, language=language)
    (insight,) = think([one], with_model=False).insights
    assert left_out not in insight.text
    assert insight.text.endswith("…")
    assert long.startswith(insight.text.rstrip("…"))


def test_an_insight_points_to_where_its_members_tell_most():
    """Its vector is their mean by information: what hardly tells anything turns it little."""
    telling, faint = message("Photosynthesis turns chlorophyll and sunlight into glucose.", "It is so.")
    (insight,) = think([telling, faint], with_model=False).insights
    assert set(insight.members) == {telling.id, faint.id}
    assert insight.vector @ telling.vector > insight.vector @ faint.vector


def test_every_item_stands_in_one_place():
    """A batch is accounted for, each item once."""
    thread = new_id()
    said = [
        one
        for number in range(6)
        for one in message(
            f"In week {number} I read book number {number + 3}.",
            "I read every evening before I sleep.",
            "Thanks a lot!",
            position=number,
            conversation=thread,
        )
    ]
    done = think(said, with_model=False)
    assert sorted(places(done)) == sorted(one.id for one in said)
    assert all(len(insight.members) >= 1 for insight in done.insights)
    assert len(done.insights) + len(done.kept) <= len(said)


def test_nothing_is_left_without_a_model():
    """What no group covers is kept word for word at once: another sleep would come to the same."""
    said = [item("I failed the chemistry exam on Tuesday.", sleep_tries=0) for _ in range(3)]
    done = think(said, with_model=False)
    assert done.is_complete
    assert SLEEP.covers == 0.7
