"""The [COMPANY MEMORY] block: the document's form, its order, its tokens, and nothing that leaves its line."""

import re
from datetime import date, timedelta
from decimal import Decimal
from uuid import uuid4

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion_site.embeddings.service import get_embedder
from companion_site.llm.tokens import estimate_tokens
from companion_site.vault.scope import space_scope
from memory.company.live.statements import find_overruling
from memory.company.params import COMPANY
from memory.company.retrieval.block import (
    CLOSING,
    HEADINGS,
    LINE_LENGTH,
    OPENING,
    InjectedFact,
    company_block,
    fact_line,
    one_line,
)
from memory.company.retrieval.ranking import inject
from memory.company.retrieval.relevance import Relevance, judge_facts
from memory.company.store import put_in_doubt
from memory.models import CompanyFact, CompanyFactVector, Kpi
from memory.querysets import READING_ORDER
from memory.reading.params import READING
from tests.cases import cases
from tests.factories import NOW, make_business_user
from tests.memory.company.audit import rows

pytestmark = pytest.mark.spec("C7")

TEXTS = st.text(alphabet=st.characters(codec="utf-8"), max_size=600)
TOWNS = ("Lund", "Ystad", "Umeå", "Kalmar")
CATEGORIES = st.sampled_from(READING_ORDER)


def line(
    content: str, category: str = "knowledge", *, is_contradicted: bool = False, **overrides
) -> InjectedFact:
    relevance = Relevance(score=1.0, is_contradicted=is_contradicted)
    given = {"category": category, "content": content, "said_on": date(2026, 3, 2), "relevance": relevance}
    return InjectedFact(id=uuid4(), stands=uuid4(), **given, **overrides)


@pytest.fixture
def space(db):
    return make_business_user().company.space_id


def believe(
    space, content: str, category: str = "knowledge", *, days: float = 60, **overrides
) -> CompanyFact:
    """Write a fact that was said some days ago, with its vector."""
    fields = {"confidence": 0.95, "source_message_id": None, **overrides}
    return rows.believe(space, content, at=NOW - timedelta(days=days), category=category, **fields)


def set_figure(space, key: str, value: int) -> None:
    with space_scope(space):
        Kpi.objects.create(
            space_id=space, key=key, value=Decimal(value), as_of=NOW.date(), source="api", updated_at=NOW
        )


def injected(space, message: str = "What do you know about us?", *, language: str = "en", **given):
    embedder = get_embedder()
    vector = embedder.embed([message])[0]
    return inject(space, message, language=language, vector=vector, embedder=embedder, now=NOW, **given)


def contents(injection) -> list[str]:
    return [fact.content for fact in injection.facts]


def test_the_block_has_the_document_s_form():
    """A part for each category that has facts, each fact a line with what to think of it, who said it and when."""
    block = company_block(
        [
            line("Fiscal year Jan-Dec"),
            line("2 employees", overruled_by="Employees = 3"),
            line("Using K2", "decision", is_contradicted=True),
            line("Considering a third employee", "unresolved", is_uncertain=True),
            line("Prefers simple Swedish", "preference", said_by="Bo [ek]"),
        ]
    )
    assert (
        block
        == """[COMPANY MEMORY]
User preferences:
Bo (ek), 2026-03-02:
- Prefers simple Swedish

Open items:
2026-03-02:
- Considering a third employee (uncertain)

Recent decisions:
2026-03-02:
- Using K2 (the message seems to say otherwise)

Company context:
2026-03-02:
- Fiscal year Jan-Dec
- 2 employees (overruled by the live state: Employees = 3)
[END COMPANY MEMORY]"""
    )
    assert company_block([]) == ""


@given(TEXTS | st.sampled_from(["<" * 300, "a" * 900, "a <b> " * 90]), CATEGORIES)
def test_nothing_remembered_can_leave_its_line(text, category):
    """Whatever a fact says, it is one line between the block's own first and last, so long at most, and holds no bracket."""
    block = company_block([line(text, category)])
    lines = block.splitlines()
    assert len(lines) == 5 and lines[0] == OPENING and lines[-1] == CLOSING
    assert lines[1:3] == [HEADINGS[category], "2026-03-02:"] and lines[3].startswith("- ")
    assert not set("[]\uff3b\uff3d") & set(lines[3])
    assert len(one_line(text)) <= LINE_LENGTH


