"""Who sees a memory: the student it belongs to, while it is open. To everybody else it does not exist.

This is the one door to content for all pages of memory: a view below `memory_page` runs with the space unlocked.
"""

from collections.abc import Callable
from dataclasses import dataclass
from functools import wraps
from typing import Any
from uuid import UUID

from django.http import HttpResponse
from django.views.decorators.cache import never_cache

from companion_site.accounts.models import Person
from companion_site.accounts.requests import PersonRequest
from companion_site.errors import NotFound, SpaceLocked
from companion_site.vault import unlocked
from companion_site.vault.boxes import SpaceKey


@dataclass(frozen=True)
class MemoryAccess:
    """A person, their own space, and the key that opens it."""

    person: Person
    space: UUID
    key: SpaceKey


def memory_access(person: Person, space_key: SpaceKey | None) -> MemoryAccess:
    """Return whose memory a person sees: their own.

    Raises:
        NotFound: people of this role have no memory to look at.
        SpaceLocked: it is not open in this session.
    """
    if not person.is_active or person.role != Person.Role.STUDENT or person.space_id is None:
        raise NotFound()
    if space_key is None or space_key.space != person.space_id:
        raise SpaceLocked()
    return MemoryAccess(person, person.space_id, space_key)


def memory_page(view: Callable[..., HttpResponse]) -> Callable[..., HttpResponse]:
    """Give a view `(request, access, ...)` with the person's space unlocked; nothing of it is cached."""

    @never_cache
    @wraps(view)
    def open_page(request: PersonRequest, **ids: Any) -> HttpResponse:
        access = memory_access(request.user, request.space_key)
        with unlocked(access.space, access.key):
            return view(request, access, **ids)

    return open_page
