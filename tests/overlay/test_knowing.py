"""How a concept becomes known, and that it stays so: opened, introduced, or brought up by the student."""

from dataclasses import replace
from datetime import timedelta

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from companion_site.accounts.models import ClassMembership, Person, School, SchoolClass
from companion_site.audit.services import find_breaks
from companion_site.errors import InvalidInput, MessageTooLong, NotFound, SpaceLocked
from companion_site.ids import new_id
from companion_site.vault import unlocked
from companion_site.vault.scope import space_scope
from overlay.lines import overlay_lines
from overlay.models import KnownConcept, Opening
from overlay.params import PARAMS
from overlay.selectors import find_discovered, load_known
from overlay.services import (
    close_opening,
    known_concepts,
    learn_from_text,
    open_concept,
    set_opinion,
    take_over_openings,
)
from overlay.worlds import worlds
from tests.audit.record import actions, events
from tests.factories import NOW, make_access, make_student
from tests.overlay.building import id_of, ids_of, make_school, named, take_world
from tests.racing import at_once

pytestmark = pytest.mark.spec("G10")

TEACHER, LESSON = Opening.How.TEACHER, Opening.How.LESSON
LATER = NOW + timedelta(days=1)


def known(access, at=LATER):
    return known_concepts(access.person, access.space, now=at)


def take_over(access, at=LATER):
    return take_over_openings(access.person, access.space, now=at)


def learn(access, text, at=LATER):
    return learn_from_text(access.person, access.space, text, now=at)


def opened_for_class(school_class, concept, at=NOW):
    return open_concept(school_class, concept, by=None, how=TEACHER, now=at)


def test_opening_twice_is_opening_once(school, school_class, world):
    """The standing opening is returned; after it was taken back a new one is made."""
    arch = id_of(world, "arch")
    first = opened_for_class(school_class, arch)
    assert opened_for_class(school_class, arch).pk == first.pk
    close_opening(school_class, first.pk, by=None, now=LATER)
    with pytest.raises(NotFound):
        close_opening(school_class, first.pk, by=None, now=LATER + timedelta(days=1))
    assert opened_for_class(school_class, arch).pk != first.pk
    with space_scope(school.world_space_id):
        closed = Opening.objects.for_space(school.world_space_id).get(pk=first.pk).closed_at
    assert closed == LATER
    told = actions(school.world_space_id)
    assert (told.count("overlay.concept_opened"), told.count("overlay.opening_closed")) == (2, 1)


def test_strangers_are_turned_away(school, school_class, unsealed, world):
    """Another school's concept, class or student, and a teacher: none is opened anything."""
    south = make_school("South")
    foreign_class = SchoolClass.objects.create(school=south, name="7B")
    foreigner = make_student("eve", school=south).person
    teacher = make_student("tove", school=school, role=Person.Role.TEACHER).person
    arch, foreign = id_of(world, "arch"), id_of(worlds.get(south.world_space_id), "arch")
    bare = School.objects.create(name="West")
    its_class = SchoolClass.objects.create(school=bare, name="1A")
    for reader, concept in (
        (school_class, foreign),
        (school_class, new_id()),
        (foreign_class, arch),
        (foreigner, arch),
        (teacher, arch),
        (its_class, arch),
    ):
        with pytest.raises(NotFound):
            open_concept(reader, concept, by=None, how=TEACHER, now=NOW)
    opening = open_concept(foreigner, foreign, by=None, how=TEACHER, now=NOW)
    for reader in (school_class, its_class, make_student("bea", school=south).person):
        with pytest.raises(NotFound):
            close_opening(reader, opening.pk, by=None, now=NOW)
    assert known(unsealed) == frozenset()


def test_two_names_in_one_message_discover_their_edge(unsealed, world):
    """An edge becomes known by naming both of its ends at once, not one after the other."""
    learn(unsealed, "What is a keystone?")
    learn(unsealed, "And a round arch?")
    assert find_discovered(unsealed.space, world.edges) == frozenset()
    learn(unsealed, "So a round arch needs a keystone, and a barrel vault needs neither?")
    arch, keystone, vault = (id_of(world, key) for key in ("arch", "keystone", "vault"))
    found = {f"{arch} requires {keystone}", f"{vault} requires {arch}"}
    assert find_discovered(unsealed.space, world.edges) == found
    learn(unsealed, "round arch, keystone")
    assert find_discovered(unsealed.space, world.edges) == found


