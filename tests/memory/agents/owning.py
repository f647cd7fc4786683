"""A student who looks after an agent in a browser, and an agent that has lived a little."""

from datetime import timedelta

from django.utils import timezone

from memory.agents.agents import OpenAgent
from memory.agents.context_store import save_context
from memory.agents.contexts import build_context
from memory.agents.nodes import upsert_memory
from tests.memory.agents.conftest import lend_pack, link, node

FILES, MANAGERS, EPISODE = "skill.python.files", "skill.python.context-managers", "episode.task-7.first"
HOSTILE = "<script>alert(1)</script> {{ 7|add:7 }} ‮"


def live_a_little(agent: OpenAgent) -> None:
    """Teach an agent some nodes, have it read a pack, and build and end contexts over a week."""
    access, now = agent, timezone.now()
    upsert_memory(
        access,
        [
            node(
                FILES,
                "skill",
                label="Close files",
                payload={
                    "definition": "Open files in a with statement.",
                    "code": "with open(p) as f:\n    ...",
                },
                links=[link(MANAGERS, 0.8), link("pack.python.pathlib", 0.6), link("gone.nowhere", 0.2)],
                children={"details": MANAGERS},
                tags=["python"],
                meta={"source": "notes", "checked": True},
            ),
            node(MANAGERS, "skill", label="Context managers", says="They close.", tags=["python"]),
            node(
                EPISODE,
                "episode",
                label="Ran the tests",
                payload={"outcome": "failed"},
                meta={"task": "task-7"},
            ),
            node("fact.accounting.vat", "fact", label="VAT is 25 %", says="Moms.", tags=["accounting"]),
            node("persona.careful", "persona", label="A careful one", says="Looks twice."),
        ],
        now=now - timedelta(days=8),
    )
    lend_pack(
        access,
        node("pack.python.pathlib", label="Paths", says="Paths as objects.", tags=["python"]),
    )
    for day in range(7, -1, -1):
        at = now - timedelta(days=day)
        build_context(
            access,
            query="closing a file" if day % 3 else "what is the VAT",
            task={"id": f"task-{day}", "tags": ["python"]},
            budget_tokens=2_000,
            now=at,
        )
        save_context(
            access, task_id=f"task-{day}", frames=[], outcome="failed" if day % 4 == 0 else "helped", now=at
        )
