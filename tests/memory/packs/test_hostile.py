"""Packs that somebody made to do harm: refused with a reason, and nothing is written."""

import json

import pytest

from companion_site.vault.models import Space
from memory.packs import archive
from memory.packs.errors import PackRefused
from memory.packs.limits import PackLimits
from memory.packs.manifest import write_manifest
from memory.packs.signatures import WEAK_KEYS
from tests.cases import cases
from tests.memory.packs.making import (
    MODEL,
    archive_file,
    line,
    link,
    manifest,
    member,
    node,
    pack_file,
    sealed,
    shell,
    take_in,
    with_lines,
)
from tests.refusals import refused

pytestmark = [pytest.mark.django_db, pytest.mark.spec("K6")]
HEAD = write_manifest(manifest().model_copy(update={"nodes": 1}))


def refuse(file, reason, *, match=None, **options):
    """Expect a pack to be refused, and nothing of it to be there."""
    with refused(PackRefused, reason, match=match) as caught:
        take_in(file, **options)
    assert not Space.objects.filter(kind=Space.Kind.PACK).exists()
    assert str(caught.value)
    return caught.value


@cases("name", ["../pack.json", "/etc/passwd", "pack.json/", "nodes.jsonl", "x"])
def test_a_file_out_of_its_folder(name):
    """The archive holds its own files, by their plain names, and no others."""
    refuse(archive_file((name, HEAD), ("nodes.jsonl", line("a") + b"\n")), "path")


NODE, ENTRY = line("fact.a"), archive.entry("pack.json", len(HEAD))
FILES = [*member("pack.json", HEAD), *member("nodes.jsonl", NODE + b"\n")]


@cases(
    ("what", "file", "reason"),
    [
        ("a file behind the nodes", archive_file(("pack.json", HEAD), ("nodes.jsonl", b""), ("../../more", b"x")), "damaged"),
        ("a header that was changed", sealed([ENTRY[:124] + b"00000000001" + ENTRY[135:], HEAD, archive.END]), "damaged"),
        ("no archive", shell([b""]), "damaged"),
        ("no compression", shell([b"not gzip"]), "damaged"),
        ("no tar", shell([b"".join(archive.compress([b"x" * 5]))]), "damaged"),
        ("two archives", shell([b"".join([*archive.compress(FILES[:3]), *archive.compress([b"x" * 2_000])])]), "damaged"),
        ("no end", sealed(FILES), "damaged"),
        ("half an end", sealed([*FILES, bytes(512)]), "damaged"),
        ("a byte after the end", sealed([*FILES, archive.END, b"\x00"]), "damaged"),
        ("too long an end", sealed([*FILES, archive.END + bytes(10_240)]), "damaged"),
        ("a last line without an end", archive_file(("pack.json", HEAD), ("nodes.jsonl", NODE)), "damaged"),
        ("another checksum", with_lines(NODE, checksum="0" * 64), "checksum"),
        ("more nodes than told", with_lines(NODE, line("fact.b"), nodes=1), "checksum"),
        ("fewer nodes than told", with_lines(NODE, line("fact.b"), nodes=3), "checksum"),
        ("the same id twice", with_lines(NODE, NODE), "node"),
        ("a link to nowhere", with_lines(line("fact.a", links=[link("fact.gone")])), "node"),
        ("a child that is nowhere", with_lines(line("fact.a", children={"x": "fact.gone"})), "node"),
        ("bytes that are no text", with_lines(NODE + b"\xff"), "node"),
        ("half a character", with_lines(NODE.replace(b'"fact.a"', b'"\xed\xa0\x80"', 1)), "node"),
        *(
            (f"the manifest {raw[:9]!r}", archive_file(("pack.json", raw), ("nodes.jsonl", b"")), "manifest")
            for raw in (b"", b"[]", b"{", b"\xff", b'{"id": "a", "id": "b"}', b"[" * 50_000)
        ),
    ],
)  # fmt: skip
def test_files_that_were_tampered_with(what, file, reason):
    """Whatever opens with the right key may still be anything: cut short, added to, or not what it tells of itself."""
    refuse(file, reason)


@cases("kind", [b"1", b"2", b"3", b"5", b"L", b"x", b"g", b"S"])
def test_links_devices_and_folders(kind):
    """An entry that is no plain file is refused, whatever it points to."""
    head = bytearray(archive.entry("pack.json", len(HEAD)))
    head[156:157] = kind
    refuse(sealed([bytes(head), HEAD, archive.padding(len(HEAD)), archive.END]), "path")


def test_a_bomb_is_not_unpacked_beyond_the_bound():
    """The stream is stopped where the bound is: of 64 MB of zeros no more than 1 + ratio times what came in is made."""
    packed = b"".join(archive.compress([bytes(64 * 2**20)]))
    limits, made = PackLimits(ratio=10, free_bytes=2**20), 0
    with refused(PackRefused, "too-large"):
        for piece in archive.decompress([packed], limits=limits):
            made += len(piece)
    assert made <= limits.free_bytes + limits.ratio * len(packed)


