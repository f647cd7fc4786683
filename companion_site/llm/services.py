"""Keeping the usage rows."""

from dataclasses import asdict

import structlog
from channels.db import database_sync_to_async
from django.db import Error, transaction

from companion_site.llm.models import LlmCall
from companion_site.llm.types import CallRecord, Outcome

_MODEL_CHARS = LlmCall._meta.get_field("model").max_length
logger = structlog.get_logger(__name__)


async def keep_call(call: CallRecord) -> None:
    """Write one usage row from the gateway, of a model's name as much as there is room for; a reply is not lost because it could not be written."""
    tell = logger.info if call.outcome == Outcome.OK else logger.warning
    tell("model.called", **asdict(call))
    try:
        fields = asdict(call) | {"model": call.model[:_MODEL_CHARS]}
        await database_sync_to_async(transaction.atomic(LlmCall.objects.create))(**fields)
    except Error:
        logger.exception("model.call_lost", provider=call.provider, purpose=call.purpose)
