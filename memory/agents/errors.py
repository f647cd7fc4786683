"""What can be wrong with what an agent sends."""

from django.utils.translation import gettext_lazy as _

from companion_site.errors import CompanionError, InvalidInput


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
