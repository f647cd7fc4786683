"""Addresses that pages and scripts link to, by name: memory knows nothing of conversations but their ids."""

from uuid import UUID

from django.urls import reverse

#: stands in an address for the id that a script puts there
NOWHERE = UUID(int=0)


def message_address(conversation: UUID, message: UUID) -> str:
    """Return where a message stands in its conversation."""
    return f"{reverse('chat:conversation', args=[conversation])}?at={message}#message-{message}"


def pack_node_address(pack: UUID, node: UUID) -> str:
    """Return where a node of a pack is shown."""
    return reverse("memory:pack_node", args=[pack, node])


def address_patterns() -> dict[str, str]:
    """Return addresses with an id that stands for none."""
    return {
        "nowhere": str(NOWHERE),
        "memory": reverse("memory:memory", args=[NOWHERE]),
        "conversation": reverse("chat:conversation", args=[NOWHERE]),
    }
