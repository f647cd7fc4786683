"""JSON as a foreign file may write it: read without guessing, refused where two readers could understand it differently."""

import json
from typing import Any


def parse_object(raw: bytes) -> dict[str, Any]:
    """Return the JSON object that `raw` is.

    Raises:
        ValueError: it is not UTF-8, not JSON, no object, nested beyond reason, repeats a name, or holds half a surrogate pair,
            a NUL or a number that is none.
    """
    try:
        value = json.loads(raw.decode(), object_pairs_hook=_once, parse_constant=_refuse)
    except RecursionError:
        raise ValueError("nested too deeply") from None
    if not isinstance(value, dict):
        raise ValueError("no object")
    if b"\\u" in raw:
        # Only an escape can bring in what UTF-8 does not allow, or a NUL, which PostgreSQL does not.
        text = json.dumps(value, ensure_ascii=False)
        text.encode()
        # A backslash is written as two, so that what is left of one begins an escape.
        if "\\u0000" in text.replace("\\\\", ""):
            raise ValueError("a NUL")
    return value


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) != len(pairs):
        raise ValueError("a name occurs twice")
    return found


def _refuse(constant: str) -> None:
    raise ValueError(f"{constant} is no number")
