"""A world is taken in all or nothing, twice for nothing, also over a connection that dies, and never at the cost of what students know."""

from datetime import timedelta

import pytest
from django.core.management import CommandError, call_command
from django.db import InterfaceError, OperationalError, connection

from companion_site.accounts.models import School
from companion_site.audit.models import AuditEvent
from companion_site.audit.services import find_breaks
from companion_site.errors import NotFound
from companion_site.vault.models import Space
from companion_site.vault.scope import space_scope
from overlay.errors import WorldChanged, WorldRefused
from overlay.importer import (
    SCHOOL_SCIENCE,
    change_concept,
    ensure_demo_world,
    export_world,
    import_world,
    preview_import,
)
from overlay.models import Concept, ConceptEdge, Opening
from overlay.selectors import load_known
from overlay.services import known_concepts, learn_from_text, open_concept
from overlay.world_files import parse_world, write_world
from overlay.worlds import CONCEPT_BYTES, Worlds, prepare_worlds, worlds
from tests.audit.record import actions
from tests.factories import NOW, make_student
from tests.overlay.building import CONCEPTS, EDGES, id_of, ids_of, make_school, named, take_world, written

pytestmark = pytest.mark.spec("G10")

LATER = NOW + timedelta(days=1)


def keys_in(school):
    return [concept.key for concept in worlds.get(school.world_space_id).concepts]


def rows_of(school):
    with space_scope(school.world_space_id):
        concepts = list(Concept.objects.for_space(school.world_space_id).order_by("id").values())
        return concepts, list(ConceptEdge.objects.for_space(school.world_space_id).order_by("id").values())


def everything(school):
    version = Space.objects.get(pk=school.world_space_id).version
    return rows_of(school), version, AuditEvent.objects.count()


def die_at(statement):
    """Return a wrapper that loses the connection just before the first statement that begins so."""

    def wrapper(execute, sql, params, many, context):
        if sql.startswith(statement):
            connection.connection.close()
        return execute(sql, params, many, context)

    return wrapper


def lose_connection(school, world, *, at):
    """Import over a connection that dies; then come back by a new one."""
    with pytest.raises((InterfaceError, OperationalError)), connection.execute_wrapper(die_at(at)):
        import_world(school, world, now=LATER)
    connection.close()
    school.refresh_from_db()


def test_a_changed_file_renames_adds_and_removes(school):
    """Concepts keep their rows by their ids; what a file leaves out is taken out, its edges too."""
    before = {row["key"]: row["id"] for row in rows_of(school)[0]}
    concepts = [
        {**CONCEPTS[0], "name": "Capstone", "aliases": ["slutsten", "Slutsten", "hjässten"]},
        *CONCEPTS[1:3],
        {"id": "dome", "name": "Dome"},
    ]
    edges = [*EDGES[:2], {"source": "dome", "target": "arch", "type": "requires"}]
    changes = take_world(school, concepts=concepts, edges=edges, now=LATER)
    assert changes.counts == {"added": 1, "changed": 1, "removed": 1, "edges_added": 1, "edges_removed": 1}
    world = worlds.get(school.world_space_id)
    assert keys_in(school) == ["arch", "dome", "keystone", "vault"]
    capstone = world.get(before["keystone"])
    assert capstone.names == ("Capstone", "slutsten", "hjässten")
    assert world.get(before["mortar"]) is None
    assert {(edge.source_id, edge.type) for edge in world.edges} == {
        (before["arch"], "requires"),
        (before["vault"], "requires"),
        (id_of(world, "dome"), "requires"),
    }


def test_what_students_know_survives_every_file(school, unsealed):
    """A concept taken out of the world stays in the overlay with its notes, and is known again when it is back."""
    learn_from_text(unsealed.person, unsealed.space, "Lime mortar for a round arch", now=NOW)
    known = load_known(unsealed.space)
    take_world(school, concepts=[CONCEPTS[0]], edges=[], now=LATER)
    assert load_known(unsealed.space) == known
    take_world(school, now=LATER)
    assert load_known(unsealed.space) == known
    again = worlds.get(school.world_space_id)
    assert known_concepts(unsealed.person, unsealed.space, now=LATER) == ids_of(again, "mortar", "arch")


