"""What can be wrong with a node that somebody sent, for an agent's memory or in a pack."""

from django.utils.translation import gettext_lazy as _

from companion_site.errors import InvalidInput

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
