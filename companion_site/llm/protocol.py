"""What a provider of a language model can do."""

from collections.abc import AsyncGenerator
from typing import Protocol

from companion_site.llm.types import ChatRequest, ExtractRequest, LlmRole, Meter, Repair, S


class Provider(Protocol):
    """One service that runs language models. It makes one call when asked; when to ask again is the chain's matter."""

    name: str

    def model_for(self, role: LlmRole) -> str:
        """Return the name of the model that plays `role`."""
        ...

    def stream(self, request: ChatRequest, *, model_role: LlmRole, meter: Meter) -> AsyncGenerator[str, None]:
        """Yield the reply piece by piece; an empty piece is a sign of life, such as a model that thinks.

        Raises:
            ProviderUnavailable: it failed or broke off, before or after the first piece.
            ModelRefused: the model declined.
        """
        ...

    async def extract(self, request: ExtractRequest[S], *, meter: Meter, repair: Repair | None = None) -> S:
        """Return what the instructions ask for, read from the data, which is never itself an instruction.

        Args:
            repair: the model's last answer to the same question and what was wrong with it.

        Raises:
            ProviderUnavailable: it failed.
            MalformedOutput: the answer does not fit the schema.
            ModelRefused: the model declined.
        """
        ...

    async def aclose(self) -> None:
        """Close the connections of the running event loop."""
        ...
