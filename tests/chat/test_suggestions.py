"""The chips over the text box: who sees them, and what answering them does, with and without scripts."""

from datetime import timedelta

import pytest
from django.test import Client
from django.utils import timezone

from chat.models import Conversation
from companion_site.accounts.services import switch_memory
from companion_site.ids import new_id
from companion_site.vault.scope import space_scope
from memory.models import Deadline, Suggestion
from tests.cases import cases
from tests.factories import make_business_user, make_student
from tests.live import logged_in, new_conversation, page_of
from tests.memory.company.audit import rows

pytestmark = [pytest.mark.django_db, pytest.mark.spec("C10")]

ITEM = "Funderar på att sälja bolaget"


def believe(space, content=ITEM, *, category="unresolved", days_ago=10):
    at = timezone.now() - timedelta(days=days_ago)
    return rows.believe(space, content, at=at, category=category, language="sv", vector=False)


def suggestions_of(person):
    space = person.company.space_id
    with space_scope(space):
        return list(Suggestion.objects.for_space(space).filter(person=person))


def address(conversation, suggestion):
    return f"/chat/{conversation}/suggestions/{suggestion.pk}/"


@pytest.fixture
def bo():
    return make_business_user("bo", language="sv")


@pytest.fixture
def browser(bo) -> Client:
    return logged_in("bo")


@pytest.fixture
def row(bo, browser, conversation) -> Suggestion:
    """What the page of the conversation offers."""
    believe(bo.company.space_id)
    page_of(browser, conversation)
    (row,) = suggestions_of(bo)
    return row


def test_the_chips_stand_over_the_text_box_and_no_message_does(bo, browser, conversation):
    """They are offered, never said: the conversation itself stays empty."""
    believe(bo.company.space_id)
    page = page_of(browser, conversation)
    assert page.index("data-suggestions") < page.index("data-composer")
    assert ITEM in page and "data-empty" in page and 'class="message ' not in page.split("<template")[0]


def test_without_anything_to_take_up_nothing_stands_there(browser, conversation):
    """Neither a heading nor a script."""
    assert "suggestions" not in page_of(browser, conversation).replace('class="suggestions"', "")


def test_a_chosen_one_stands_in_the_text_box_of_a_page_without_scripts(bo, browser, conversation, row):
    """The form brings the person back with the words in the box, still theirs to change or to send."""
    answer = browser.post(address(conversation, row), {"answer": "chosen"})
    assert answer.status_code == 302 and ITEM not in answer.url
    page = browser.get(answer.url.split("#")[0]).content.decode()
    assert ITEM in page.split("<textarea")[1].split("</textarea>")[0]
    assert "data-suggestions" not in page
    assert suggestions_of(bo)[0].state == "chosen"


@cases("given", ["snoozed", "dismissed"])
def test_one_put_off_or_dismissed_goes_without_a_word(bo, browser, conversation, row, given):
    """Nothing is put into the box."""
    answer = browser.post(address(conversation, row), {"answer": given})
    assert answer.url == f"/chat/{conversation}/"
    assert ITEM not in page_of(browser, conversation)
    assert suggestions_of(bo)[0].state == given


def test_a_page_with_scripts_is_told_the_message(browser, conversation, row):
    """And goes nowhere."""
    ask = {"answer": "chosen"}
    answer = browser.post(address(conversation, row), ask, headers={"accept": "application/json"})
    assert ITEM in answer.json()["message"]


def test_strangers_find_nothing(bo, browser, conversation, row):
    """A colleague, another company's user and a student get what a made-up id gets; nobody's answer is changed."""
    make_business_user("siv", company=bo.company)
    make_business_user("eve", company="Other AB")
    make_student("ada")
    for name in ("siv", "eve", "ada"):
        other = logged_in(name)
        theirs = new_conversation(other)
        for place in (conversation, theirs):
            answer = other.post(address(place, row), {"answer": "dismissed"})
            assert answer.status_code == 404, (name, place)
        assert ITEM not in other.get(f"/chat/{theirs}/?suggestion={row.pk}").content.decode() or name == "siv"
    assert ITEM not in page_of_box(logged_in("siv"), row)
    assert Client().post(address(conversation, row), {"answer": "dismissed"}).status_code in (302, 403)
    row.pk = new_id()
    assert browser.post(address(conversation, row), {"answer": "dismissed"}).status_code == 404
    assert [one.state for one in suggestions_of(bo)] == ["offered"]


