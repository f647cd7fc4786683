"""What a company's people are offered to take up, and what becomes of their answers."""

from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, date, datetime, timedelta

import pytest
from django.db import connection, connections
from django.test.utils import CaptureQueriesContext
from django.utils import translation

from companion_site.errors import InvalidInput, NotFound
from companion_site.ids import new_id
from companion_site.vault.scope import space_scope
from memory.company.params import COMPANY
from memory.company.suggestions.follow_ups import follow_up_of
from memory.company.suggestions.rules import Candidate, find_candidates, find_related
from memory.company.suggestions.services import (
    MOST_QUOTED,
    answer_suggestion,
    message_of_chosen,
    offer_suggestions,
    quote,
    word_candidate,
)
from memory.models import CompanyFact, Deadline, Suggestion
from tests.cases import cases
from tests.factories import NOW, make_business_user
from tests.memory.company.audit import rows

pytestmark = pytest.mark.spec("C10")

TODAY = date(2026, 3, 2)  # a Monday
DAY = timedelta(days=1)


def fact(category: str, content: str, *, days_ago: float = 1, **fields) -> CompanyFact:
    at = NOW - days_ago * DAY
    given = {"id": new_id(), "said_at": at, "confirmed_at": at, **fields}
    return CompanyFact(category=category, content=content, **given)


def deadline(label: str, *, in_days: int) -> Deadline:
    return Deadline(id=new_id(), label=label, due_on=TODAY + in_days * DAY)


def candidates(facts, deadlines=()):
    return find_candidates(facts, deadlines, now=NOW, today=TODAY)


@cases(
    ("days", "confirmed", "offered"),
    [(6.9, 6.9, False), (7.0, 7.0, False), (7.1, 7.1, True), (25, 25, True), (20, 1, False)],
)
def test_an_open_item_is_offered_once_it_is_older_than_seven_days(days, confirmed, offered):
    """Not on the seventh day, but after it; not where it came up again since."""
    item = fact(
        "unresolved", "Funderar på att sälja bolaget", days_ago=days, confirmed_at=NOW - confirmed * DAY
    )
    assert [one.kind for one in candidates([item])] == ["open_item"] * offered


def test_what_a_decision_calls_for_is_told_by_its_kind(subtests):
    """In both languages; a decision against something calls for nothing."""
    for decision, kind in [
        ("Tog 150 000 kr i utdelning 2025-12-15", "dividend"),
        ("Took 120k dividend in December", "dividend"),
        ("Anställde Anna Svensson från 1 november", "hiring"),
        ("Decided to hire a third consultant", "hiring"),
        ("Valde K2, inte K3, för årsredovisningen", "accounting rules"),
        ("Chose K3 instead of K2", "accounting rules"),
        ("Redovisar momsen varje kvartal", "vat period"),
        ("Set up quarterly VAT reporting", "vat period"),
        ("Skickar en betalningspåminnelse till Nordbygg", "late payment"),
        ("Hyr en ny lokal på Storgatan från april", "premises"),
        ("Höjer timpriset till 1 200 kr", "prices"),
        ("Lägger om till brutet räkenskapsår", "financial year"),
        ("Beslutade att inte ta utdelning i år", None),
        ("Decided against hiring", None),
        ("Avvaktar med att anställa", None),
        ("Won't take a dividend this year", None),
        ("Bytte kaffeleverantör", None),
        ("De anställda får julklapp", None),
    ]:
        with subtests.test(decision=decision, kind=kind):
            found = follow_up_of(decision)
            assert (found.key if found else None) == kind


def test_a_follow_up_goes_when_something_later_shows_that_it_was_seen_to(subtests):
    """An older fact, a denial or a mere question shows nothing."""
    for later, offered in [
        (fact("knowledge", "K10 är färdig och inlämnad"), False),
        (fact("decision", "Revisorn gör K10-blanketten"), False),
        (fact("knowledge", "K10 är inte påbörjad"), True),
        (fact("unresolved", "Vill förstå K10 bättre"), True),
        (fact("knowledge", "K10 lämnades förra året", days_ago=200), True),
    ]:
        with subtests.test(later=later, offered=offered):
            decision = fact("decision", "Tog 150 000 kr i utdelning", days_ago=5)
            kinds = [one.kind for one in candidates([decision, later])]
            assert ("follow_up" in kinds) is offered


