"""Values of JSON that somebody sent: bounded in size and depth before they are copied, their texts sanitised."""

import json
import math
from collections.abc import Mapping
from typing import Any

from companion_site.language import sanitise
from memory.nodes.errors import NodeInvalid


def clean_json(value: Any, field: str, *, most: int, depth: int) -> Any:
    """Return a value of JSON with its texts sanitised.

    Raises:
        NodeInvalid: it is too large, too deep, or holds what JSON does not.
    """
    _check_shape(value, field, most=most, depth=depth)
    found = _sanitised(value)
    if len(json.dumps(found, ensure_ascii=False).encode()) > most:
        raise NodeInvalid(field, "too-large")
    return found


def _check_shape(value: Any, field: str, *, most: int, depth: int) -> None:
    """Walk a value with bounded work, so that what is deep or huge is refused before it is copied."""
    room, stack = most, [(value, 0)]
    while stack:
        item, level = stack.pop()
        if level > depth:
            raise NodeInvalid(field, "too-deep")
        if isinstance(item, Mapping):
            if not all(isinstance(key, str) for key in item):
                raise NodeInvalid(field, "kind")
            room -= sum(len(key) + 1 for key in item)
            stack.extend((part, level + 1) for part in item.values())
        elif isinstance(item, list | tuple):
            stack.extend((part, level + 1) for part in item)
        elif isinstance(item, str):
            room -= len(item)
        elif isinstance(item, int | None):
            if item is not None and abs(item) >= 2**63:
                raise NodeInvalid(field, "range")
        elif not isinstance(item, float):
            raise NodeInvalid(field, "kind")
        elif not math.isfinite(item):
            raise NodeInvalid(field, "range")
        room -= 1
        if room < 0:
            raise NodeInvalid(field, "too-large")


def _sanitised(value: Any) -> Any:
    if isinstance(value, str):
        return sanitise(value)
    if isinstance(value, Mapping):
        return {sanitise(key): _sanitised(part) for key, part in value.items()}
    if isinstance(value, list | tuple):
        return [_sanitised(part) for part in value]
    return value
