"""A company's plain questions are answered by whole turns without a model: from its books, its facts, and what they took the place of."""

from datetime import timedelta
from decimal import Decimal

import pytest

from memory.company.live.entries import DeadlineEntry, KpiEntry
from memory.company.live.services import set_state
from memory.models import CompanyFact, Kpi
from tests.cases import cases
from tests.chat.talking import change_rows, reply
from tests.factories import NOW, make_business_user, make_company_access
from tests.memory.company.audit.rows import believe

pytestmark = pytest.mark.spec("L3")

FIGURES = {
    "employees": 3,
    "cash": 412_300,
    "overdue_invoices": 1,
    "overdue_invoices_amount": 48_750,
    "vat_due": 73_120,
}
#: An answer is told among others.
OTHERS = (
    "Nordbygg är Demo AB:s största kund",
    "Siv sköter bokföringen i Demo AB",
    "Räkenskapsåret är kalenderåret",
    "Bokföringen följer BAS-kontoplanen",
    "Demo AB är ett konsultbolag i Borås som hjälper byggföretag med projektledning",
    "Bo äger 100 procent av aktierna i Demo AB",
)
DEADLINES = {"vat_return": 3, "employer_return": 10, "annual_report": -4}


@pytest.fixture
def bo(committed):
    access = make_company_access(make_business_user())
    today = NOW.date()
    figures = [KpiEntry(key=key, value=Decimal(value), as_of=today) for key, value in FIGURES.items()]
    deadlines = [
        DeadlineEntry(key=key, due_on=today + timedelta(days=days)) for key, days in DEADLINES.items()
    ]
    set_state(access.space, figures, deadlines, source=Kpi.Source.ADMIN, now=NOW, actor=access.person)
    return access


def told(access, content: str, *, days_ago: int, category: str = "knowledge", **given) -> CompanyFact:
    """Have a company told something in Swedish so many days ago."""
    given = {"language": "sv", "confidence": 0.95, "category": category, **given}
    return believe(access.space, content, at=NOW - timedelta(days=days_ago), **given)


def tell_others(access) -> None:
    for days_ago, content in enumerate(OTHERS, 30):
        told(access, content, days_ago=days_ago)


@cases(
    ("question", "answer"),
    [
        ("When is VAT due?", "VAT return: due on Thursday 5 March, in 3 days"),
        ("När ska momsen in?", "Momsdeklaration: senast torsdag 5 mars, om 3 dagar"),
        ("How much VAT do we owe?", "VAT to pay: 73,120 SEK"),
        ("How many people work for us?", "Employees: 3"),
        ("How many employees do we have?", "Employees: 3"),
        ("Vad har vi i kassan?", "Kassa och bank: 412 300 SEK"),
        ("Hur mycket pengar har vi i kassan?", "Kassa och bank: 412 300 SEK"),
        ("Vilka fakturor är förfallna?", "Förfallna kundfakturor: 1, sammanlagt 48 750 SEK"),
    ],
)
def test_the_books_answer_what_they_are_asked_by_name(bo, question, answer):
    """In the language of the question, with what is counted what it comes to, and of a deadline its day."""
    assert answer in reply(bo, question)


@cases(
    "question",
    [
        "How much VAT did we pay last year?",
        "How many employees did we have last year?",
        "We have four employees",
        "What is a dividend?",
        "How many invoices did we send in October?",
        "What is the VAT rate on food?",
        "Hur mycket moms betalade vi i fjol?",
        "Vilken moms är det på mat?",
    ],
)
def test_the_books_do_not_answer_what_is_only_near(bo, question):
    """Another time, another number or a rule of law is not what stands in the books; nor is anything where nothing is asked."""
    said = reply(bo, question)
    assert "73" not in said and "48" not in said and "Employees" not in said


@cases("question", ["What deadlines are coming up?", "Vilka tidsfrister har vi framför oss?"])
def test_what_is_due_is_told_in_order(bo, question):
    """What is overdue first and named so, then the soonest."""
    lines = [line for line in reply(bo, question).splitlines() if line.startswith("- ")]
    days = [next(day for day in ("26 ", "5 ", "12 ") if f" {day}" in line) for line in lines]
    assert days == ["26 ", "5 ", "12 "] and ("overdue" in lines[0] or "försenad" in lines[0])


def test_what_took_the_place_of_another_answers_with_its_day_and_what_was_before(bo):
    """Now, since when, and before: the facts themselves tell which is which, though no row says so."""
    tell_others(bo)
    told(bo, "Betalningstiden på fakturorna är 30 dagar", days_ago=38)
    told(bo, "Betalningstiden på fakturorna är 15 dagar", days_ago=9)
    asked = ("Vilken betalningstid har vi på fakturorna?", "Sedan när?")
    now, since = reply(bo, *asked[:1]), reply(bo, *asked)
    before = reply(bo, asked[0], "Vad var den innan?")
    assert "15 dagar" in now and "30 dagar" not in now
    assert "15 dagar" in since and "21 februari" in since
    assert "30 dagar" in before and "Så var det till lördag 21 februari" in before


