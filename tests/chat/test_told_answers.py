"""What was told is answered by whole turns without a model: whose it is, what a question leans on, and what comes up."""

from datetime import timedelta
from decimal import Decimal
from uuid import uuid4

import pytest

from chat.memories.formation import form_all_awaiting
from chat.models import Message
from chat.services import begin_conversation
from chat.turn.answers import Held, find_answers, find_kindred
from companion_site.accounts.models import School
from companion_site.embeddings.service import get_embedder
from companion_site.ids import new_id
from companion_site.llm.offline_phrases import PHRASES
from companion_site.vault.scope import space_scope
from memory.models import Contradiction, Deadline, Kpi, MemoryNode
from memory.student.life.goals import set_goal
from overlay.importer import ensure_demo_world
from tests.cases import cases
from tests.chat.talking import begin, believe, remember, reply, reply_to, rows, talk, tell
from tests.chat.test_quiz import make_pupil
from tests.factories import NOW, make_access
from tests.overlay.building import make_school

pytestmark = pytest.mark.spec("L3")

TOLD = {
    "en": (
        "I live in Lund with my mum and my brother Noah.",
        "Mira has a dog called Bosse. I am a little afraid of big dogs, but not of him.",
        "I have two cousins: Harriet, who is twelve, and Beatrix, who is nine.",
        "The biology test about the cell is on 6 March.",
        "I sing in a band with Mira.",
    ),
    "sv": (
        "Jag bor i Lund med min mamma och min bror Viggo.",
        "Mira har en hund som heter Bosse. Jag är lite rädd för stora hundar, men inte för honom.",
        "Jag har två kusiner: Harriet som är tolv och Beatrix som är nio.",
        "Biologiprovet om cellen är den 6 mars.",
        "Jag sjunger i ett band med Mira.",
    ),
}
#: By language: what is said in one conversation, and the words of the last reply, or those that are not in it.
ANSWERED = {
    "en": (
        (("How old is my cousin Beatrix?", "and the other one?"), "twelve", ""),
        (("What is the biology test about?", "and when is it?"), "6 March", ""),
        (("Who do I sing in a band with?", "And what is her dog called?"), "Bosse", ""),
        (("What is the biology test about?", "On which day?"), "6 March", ""),
        (("What is Mira's dog called?", "And my brother?"), "Noah", ""),
        (("Where do I live?", "And where did I live before?"), "", "Lund"),
        (("What is coming up this week?",), "6 March", "Harriet"),
        (("whats my brother called",), "Noah", ""),
        (("wat colour is my bike", "What colour is my bike?"), "", "wat colour is my bike"),
        (("I have started to play the trumpet", "I want to die", "What did we talk about?"), "trumpet", "die"),
        (("Please remember that my bike is green.", "Forget that I play chess.", "What have we talked about today?"), "my bike is green", "chess"),
        (("I am a little sad today, Mira will not sing with me", "What is coming up this week?"), "", "sad"),
        (("I met the dog of a neighbour today.",), "afraid", ""),
    ),
    "sv": (
        (("Hur gammal är min kusin Beatrix?", "och den andra?"), "tolv", ""),
        (("Vad handlar biologiprovet om?", "och när är det?"), "6 mars", ""),
        (("Vem sjunger jag i band med?", "Och vad heter hennes hund?"), "Bosse", ""),
        (("Vad handlar biologiprovet om?", "På vilken dag?"), "6 mars", ""),
        (("Vad heter Miras hund?", "Och min bror?"), "Viggo", ""),
        (("Var bor jag?", "Och var bodde jag innan?"), "", "Lund"),
        (("Vad händer den här veckan?",), "6 mars", "Harriet"),
        (("va heter min bror",), "Viggo", ""),
        (("hur länge har vi öppet på fredagarna i sommar", "Hur länge har vi öppet på fredagarna?"), "", "hur länge har vi öppet på fredagarna i sommar"),
        (("Jag har börjat spela trumpet", "I want to die", "Vad har vi pratat om?"), "trumpet", "die"),
        (("Kom ihåg att min cykel är grön.", "Glöm att jag spelar schack.", "Vad har vi pratat om i dag?"), "min cykel är grön", "schack"),
    ),
}  # fmt: skip
TOLD_BY_STUDENT = {
    "en": (
        "I have a cousin called Beatrix, who is nine.",
        "I play the trumpet in the school band.",
        "I have a biology test on 4 March.",
    ),
    "sv": (
        "Jag spelar trumpet i skolans orkester.",
        "Jag har biologiprov den 4 mars.",
    ),
}
#: What a student says and hears in one conversation, each formed before the next.
SAID_ON = {
    "en": (
        ("What is my brother called?", "Noah"),
        ("Where do I live?", "Lund"),
        ("When is my biology test?", "4 March"),
        ("How old is my cousin Beatrix?", "nine"),
        ("Which instrument do I play?", "trumpet"),
        ("What did I say about dogs?", "afraid of big dogs"),
        ("What do you know about Mira?", "Bosse"),
        ("What is coming up in the next few days?", "biology test"),
        ("Plan my week", "1. "),
        ("What is 17 times 6?", "102"),
        ("What is 15 % of 240?", "36"),
        ("Which weekday is 24 December 2027?", "Friday"),
        ("How many metres are 3 km?", "3,000 metres"),
        ("What is a cell membrane?", "The thin skin of a cell"),
        ("We have moved to Malmö.", "noted"),
        ("Where do I live now?", "Malmö"),
        ("And where did I live before?", "Lund"),
        ("Forget that I play the trumpet.", "put this away"),
        ("Which instrument do I play?", "tell me"),
        ("What have we talked about today?", "We have moved to Malmö"),
        ("Can you quiz me about the cell?", "Which word is meant here"),
    ),
    "sv": (
        ("Vad heter min bror?", "Viggo"),
        ("Var bor jag?", "Lund"),
        ("När är mitt biologiprov?", "4 mars"),
        ("Vilket instrument spelar jag?", "trumpet"),
        ("Vad sa jag om hundar?", "rädd för stora hundar"),
        ("Vad vet du om Mira?", "Bosse"),
        ("Vad händer de närmaste dagarna?", "biologiprov"),
        ("Planera min vecka", "1. "),
        ("Vad är 17 gånger 6?", "102"),
        ("Vad är 15 % av 240?", "36"),
        ("Vilken veckodag är den 24 december 2027?", "fredag"),
        ("Hur många meter är 3 km?", "meter"),
        ("Vad är ett cellmembran?", "thin skin"),
        ("Vi har flyttat till Malmö.", "noterat"),
        ("Var bor jag nu?", "Malmö"),
        ("Och var bodde jag förut?", "Lund"),
        ("Glöm att jag spelar trumpet.", "lagt undan"),
        ("Vilket instrument spelar jag?", "berätta"),
        ("Vad har vi pratat om i dag?", "Vi har flyttat till Malmö"),
        ("Kan du förhöra mig på cellen?", "Vilket ord menas här"),
    ),
}
ASKED_AT_WORK = (
    ("How many employees do we have?", "Employees: 3"),
    ("What did we decide about the office?", "Storgatan 5 until 2028"),
    ("Who does the bookkeeping?", "Siv"),
    ("What do you know about Siv?", "bookkeeping"),
    ("When is the next deadline?", "VAT return"),
    ("What is 25 % of 1,200 kr?", "300"),
)


