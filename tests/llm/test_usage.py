"""Usage rows."""

from django.db import models
from django.utils import timezone

from companion_site.llm.models import LlmCall
from companion_site.llm.services import keep_call
from companion_site.llm.types import CallRecord, Outcome
from tests.llm.builders import make_request


def make_call(**overrides) -> CallRecord:
    given = {
        "provider": "anthropic",
        "model": "claude-sonnet-5-5",
        "role": "chat",
        "purpose": "chat.reply",
        "outcome": Outcome.OK,
        "input_tokens": 150,
        "output_tokens": 3,
        "cached_tokens": 100,
        "duration_ms": 420,
        "first_token_ms": 80,
    }
    return CallRecord(**(given | overrides))


async def test_call_becomes_a_row(rows):
    """Every figure of the call, and the time."""
    began = timezone.now()
    await keep_call(make_call())
    row = await LlmCall.objects.alatest("at")
    assert (row.provider, row.model, row.role, row.purpose) == (
        "anthropic",
        "claude-sonnet-5-5",
        "chat",
        "chat.reply",
    )
    assert (row.input_tokens, row.output_tokens, row.cached_tokens) == (150, 3, 100)
    assert (row.duration_ms, row.first_token_ms, row.outcome) == (420, 80, "ok") and row.at >= began
    assert row.pk.version == 7


async def test_gateway_writes_its_rows(wire, rig_for, rows):
    """The recorder of the site turns each call into a row while the reply runs."""
    rig = rig_for("anthropic", record=keep_call)
    before = [key async for key in LlmCall.objects.values_list("pk", flat=True)]
    await rig.reply()
    added = LlmCall.objects.exclude(pk__in=before).values_list("provider", "outcome")
    kept = [row async for row in added]
    assert kept == [("anthropic", "ok")]


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
