"""Which entity somebody means."""

from dataclasses import replace
from uuid import UUID

from memory.student.entities import Known, is_same_name, read_relation, resolve

ONE, TWO, NEW = UUID(int=1), UUID(int=2), UUID(int=9)


def meant(named, *known):
    return resolve(Known(NEW, *named), known)


def test_a_name_is_known_again_in_any_case_and_by_its_first_part():
    """ "noah", "Noah" and "Noah Berg" are one, and what is learned is kept."""
    noah = Known(ONE, "person", "Noah", None)
    assert meant(("person", "noah", None), noah) == noah
    assert meant(("person", "Noah Berg", "brother"), noah) == replace(noah, relation="brother")
    assert not is_same_name("Noa", "Noah")


def test_a_relation_is_known_again_in_the_other_language():
    """ "my brother" and "min bror" are one, and so is "my little brother"; a sister is another."""
    brother = Known(ONE, "person", None, "brother")
    assert meant(("person", None, "bror"), brother).id == ONE
    assert meant(("person", None, "little brother"), brother).id == ONE
    assert meant(("person", None, "sister"), brother).id == NEW


def test_a_name_told_later_belongs_to_whom_was_known_by_the_relation():
    """After "my brother", "my brother Noah" is he; a second brother's name is another's."""
    brother = Known(ONE, "person", None, "brother")
    named = meant(("person", "Noah", "brother"), brother)
    assert named == Known(ONE, "person", "Noah", "brother")
    assert meant(("person", "Elias", "brother"), named).id == NEW


def test_two_of_one_name_are_told_apart_by_what_they_are():
    """ "my cousin Anna" is not "my teacher Anna"; plain "Anna" is the one spoken of last."""
    cousin = Known(ONE, "person", "Anna", "cousin", last=5)
    assert meant(("person", "Anna", "teacher"), cousin).id == NEW
    teacher = Known(TWO, "person", "Anna", "teacher", last=7)
    assert meant(("person", "Anna", None), cousin, teacher).id == TWO
    assert meant(("person", "Anna", "kusin"), cousin, teacher).id == ONE


def test_a_dog_is_not_a_friend_and_a_town_no_person():
    """Kinds part what a name does not."""
    dog = Known(ONE, "animal", "Alma", "dog")
    assert meant(("place", "Alma", None), dog).id == NEW


def test_whose_relative_somebody_is_counts():
    """ "Mira's sister" is not "Noah's sister", nor my own."""
    assert read_relation("Mira's sister") & read_relation("Miras syster")
    assert not read_relation("Mira's sister") & read_relation("Noah's sister")
    assert not read_relation("Mira's sister") & read_relation("sister")