def test_of_several_decisions_of_one_kind_the_last_is_followed_up_and_an_old_one_never():
    """Two dividends make one K10."""
    old = fact("decision", "Tog 100 000 kr i utdelning", days_ago=60)
    new = fact("decision", "Tog 50 000 kr i utdelning till", days_ago=10)
    assert [one.fact for one in candidates([new, old])] == [new]
    assert candidates([fact("decision", "Tog 100 000 kr i utdelning", days_ago=91)]) == []


def test_a_deadline_is_put_together_with_what_is_about_the_same_matter(subtests):
    """By the matter's words in either language, or by a telling word in common."""
    for label, content, related in [
        ("Momsdeklaration kvartal 1", "Redovisar moms kvartalsvis", True),
        ("VAT return", "Redovisar momsen varje kvartal", True),
        ("Arbetsgivardeklaration", "Anställde Anna Svensson", True),
        ("Årsredovisning till Bolagsverket", "Använder K2", True),
        ("Förnya bolagets domän senast", "Bolaget vill betala senast sista dagen", False),
        ("Avtal med Pixelbyrån", "Hemsidan sköts av Pixelbyrån", True),
        ("Momsdeklaration", "Kontoret ligger i Borås", False),
        ("Betala skatten senast", "Vill betala leverantörer sista dagen", False),
    ]:
        with subtests.test(label=label, content=content):
            found = find_related(deadline(label, in_days=3), [fact("knowledge", content)])
            assert (found is not None) is related


def test_a_decision_is_put_before_a_preference_and_that_before_the_wish_to_be_reminded():
    """The wish to be reminded relates to every deadline, where nothing closer is known."""
    wish = fact("preference", "Vill gärna bli påmind om deadlines i god tid")
    habit = fact("preference", "Vill att momsen förbereds tillsammans")
    decided = fact("decision", "Redovisar moms kvartalsvis", days_ago=80)
    vat = deadline("Momsdeklaration", in_days=3)
    assert find_related(vat, [wish, habit, decided]) is decided
    assert find_related(vat, [wish, habit]) is habit
    assert find_related(vat, [wish]) is wish
    assert find_related(vat, []) is None


def test_a_deadline_is_near_from_seven_days_before_until_its_day(subtests):
    """What is past is no suggestion any more."""
    for days, offered in [(-1, 0), (0, 1), (7, 1), (8, 0)]:
        with subtests.test(days=days, offered=offered):
            found = candidates(
                [fact("decision", "Redovisar moms kvartalsvis", days_ago=200)],
                [deadline("Moms", in_days=days)],
            )
            assert len(found) == offered


def test_what_is_late_soonest_comes_first():
    """A deadline in two days, a registration within a week, an item that expires in ten days. A follow-up is most urgent about its
    time: registering as an employer belongs into the first week; a month later other things come first."""
    item = fact("unresolved", "Sälja bolaget", days_ago=20, expires_at=NOW + 10 * DAY)
    hired = {days: fact("decision", "Anställde Anna Svensson", days_ago=days) for days in (1, 2, 7, 40)}
    vat = fact("decision", "Redovisar moms kvartalsvis", days_ago=200)
    found = candidates([item, hired[2], vat], [deadline("Moms", in_days=2)])
    assert [one.kind for one in found] == ["deadline", "follow_up", "open_item"]
    hurry = {days: candidates([hired[days]])[0].hurry_days for days in hired}
    assert hurry[7] < hurry[1] < hurry[40]


@cases(
    ("text", "quoted"),
    [
        ("Vill  förstå\nK10 bättre.", "Vill förstå K10 bättre"),
        ('Kallar det ”projekt "X"”', "Kallar det 'projekt 'X''"),
        ("ord " * 40, ("ord " * 20).strip() + "…"),
    ],
)
def test_a_fact_is_quoted_on_one_line_shortened_and_without_marks_of_its_own(text, quoted):
    """So that nothing inside can end the quotation."""
    assert quote(text) == quoted
    assert len(quote(text)) <= MOST_QUOTED + 1


