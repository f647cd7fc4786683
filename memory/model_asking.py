"""Asking a model for something while memories form; where none can be asked, they form without."""

import asyncio

import structlog

from companion_site.llm.errors import LanguageModelError
from companion_site.llm.gateway import Gateway, get_gateway
from companion_site.llm.types import S

logger = structlog.get_logger(__name__)


def ask_model(
    schema: type[S], *, instructions: str, data: str, purpose: str, max_tokens: int = 2048
) -> S | None:
    """Return `data` read into `schema`; None where no model could be asked.

    Synchronous and slow: called from a worker, never inside a transaction.

    Args:
        instructions: our own words.
        data: what to read, from whomever; it is never an instruction.
        purpose: what the call's record of usage says it was for.
    """
    gateway = get_gateway()
    if not gateway.providers:
        return None
    try:
        return asyncio.run(_extract(gateway, schema, instructions, data, purpose, max_tokens))
    except LanguageModelError as error:
        logger.info("memory.offline", purpose=purpose, code=error.code)
        return None


async def _extract(
    gateway: Gateway, schema: type[S], instructions: str, data: str, purpose: str, max_tokens: int
) -> S:
    try:
        extracted = await gateway.extract(
            schema, instructions=instructions, data=data, purpose=purpose, max_tokens=max_tokens
        )
    finally:
        await gateway.aclose()
    return extracted.value
