"""The language model of these tests: a server on this machine that speaks a provider's wire format."""

from dataclasses import dataclass

from tests.llm.wire_server import Act, WireRequest, WireServer


@dataclass
class Model(WireServer):
    """Answers as scripted, and finds nothing in an exchange beside what formed."""

    def _act_for(self, request: WireRequest) -> Act:
        if request.schema is None:
            return super()._act_for(request)
        return Act(text='{"facts": []}')

    def told(self) -> list[str]:
        """Return what it was asked in conversations so far, memories and all."""
        return [request.last_text for request in self.requests if request.schema is None]
