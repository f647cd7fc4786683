"""Log-ins: kept as rows that know their person, listed, ended, and asked whether they still hold.

The settings name this module as the session engine. A log-in holds while its row is there, has not been idle for too long, and
its person is active with the password, role, school and company they logged in with: one condition of one query, the same for
pages, sockets and what runs under them.
"""

from collections.abc import Collection
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any, cast
from uuid import UUID

from django.conf import settings
from django.contrib.auth import SESSION_KEY, update_session_auth_hash
from django.contrib.sessions.backends.db import SessionStore as DatabaseStore
from django.db import models, transaction
from django.http import HttpRequest
from django.utils import timezone

from companion_site.accounts.models import ApiToken, Person, Session
from companion_site.audit.services import record_event
from companion_site.errors import NotFound
from companion_site.vault.grants import Authority, current_grant
from companion_site.vault.models import KeySlot, Space
from companion_site.vault.rows import unexpired

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


@dataclass(frozen=True)
class LogIn(Authority):
    """The authority of whoever is logged in: a session, by its key."""

    key: str

    @classmethod
    def standing(cls, asked: "Collection[LogIn]", *, now: datetime) -> "set[LogIn]":
        keys = [login.key for login in asked]
        rows = Session.objects.standing(now=now).filter(session_key__in=keys)
        return {cls(key) for key in rows.values_list("session_key", flat=True)}


class SessionStore(DatabaseStore):
    """Django's sessions in the database, each with its person, and none that does not hold any more."""

    _row: Session | None = None

    @classmethod
    def get_model_class(cls) -> type[Session]:
        return Session

    @classmethod
    def clear_expired(cls) -> None:
        """Delete every session that nobody can use any more, with the half of a key that it holds."""
        usable = Session.objects.usable(now=timezone.now()).values("pk")
        Session.objects.exclude(pk__in=usable).delete()

    def load(self) -> dict[str, Any]:
        return self._opened(self._rows().first())

    async def aload(self) -> dict[str, Any]:
        return self._opened(await self._rows().afirst())

    def create_model_instance(self, data: dict[str, Any]) -> Session:
        key = self._get_or_create_session_key()  # type: ignore[attr-defined]  # the stubs lack it
        return self._filled(key, data, self.get_expiry_date())

    async def acreate_model_instance(self, data: dict[str, Any]) -> Session:
        key = await self._aget_or_create_session_key()  # type: ignore[attr-defined]  # the stubs lack it
        return self._filled(key, data, await self.aget_expiry_date())

    def delete(self, session_key: str | None = None) -> None:
        key = session_key or self.session_key
        grant = current_grant()
        if grant is not None and key is not None and grant.authority == LogIn(key):
            grant.let_go()  # this request ends or replaces its own log-in
        super().delete(session_key)

    def belong_to(self, person: Person, *, browser: str, started_at: datetime) -> None:
        """Make this the log-in of a person as they are now, at once; called where they have just proved who they are."""
        if self.session_key is None:
            self.create()
        row = self._row_of(cast(str, self.session_key))
        row.person_id, row.authority = person.pk, person.authority
        row.browser, row.started_at = browser, started_at
        self.save()

    @property
    def row(self) -> Session:
        """The row of a session that was loaded or saved."""
        if self._row is None:
            raise LookupError("this session has no row yet")
        return self._row

    def _rows(self) -> models.QuerySet[Session]:
        return Session.objects.filter(session_key=self.session_key).usable(now=timezone.now())

    def _opened(self, row: Session | None) -> dict[str, Any]:
        data = {} if row is None else self.decode(row.session_data)
        if row is None or (SESSION_KEY in data and str(row.person_id) != data[SESSION_KEY]):
            self._session_key = None
            return {}
        self._row = row
        return data

    def _row_of(self, key: str) -> Session:
        if self._row is None or self._row.session_key != key:
            self._row = Session(session_key=key)
        return self._row

    def _filled(self, key: str, data: dict[str, Any], expires: datetime) -> Session:
        """Return the session's row with new data; who it belongs to stays as it is."""
        row = self._row_of(key)
        row.session_data, row.expire_date = self.encode(data), expires
        return row


