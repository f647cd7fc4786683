"""Usage rows; and no word of anyone's reaches one, a log or an error."""

import dataclasses
import logging
from contextlib import suppress

import pytest
from django.db import models
from django.utils import timezone

from companion_site.llm.errors import LanguageModelError
from companion_site.llm.models import LlmCall
from companion_site.llm.services import keep_call
from companion_site.llm.types import CallRecord
from tests.llm.builders import SECRET, make_request
from tests.llm.wire_server import Act

TROUBLE = [Act(), Act(status=400), Act(status=500), Act(status=429), Act(error_after=0), Act(garbage_after=1)]


@pytest.mark.parametrize("act", TROUBLE, ids=str)
async def test_logs_hold_no_content(wire, rig_for, name, act, caplog):
    """Not even when everything is logged and the SDKs were asked to be talkative."""
    for logger in ("anthropic", "openai", "httpx2"):
        logging.getLogger(logger).setLevel(logging.DEBUG)
    wire.always(act)
    rig = rig_for(name)
    with caplog.at_level(logging.DEBUG):
        try:
            await rig.reply()
        except LanguageModelError:
            logging.getLogger("test").exception("failed")
        with suppress(LanguageModelError):
            await rig.extract()
    assert SECRET not in caplog.text


@pytest.mark.parametrize("act", TROUBLE[1:], ids=str)
async def test_errors_hold_no_content(wire, rig_for, name, act):
    """Providers quote the request in their errors; what is raised here and shown to the person does not."""
    wire.always(act)
    rig = rig_for(name, offline=False)
    with pytest.raises(LanguageModelError) as caught:
        await rig.reply()
    assert SECRET not in f"{caught.value!r} {caught.value} {vars(caught.value)}"
    assert caught.value.__suppress_context__ or caught.value.__context__ is None


async def test_records_hold_labels_and_numbers_only(wire, rig_for, name):
    """A record has no field for content, and none strays into the labels."""
    wire.script(Act(text=f"You said {SECRET}"))
    rig = rig_for(name)
    async with rig.gateway.stream(make_request(), purpose="chat.reply") as reply:
        async for _piece in reply:
            pass
    (record,) = rig.records
    texts = {field: value for field, value in dataclasses.asdict(record).items() if isinstance(value, str)}
    assert texts == {
        "provider": name,
        "model": "big-one",
        "role": "chat",
        "purpose": "chat.reply",
        "outcome": "ok",
    }
    assert {field.name for field in dataclasses.fields(CallRecord)} - set(texts) == {
        "input_tokens",
        "output_tokens",
        "cached_tokens",
        "duration_ms",
        "first_token_ms",
    }


async def test_gateway_writes_its_rows(wire, rig_for, rows):
    """The recorder of the site turns each call into a row while the reply runs: every figure of the call, and the time."""
    rig, began = rig_for("anthropic", record=keep_call), timezone.now()
    before = [key async for key in LlmCall.objects.values_list("pk", flat=True)]
    wire.script(Act(text="Well then."))
    async with rig.gateway.stream(make_request(), purpose="chat.reply") as reply:
        assert "".join([piece async for piece in reply]) == "Well then."
    row = await LlmCall.objects.exclude(pk__in=before).aget()
    labels = (row.provider, row.model, row.role, row.purpose, row.outcome)
    assert labels == ("anthropic", "big-one", "chat", "chat.reply", "ok")
    assert (row.input_tokens, row.output_tokens, row.cached_tokens) == (150, 2, 100)
    assert row.at >= began and 0 <= row.first_token_ms <= row.duration_ms and row.pk.version == 7


async def test_row_that_cannot_be_written_does_not_cost_the_reply(wire, rig_for, rows, caplog):
    """The person gets the answer; the log says that a row is missing."""
    rig = rig_for("anthropic", record=keep_call)
    async with rig.gateway.stream(make_request(), purpose="x" * 65) as reply:
        text = "".join([piece async for piece in reply])
    assert text
    told = caplog.records[-1].msg
    assert (told["event"], told["provider"], told["purpose"]) == ("model.call_lost", "anthropic", "x" * 65)


def test_row_has_no_place_for_content_or_a_person():
    """No free text, and nobody's id: short labels and numbers."""
    fields = LlmCall._meta.get_fields()
    assert not [
        field.name
        for field in fields
        if field.is_relation or isinstance(field, models.TextField | models.JSONField)
    ]
    assert max(field.max_length for field in fields if isinstance(field, models.CharField)) <= 128