def test_an_open_item_says_how_long_ago_it_was_in_calendar_weeks(subtests):
    """Last week is the week before this one, from Monday to Sunday."""
    for language, days, weekday, says in [
        ("en", 8, 0, "A good week ago"),
        ("en", 8, 6, "Last week"),
        ("en", 13, 6, "Last week"),
        ("en", 14, 6, "2 weeks ago"),
        ("en", 27, 2, "3 weeks ago"),
        ("sv", 8, 6, "Förra veckan pratade vi om ”Sälja bolaget”. Vill du fortsätta med det?"),
    ]:
        with subtests.test(language=language, days=days, weekday=weekday):
            item = fact("unresolved", "Sälja bolaget", days_ago=days - weekday)
            one = Candidate(kind="open_item", fact=item, hurry_days=1.0)
            with translation.override(language):
                assert word_candidate(one, today=TODAY + weekday * DAY)[0].startswith(says)


class Company:
    """A company with people, facts and deadlines in its space."""

    def __init__(self) -> None:
        self.bo = make_business_user("bo")
        self.space = self.bo.company.space_id

    def believe(self, category: str, content: str, *, days_ago: float = 10, **fields) -> CompanyFact:
        given = {"language": "sv", "vector": False, **fields}
        return rows.believe(self.space, content, at=NOW - days_ago * DAY, category=category, **given)

    def expect(self, label: str, *, in_days: int) -> Deadline:
        with space_scope(self.space):
            return Deadline.objects.create(
                space_id=self.space,
                key=f"d{in_days}",
                label=label,
                due_on=TODAY + in_days * DAY,
                source="admin",
                updated_at=NOW,
            )

    def offers(self, person=None, *, now: datetime = NOW):
        return offer_suggestions(self.space, person or self.bo, now=now)

    def answer(self, offer, answer: str, person=None, *, now: datetime = NOW) -> str:
        return answer_suggestion(self.space, person or self.bo, offer.id, answer=answer, now=now)

    def rows(self):
        with space_scope(self.space):
            return list(Suggestion.objects.for_space(self.space).order_by("id"))


@pytest.fixture
def company(db) -> Company:
    return Company()


def test_at_most_three_are_offered_and_the_same_again(company):
    """Whoever reloads a page sees what they saw, under the same ids; the others wait until one has been answered."""
    for name in ("K10", "bilen", "lokalen"):
        company.believe("unresolved", f"Osäker på {name}")
    company.believe("decision", "Tog 150 000 kr i utdelning")
    offered = company.offers()
    assert [one.kind for one in offered] == ["follow_up", "open_item", "open_item"]
    assert company.offers(now=NOW + timedelta(hours=1)) == offered
    assert len(company.rows()) == 3
    company.answer(offered[0], "dismissed")
    assert len(company.offers()) == 3
    assert len(company.rows()) == 4


def test_what_one_person_dismisses_is_still_offered_to_another(company):
    """Answers are each person's own; the memory is shared."""
    siv = make_business_user("siv", company=company.bo.company)
    company.believe("unresolved", "Funderar på att sälja bolaget")
    (offer,) = company.offers()
    company.answer(offer, "dismissed")
    assert company.offers() == [] and company.offers(now=NOW + 18 * DAY) == []
    assert len(company.offers(siv)) == 1


def test_what_was_put_off_comes_back_after_its_time_and_not_before(company):
    """And can be put off again."""
    company.believe("unresolved", "Funderar på att sälja bolaget")
    (offer,) = company.offers()
    company.answer(offer, "snoozed")
    until = NOW + COMPANY.snooze
    assert company.offers(now=until - timedelta(seconds=1)) == []
    (again,) = company.offers(now=until)
    assert again.id == offer.id
    (row,) = company.rows()
    assert (row.state, row.offered_at, row.snoozed_until) == ("offered", until, None)
    company.answer(again, "snoozed", now=until)
    assert company.offers(now=until + DAY) == []


