"""Any server that speaks OpenAI's chat completions: OpenAI itself, Ollama, vLLM, llama.cpp and others."""

import json
import time
from collections.abc import AsyncGenerator, Callable, Collection
from typing import Any
from urllib.parse import urlsplit

import openai

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

#: OpenAI itself, which takes what other servers of its protocol do not.
HOST = "api.openai.com"
#: Local servers ask for no key, but the SDK wants one.
_NO_KEY = "none"
#: OpenAI's limit counts what a model thinks; without room for it a reply can end before its first word.
_ROOM_FOR_THINKING_TOKENS = 4096
#: What a server did not take is put to it again after so long: it may have been another fault, or another server by now.
FORM_AGAIN_S = 600.0
#: How servers say that they do not take a form, and that a model takes no pictures. The last is also any fault of theirs, so nothing is
#: concluded from it.
_UNFORMED = frozenset((400, 422))
_UNSEEING = frozenset((400, 404, 415, 422, 500))
_PICTURES = "pictures"


class OpenAIProvider(SdkProvider):
    """One server. One that does not take a form is asked for JSON in words instead, and for a while only so.

    That is remembered of this form and this model alone: one form too many says nothing of the others. Pictures that a server
    refuses are left out in the same way, and the model is told of them.
    """

    name, sdk = "openai", openai
    make_client = openai.AsyncOpenAI

    def __init__(
        self, *, api_key: str, base_url: str, clock: Callable[[], float] = time.monotonic, **account: Any
    ) -> None:
        """Take what `SdkProvider` takes, with no key for a server that asks for none."""
        super().__init__(api_key=api_key or _NO_KEY, base_url=base_url, **account)
        self._clock = clock
        self._is_openai = urlsplit(base_url).hostname == HOST
        #: by model and form, when the form is put to the server again; pictures count as one
        self._without_until: dict[tuple[str, str], float] = {}

    async def stream(
        self, request: ChatRequest, *, model_role: LlmRole, meter: Meter
    ) -> AsyncGenerator[str, None]:
        finish: str | None = None
        asked: dict[str, Any] = {
            "model": self.model_for(model_role),
            "stream": True,
            "stream_options": {"include_usage": True},
            **self._limit(request.max_tokens),
        }
        blind = {"messages": _messages(request, sees=False)}
        with translated_errors(openai):
            if self.sees and any(turn.pictures for turn in request.turns):
                seeing = {"messages": _messages(request, sees=True)}
                chunks = await self._ask_either(seeing, blind, what=_PICTURES, refusals=_UNSEEING, **asked)
            else:
                chunks = await self._ask(**blind, **asked)
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
        if finish == "content_filter":
            raise ModelRefused
        if finish is None:  # it was cut off
            raise ProviderUnavailable

    async def extract(self, request: ExtractRequest[S], *, meter: Meter, repair: Repair | None = None) -> S:
        in_words = _extraction_messages(request, repair, in_words=True)
        # OpenAI shows its models the form, and counts it. Other servers make a grammar of it that their model never sees,
        # or ignore it without saying so: they are told it in words as well.
        messages = _extraction_messages(request, repair, in_words=False) if self._is_openai else in_words
        in_form = {"messages": messages, "response_format": _response_format(request.schema)}
        with translated_errors(openai):
            completion = await self._ask_either(
                in_form,
                {"messages": in_words},
                what=request.schema.__name__,
                refusals=_UNFORMED,
                model=self.model_for("fast"),
                **self._limit(request.max_tokens),
            )
        _count(completion.usage, meter)
        choice = completion.choices[0] if completion.choices else None
        if choice is None:
            raise ProviderUnavailable
        if choice.finish_reason == "content_filter" or choice.message.refusal:
            raise ModelRefused
        return parse_json(choice.message.content or "", request.schema, restore=request.restore)

    def _limit(self, max_tokens: int) -> dict[str, int]:
        """Return the room for an answer: OpenAI's own models know only the new name for it, older compatible servers only the old one."""
        if self._is_openai:
            return {"max_completion_tokens": max_tokens + _ROOM_FOR_THINKING_TOKENS}
        return {"max_tokens": max_tokens}

    async def _ask(self, **asked: Any) -> Any:
        return await self.client.chat.completions.create(**asked)

    async def _ask_either(
        self,
        whole: dict[str, Any],
        without: dict[str, Any],
        *,
        what: str,
        refusals: Collection[int],
        **asked: Any,
    ) -> Any:
        """Ask with what a server may not take; one that refuses it and answers without is asked without, for a while.

        Args:
            what: names it, beside the model.
            refusals: the statuses that may say that it is not taken.
        """
        which = (asked["model"], what)
        if self._clock() < self._without_until.get(which, float("-inf")):
            return await self._ask(**without, **asked)
        try:
            return await self._ask(**whole, **asked)
        except openai.APIStatusError as error:
            if error.status_code not in refusals:
                raise
            status = error.status_code
        answer = await self._ask(**without, **asked)
        if status < 500:
            self._without_until[which] = self._clock() + FORM_AGAIN_S
        return answer


def _response_format(schema: type[S]) -> dict[str, Any]:
    strict = openai.pydantic_function_tool(schema)["function"]
    form = {"name": schema.__name__, "schema": strict["parameters"], "strict": True}
    return {"type": "json_schema", "json_schema": form}


def _messages(request: ChatRequest, *, sees: bool) -> list[dict[str, Any]]:
    """Return the conversation; the context is a paragraph of the last message, as few servers take content blocks.

    Only a message with pictures that are seen is made of such blocks.
    """
    turns = alternate_turns(request.turns)
    messages = as_messages(turns)
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


def _image(media_type: str, data: str) -> dict[str, Any]:
    return {"type": "image_url", "image_url": {"url": f"data:{media_type};base64,{data}"}}


def _extraction_messages(
    request: ExtractRequest[S], repair: Repair | None, *, in_words: bool
) -> list[dict[str, Any]]:
    system, turns = lay_out_extraction(request, repair)
    if in_words:
        form = json.dumps(request.schema.model_json_schema())
        system = f"{system}\n\nAnswer with JSON alone, by this schema: {form}"
    return [{"role": "system", "content": system}, *as_messages(turns)]


def _count(usage: Any, meter: Meter) -> None:
    if usage is None:
        return
    details = usage.prompt_tokens_details
    meter.input_tokens, meter.output_tokens = usage.prompt_tokens, usage.completion_tokens
    meter.cached_tokens = (details.cached_tokens or 0) if details else 0