def test_a_superseded_decision_is_history(bo):
    """What a row says was replaced is told with the day until which it was so."""
    later = told(bo, "Our auditor is called Helena Berg", days_ago=10)
    earlier = told(bo, "Our auditor is called Karl Lind", days_ago=40)
    ended = {"superseded_by": later, "superseded_at": later.said_at, "superseded_reason": "contradicted"}
    change_rows(bo, CompanyFact, {"pk": earlier.pk}, **ended)
    said = reply(bo, "Who was our auditor before?")
    assert "Karl Lind" in said and "until Friday 20 February" in said


def test_whoever_asks_about_themselves_is_told_nothing_that_another_says_of_themselves(bo, subtests):
    """What they said themselves, and what names them; another's "my" is not theirs."""
    bo.person.display_name = "Bo Ek"
    siv = make_business_user("siv", company=bo.person.company, display_name="Siv Berg")
    tell_others(bo)
    for content in ("Min lön är 34 000 och jag har ont i ryggen", "I live next to the office"):
        told(bo, content, days_ago=5, said_by=siv)
    told(bo, "BAS-kontot för frakt är 5710", days_ago=4, said_by=bo.person)
    asked = {
        "Vad vet du om mig?": ("BAS-kontot", "Bo äger 100 procent"),
        "Vad har jag berättat?": (),
        "Vad är min lön?": (),
        "What do you know about me?": ("BAS-kontot",),
    }
    for question, expected in asked.items():
        with subtests.test(question):
            said = reply(bo, question)
            assert all(part in said for part in expected)
            assert all(
                part not in said for part in ("34 000", "next to", "har jag från dig", "have from you")
            )
            assert "Nordbygg" not in said


def test_what_another_says_of_themselves_is_told_with_their_name(bo):
    """One or several: without a name it would be taken for the asker's own."""
    siv = make_business_user("siv", company=bo.person.company, display_name="Siv Berg")
    tell_others(bo)
    told(bo, "Jag har ansvar för lönerna i Demo AB", days_ago=5, said_by=siv)
    said = reply(bo, "Vem har ansvar för lönerna?")
    assert "Jag har ansvar för lönerna i Demo AB" in said and "Det sade Siv Berg." in said


def test_facts_in_the_other_language_are_found_by_their_terms(bo):
    """What a company calls its affairs in one language is known in the other."""
    tell_others(bo)
    told(bo, "Lönen betalas ut den 25 varje månad", days_ago=10, category="decision")
    told(
        bo,
        "Siv och Bo funderar på brutet räkenskapsår från maj till april",
        days_ago=5,
        category="unresolved",
    )
    assert "kalenderåret" in reply(bo, "What is our fiscal year?")
    assert "maj till april" in reply(bo, "What is our fiscal year?", "Is anything about that undecided?")
    assert "den 25" in reply(bo, "On which day of the month is the salary paid out?")


def test_all_decisions_are_told_where_no_matter_is_named(bo, subtests):
    """The last first, and nothing that is only known or still open."""
    told(bo, "Demo AB delar ut 100 000 kr till Bo i utdelning", days_ago=66, category="decision")
    told(bo, "Demo AB byter bank till Marginalen", days_ago=16, category="decision")
    told(bo, "Demo AB har två anställda", days_ago=30, category="knowledge")
    told(bo, "Bo funderar på att ta utdelning i år", days_ago=20, category="unresolved")
    for asked in ("What are our decisions?", "What have we decided?", "Vilka beslut har vi?"):
        with subtests.test(asked=asked):
            said = reply(bo, asked)
            assert 0 < said.find("Marginalen") < said.find("100 000 kr")
            assert "anställda" not in said and "funderar" not in said


def test_what_is_told_is_set_beside_nothing_that_is_about_something_else(bo):
    """That one changed auditor does not tell which rules one had chosen, however alike the two sound to the reader."""
    told(bo, "Valde K2 för årsredovisningen i stället för K3", days_ago=27, category="decision")
    assert "K2" not in reply(bo, "We changed auditor to Karin Ek")


def test_decisions_are_told_by_their_matter_and_advice_is_not_given(bo):
    """What was decided on something comes with its days; what to do stands in no memory."""
    told(bo, "Demo AB delar ut 100 000 kr till Bo i utdelning", days_ago=66, category="decision")
    told(bo, "Demo AB tar en extra utdelning på 50 000 kr", days_ago=16, category="decision")
    told(bo, "Bo funderar på att ta utdelning i år", days_ago=20, category="unresolved")
    said = reply(bo, "Vad har vi bestämt om utdelning?")
    assert "100 000" in said and "50 000" in said and "funderar" not in said
    assert "“" not in reply(bo, "What did we decide about the office?")
    assert "“" not in reply(bo, "Should I take salary or dividend next year?").replace("\n", "")
