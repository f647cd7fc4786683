"""Writing and reading a `.kpack` as a stream: shell, archive, manifest, signature, nodes (docs/packs.md).

One line of nodes.jsonl is a node of the wire, with its vector where the pack brings vectors.
"""

import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from hashlib import sha256
from typing import Any, BinaryIO

import numpy as np
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from django.utils.translation import gettext_lazy as _

from companion_site.embeddings.protocol import Vectors
from memory.nodes import NodeInvalid, clean_links, clean_node
from memory.packs import archive
from memory.packs.crypto import check_file_key, derive_file_key, read_chunks, read_header, write_shell
from memory.packs.errors import PackRefused
from memory.packs.limits import LIMITS, PackLimits
from memory.packs.manifest import Manifest, parse_manifest, parse_object, write_manifest
from memory.packs.signatures import MOST_BYTES, check_signature, sign_manifest

#: what of a node goes into a pack; what it was used for does not
SHARED = ("id", "type", "label", "payload", "links", "children", "tags", "meta")
DECIMALS = 7
SHORTEST = 1e-6


@dataclass(frozen=True)
class PackEntry:
    """A node of a pack as it may be kept; `content` as `memory.nodes.CleanNode` has it.

    Attributes:
        vector: (d,) float32 of unit length; None where the pack brings none.
    """

    content: Mapping[str, Any]
    vector: Vectors | None

    @property
    def path(self) -> str:
        return str(self.content["id"])


def parse_entry(line: bytes, manifest: Manifest, *, number: int) -> PackEntry:
    """Return the node of a line.

    Raises:
        PackRefused (node): it is none, is beyond the bounds of one, or its vector is not what the manifest says.
    """
    try:
        raw = parse_object(line)
        node = clean_node(raw, more=("embeddings",))
    except NodeInvalid as error:
        raise PackRefused(str(error), why="node", line=number) from None
    except (ValueError, OverflowError):
        raise PackRefused(_("It is no proper JSON."), why="node", line=number) from None
    if {"stats", "resonance"} & node.given:
        raise PackRefused(_("A pack does not tell what its nodes were used for."), why="node", line=number)
    return PackEntry(node.content, _vector(raw.get("embeddings"), manifest, number))


def parse_links(line: bytes) -> tuple[str, list[dict[str, Any]]]:
    """Return the path and the links of a line that `parse_entry` has let pass before."""
    raw = parse_object(line)
    return raw["id"], clean_links(raw.get("links"), raw["id"])


def write_entry(node: Mapping[str, Any], manifest: Manifest) -> bytes:
    """Return the line of a wire node, with its end; the same node gives the same bytes. Raises PackRefused (node): it is no JSON."""
    shared = {name: node[name] for name in SHARED if name in node}
    if manifest.embedding_model is not None:
        embeddings = node.get("embeddings") or {}
        values = np.asarray(embeddings.get("vector", ()), np.float64).round(DECIMALS).tolist()
        shared["embeddings"] = {"model": embeddings.get("model"), "vector": values}
    try:
        line = json.dumps(shared, ensure_ascii=False, separators=(",", ":"), allow_nan=False).encode()
    except (TypeError, ValueError):
        raise PackRefused(why="node") from None
    return line + b"\n"


def _vector(given: Any, manifest: Manifest, number: int) -> Vectors | None:
    if manifest.embedding_model is None:
        if given is not None:
            raise PackRefused(_("It has a vector, and the manifest names no model."), why="node", line=number)
        return None
    wrong = PackRefused(_("Its vector is missing, or not of the manifest's model."), why="node", line=number)
    if not isinstance(given, dict) or set(given) != {"model", "vector"}:
        raise wrong
    values = given["vector"]
    if given["model"] != manifest.embedding_model or not isinstance(values, list):
        raise wrong
    if len(values) != manifest.dimension or not set(map(type, values)) <= {int, float}:
        raise wrong
    try:
        vector = np.asarray(values, np.float64)
    except OverflowError:
        raise wrong from None
    length = float(np.sqrt(np.sum(np.square(vector)))) if (np.abs(vector) < 1e6).all() else np.inf
    if not SHORTEST < length < np.inf:
        raise wrong
    return (vector / length).astype(np.float32)


MANIFEST, SIGNATURE, NODES = "pack.json", "signature.json", "nodes.jsonl"


@dataclass(frozen=True)
class ReadPack:
    """A pack being read: what it says of itself, whose key signed it ("" where none did), and its nodes, once.

    That they are all, and those of the checksum, shows when the last has been taken.

    Attributes:
        lines: the nodes as they stand there, unparsed.
    """

    manifest: Manifest
    signed_by: str
    lines: Iterator[bytes]

    @property
    def nodes(self) -> Iterator[PackEntry]:
        """The nodes, each checked as it comes."""
        links = 0
        for number, line in enumerate(self.lines, 1):
            entry = parse_entry(line, self.manifest, number=number)
            links += len(entry.content["links"])
            if links > self.manifest.links:
                raise PackRefused(why="checksum")
            yield entry
        if links != self.manifest.links:
            raise PackRefused(why="checksum")