class People(dict):
    """Who has told all that, by language: each formed when a test first asks for them."""

    def __missing__(self, language):
        access = self[language] = make_access(f"nora-{language}", language=language)
        for text in TOLD[language]:
            remember(access, text, language=language)
        return access


@pytest.fixture
def people(committed):
    return People()


@cases(
    ("language", "question", "others"),
    [
        ("en", "What is my dog called?", "What is Mira's dog called?"),
        ("sv", "Vad heter min hund?", "Vad heter Miras hund?"),
    ],
)
def test_a_friend_s_dog_is_not_one_s_own(people, language, question, others):
    """Asked for one's own the companion says in one sentence that it was not told, and what one can do; the friend's is told."""
    declined = reply(people[language], others, question)
    assert "Bosse" not in declined and "\n" not in declined and declined.count(".") == 1 and ";" in declined
    assert "Bosse" in reply(people[language], question, others)


@cases("language", ANSWERED)
def test_a_conversation_is_answered(people, language, subtests):
    """What a question leans on, what comes up by its day and nothing else, and what was told: never a question, a danger or what is over."""
    for said, answer, other in ANSWERED[language]:
        with subtests.test(said[-1]):
            told = reply(people[language], *said)
            assert answer in told and not (other and other in told)


@pytest.mark.slow
@cases("language", SAID_ON)
def test_a_student_is_answered(committed, language, subtests):
    """Told facts, days, sums, what changed, what is to be forgotten, what was said, and a quiz, one after the other."""
    school = School.objects.create(name=f"School in {language}")
    ensure_demo_world(school, now=NOW)
    ada = make_pupil(school, f"ada-{language}", language=language)
    for text in (*TOLD[language][:2], *TOLD_BY_STUDENT[language]):
        remember(ada, text, language=language)
    row = begin_conversation(ada, now=NOW)
    for text, answer in SAID_ON[language]:
        with subtests.test(text):
            assert answer in reply(ada, text, conversation=row)
        form_all_awaiting(ada.space, key=ada.key, now=NOW)


