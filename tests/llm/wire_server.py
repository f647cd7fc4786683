"""A server on this machine that speaks the providers' wire formats, so that tests run the real SDKs.

`POST /v1/messages` is Anthropic's Messages API, `POST /v1/chat/completions` is OpenAI's chat completions; both stream
or not as asked. What happens to each request is scripted with `Act`, first in, first out. Without a script the server
answers sensibly: a reply that repeats what it was told, or the smallest JSON that fits the schema.
"""

import asyncio
import contextlib
import json
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any, Literal

from tests.scripted import BreakOff, RawRequest, ScriptedServer, send_answer, send_chunk, send_head

WORDS = re.compile(r"\S+\s*")


@dataclass(frozen=True, kw_only=True)
class Act:
    """What becomes of one request.

    Attributes:
        text: what the model says; None for a sensible answer.
        status: an error status is answered with the provider's error body.
        retry_after: header of that answer.
        hang: "request" never answers, "stream" begins a stream and falls silent.
        cut_after: pieces after which the connection breaks off.
        end_after: pieces after which the stream ends in good order, but without its last events.
        error_after: pieces after which the stream carries an error event.
        garbage_after: pieces after which the stream carries an event that is not JSON.
        refuse_after: pieces after which the model declines.
        think: pieces of thought before the first word.
        delay_s: pause between pieces.
        truncate: say that the limit was reached.
    """

    text: str | None = None
    status: int = 200
    retry_after: str | None = None
    hang: Literal["request", "stream"] | None = None
    cut_after: int | None = None
    end_after: int | None = None
    error_after: int | None = None
    garbage_after: int | None = None
    refuse_after: int | None = None
    think: int = 0
    delay_s: float = 0.0
    truncate: bool = False


#: in which no word of a person's stands
SYSTEM_ROLES = {"system", "developer"}


@dataclass(frozen=True)
class WireRequest:
    """One request as it came over the wire."""

    path: str
    headers: dict[str, str]
    body: dict[str, Any]

    @property
    def system_text(self) -> str:
        """Everything in a system role, in either format."""
        system = self.body.get("system") or []
        told = [m for m in self.body["messages"] if m["role"] in SYSTEM_ROLES]
        return "\n".join(filter(None, [_text(system), *(_text(message["content"]) for message in told)]))

    @property
    def last_text(self) -> str:
        return _text(self.body["messages"][-1]["content"])

    @property
    def texts(self) -> list[tuple[str, str]]:
        """Everything in the other roles, each text with its role."""
        return [
            (message["role"], part["text"])
            for message in self.body["messages"]
            for part in _parts(message["content"])
            if message["role"] not in SYSTEM_ROLES and "text" in part
        ]

    @property
    def said(self) -> str:
        """The last thing the person said, without the data in front of it."""
        content = self.body["messages"][-1]["content"]
        return content.rsplit("\n\n", 1)[-1] if isinstance(content, str) else content[-1]["text"]

    @property
    def schema(self) -> dict[str, Any] | None:
        """The JSON schema the answer is to fit, in either format."""
        if "output_config" in self.body:
            return self.body["output_config"]["format"]["schema"]
        form = self.body.get("response_format") or {}
        return form["json_schema"]["schema"] if form else None


