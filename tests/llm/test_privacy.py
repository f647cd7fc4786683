"""No word of anyone's reaches a log, an error or a usage row."""

import dataclasses
import logging
from contextlib import suppress

import pytest

from companion_site.llm.errors import LanguageModelError
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
