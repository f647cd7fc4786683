"""An import whose connection dies in the middle leaves nothing behind, and can be done again."""

from datetime import timedelta

import pytest
from django.db import InterfaceError, OperationalError, connection

from companion_site.accounts.models import School
from companion_site.audit.models import AuditEvent
from companion_site.vault.models import Space
from companion_site.vault.scope import space_scope
from overlay.importer import import_world
from overlay.models import Concept, ConceptEdge
from overlay.world_files import parse_world
from tests.factories import NOW
from tests.overlay.building import CONCEPTS, EDGES, named, take_world, written

pytestmark = pytest.mark.spec("G10")

LATER = NOW + timedelta(days=1)
NEW_EDGE = {"source": "c0", "target": "arch", "type": "requires"}


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


def everything(school):
    with space_scope(school.world_space_id):
        rows = [
            list(model.objects.for_space(school.world_space_id).order_by("id").values())
            for model in (Concept, ConceptEdge)
        ]
    return rows, Space.objects.get(pk=school.world_space_id).version, AuditEvent.objects.count()


@pytest.mark.parametrize(
    "at", ['UPDATE "overlay_concept"', 'INSERT INTO "overlay_conceptedge"', 'INSERT INTO "audit_auditevent"']
)
def test_a_world_stays_as_it_was(committed, at):
    """Wherever between the first and the last statement the connection goes, no row, version or record is other; a first import leaves no space."""
    school, bare = (School.objects.create(name=name) for name in ("North", "South"))
    take_world(school)
    before = everything(school)
    wanted = parse_world(written(concepts=[*CONCEPTS[:3], *named("Dome")], edges=[*EDGES[:2], NEW_EDGE]))
    lose_connection(school, wanted, at=at)
    assert everything(school) == before
    counts = import_world(school, wanted, now=LATER).counts
    assert counts == {"added": 1, "changed": 0, "removed": 1, "edges_added": 1, "edges_removed": 1}
    lose_connection(bare, parse_world(written()), at='INSERT INTO "overlay_conceptedge"')
    assert bare.world_space_id is None and Space.objects.count() == 1