@pytest.mark.spec("C1")
def test_a_company_is_answered(bo, subtests):
    """Live figures, deadlines, decisions, who does what, and a share of an amount."""
    believe(bo, "We decided to rent the office at Storgatan 5 until 2028", category="decision")
    believe(bo, "Siv does the bookkeeping")
    with space_scope(bo.space):
        booked = {"space_id": bo.space, "source": "admin", "updated_at": NOW}
        Kpi.objects.create(key="employees", value=Decimal(3), as_of=NOW.date(), **booked)
        due = NOW.date() + timedelta(days=5)
        Deadline.objects.create(key="vat", label="VAT return", due_on=due, **booked)
    row = begin_conversation(bo, now=NOW)
    for text, answer in ASKED_AT_WORK:
        with subtests.test(text):
            assert answer in reply(bo, text, conversation=row)


def test_a_sentence_that_was_just_told_names_nobody_else(people):
    """Who wrote a book is not answered with the book once more, and where something is not with the place of something else."""
    access = people["en"]
    remember(access, "I read one book in English, it was Holes.")
    first, second = "Which book did I read?", "Who wrote it?"
    assert "Holes" in reply(access, first) and "Holes" not in reply(access, first, second)
    remember(access, "heyy so im jaz, 14, year 9 at kingsmead")
    remember(access, "we see the lionesses on 24 october!!")
    first, second = "when do we see the lionesses", "where is that?"
    assert "24 october" in reply(access, first) and "kingsmead" not in reply(access, first, second)


@cases(("language", "question"), [("en", "What are my goals?"), ("sv", "Vilka mål har jag?")])
def test_goals_are_told_where_they_are_asked_for(people, language, question):
    """All that stand, and no goalkeeper."""
    access = people[language]
    remember(access, "I am a goalkeeper.")
    assert "goalkeeper" not in reply(access, question)
    with space_scope(access.space), access.open():
        set_goal(access.space, "Run ten kilometres", now=NOW)
        set_goal(access.space, "Read a book a month", now=NOW)
    said = reply(access, question)
    assert "Run ten kilometres" in said and "Read a book a month" in said and "goalkeeper" not in said


def test_one_is_reminded_only_of_what_the_message_names():
    """That something is near in meaning would bring up anything."""
    told = ["I find fractions hard.", "I live in Lund with my mum.", "Jag bor med min syster."]
    assert find_kindred("I had a fight with my mum.", told) == [told[1]]
    assert find_kindred("I had a sandwich with cheese today.", told) == []


def test_a_question_by_relation_is_answered_by_what_says_the_name():
    """ "My brother" is Noah where a memory says who he is: it is read with that, and told in its own words."""
    now = NOW
    held = [
        Held(text="Noah drives a red moped.", said_at=now, who=("Noah: brother",)),
        Held(text="I have chemistry on Tuesdays.", said_at=now),
        Held(text="Mira drives a blue tractor.", said_at=now, who=("Mira: best friend",)),
    ]
    (told,) = find_answers(
        "What does my brother drive?", held, embedder=get_embedder(), language="en", now=now
    )
    assert told.text == "Noah drives a red moped."


@cases(
    ("language", "said", "question", "places"),
    [
        ("en", ("I live in Lund.", "We have moved to Malmö."), "Where do I live?", ("Malmö", "Lund")),
        ("sv", ("Jag bor i Lund.", "Vi har flyttat till Malmö."), "Var bor jag?", ("Malmö", "Lund")),
    ],
)
def test_what_may_hold_by_now_leads(committed, language, said, question, places):
    """Where a later word perhaps took the place of an earlier one, it comes first, and the earlier one with its doubt."""
    access = make_access(f"vera-{language}", language=language)
    for text in said:
        remember(access, text, language=language)
    answer = reply(access, question)
    assert [answer.index(place) for place in places] == sorted(answer.index(place) for place in places)


