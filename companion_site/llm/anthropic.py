"""Anthropic's models, by the official SDK.

Extraction uses structured output rather than a forced tool call: the current Sonnet rejects the latter, as it does
prefilled replies and sampling parameters. Sources: platform.claude.com, the migration guides of Claude Sonnet 5.5
and Claude Haiku 5.5.
"""

import base64
from collections.abc import AsyncGenerator, Sequence
from typing import Any, cast

import anthropic
import httpx2
from anthropic.types import JSONOutputFormatParam, MessageParam

from companion_site.llm.dialogue import (
    DATA_RULE,
    alternate_turns,
    lay_out_extraction,
    parse_json,
    picture_parts,
)
from companion_site.llm.errors import ModelRefused, ProviderUnavailable
from companion_site.llm.sdks import ClientPerLoop, translated_errors, trusted_authorities
from companion_site.llm.types import (
    ChatRequest,
    ExtractRequest,
    Limits,
    LlmRole,
    Meter,
    Picture,
    Repair,
    S,
    Utterance,
)

#: How each family is asked to answer at once. A person waits for the first word, so none thinks first where it may
#: be told not to; families not named here think as they like, and get room for it beside the reply.
_THINKING_OFF = {"claude-sonnet-5-5": {"type": "between_tools"}, "claude-haiku-5-5": {"type": "disabled"}}
_ROOM_FOR_THINKING_TOKENS = 4096


class AnthropicProvider:
    """One account at Anthropic, or a server that speaks its Messages API."""

    name = "anthropic"

    def __init__(
        self,
        *,
        api_key: str,
        models: dict[LlmRole, str],
        limits: Limits,
        base_url: str,
        sees: bool = True,
    ) -> None:
        """
        Args:
            sees: whether its models look at pictures.
        """
        self._models = models
        self._sees = sees
        self._clients = ClientPerLoop(
            lambda: anthropic.AsyncAnthropic(
                api_key=api_key,
                base_url=base_url,
                max_retries=0,
                timeout=httpx2.Timeout(limits.total_s, connect=limits.connect_s),
                http_client=anthropic.DefaultAsyncHttpxClient(verify=trusted_authorities()),
                open_telemetry=False,
            )
        )

    def model_for(self, role: LlmRole) -> str:
        return self._models[role]

    async def stream(
        self, request: ChatRequest, *, model_role: LlmRole, meter: Meter
    ) -> AsyncGenerator[str, None]:
        model = self.model_for(model_role)
        stop_reason, has_stopped = None, False
        with translated_errors(anthropic):
            events = await self._clients.get().messages.create(
                **_frame(model, request.system, request.max_tokens),
                messages=_messages(request, sees=self._sees),
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
        meter.truncated = stop_reason in {"max_tokens", "model_context_window_exceeded"}

    async def extract(self, request: ExtractRequest[S], *, meter: Meter, repair: Repair | None = None) -> S:
        form: JSONOutputFormatParam = {
            "type": "json_schema",
            "schema": anthropic.transform_schema(request.schema),
        }
        system = f"{request.instructions}\n\n{DATA_RULE}"
        messages = _plain(lay_out_extraction(request.data, repair))
        with translated_errors(anthropic):
            message = await self._clients.get().messages.create(
                **_frame(self.model_for("fast"), system, request.max_tokens),
                messages=messages,
                output_config={"format": form},
            )
        _count_usage(message.usage, meter)
        if message.stop_reason == "refusal":
            raise ModelRefused
        text = "".join(block.text for block in message.content if block.type == "text")
        return parse_json(text, request.schema, restore=request.restore)

    async def aclose(self) -> None:
        await self._clients.aclose()


def _frame(model: str, system: str, max_tokens: int) -> dict[str, Any]:
    """Return what every request has: the model, our own text as a cached system block, and the room for an answer."""
    frame: dict[str, Any] = {"model": model, "max_tokens": max_tokens}
    if system:
        frame["system"] = [{"type": "text", "text": system, "cache_control": {"type": "ephemeral"}}]
    thinking_off = next((off for family, off in _THINKING_OFF.items() if model.startswith(family)), None)
    if thinking_off is None:
        return frame | {"max_tokens": max_tokens + _ROOM_FOR_THINKING_TOKENS}
    return frame | {"thinking": thinking_off}


def _messages(request: ChatRequest, *, sees: bool) -> list[MessageParam]:
    """Return the turns, with the context as a block of its own in front of what the user said last, after pictures."""
    turns = alternate_turns(request.turns)
    messages = _plain(turns)
    for number, turn in enumerate(turns):
        is_last = number == len(turns) - 1
        texts = [request.context, turn.text] if request.context and is_last else [turn.text]
        if turn.pictures or len(texts) > 1:
            parts = picture_parts(turn, _image if sees else None)
            parts += [{"type": "text", "text": text} for text in texts]
            messages[number] = cast(MessageParam, {"role": turn.role, "content": parts})
    return messages


def _image(picture: Picture) -> dict[str, Any]:
    data = base64.b64encode(picture.content).decode()
    return {"type": "image", "source": {"type": "base64", "media_type": picture.media_type, "data": data}}


def _plain(turns: Sequence[Utterance]) -> list[MessageParam]:
    return [cast(MessageParam, {"role": turn.role, "content": turn.text}) for turn in turns]


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
