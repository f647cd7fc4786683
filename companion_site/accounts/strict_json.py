"""JSON from other programs, read strictly: what two readers could understand in two ways is not read at all."""

import json
import re
from collections.abc import Callable, Iterator
from typing import Any

from django.utils.translation import gettext_lazy as _

from companion_site.errors import InvalidInput

MOST_DEPTH = 20
#: As JSON may write a NUL; unescaped it may not stand.
_NUL = re.compile(rb"\\u0000")


class BadJson(InvalidInput):
    """The message may be shown: it repeats nothing of what came."""

    code = "api.bad-json"
    status = 400
    message = _("The body is no JSON in UTF-8.")


def load_json(raw: bytes, *, parse_float: Callable[[str], Any] = float, nul: bool = False) -> Any:
    """Return what stands in UTF-8.

    Args:
        parse_float: makes a number out of the digits of one with a point; Decimal keeps them all.
        nul: whether a NUL is left to the caller, who tells the field that holds it.

    Raises:
        BadJson: it is none, has a NUL, a name twice, a number that is none, half a character, or is nested too deep.
    """
    try:
        given = json.loads(
            raw.decode(),
            parse_float=parse_float,
            parse_constant=refuse_constant,
            object_pairs_hook=refuse_repeats,
        )
        texts = (value for value, _depth in _walk(given) if isinstance(value, str))
        if not nul and _NUL.search(raw) and any("\x00" in text for text in texts):
            raise BadJson("The body holds a character that no text has (NUL).")
        # Half a character can be read but not written in UTF-8, a number beyond all others not in JSON.
        json.dumps(given, ensure_ascii=False, allow_nan=False, default=str).encode()
        too_deep = any(depth > MOST_DEPTH for _value, depth in _walk(given))
    except RecursionError:
        too_deep = True
    except (ValueError, ArithmeticError):
        raise BadJson() from None
    if too_deep:
        raise BadJson(f"The body is nested deeper than {MOST_DEPTH} levels.")
    return given


def _walk(given: Any) -> Iterator[tuple[Any, int]]:
    """Yield every name and value in a value, itself first, with its depth; by a list of its own, so that depth costs no stack."""
    waiting = [(given, 1)]
    while waiting:
        value, depth = waiting.pop()
        yield value, depth
        if isinstance(value, dict):
            waiting.extend((part, depth + 1) for part in (*value, *value.values()))
        elif isinstance(value, list):
            waiting.extend((part, depth + 1) for part in value)


def refuse_constant(word: str) -> None:
    """Refuse NaN and Infinity, for `json.loads(parse_constant=)`."""
    raise ValueError("no number")


def refuse_repeats(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """Refuse an object that has a name twice, for `json.loads(object_pairs_hook=)`."""
    found = dict(pairs)
    if len(found) < len(pairs):
        raise ValueError("a name stands twice")
    return found