@cases(
    ("language", "said", "question", "answer"),
    [
        (
            "sv",
            ("Jag har prov i kemi på torsdag.", "nej vänta, det är på fredag"),
            "När har jag prov i kemi?",
            "fredag",
        ),
        ("en", ("We are going to Lund on Sunday.", "no, I meant Malmö"), "Where are we going?", "Malmö"),
        ("en", ("My sister is called Maya.", "no, her name is Moa"), "What is my sister called?", "Moa"),
    ],
)
def test_what_puts_right_what_was_just_said_is_told(committed, language, said, question, answer):
    """It says little by itself, and is kept all the same; asked for, it is told with what it puts right or in its place."""
    access = make_access(f"nils-{answer.lower()}", language=language)
    for number, text in enumerate(said):
        remember(access, text, language=language, at=NOW - timedelta(minutes=9 - number))
    assert answer in reply(access, question)


#: What is said, put right just after, and asked for, with what answers it from then on.
PUT_RIGHT = [
    ("en", ("I got a new kitten yesterday, she is called Pixel", "no wait, her name is Pepper"), "What is my kitten's name?", "Pepper"),
    ("en", ("My locker code is 4471", "no wait, it's 4417"), "what is my locker code?", "4417"),
    ("en", ("My biology test is on Thursday", "sorry, I mean Friday"), "When is my biology test?", "Friday"),
    ("en", ("My code is 4471", "no wait, it's 4417", "sorry, 4714"), "what is my code?", "4714"),
    ("sv", ("Jag spelar innebandy på tisdagar", "nej vi har bytt till onsdagar"), "När spelar jag innebandy?", "onsdagar"),
    ("sv", ("Min lillasyster heter Sara", "ursäkta, hon heter Stina"), "Vad heter min lillasyster?", "Stina"),
]  # fmt: skip


@cases(("language", "said", "question", "answer"), PUT_RIGHT)
@cases("is_formed", [False, True])
def test_the_last_word_of_a_conversation_holds_from_the_next_message_on(
    committed, language, said, question, answer, is_formed
):
    """Before any memory has formed and after it; what puts right is answered with what it puts right."""
    access = make_access(f"olle-{answer.lower()}-{is_formed}", language=language)
    if is_formed:
        thread = new_id()
        for number, text in enumerate(said):
            at = NOW - timedelta(minutes=9 - number)
            remember(access, text, language=language, conversation_id=thread, position=2 * number + 1, at=at)
        assert len(rows(access, Contradiction)) >= len(said) - 1
        assert answer in reply(access, question)
    else:
        first, *later = said
        put_right = reply(access, first, *later)
        quote = PHRASES[language].quote.format(([first, *later])[-2])
        assert any(way.format(quote=quote) in put_right for way in PHRASES[language].changed)
        assert answer in reply(access, *said, question)


def test_what_is_put_right_at_once_doubts_nothing_else(committed):
    """However much else is remembered: the request has both, the earlier with its doubt, and what stands near without one."""
    access, thread = make_access("orvar"), new_id()
    for text in (
        "I like biology best.",
        "Our teacher in biology is Ms Hill.",
        "My history test was last week.",
        "I play the cello.",
    ):
        remember(access, text)
    for number, text in enumerate(("My locker code is 4471", "no wait, it's 4417")):
        at = NOW - timedelta(minutes=9 - number)
        remember(access, text, conversation_id=thread, position=2 * number + 1, at=at)
    (*_, last) = rows(access, MemoryNode)
    assert [doubt.strategy for doubt in rows(access, Contradiction, later=last)] == ["manual"]
    turn = reply_to(access, tell(access, begin(access), "What is my locker code?"))
    lines = turn.composed.request.context.splitlines()
    assert any("4417" in line for line in lines)
    (doubted,) = [line for line in lines if "[outdated?]" in line]
    assert "4471" in doubted


def test_who_is_answered_puts_the_answer_right(committed):
    """What the reply told is what is meant, weeks after it was said."""
    access = make_access("oskar")
    remember(access, "My cousin lives in Malmö.")
    asked = "Where does my cousin live?"
    assert "Lund" in reply(access, asked, "No, she lives in Lund", asked)


