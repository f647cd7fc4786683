"""Packs of our own as they are written: a folder with `pack.json` and TOML files, turned into a manifest and wire nodes.

docs/packs.md says how such a folder is written. What a node may look like is not told here but by
`memory.nodes`, as for every pack.
"""

import json
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from companion_site.errors import InvalidInput

SHIPPED = Path(__file__).parent / "data"
#: keys of a node that have a place of their own on the wire; all the others are its payload
OUTSIDE = frozenset({"type", "label", "tags", "links", "children", "is_default"})
KINDS: dict[str, type] = {
    **dict.fromkeys(("type", "label", "definition", "details", "check", "code"), str),
    **dict.fromkeys(("tags", "links"), list),
    "children": dict,
}
REQUIRED = ("type", "label", "definition")
#: prose that is wrapped in the file and is one line a paragraph on the wire
WRAPPED = ("definition", "details", "check")
#: A child is linked to as well, for links are what activation spreads over; a link of the author's own weighs more.
HOLDS, HOLDS_WEIGHT = "holds", 0.4

Node = dict[str, Any]


class SourceInvalid(InvalidInput):
    """The source of a pack is not written as it must be."""

    code = "pack.source"

    def __init__(self, place: object, what: str) -> None:
        super().__init__(f"{place}: {what}")


def shipped_sources(shipped: Path = SHIPPED) -> list[Path]:
    """Return the folders of the packs that ship with the site, by name."""
    return sorted(path.parent for path in shipped.glob("*/pack.json"))


def read_source(folder: Path) -> tuple[dict[str, Any], list[Node]]:
    """Return the manifest and the wire nodes of a folder, in the order of their paths; the same files give the same.

    Raises:
        SourceInvalid: a file cannot be read, an id stands twice, or a node lacks what it needs.
    """
    manifest = read_manifest(folder / "pack.json")
    bodies: dict[str, tuple[dict[str, Any], list[str]]] = {}
    for file in sorted(folder.glob("*.toml")):
        table = _read_toml(file)
        shared = table.pop("tags", [])
        for path, body in table.items():
            if path in bodies:
                raise SourceInvalid(f"{file.name}: {path}", "stands twice")
            _check_shape(f"{file.name}: {path}", body, shared)
            bodies[path] = body, shared
    meta = {"source": f"pack:{manifest['id']}", "version": manifest["version"]}
    below = _children(bodies)
    return manifest, [_wire(path, *bodies[path], below[path], meta) for path in sorted(bodies)]


def read_manifest(file: Path) -> dict[str, Any]:
    """Return what a folder's `pack.json` says. Raises SourceInvalid: it cannot be read, or lacks what it needs."""
    try:
        manifest = json.loads(file.read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise SourceInvalid(file.name, str(error)) from None
    if not isinstance(manifest, dict) or not {"id", "version"} <= manifest.keys():
        raise SourceInvalid(file.name, "needs an object with an id and a version")
    return manifest


def _check_shape(place: str, body: object, shared: object) -> None:
    if not isinstance(body, dict) or not isinstance(shared, list):
        raise SourceInvalid(place, "a node is a table, and a file's tags a list")
    for name in REQUIRED:
        if not body.get(name):
            raise SourceInvalid(place, f"needs {name}")
    for name, kind in KINDS.items():
        if not isinstance(body.get(name, kind()), kind):
            raise SourceInvalid(place, f"{name} is of the wrong kind")


def _wire(
    path: str, body: Mapping[str, Any], shared: Sequence[str], below: Mapping[str, str], meta: Node
) -> Node:
    children = {**below, **body.get("children", {})}
    links = [_link(path, text) for text in body.get("links", ())]
    linked = {link["to"] for link in links}
    holds = [child for child in children.values() if child not in linked]
    return {
        "id": path,
        "type": body["type"],
        "label": body["label"],
        "payload": {name: _payload(name, body[name]) for name in body if name not in OUTSIDE},
        "links": [*links, *({"to": child, "rel": HOLDS, "w": HOLDS_WEIGHT} for child in holds)],
        "children": children,
        "tags": list(dict.fromkeys([*shared, *body.get("tags", ())])),
        "meta": {**meta, "default": True} if body.get("is_default") else meta,
    }


def _link(path: str, text: str) -> Node:
    """Return the link of a line such as "uses python.files.paths 0.7"."""
    try:
        rel, to, weight = text.split()
        return {"to": to, "rel": rel, "w": float(weight)}
    except (ValueError, AttributeError):
        raise SourceInvalid(path, f"{text!r} is no link: relation, path, weight") from None


def _payload(name: str, value: Any) -> Any:
    if name in WRAPPED:
        return "\n\n".join(" ".join(part.split()) for part in value.strip().split("\n\n"))
    if name == "code":
        return value.strip("\n") + "\n"
    return value


def _children(paths: Mapping[str, object]) -> dict[str, dict[str, str]]:
    """Return each path's children, by name: every node belongs to the nearest one that its path begins with."""
    below: dict[str, dict[str, str]] = {path: {} for path in paths}
    for path in sorted(paths):
        parent = next((above for above in _above(path) if above in paths), None)
        if parent is not None:
            below[parent][path.removeprefix(parent + ".")] = path
    return below


def _above(path: str) -> Iterator[str]:
    while "." in path:
        path = path.rpartition(".")[0]
        yield path


def _read_toml(file: Path) -> dict[str, Any]:
    try:
        return tomllib.loads(file.read_text(encoding="utf-8"))
    except ValueError as error:
        raise SourceInvalid(file.name, str(error)) from None