def page_of_box(browser, row) -> str:
    page = browser.get(f"/chat/{new_conversation(browser)}/?suggestion={row.pk}").content.decode()
    return page.split("<textarea")[1].split("</textarea>")[0]


def test_an_answer_that_is_none_is_refused(bo, browser, conversation, row):
    """Only the three answers count, by POST alone."""
    assert browser.get(address(conversation, row)).status_code == 405
    assert browser.post(address(conversation, row), {"answer": "offered"}).status_code == 400
    assert suggestions_of(bo)[0].state == "offered"


@cases("of", ["person", "conversation"])
def test_with_memory_off_nothing_is_answered(bo, browser, conversation, row, of):
    """A page that was open before cannot answer what is no longer offered; on again, it waits as it was."""
    switch(bo, conversation, of, on=False)
    for given in ("chosen", "snoozed", "dismissed"):
        answer = browser.post(address(conversation, row), {"answer": given})
        assert answer.status_code == 404 and ITEM not in answer.content.decode()
    assert suggestions_of(bo)[0].state == "offered"
    switch(bo, conversation, of, on=True)
    assert browser.post(address(conversation, row), {"answer": "chosen"}).status_code == 302


def switch(person, conversation, of, *, on):
    """Switch the memory of a person, or of one conversation."""
    if of == "person":
        switch_memory(person, on=on, key=None, now=timezone.now())
        return
    with space_scope(person.company.space_id):
        rows = Conversation.objects.for_space(person.company.space_id)
        rows.filter(pk=conversation).update(memory_on=on)


def test_what_a_fact_says_is_text(bo, browser, conversation):
    """Markup in it is shown, not obeyed, in the chip and in the box."""
    believe(bo.company.space_id, "Undrar över <script>alert(1)</script></textarea> på hemsidan")
    page = page_of(browser, conversation)
    (row,) = suggestions_of(bo)
    browser.post(address(conversation, row), {"answer": "chosen"})
    page += browser.get(f"/chat/{conversation}/?suggestion={row.pk}").content.decode()
    assert "<script>alert" not in page and page.count("&lt;script&gt;alert") == 2


def test_a_deadline_that_is_near_is_offered_with_what_was_decided(bo, browser, conversation):
    """Both are named."""
    believe(bo.company.space_id, "Redovisar moms kvartalsvis", category="decision", days_ago=200)
    with space_scope(bo.company.space_id):
        Deadline.objects.create(
            space_id=bo.company.space_id,
            key="vat",
            label="Momsdeklaration",
            due_on=timezone.localdate() + timedelta(days=3),
            source="admin",
            updated_at=timezone.now(),
        )
    page = page_of(browser, conversation)
    assert "Momsdeklaration" in page and "Redovisar moms kvartalsvis" in page


def test_an_address_with_a_broken_id_shows_the_page(browser, conversation):
    """Whatever stands behind the question mark."""
    for wrong in ("x", "", str(new_id())):
        assert browser.get(f"/chat/{conversation}/?suggestion={wrong}").status_code == 200


def test_students_are_offered_nothing():
    """Their memory is their own, and asks nothing."""
    make_student("ada")
    browser = logged_in("ada")
    assert "data-suggestions" not in page_of(browser, new_conversation(browser))


@pytest.mark.spec("C14")
def test_an_empty_conversation_speaks_of_the_company_to_its_people_and_of_studies_to_students(
    browser, conversation
):
    """Nobody is offered what is not theirs to do."""
    make_student("ada")
    student = logged_in("ada")
    begun = new_conversation(student)
    of_business, of_study = "skillnaden mellan K2 och K3", "recursion"
    assert of_business in page_of(browser, conversation) and of_study not in page_of(browser, conversation)
    assert of_study in page_of(student, begun) and "K2 and K3" not in page_of(student, begun)