def test_a_preview_tells_what_the_import_does_and_writes_nothing(school):
    """The preview's counts are the import's; a school without a world is previewed without making one."""
    wanted = parse_world(written(concepts=named("Keystone", "Dome"), edges=[]))
    before = rows_of(school)
    preview = preview_import(school, wanted)
    assert rows_of(school) == before
    assert import_world(school, wanted, now=LATER, expected_version=preview.version).counts == preview.counts
    empty = School.objects.create(name="South")
    assert preview_import(empty, wanted).counts["added"] == 2
    assert School.objects.get(pk=empty.pk).world_space_id is None


def test_a_refused_first_file_leaves_the_school_without_a_world(db):
    """The space that was made for it went back with the rest, and the school knows of none."""
    school = School.objects.create(name="South")
    with pytest.raises(WorldChanged):
        import_world(school, parse_world(written()), now=NOW, expected_version=7)
    assert school.world_space_id is None
    assert preview_import(school, parse_world(written())).counts["added"] == 4


def test_a_world_given_out_and_taken_in_is_the_same(school):
    """An export is a valid file that changes nothing; in another school it makes the same world."""
    raw = write_world(export_world(school))
    assert not import_world(school, parse_world(raw), now=LATER)
    other = School.objects.create(name="South")
    import_world(other, parse_world(raw), now=LATER)
    given = export_world(other)
    assert (given.concepts, given.edges) == (export_world(school).concepts, export_world(school).edges)


def test_a_process_holds_a_bounded_number_of_concepts(school):
    """The world that was not asked for the longest goes; the one just asked for stays, however large it is."""
    other = make_school("South")
    roomy, narrow, tiny = (
        Worlds(budget_bytes=most * CONCEPT_BYTES, idle_s=60, of_people=False) for most in (8, 7, 1)
    )
    for held, keeps in ((roomy, True), (narrow, False), (tiny, False)):
        first = held.get(school.world_space_id)
        second = held.get(other.world_space_id)
        assert held.get(other.world_space_id) is second
        assert (held.get(school.world_space_id) is first) == keeps


def test_the_command_takes_a_file_in(db, tmp_path, capsys):
    """`manage.py import_world` does the same, and tells what is wrong as the page does."""
    School.objects.create(name="South")
    file = tmp_path / "world.json"
    file.write_bytes(written())
    call_command("import_world", str(file), school="South")
    assert "added 4" in capsys.readouterr().out
    file.write_bytes(written(concepts=named("x")))
    with pytest.raises(CommandError, match="at least 3 letters"):
        call_command("import_world", str(file), school="South")
    with pytest.raises(CommandError, match="no school"):
        call_command("import_world", str(file), school="West")
    with pytest.raises(CommandError, match="cannot be read"):
        call_command("import_world", str(tmp_path / "none.json"), school="South")
    assert len(keys_in(School.objects.get(name="South"))) == 4


def test_the_first_file_makes_the_school_s_open_space(db):
    """The world's space is open, the school's own, and on record with who did it; the same file again touches no row, version or record."""
    school, staff = School.objects.create(name="South"), make_student("root", role="staff").person
    assert import_world(school, parse_world(written()), now=NOW, actor=staff)
    space = Space.objects.get(pk=School.objects.get(pk=school.pk).world_space_id)
    assert (space.kind, space.sealed, space.school_id) == ("world", False, school.pk)
    event = AuditEvent.objects.get(chain=space.pk, action="overlay.world_imported")
    counts = {"added": 4, "changed": 0, "removed": 0, "edges_added": 3, "edges_removed": 0}
    assert (event.data, event.actor_id) == (counts, staff.pk) and list(find_breaks(space.pk)) == []
    before = everything(school)
    assert not take_world(school, now=LATER)
    assert everything(school) == before