@cases(
    ("said", "question", "answer"),
    [
        (("I have two brothers", "they are 9 and 12"), "How many brothers do I have?", "two"),
        (("I have a cat called Bosse", "I also have a dog called Sam"), "What is my cat called?", "Bosse"),
        (("My test is on Thursday", "It starts at 9"), "When is my test?", "Thursday"),
        (("My sister is Anna", "no, I like it here"), "What is my sister called?", "Anna"),
    ],
)
def test_what_is_only_added_puts_nothing_right(committed, said, question, answer):
    """Another number, name or time of something else leaves the first as it was."""
    access = make_access(f"ove-{answer.lower()}")
    assert answer in reply(access, *said, question)


def test_what_says_more_than_what_may_be_over_answers_by_itself(committed):
    """That somebody has moved is no answer to what their brother is called, though where they live with him is in doubt."""
    access = make_access("vera")
    remember(access, "I live in Lund with my mum and my brother Noah.")
    remember(access, "We have moved to Malmö, so I take the train to school now.")
    answer = reply(access, "What is my brother called?")
    assert "Noah" in answer and "Malmö" not in answer


@cases(
    ("question", "told"),
    [
        ("What am I allergic to?", [("I am allergic to hazelnuts.", False)]),
        (
            "Where do I live?",
            [("We have moved to Malmö.", False), ("I live in Lund with my mum and Noah.", True)],
        ),
        ("What is my brother called?", [("My brother is called Noah.", True)]),
        ("Where did I live before?", [("I live in Lund with my mum and Noah.", False)]),
    ],
)
def test_a_doubt_is_told_only_where_what_casts_it_answers_as_well(question, told):
    """Or where that is not at hand: a move makes nobody unsure of what they are allergic to, whatever was read from it."""
    moved, elsewhere = uuid4(), uuid4()
    held = [
        Held(text="I am allergic to hazelnuts.", row=uuid4(), said_at=NOW, doubted_by=moved),
        Held(text="I live in Lund with my mum and Noah.", row=uuid4(), said_at=NOW, doubted_by=moved),
        Held(text="My brother is called Noah.", row=uuid4(), said_at=NOW, doubted_by=elsewhere),
        Held(text="We have moved to Malmö.", row=moved, said_at=NOW + timedelta(days=1)),
    ]
    found = find_answers(question, held, embedder=get_embedder(), language="en", now=NOW + timedelta(days=2))
    assert [(one.text, one.is_doubted) for one in found] == told


def test_how_it_was_before_is_what_was_just_told_with_a_doubt():
    """Where both were told, the past is not looked for elsewhere: what perhaps ended is how it was."""
    moved = uuid4()
    lund = "I go to class 7B and I live in Lund with my mum and my brother Noah"
    malmo = "We have moved to Malmö, so I take the train to school now"
    beside = ["I sing in a band with Mira", "My maths teacher is called Karin", "I like short explanations"]
    held = [
        Held(text=lund, row=uuid4(), said_at=NOW, doubted_by=moved),
        Held(text=malmo, row=moved, said_at=NOW + timedelta(days=1)),
        *(Held(text=text, row=uuid4(), said_at=NOW + timedelta(days=2)) for text in beside),
    ]
    (told,) = find_answers(
        "And where did I live before?",
        held,
        embedder=get_embedder(),
        language="en",
        now=NOW + timedelta(days=3),
        before="Where do I live?",
        replied=f"Here is what I was told: {malmo} {lund}",
    )
    assert (told.text, told.is_doubted) == (lund, False)


def test_what_is_not_told_itself_casts_a_doubt_by_the_kind_of_thing_it_has():
    """ "We have moved to Malmö" is too far from "Where do I live?" to lead; that Lund is told without a doubt would be worse."""
    moved = uuid4()
    lund = "Jag går i klass 7B och bor i Lund med min mamma och min bror Viggo."
    held = [
        Held(text=lund, row=uuid4(), said_at=NOW, doubted_by=moved),
        Held(text="Vi har flyttat till Malmö, så jag tar tåget till skolan nu.", row=moved, said_at=NOW),
    ]
    for question, is_doubted in [("Var bor jag?", True), ("Vad heter min bror?", False)]:
        (told,) = find_answers(question, held, embedder=get_embedder(), language="sv", now=NOW)
        assert (told.text, told.is_doubted) == (lund, is_doubted), question


def test_few_words_are_in_the_language_that_is_being_spoken(people):
    """Not in the person's own, where a conversation has another."""
    row = begin_conversation(people["sv"], now=NOW)
    talk(people["sv"], "Which sport do I play in the afternoons?", "Ok?", conversation=row)
    assert {message.language for message in rows(people["sv"], Message)} == {"en"}


