"""Any server that speaks OpenAI's chat completions: OpenAI itself, Ollama, vLLM, llama.cpp and others."""

import base64
import json
import time
from collections.abc import AsyncGenerator, Callable
from typing import Any
from urllib.parse import urlsplit

import httpx2
import openai

from companion_site.llm.dialogue import (
    DATA_RULE,
    alternate_turns,
    lay_out_extraction,
    parse_json,
    picture_parts,
)
from companion_site.llm.errors import ModelRefused, ProviderUnavailable
from companion_site.llm.sdks import ClientPerLoop, translated_errors, trusted_authorities
from companion_site.llm.types import ChatRequest, ExtractRequest, Limits, LlmRole, Meter, Picture, Repair, S

#: Local servers ask for no key, but the SDK wants one.
_NO_KEY = "none"
#: OpenAI's limit counts what a model thinks; without room for it a reply can end before its first word.
_ROOM_FOR_THINKING_TOKENS = 4096
#: What a server did not take is put to it again after so long: it may have been another fault, or another server by now.
FORM_AGAIN_S = 600.0
#: How servers say that a model takes no pictures; the last is also any fault of theirs, so nothing is concluded from it.
_UNSEEING = frozenset((400, 404, 415, 422, 500))
_PICTURES = "pictures"


class OpenAIProvider:
    """One server. One that does not take a form is asked for JSON in words instead, and for a while only so.

    That is remembered of this form and this model alone: one form too many says nothing of the others. Pictures that a server
    refuses are left out in the same way, and the model is told of them.
    """

    name = "openai"

    def __init__(
        self,
        *,
        api_key: str,
        models: dict[LlmRole, str],
        limits: Limits,
        base_url: str,
        sees: bool = True,
        is_openai: bool | None = None,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        """
        Args:
            sees: whether its models may be shown pictures; one that refuses them finds out by itself.
            is_openai: whether this is OpenAI itself; None: its address tells.
        """
        self._models = models
        self._sees = sees
        self._clock = clock
        # OpenAI's own models know only the new name for the limit, older compatible servers only the old one.
        if is_openai is None:
            is_openai = urlsplit(base_url).hostname == "api.openai.com"
        self._limit_name = "max_completion_tokens" if is_openai else "max_tokens"
        self._room_for_thinking = _ROOM_FOR_THINKING_TOKENS if is_openai else 0
        # OpenAI shows its models the form, and counts it. Other servers make a grammar of it that their model never sees,
        # or ignore it without saying so: they are told it in words as well.
        self._shows_form = is_openai
        #: by model and form, when the form is put to the server again; pictures count as one
        self._in_words_until: dict[tuple[str, str], float] = {}
        self._clients = ClientPerLoop(
            lambda: openai.AsyncOpenAI(
                api_key=api_key or _NO_KEY,
                base_url=base_url,
                max_retries=0,
                timeout=httpx2.Timeout(limits.total_s, connect=limits.connect_s),
                http_client=openai.DefaultAsyncHttpxClient(verify=trusted_authorities()),
            )
        )

    def model_for(self, role: LlmRole) -> str:
        return self._models[role]

    async def stream(
        self, request: ChatRequest, *, model_role: LlmRole, meter: Meter
    ) -> AsyncGenerator[str, None]:
        finish: str | None = None
        with translated_errors(openai):
            chunks = await self._ask_with_pictures(
                request,
                model=self.model_for(model_role),
                stream=True,
                stream_options={"include_usage": True},
                **{self._limit_name: request.max_tokens + self._room_for_thinking},
            )
            async with chunks:
                async for chunk in chunks:
                    _count(chunk.usage, meter)
                    for choice in chunk.choices[:1]:
                        finish = choice.finish_reason or finish
                        if choice.delta.refusal:
                            raise ModelRefused
                        if choice.delta.content or choice.delta.model_extra:
                            # The latter is where servers put what a model thinks: not text, but a sign of life.
                            yield choice.delta.content or ""
        _check_finish(finish, meter)

    async def extract(self, request: ExtractRequest[S], *, meter: Meter, repair: Repair | None = None) -> S:
        with translated_errors(openai):
            completion = await self._ask_in_form(request, repair)
        _count(completion.usage, meter)
        choice = completion.choices[0] if completion.choices else None
        if choice is None:
            raise ProviderUnavailable
        if choice.finish_reason == "content_filter" or choice.message.refusal:
            raise ModelRefused
        return parse_json(choice.message.content or "", request.schema, restore=request.restore)

    async def aclose(self) -> None:
        await self._clients.aclose()

    async def _ask(self, **asked: Any) -> Any:
        return await self._clients.get().chat.completions.create(**asked)

    async def _ask_with_pictures(self, request: ChatRequest, **asked: Any) -> Any:
        """Ask with the pictures of the conversation; a server that refuses them is told their names, for a while at once."""
        which = (asked["model"], _PICTURES)
        is_blind = not self._sees or self._clock() < self._in_words_until.get(which, float("-inf"))
        if is_blind or not any(turn.pictures for turn in request.turns):
            return await self._ask(messages=_messages(request, sees=False), **asked)
        try:
            return await self._ask(messages=_messages(request, sees=True), **asked)
        except openai.APIStatusError as error:
            if error.status_code not in _UNSEEING:
                raise
            status = error.status_code
        chunks = await self._ask(messages=_messages(request, sees=False), **asked)
        if status < 500:
            self._in_words_until[which] = self._clock() + FORM_AGAIN_S
        return chunks

    async def _ask_in_form(self, request: ExtractRequest[S], repair: Repair | None) -> Any:
        """Ask for an answer held to the schema; a server that refuses the form and answers without it is asked without, for a while."""
        model = self.model_for("fast")
        asked: dict[str, Any] = {
            "model": model,
            self._limit_name: request.max_tokens + self._room_for_thinking,
        }
        in_words = _extraction_messages(request, repair, in_words=True)
        which = (model, request.schema.__name__)
        if self._clock() < self._in_words_until.get(which, float("-inf")):
            return await self._ask(messages=in_words, **asked)
        messages = _extraction_messages(request, repair, in_words=False) if self._shows_form else in_words
        try:
            return await self._ask(
                messages=messages, response_format=_response_format(request.schema), **asked
            )
        except (openai.BadRequestError, openai.UnprocessableEntityError):
            completion = await self._ask(messages=in_words, **asked)
        self._in_words_until[which] = self._clock() + FORM_AGAIN_S
        return completion


def _response_format(schema: type[S]) -> dict[str, Any]:
    strict = openai.pydantic_function_tool(schema)["function"]
    form = {"name": schema.__name__, "schema": strict["parameters"], "strict": True}
    return {"type": "json_schema", "json_schema": form}


def _messages(request: ChatRequest, *, sees: bool) -> list[dict[str, Any]]:
    """Return the conversation; the context is a paragraph of the last message, as few servers take content blocks.

    Only a message with pictures that are seen is made of such blocks.
    """
    turns = alternate_turns(request.turns)
    messages: list[dict[str, Any]] = [{"role": turn.role, "content": turn.text} for turn in turns]
    if request.context:
        messages[-1]["content"] = f"{request.context}\n\n{messages[-1]['content']}"
    for turn, message in zip(turns, messages, strict=True):
        parts = picture_parts(turn, _image if sees else None)
        if parts and sees:
            message["content"] = [*parts, {"type": "text", "text": message["content"]}]
        elif parts:
            message["content"] = "\n\n".join([*(part["text"] for part in parts), message["content"]])
    if request.system:
        messages.insert(0, {"role": "system", "content": request.system})
    return messages


def _image(picture: Picture) -> dict[str, Any]:
    data = base64.b64encode(picture.content).decode()
    return {"type": "image_url", "image_url": {"url": f"data:{picture.media_type};base64,{data}"}}


def _extraction_messages(
    request: ExtractRequest[S], repair: Repair | None, *, in_words: bool
) -> list[dict[str, str]]:
    system = f"{request.instructions}\n\n{DATA_RULE}"
    if in_words:
        form = json.dumps(request.schema.model_json_schema())
        system = f"{system}\n\nAnswer with JSON alone, by this schema: {form}"
    turns = lay_out_extraction(request.data, repair)
    return [{"role": "system", "content": system}, *({"role": t.role, "content": t.text} for t in turns)]


def _check_finish(finish: str | None, meter: Meter) -> None:
    if finish == "content_filter":
        raise ModelRefused
    if finish is None:
        raise ProviderUnavailable
    meter.truncated = finish == "length"


def _count(usage: Any, meter: Meter) -> None:
    if usage is None:
        return
    details = usage.prompt_tokens_details
    meter.input_tokens, meter.output_tokens = usage.prompt_tokens, usage.completion_tokens
    meter.cached_tokens = (details.cached_tokens or 0) if details else 0