@dataclass
class WireServer(ScriptedServer[Act, WireRequest]):
    """Speaks as Anthropic and as OpenAI do; `_default` is what a request meets beyond the script.

    `models` is what it says it has, as servers on one's own machine do.
    """

    models: tuple[str, ...] = ()
    _default: Act = field(default_factory=Act)

    def always(self, act: Act) -> None:
        """Have every request beyond the script meet this act."""
        self._default = act

    def clear(self) -> None:
        self.requests.clear()
        self._script.clear()
        self._default = Act()

    def _parse(self, raw: RawRequest) -> WireRequest:
        return WireRequest(raw.address, raw.headers, json.loads(raw.body or b"{}"))

    def _act_for(self, request: WireRequest) -> Act:
        return Act() if request.path.endswith("/models") else super()._act_for(request)

    def _unscripted(self, request: WireRequest) -> Act:
        return self._default

    async def _play(self, act: Act, request: WireRequest, writer: asyncio.StreamWriter) -> None:
        if request.path.endswith("/models"):
            listed = {"object": "list", "data": [{"id": name} for name in self.models]}
            await send_answer(writer, json.dumps(listed).encode())
            return
        if act.hang == "request":
            await self._stop.wait()
        dialect = ANTHROPIC if request.path.endswith("/messages") else OPENAI
        if act.status != 200:
            body = json.dumps(dialect.error(act.status, request)).encode()
            await send_answer(writer, body, status=act.status, retry_after=act.retry_after)
            return
        text = _sensible(request) if act.text is None else act.text
        if request.body.get("stream"):
            await self._stream(act, dialect, request, text, writer)
        else:
            await asyncio.sleep(act.delay_s)
            await send_answer(writer, json.dumps(dialect.whole(act, request, text)).encode())

    async def _stream(
        self,
        act: Act,
        dialect: "Anthropic | OpenAI",
        request: WireRequest,
        text: str,
        writer: asyncio.StreamWriter,
    ) -> None:
        send_head(writer, 200, {"content-type": "text/event-stream", "transfer-encoding": "chunked"})
        await _send_chunks(writer, dialect.opening(request))
        if act.hang == "stream":
            await self._stop.wait()
        for _ in range(act.think):
            await _send_chunks(writer, dialect.thought())
            await asyncio.sleep(act.delay_s)
        for count, piece in enumerate([*WORDS.findall(text), ""]):
            if count == act.cut_after:
                raise BreakOff
            if count == act.end_after:
                break
            if count == act.garbage_after:
                await _send_chunks(writer, ["event: content_block_delta\ndata: {half an eve\n\n"])
            if count == act.error_after:
                await _send_chunks(writer, [dialect.error_event("overloaded_error")])
                break
            if count == act.refuse_after or not piece:
                await _send_chunks(writer, dialect.closing(act, text, refused=count == act.refuse_after))
                break
            await _send_chunks(writer, dialect.piece(piece))
            await asyncio.sleep(act.delay_s)
        await send_chunk(writer, b"")


class Anthropic:
    """Anthropic's way to put things; each list holds whole server-sent events."""

    types = {400: "invalid_request_error", 401: "authentication_error", 404: "not_found_error"} | {
        429: "rate_limit_error",
        500: "api_error",
        529: "overloaded_error",
    }
    usage = {"input_tokens": 40, "cache_read_input_tokens": 100, "cache_creation_input_tokens": 10}

    def _message(self, request: WireRequest, **rest: Any) -> dict[str, Any]:
        base = {"id": "msg_1", "type": "message", "role": "assistant", "model": request.body["model"]}
        return base | {"stop_sequence": None} | rest

    def whole(self, act: Act, request: WireRequest, text: str) -> dict[str, Any]:
        refused = act.refuse_after is not None
        return self._message(
            request,
            content=[] if refused else [{"type": "text", "text": text}],
            stop_reason="refusal" if refused else "max_tokens" if act.truncate else "end_turn",
            usage=self.usage | {"output_tokens": len(WORDS.findall(text))},
        )

    def error(self, status: int, request: WireRequest) -> dict[str, Any]:
        """Return an error that quotes the request, as providers do in some of theirs."""
        kind = self.types.get(status, "api_error")
        return {"type": "error", "error": {"type": kind, "message": f"about: {request.last_text}"}}

    def opening(self, request: WireRequest) -> list[str]:
        usage = self.usage | {"output_tokens": 1}
        message = self._message(request, content=[], stop_reason=None, usage=usage)
        block = {"index": 0, "content_block": {"type": "text", "text": ""}}
        return [
            _event("message_start", message=message),
            _event("content_block_start", **block),
            _event("ping"),
        ]

    def thought(self) -> list[str]:
        delta = {"type": "thinking_delta", "thinking": "hm"}
        return [_event("content_block_delta", index=0, delta=delta)]

    def piece(self, text: str) -> list[str]:
        return [_event("content_block_delta", index=0, delta={"type": "text_delta", "text": text})]

    def closing(self, act: Act, text: str, *, refused: bool) -> list[str]:
        reason = "refusal" if refused else "max_tokens" if act.truncate else "end_turn"
        delta = {"stop_reason": reason, "stop_sequence": None}
        usage = {"output_tokens": len(WORDS.findall(text))}
        return [
            _event("content_block_stop", index=0),
            _event("message_delta", delta=delta, usage=usage),
            _event("message_stop"),
        ]

    def error_event(self, kind: str) -> str:
        return _event("error", error={"type": kind, "message": "about: what was asked"})