@pytest.mark.spec("C1")
@given(st.lists(st.builds(line, TEXTS, CATEGORIES), max_size=20), st.integers(-10, 2_000))
def test_the_block_never_passes_its_tokens(facts, tokens):
    """Whatever is stored, the block is within its bound, and what was left out is the last given: the least to the point."""
    block = company_block(facts, tokens=tokens)
    assert block == "" or estimate_tokens(block) <= tokens
    written = [text for text in block.splitlines() if text.startswith("- ")]
    assert sorted(written) == sorted(fact_line(fact) for fact in facts[: len(written)])


def test_facts_stand_by_category_and_newest_first(space):
    """Preferences, open items, decisions, knowledge; within each the newest first; no more of them than a request has room for."""
    for number in range(12):
        for category in READING_ORDER:
            believe(space, f"{category} number {number} about us", category, days=number + 1)
    block = injected(space).block()
    assert block.count("\n- ") == COMPANY.most_injected
    headings = [heading for heading in HEADINGS.values() if heading in block]
    assert sorted(headings, key=block.index) == headings
    for part in block.split("\n\n"):
        days = [line for line in part.splitlines() if re.fullmatch(r"\d{4}-\d\d-\d\d:", line)]
        assert days and days == sorted(days, reverse=True)


FIRM = (
    "Our auditor is called Helena Berg",
    "We rent an office on Kyrkogatan in Lund",
    "We report VAT every quarter",
    "Took 120k dividend last year",
    "Leased a Volvo as company car",
    "The bank is SEB, our contact is Nils Ek",
    "Customers have thirty days to pay",
    "Anna is on parental leave until August",
)


@pytest.fixture
def firm(space):
    for number, content in enumerate(FIRM):
        believe(space, content, days=number + 1)
    return space


@pytest.mark.spec("C14")
@cases(
    "message", ["ok thanks", "Good morning, how are you?", "tack så mycket", "hej då", "what is 12 times 7"]
)
def test_a_bland_message_brings_nothing(firm, message):
    """However much is remembered, and whatever of it is preferred or new: nothing was asked for."""
    believe(firm, "Prefers simple explanations", "preference", days=1)
    assert contents(injected(firm, message)) == []


@pytest.mark.spec("C14")
@cases(
    ("message", "content"),
    [
        ("Vem är vår revisor?", FIRM[0]),
        ("Var ligger vårt kontor?", FIRM[1]),
        ("How often do we file VAT?", FIRM[2]),
        ("Can I take a dividend this year?", FIRM[3]),
        ("När är Anna tillbaka?", FIRM[7]),
    ],
)
def test_a_question_brings_the_best_there_is(firm, message, content):
    """In other words and in the other language, however old it is, and nothing is cut."""
    assert content in contents(injected(firm, message))[:3]
    assert f"- {content}" in injected(firm, message).block().splitlines()


def test_a_part_of_a_summary_stands_by_itself(space):
    """A summary is not cut and not shown: each fact that it took in is judged alone, and the summary is confirmed by it."""
    at = {"superseded_at": NOW, "superseded_reason": "summarised"}
    whole = believe(space, "; ".join([*FIRM, *FIRM]), origin="summary")
    above = believe(space, "Everything", origin="annual")
    with space_scope(space):
        CompanyFact.objects.filter(pk=whole.pk).update(superseded_by=above, **at)
    for content in FIRM:
        believe(space, content, superseded_by=whole, **at)
    found = injected(space, "Who is our auditor?")
    assert set(contents(found)) < set(FIRM) and contents(found)[0] == FIRM[0]
    assert len(contents(found)) >= READING.least_matching
    assert found.confirmed in ((), (above.pk,))


