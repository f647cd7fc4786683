"""The file of a pack: written and read as a stream, opened by a passphrase or a key, signed."""

import io
import json
from random import Random

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from companion_site.vault.pairs import PAIR_BYTES, public_half
from memory.packs.crypto import CHUNK_BYTES, MAGIC, site_public_key
from memory.packs.errors import PackRefused
from memory.packs.format import read_pack, unlock_pack, write_pack
from memory.packs.manifest import describe, parse_object
from memory.packs.signatures import public_hex
from tests.factories import NOW
from tests.memory.packs.making import DIMENSION, MODEL, PASSPHRASE, manifest, node, pack_file, some_nodes
from tests.refusals import refused

pytestmark = pytest.mark.spec("K6")


def read(file, **options):
    return read_pack(file, **{"passphrase": PASSPHRASE, **options})


def test_what_was_written_is_read():
    """Manifest and nodes come back as they went in, with counts and a checksum; the file shows neither names nor words."""
    file = pack_file()
    raw = file.getvalue()
    assert b"Python" not in raw and b"skill" not in raw and b"pack.json" not in raw
    pack = read(file)
    assert (pack.manifest.name, pack.manifest.nodes, pack.manifest.links) == ("Python core", 3, 2)
    assert (pack.manifest.embedding_model, pack.manifest.dimension) == (MODEL, DIMENSION)
    assert [entry.path for entry in pack.nodes] == [given["id"] for given in some_nodes()]


def test_a_pack_sealed_to_a_key_opens_with_it_alone():
    """HPKE: the site's public half closes, its private half opens, a passphrase does not, nor does it open another's."""
    file = pack_file(passphrase=None, public_key=site_public_key())
    file_key = unlock_pack(file)
    file.seek(0)
    assert read_pack(file, file_key=file_key).manifest.nodes == 3
    file.seek(0)
    with refused(PackRefused, "wrong-key"):
        unlock_pack(file, passphrase=PASSPHRASE)
    with refused(PackRefused, "wrong-key"):
        unlock_pack(pack_file(passphrase=None, public_key=public_half(b"b" * PAIR_BYTES)))


def test_a_wrong_passphrase_is_refused_before_anything_is_opened():
    """It shows at the header: not one chunk has been read from the file."""
    file = pack_file()
    with refused(PackRefused, "wrong-key"):
        read(file, passphrase="another")
    length = int.from_bytes(file.getvalue()[len(MAGIC) : len(MAGIC) + 4], "big")
    assert file.tell() == len(MAGIC) + 4 + length + 32


def test_a_foreign_header_cannot_make_the_site_work(subtests):
    """What opening costs is bounded before it is paid."""
    for name, value, why in [
        ("memory_kib", 2**31, "costly"),
        ("iterations", 2**31, "costly"),
        ("iterations", 2**15, "costly"),
        ("lanes", 17, "costly"),
        ("memory_kib", 1, "unknown"),
        ("iterations", 0, "unknown"),
        ("lanes", -1, "unknown"),
        ("iterations", True, "unknown"),
        ("memory_kib", "64", "unknown"),
        ("salt", "AA==", "unknown"),
        ("salt", None, "unknown"),
        ("kind", "none", "unknown"),
        ("kind", ["argon2id"], "unknown"),
    ]:
        with subtests.test(name=name, value=value), refused(PackRefused, why):
            read(_with_header(**{name: value}))


def test_a_pack_larger_than_a_chunk_is_read_whole_and_every_cut_is_noticed():
    """A file cut short at any place is refused, also where whole chunks are left: the last one is marked."""
    words = Random(1)
    nodes = [node(f"fact.n{at}", payload={"code": words.randbytes(12_000).hex()}) for at in range(20)]
    raw = pack_file(nodes).getvalue()
    assert len(raw) > 3 * CHUNK_BYTES and len(list(read(io.BytesIO(raw)).nodes)) == 20
    start = len(MAGIC) + 4 + int.from_bytes(raw[len(MAGIC) : len(MAGIC) + 4], "big") + 32
    for size in [*range(0, 400, 13), start + CHUNK_BYTES + 16, len(raw) - 17, len(raw) - 1]:
        with refused(PackRefused, "unknown", "damaged"):
            list(read(io.BytesIO(raw[:size])).nodes)