class OpenAI:
    """The same of OpenAI's."""

    def whole(self, act: Act, request: WireRequest, text: str) -> dict[str, Any]:
        refused = act.refuse_after is not None
        message = {"role": "assistant", "content": None if refused else text}
        message["refusal"] = "I will not." if refused else None
        finish = "length" if act.truncate else "stop"
        return {
            "id": "chatcmpl-1",
            "object": "chat.completion",
            "created": 1,
            "model": request.body["model"],
            "choices": [{"index": 0, "message": message, "finish_reason": finish}],
            "usage": self._usage(text),
        }

    def error(self, status: int, request: WireRequest) -> dict[str, Any]:
        return {"error": {"message": f"about: {request.last_text}", "type": "error", "code": str(status)}}

    def opening(self, request: WireRequest) -> list[str]:
        return [self._chunk({"role": "assistant", "content": ""})]

    def thought(self) -> list[str]:
        return [self._chunk({"reasoning_content": "hm"})]

    def piece(self, text: str) -> list[str]:
        return [self._chunk({"content": text})]

    def closing(self, act: Act, text: str, *, refused: bool) -> list[str]:
        finish = "content_filter" if refused else "length" if act.truncate else "stop"
        return [
            self._chunk({}, finish=finish),
            self._data(choices=[], usage=self._usage(text)),
            "data: [DONE]\n\n",
        ]

    def error_event(self, kind: str) -> str:
        return f"data: {json.dumps({'error': {'type': kind, 'message': 'about: what was asked'}})}\n\n"

    def _usage(self, text: str) -> dict[str, Any]:
        details = {"cached_tokens": 100}
        words = len(WORDS.findall(text))
        usage = {"prompt_tokens": 150, "completion_tokens": words, "total_tokens": 150 + words}
        return usage | {"prompt_tokens_details": details}

    def _chunk(self, delta: dict[str, Any], *, finish: str | None = None) -> str:
        return self._data(choices=[{"index": 0, "delta": delta, "finish_reason": finish}])

    def _data(self, **rest: Any) -> str:
        base = {"id": "chatcmpl-1", "object": "chat.completion.chunk", "created": 1, "model": "m"}
        return f"data: {json.dumps(base | rest)}\n\n"


ANTHROPIC, OPENAI = Anthropic(), OpenAI()


def smallest(schema: dict[str, Any], root: dict[str, Any] | None = None) -> Any:
    """Return the smallest value that fits a JSON schema: empty lists, empty texts, the first of several choices."""
    root = root or schema
    if "$ref" in schema:
        return smallest(root["$defs"][schema["$ref"].rsplit("/", 1)[-1]], root)
    for choices in ("anyOf", "oneOf", "allOf"):
        if choices in schema:
            return smallest(schema[choices][-1], root)
    if "const" in schema:
        return schema["const"]
    if "enum" in schema:
        return schema["enum"][0]
    if schema.get("type") == "object":
        return {name: smallest(part, root) for name, part in schema.get("properties", {}).items()}
    return {"array": [], "string": "", "integer": 0, "number": 0.0, "boolean": False}.get(
        schema.get("type", "")
    )


def _sensible(request: WireRequest) -> str:
    """Return a reply that shows what arrived, so that a test can see in it what the model was told."""
    if request.schema is not None:
        return json.dumps(smallest(request.schema))
    return f"I read this and thought about it: {' '.join(request.last_text.split())[:600]} What would you like next?"


def _text(content: Any) -> str:
    return "\n".join(block.get("text", "") for block in _parts(content))


def _parts(content: Any) -> list[dict[str, Any]]:
    return [{"text": content}] if isinstance(content, str) else content


def _event(kind: str, **rest: Any) -> str:
    return f"event: {kind}\ndata: {json.dumps({'type': kind} | rest)}\n\n"


async def _send_chunks(writer: asyncio.StreamWriter, events: list[str]) -> None:
    for event in events:
        await send_chunk(writer, event.encode())


@contextlib.contextmanager
def serve_model(settings) -> Iterator[WireServer]:
    """Have a model on this machine, which a test scripts, asked in the block, and no other."""
    with WireServer() as server:
        settings.LLM_CHAIN, settings.ANTHROPIC_API_KEY = ["anthropic"], "test"
        settings.ANTHROPIC_BASE_URL = server.url
        yield server
