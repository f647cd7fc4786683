"""Anthropic's models, by the official SDK.

Extraction uses structured output rather than a forced tool call: the current Sonnet rejects the latter, as it does
prefilled replies and sampling parameters. Sources: platform.claude.com, the migration guides of Claude Sonnet 5.5
and Claude Haiku 5.5.
"""

from collections.abc import AsyncGenerator
from functools import partial
from typing import Any

import anthropic

from companion_site.llm.dialogue import (
    alternate_turns,
    as_messages,
    lay_out_extraction,
    parse_json,
    picture_parts,
)
from companion_site.llm.errors import ModelRefused, ProviderUnavailable
from companion_site.llm.sdks import SdkProvider, translated_errors
from companion_site.llm.types import ChatRequest, ExtractRequest, LlmRole, Meter, Repair, S

#: How each family is asked to answer at once. A person waits for the first word, so none thinks first where it may
#: be told not to; families not named here think as they like, and get room for it beside the reply.
_THINKING_OFF = {"claude-sonnet-5-5": {"type": "between_tools"}, "claude-haiku-5-5": {"type": "disabled"}}
_ROOM_FOR_THINKING_TOKENS = 4096


class AnthropicProvider(SdkProvider):
    """One account at Anthropic, or a server that speaks its Messages API."""

    name, sdk = "anthropic", anthropic
    make_client = staticmethod(partial(anthropic.AsyncAnthropic, open_telemetry=False))

    async def stream(
        self, request: ChatRequest, *, model_role: LlmRole, meter: Meter
    ) -> AsyncGenerator[str, None]:
        model = self.model_for(model_role)
        stop_reason, has_stopped = None, False
        with translated_errors(anthropic):
            events = await self.client.messages.create(
                **_frame(model, request.system, request.max_tokens),
                messages=_messages(request, sees=self.sees),
                stream=True,
            )
            async with events:
                async for event in events:
                    _count(event, meter)
                    if event.type == "message_delta":
                        stop_reason = event.delta.stop_reason or stop_reason
                    has_stopped = has_stopped or event.type == "message_stop"
                    if event.type == "content_block_delta":
                        yield event.delta.text if event.delta.type == "text_delta" else ""
        if stop_reason == "refusal":
            raise ModelRefused
        if not has_stopped:  # it was cut off
            raise ProviderUnavailable

    async def extract(self, request: ExtractRequest[S], *, meter: Meter, repair: Repair | None = None) -> S:
        form = {"type": "json_schema", "schema": anthropic.transform_schema(request.schema)}
        system, turns = lay_out_extraction(request, repair)
        with translated_errors(anthropic):
            message = await self.client.messages.create(
                **_frame(self.model_for("fast"), system, request.max_tokens),
                messages=as_messages(turns),
                output_config={"format": form},
            )
        _count_usage(message.usage, meter)
        if message.stop_reason == "refusal":
            raise ModelRefused
        text = "".join(block.text for block in message.content if block.type == "text")
        return parse_json(text, request.schema, restore=request.restore)


def _frame(model: str, system: str, max_tokens: int) -> dict[str, Any]:
    """Return what every request has: the model, our own text as a cached system block, and the room for an answer."""
    frame: dict[str, Any] = {"model": model, "max_tokens": max_tokens}
    if system:
        frame["system"] = [{"type": "text", "text": system, "cache_control": {"type": "ephemeral"}}]
    thinking_off = next((off for family, off in _THINKING_OFF.items() if model.startswith(family)), None)
    if thinking_off is None:
        return frame | {"max_tokens": max_tokens + _ROOM_FOR_THINKING_TOKENS}
    return frame | {"thinking": thinking_off}


def _messages(request: ChatRequest, *, sees: bool) -> list[dict[str, Any]]:
    """Return the turns, with the context as a block of its own in front of what the user said last, after pictures."""
    turns = alternate_turns(request.turns)
    messages = as_messages(turns)
    for number, turn in enumerate(turns):
        is_last = number == len(turns) - 1
        texts = [request.context, turn.text] if request.context and is_last else [turn.text]
        if turn.pictures or len(texts) > 1:
            parts = picture_parts(turn, _image if sees else None)
            parts += [{"type": "text", "text": text} for text in texts]
            messages[number]["content"] = parts
    return messages


def _image(media_type: str, data: str) -> dict[str, Any]:
    return {"type": "image", "source": {"type": "base64", "media_type": media_type, "data": data}}


def _count(event: Any, meter: Meter) -> None:
    if event.type == "message_start":
        _count_usage(event.message.usage, meter)
    elif event.type == "message_delta":
        meter.output_tokens = event.usage.output_tokens


def _count_usage(usage: Any, meter: Meter) -> None:
    """Anthropic counts what was read fresh, what was written to its cache and what came from it apart."""
    cached, written = usage.cache_read_input_tokens or 0, usage.cache_creation_input_tokens or 0
    meter.input_tokens = usage.input_tokens + cached + written
    meter.output_tokens = usage.output_tokens
    meter.cached_tokens = cached