def test_an_answer_given_while_a_page_opens_stands(committed):
    """Who said in another tab that they want no more of it is not asked again."""
    company = Company()
    company.believe("unresolved", "Funderar på att sälja bolaget")
    (offer,) = company.offers()
    company.answer(offer, "snoozed")
    until = NOW + COMPANY.snooze

    def dismiss() -> None:
        try:
            company.answer(offer, "dismissed", now=until)
        finally:
            connections.close_all()

    def dismiss_first(execute, sql, params, many, context):
        if sql.startswith('UPDATE "company_suggestion"'):
            with ThreadPoolExecutor(1) as other:
                other.submit(dismiss).result()
        return execute(sql, params, many, context)

    with connection.execute_wrapper(dismiss_first):
        company.offers(now=until)
    assert [row.state for row in company.rows()] == ["dismissed"]


def test_what_is_chosen_becomes_a_message_and_an_item_left_open_comes_back_after_a_week(company):
    """A follow-up, once chosen, does not."""
    company.believe("unresolved", "Funderar på att sälja bolaget")
    company.believe("decision", "Tog 150 000 kr i utdelning")
    offers = {one.kind: one for one in company.offers()}
    with translation.override("en"):
        message = company.answer(offers["open_item"], "chosen")
        assert message == "I would like to go on with what we talked about: “Funderar på att sälja bolaget”."
        assert message == message_of_chosen(company.space, company.bo, offers["open_item"].id, now=NOW)
        assert "K10" in company.answer(offers["follow_up"], "chosen")
    assert company.offers() == []
    later = NOW + COMPANY.open_item_after + timedelta(seconds=1)
    assert [one.kind for one in company.offers(now=later)] == ["open_item"]


@cases("reason", ["restated", "renewed", "summarised", "undone"])
def test_an_item_that_was_dismissed_stays_away_in_the_row_that_took_its_place(company, reason):
    """It is the same item, however often it is said again, and in the row that undoing makes of the same words."""
    text = "Funderar på att sälja bolaget"
    old = company.believe("unresolved", text, days_ago=20)
    company.answer(company.offers()[0], "dismissed")
    if reason == "undone":
        middle = company.believe("decision", "Säljer inte bolaget", days_ago=12)
        rows.supersede(old, middle, reason="resolved")
        new = company.believe("unresolved", text, days_ago=10, restores=old)
    else:
        middle = company.believe("unresolved", "Vill kanske sälja bolaget", days_ago=15)
        rows.supersede(old, middle, reason=reason)
        new = company.believe("unresolved", "Överväger att sälja hela bolaget", days_ago=10)
    rows.supersede(middle, new, reason=reason)
    assert company.offers() == []


@cases("reason", ["contradicted", "resolved"])
def test_what_is_no_longer_believed_is_not_offered_and_its_chip_says_nothing(company, reason):
    """Whoever clicks on a page that is behind gets no message about what has changed."""
    old = company.believe("unresolved", "Funderar på att sälja bolaget")
    (offer,) = company.offers()
    rows.supersede(old, company.believe("knowledge", "Bolaget säljs inte", days_ago=1), reason=reason)
    assert company.offers() == []
    assert company.answer(offer, "chosen") == ""


def test_a_deadline_that_was_dismissed_stays_away_whatever_else_relates_to_it(company):
    """The item is the deadline, not the fact it was put together with; the next one is another item."""
    company.believe("decision", "Redovisar moms kvartalsvis", days_ago=200)
    vat = company.expect("Momsdeklaration", in_days=3)
    (offer,) = company.offers()
    company.answer(offer, "dismissed")
    company.believe("decision", "Siv förbereder momsen", days_ago=0.5)
    assert company.offers() == []
    with space_scope(company.space):
        Deadline.objects.for_space(company.space).filter(pk=vat.pk).update(done_at=NOW)
    company.expect("Momsdeklaration", in_days=6)
    assert len(company.offers()) == 1


