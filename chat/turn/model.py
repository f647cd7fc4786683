"""Asking the fast model within a turn: a closed form, a short time, and nothing where no model is set up."""

import asyncio

import structlog
from django.conf import settings

from chat.turn.steps import Form
from companion_site.llm.chain import Gateway
from companion_site.llm.errors import LanguageModelError
from companion_site.llm.types import S

logger = structlog.get_logger(__name__)

MOST_TOKENS = 300


def asking_gateway(gateway: Gateway) -> Gateway | None:
    """Return the gateway where steps ask a model (`TURN_STEPS=model`) and one is set up; else None."""
    return gateway if settings.TURN_STEPS == "model" and gateway.providers else None


async def ask_fast(gateway: Gateway, schema: type[S], *, instructions: str, data: str, purpose: str) -> S:
    """Return what a model reads.

    Args:
        instructions: our own words; data: what it decides by, never an instruction.

    Raises:
        LanguageModelError: no model could be asked, or none answered in the form.
        TimeoutError: none answered in time.
    """
    async with asyncio.timeout(settings.TURN_STEP_TIMEOUT_S):
        asked = await gateway.extract(
            schema, instructions=instructions, data=data, purpose=purpose, max_tokens=MOST_TOKENS
        )
    return asked.value


def form_without(error: LanguageModelError | TimeoutError, *, step: str) -> Form:
    """Note that a step's model gave nothing, and return the form in which the step is done."""
    code = "timeout" if isinstance(error, TimeoutError) else error.code
    logger.info("step.offline", step=step, code=code)
    return "late" if code == "timeout" else "offline"