def test_a_student_without_a_world_learns_nothing(db):
    """No school, or a school without a world: no error, and nothing known."""
    alone = make_access("ada")
    schooled = make_access("bea", school=School.objects.create(name="South"))
    for access in (alone, schooled):
        with unlocked(access.space, access.key):
            learn(access, "round arch")
            assert take_over(access) == 0 and known(access) == frozenset()
            assert overlay_lines(access.person, access.space, "round arch", now=LATER) == ()


def test_a_locked_overlay_tells_nothing(ada):
    """Without the key nothing can be learnt, and what was learnt cannot be read."""
    with pytest.raises(SpaceLocked):
        learn(ada, "round arch")
    with unlocked(ada.space, ada.key):
        learn(ada, "round arch")
    for read in (known, lambda access: load_known(access.space)):
        with pytest.raises(SpaceLocked):
            read(ada)


def test_which_concept_is_known_is_sealed(unsealed, world):
    """No readable column of the row says which concept it is, and another student's row for it has another hash."""
    learn(unsealed, "round arch")
    set_opinion(unsealed.person, unsealed.space, id_of(world, "arch"), notes="like bridges", now=LATER)
    other = make_access("bea", school=unsealed.person.school)
    with unlocked(other.space, other.key):
        learn(other, "round arch")
    hashes, words = set(), (str(id_of(world, "arch")), "arch", "bridges")
    for access in (unsealed, other):
        with space_scope(access.space):
            (row,) = KnownConcept.objects.for_space(access.space)
        hashes.add(bytes(row.concept_hash))
        raw = b"".join(bytes(row.__dict__[name] or b"") for name in ("concept_id", "notes", "concept_hash"))
        assert not any(word.encode() in raw for word in words)
        assert not any(word in str(event.data) for word in words for event in events(access.space))
    assert len(hashes) == 2


def test_an_opinion_is_kept_and_checked(unsealed, world):
    """Numbers stay in their ranges, NaN is in none; what is not given stays as it is."""
    arch = id_of(world, "arch")
    learn(unsealed, "round arch")

    def say(**given):
        return set_opinion(unsealed.person, unsealed.space, arch, now=LATER, **given)

    said = say(attitude=-0.5, familiarity=0.75, notes=" like a bridge \u0000")
    assert (said.attitude, said.familiarity, said.notes) == (-0.5, 0.75, "like a bridge")
    assert replace(said, attitude=1.0) == say(attitude=1.0)
    assert load_known(unsealed.space)[arch].notes == "like a bridge"
    for wrong in (
        {"attitude": 1.1},
        {"attitude": -1.1},
        {"attitude": float("nan")},
        {"familiarity": -0.1},
        {"familiarity": float("inf")},
    ):
        with pytest.raises(InvalidInput):
            say(**wrong)
    with pytest.raises(MessageTooLong):
        say(notes="x" * 2_001)
    assert say(notes="").notes == ""


def test_two_tabs_at_once_make_one_row(committed):
    """What is taken over and named by two requests at the same moment is known once, and both succeed."""
    school = make_school()
    access = make_access("ada", school=school)
    world = worlds.get(school.world_space_id)
    open_concept(access.person, id_of(world, "vault"), by=None, how=TEACHER, now=NOW)

    def tab():
        with unlocked(access.space, access.key):
            taken_over = take_over(access)
            learn(access, "round arch and keystone")
            return taken_over

    assert sum(at_once(*[tab] * 4)) == 1
    with unlocked(access.space, access.key):
        found = load_known(access.space)
        assert found.keys() == ids_of(world, "arch", "keystone", "vault")
        assert found[id_of(world, "arch")].familiarity == pytest.approx(1 - 0.9**4)
    assert list(find_breaks(access.space)) == []


def test_what_every_turn_asks_opens_no_notes_and_waits_for_nobody(school, school_class, unsealed, world):
    """Which concepts may be named is read without the notes; with nothing new to take over no lock is taken."""
    opened_for_class(school_class, id_of(world, "arch"))
    with CaptureQueriesContext(connection) as first:
        assert take_over(unsealed) == 1
    with CaptureQueriesContext(connection) as again:
        assert known(unsealed) == ids_of(world, "arch")
        assert take_over(unsealed) == 0
    assert _said("advisory_xact_lock", first) and not _said("advisory_xact_lock", again)
    assert _said('"concept_id"', again) and not _said('"notes"', again)


def _said(word, queries):
    return [query["sql"] for query in queries if word in query["sql"]]


