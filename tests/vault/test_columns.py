"""Single sealed columns open and close as their rows do; one column of many rows is set in one statement, in its own space only."""

from contextvars import Context

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from companion_site.errors import BoxBroken, SpaceLocked
from companion_site.ids import new_id
from companion_site.vault import unlocked
from companion_site.vault.columns import opener, seal_column, set_each
from companion_site.vault.scope import space_scope
from memory.models import Gratitude, MemoryNode
from tests.factories import NOW, make_access
from tests.memory.student.drafts import make_node

pytestmark = [pytest.mark.django_db, pytest.mark.spec("G11")]


@pytest.fixture
def row(ada) -> Gratitude:
    with space_scope(ada.space), unlocked(ada.space, ada.key):
        return Gratitude.objects.create(space_id=ada.space, text="A walk", at=NOW)


def test_a_column_is_read_as_its_row_is(ada, row):
    """The words are the same, and a box does not open at another row's place."""
    other = make_access("bea")
    with space_scope(ada.space), unlocked(ada.space, ada.key):
        open_text = opener(ada.space, Gratitude, "text")
        ((pk, box),) = Gratitude.objects.for_space(ada.space).values_list("pk", "text")
        assert open_text(pk, box) == row.text == "A walk"
        with pytest.raises(BoxBroken):
            open_text(other.space, box)


def test_a_column_that_is_sealed_alone_is_read_through_its_row(ada, row):
    """An update of one row takes the box, and the row opens it; a locked space opens and seals nothing."""
    with space_scope(ada.space), unlocked(ada.space, ada.key):
        rows = Gratitude.objects.for_space(ada.space).filter(pk=row.pk)
        rows.update(text=seal_column(ada.space, Gratitude, "text", row.pk, "A swim"))
        assert rows.get().text == "A swim"
    for use in (
        (opener, ada.space, Gratitude, "text"),
        (seal_column, ada.space, Gratitude, "text", row.pk, "x"),
    ):
        with pytest.raises(SpaceLocked):
            Context().run(*use)


def make_nodes(access, count):
    with space_scope(access.space), unlocked(access.space, access.key):
        return MemoryNode.objects.bulk_create(make_node(access.space, "words") for _ in range(count))


def read(access, name):
    with space_scope(access.space):
        return list(MemoryNode.objects.for_space(access.space).order_by("id").values_list(name, flat=True))


def test_each_row_gets_its_own_value_in_one_statement(ada):
    """However many rows there are; ids of other spaces, and of nobody, change nothing."""
    nodes, (foreign,) = make_nodes(ada, 5), make_nodes(elsa := make_access("elsa"), 1)
    with space_scope(ada.space), CaptureQueriesContext(connection) as queries:
        set_each(MemoryNode, ada.space, {node.pk: n / 10 for n, node in enumerate(nodes)}, field="strength")
        set_each(MemoryNode, ada.space, {nodes[0].pk: nodes[1].pk, nodes[2].pk: None}, field="merged_into")
        assert len(queries) == 2
        set_each(MemoryNode, ada.space, {foreign.pk: 0.9, new_id(): 0.9}, field="strength")
        set_each(MemoryNode, elsa.space, {foreign.pk: 0.9}, field="strength")
        set_each(MemoryNode, ada.space, {}, field="strength")
    assert read(ada, "strength") == [0.0, 0.1, 0.2, 0.3, 0.4] and read(elsa, "strength") == [0.0]
    assert read(ada, "merged_into") == [nodes[1].pk, None, None, None, None]
