"""Language models that run on this machine and can be asked without a key: found by the ports that they are known for.

Only these ports of the loopback interface are asked, once, for the list of their models; nobody can name another.
"""

import asyncio
import json
import re
from dataclasses import dataclass

import httpx2
from django.conf import settings

MOST_BYTES = 200_000
MOST_MODELS = 30
#: A name that stands in a line of `.env` as it is.
NAME = re.compile(r"[\w./:@+-]{1,300}")


@dataclass(frozen=True, kw_only=True)
class LocalServer:
    """A program that serves models, and the port that it listens at if nobody says otherwise."""

    slug: str
    title: str
    port: int

    @property
    def base_url(self) -> str:
        return f"http://127.0.0.1:{self.port}/v1"


@dataclass(frozen=True, kw_only=True)
class FoundServer:
    """One that answers, and the models it has."""

    server: LocalServer
    models: tuple[str, ...]

    @property
    def is_connected(self) -> bool:
        """Whether the settings lead there already, by either name of this machine."""
        address = settings.OPENAI_BASE_URL.rstrip("/").replace("//localhost", "//127.0.0.1")
        return address == self.server.base_url

    @property
    def lines(self) -> str:
        """The lines of `.env` that connect its first model."""
        lines = [f"OPENAI_BASE_URL={self.server.base_url}", f"OPENAI_CHAT_MODEL={self.models[0]}"]
        if settings.OPENAI_API_KEY:
            lines.append("OPENAI_API_KEY=")
        if "openai" not in settings.LLM_CHAIN:
            lines.append(f"LLM_CHAIN={','.join(['openai', *settings.LLM_CHAIN])}")
        return "\n".join(lines)


KNOWN = (
    LocalServer(slug="ollama", title="Ollama", port=11434),
    LocalServer(slug="llama-cpp", title="llama.cpp", port=8080),
    LocalServer(slug="vllm", title="vLLM", port=8000),
    LocalServer(slug="lm-studio", title="LM Studio", port=1234),
)


async def find_servers(known: tuple[LocalServer, ...], *, own_port: str = "") -> list[FoundServer]:
    """Return those of `known` that answer with at least one model; the site's own port is left out."""
    patience_s = settings.LLM_LOCAL_TIMEOUT_S
    asked = [server for server in known if str(server.port) != own_port]
    async with httpx2.AsyncClient(trust_env=False, follow_redirects=False, timeout=patience_s) as client:
        lists = await asyncio.gather(*(_list_models(client, server) for server in asked))
    return [
        FoundServer(server=server, models=models)
        for server, models in zip(asked, lists, strict=True)
        if models
    ]


async def _list_models(client: httpx2.AsyncClient, server: LocalServer) -> tuple[str, ...]:
    """Return the models a server says it has; none where nobody, or something else, listens there."""
    try:
        async with (
            asyncio.timeout(settings.LLM_LOCAL_TIMEOUT_S),
            client.stream("GET", f"{server.base_url}/models") as answer,
        ):
            answer.raise_for_status()
            body = b""
            async for piece in answer.aiter_bytes():
                body += piece
                if len(body) > MOST_BYTES:
                    return ()
        names = [str(row["id"]) for row in json.loads(body)["data"]]
    except (httpx2.HTTPError, TimeoutError, ValueError, KeyError, TypeError):
        return ()
    # A model that makes vectors stands in the same list, and says nothing.
    talking = [name for name in names if NAME.fullmatch(name) and "embed" not in name.casefold()]
    return tuple(talking[:MOST_MODELS])