@pytest.fixture
def kim(space):
    """A colleague, in a company that knows more of its customers than goes before a message."""
    for number in range(COMPANY.most_injected + 5):
        believe(space, f"The contract with customer {number} ends in May", days=number + 2)
    return make_business_user("kim", display_name="Kim Ask")


def test_who_said_it_is_told_and_their_wishes_go_along(space, kim):
    """How somebody wants things goes before what they ask and what is asked for them by name, whatever else they prefer for the company."""
    wish, asked = "Never use emojis when you write to me", "When does the contract with customer 3 end?"
    believe(space, wish, "preference", said_by=kim)
    assert wish not in contents(injected(space, asked))
    assert f"Kim Ask, 2026-01-01:\n- {wish}\n" in injected(space, asked, asker=kim.pk).block()
    assert wish in contents(injected(space, "Write a line to Kim about the contracts"))
    for number in range(COMPANY.most_wishes + 1):
        believe(space, f"We prefer supplier {number} for steel", "preference", said_by=kim, days=number + 1)
    assert wish in contents(injected(space, asked, asker=kim.pk))


def test_who_asks_about_somebody_is_told_what_was_said_first(space, kim):
    """Where nothing matches, and whether or not every fact has its vector yet. Of the company what anybody said; of themselves what they said."""
    first = believe(space, "Hattie runs Crooked Thumb", days=90)
    believe(space, "Freight goes on account 5710", said_by=kim, days=1)
    with space_scope(space):
        vectors = CompanyFactVector.objects.for_space(space)
        vectors.filter(fact=first).delete()
    assert first.content in contents(injected(space, "What would you tell an intern about us?"))
    with space_scope(space):
        vectors.all().delete()
    told = contents(injected(space, "What do you know about me?", asker=kim.pk))
    assert told[0] == "Freight goes on account 5710"


def test_who_asks_about_the_company_is_told_who_it_is_amid_other_talk(space):
    """Whenever that was said, and however much else is known."""
    who = "We bake sourdough bread in Skövde and are nine people"
    for number in range(30):
        other = f"You really know a lot about {TOWNS[number % len(TOWNS)]} since week {number}"
        believe(space, who if number == 15 else other, days=number + 2)
    assert who in contents(injected(space, "Sum up what you know about our company"))
    assert who in contents(injected(space, "Vad vet du om oss?", language="sv"))


def test_only_what_is_surely_to_the_point_is_quoted_without_a_model(firm):
    """A request may hold a line too many; a reply may not."""
    found = injected(firm, "Who is our auditor?")
    assert found.told[:1] == (FIRM[0],)
    assert len(found.told) < len(found.facts)
    assert all(
        fact.relevance.score >= READING.relevant_in_reply
        for fact in found.facts
        if fact.content in found.told
    )


def test_what_has_faded_is_marked_as_uncertain_and_what_is_over_stays_out(space):
    """Knowledge that nobody has confirmed for long, or that was never sure, is told with a doubt; a decision is not. Expired and
    superseded facts are never put before the model."""
    believe(space, "Rents an office in Lund", days=170)
    believe(space, "Has a deal with Kust AB", confidence=0.5, days=1)
    bank = believe(space, "Main bank is SEB", days=2)
    believe(space, "Thinking of selling the company", "unresolved", expires_at=NOW - timedelta(seconds=1))
    superseded = {"superseded_at": NOW, "superseded_by": bank, "superseded_reason": "contradicted"}
    believe(space, "Main bank is Nordea", **superseded)
    marks = {fact.content: fact.is_uncertain for fact in injected(space).facts}
    assert marks == {
        "Rents an office in Lund": True,
        "Has a deal with Kust AB": True,
        "Main bank is SEB": False,
    }


def test_the_live_state_beats_memory(space, subtests):
    """A fact that gives a live figure another number is marked, with the figure; one that agrees is not.

    Whatever its category; without a model the figure is told in its place.
    """
    set_figure(space, "employees", 3)
    for category in READING_ORDER:
        with subtests.test(category=category):
            with space_scope(space):
                Kpi.objects.for_space(space).update(value=3)
            believe(space, f"We have 2 employees ({category})", category, days=5)
            injection = injected(space)
            assert injection.block().count("overruled by the live state: Employees = 3") == len(
                injection.facts
            )
            assert not any("2 employees" in text for text in injection.told)
            told = injected(space, "Please tell me how many employees we have here").told
            assert told == ("Employees: 3",)
            with space_scope(space):
                Kpi.objects.for_space(space).update(value=2)
            assert "overruled" not in injected(space).block()


