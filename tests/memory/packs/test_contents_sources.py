"""How a folder of TOML becomes a pack: the same files the same nodes, and a clear word where something is wrong."""

import json
import re
import shutil

import pytest

from companion_site.errors import InvalidInput
from memory.packs.sources import SourceInvalid, read_source, shipped_sources
from tests.cases import cases

pytestmark = pytest.mark.spec("K6")

GOOD = """
tags = ["tea"]

["tea"]
type = "concept"
label = "Tea"
is_default = true
definition = \"\"\"
Leaves
in hot water.
\"\"\"

["tea.green.steamed"]
type = "fact"
label = "Steamed"
tags = ["japan", "tea"]
definition = "Steam stops the leaves from browning."
links = ["part_of tea 0.7"]
code = '''
assert True
'''
"""


@pytest.fixture
def folder(tmp_path):
    (tmp_path / "pack.json").write_text('{"id": "tea", "version": "2"}', encoding="utf-8")
    (tmp_path / "tea.toml").write_text(GOOD, encoding="utf-8")
    return tmp_path


def test_a_folder_becomes_wire_nodes(folder):
    """Children by path, the parent linked to them, tags of the file, prose unwrapped, defaults marked."""
    manifest, (tea, steamed) = read_source(folder)
    meta = {"source": "pack:tea", "version": "2"}
    assert manifest == {"id": "tea", "version": "2"}
    assert tea == {
        "id": "tea",
        "type": "concept",
        "label": "Tea",
        "payload": {"definition": "Leaves in hot water."},
        "links": [{"to": "tea.green.steamed", "rel": "holds", "w": 0.4}],
        "children": {"green.steamed": "tea.green.steamed"},
        "tags": ["tea"],
        "meta": {**meta, "default": True},
    }
    assert steamed["tags"] == ["tea", "japan"] and steamed["meta"] == meta
    assert steamed["links"] == [{"to": "tea", "rel": "part_of", "w": 0.7}]
    assert steamed["payload"]["code"] == "assert True\n"


@cases("source", shipped_sources())
def test_the_same_sentences_give_the_same_bytes_whatever_the_files_are_called(source, tmp_path):
    """Nodes come in the order of their paths, so that a renamed file changes nothing."""
    shutil.copy(source / "pack.json", tmp_path)
    for number, file in enumerate(sorted(source.glob("*.toml"), reverse=True)):
        shutil.copy(file, tmp_path / f"{number:03}.toml")
    first, again, renamed = (json.dumps(read_source(where)) for where in (source, source, tmp_path))
    assert first == again == renamed
    paths = [node["id"] for node in read_source(source)[1]]
    assert paths == sorted(paths)


@cases(
    ("old", "new", "said"),
    [
        ("part_of tea 0.7", "part_of tea", "is no link"),
        ("part_of tea 0.7", "part_of tea much", "is no link"),
        ('"part_of tea 0.7"', "7", "is no link"),
        ('links = ["part_of tea 0.7"]', 'links = "tea"', "links is of the wrong kind"),
        ('label = "Tea"', "", "needs label"),
        ('type = "fact"', 'type = ""', "needs type"),
        ('tags = ["tea"]', 'tags = "tea"', "a file's tags a list"),
        ('["tea"]\ntype', "tea = 3\n[x]\ntype", "a node is a table"),
        ("'''\nassert True\n'''", "1", "code is of the wrong kind"),
        ('["tea.green.steamed"]', '["tea"]', "tea.toml"),
        ("is_default = true", "is_default = true\nchildren = []", "children is of the wrong kind"),
    ],
)
def test_what_is_wrong_is_said_with_its_place(folder, old, new, said):
    """A reviewer is told file or node, and what; nothing is guessed."""
    assert old in GOOD
    (folder / "tea.toml").write_text(GOOD.replace(old, new, 1), encoding="utf-8")
    with pytest.raises(SourceInvalid) as caught:
        read_source(folder)
    assert said in str(caught.value) and isinstance(caught.value, InvalidInput)


@pytest.mark.parametrize(
    ("name", "content"),
    [
        *(("pack.json", text) for text in (b"", b"[]", b"{", b'{"id": "tea"}')),
        ("tea.toml", b"\xff\xfe"),
        ("zzz.toml", GOOD.encode()),
    ],
)
def test_a_file_that_is_no_good_is_named(folder, name, content):
    """No manifest, bytes that are no text, an id that another file has."""
    (folder / name).write_bytes(content)
    with pytest.raises(SourceInvalid, match=re.escape(name)):
        read_source(folder)
