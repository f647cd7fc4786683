"""What can be wrong with what an agent sends."""

from django.utils.translation import gettext_lazy as _

from companion_site.errors import CompanionError, InvalidInput

REASONS = {
    "missing": _("It is missing."),
    "kind": _("It is of the wrong kind."),
    "unknown": _("There is no such field."),
    "form": _("Its form is not allowed."),
    "too-long": _("It is too long."),
    "too-large": _("It is too large."),
    "too-deep": _("It is nested too deeply."),
    "too-many": _("There are too many of them."),
    "range": _("It is out of range."),
    "twice": _("It is there twice."),
    "itself": _("A node cannot point to itself."),
    "cycle": _("Children lead back to their parent."),
}


class NodeInvalid(InvalidInput):
    """A node, or what was sent beside nodes, cannot be taken as it is; nothing was written.

    Attributes:
        field: which part of it, as the wire names it; never what stood there.
        reason: a key of `REASONS`.
        number: which of the nodes, from 0; None where it is about none.
    """

    code = "agent.node-invalid"

    def __init__(self, field: str, reason: str, *, number: int | None = None) -> None:
        self.field, self.reason, self.number = field, reason, number
        super().__init__(REASONS[reason])

    def __str__(self) -> str:
        where = self.field if self.number is None else f"nodes[{self.number}].{self.field}"
        return f"{where}: {self.message}"


class TooManyNodes(InvalidInput):
    code = "agent.too-many-nodes"
    message = _("An agent remembers no more nodes than this. Put what many need into a knowledge pack.")


class TooManyAgents(InvalidInput):
    code = "agent.too-many"
    message = _("There are as many agents as there may be. Remove one first.")


class SnapshotTooLarge(InvalidInput):
    code = "agent.snapshot-too-large"
    message = _("This memory is too large for one snapshot.")


class SnapshotsFull(InvalidInput):
    code = "agent.snapshots-full"
    message = _("The snapshots of this agent take as much room as they may.")


class MemoryBusy(CompanionError):
    """Others kept changing the very nodes that were to be written."""

    code = "agent.busy"
    message = _("This memory is being written to. Please try again.")
    retryable = True
