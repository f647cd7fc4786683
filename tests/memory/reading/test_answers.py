"""Which statement answers a question, if any does."""

from collections.abc import Collection, Mapping
from types import MappingProxyType

import numpy as np
import pytest

from bench.answers import SCENARIOS
from bench.judge import plain, says
from bench.scenarios import load_scenarios
from companion_site.embeddings.service import get_embedder
from memory.reading.answers import (
    Said,
    are_both_asked_for,
    choose_answers,
    find_nearly_best,
    tell_matches,
)
from memory.reading.params import READING
from memory.reading.questions import (
    asks_of_oneself,
    find_about,
    find_sought,
    find_sought_after,
    has_matter,
    has_sought,
    leans,
)
from memory.reading.service import get_heads
from tests.cases import cases

pytestmark = pytest.mark.spec("L3")


def choose(
    question: str,
    *told: str,
    is_company: bool = False,
    newer: Mapping[int, int] = MappingProxyType({}),
    expected: Collection[int] = (),
    among: Collection[int] | None = None,
) -> list[str]:
    statements = [Said(text, number) for number, text in enumerate(told)]
    chosen = choose_answers(
        question,
        statements,
        embed=get_embedder().embed,
        heads=get_heads(),
        is_company=is_company,
        newer=newer,
        expected=expected,
        among=among,
    )
    return [told[place] for place in chosen]


@cases(
    ("question", "sought"),
    [
        ("When is my exam?", {"time"}),
        ("Hur många syskon har jag?", {"number"}),
        ("Who teaches me?", {"name"}),
        ("Var bor farmor?", {"place"}),
        ("Which subject is hard?", set()),
        ("Vad var priset?", set()),
        ("What is coming up for us?", {"coming"}),
        ("Var köper vi korvskinn framöver?", {"place"}),
    ],
)
def test_a_question_names_what_it_seeks(question, sought):
    """By its words, in both languages."""
    assert find_sought(question) == sought


def test_what_leans_asks_for_what_the_one_before_did():
    """Where it says nothing of that; what comes up was listed already."""
    assert find_sought_after("and the other one?", "How old is Beatrix?") == {"number"}
    assert find_sought_after("what are we paying them?", "What is coming up?") == set()


@cases(
    ("question", "has", "lacks"),
    [
        ("When is the concert?", "The concert is on 6 December", "The concert is at the town hall"),
        ("How many rabbits do I have?", "I have 3 rabbits", "My rabbits eat carrots"),
        ("Vem är min lärare?", "Min lärare heter Birgitta", "min lärare är sträng"),
        ("Where does dad live?", "My dad moved to Umeå", "my dad likes living alone"),
        ("Where does my mum work?", "My mum works at the hospital", "my mum works in the evenings"),
        ("Var bor min kusin?", "min kusin bor vid en sjö", "min kusin är snäll"),
        ("Var är min lillebror?", "min lillebror är på dagis", "min lillebror är hemma i juli"),
        ("When is my biology test?", "Tomorrow I have a biology test", "My biology test was cancelled"),
        ("When did we go to Öland?", "We went to Öland last summer", "We went to Öland by car"),
        ("Who is in hospital?", "My grandma is in hospital", "I drove past the hospital"),
        ("How old is my brother?", "My brother Noah is 7", "I go to class 7B with my brother Noah"),
        ("Vem är Nora?", "min bästa kompis heter Nora", "jag gillar Nora"),
    ],
)
def test_a_statement_without_what_is_sought_answers_nothing(question, has, lacks):
    """Whatever it shares with the question: neither a day, a number, a name nor a place stands in it."""
    assert has_sought(find_sought(question), has, question)
    assert choose(question, lacks) == []


def test_what_the_question_says_itself_is_no_answer():
    """The day in "When on 6 December?" is the question's own."""
    asked = "When on 6 December is it?"
    assert not has_sought(frozenset({"time"}), "It is something on 6 December", asked)


def test_the_one_that_answers_is_chosen():
    """Of several about the same matter one, and nothing where nothing was told of it."""
    told = ("I've got a chemistry test on 14 October", "Chemistry is hard", "We have a cat called Professor")
    assert choose("When is my chemistry test?", *told) == [told[0]]
    assert choose("What is my phone number?", *told) == []


@cases(
    ("question", "told"),
    [
        ("Do I still live in Lund?", "I go to class 7B and I live in Lund with my brother Noah"),
        ("Which day do I play floorball?", "My best friend is Nora, we play floorball together on Tuesdays"),
        ("när är innebandyn?", "min bästa kompis heter Nora, vi spelar innebandy ihop på tisdagar"),
    ],
)
def test_words_that_ask_need_not_be_told(question, told):
    """ "Still" and "which day" say nothing of the matter, and an article is no other word."""
    assert choose(question, told, "I have a maths test on Thursday", "I like football") == [told]


