"""What goes to a memory is plain JSON of a bounded size: it is refused here where no memory could ever take it.

A call that cannot be sent would otherwise wait for ever, and all that were made after it behind it.
"""

import json
from collections.abc import Mapping
from typing import Any, TypeVar

from memory.agents.client.errors import MemoryRefused
from memory.agents.mcp.limits import REQUEST_BYTES

#: what the protocol puts around the arguments of a call takes less than this
_AROUND_BYTES = 4_096
#: Lists and objects in each other; a memory takes far fewer, and parsers give up not far above.
MOST_DEPTH = 64

T = TypeVar("T")


def as_sent(value: T) -> T:
    """Return a value of JSON as it arrives: what is half a pair of surrogates, which UTF-8 cannot carry, is replaced.

    Raises:
        MemoryRefused: it is no JSON, nested too deeply, or more than one call may carry.
    """
    if _is_deeper(value, MOST_DEPTH):
        raise MemoryRefused("orchestrator.too-deep", "It is nested too deeply.")
    try:
        text = json.dumps(value, ensure_ascii=False, allow_nan=False)
    except (TypeError, ValueError):
        raise MemoryRefused("orchestrator.not-json", "It holds what JSON does not.") from None
    paired = text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")
    if len(paired.encode()) > REQUEST_BYTES - _AROUND_BYTES:
        raise MemoryRefused("orchestrator.too-large", "It is more than one call may carry.")
    arrived: T = json.loads(paired)
    return arrived


def _is_deeper(value: Any, room: int) -> bool:
    if isinstance(value, Mapping):
        value = list(value.values())
    return isinstance(value, list | tuple) and (
        room == 0 or any(_is_deeper(part, room - 1) for part in value)
    )
