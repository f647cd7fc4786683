"""The language model of these tests: a server on this machine that speaks a provider's wire format."""

import json
import re
from dataclasses import dataclass

from tests.llm.wire_server import Act, WireRequest, WireServer

DATA = re.compile(r"<data>\n(.*)\n</data>", re.DOTALL)
CLAUSE = re.compile(r"[^,.!?]+[,.!?]?")


@dataclass
class Model(WireServer):
    """Answers as scripted, and picks every clause that asks nothing when memories are to be formed."""

    def _act_for(self, request: WireRequest) -> Act:
        if request.schema is None:
            return super()._act_for(request)
        found = DATA.search(request.last_text)
        return Act(text=json.dumps({"statements": _statements(found[1] if found else "")}))

    def told(self) -> list[str]:
        """Return what it was asked in conversations so far, memories and all."""
        return [request.last_text for request in self.requests if request.schema is None]


def _statements(text: str) -> list[dict[str, object]]:
    clauses = [clause.strip() for clause in CLAUSE.findall(text) if not clause.endswith("?")]
    return [
        {"quote": clause.rstrip(",.!"), "modality": "semantic", "valence": 0.0, "importance": 0.8}
        for clause in clauses
        if clause
    ]
