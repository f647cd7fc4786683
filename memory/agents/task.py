"""What an agent is working on, as it says so when it asks for a context."""

from collections.abc import Mapping
from dataclasses import dataclass

from memory.nodes.errors import NodeInvalid
from memory.nodes.limits import clean_tags, clean_text

ID_CHARS, TEXT_CHARS = 200, 20_000


@dataclass(frozen=True)
class Task:
    """A task.

    Attributes:
        tags: of its domain.
        problem: what is to be done; "" where the query says it.
    """

    id: str
    tags: tuple[str, ...] = ()
    problem: str = ""
    constraints: str = ""


def clean_task(raw: object) -> Task:
    """Return a task as it is worked with.

    Raises:
        NodeInvalid: what is wrong with it first.
    """
    if not isinstance(raw, Mapping):
        raise NodeInvalid("task", "kind")
    if not {"id", "tags", "problem", "constraints"}.issuperset(raw):
        raise NodeInvalid("task", "unknown")
    return Task(
        id=clean_task_id(raw.get("id")),
        tags=tuple(clean_tags(raw.get("tags"), field="task.tags")),
        problem=clean_text(raw.get("problem"), field="task.problem", most=TEXT_CHARS),
        constraints=clean_text(raw.get("constraints"), field="task.constraints", most=TEXT_CHARS),
    )


def clean_task_id(raw: object, *, field: str = "task.id") -> str:
    """Return the id of a task, or of a session, on one line."""
    found = " ".join(clean_text(raw, field=field, most=ID_CHARS).split())
    if not found:
        raise NodeInvalid(field, "missing")
    return found
