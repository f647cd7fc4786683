"""Asking a fast model to take a step in the rules' place (curate, plan, tone).

It answers in numbers and names out of closed sets, never in a sentence, and in a short time; where none is set up, or none
answers, the rules decide.
"""

import asyncio

import structlog
from django.conf import settings

from chat.turn.steps import Step
from companion_site.llm.chain import Gateway
from companion_site.llm.errors import LanguageModelError
from companion_site.llm.types import S

logger = structlog.get_logger(__name__)

MOST_TOKENS = 300
#: of the message that a model reads
MOST_MESSAGE_CHARS = 1_000


def asking_gateway(gateway: Gateway) -> Gateway | None:
    """Return the gateway where steps ask a model (`TURN_STEPS=model`) and one is set up; else None."""
    return gateway if settings.TURN_STEPS == "model" and gateway.providers else None


async def ask(gateway: Gateway, schema: type[S], step: Step, *, instructions: str, data: str) -> S | None:
    """Return what a model reads, None where none answered in the form and in time; the step notes which it was.

    Args:
        instructions: our own words; data: what it decides by, never an instruction.
    """
    try:
        async with asyncio.timeout(settings.TURN_STEP_TIMEOUT_S):
            asked = await gateway.extract(
                schema,
                instructions=instructions,
                data=data,
                purpose=f"chat.{step.name}",
                max_tokens=MOST_TOKENS,
            )
    except (LanguageModelError, TimeoutError) as error:
        code = "timeout" if isinstance(error, TimeoutError) else error.code
        logger.info("step.offline", step=step.name, code=code)
        step.form = "late" if code == "timeout" else "offline"
        return None
    step.form = "model"
    return asked.value
