"""Keeping the usage rows."""

import logging
from dataclasses import asdict
from datetime import datetime

import structlog
from channels.db import database_sync_to_async
from django.db import Error, transaction
from django.utils import timezone

from companion_site.llm.models import LlmCall
from companion_site.llm.types import CallRecord, Outcome

logger = logging.getLogger(__name__)
events = structlog.get_logger(__name__)


def record_call(call: CallRecord, *, now: datetime) -> LlmCall:
    """Write one usage row, in a transaction of its own."""
    with transaction.atomic():
        return LlmCall.objects.create(**asdict(call), at=now)


async def keep_call(call: CallRecord) -> None:
    """Write one usage row from the gateway; a reply is not lost because its row could not be written."""
    tell = events.info if call.outcome == Outcome.OK else events.warning
    tell("model.called", **asdict(call))
    try:
        await database_sync_to_async(record_call)(call, now=timezone.now())
    except Error:
        logger.exception("usage row not written", extra={"provider": call.provider, "purpose": call.purpose})
