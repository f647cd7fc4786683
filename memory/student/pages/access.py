"""Who sees a memory: the student it belongs to, while it is open. To everybody else it does not exist.

This is the one door to content for all pages of memory: a view below `memory_page` runs with the space unlocked.
"""

from collections.abc import Callable
from functools import wraps
from typing import Any

from django.http import HttpResponse
from django.views.decorators.cache import never_cache

from companion_site.accounts.access import student_access
from companion_site.accounts.requests import PersonRequest


def memory_page(view: Callable[..., HttpResponse]) -> Callable[..., HttpResponse]:
    """Give a view `(request, access, ...)` with the person's space unlocked; nothing of it is cached."""

    @never_cache
    @wraps(view)
    def open_page(request: PersonRequest, **ids: Any) -> HttpResponse:
        access = student_access(request.user, request.space_key)
        with access.open():
            return view(request, access, **ids)

    return open_page
