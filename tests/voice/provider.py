"""A server on this machine that speaks the wire formats of the voice's providers, so that tests run the real adapters.

`POST …/audio/transcriptions` is OpenAI's (multipart in, JSON out), `POST …/text-to-speech/{voice}/stream` ElevenLabs' (JSON in, sound out, in
chunks). What happens to each request is scripted with `Act`, first in, first out.
"""

import asyncio
import json
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from email import message_from_bytes
from typing import Any
from urllib.parse import parse_qs, urlsplit

from tests.scripted import BreakOff, RawRequest, ScriptedServer, send_answer, send_chunk, send_head

#: What it says: frames of MP3 in form, each of them told apart.
SOUND = [b"\xff\xfb\x90\x00" + bytes([number]) * 400 for number in range(5)]


@dataclass(frozen=True, kw_only=True)
class Act:
    """What becomes of one request.

    Attributes:
        text: what was heard; segments: the same with how far each is believed.
        status: an error status is answered with the provider's error body, which quotes the request.
        retry_after: header of that answer.
        hang: never answer.
        cut_after: pieces of sound after which the connection breaks off.
        silent_after: pieces after which nothing more comes.
        garbage: answer with what is no JSON.
        body: answer with this JSON instead.
    """

    text: str = "I slept badly."
    segments: tuple[dict[str, Any], ...] | None = None
    status: int = 200
    retry_after: str | None = None
    hang: bool = False
    cut_after: int | None = None
    silent_after: int | None = None
    garbage: bool = False
    body: Any = None


@dataclass(frozen=True)
class Asked:
    """One request as it came over the wire."""

    path: str
    query: dict[str, list[str]]
    headers: dict[str, str]
    body: bytes

    @property
    def json(self) -> dict[str, Any]:
        return json.loads(self.body)

    @property
    def form(self) -> dict[str, str]:
        """The fields of a multipart body that are no file."""
        return {name: part.get_payload() for name, part in self._parts().items() if not part.get_filename()}

    @property
    def file(self) -> tuple[str, str, bytes]:
        """Name, type and bytes of its file."""
        part = self._parts()["file"]
        return part.get_filename(), part.get_content_type(), part.get_payload(decode=True)

    def _parts(self) -> dict[str, Any]:
        head = f"content-type: {self.headers['content-type']}\r\n\r\n".encode()
        whole = message_from_bytes(head + self.body)
        return {part.get_param("name", header="content-disposition"): part for part in whole.get_payload()}


class VoiceProvider(ScriptedServer[Act, Asked]):
    """Listens as OpenAI does, speaks as ElevenLabs does."""

    @property
    def url(self) -> str:
        return f"{super().url}/v1"

    @property
    def asked(self) -> list[Asked]:
        return self.requests

    def _parse(self, raw: RawRequest) -> Asked:
        address = urlsplit(raw.address)
        return Asked(address.path, parse_qs(address.query), raw.headers, raw.body)

    def _unscripted(self, request: Asked) -> Act:
        return Act()

    async def _play(self, act: Act, request: Asked, writer: asyncio.StreamWriter) -> None:
        if act.hang:
            await self._stop.wait()
        if act.status != 200:
            body = json.dumps({"detail": request.body.decode(errors="replace")})
        elif act.garbage:
            body = '{"text": "half an ans'
        elif request.path.endswith("/audio/transcriptions"):
            body = json.dumps(_transcript(act, request))
        else:
            await self._sound(act, writer)
            return
        await send_answer(writer, body.encode(), status=act.status, retry_after=act.retry_after)

    async def _sound(self, act: Act, writer: asyncio.StreamWriter) -> None:
        send_head(writer, 200, {"content-type": "audio/mpeg", "transfer-encoding": "chunked"})
        for number, piece in enumerate(SOUND):
            if number == act.cut_after:
                await writer.drain()
                raise BreakOff
            if number == act.silent_after:
                await writer.drain()
                await self._stop.wait()
            await send_chunk(writer, piece)
        await send_chunk(writer, b"")


@contextmanager
def serve_voice(settings) -> Iterator[VoiceProvider]:
    """Have providers on this machine listen and speak for the site in the block, and nobody else."""
    with VoiceProvider() as server:
        settings.VOICE_STT, settings.VOICE_TTS = "openai", "elevenlabs"
        settings.VOICE_OPENAI_API_KEY, settings.VOICE_OPENAI_BASE_URL = "key-1", server.url
        settings.VOICE_OPENAI_MODEL = settings.ELEVENLABS_MODEL = ""
        settings.ELEVENLABS_API_KEY, settings.ELEVENLABS_BASE_URL = "key-2", server.url
        settings.ELEVENLABS_VOICE = "voice-7"
        yield server


def _transcript(act: Act, asked: Asked) -> Any:
    if act.body is not None:
        return act.body
    if asked.form["response_format"] == "json":
        return {"text": act.text}
    segments = act.segments or ({"text": f" {act.text}", "no_speech_prob": 0.02, "avg_logprob": -0.2},)
    return {
        "task": "transcribe",
        "language": "english",
        "duration": 3.4,
        "text": act.text,
        "segments": segments,
    }
