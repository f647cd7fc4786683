"""The assessment from memory: nothing invented, each line with what it rests on; and snapshots for a teacher."""

import re
from datetime import timedelta

import pytest
from django.urls import reverse

from companion_site.errors import NotFound
from companion_site.vault.scope import space_scope
from memory.student.assessment import is_question
from memory.student.snapshots import share_snapshot
from memory.teaching.snapshots import list_received
from tests.cases import cases
from tests.factories import NOW, make_student
from tests.memory.student.pages.conftest import remember
from tests.memory.student.pages.lived import put_in_class

pytestmark = [pytest.mark.django_db(databases=["default", "metadata"]), pytest.mark.spec("G14")]


@pytest.fixture
def teacher(ada):
    return put_in_class(ada.person, now=NOW)


def parts(browser):
    """Return {kind: [(words, is sure, how many memories)]} as the page shows it."""
    context = browser.get(reverse("memory:progress")).context
    return {
        part["kind"]: [(line["text"], line["is_sure"], len(line["memories"])) for line in part["lines"]]
        for part in context["parts"]
    }


def test_nothing_remembered_is_nothing_assessed(ada, browser):
    """Neither an empty memory nor one of cats and houses makes an assessment."""
    assert "Nothing to tell yet" in browser.get(reverse("memory:progress")).content.decode()
    remember(ada, "My cat is called Moses", "I live in a yellow house", "My best friend is called Amir")
    assert "Nothing to tell yet" in browser.get(reverse("memory:progress")).content.decode()


def test_each_memory_stands_in_its_part_in_its_own_words(ada, browser):
    """Strengths, struggles, goals and open questions; what is part of a life stands in none."""
    remember(ada, "Reading maps comes easily to me", valence=0.5)
    remember(ada, "Recursion is hard for me", valence=-0.5)
    remember(ada, "I want to study law after school", "My cat is called Moses")
    remember(ada, "Why do acids not dissolve glass?")
    assert parts(browser) == {
        "strengths": [("Reading maps comes easily to me", True, 1)],
        "struggles": [("Recursion is hard for me", True, 1)],
        "goals": [("I want to study law after school", True, 1)],
        "questions": [("Why do acids not dissolve glass?", True, 1)],
    }


def test_what_says_nearly_the_same_is_one_line_that_names_both(ada, browser):
    """A line rests on all the memories behind it, and each can be opened."""
    ids = remember(ada, "Fractions are hard for me", "I find fractions very hard", valence=-0.4)
    ((_, _, count),) = parts(browser)["struggles"]
    page = browser.get(reverse("memory:progress")).content.decode()
    assert count == 2 and all(reverse("memory:memory", args=[node]) in page for node in ids)


def test_what_is_not_sure_is_hedged(ada, browser):
    """A memory of low confidence is never said plainly."""
    remember(ada, "Recursion is hard for me", confidence=0.5, valence=-0.4)
    assert parts(browser)["struggles"] == [("Recursion is hard for me", False, 1)]
    assert re.search(r"Perhaps</span>\s*Recursion", browser.get(reverse("memory:progress")).content.decode())


def test_the_category_of_a_memory_is_believed(ada, browser, scoped):
    """Where formation or a person gave one, nothing is voted on."""
    from memory.models import MemoryNode

    (node,) = remember(ada, "Chess")
    scoped(lambda: MemoryNode.objects.for_space(ada.space).filter(pk=node).update(category="strengths"))
    assert parts(browser)["strengths"] == [("Chess", True, 1)]


def test_what_was_worked_on_stands_in_its_week(ada, browser):
    """Lessons and work by the Monday of their week, the last week first."""
    remember(ada, "We worked with angles and triangles today", at=NOW, modality="episodic")
    remember(ada, "Volcanoes and plates", at=NOW + timedelta(days=7), source_kind="lesson")
    weeks = browser.get(reverse("memory:progress")).context["weeks"]
    assert [(str(week["monday"]), [line["text"] for line in week["lines"]]) for week in weeks] == [
        ("2026-03-09", ["Volcanoes and plates"]),
        ("2026-03-02", ["We worked with angles and triangles today"]),
    ]


@cases(
    ("text", "asks"),
    [("Why is the sky blue?", True), ("Jag undrar hur det går till.", True), ("I wonder why", True),
     ("The wonder of it", False), ("I don't understand fractions", False)],
)  # fmt: skip
def test_a_question_is_known_by_its_words(text, asks):
    assert is_question(text) == asks


def shared_form(browser, teacher, **given):
    """Return what the page that shows the text would send."""
    answer = browser.get(
        reverse("memory:share"), {"teacher": teacher.pk, "sections": ["struggles", "goals"], **given}
    )
    return answer, {
        "teacher": teacher.pk, "sections": ["struggles", "goals"], "digest": answer.context["digest"],
    }  # fmt: skip


def test_what_changed_since_it_was_shown_is_shown_again(ada, teacher, browser):
    """Nobody shares words that they have not seen."""
    remember(ada, "Recursion is hard for me", valence=-0.5)
    _, form = shared_form(browser, teacher)
    remember(ada, "I want to study law after school")
    answer = browser.post(reverse("memory:share"), form)
    assert answer.status_code == 409 and "has changed" in answer.content.decode()
    assert "study law" in answer.context["text"] and list_received(teacher) == []


def test_only_teachers_of_ones_own_classes_can_be_shared_with(ada, teacher, browser):
    """Another school's teacher, a student and nonsense are no choice."""
    remember(ada, "Recursion is hard for me", valence=-0.5)
    other = make_student("olga", role="teacher").person
    _, form = shared_form(browser, teacher)
    for wrong in (other.pk, ada.person.pk, "zebra", ""):
        answer = browser.post(reverse("memory:share"), {**form, "teacher": wrong})
        assert answer.status_code == 400 and "field__errors" in answer.content.decode()
    with pytest.raises(NotFound):
        share_snapshot(ada.person, other.pk, text="Hello", now=NOW)


def test_a_teacher_who_has_never_logged_in_cannot_be_reached_yet(ada, teacher, browser):
    """The page says why, and nothing is sent."""
    from companion_site.vault.models import InboxKey

    remember(ada, "Recursion is hard for me", valence=-0.5)
    _, form = shared_form(browser, teacher)
    with space_scope(teacher.space_id):
        InboxKey.objects.for_space(teacher.space_id).delete()
    answer = browser.post(reverse("memory:share"), form)
    assert answer.status_code == 409 and "logged in once" in answer.content.decode()
