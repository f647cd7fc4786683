"""Usage rows."""

from django.db import models
from django.utils import timezone

from companion_site.llm.models import LlmCall
from companion_site.llm.services import keep_call
from tests.llm.builders import make_request
from tests.llm.wire_server import Act


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
