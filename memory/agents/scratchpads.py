"""What was last noted on a task's scratchpad: carried on from context to context.

A context that is built here repeats the scratchpad, cut where its budget is small, and so does not keep it: what the agent
saves itself does.
"""

from companion_site.vault.scope import space_scope
from memory.agents.hashing import hash_task
from memory.agents.workingset import AgentWorkingSet
from memory.models import AgentContext

#: so many of what was saved for a task are looked through
LOOKED_AT = 20


def last_scratchpad(held: AgentWorkingSet, task_id: str) -> str:
    """Return the text that was last saved as a scratchpad for a task; "" for none. The caller holds the lock."""
    task = hash_task(held.space, task_id)
    if task not in held.left:
        held.left[task] = _read(held, task)
    return held.left[task]


def _read(held: AgentWorkingSet, task: bytes) -> str:
    with space_scope(held.space, reading=True):
        saved = AgentContext.objects.for_space(held.space).filter(task_hash=task, working_set__isnull=True)
        for row in saved.order_by("-id")[:LOOKED_AT]:
            for frame in row.content["frames"]:
                if frame["kind"] == "scratchpad" and isinstance(frame["data"], str):
                    return frame["data"]
    return ""
