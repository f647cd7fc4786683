"""The language model of these tests: a server on this machine that speaks a provider's wire format."""

import json
import re
from dataclasses import dataclass

from tests.llm.wire_server import Act, WireRequest, WireServer

DATA = re.compile(r"<data>\n(.*)\n</data>", re.DOTALL)
CLAUSE = re.compile(r"[^,.!?]+[,.!?]?")


@dataclass
class Model(WireServer):
    """Answers as scripted, and finds in an exchange what the person says in each clause that asks nothing."""

    def _act_for(self, request: WireRequest) -> Act:
        if request.schema is None:
            return super()._act_for(request)
        found = DATA.search(request.last_text)
        return Act(text=json.dumps({"facts": _facts(found[1] if found else "{}")}))

    def told(self) -> list[str]:
        """Return what it was asked in conversations so far, memories and all."""
        return [request.last_text for request in self.requests if request.schema is None]


def _facts(data: str) -> list[dict[str, object]]:
    said = [message for message in json.loads(data).get("messages", []) if message.get("new")]
    clauses = [
        (message["n"], clause.strip()) for message in said for clause in CLAUSE.findall(message["text"])
    ]
    told = [(number, clause.rstrip(",.!")) for number, clause in clauses if not clause.endswith("?")]
    return [{"message": number, "quote": words, "text": words} for number, words in told if words]