def test_an_opening_reaches_whom_it_is_for(school, school_class, unsealed, world):
    """What stands open to a class or a student is known to them from then on, and to nobody else of the school."""
    arch, vault = id_of(world, "arch"), id_of(world, "vault")
    mate, outsider = (make_access(name, school=school) for name in ("bea", "eve"))
    ClassMembership.objects.create(school_class=school_class, person=mate.person)
    opened_for_class(school_class, arch)
    open_concept(unsealed.person, vault, by=None, how=LESSON, now=NOW)
    assert known(unsealed) == {arch, vault} and known(unsealed, at=NOW - timedelta(minutes=1)) == frozenset()
    for access, wanted in ((mate, {arch}), (outsider, set())):
        with unlocked(access.space, access.key):
            assert known(access) == wanted


def test_what_was_taken_over_stays(school, school_class, unsealed, world):
    """After the student met it, neither taking the opening back nor leaving the class takes it away; what was taken back before leaves no trace."""
    arch, vault, mortar = (id_of(world, key) for key in ("arch", "vault", "mortar"))
    first, _, gone = (opened_for_class(school_class, concept) for concept in (arch, vault, mortar))
    close_opening(school_class, gone.pk, by=None, now=NOW)
    assert [take_over(unsealed) for _ in range(2)] == [2, 0]
    close_opening(school_class, first.pk, by=None, now=LATER)
    ClassMembership.objects.all().delete()
    assert known(unsealed) == {arch, vault}
    assert load_known(unsealed.space)[arch].how == "teacher"


def test_what_a_student_names_becomes_known(unsealed, world):
    """Names and other names count, in any case; n messages make it 1 - .9^n familiar, however often one says it; names in notes count too."""
    arch, mortar = id_of(world, "arch"), id_of(world, "mortar")
    learn(unsealed, "Is a ROUND ARCH held by kalkbruk?")
    learn(unsealed, "A round arch again, a round arch")
    learn(unsealed, "The weather is fine")
    assert known(unsealed) == {arch, mortar}
    found = load_known(unsealed.space)
    assert {item.how for item in found.values()} == {"person"}
    assert found[arch].familiarity == pytest.approx(1 - 0.9**2)
    set_opinion(unsealed.person, unsealed.space, arch, notes="needs a keystone", now=LATER)
    assert known(unsealed) == ids_of(world, "arch", "mortar", "keystone")


def test_there_is_no_opinion_of_what_is_unknown(unsealed, world):
    """Nor does a refused one leave anything behind, also where its notes name what it is about."""
    for concept in (id_of(world, "arch"), new_id()):
        with pytest.raises(NotFound):
            set_opinion(unsealed.person, unsealed.space, concept, notes="a round arch", now=LATER)
    assert known(unsealed) == frozenset()


def test_lines_tell_what_is_known_and_name_nothing_else(school, school_class, unsealed, world):
    """Named concepts come first, known neighbours after; descriptions lose the names of the unknown."""
    learn(unsealed, "round arch")
    opened_for_class(school_class, id_of(world, "vault"))
    set_opinion(unsealed.person, unsealed.space, id_of(world, "arch"), attitude=1.0, notes="nice", now=LATER)
    arch, vault = overlay_lines(unsealed.person, unsealed.space, "why a round arch?", now=LATER)
    assert (arch.name, arch.why, arch.attitude, arch.notes) == ("Round arch", "named", 1.0, "nice")
    assert (vault.name, vault.why, vault.familiarity) == ("Barrel vault", "nearby", 0.0)
    assert "lean on one another" in arch.description
    text = repr((arch, vault)).casefold()
    assert not any(name in text for name in ("keystone", "slutsten", "lime mortar", "kalkbruk"))


def test_lines_are_bounded(school, unsealed):
    """A message that names everything brings along a dozen lines at most, each concept once and the familiar first."""
    kinds = "Groin Rib Fan Net Sail Star Trough Oval Square Conical Annular Stilted Rampant"
    names = [f"{kind} vault" for kind in kinds.split()]
    take_world(school, concepts=named(*names), edges=[])
    learn(unsealed, ", ".join(names))
    learn(unsealed, names[-1])
    lines = overlay_lines(unsealed.person, unsealed.space, ", ".join(names), now=LATER)
    assert len({line.name for line in lines}) == len(lines) == PARAMS.lines < len(names)
    assert lines[0].name == names[-1]
