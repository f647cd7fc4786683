"""Puts the logged-in person's key beside the request, and the cookie that opens it on the response."""

from collections.abc import Callable

from django.conf import settings
from django.http import HttpRequest, HttpResponse

from companion_site.vault.boxes import SpaceKey
from companion_site.vault.sessions import COOKIE, keep_key, key_from


def vault_middleware(
    get_response: Callable[[HttpRequest], HttpResponse],
) -> Callable[[HttpRequest], HttpResponse]:
    """Set `request.space_key` (a `SpaceKey` or None), and carry out what was asked below."""

    def middleware(request: HttpRequest) -> HttpResponse:
        request.space_key = key_from(request.session, request.COOKIES)  # type: ignore[attr-defined]
        response = get_response(request)
        if hasattr(request, "key_cookie"):
            _set_cookie(response, request.key_cookie)
        return response

    return middleware


def hand_over_key(request: HttpRequest, key: SpaceKey) -> None:
    """Keep the key for the session; the response sets the cookie."""
    request.key_cookie = keep_key(request.session, key)  # type: ignore[attr-defined]


def forget_key(request: HttpRequest) -> None:
    """Drop the cookie with the response; the session's half goes when it is flushed."""
    request.key_cookie = None  # type: ignore[attr-defined]


def _set_cookie(response: HttpResponse, value: str | None) -> None:
    if value is None:
        response.delete_cookie(COOKIE, samesite="Lax")
        return
    response.set_cookie(COOKIE, value, httponly=True, secure=settings.SESSION_COOKIE_SECURE, samesite="Lax")
