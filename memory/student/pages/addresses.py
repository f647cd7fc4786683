"""Addresses that pages and scripts link to, by name: memory knows nothing of conversations but their ids."""

from urllib.parse import urlencode
from uuid import UUID

from django.http import HttpRequest
from django.urls import reverse
from django.utils.http import url_has_allowed_host_and_scheme

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


def way_back(request: HttpRequest, memory: UUID | None = None) -> str:
    """Return where the button stood that was pressed, as its form says; "" where it names no page of this site.

    Args:
        memory: the one that took another's place: the page goes to it there.
    """
    address = request.POST.get("back", "")
    if not address.startswith("/") or not url_has_allowed_host_and_scheme(address, {request.get_host()}):
        return ""
    return f"{address}#fact-{memory}" if memory and "#" not in address else address


def with_given(address: str, name: str, value: object) -> str:
    """Return an address with one more word behind its question mark."""
    return f"{address}{'&' if '?' in address else '?'}{urlencode({name: value})}"


def without(request: HttpRequest, name: str) -> str:
    """Return the address that was asked for without one of its words."""
    given = request.GET.copy()
    given.pop(name, None)
    return f"{request.path}?{given.urlencode()}" if given else request.path


def read_id(text: str | None) -> UUID | None:
    """Return the id that an address names; None for what is none."""
    try:
        return UUID(text) if text else None
    except ValueError:
        return None