@cases(("language", "question"), [("en", "What do you know about me?"), ("sv", "Vad vet du om mig?")])
def test_who_asks_about_themselves_is_told_some_of_it(people, language, question):
    """Several things, each with its day, as the first word of a conversation and after a greeting."""
    assert reply(people[language], question).count("\n- ") > 1
    assert reply(people[language], "Hej!", question).count("\n- ") > 1


def test_what_one_s_map_says_is_told_of_what_is_asked_about(committed):
    """Of what is named alone, in the map's words, and without the names of what one has not met."""
    concepts = [
        {"id": "diffusion", "name": "Diffusion", "description": "Particles spread, as in osmosis"},
        {"id": "osmosis", "name": "Osmosis", "description": "Water goes through a membrane"},
    ]
    edges = [{"source": "osmosis", "target": "diffusion", "type": "requires"}]
    access = make_access("mira", school=make_school(concepts=concepts, edges=edges))
    explained = reply(access, "What is diffusion?")
    assert "Particles spread" in explained and "osmosis" not in explained.casefold()
    assert "Particles" not in reply(access, "What is my brother called?")


@cases(
    ("language", "asked", "days"),
    [
        ("en", "Plan my week", "I sing with the choir on Thursdays"),
        ("sv", "Planera min vecka", "Jag sjunger i kören på torsdagar"),
    ],
)
def test_a_week_is_planned_around_what_comes_again(people, language, asked, days):
    """What has its days every week stands in it as what has a day of its own does."""
    remember(people[language], days, language=language)
    said = reply(people[language], asked)
    assert days in said and said.index(days) < said.index("1. ")


@cases(
    ("language", "first", "later"),
    [
        ("en", "My maths teacher is called Karin.", "By the way, my maths teacher is called Jonas now."),
        ("sv", "Min mattelärare heter Karin.", "Min mattelärare heter Jonas nu."),
    ],
)
def test_who_tells_that_something_has_changed_is_told_what_was_noted_before(
    committed, language, first, later
):
    """In its own words, so that one sees what it takes the place of."""
    access = make_access(f"vilma-{language}", language=language)
    remember(access, first, language=language)
    quote = PHRASES[language].quote.format(first.rstrip("."))
    said = reply(access, later)
    assert any(way.format(quote=quote) in said for way in PHRASES[language].changed)


@cases("memory_on", [True, False])
def test_what_was_told_a_moment_ago_answers_before_it_is_a_memory(committed, memory_on):
    """A conversation's own words are at hand from the next message on, also while memory is off."""
    access = make_access(f"wilma-{memory_on}")
    told = ("Our new kitten is called Biscuit", "What is our kitten called?")
    said = reply(access, *told, memory_on=memory_on)
    assert "Biscuit" in said


@cases(
    ("said", "question", "answer"),
    [
        ("Remember that the printer code is 4471", "What is the printer code?", "4471"),
        ("Our office has moved to Storgatan 4", "Where is our office?", "Storgatan 4"),
        ("We have hired an accountant, her name is Petra", "Who is Petra?", "accountant"),
        ("Remember that the door code is 4471;no wait, it's 4417", "What is the door code?", "4417"),
        ("Our rent is 15 000 a month;correction: 12 000", "What is our rent?", "12 000"),
    ],
)
def test_what_was_told_a_moment_ago_at_work_answers_before_it_is_a_fact(bo, said, question, answer):
    """The company has not read the conversation yet, and whoever told it has; the last word holds."""
    assert answer in reply(bo, *said.split(";"), question)


def test_what_sounds_like_a_question_is_told_all_the_same(committed):
    """Whose birthday it is and when is told without "I", and asks for nothing."""
    access = make_access("wille")
    assert "lördag" in reply(access, "min lillebror fyller 8 på lördag", "när fyller min lillebror år?")


@cases("memory_on", [True, False])
def test_who_asks_to_be_remembered_is_promised_it_only_where_memory_is_on(committed, memory_on):
    """While it is off nothing is kept, and nothing else is said."""
    access = make_access(f"wilma-{memory_on}")
    said = reply(access, "Please remember that my locker code is 4411", memory_on=memory_on)
    assert any(way in said for way in PHRASES["en"].acknowledge["remember"]) is memory_on
