"""A server on this machine that speaks OpenAI's embeddings, with a model of its own behind it.

Its vectors are the bundled model's seen from elsewhere: as good, of another length, and of no use beside the bundled
model's own. What happens to a request is scripted with `Act`.
"""

import asyncio
import json
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache
from typing import Any

import numpy as np

from companion_site.embeddings.bundled import load_bundled
from companion_site.embeddings.service import EmbedOnce
from tests.scripted import RawRequest, ScriptedServer, send_answer

MODEL, DIMENSION = "elsewhere-small", 256


@cache
def _view(dimension: int) -> np.ndarray:
    """Return (384, d): a fixed turn of the bundled model's space, of which the first `dimension` axes are kept."""
    rng = np.random.default_rng(7)
    turned, _ = np.linalg.qr(rng.normal(size=(384, 384)))
    return turned[:, :dimension]


@cache
def _plain() -> EmbedOnce:
    """Return the bundled model, which embeds a text once for the whole run."""
    return EmbedOnce(load_bundled())


def elsewhere(texts: Sequence[str], dimension: int = DIMENSION) -> np.ndarray:
    """Return (n, d) float32 vectors as the server's model makes them, of no particular length."""
    return 3.0 * _plain().embed(list(texts)) @ _view(dimension)


@dataclass(frozen=True, kw_only=True)
class Act:
    """What becomes of one request.

    Attributes:
        status: an error status is answered with an error that quotes the request.
        hang: never answer; cut: break off in the middle of the answer.
        body: what is answered word for word, in the place of vectors.
        spoil: what is done to the answer's list of vectors before it is sent.
    """

    status: int = 200
    retry_after: str | None = None
    hang: bool = False
    cut: bool = False
    body: str | None = None
    spoil: str = ""


@dataclass(frozen=True)
class EmbeddingRequest:
    """One request as it came over the wire."""

    path: str
    headers: dict[str, str]
    body: dict[str, Any]

    @property
    def texts(self) -> list[str]:
        return self.body["input"]


@dataclass
class EmbeddingServer(ScriptedServer[Act, EmbeddingRequest]):
    """Serves vectors of `dimension`, or of what the request asks for if it `shortens`.

    Attributes:
        refuses: a text that holds this word is answered 400, with all that came with it.
        default: what a request meets beyond the script.
    """

    dimension: int = DIMENSION
    shortens: bool = True
    refuses: str = ""
    default: Act = Act()

    @property
    def texts(self) -> list[str]:
        """All texts that ever arrived, in order."""
        return [text for request in self.requests for text in request.texts]

    def _parse(self, raw: RawRequest) -> EmbeddingRequest:
        return EmbeddingRequest(raw.address, raw.headers, json.loads(raw.body))

    def _unscripted(self, request: EmbeddingRequest) -> Act:
        if self.refuses and any(self.refuses in text for text in request.texts):
            return Act(status=400)
        return self.default

    async def _play(self, act: Act, request: EmbeddingRequest, writer: asyncio.StreamWriter) -> None:
        if act.hang:
            await self._stop.wait()
        if "dimensions" in request.body and not self.shortens:
            act = Act(status=400)
        if act.status != 200:
            body = json.dumps(
                {"error": {"message": f"about: {request.texts}", "type": "error", "code": None}}
            )
        elif act.body is not None:
            body = act.body
        else:
            body = await asyncio.to_thread(self._answer, act, request)
        await send_answer(writer, body.encode(), status=act.status, retry_after=act.retry_after, cut=act.cut)

    def _answer(self, act: Act, request: EmbeddingRequest) -> str:
        dimension = request.body.get("dimensions", self.dimension)
        vectors = elsewhere(request.texts, dimension).tolist()
        data = [{"object": "embedding", "index": i, "embedding": v} for i, v in enumerate(vectors)]
        data = SPOIL[act.spoil](data)
        usage = {"prompt_tokens": 1, "total_tokens": 1}
        return json.dumps({"object": "list", "model": request.body["model"], "data": data, "usage": usage})


SPOIL = {
    "": lambda data: data,
    "reversed": lambda data: data[::-1],
    "too few": lambda data: data[:-1],
    "twice the first": lambda data: [{**row, "index": 0} for row in data],
    "nan": lambda data: [{**data[0], "embedding": [float("nan"), *data[0]["embedding"][1:]]}, *data[1:]],
    "infinite": lambda data: [{**data[0], "embedding": [1e400, *data[0]["embedding"][1:]]}, *data[1:]],
    "too large": lambda data: [{**row, "embedding": [10**400, *row["embedding"][1:]]} for row in data],
    "zeros": lambda data: [{**row, "embedding": [0.0] * len(row["embedding"])} for row in data],
    "words": lambda data: [{**row, "embedding": ["a"] * len(row["embedding"])} for row in data],
    "no vectors": lambda data: [{**row, "embedding": None} for row in data],
    "nothing": lambda data: [],
}


def point_at(settings: Any, server: EmbeddingServer, *, dimension: int = DIMENSION, **more: Any) -> None:
    """Have the site use the server, as an administrator sets it."""
    settings.EMBEDDINGS_MODEL, settings.EMBEDDINGS_DIMENSION = MODEL, dimension
    settings.EMBEDDINGS_BASE_URL = f"{server.url}/v1"
    for name, value in more.items():
        setattr(settings, name, value)
    settings.EMBEDDINGS_PROVIDER = "openai"


@contextmanager
def serve_embeddings() -> Iterator[EmbeddingServer]:
    load_bundled()
    with EmbeddingServer() as server:
        yield server
