"""Nodes on the wire and in words: one form for MCP, REST, packs and snapshots."""

import math
from collections.abc import Iterator, Mapping
from datetime import UTC, datetime
from typing import Any

from companion_site.language import detect_language, tokens

#: Of a node's words only so many are indexed and embedded; what is longer is told by its beginning.
TEXT_CHARS = 4_000
#: Said first of a payload, so that what is cut off is the least telling.
FIRST = ("definition", "summary", "text", "examples", "code")
#: what is left of a node's resonance a tick later, where it does not say
DECAY = 0.98
#: of moments in seconds since the epoch
NEVER = math.nan


def wire_node(
    content: Mapping[str, Any],
    *,
    type: str,
    uses: int = 0,
    last_used_at: float = NEVER,
    resonance: float = 0.0,
    decay: float = DECAY,
) -> dict[str, Any]:
    """Return a node as it goes over the wire; `resonance` is that of now."""
    last = None if math.isnan(last_used_at) else datetime.fromtimestamp(last_used_at, UTC).isoformat()
    return {
        "id": content["id"],
        "type": type,
        "label": content["label"],
        "payload": content["payload"],
        "links": content["links"],
        "children": content["children"],
        "tags": content["tags"],
        "stats": {"uses": uses, "last_used_at": last},
        "resonance": {"value": round(resonance, 6), "decay": decay, "last_activated_at": last},
        "meta": content["meta"],
    }


def text_of(content: Mapping[str, Any]) -> str:
    """Return what of a node is searched and embedded: its label, its path in words, its payload."""
    payload = content["payload"]
    names = [*(name for name in FIRST if name in payload), *sorted(payload.keys() - set(FIRST))]
    parts = [content["label"], _spoken(content["id"]), " ".join(content["tags"])]
    room = TEXT_CHARS
    kept = []
    for part in (*parts, *(text for name in names for text in _texts(payload[name]))):
        kept.append(part[:room])
        room -= len(part) + 1
        if room <= 0:
            break
    return "\n".join(filter(None, kept))


def terms_of(text: str) -> list[str]:
    """Return the terms of a node for the lexical index, stemmed in the language that it is in."""
    return tokens(text, detect_language(text, default="en"))


def _spoken(path: str) -> str:
    return path.translate(str.maketrans("._-", "   "))


def _texts(value: Any) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, Mapping):
        for name in sorted(value):
            yield from _texts(value[name])
    elif isinstance(value, list):
        for part in value:
            yield from _texts(part)
