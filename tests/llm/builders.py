"""Requests, providers and gateways for the tests of the language-model gateway."""

import random
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any, Literal

from pydantic import BaseModel

from companion_site.llm.anthropic import AnthropicProvider
from companion_site.llm.calls import Record
from companion_site.llm.chain import Gateway
from companion_site.llm.offline import OfflineCompanion
from companion_site.llm.openai import OpenAIProvider
from companion_site.llm.protocol import Provider
from companion_site.llm.types import CallRecord, ChatRequest, Limits, LlmRole, Meter, Utterance

SECRET = "the blue heron sleeps in Ystad"
MODELS: dict[LlmRole, str] = {"chat": "big-one", "fast": "small-one"}
#: Patience that no slow machine uses up; pauses between tries are not waited for.
PATIENT = Limits(connect_s=30, first_token_s=30, between_tokens_s=30, extract_s=30, total_s=120)
#: Patience that a test can wait out, for a rig that is warm.
HASTY = replace(PATIENT, first_token_s=0.4, between_tokens_s=0.4, extract_s=0.4)

ProviderName = Literal["anthropic", "openai"]


class Fact(BaseModel):
    """What the extraction tests ask for."""

    text: str
    certain: bool


class Facts(BaseModel):
    facts: list[Fact]


def make_request(**overrides: Any) -> ChatRequest:
    given: dict[str, Any] = {
        "system": "You are a companion.",
        "context": "<memory>likes tea</memory>",
        "find_kindred": lambda: ["I like tea"],
        "turns": [Utterance("user", f"Good day, {SECRET}")],
        "language": "en",
    }
    return ChatRequest(**(given | overrides))


def make_provider(name: ProviderName, url: str, *, limits: Limits = PATIENT, **overrides: Any) -> Provider:
    if name == "anthropic":
        return AnthropicProvider(
            api_key="key-a", limits=limits, **({"base_url": url, "models": MODELS} | overrides)
        )
    return OpenAIProvider(
        api_key="key-o", limits=limits, **({"base_url": f"{url}/v1", "models": MODELS} | overrides)
    )


class Rig:
    """A gateway whose pauses and records a test can look at; it closes its connections at the end."""

    def __init__(
        self,
        providers: Sequence[Provider],
        *,
        limits: Limits = PATIENT,
        offline: bool = True,
        clock: Callable[[], float] | None = None,
        record: Record | None = None,
    ) -> None:
        self.pauses: list[float] = []
        self.records: list[CallRecord] = []
        given = {"clock": clock} if clock else {}
        self.gateway = Gateway(
            providers,
            offline=OfflineCompanion() if offline else None,
            limits=limits,
            record=record or self.records.append,
            rng=random.Random(1),
            sleep=self._sleep,
            **given,
        )

    async def _sleep(self, pause_s: float) -> None:
        self.pauses.append(pause_s)

    @property
    def outcomes(self) -> list[tuple[str, str]]:
        return [(record.provider, record.outcome.value) for record in self.records]

    async def warm(self) -> None:
        """Open every provider's connection, so that what follows waits for nothing but the provider."""
        for provider in self.gateway.providers:
            async for _piece in provider.stream(make_request(), model_role="chat", meter=Meter()):
                pass

    async def reply(self, request: ChatRequest | None = None) -> str:
        """Return the whole text of one reply."""
        async with self.gateway.stream(request or make_request()) as reply:
            return "".join([piece async for piece in reply])

    async def extract(self, **overrides: Any) -> Any:
        given = {
            "schema": Facts,
            "instructions": "List the facts.",
            "data": f"I said that {SECRET}.",
        } | overrides
        return await self.gateway.extract(given.pop("schema"), **given)
