"""Which kind of browser somebody uses, and who has logged in with it before.

The second is said by a signed cookie, by keyed hashes, and opens nothing. It is asked when attempts are bounded (`attempts`): a browser that knows a name has its own count and its own place in the queue.
"""

import secrets
from typing import Any

from django.conf import settings
from django.core import signing
from django.http import HttpRequest, HttpResponse

from companion_site.accounts.limits import keyed_hash
from companion_site.accounts.models import Person

COOKIE = "companion_browser"
SALT = "companion.known-browser"
MAX_AGE_S = 180 * 24 * 3600
#: People of one browser, such as a classroom's; the latest stay.
MOST_NAMES = 8
#: The first whose mark stands in the header: most name others beside themselves.
_BROWSERS = (
    ("Edg", "Edge"),
    ("OPR/", "Opera"),
    ("SamsungBrowser", "Samsung Internet"),
    ("Firefox/", "Firefox"),
    ("FxiOS", "Firefox"),
    ("CriOS", "Chrome"),
    ("Chrome/", "Chrome"),
    ("Safari/", "Safari"),
)
_SYSTEMS = (
    ("Android", "Android"),
    ("iPhone", "iPhone"),
    ("iPad", "iPad"),
    ("CrOS", "ChromeOS"),
    ("Windows", "Windows"),
    ("Mac OS X", "macOS"),
    ("Linux", "Linux"),
)


def browser_that_knows(request: HttpRequest, name: str | None) -> str | None:
    """Return the id of the request's browser where that name has logged in with it before; None else."""
    if name is None:
        return None
    known = _read(request)
    return known["browser"] if _hash(name) in known["names"] else None


def remember_browser(request: HttpRequest, response: HttpResponse, person: Person) -> HttpResponse:
    """Have the browser know that this person has logged in with it; return the response."""
    known, name = _read(request), _hash(person.username)
    names = [*(other for other in known["names"] if other != name), name][-MOST_NAMES:]
    response.set_cookie(
        COOKIE,
        signing.dumps({**known, "names": names}, salt=SALT),
        max_age=MAX_AGE_S,
        httponly=True,
        secure=settings.SESSION_COOKIE_SECURE,
        samesite="Lax",
    )
    return response


def name_browser(user_agent: str) -> str:
    """Return browser and system, such as "Firefox, Windows"; what is not known is left out, and nothing else is kept."""
    found = (
        next((name for mark, name in marks if mark in user_agent), "") for marks in (_BROWSERS, _SYSTEMS)
    )
    return ", ".join(filter(None, found))


def _read(request: HttpRequest) -> dict[str, Any]:
    """Return what the cookie says; of one that is none of ours, nothing."""
    try:
        return signing.loads(request.COOKIES.get(COOKIE, ""), salt=SALT, max_age=MAX_AGE_S)
    except (signing.BadSignature, ValueError, UnicodeError):
        return {"browser": secrets.token_urlsafe(12), "names": []}


def _hash(name: str) -> str:
    return keyed_hash("known browser", Person.normalize_username(name))
