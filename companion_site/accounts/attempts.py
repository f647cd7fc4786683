"""Who may try a secret: the bounds around every log-in, recovery, change of password and invitation.

    with attempt(request, name, now=now) as tried:
        person = authenticate(…)          # everything that derives a key happens in here
        if person is not None:
            tried.succeed()

Inside, the attempt has its turn at the derivation gate. An attempt counts until it succeeds, so only refused ones count:
for the name at this address, for the address, for the name anywhere, and over all. A browser that has logged in as this
person before has a count of its own in place of all four, so that nobody can shut a person out by naming them, and no
neighbour behind one address can.

Delays grow: what a quarter of an hour allows is followed by one attempt at a time, and what a day allows by one at longer
intervals.

A signed cookie says who has logged in with a browser before, by keyed hashes, and opens nothing.
"""

import secrets
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime, timedelta
from typing import Any

import structlog
from django.conf import settings
from django.core import signing
from django.db import transaction
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse

from companion_site.accounts import limits
from companion_site.accounts.errors import TooManyAttempts
from companion_site.accounts.limits import Bucket, Limit, keyed_hash
from companion_site.accounts.models import LimitCount, Person
from companion_site.audit.services import record_event
from companion_site.client_address import network_of
from companion_site.vault.gate import derivation_gate

logger = structlog.get_logger(__name__)

QUARTER, DAY = timedelta(minutes=15), timedelta(days=1)
#: A day allows so many times what a quarter of an hour does: to one browser or name, and to an address with a school behind it.
QUARTERS_OF_A_NAME, QUARTERS_OF_AN_ADDRESS = 4, 10
BROWSER_COOKIE = "companion_browser"
BROWSER_SALT = "companion.known-browser"
BROWSER_LASTS_S = 180 * 24 * 3600
#: People of one browser, such as a classroom's; the latest stay.
MOST_NAMES = 8


class Attempt:
    """One try of a secret; it counts unless it succeeds."""

    has_succeeded = False

    def succeed(self) -> None:
        self.has_succeeded = True


@contextmanager
def attempt(request: HttpRequest, name: str | None, *, now: datetime) -> Iterator[Attempt]:
    """Let somebody try a secret for the block.

    Args:
        name: whom they say they are; None where the secret alone says it, as an invitation's does.

    Raises:
        TooManyAttempts: too many were refused lately; says when the next may come.
        Busy: too many try at once.
    """
    name = Person.normalize_username(name) if name else None
    address = network_of(request.META.get("REMOTE_ADDR", ""))
    browser = browser_that_knows(request, name)
    with derivation_gate().turn(browser or address, known=browser is not None):
        own, shared = _buckets(name, address, browser)
        wait = limits.count([*own, *shared], now=now)
        if wait is not None:
            logger.warning("accounts.attempts_closed")
            raise TooManyAttempts(retry_after_s=wait.total_seconds())
        tried = Attempt()
        yield tried
        if tried.has_succeeded:
            limits.give_back(shared, now=now)
            limits.forget(own)


def counts_of(person: Person, *, now: datetime) -> list[LimitCount]:
    """Return what refused attempts in a person's name have used up, wherever they came from, the fullest first."""
    rows = _counts_in_name_of(person).filter(until__gt=now)
    return sorted(rows, key=lambda row: row.used(now) / row.most, reverse=True)


def open_again(person: Person, *, now: datetime, actor: Person) -> None:
    """Forget every refused attempt that names a person, wherever it came from."""
    with transaction.atomic():
        record_event("accounts.log_in_opened", actor=actor, subject=person, now=now)
    _counts_in_name_of(person).delete()


def browser_that_knows(request: HttpRequest, name: str | None) -> str | None:
    """Return the id of the request's browser where that name has logged in with it before; None else."""
    if name is None:
        return None
    known = _known_browser(request)
    return known["browser"] if _name_hash(name) in known["names"] else None


def remember_browser(request: HttpRequest, response: HttpResponse, person: Person) -> HttpResponse:
    """Have the browser know that this person has logged in with it; return the response."""
    known, name = _known_browser(request), _name_hash(person.username)
    names = [*(other for other in known["names"] if other != name), name][-MOST_NAMES:]
    response.set_cookie(
        BROWSER_COOKIE,
        signing.dumps({**known, "names": names}, salt=BROWSER_SALT),
        max_age=BROWSER_LASTS_S,
        httponly=True,
        secure=settings.SESSION_COOKIE_SECURE,
        samesite="Lax",
    )
    return response


def _buckets(name: str | None, address: str, browser: str | None) -> tuple[list[Bucket], list[Bucket]]:
    """Return what the attempt counts for: its own, which a success empties, and what it shares with others."""
    here = _growing("log-in, here", settings.LOGIN_ATTEMPTS, QUARTERS_OF_A_NAME)
    if browser is not None and name is not None:
        return [limit.of(_who(name), browser) for limit in here], []
    of_name = _growing("log-in, name", settings.LOGIN_ATTEMPTS_NAME, QUARTERS_OF_A_NAME)
    of_address = _growing("log-in, address", settings.LOGIN_ATTEMPTS_ADDRESS, QUARTERS_OF_AN_ADDRESS)
    of_all = Limit(name="log-in, all", most=settings.LOGIN_ATTEMPTS_ALL, within=QUARTER)
    shared = [*(limit.of(f"address {address}") for limit in of_address), of_all.of("all")]
    if name is None:
        return [], shared
    return (
        [limit.of(_who(name), address) for limit in here],
        [*(limit.of(_who(name)) for limit in of_name), *shared],
    )


def _counts_in_name_of(person: Person) -> QuerySet[LimitCount]:
    return LimitCount.objects.filter(who=keyed_hash(_who(Person.normalize_username(person.username))))


def _who(name: str) -> str:
    return f"name {name}"


def _growing(name: str, most: int, quarters: int) -> list[Limit]:
    return [
        Limit(name=name, most=most, within=QUARTER),
        Limit(name=f"{name}, a day", most=most * quarters, within=DAY),
    ]


def _known_browser(request: HttpRequest) -> dict[str, Any]:
    """Return what the cookie says; of one that is none of ours, nothing."""
    try:
        return signing.loads(
            request.COOKIES.get(BROWSER_COOKIE, ""), salt=BROWSER_SALT, max_age=BROWSER_LASTS_S
        )
    except (signing.BadSignature, ValueError, UnicodeError):
        return {"browser": secrets.token_urlsafe(12), "names": []}


def _name_hash(name: str) -> str:
    return keyed_hash("known browser", Person.normalize_username(name))
