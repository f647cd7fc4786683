"""Who works in a space: what every service that opens one takes first, and every page of a student's own."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import wraps
from typing import Any
from uuid import UUID

from django.http import HttpResponse
from django.views.decorators.http import require_POST, require_safe

from companion_site.accounts.models import Person
from companion_site.accounts.requests import PersonRequest
from companion_site.errors import NotFound, SpaceLocked
from companion_site.http import form_page
from companion_site.vault.boxes import SpaceKey
from companion_site.vault.keyring import unlocked


@dataclass(frozen=True)
class Access:
    """A person, a space that they may work in, and the key that opens it."""

    person: Person
    space: UUID
    key: SpaceKey

    @contextmanager
    def open(self) -> Iterator[UUID]:
        """Open the space for the length of the block."""
        with unlocked(self.space, self.key):
            yield self.space


def own_key(person: Person, space_key: SpaceKey | None) -> SpaceKey:
    """Return the key of a person's own space, if it is the one that is open.

    Raises:
        NotFound: they have no space of their own.
        SpaceLocked: it is not open in this session.
    """
    if not person.is_active or person.space_id is None:
        raise NotFound()
    if space_key is None or space_key.space != person.space_id:
        raise SpaceLocked()
    return space_key


def student_access(person: Person, space_key: SpaceKey | None) -> Access:
    """Return a student's access to their own space: memory, ledger and map alike. Raises as `own_key`, for others NotFound."""
    if person.role != Person.Role.STUDENT:
        raise NotFound()
    key = own_key(person, space_key)
    return Access(person, key.space, key)


View = Callable[..., HttpResponse]


def _door(allow: Callable[[View], View]) -> Callable[[View], View]:
    """Give a view `(request, access, ...)`: it runs with the student's space unlocked, and to everybody else it does not exist."""

    def decorate(view: View) -> View:
        @allow
        @wraps(view)
        def open_page(request: PersonRequest, **ids: Any) -> HttpResponse:
            access = student_access(request.user, request.space_key)
            with access.open():
                return view(request, access, **ids)

        return open_page

    return decorate


#: a page that is read, one that is read and sent, and what a button asks for
student_page, student_form, student_action = _door(require_safe), _door(form_page), _door(require_POST)