def write_pack(
    stream: BinaryIO,
    manifest: Manifest,
    nodes: Iterable[Mapping[str, Any]],
    *,
    passphrase: str | None = None,
    public_key: bytes | None = None,
    signer: Ed25519PrivateKey | None = None,
) -> Manifest:
    """Write a pack; return its manifest with the counts and the checksum.

    Args:
        nodes: wire nodes, with "embeddings" where the manifest names a model. Gone through twice, since the manifest comes
            first in the file, so something that can be: no iterator. Nothing of it is held in memory or on a disk.
        public_key: who shall open it (1,216 bytes), in place of a passphrase.

    Raises:
        PackRefused: what is to be written would be refused when it is read.
        ValueError: the nodes were others the second time, or cannot be gone through twice.
    """
    if isinstance(nodes, Iterator):
        raise ValueError("nodes are gone through twice")
    counted, size = count_nodes(manifest, nodes)
    head = write_manifest(counted)
    parse_manifest(head, limits=LIMITS)
    parts = _parts(counted, head, nodes, size=size, signer=signer)
    write_shell(stream, archive.compress(parts), passphrase=passphrase, public_key=public_key)
    return counted


def unlock_pack(stream: BinaryIO, *, passphrase: str | None = None) -> bytes:
    """Return the file's key, by which it is read again without its passphrase; with nothing given this site's key opens it.

    Raises:
        PackRefused (unknown), PackRefused (costly), PackRefused (wrong-key).
    """
    return derive_file_key(read_header(stream), passphrase=passphrase)


def read_pack(
    stream: BinaryIO,
    *,
    passphrase: str | None = None,
    file_key: bytes | None = None,
    limits: PackLimits = LIMITS,
) -> ReadPack:
    """Open a pack: manifest and signature are read and checked at once, nodes as they are taken.

    Args:
        file_key: what `unlock_pack` returned, in place of a passphrase.

    Raises:
        PackRefused: it cannot be taken in, and why.
    """
    header = read_header(stream)
    if file_key is None:
        file_key = derive_file_key(header, passphrase=passphrase)
    check_file_key(header, file_key)
    chunks = read_chunks(stream, header, file_key, limits=limits)
    feed = archive.Feed(archive.decompress(chunks, limits=limits))
    _name, size = archive.read_entry(feed, names=[MANIFEST])
    head = _take_file(feed, size, most=limits.manifest_bytes)
    name, size = archive.read_entry(feed, names=[SIGNATURE, NODES])
    signature = None
    if name == SIGNATURE:
        signature = _take_file(feed, size, most=MOST_BYTES)
        name, size = archive.read_entry(feed, names=[NODES])
    signed_by = check_signature(signature, head)
    manifest = parse_manifest(head, limits=limits)
    return ReadPack(manifest, signed_by, _read_lines(feed, size, manifest, limits=limits))


def _read_lines(feed: archive.Feed, size: int, manifest: Manifest, *, limits: PackLimits) -> Iterator[bytes]:
    digest, number = sha256(), 0
    for line in feed.take_lines(size, most=limits.line_bytes):
        digest.update(line + b"\n")
        number += 1
        if number > manifest.nodes:
            raise PackRefused(why="checksum")
        yield line
    feed.take(len(archive.padding(size)))
    feed.finish()
    if (number, digest.hexdigest()) != (manifest.nodes, manifest.checksum):
        raise PackRefused(why="checksum")


def _take_file(feed: archive.Feed, size: int, *, most: int) -> bytes:
    if size > most:
        raise PackRefused(why="too-large")
    raw = feed.take(size)
    feed.take(len(archive.padding(size)))
    return raw


def count_nodes(manifest: Manifest, nodes: Iterable[Mapping[str, Any]]) -> tuple[Manifest, int]:
    """Return the manifest with its counts and its checksum, and the size of nodes.jsonl. Raises PackRefused (node)."""
    digest, number, links, size = sha256(), 0, 0, 0
    for node in nodes:
        line = write_entry(node, manifest)
        digest.update(line)
        number, size = number + 1, size + len(line)
        links += len(parse_entry(line[:-1], manifest, number=number).content["links"])
    told = {"checksum": digest.hexdigest(), "nodes": number, "links": links}
    return manifest.model_copy(update=told), size


def _parts(
    manifest: Manifest,
    head: bytes,
    nodes: Iterable[Mapping[str, Any]],
    *,
    size: int,
    signer: Ed25519PrivateKey | None,
) -> Iterator[bytes]:
    yield from _whole(MANIFEST, head)
    if signer is not None:
        yield from _whole(SIGNATURE, sign_manifest(head, signer))
    yield archive.entry(NODES, size)
    digest, written = sha256(), 0
    for node in nodes:
        line = write_entry(node, manifest)
        digest.update(line)
        written += len(line)
        yield line
    if written != size or digest.hexdigest() != manifest.checksum:
        raise ValueError("the nodes changed while they were written")
    yield archive.padding(size)
    yield archive.END


def _whole(name: str, content: bytes) -> Iterator[bytes]:
    yield archive.entry(name, len(content)) + content + archive.padding(len(content))
