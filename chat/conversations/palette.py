"""What the palette leads to: conversations, messages, memories and pages that have the words looked for."""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime
from itertools import islice
from typing import Any, NamedTuple

from django.urls import reverse
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from chat.access import ChatAccess
from chat.conversations.properties import list_archive
from chat.conversations.search import search_messages
from chat.services import list_conversations
from companion_site.accounts.models import Person
from memory.student.pages.navigation import BEHIND, PAGES
from memory.student.pages.picture import find_by_words, has_words

#: Of each kind so many are shown; the newest messages that are read for it: whoever looks further searches.
SHOWN, MOST_READ = 5, 2_000
#: A single letter is in nearly everything.
SHORTEST = 2
CHAT_PAGES: dict[str, str | Promise] = {
    "chat:conversations": _("Conversations"),
    "chat:archive": _("Archived and deleted"),
    "agents:agents": _("Agents"),
    "accounts:account": _("Account"),
}
MEMORY_PAGES: dict[str, str | Promise] = {
    **{f"memory:{name}": label for name, label in PAGES.items()},
    **{f"memory:{name}": behind.label for name, behind in BEHIND.items()},
    "memory:privacy": _("Who can read this, and what is kept"),
    "overlay:map": _("Map"),
    "chat:memory_copy": _("Take your memory along"),
    "chat:imports": _("Bring your history from another chat"),
}


class Place(NamedTuple):
    """Somewhere to go."""

    label: str
    href: str


@dataclass(frozen=True, kw_only=True)
class Action:
    """Something to do: by sending a form of the palette, or by pressing a button of the page."""

    label: str | Promise
    icon: str
    form: str = ""
    memory: str = ""
    press: str = ""


ACTIONS = (
    Action(label=_("New conversation"), icon="plus", form="palette-new"),
    Action(label=_("New, without memory"), icon="plus", form="palette-new", memory="off"),
    Action(label=_("Change between light and dark"), icon="system", press="[data-theme-button]"),
    Action(label=_("Keyboard shortcuts"), icon="list", press="[data-shortcuts-open]"),
    Action(label=_("Log out"), icon="leave", form="palette-leave"),
)


def look_up(access: ChatAccess, query: str, *, now: datetime) -> dict[str, Any]:
    """Return what a person may go to by these words, the best of each kind first; without any the conversations they used last, and every page.

    The space is unlocked by the caller.
    """
    query = " ".join(query.split())
    person, is_asked = access.person, len(query) >= SHORTEST
    found = (
        find_by_words(access.space, query, most=SHOWN, now=now)
        if is_asked and person.has_memory_pages
        else ()
    )
    return {
        "query": query,
        "conversations": list(islice(_conversations(access, query), SHOWN)),
        "messages": search_messages(access, query, most_read=MOST_READ).found[:SHOWN] if is_asked else (),
        "memories": [Place(text, reverse("memory:memory", args=[memory])) for memory, text in found],
        "pages": [page for page in _pages(person) if has_words(page.label, query)],
        "actions": [
            action
            for action in ACTIONS
            if has_words(str(action.label), query) and (person.memory_on or not action.memory)
        ],
    }


def _conversations(access: ChatAccess, query: str) -> Iterator[Place]:
    for row in [*list_conversations(access), *list_archive(access)]:
        if row.title and has_words(row.title, query):
            yield Place(row.title, reverse("chat:conversation", args=[row.pk]))


def _pages(person: Person) -> Iterator[Place]:
    pages = CHAT_PAGES | (MEMORY_PAGES if person.has_memory_pages else {})
    for name, label in pages.items():
        if name != "agents:agents" or person.space_id:
            yield Place(str(label), reverse(name))
