"""Packs to take in: their nodes, their files, and files that somebody has tampered with."""

import io
import json
from collections.abc import Iterable, Mapping, Sequence
from hashlib import sha256
from typing import Any

import numpy as np

from companion_site.embeddings.calibration import Calibration
from memory.models import Pack
from memory.packs import archive
from memory.packs.crypto import write_shell
from memory.packs.format import write_pack
from memory.packs.importer import Audience, import_pack
from memory.packs.manifest import Manifest, describe, write_manifest
from tests.factories import NOW

PASSPHRASE = "a stitch in time"
MODEL, DIMENSION = "tests/8", 8


class NumbersEmbedder:
    """An embedder of small vectors: the same text, the same vector."""

    calibration = Calibration(raw=(-1.0, 1.0), calibrated=(0.0, 1.0), provenance="a line")

    def __init__(self, model: str = MODEL, dimension: int = DIMENSION) -> None:
        self.model, self.dimension = model, dimension
        self.asked: list[str] = []

    def embed(self, texts: Sequence[str]) -> np.ndarray:
        self.asked.extend(texts)
        return np.array([vector_of(text, self.dimension) for text in texts], np.float32).reshape(
            -1, self.dimension
        )


def vector_of(text: str, dimension: int = DIMENSION) -> np.ndarray:
    """Return a unit vector that is the text's own."""
    rng = np.random.default_rng(list(text.encode()))
    vector = rng.normal(size=dimension)
    return (vector / np.linalg.norm(vector)).astype(np.float32)


def node(path: Any, **fields: Any) -> dict[str, Any]:
    """Return a wire node with a vector of the tests' model."""
    embeddings = {"model": MODEL, "vector": vector_of(str(path)).tolist()}
    return {"id": path, "type": "concept", "label": path, "embeddings": embeddings, **fields}


def link(to: str, w: float = 0.5, rel: str = "uses") -> dict[str, Any]:
    return {"to": to, "rel": rel, "w": w}


def some_nodes() -> list[dict[str, Any]]:
    """Return three nodes that hang together."""
    return [
        node(
            "skill.python.files",
            type="skill",
            label="Closing files",
            payload={"definition": "A context manager closes a file whatever happens."},
            links=[link("concept.resource", w=0.9), link("pattern.with", rel="is_a", w=0.4)],
            children={"with": "pattern.with"},
            tags=["python"],
        ),
        node(
            "pattern.with", type="pattern", label="with statement", payload={"code": "with open(p) as f: ..."}
        ),
        node("concept.resource", label="Resource", tags=["python", "general"], meta={"default": True}),
    ]


def manifest(**fields: Any) -> Manifest:
    """Return the manifest of a pack with vectors of the tests' model."""
    said = {
        "id": "python-core",
        "name": "Python core",
        "version": "1.0.0",
        "domain_tags": ["python"],
        "language": "en",
        "licence": "CC0-1.0",
        "author": "Ada",
        "embedding_model": MODEL,
        "dimension": DIMENSION,
        **fields,
    }
    return describe(now=NOW, **said)


def pack_file(
    nodes: Sequence[Mapping[str, Any]] | None = None,
    *,
    about: Manifest | None = None,
    passphrase: str | None = PASSPHRASE,
    **options: Any,
) -> io.BytesIO:
    """Return a pack as a file."""
    file = io.BytesIO()
    given = some_nodes() if nodes is None else nodes
    write_pack(file, about or manifest(), given, passphrase=passphrase, **options)
    file.seek(0)
    return file


def take_in(file: io.BytesIO | None = None, *, name: str = "", **options: Any) -> Pack:
    """Take a pack in by the command, for everybody and with the vectors it brings unless `options` say otherwise."""
    file = file or pack_file(about=manifest(id=name, name=name) if name else None)
    whose = {name: options.pop(name) for name in ("owner", "school_id", "company_id") if name in options}
    given = {"now": NOW, "passphrase": PASSPHRASE, "embedder": NumbersEmbedder(), **options}
    return import_pack(file, audience=Audience(**whose), **given)


def archive_file(*members: tuple[str, bytes]) -> io.BytesIO:
    """Return a pack whose archive holds these files, whatever they are."""
    parts = [part for name, content in members for part in member(name, content)]
    return sealed([*parts, archive.END])


def member(name: str, content: bytes) -> list[bytes]:
    return [archive.entry(name, len(content)), content, archive.padding(len(content))]


def sealed(parts: Sequence[bytes]) -> io.BytesIO:
    """Return a pack whose archive is these bytes."""
    return shell(archive.compress(parts))


def shell(packed: Iterable[bytes]) -> io.BytesIO:
    """Return a file that opens with the passphrase and holds these bytes."""
    file = io.BytesIO()
    write_shell(file, packed, passphrase=PASSPHRASE)
    file.seek(0)
    return file


def with_lines(*lines: bytes, **said: Any) -> io.BytesIO:
    """Return a pack of these lines, whose manifest tells of them rightly unless it is told otherwise."""
    nodes = b"".join(line + b"\n" for line in lines)
    told = {
        "checksum": sha256(nodes).hexdigest(),
        "nodes": len(lines),
        "links": sum(_links(line) for line in lines),
        **said,
    }
    about = manifest().model_copy(update=told)
    return archive_file(("pack.json", write_manifest(about)), ("nodes.jsonl", nodes))


def line(path: str, **fields: Any) -> bytes:
    """Return a node's line."""
    return json.dumps(node(path, **fields)).encode()


def _links(raw: bytes) -> int:
    try:
        return len(json.loads(raw).get("links", ()))
    except (ValueError, RecursionError):
        return 0