def test_more_than_is_allowed_in_all():
    """Bytes of the file, bytes unpacked, in all and for each packed, of a line and nodes each have a bound of their own."""
    nodes = [node(f"fact.n{number}", label=f"{number**30}") for number in range(300)]
    for bound in (
        {"file_bytes": 10_000},
        {"unpacked_bytes": 10_000},
        {"free_bytes": 0, "ratio": 1},
        {"line_bytes": 100},
        {"manifest_bytes": 50},
    ):
        refuse(pack_file(nodes), "too-large", limits=PackLimits(**bound))
    refuse(pack_file(nodes), "manifest", limits=PackLimits(nodes=299))


def test_a_million_links_in_one_node():
    """A node holds 256 links; a manifest that tells of a million is refused before the nodes are looked at."""
    links = [link(f"fact.n{number}") for number in range(300)]
    assert refuse(with_lines(line("fact.a", links=links)), "node", match="links").line == 1
    refuse(with_lines(line("fact.a"), links=10**6), "manifest")


def test_a_million_links_that_the_manifest_hides():
    """Links are counted as they come: beyond what the manifest tells of, the pack is refused."""
    lines = [line(f"fact.n{number}", links=[link("fact.n0")]) for number in range(1, 9)]
    refuse(with_lines(line("fact.n0"), *lines, links=7), "checksum")
    refuse(with_lines(line("fact.n0"), *lines, links=9), "checksum")


@cases(
    "signature",
    [
        b"",
        b"{}",
        b'{"key": "00", "signature": "00"}',
        *(json.dumps({"key": key.hex(), "signature": "0" * 128}).encode() for key in sorted(WEAK_KEYS)),
        json.dumps({"key": "é", "signature": 1}).encode(),
        b'["key", "signature"]',
    ],
)
def test_a_wrong_signature(signature):
    """A signature that does not hold is refused even where none would be needed."""
    files = (("pack.json", HEAD), ("signature.json", signature), ("nodes.jsonl", line("a") + b"\n"))
    refuse(archive_file(*files), "signature")


def test_children_in_a_circle():
    """Three nodes that are one another's children are refused, as is one that is its own."""
    ring = [line(f"fact.n{number}", children={"next": f"fact.n{(number + 1) % 3}"}) for number in range(3)]
    refuse(with_lines(*ring), "node", match="[Cc]hildren")
    refuse(with_lines(line("fact.a", children={"self": "fact.a"})), "node", match="children")


VECTOR = json.dumps(node("fact.a")["embeddings"])
BASE = '{"id": "fact.a", "type": "fact", "label": "A", "embeddings": ' + VECTOR + ', "payload": %s}'


@cases(
    "payload",
    [
        "{",
        '{"a": 1, "a": 2}',
        '{"a": NaN}',
        '{"a": 1e999}',
        '{"a": %s}' % ("9" * 400),
        '{"a": %s}' % ("9" * 5_000),
        '{"a": "\\ud800"}',
        '{"\\udfff": "a"}',
        '{"a": "\\u0000"}',
        '{"a": %s}' % ("[" * 100_000 + "]" * 100_000),
        '{"a": %s}' % ("[" * 9 + "]" * 9),
        '{"a": "%s"}' % ("x" * 40_000),
    ],
)
def test_what_is_no_proper_json(payload):
    """Broken, ambiguous, bottomless or huge: a line that two readers could take for two things is nobody's node."""
    assert refuse(with_lines((BASE % payload).encode()), "node").line == 1


@cases(
    "path",
    ["", "../../etc", "a..b", "A.b", "a/b", "a b", "a.", "x" * 301, ".".join("a" * 13), "a\u0301", 7, None],
)
def test_ids_that_are_no_paths(path):
    refuse(with_lines(line(path)), "node")


@cases(
    "embeddings",
    [
        None,
        {"model": "another/8", "vector": [0.1] * 8},
        {"model": MODEL, "vector": [0.1] * 7},
        {"model": MODEL, "vector": [0.0] * 8},
        {"model": MODEL, "vector": [1e300] * 8},
        {"model": MODEL, "vector": [10**400] * 8},
        {"model": MODEL, "vector": ["1"] * 8},
        {"model": MODEL, "vector": [0.1] * 8, "more": 1},
    ],
)
def test_vectors_that_are_none(embeddings):
    """A vector is of the model and the length that the manifest says, finite, and points somewhere."""
    refuse(with_lines(line("fact.a", embeddings=embeddings)), "node")


@cases(
    "change",
    [
        {"format": "kpack/2"},
        {"id": "../x"},
        {"name": "x\x00y"},
        {"nodes": 0},
        {"nodes": 10**9},
        {"links": 10**30},
        {"dimension": 10**6},
        {"checksum": "x"},
        {"created_at": 1e300},
        {"domain_tags": ["x"] * 33},
        {"more": 1},
    ],
)
def test_manifests_that_cannot_be(change):
    """What a pack says of itself is checked before its nodes are looked at."""
    said = {**json.loads(HEAD), **change}
    refuse(
        archive_file(("pack.json", json.dumps(said).encode()), ("nodes.jsonl", line("a") + b"\n")),
        "manifest",
    )
