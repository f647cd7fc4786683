"""What can go wrong between an agent and its memory.

OrchestratorError
 ├─ MemoryUnreachable   nobody answered, or was able to: the same asked later may succeed
 ├─ MemoryRefused       the memory says no: the same asked later is refused again
 │   └─ NotLetIn        whatever is asked: the token is wrong, or the address
 ├─ PendingFull         nobody answers, and no more can wait
 └─ QueueInUse          another process waits with the same queue
"""


class OrchestratorError(Exception):
    """Base of the tree."""


class MemoryUnreachable(OrchestratorError):
    """Nobody answered. Whether the call was carried out is not known."""


class MemoryRefused(OrchestratorError):
    """The memory says no.

    Attributes:
        code: for programs, such as "agent.node-invalid".
    """

    def __init__(self, code: str, message: str) -> None:
        super().__init__(f"{code}: {message}")
        self.code, self.message = code, message


class NotLetIn(MemoryRefused):
    """The memory does not listen to this program, whatever it asks. What waits goes on waiting, for a token that opens it."""


class PendingFull(OrchestratorError):
    """As many calls wait as may; this one was not kept."""


class QueueInUse(OrchestratorError):
    """Another process has this queue open."""
