"""One column of many rows is set in one statement, in its own space only."""

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from companion_site.ids import new_id
from companion_site.vault import unlocked
from companion_site.vault.columns import set_each
from companion_site.vault.scope import space_scope
from memory.models import MemoryNode
from tests.factories import NOW, make_access

pytestmark = [pytest.mark.django_db, pytest.mark.spec("G11")]


def make_nodes(access, count):
    with space_scope(access.space), unlocked(access.space, access.key):
        return [
            MemoryNode.objects.create(
                space_id=access.space, content="words", content_hash=bytes([number]) * 32, modality="semantic",
                trust="person", language="en", salience=0.5, gravity=0.5, confidence=0.5, formed_at=NOW,
                accessed_at=NOW, version=1,
            )
            for number in range(count)
        ]  # fmt: skip


def read(access, name):
    with space_scope(access.space):
        return list(MemoryNode.objects.for_space(access.space).order_by("id").values_list(name, flat=True))


def test_each_row_gets_its_own_value_in_one_statement():
    """However many rows there are."""
    ada = make_access("ada")
    nodes = make_nodes(ada, 5)
    with (
        space_scope(ada.space),
        CaptureQueriesContext(
            connection,
        ) as queries,
    ):
        set_each(MemoryNode, ada.space, {node.pk: n / 10 for n, node in enumerate(nodes)}, field="strength")
        set_each(MemoryNode, ada.space, {nodes[0].pk: nodes[1].pk, nodes[2].pk: None}, field="merged_into")
    assert len(queries) == 2
    assert read(ada, "strength") == [0.0, 0.1, 0.2, 0.3, 0.4]
    assert read(ada, "merged_into") == [nodes[1].pk, None, None, None, None]


def test_another_space_s_rows_are_left_alone():
    """Ids of other spaces, and of nobody, change nothing."""
    ada, elsa = make_access("ada"), make_access("elsa")
    (node,) = make_nodes(elsa, 1)
    with space_scope(ada.space):
        set_each(MemoryNode, ada.space, {node.pk: 0.9, new_id(): 0.9}, field="strength")
        set_each(MemoryNode, elsa.space, {node.pk: 0.9}, field="strength")
        set_each(MemoryNode, ada.space, {}, field="strength")
    assert read(elsa, "strength") == [0.0]
