"""One extraction: from the first provider whose answer fits the form, or from the caller's own way without a model."""

import asyncio
import inspect
from collections.abc import Awaitable, Callable
from typing import TYPE_CHECKING, Generic

from companion_site.llm.calls import OpenCall, Tries
from companion_site.llm.dialogue import DATA_RULE, wrap_data
from companion_site.llm.errors import (
    LanguageModelError,
    MalformedOutput,
    ProviderTimeout,
    ProviderUnavailable,
)
from companion_site.llm.offline import OfflineCompanion
from companion_site.llm.protocol import Provider
from companion_site.llm.tokens import check_ceiling
from companion_site.llm.types import Extracted, ExtractRequest, Meter, Outcome, Repair, S

if TYPE_CHECKING:
    from companion_site.llm.chain import Gateway


class Extraction(Generic[S]):
    """Walks the chain once for one request."""

    def __init__(
        self,
        gateway: "Gateway",
        request: ExtractRequest[S],
        *,
        purpose: str,
        offline: Callable[[], S | Awaitable[S]] | None,
    ) -> None:
        self._gateway, self._request = gateway, request
        self._purpose, self._offline = purpose, offline
        self._repair: Repair | None = None

    async def run(self) -> Extracted[S]:
        gateway, request = self._gateway, self._request
        texts = [request.instructions, DATA_RULE, wrap_data(request.data)]
        check_ceiling(texts, ceiling=gateway.limits.max_input_tokens)
        deadline = gateway.clock() + gateway.limits.total_s
        last_error: LanguageModelError = ProviderUnavailable()
        for provider in gateway.providers:
            self._repair = None
            tries = gateway.tries(provider, deadline=deadline)
            while await tries.another():
                try:
                    return await self._ask(provider, tries, deadline=deadline)
                except ProviderUnavailable as error:
                    last_error = error
                except MalformedOutput as error:
                    # What the model wrote is content: it stays here, the error that may leave does not carry it.
                    self._repair, last_error = error.repair, MalformedOutput()
                    last_error.provider, last_error.model = error.provider, error.model
        if self._offline is None:
            raise last_error
        return await self._extract_offline(self._offline)

    async def _ask(self, provider: Provider, tries: Tries, *, deadline: float) -> Extracted[S]:
        model = provider.model_for(self._request.role)
        call = self._open_call(provider.name, model)
        try:
            value = await self._ask_in_time(provider, call.meter, deadline=deadline)
            call.outcome = Outcome.OK
            tries.succeeded()
            meter = call.meter
            return Extracted(
                value,
                provider.name,
                model,
                input_tokens=meter.input_tokens,
                output_tokens=meter.output_tokens,
            )
        except LanguageModelError as error:
            error.provider, error.model = provider.name, model
            tries.failed(error)
            call.outcome = error.outcome
            raise
        finally:
            tries.released()
            await call.close()

    async def _ask_in_time(self, provider: Provider, meter: Meter, *, deadline: float) -> S:
        gateway = self._gateway
        try:
            async with asyncio.timeout(min(gateway.limits.extract_s, max(deadline - gateway.clock(), 0.0))):
                return await provider.extract(self._request, meter=meter, repair=self._repair)
        except TimeoutError:
            raise ProviderTimeout from None

    async def _extract_offline(self, offline: Callable[[], S | Awaitable[S]]) -> Extracted[S]:
        call = self._open_call(OfflineCompanion.name, "")
        try:
            found = offline()
            value = await found if inspect.isawaitable(found) else found
            call.outcome = Outcome.OK
            return Extracted(value, OfflineCompanion.name, "")
        finally:
            await call.close()

    def _open_call(self, provider: str, model: str) -> OpenCall:
        return self._gateway.open_call(provider, model, role=self._request.role, purpose=self._purpose)
