"""One line of nodes.jsonl: a node of the wire, with its vector where the pack brings vectors."""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from django.utils.translation import gettext_lazy as _

from companion_site.embeddings.protocol import Vectors
from memory.nodes import NodeInvalid, clean_links, clean_node
from memory.packs.errors import PackNodeRefused
from memory.packs.manifest import Manifest, parse_object

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

    path: str
    type: str
    content: Mapping[str, Any]
    vector: Vectors | None


def parse_entry(line: bytes, manifest: Manifest, *, number: int) -> PackEntry:
    """Return the node of a line.

    Raises:
        PackNodeRefused: it is none, is beyond the bounds of one, or its vector is not what the manifest says.
    """
    try:
        raw = parse_object(line)
        node = clean_node(raw, more=("embeddings",))
    except NodeInvalid as error:
        raise PackNodeRefused(str(error), line=number) from None
    except (ValueError, OverflowError):
        raise PackNodeRefused(_("It is no proper JSON."), line=number) from None
    if {"stats", "resonance"} & node.given:
        raise PackNodeRefused(_("A pack does not tell what its nodes were used for."), line=number)
    return PackEntry(node.path, node.type, node.content, _vector(raw.get("embeddings"), manifest, number))


def parse_links(line: bytes) -> tuple[str, list[dict[str, Any]]]:
    """Return the path and the links of a line that `parse_entry` has let pass before."""
    raw = parse_object(line)
    return raw["id"], clean_links(raw.get("links"), raw["id"])


def write_entry(node: Mapping[str, Any], manifest: Manifest) -> bytes:
    """Return the line of a wire node, with its end; the same node gives the same bytes.

    Raises:
        PackNodeRefused: it is no JSON.
    """
    shared = {name: node[name] for name in SHARED if name in node}
    if manifest.embedding_model is not None:
        embeddings = node.get("embeddings") or {}
        values = np.asarray(embeddings.get("vector", ()), np.float64).round(DECIMALS).tolist()
        shared["embeddings"] = {"model": embeddings.get("model"), "vector": values}
    try:
        line = json.dumps(shared, ensure_ascii=False, separators=(",", ":"), allow_nan=False).encode()
    except (TypeError, ValueError):
        raise PackNodeRefused() from None
    return line + b"\n"


def _vector(given: Any, manifest: Manifest, number: int) -> Vectors | None:
    if manifest.embedding_model is None:
        if given is not None:
            raise PackNodeRefused(_("It has a vector, and the manifest names no model."), line=number)
        return None
    wrong = PackNodeRefused(_("Its vector is missing, or not of the manifest's model."), line=number)
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