def test_what_is_in_doubt_stands_behind_what_was_said_later(space):
    """Both lines are there, the older with its mark; without a model it is told last and as unsure; use does not confirm it."""
    old = believe(space, "Staff meetings are on Mondays", days=50)
    new = believe(space, "Staff meetings have moved to Wednesdays", days=9)
    since = NOW - timedelta(days=9)
    with space_scope(space):
        put_in_doubt(old, by=new, since=since, at=since)
    injection = injected(space, "When are the staff meetings?")
    assert [fact.id for fact in injection.facts] == [new.pk, old.pk]
    assert "Mondays (outdated?)" in injection.block()
    assert injection.told[-1] == old.content and injection.doubted == (old.content,)
    assert old.pk not in injection.confirmed


def test_a_doubt_is_told_where_the_message_asks_for_the_change(space):
    """Beside a question for something else the older fact stands without a mark; it is in doubt all the same, and not confirmed."""
    meetings = believe(space, "Staff meetings are on Mondays", days=50)
    moved = believe(space, "The warehouse is in Borås", days=9)
    for number, text in enumerate(
        (
            "Meetings begin at nine", "Meetings take an hour", "Kim leads the meetings", "Meetings are held in the kitchen",
            "Minutes of meetings are kept by Siv", "Meetings with clients are on Thursdays", "Board meetings are in June",
            "Meetings are short", "Nobody eats in meetings", "Meetings are in English", "Phones are off in meetings",
        )
    ):  # fmt: skip
        believe(space, text, days=20 + number)
    with space_scope(space):
        put_in_doubt(meetings, by=moved, since=NOW - timedelta(days=9), at=NOW - timedelta(days=9))
    injection = injected(space, "On which day are the staff meetings?")
    assert (
        "- Staff meetings are on Mondays\n" in f"{injection.block()}\n"
        and meetings.pk not in injection.confirmed
    )


def test_of_a_summary_the_parts_that_are_asked_for_stand_whole_and_once(space):
    """Each on a line of its own, however long the summary; what stands by itself in the same words too is told once."""
    about = ["insurance", "lease", "payroll", "printing", "cleaning", "freight"]
    parts = [
        f"The {thing} contract is with firm {thing[::-1]} " + f"and covers {thing} work " * 9
        for thing in about
    ]
    believed = [believe(space, part, days=9) for part in parts]
    whole = believe(space, "; ".join(parts)[:880], origin=CompanyFact.Origin.SUMMARY, days=5)
    with space_scope(space):
        facts = CompanyFact.objects.for_space(space).filter(pk__in=[row.pk for row in believed])
        facts.update(superseded_by=whole, superseded_at=NOW, superseded_reason="summarised")
    believe(space, parts[1], days=1)
    lines = injected(space, "Who is our lease contract with?").block().splitlines()
    told = [line for line in lines if line.startswith("- ")]
    assert len(told) == len(parts)
    for part in parts:
        assert told.count(f"- {part.strip()}") == 1


def test_what_surely_answers_is_brought_however_the_message_sounds(space):
    """A question that does not sound like one about oneself brings what answers it; small talk still brings nothing."""
    believe(space, "Uppsägningstiden på lokalen är nio månader", language="sv", days=9)
    believe(space, "Hyran på lokalen är 31 500 kr i månaden", language="sv", days=9)
    asked = "Hur lång är uppsägningstiden för lokalen?"
    assert contents(injected(space, asked, language="sv"))[0].startswith("Uppsägningstiden")
    for bland in ["tack så mycket", "hur stavas lokalen", "vad är 37 gånger 4"]:
        assert (bland, contents(injected(space, bland, language="sv"))) == (bland, [])


