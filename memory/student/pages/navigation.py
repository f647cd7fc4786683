"""The three pages of one's memory, what lies behind each of them, what every page has around it, and the addresses that pages link to.

Memory knows nothing of conversations but their ids.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlencode
from uuid import UUID

from django import forms
from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils.functional import Promise
from django.utils.http import url_has_allowed_host_and_scheme
from django.utils.translation import gettext_lazy as _

from companion_site.accounts.access import Access
from companion_site.accounts.requests import PersonRequest
from companion_site.errors import CompanionError, InvalidInput
from memory.student.contradictions import count_open

#: a page's name to what it is called
PAGES: dict[str, str | Promise] = {
    "about_me": _("About me"),
    "life": _("Goals and mood"),
    "history": _("History"),
}
#: pages that are part of another one
PART_OF = {"memory": "about_me", "privacy": "about_me", "copy": "about_me", "pack": "packs", "pack_node": "packs", "ledger_entry": "ledger", "share": "progress",
           "sleep_run": "sleep", "clean_up_run": "clean_up"}  # fmt: skip


@dataclass(frozen=True)
class Behind:
    """A page that one of the three leads to."""

    under: str
    label: str | Promise
    told: str | Promise


#: In the order in which they are offered.
BEHIND: dict[str, Behind] = {
    "held": Behind(
        "about_me", _("What stays and what fades"), _("What is kept for good, and what is still new.")
    ),
    "progress": Behind(
        "life",
        _("How it is going at school"),
        _("What is easy, what is hard and what you worked on. Share it with a teacher if you like."),
    ),
    "changes": Behind(
        "history",
        _("What changed by itself"),
        _("What was replaced, put together or cleared away. You can undo it."),
    ),
    "sleep": Behind(
        "history", _("Sleep"), _("Your companion sleeps on what you said. See what it made of it.")
    ),
    "clean_up": Behind(
        "history", _("Tidying up"), _("Clear away what has faded, and put together what says the same.")
    ),
    "ledger": Behind(
        "history",
        _("Word for word"),
        _("Promises, allergies and whatever else must stay exactly as you said it."),
    ),
    "packs": Behind(
        "history", _("Extra knowledge"), _("Reference books that your companion may look into for you.")
    ),
}
#: which page leads to a page; none leads to the three
LED_BY = PART_OF | {name: behind.under for name, behind in BEHIND.items()}
#: stands in an address for the id that a script puts there
NOWHERE = UUID(int=0)


def page_above(name: str) -> str:
    """Return which of the three a page belongs to; "" for one that belongs to none."""
    while name in LED_BY:
        name = LED_BY[name]
    return name if name in PAGES else ""


@contextmanager
def refusals_on(
    form: forms.Form, field: str | None = None, *, of: type[CompanionError] | tuple = InvalidInput
) -> Iterator[None]:
    """Put what is refused within on the form."""
    try:
        yield
    except of as refused:
        form.add_error(field, str(refused))


def render_page(
    request: PersonRequest, access: Access, name: str, context: dict[str, Any], *, status: int = 200
) -> HttpResponse:
    """Return the page `memory/<name>.html`."""
    trail = None
    if back := LED_BY.get(name):
        trail = reverse(f"memory:{back}"), BEHIND[back].label if back in BEHIND else PAGES[back]
    around = {
        "here": name,
        "above": page_above(name),
        "trail": trail,
        "pages": [(page, reverse(f"memory:{page}"), label) for page, label in PAGES.items()],
        "doors": [
            (reverse(f"memory:{page}"), behind) for page, behind in BEHIND.items() if behind.under == name
        ],
        "to_review": count_open(access.space),
        "kept_days": settings.TOMBSTONE_DAYS,
        "transcript_days": settings.TRANSCRIPT_DAYS,
        "ceiling_days": settings.TRANSCRIPT_CEILING_DAYS,
    }
    return render(request, f"memory/{name}.html", {**around, **context}, status=status)


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
