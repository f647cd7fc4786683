"""What a tool came to, as the protocol has it: an object, and the same as text for clients that read only that."""

import json
from typing import Any

from django.utils import translation
from mcp.types import CallToolResult, TextContent

from companion_site.errors import CompanionError
from memory.agents.mcp.errors import ArgumentsInvalid


def tell(found: dict[str, Any]) -> CallToolResult:
    """Return the answer of a tool."""
    return CallToolResult(content=[TextContent(text=_as_text(found))], structured_content=found)


def tell_error(error: CompanionError) -> CallToolResult:
    """Return a refusal: its code and its message, in English, since programs read it."""
    with translation.override("en"):
        told = {"code": error.code, "message": str(error), "retryable": error.retryable}
    text = f"{told['code']}: {told['message']}"
    return CallToolResult(content=[TextContent(text=text)], structured_content={"error": told}, is_error=True)


def describe_problems(problems: list[Any]) -> ArgumentsInvalid:
    """Return what is wrong with arguments, from pydantic's list; where it is and of which kind, never what stood there."""
    told = [
        f"{'.'.join(map(str, problem['loc'])) or 'arguments'}: {problem['msg']}" for problem in problems[:5]
    ]
    return ArgumentsInvalid("; ".join(told)[:1000])


def _as_text(found: dict[str, Any]) -> str:
    return json.dumps(found, ensure_ascii=False, separators=(",", ":"))