def test_a_fact_is_overruled_only_by_a_figure_of_the_same_thing(subtests):
    """A number that a fact gives for what the figure counts, as things are now: in words or digits, in both languages."""
    for content, overruled in [
        ("Has 2 employees", "employees"),
        ("Har två anställda", "employees"),
        ("Antal anställda: 2", "employees"),
        ("Har 3 anställda", None),
        ("Considering hiring a third employee", None),
        ("Kassan är nu ca 120k", "cash"),
        ("The bank balance is 150 000 kr", None),
        ("Omsätter 1,5 mkr", "revenue_year"),
        ("Revenue was 1.2 million in 2024", None),
        ("Has 5 unpaid invoices", "unpaid_invoices"),
        ("Main revenue from consulting (konto 3010)", None),
        ("Owner holds 100% of shares", None),
    ]:
        with subtests.test(content=content, overruled=overruled):
            values = {"employees": 3, "cash": 150_000, "revenue_year": 2_000_000, "unpaid_invoices": 4}
            figures = [Kpi(key=key, value=Decimal(value)) for key, value in values.items()]
            found = find_overruling(content, figures)
            assert (found.key if found else None) == overruled


@pytest.mark.spec("C8")
@cases(
    ("content", "message", "confirmed"),
    [
        ("Took 120k dividend in December", "Can I take a dividend this year too?", True),
        ("Took 120k dividend in December", "What is the weather like tomorrow?", False),
        ("Uses K2 for the annual report", "We have switched to K3 for the annual report", False),
        ("Uses K2 for the annual report", "How do I file the annual report under K2?", True),
    ],
)
def test_what_the_person_speaks_of_is_confirmed(space, content, message, confirmed):
    """A fact that bears on the message is to be confirmed, one that it speaks against is not."""
    fact = believe(space, content, "decision", days=1)
    assert (fact.pk in injected(space, message).confirmed) == confirmed


@pytest.mark.spec("C8")
@cases(
    ("content", "message", "language"),
    [
        ("Uses K2 for the annual report", "actually we switched to K3", "en"),
        ("Har två anställda", "Vi är tre anställda nu", "sv"),
        ("Momsen redovisas kvartalsvis", "Vi redovisar momsen månadsvis numera", "sv"),
        ("Main bank is SEB", "We changed our bank to Handelsbanken", "en"),
    ],
)
def test_what_the_message_speaks_against_is_marked(space, content, message, language):
    """The reply is told what to acknowledge, however old the fact; a question contradicts nothing."""
    believe(space, content, "decision", language=language, days=300)
    assert "(the message seems to say otherwise)" in injected(space, message, language=language).block()
    assert "otherwise" not in injected(space, f"{message}?", language=language).block()


@cases(
    ("message", "confirmed"),
    [
        ("We use K3 for the annual report", False),
        ("We talked about the annual report" + ", and so on" * 40 + ", and K3", True),
        ("> We use K3 for the annual report\n\nHow do I file the annual report?", True),
    ],
)
def test_only_what_the_person_states_shortly_speaks_against_a_fact(message, confirmed):
    """A sentence longer than a fact is not compared with one; a quoted line is nobody's claim, so neither costs time or trust."""
    fact = ("Uses K2 for the annual report", "en")
    embedder = get_embedder()
    (relevance,) = judge_facts(message, "en", [fact], np.array([0.9]), np.array([0.9]), embedder=embedder)
    assert relevance.is_confirmed == confirmed


def test_a_fact_without_a_vector_is_found_by_its_words(space):
    """While vectors of a new model are not there yet, shared words do."""
    fact = believe(space, "Took 120k dividend", "decision", days=200)
    with space_scope(space):
        CompanyFactVector.objects.for_space(space).filter(fact=fact).delete()
    assert contents(injected(space, "Can I take a dividend this year?")) == ["Took 120k dividend"]


def test_another_company_s_facts_are_never_read(space):
    """A company's memory is its own."""
    believe(make_business_user("eve", company="Other AB").company.space_id, "Prefers tea", "preference")
    assert contents(injected(space)) == []
