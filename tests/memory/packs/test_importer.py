"""Taking packs in, all or nothing."""

import pytest

from companion_site.vault.scope import space_scope
from memory.models import Pack, PackEdge, PackNode, PackPosting, PackVector
from memory.packs.importer import import_pack
from tests.factories import NOW
from tests.memory.packs.making import PASSPHRASE, NumbersEmbedder, pack_file

pytestmark = [pytest.mark.django_db, pytest.mark.spec("K6")]


def take_in(file=None, **options) -> Pack:
    given = {"owner": None, "now": NOW, "passphrase": PASSPHRASE, "embedder": NumbersEmbedder(), **options}
    return import_pack(file or pack_file(), **given)


def test_a_pack_is_taken_in_whole():
    """Nodes, edges, vectors and words are rows of a space of the pack's own, and it is ready."""
    pack = take_in()

    assert (pack.state, pack.node_count, pack.edge_count, pack.done) == ("ready", 3, 2, 3)
    with space_scope(pack.space_id):
        paths = PackNode.objects.for_space(pack.space_id).order_by("position").values_list("path", flat=True)
        assert list(paths) == ["concept.resource", "pattern.with", "skill.python.files"]
        assert PackEdge.objects.for_space(pack.space_id).count() == 2
        assert PackVector.objects.for_space(pack.space_id).count() == 3
        assert PackPosting.objects.for_space(pack.space_id).filter(term="file").exists()
