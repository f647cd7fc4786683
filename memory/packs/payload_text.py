"""The payload of a pack's node as parts with names, the most telling first. All of it is whoever's words wrote the pack."""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

#: said first
FIRST = ("definition", "summary", "text", "details", "examples")


@dataclass(frozen=True)
class Part:
    """One field of a payload in words."""

    name: str
    text: str

    @property
    def is_prose(self) -> bool:
        """Whether its lines may be wrapped: neither code nor a table."""
        return self.name not in {"code", "booking"} and not self.text.startswith(("[", "{"))


def parts_of(payload: Mapping[str, Any]) -> list[Part]:
    """Return what a payload says, field by field."""
    names = [*(name for name in FIRST if name in payload), *sorted(payload.keys() - set(FIRST))]
    return [Part(str(name), text) for name in names if (text := _text(payload[name]))]


def _text(value: Any) -> str:
    if isinstance(value, str):
        return value.strip("\n")
    if isinstance(value, list) and all(isinstance(item, str) for item in value):
        return "\n".join(value)
    if isinstance(value, list) and all(isinstance(item, Mapping) for item in value):
        return "\n".join(_row(item) for item in value)
    return json.dumps(value, ensure_ascii=False) if value not in (None, {}, []) else ""


def _row(item: Mapping[str, Any]) -> str:
    return ", ".join(f"{name} {value}" for name, value in item.items())