def test_a_relation_is_known_in_the_other_language():
    """A brother is "bror", for whoever asks; "bro" is a bridge in Swedish and no brother."""
    noah, lund = "My brother Noah works at the bakery", "Lund is nicer in the spring"
    assert choose("Var jobbar min bror?", noah, lund) == [noah]
    assert find_about("Vad heter min bror?", [lund, noah]) == [1]
    assert find_about("Where is my brother?", ["Vi bor vid en gammal bro", noah]) == [1]


def test_nothing_told_answers_nothing():
    """No statement, no answer."""
    assert choose("Who?") == []


@cases(
    ("question", "does"),
    [
        ("and the other one?", True),
        ("when was that?", True),
        ("och när?", True),
        ("And how old is he?", True),
        ("När åker jag dit?", True),
        ("o vilken skola?", True),
        ("What is my dog called?", False),
        ("Vad heter min hund?", False),
        ("Vad händer den här veckan?", False),
        ("Who is the prime minister of Canada?", False),
        ("Who am I?", False),
        ("vem är jag", False),
        ("I like that", False),
        ("", False),
    ],
)
def test_a_question_that_is_none_by_itself_leans_on_the_one_before(question, does):
    """It names nothing of its own, or points to what was said."""
    assert leans(question) == does


def test_what_may_not_be_told_is_compared_all_the_same():
    """With what answers out of the way the next one lies no nearer than it did, as it would by itself."""
    told = ("Service kostar 895 för vanlig cykel, elcykel 1 295", "Hyrcyklarna ska kosta 180 kr per dygn")
    question = "vad kostar en hyrcykel per dygn?"
    assert choose(question, told[0], is_company=True) == [told[0]]
    assert choose(question, *told, is_company=True) == [told[1]]
    assert choose(question, *told, is_company=True, among=[0]) == []


def test_what_the_conversation_leads_to_answers_from_a_lower_chance():
    """Of what was just answered with, the hour is asked."""
    told = ("Årsmötet är den 18 juni klockan 16", "Vi bor i Lund")
    assert choose("och vilken tid?", *told) == []
    assert choose("och vilken tid?", *told, expected=[0]) == [told[0]]


def test_of_two_on_the_same_matter_the_last_said_answers_and_the_first_of_the_past():
    """What was told later holds, unless how it was before is asked for."""
    told = ("I train judo on Mondays at six", "I train judo on Wednesdays at six")
    assert choose("Which day do I train judo?", *told) == [told[1]]
    assert choose("Which day did I train judo before?", *told) == [told[0]]


def test_what_took_its_place_leads_and_stands_alone_where_it_answers_as_well():
    """Where it answers less well, what may be no longer so is told behind it."""
    homes = ("I live in Lund with my mum and my brother Noah", "We have moved to Malmö", "Mira has a dog")
    assert choose("Where do I live?", *homes, newer={0: 1}) == [homes[1], homes[0]]
    teachers = ("My maths teacher is Mr Holm", "My maths teacher is Ms Berg", "I live in Lund")
    assert choose("Who is my maths teacher?", *teachers, newer={0: 1}) == [teachers[1]]
    # Who asks for all that is known gets both.
    listed = choose("What do you know about my maths teacher?", *teachers, newer={0: 1})
    assert set(listed) == set(teachers[:2])


@cases("question", ["Who is Petra?", "vem är Petra?", "Who's Petra?"])
def test_who_somebody_is_is_told_by_all_that_names_them(question):
    """Whatever it says of them; who does something is asked for one answer, and who nobody told of for none."""
    told = ("We have a new accountant, her name is Petra", "Petra likes tea", "Anna drives the van")
    assert set(choose(question, *told)) == {*told[:2]}
    assert choose("Who drives the van?", *told) == [told[2]]
    assert choose("Who is Greta?", *told) == []


def test_what_was_decided_on_a_matter_has_all_its_words():
    """What has one of them was decided on something else."""
    told = ("We decided to rent a floor machine", "We need a machine for labels", "We decided on blue shirts")
    assert choose("What did we decide about the floor machine?", *told, is_company=True) == [told[0]]
    assert choose("What did we decide about the van?", *told, is_company=True) == []


@cases(
    ("question", "has"),
    [("where is that?", False), ("och när?", False), ("And what is her dog called?", True)],
)
def test_a_question_says_what_it_is_about(question, has):
    """Or only asks, and points to what was said."""
    assert has_matter(question) == has


def test_what_answers_less_surely_does_not_hold_because_it_was_said_later():
    """Who does the books is no older news for the plan of accounts that they follow."""
    told = (
        "Siv sköter bokföringen i Demo AB",
        "Bokföringen följer BAS-kontoplanen",
        "Betalningstiden på fakturorna är 30 dagar",
        "Räkenskapsåret är kalenderåret",
    )
    assert choose("Vem sköter bokföringen?", *told, is_company=True) == [told[0]]


