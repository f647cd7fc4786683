"""The key between log-in and log-out.

The session's row holds the data key encrypted under a random key that only the browser's HttpOnly cookie carries:
neither a stolen database nor a stolen cookie opens anything alone.
"""

import os
from base64 import urlsafe_b64decode, urlsafe_b64encode
from binascii import Error as Base64Error
from collections.abc import Callable, Mapping
from typing import Any
from uuid import UUID

from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from django.conf import settings
from django.http import HttpRequest, HttpResponse

from companion_site.errors import WrongKey
from companion_site.vault.boxes import KEY_BYTES, NONCE_BYTES, SpaceKey, own, wipe
from companion_site.vault.plaintext import hold_key
from companion_site.vault.slots import open_box

COOKIE = "companion_key"
SESSION_FIELD = "vault"


def keep_key(session: Any, key: SpaceKey) -> str:
    """Put the key into the session, encrypted; return the cookie's value, which alone opens it."""
    cookie_key, nonce = own(os.urandom(KEY_BYTES)), os.urandom(NONCE_BYTES)
    box = nonce + AESGCM(cookie_key).encrypt(nonce, key.data_key, key.space.bytes)
    session[SESSION_FIELD] = {"space": str(key.space), "box": _text(box)}
    cookie = _text(cookie_key)
    wipe(cookie_key)
    return cookie


def key_from(session: Mapping[str, Any], cookies: Mapping[str, str]) -> SpaceKey | None:
    """Return the key of a logged-in person; None without both halves, or where they do not fit."""
    kept, cookie = session.get(SESSION_FIELD), cookies.get(COOKIE)
    if not kept or not cookie:
        return None
    try:
        cookie_key, box, space = (
            own(urlsafe_b64decode(cookie)),
            urlsafe_b64decode(kept["box"]),
            UUID(kept["space"]),
        )
        data_key = open_box(cookie_key, box, space.bytes)
    except (Base64Error, WrongKey, ValueError):
        return None
    wipe(cookie_key)
    return hold_key(space, data_key)


def _text(value: bytes | bytearray) -> str:
    return urlsafe_b64encode(value).decode("ascii")


def vault_middleware(
    get_response: Callable[[HttpRequest], HttpResponse],
) -> Callable[[HttpRequest], HttpResponse]:
    """Set `request.space_key` (a `SpaceKey` or None), and carry out what was asked below."""

    def middleware(request: HttpRequest) -> HttpResponse:
        request.space_key = key_from(request.session, request.COOKIES)  # type: ignore[attr-defined]
        response = get_response(request)
        if getattr(request, "key_cookie", "") is None:
            response.delete_cookie(COOKIE, samesite="Lax")
        elif hasattr(request, "key_cookie"):
            secure = settings.SESSION_COOKIE_SECURE
            response.set_cookie(COOKIE, request.key_cookie, httponly=True, secure=secure, samesite="Lax")
        return response

    return middleware


def hand_over_key(request: HttpRequest, key: SpaceKey) -> None:
    """Keep the key for the session; the response sets the cookie."""
    request.key_cookie = keep_key(request.session, key)  # type: ignore[attr-defined]


def forget_key(request: HttpRequest) -> None:
    """Drop the cookie with the response; the session's half goes when it is flushed."""
    request.key_cookie = None  # type: ignore[attr-defined]