def test_what_expired_or_is_past_is_neither_offered_nor_taken_up(company):
    """The chip of a page left open over night says nothing, of an open item as of a deadline."""
    company.believe("unresolved", "Funderar på att sälja bolaget", expires_at=NOW + DAY)
    company.believe("decision", "Redovisar moms kvartalsvis", days_ago=200)
    company.expect("Momsdeklaration", in_days=0)
    offers, tomorrow = company.offers(), NOW + DAY
    assert [one.kind for one in offers] == ["deadline", "open_item"]
    assert company.offers(now=tomorrow) == []
    assert [company.answer(offer, "chosen", now=tomorrow) for offer in offers] == ["", ""]


def test_only_whom_it_was_offered_can_answer(company):
    """A colleague's suggestion, one of another company and an invented one look the same: not there."""
    siv = make_business_user("siv", company=company.bo.company)
    eve = make_business_user("eve", company="Other AB")
    company.believe("unresolved", "Funderar på att sälja bolaget")
    (offer,) = company.offers()
    with pytest.raises(NotFound):
        company.answer(offer, "dismissed", siv)
    with pytest.raises(NotFound):
        answer_suggestion(eve.company.space_id, eve, offer.id, answer="dismissed", now=NOW)
    assert message_of_chosen(company.space, siv, offer.id, now=NOW) == ""
    with pytest.raises(InvalidInput):
        company.answer(offer, "offered")
    assert company.rows()[0].state == "offered"


def test_the_queries_do_not_grow_with_the_memory(company):
    """Whether one fact is believed or two hundred, and whether they were offered before."""

    def cost() -> int:
        with CaptureQueriesContext(connection) as seen:
            company.offers()
        return len(seen)

    company.believe("unresolved", "Funderar på att sälja bolaget")
    company.offers()
    small = cost()
    for number in range(200):
        company.believe("unresolved", f"Osäker på fråga {number}", days_ago=10 + number / 100)
        company.expect(f"Moms {number}", in_days=number % 7) if number < 7 else None
    first, again = cost(), cost()
    assert again == small and first <= small + 4


@pytest.mark.spec("C14")
@cases(
    ("language", "text"),
    [
        ("sv", "”Sälja 5 %(fact)s {x} %d %?”. Vill du fortsätta med det?"),
        ("en", "“Sälja 5 %(fact)s {x} %d %?”. Would you like to go on with it?"),
    ],
)
def test_a_suggestion_is_in_the_language_of_the_page(company, language, text):
    """The words around what was said are the reader's; what was said stays as it was, and is never a pattern."""
    company.believe("unresolved", "Sälja 5 %(fact)s {x} %d %?", days_ago=8)
    with translation.override(language):
        (offer,) = company.offers()
    assert offer.text.endswith(text) and "5 %(fact)s {x} %d %?" in offer.message


def test_now_is_local_where_days_are_counted(company):
    """At half past eleven in the evening in UTC it is the next day in Sweden: a deadline of that day is due today."""
    company.believe("decision", "Redovisar moms kvartalsvis", days_ago=200)
    company.expect("Momsdeklaration", in_days=1)
    with translation.override("en"):
        (offer,) = company.offers(now=datetime(2026, 3, 2, 23, 30, tzinfo=UTC))
    assert "due today" in offer.text


def test_of_a_summary_its_last_part_on_the_matter_is_quoted():
    """The parts before it may be over; what a person said stays whole."""
    told = "Demo AB reports VAT once a year; Demo AB reports VAT every quarter; Demo AB pays Bo 100,000 kr"
    due = deadline("VAT return", in_days=3)
    whole = fact("decision", told)
    summary = fact("decision", told, origin=CompanyFact.Origin.SUMMARY)
    said = [
        word_candidate(Candidate(kind="deadline", fact=one, deadline=due, hurry_days=3.0), today=TODAY)[0]
        for one in (whole, summary)
    ]
    assert "once a year" in said[0]
    assert "every quarter" in said[1] and "once a year" not in said[1] and "100,000" not in said[1]
