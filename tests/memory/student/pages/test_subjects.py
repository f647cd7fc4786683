"""What facts are about: the entities that they mention, as the pages show them."""

import pytest

from companion_site.vault import unlocked
from memory.student.corrections import forget_memory
from memory.student.pages.about_me import hubs_of
from memory.student.pages.picture import current_set
from memory.student.pages.selectors import find_subjects
from tests.factories import NOW
from tests.memory.student.pages.conftest import remember

pytestmark = [pytest.mark.django_db, pytest.mark.spec("G2", "G13")]


def subjects_of(access, *ids):
    """Return what each memory is about, as (kind, name, relation)."""
    with unlocked(access.space, access.key):
        found = find_subjects(current_set(access.space))
    return [[(one.kind, one.name, one.relation) for one in found.get(node, ())] for node in ids]


def test_a_fact_is_about_whom_it_tells_something_of_first(ada):
    """Before whom it involves, and that before where it takes place; one that names nobody is about nothing."""
    ids = remember(ada, "My brother Noah met Mira at the station in Malmö", "I am vegan")
    about, nothing = subjects_of(ada, *ids)
    assert about == [("person", "Noah", "brother"), ("person", "Mira", ""), ("place", "Malmö", "")]
    assert nothing == []


def test_who_has_no_name_is_called_by_what_they_are(ada):
    """With a capital, as a heading."""
    (told,) = subjects_of(ada, *remember(ada, "My sister lives far away"))
    assert told == [("person", "Sister", "")]


def test_an_address_has_no_word_of_whom_it_names(ada):
    """Names stand in no address, so in no log of any proxy."""
    remember(ada, "My brother Noah plays the drums")
    with unlocked(ada.space, ada.key):
        (hub, *_) = hubs_of(ada.space)
    assert "noah" not in hub.key.casefold() and len(hub.key) == 36


def test_what_is_forgotten_is_about_nobody(ada):
    """A memory that does not hold any more stands under none."""
    (node,) = remember(ada, "My brother Noah plays the drums")
    with unlocked(ada.space, ada.key):
        forget_memory(ada.space, node, now=NOW, actor=ada.person)
        assert hubs_of(ada.space) == []
