"""Asking a model for something while memories form; where none can be asked, they form without."""

import asyncio

import structlog

from companion_site.llm.errors import LanguageModelError
from companion_site.llm.gateway import get_gateway
from companion_site.llm.types import Extracted, S

logger = structlog.get_logger(__name__)


def ask_model(
    schema: type[S], *, instructions: str, data: str, purpose: str, max_tokens: int = 2048
) -> S | None:
    """Return `data` read into `schema`; None where no model could be asked, or none answered in the form.

    Synchronous and slow: called from a worker, never inside a transaction. Arguments as of `extract_by_model`.
    """
    try:
        extracted = extract_by_model(
            schema, instructions=instructions, data=data, purpose=purpose, max_tokens=max_tokens
        )
    except LanguageModelError as error:
        logger.info("memory.offline", purpose=purpose, code=error.code)
        return None
    return extracted.value if extracted is not None else None


def extract_by_model(
    schema: type[S], *, instructions: str, data: str, purpose: str, max_tokens: int
) -> Extracted[S] | None:
    """Return `data` read into `schema`, with who read it; None where no model is set up.

    Synchronous and slow: called from a worker, never inside a transaction.

    Args:
        instructions: our own words.
        data: what to read, from whomever; it is never an instruction.
        purpose: what the call's record of usage says it was for.

    Raises:
        LanguageModelError: no model could be asked, or none answered in the form (`MalformedOutput`).
    """
    gateway = get_gateway()
    if not gateway.providers:
        return None

    async def extract() -> Extracted[S]:
        try:
            return await gateway.extract(
                schema, instructions=instructions, data=data, purpose=purpose, max_tokens=max_tokens
            )
        finally:
            await gateway.aclose()

    return asyncio.run(extract())
