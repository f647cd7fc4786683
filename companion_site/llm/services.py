"""Keeping the usage rows."""

from dataclasses import asdict, replace
from datetime import datetime

import structlog
from channels.db import database_sync_to_async
from django.db import Error, transaction
from django.utils import timezone

from companion_site.llm.models import LlmCall
from companion_site.llm.types import CallRecord, Outcome

_MODEL_CHARS = LlmCall._meta.get_field("model").max_length
logger = structlog.get_logger(__name__)


def record_call(call: CallRecord, *, now: datetime) -> LlmCall:
    """Write one usage row, in a transaction of its own; of a model's name as much as there is room for."""
    with transaction.atomic():
        return LlmCall.objects.create(**asdict(replace(call, model=call.model[:_MODEL_CHARS])), at=now)


async def keep_call(call: CallRecord) -> None:
    """Write one usage row from the gateway; a reply is not lost because its row could not be written."""
    tell = logger.info if call.outcome == Outcome.OK else logger.warning
    tell("model.called", **asdict(call))
    try:
        await database_sync_to_async(record_call)(call, now=timezone.now())
    except Error:
        logger.exception("model.call_lost", provider=call.provider, purpose=call.purpose)