def test_what_is_somebody_else_s_answers_nothing():
    """However near it lies."""
    assert choose("What is my dog called?", "Mira has a dog called Bosse") == []
    assert choose("What is Mira's dog called?", "Mira has a dog called Bosse") != []


def test_all_that_names_a_matter_is_told_where_it_is_asked_for():
    """By the matter's own word, however plain what is told of it; nothing of others."""
    told = ("I share a flat with Amir", "Amir snores like a walrus", "Sanna is my physio")
    assert set(choose("What do you know about Amir?", *told)) == set(told[:2])
    sv = ("Min sambo heter Linnea", "Linnea väntar barn i april", "Gunnar kör buss")
    assert set(choose("Vad vet du om Linnea?", *sv)) == set(sv[:2])


@cases(
    "question",
    [
        "What did I say about the test?",
        "What did I tell you about the test?",
        "Vad sa jag om provet?",
        "Vad berättade jag om provet?",
    ],
)
def test_what_one_said_of_a_matter_is_all_of_it(question):
    """Of several tests none is meant alone; what somebody else said of one is nobody's to tell."""
    tests = (
        "I am so scared of the maths test on Friday.",
        "I want to understand photosynthesis before the test.",
        "My biology test about the cell is on the last Monday of the month.",
    )
    swedish = ("Jag är så rädd för matteprovet på fredag.", "Jag vill förstå fotosyntesen före provet.")
    told = tests if question.startswith("What") else swedish
    assert set(choose(question, *told, "I live in Lund with my brother Noah.", "I have a cat.")) == set(told)
    assert choose("What did Noah say about the test?", *tests[:1], "I have a cat.") == []


@cases(
    ("question", "does"),
    [
        ("What do you know about me?", True),
        ("Vem är jag?", True),
        ("Beskriv mig för en ny klass", True),
        ("What do you know about Amir?", False),
        ("Where do I live?", False),
        ("", False),
    ],
)
def test_who_somebody_is_at_all_is_asked_in_few_ways(question, does):
    """A question for one thing about oneself is none for all of it."""
    assert asks_of_oneself(question) == does


@cases("question", ["What do you know about me?", "Vad vet du om mig?", "Who am I?", "Vem är jag?"])
def test_who_asks_about_themselves_is_told_what_comes_first(question):
    """Some of it, in the order given; nothing is singled out by its words."""
    told = [
        f"I have been to {place}" for place in ("Lund", "Malmö", "Ystad", "Rome", "Oslo", "Bern", "Paris")
    ]
    told += ["I play the cello", "My brother is called Noah", "I am afraid of heights"]
    assert choose(question, *told) == told[:8]


def test_who_is_asked_about_is_not_enough():
    """A statement that has the name and nothing else of the question is no answer to what else stands in it."""
    told = (
        "Harriet has started to learn the bassoon.",
        "My mother is a vet",
        "Beatrix is nine",
        "I sleep badly",
    )
    assert choose("Which university did Harriet choose?", *told) == []
    assert choose("What has Harriet started to learn?", *told) == [told[0]]


def test_what_a_question_asks_for_goes_before_what_is_only_near():
    """In lives by other hands, which taught it nothing, more of what answers is among the first five than by nearness."""
    embedder, heads = get_embedder(), get_heads()
    by_match = by_nearness = 0
    for scenario in load_scenarios([SCENARIOS])[:4]:
        told = [plain(message) for message in scenario.messages]
        vectors = embedder.embed(scenario.messages)
        for question in scenario.questions:
            (asked,) = embedder.embed([question.text])
            has = np.array([any(says(text, need) for need in question.needs) for text in told])
            by_match += has[np.argsort(-tell_matches(asked, vectors, heads))[:5]].any()
            by_nearness += has[np.argsort(-(vectors @ asked))[:5]].any()
    assert by_match > by_nearness


def test_what_matches_nearly_as_well_as_the_best_is_told_from_the_rest():
    """Within the margin of the best, wherever that stands; the first few in any case; nothing of nothing."""
    best, least = 2.0, READING.least_matching
    near, far = best - READING.match_margin + 0.1, best - READING.match_margin - 0.1
    matches = np.array([far] * (least + 1) + [near, best, far])
    assert find_nearly_best(matches).tolist() == [True] * least + [False, True, True, False]
    assert not find_nearly_best(np.array([])).size


def test_what_matches_best_is_not_doubted_for_a_hint_far_behind_it():
    """A right answer is not told with a doubt for everything that sounds a little like a change; what the later one matches better than is."""
    near, far = (0, 7), (0, 8)
    assert are_both_asked_for(*near, is_slight=True) and are_both_asked_for(*near)
    assert are_both_asked_for(*far) and not are_both_asked_for(*far, is_slight=True)
    assert are_both_asked_for(*reversed(far), is_slight=True)
    assert are_both_asked_for(1, 8, among=18) and not are_both_asked_for(1, 8, among=18, is_slight=True)
