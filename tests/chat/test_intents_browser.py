"""In a real browser, without a model: somebody asks everything that the companion answers by itself, one after the other."""

from datetime import timedelta
from decimal import Decimal

import pytest
from django.utils import timezone
from playwright.sync_api import Page, expect

from chat.memories.formation import form_all_awaiting
from chat.notebook.days import write_day
from companion_site.accounts.models import School
from companion_site.vault.scope import space_scope
from memory.models import Deadline, Kpi
from overlay.importer import ensure_demo_world
from tests.browsing import IN_A_BROWSER, browse
from tests.chat.talking import believe, remember
from tests.chat.test_quiz import make_pupil
from tests.e2e.pages import await_reply, begin_conversation, say
from tests.factories import make_business_user, make_company_access

pytestmark = [*IN_A_BROWSER, pytest.mark.spec("L3")]

TOLD = {
    "en": (
        "I live in Lund with my mum and my brother Noah.",
        "Mira has a dog called Bosse. I am a little afraid of big dogs, but not of him.",
        "I have a cousin called Beatrix, who is nine.",
        "I play the trumpet in the school band.",
        "I have a biology test on {day}.",
    ),
    "sv": (
        "Jag bor i Lund med min mamma och min bror Viggo.",
        "Mira har en hund som heter Bosse. Jag är lite rädd för stora hundar, men inte för honom.",
        "Jag har en kusin som heter Beatrix och är nio.",
        "Jag spelar trumpet i skolans orkester.",
        "Jag har biologiprov den {day}.",
    ),
}
#: What is said, and words of the reply; `{day}` is the day of the test.
ASKED = {
    "en": (
        ("What is my brother called?", "Noah"),
        ("Where do I live?", "Lund"),
        ("When is my biology test?", "{day}"),
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
        ("När är mitt biologiprov?", "{day}"),
        ("Hur gammal är min kusin Beatrix?", "nio"),
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


def ask(page: Page, text: str, answer: str, *, turn: int) -> None:
    """Say something and find words of the answer in the reply."""
    say(page, text)
    expect(await_reply(page, messages=2 * turn)).to_contain_text(answer)


@pytest.mark.parametrize("language", TOLD)
def test_a_student_is_answered(committed, settings, shared_browser, language):
    """Told facts, days, sums, what changed, what is to be forgotten, what was said, and a quiz."""
    settings.LLM_CHAIN = ["offline"]
    school = School.objects.create(name="Demo School")
    now = timezone.now()
    ensure_demo_world(school, now=now)
    ada = make_pupil(school, "ada", language=language)
    day = write_day(timezone.localdate(now) + timedelta(days=2), language, today=timezone.localdate(now))
    day = " ".join(day.split()[1:])
    for text in TOLD[language]:
        remember(ada, text.format(day=day), language=language, at=now - timedelta(days=1))
    with browse("ada", shared_browser) as page:
        begin_conversation(page)
        for turn, (text, answer) in enumerate(ASKED[language], start=1):
            ask(page, text, answer.format(day=day), turn=turn)
            form_all_awaiting(ada.space, key=ada.key, now=timezone.now())
        assert page.complaints == []


@pytest.mark.spec("C1")
def test_a_company_is_answered(committed, settings, shared_browser):
    """Live figures, deadlines, decisions, who does what, and a share of an amount."""
    settings.LLM_CHAIN = ["offline"]
    bo = make_company_access(make_business_user("bo", language="en"))
    believe(bo, "We decided to rent the office at Storgatan 5 until 2028", category="decision")
    believe(bo, "Siv does the bookkeeping")
    now = timezone.now()
    with space_scope(bo.space):
        booked = {"space_id": bo.space, "source": "admin", "updated_at": now}
        Kpi.objects.create(key="employees", value=Decimal(3), as_of=now.date(), **booked)
        due = timezone.localdate(now) + timedelta(days=5)
        Deadline.objects.create(key="vat", label="VAT return", due_on=due, **booked)
    with browse("bo", shared_browser) as page:
        begin_conversation(page)
        for turn, (text, answer) in enumerate(ASKED_AT_WORK, start=1):
            ask(page, text, answer, turn=turn)
        assert page.complaints == []