def test_every_changed_byte_is_noticed():
    """So is whatever follows the end; and the header is bound to the key: even a cheaper derivation of the right passphrase does not pass."""
    raw = bytearray(pack_file().getvalue())
    for at in range(0, len(raw), 97):
        raw[at] ^= 1
        with refused(PackRefused, "unknown", "wrong-key", "damaged", "costly"):
            list(read(io.BytesIO(bytes(raw))).nodes)
        raw[at] ^= 1
    for more in (b"\x00", b"x" * 100_000):
        with refused(PackRefused, "damaged"):
            list(read(io.BytesIO(bytes(raw) + more)).nodes)
    with refused(PackRefused, "wrong-key"):
        read(_with_header(iterations=2))


def test_where_keys_are_trusted_no_other_passes(settings):
    """With trusted keys, an unsigned pack and another's are refused; without, who signed shows."""
    signer, other = (Ed25519PrivateKey.from_private_bytes(letter * 32) for letter in (b"s", b"o"))
    assert read(pack_file()).signed_by == ""
    settings.PACK_TRUSTED_KEYS = [public_hex(signer).upper()]
    assert read(pack_file(signer=signer)).signed_by == public_hex(signer)
    for file in (pack_file(signer=other), pack_file()):
        with refused(PackRefused, "signature"):
            read(file)


def test_nodes_are_written_in_one_pass_each():
    """An iterator is refused, and so are nodes that change between the passes: the checksum would lie."""
    with pytest.raises(ValueError, match="twice"):
        pack_file(iter(some_nodes()))

    class Changing(list):
        def __iter__(self):
            self[0] = node("skill.python.files", label=f"{len(self[0]['label'])}")
            return super().__iter__()

    with pytest.raises(ValueError, match="changed"):
        pack_file(Changing([node("skill.python.files"), node("fact.b")]))


def test_a_text_about_escapes_is_no_escape(subtests):
    """What is written of backslashes is kept as it is: only a NUL itself is none."""
    for text in ["\\u0000", "\\\\u0000", "\n\\u0000", "\\ud800"]:
        with subtests.test(case=text):
            (entry,) = read(pack_file([node("fact.escapes", payload={"code": text})])).nodes
            assert entry.content["payload"] == {"code": text}
            raw = json.dumps({"code": text}).encode()
            assert parse_object(raw) == {"code": text}
            with pytest.raises(ValueError, match="NUL"):
                parse_object(json.dumps({"code": text + "\x00"}).encode())


def test_what_would_be_refused_is_not_written():
    """A pack that nobody could take in is not made."""
    with refused(PackRefused, "node"):
        pack_file([node("Not A Path")])
    with refused(PackRefused, "manifest"):
        pack_file([])
    with refused(PackRefused, "manifest"):
        describe(id="x", name="", version="1", now=NOW)


def test_either_a_passphrase_or_a_key():
    for options in ({}, {"passphrase": "a", "public_key": b"b"}, {"public_key": b"short"}):
        with pytest.raises(ValueError, match="key"):
            write_pack(io.BytesIO(), manifest(), some_nodes(), **options)


def _with_header(**changes):
    raw = pack_file().getvalue()
    start = len(MAGIC) + 4
    length = int.from_bytes(raw[len(MAGIC) : start], "big")
    text = json.dumps({**json.loads(raw[start : start + length]), **changes}).encode()
    return io.BytesIO(MAGIC + len(text).to_bytes(4, "big") + text + raw[start + length :])
