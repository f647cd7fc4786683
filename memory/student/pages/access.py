"""Who sees a memory: the student it belongs to, while it is open. To everybody else it does not exist.

This is the one door to content for all pages of memory: a view below one of these decorators gets `(request, access, ...)` and runs
with the person's space unlocked.
"""

from collections.abc import Callable
from functools import wraps
from typing import Any

from django.http import HttpResponse
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from companion_site.accounts.access import student_access
from companion_site.accounts.requests import PersonRequest

View = Callable[..., HttpResponse]


def _door(allow: Callable[[View], View]) -> Callable[[View], View]:
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
memory_page = _door(require_safe)
memory_form = _door(require_http_methods(["GET", "HEAD", "POST"]))
memory_action = _door(require_POST)
