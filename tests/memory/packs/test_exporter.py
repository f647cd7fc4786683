"""Giving nodes out as packs, and taking them in again."""

import io

import pytest

from companion_site.accounts.access import Access
from companion_site.vault.scope import space_scope
from memory.agents.nodes import upsert_memory
from memory.agents.pack_export import export_nodes
from memory.models import PackVector
from memory.packs.contents import load_nodes
from memory.packs.exporter import BadSelection, Selection, export_pack, parse_selection
from memory.packs.format import read_pack
from memory.packs.signatures import public_hex, site_signer
from memory.packs.store import vector_row
from tests.cases import cases
from tests.factories import NOW, make_student, open_space
from tests.memory.agents.conftest import make_agent
from tests.memory.packs.making import MODEL, PASSPHRASE, link, some_nodes, take_in

pytestmark = [pytest.mark.django_db, pytest.mark.spec("K6")]


def teach_agent() -> Access:
    access = make_agent(open_space(make_student("ada").person))
    nodes = [
        {name: value for name, value in node.items() if name != "embeddings"}
        for node in [*some_nodes(), {"id": "episode.one", "type": "episode", "links": [link("pattern.with")]}]
    ]
    upsert_memory(access, nodes, merge=False, now=NOW)
    return access


def export(access, text) -> io.BytesIO:
    file = io.BytesIO()
    export_nodes(access, selection=text, stream=file, name="Mine", now=NOW, passphrase=PASSPHRASE)
    file.seek(0)
    return file


def test_an_agents_nodes_are_given_out_by_selection():
    """The chosen nodes go, with the links between them, signed by this site, with vectors; the rest stays."""
    pack = read_pack(export(teach_agent(), "domain:python"), passphrase=PASSPHRASE)
    nodes = {entry.path: entry for entry in pack.nodes}
    assert sorted(nodes) == ["concept.resource", "skill.python.files"]
    assert nodes["skill.python.files"].content["links"] == [link("concept.resource", w=0.9)]
    assert nodes["skill.python.files"].content["children"] == {}
    assert pack.signed_by == public_hex(site_signer())
    assert all(entry.vector is not None for entry in nodes.values())


def test_a_pack_given_out_and_taken_in_is_the_same():
    """From pack to file to pack nothing is lost."""
    pack, file = take_in(), io.BytesIO()
    export_pack(pack.space_id, file, now=NOW, passphrase=PASSPHRASE)
    file.seek(0)
    again = take_in(file, owner=make_student("eve").person)
    assert again.state == "ready" and again.signed_by
    assert load_nodes(again.space_id, range(3)) == load_nodes(pack.space_id, range(3))


@cases("both", [False, True])
def test_while_models_change_only_whole_vectors_go_along(both):
    """Where some nodes lack a vector of one model and others of another, none goes along; of a whole model all do."""
    pack, file = take_in(), io.BytesIO()
    with space_scope(pack.space_id):
        rows = PackVector.objects.for_space(pack.space_id).order_by("id")
        PackVector.objects.bulk_create(
            vector_row(pack.space_id, row.node_id, "new/8", row.embedding) for row in rows[1:]
        )
        if not both:
            rows.filter(model=MODEL).first().delete()
    export_pack(pack.space_id, file, now=NOW, passphrase=PASSPHRASE)
    file.seek(0)
    read = read_pack(file, passphrase=PASSPHRASE)
    assert read.manifest.embedding_model == (MODEL if both else None)
    assert len(list(read.nodes)) == 3


def test_selections_add_within_a_kind_and_narrow_across():
    """A path ends where a segment does; what is no selection is refused."""
    chosen = parse_selection("path:skill.python, path:pattern, type:skill,type:pattern")
    assert isinstance(chosen, Selection)
    taken = [node["id"] for node in some_nodes() if chosen.takes({"tags": [], **node})]
    assert taken == ["skill.python.files", "pattern.with"]
    assert not parse_selection("path:skill.pyth").takes({"id": "skill.python", "tags": [], "type": "skill"})
    assert parse_selection("all").takes({"id": "x", "tags": [], "type": "fact"})
    for text in ("", "everything", "domain:", "owner:x", "domain:a,,", "x" * 2_000):
        with pytest.raises(BadSelection):
            parse_selection(text)
