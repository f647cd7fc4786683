"""Asking a model about near pairs, in one call, where there is one."""

import asyncio
from collections.abc import Hashable, Sequence
from typing import TypeVar

import structlog

from companion_site.llm.errors import LanguageModelError
from companion_site.llm.gateway import get_gateway
from memory.contradiction_prompts import MOST_PAIRS, JudgedPairs, contradiction_instructions, render_pairs

logger = structlog.get_logger(__name__)

P = TypeVar("P", bound=Hashable)


def ask_model(pairs: Sequence[tuple[tuple[str, str], P]]) -> dict[P, str]:
    """Return a model's verdict on each pair it answered; nothing where no model could be asked.

    Synchronous and slow: called from a worker, never inside a transaction.

    Args:
        pairs: the earlier and the later text, and what to call the pair; the first ones count.
    """
    asked = pairs[:MOST_PAIRS]
    if not asked or not get_gateway().providers:
        return {}
    judged = asyncio.run(_ask([texts for texts, _ in asked]))
    return (
        {asked[one.pair][1]: one.verdict for one in judged.pairs if one.pair < len(asked)} if judged else {}
    )


async def _ask(pairs: Sequence[tuple[str, str]]) -> JudgedPairs | None:
    gateway = get_gateway()
    try:
        extracted = await gateway.extract(
            JudgedPairs,
            instructions=contradiction_instructions(),
            data=render_pairs(pairs),
            purpose="memory.contradictions",
            max_tokens=512,
        )
    except LanguageModelError as error:
        logger.info("contradictions.offline", code=error.code)
        return None
    finally:
        await gateway.aclose()
    return extracted.value
