"""The site's addresses, and some that go wrong on purpose."""

from django.core.exceptions import PermissionDenied, SuspiciousOperation
from django.urls import path

from companion_site.errors import BoxBroken, EmptyMessage, NotFound
from companion_site.urls import handler400, handler404, urlpatterns

WORDS = "my cat is called Moses"
ERRORS = {
    "denied": PermissionDenied(WORDS),
    "suspicious": SuspiciousOperation(WORDS),
    "crash": RuntimeError(WORDS),
    "missing": NotFound(),
    "empty": EmptyMessage(),
    "broken": BoxBroken(),
}


def go_wrong(request, how):
    """Raise the error of that name while holding words in a local variable."""
    words = WORDS
    error = ERRORS[how]
    raise error from ValueError(words)


urlpatterns = [*urlpatterns, path("wrong/<str:how>/", go_wrong)]

__all__ = ["handler400", "handler404", "urlpatterns"]