def name_browser(user_agent: str) -> str:
    """Return browser and system, such as "Firefox, Windows"; what is not known is left out, and nothing else is kept."""
    found = (
        next((name for mark, name in marks if mark in user_agent), "") for marks in (_BROWSERS, _SYSTEMS)
    )
    return ", ".join(filter(None, found))


def note_log_in(*, request: HttpRequest, user: Person, **kwargs: Any) -> None:
    """Have the session that a log-in has just begun know its person; Django sends word of each."""
    browser = name_browser(request.headers.get("User-Agent", ""))
    _store(request).belong_to(user, browser=browser, started_at=timezone.now())


def keep_log_in(request: HttpRequest, person: Person) -> None:
    """Have this browser stay logged in after its person changed what log-ins rest on, under a new key.

    What was opened under the old key ends, as everything that others opened does; an open page comes back by itself.
    """
    before = _store(request).row
    update_session_auth_hash(request, person)
    _store(request).belong_to(person, browser=before.browser, started_at=before.started_at)


def renew(session_key: str | None, *, now: datetime) -> bool:
    """Start the idle time of a log-in again; False where it does not hold any more."""
    standing = Session.objects.standing(now=now).filter(session_key=session_key)
    return bool(standing.update(expire_date=now + timedelta(seconds=settings.SESSION_COOKIE_AGE)))


def log_ins_context(request: HttpRequest) -> dict[str, Any]:
    """Return what the account page shows of where its person is logged in, the latest first."""
    person = cast(Person, request.user)
    rows = Session.objects.filter(person=person).standing(now=timezone.now()).defer("session_data")
    return {"log_ins": rows, "this_log_in": _store(request).row.id}


def end_log_in(person: Person, log_in: UUID, *, now: datetime, actor: models.Model) -> None:
    """Log a person out in one browser.

    Raises:
        NotFound: they are not logged in there, or it is somebody else's.
    """
    with transaction.atomic():
        deleted, _ = Session.objects.filter(person=person, id=log_in).delete()
        if not deleted:
            raise NotFound()
        record_event("accounts.log_in_ended", actor=actor, subject=person, now=now)


def end_log_ins(person: Person, *, now: datetime, actor: models.Model | None, but: str | None = None) -> None:
    """Log a person out everywhere, `but` in the session of that key."""
    with transaction.atomic():
        deleted, _ = Session.objects.filter(person=person).exclude(session_key=but or "").delete()
        if deleted:
            record_event(
                "accounts.log_ins_ended", actor=actor, subject=person, data={"count": deleted}, now=now
            )


def spaces_without_standing(spaces: Collection[UUID], *, now: datetime) -> set[UUID]:
    """Return those sealed spaces among some that nothing opens any more, so that nothing of them need be held.

    Open spaces are none of them, nor are ids of anything else.
    """
    sealed = Space.objects.filter(pk__in=spaces, sealed=True)
    owners = Person.objects.filter(pk__in=Session.objects.standing(now=now).values("person"))
    asleep = set(sealed.exclude(owner__in=owners, closed_at__isnull=True).values_list("pk", flat=True))
    if not asleep:
        return set()
    active = set(
        sealed.filter(pk__in=asleep, owner__is_active=True, closed_at__isnull=True).values_list(
            "pk", flat=True
        )
    )
    lasting = unexpired(now)
    # Across spaces, so by the role that sees no more than kinds and times.
    tokens = ApiToken.objects.using("metadata").filter(lasting, space_id__in=active, revoked_at__isnull=True)
    leases = KeySlot.objects.using("metadata").filter(lasting, space_id__in=active, kind=KeySlot.Kind.LEASE)
    opened = {*tokens.values_list("space_id", flat=True), *leases.values_list("space_id", flat=True)}
    return asleep - opened


def _store(request: HttpRequest) -> SessionStore:
    return cast(SessionStore, request.session)
