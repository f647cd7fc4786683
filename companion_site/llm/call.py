"""One call to a provider while it is under way: what it costs, how long it takes, how it ends."""

import inspect
from collections.abc import Awaitable, Callable

from companion_site.llm.tokens import estimate_tokens
from companion_site.llm.types import CallRecord, LlmRole, Meter, Outcome

Record = Callable[[CallRecord], Awaitable[None] | None]


class OpenCall:
    """Measures one call and hands the finished record, which holds no content, to `record`."""

    def __init__(
        self,
        *,
        provider: str,
        model: str,
        role: LlmRole,
        purpose: str,
        clock: Callable[[], float],
        record: Record | None,
    ) -> None:
        self.meter = Meter()
        self.outcome = Outcome.INTERRUPTED
        self.has_given_text = False
        self._provider, self._model, self._role, self._purpose = provider, model, role, purpose
        self._clock, self._record = clock, record
        self._began = clock()
        self._first_token_ms: int | None = None
        self._tokens_given = 0

    def note_text(self, text: str) -> None:
        """Take note that `text` was given out."""
        if not self.has_given_text:
            self.has_given_text = True
            self._first_token_ms = self._elapsed_ms()
        self._tokens_given += estimate_tokens(text)

    async def close(self) -> CallRecord:
        """Record the call as it stands; a call that nobody said the end of was interrupted by the caller."""
        call = CallRecord(
            provider=self._provider,
            model=self._model,
            role=self._role,
            purpose=self._purpose,
            outcome=self.outcome,
            input_tokens=self.meter.input_tokens,
            output_tokens=self._output_tokens(),
            cached_tokens=self.meter.cached_tokens,
            duration_ms=self._elapsed_ms(),
            first_token_ms=self._first_token_ms,
        )
        if self._record is not None:
            recorded = self._record(call)
            if inspect.isawaitable(recorded):
                await recorded
        return call

    def _output_tokens(self) -> int:
        """Providers count at the end of a stream; one that broke off is counted by estimate."""
        if self.outcome == Outcome.INTERRUPTED:
            return max(self.meter.output_tokens, self._tokens_given)
        return self.meter.output_tokens

    def _elapsed_ms(self) -> int:
        return round((self._clock() - self._began) * 1000)