def test_a_concept_that_comes_back_is_the_one_it_was(school, school_class, world):
    """Taken out and taken in again, it has its row, and what was opened stands meanwhile."""
    mortar = id_of(world, "mortar")
    open_concept(school_class, mortar, by=None, how=Opening.How.LESSON, now=NOW)
    take_world(school, concepts=CONCEPTS[:3], edges=EDGES[:2], now=LATER)
    assert keys_in(school) == ["arch", "keystone", "vault"]
    with space_scope(school.world_space_id):
        assert Opening.objects.for_space(school.world_space_id).standing().count() == 1
    changes = take_world(school, now=LATER)
    assert [entry.id for entry in changes.added] == ["mortar"]
    assert id_of(worlds.get(school.world_space_id), "mortar") == mortar


def test_a_process_holds_a_world_ready_until_it_changes(school, django_assert_num_queries):
    """After the start nothing is read or prepared again for the first message but the version; a write makes a new one."""
    prepare_worlds()
    world = worlds.get(school.world_space_id)
    assert {"matcher", "guarded_names", "positions"} <= vars(world).keys()
    with django_assert_num_queries(1):
        assert worlds.get(school.world_space_id).named_in("a round arch") == ids_of(world, "arch")
    take_world(school, concepts=CONCEPTS[:1], edges=[], now=LATER)
    assert worlds.get(school.world_space_id) is not world


def test_one_concept_is_changed_by_hand_and_on_record(school, world):
    """A change that changes nothing is none; a stranger's concept looks like none."""
    space, arch = school.world_space_id, id_of(world, "arch")
    fields = {"aliases": ["valvbåge", " "], "kind": "", "description": "", "now": LATER, "actor": None}
    assert change_concept(space, arch, name="Semicircular arch", **fields)
    assert worlds.get(space).get(arch).names == ("Semicircular arch", "valvbåge")
    assert not change_concept(space, arch, name="Semicircular arch", **fields)
    with pytest.raises(WorldRefused) as refused:
        change_concept(space, arch, name="SLUTSTEN", **fields)
    assert {problem.place for problem in refused.value.problems} == {"name"}
    assert len(actions(space, "overlay.concept_changed")) == 1
    other = make_school("South")
    with pytest.raises(NotFound):
        change_concept(other.world_space_id, arch, name="Dome", **fields)
    take_world(other, concepts=CONCEPTS[:1], edges=[], now=LATER)
    assert (len(keys_in(school)), keys_in(other)) == (4, ["keystone"]), "worlds of two schools are two"


def test_the_demo_school_gets_its_world_once(db):
    """A school without a world gives out an empty one and gets the one that comes along; one that has a world keeps its own."""
    school = School.objects.create(name="Demo")
    assert parse_world(write_world(export_world(school))).concepts == []
    assert ensure_demo_world(school, now=NOW)
    assert len(keys_in(school)) == len(parse_world(SCHOOL_SCIENCE.read_bytes()).concepts)
    assert not ensure_demo_world(school, now=LATER)


@pytest.mark.parametrize(
    "at", ['UPDATE "overlay_concept"', 'INSERT INTO "overlay_conceptedge"', 'INSERT INTO "audit_auditevent"']
)
def test_an_import_whose_connection_dies_leaves_nothing_behind(committed, at):
    """Wherever between the first and the last statement it goes, no row, version or record is other, and it can be done again; a first import leaves no space."""
    school, bare = (School.objects.create(name=name) for name in ("North", "South"))
    take_world(school)
    before = everything(school)
    edge = {"source": "c0", "target": "arch", "type": "requires"}
    wanted = parse_world(written(concepts=[*CONCEPTS[:3], *named("Dome")], edges=[*EDGES[:2], edge]))
    lose_connection(school, wanted, at=at)
    assert everything(school) == before
    counts = import_world(school, wanted, now=LATER).counts
    assert counts == {"added": 1, "changed": 0, "removed": 1, "edges_added": 1, "edges_removed": 1}
    lose_connection(bare, parse_world(written()), at='INSERT INTO "overlay_conceptedge"')
    assert bare.world_space_id is None and Space.objects.count() == 1
