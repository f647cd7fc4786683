"""What can be wrong with what an agent sends."""

from django.utils.translation import gettext_lazy as _

from companion_site.errors import CompanionError, InvalidInput


class TooMuch(InvalidInput):
    code = "agent.too-much"
    reasons = {
        "too-many-nodes": _(
            "An agent remembers no more nodes than this. Put what many need into a knowledge pack."
        ),
        "too-many": _("There are as many agents as there may be. Remove one first."),
        "snapshot-too-large": _("This memory is too large for one snapshot."),
        "snapshots-full": _("The snapshots of this agent take as much room as they may."),
    }


class MemoryBusy(CompanionError):
    """Others kept changing the very nodes that were to be written."""

    code = "agent.busy"
    message = _("This memory is being written to. Please try again.")
    retryable = True
