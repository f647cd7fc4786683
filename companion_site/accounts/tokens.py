"""API tokens: what lets a program open one sealed space and act there in its owner's name, within its scopes.

A token is a key slot: lost, it loses nothing; revoked, it opens nothing. Its text is shown once and kept nowhere.
"""

import binascii
import re
from base64 import urlsafe_b64decode, urlsafe_b64encode
from collections.abc import Collection, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime, timedelta
from uuid import UUID

from django.db import models
from django.utils.translation import gettext_lazy as _

from companion_site.accounts.errors import BadToken, TooManyTokens
from companion_site.accounts.models import ApiToken, Person
from companion_site.audit.services import record_event
from companion_site.errors import InvalidInput, SpaceLocked, WrongKey
from companion_site.vault.boxes import SpaceKey
from companion_site.vault.grants import Authority, Grant, granted
from companion_site.vault.models import KeySlot, Space
from companion_site.vault.rows import unexpired
from companion_site.vault.scope import space_scope, write_scope
from companion_site.vault.services import add_token_slot, resume_work, unlock_by_token

PREFIX = "cmp_"
SHAPE = re.compile(r"cmp_[A-Za-z0-9_-]{86}")
ID_BYTES = 16
#: how many tokens of a space may stand at once
MOST = 20
#: use is noted, and recorded, once in so long
NOTED_EVERY = timedelta(hours=1)


class Scope(models.TextChoices):
    """What a token may be used for."""

    CHAT = "chat", _("Conversations: read and write")
    MEMORY_READ = "memory:read", _("Memory: read")
    MEMORY_WRITE = "memory:write", _("Memory: write")
    LEDGER = "ledger", _("Ledger: read and write")
    MAP = "map", _("Map: read and write")
    COMPANY = "company", _("Company memory: read and write")
    AUDIT = "audit", _("Audit trail: read")
    PACKS = "packs", _("Knowledge packs: read and import")
    AGENT = "agent", _("Agent's memory: read and write")


@dataclass(frozen=True)
class Bearer:
    """Who a token stands for: the person, the space it opens, and its key."""

    token: ApiToken
    person: Person
    space: Space
    key: SpaceKey

    def may(self, scope: str) -> bool:
        return scope in self.token.scopes

    @property
    def authority(self) -> "TokenAuthority":
        return TokenAuthority(self.space.pk, self.token.pk)


@dataclass(frozen=True)
class TokenAuthority(Authority):
    """What a program acts by: a token that was not taken back, of a person who is active in the role they had."""

    space: UUID
    token: UUID

    @classmethod
    def standing(cls, asked: "Collection[TokenAuthority]", *, now: datetime) -> "set[TokenAuthority]":
        # Across spaces, so by the role that sees metadata; whose they are is asked of the spaces.
        rows = _unrevoked(ApiToken.objects.using("metadata"), now=now)
        rows = rows.filter(pk__in={one.token for one in asked})
        spaces = Space.objects.filter(
            pk__in={one.space for one in asked}, closed_at__isnull=True, owner__is_active=True
        )
        roles = dict(spaces.values_list("pk", "owner__role"))
        return {
            cls(space, token)
            for space, token, role in rows.values_list("space_id", "pk", "role")
            if role == roles.get(space)
        }


@contextmanager
def granted_to(authority: TokenAuthority) -> Iterator[Grant]:
    """Open the grant of a program for the length of the block, which works under it.

    Raises:
        BadToken: the token was taken back meanwhile, or its person shut out; what was done last is not kept.
    """
    with granted(authority, authority.space) as grant:
        try:
            yield grant
        except SpaceLocked:
            if grant.ended:
                raise BadToken() from None
            raise
        if grant.ended:
            raise BadToken()


def issue_token(
    key: SpaceKey,
    *,
    name: str,
    scopes: Collection[str],
    actor: Person,
    now: datetime,
    expires_at: datetime | None = None,
) -> tuple[ApiToken, str]:
    """Make a token for the space that `key` opens; return its row and its text, which is shown once.

    Raises:
        InvalidInput: no name, no scope or one there is not, an expiry that has passed. TooManyTokens.
    """
    name = " ".join(name.split())[:100]
    known = [scope for scope in Scope.values if scope in scopes]
    if not name or not known or len(known) != len(set(scopes)) or (expires_at and expires_at <= now):
        raise InvalidInput()
    with write_scope(key.space):
        if _standing(key.space, now=now).count() >= MOST:
            raise TooManyTokens()
        slot, secret = add_token_slot(key, now=now, expires_at=expires_at)
        token = ApiToken.objects.create(
            space_id=key.space,
            name=name,
            slot_id=slot.pk,
            role=actor.role,
            scopes=known,
            created_at=now,
            expires_at=expires_at,
        )
        record_event(
            "accounts.token_issued",
            chain=key.space,
            actor=actor,
            subject=token,
            data={"scopes": known},
            now=now,
        )
    packed = urlsafe_b64encode(key.space.bytes + token.pk.bytes + secret).decode().rstrip("=")
    return token, PREFIX + packed


def list_tokens(space: UUID, *, now: datetime) -> Sequence[ApiToken]:
    """Return the tokens of a space that stand, the newest first; needs no key."""
    with space_scope(space):
        return list(_standing(space, now=now))


def show_tokens(space: UUID, *, now: datetime) -> list[dict[str, object]]:
    """Return them as a page lists them, each with what its scopes are called."""
    return [
        {"row": row, "scopes": [Scope(scope).label for scope in row.scopes if scope in Scope.values]}
        for row in list_tokens(space, now=now)
    ]


def revoke_token(space: UUID, token: UUID, *, actor: models.Model | None, now: datetime) -> None:
    """Take a token back: at once it opens nothing. Revoked twice, it stays so.

    Raises:
        NotFound: the space has no such token.
    """
    with write_scope(space):
        row = ApiToken.objects.for_space(space).find(pk=token)
        if row.revoked_at is not None:
            return
        if row.slot_id is not None:
            KeySlot.objects.for_space(space).filter(pk=row.slot_id).delete()
        row.revoked_at, row.slot_id = now, None
        row.save(update_fields=["revoked_at", "slot_id"])
        record_event("accounts.token_revoked", chain=space, actor=actor, subject=row, now=now)


def revoke_tokens(person: Person, *, actor: models.Model | None, now: datetime) -> None:
    """Take back every token of a person's own spaces: theirs and their agents'."""
    for space in Space.objects.filter(owner=person, sealed=True).values_list("pk", flat=True):
        for token in list_tokens(space, now=now):
            revoke_token(space, token.pk, actor=actor, now=now)


def authenticate_token(text: str, *, now: datetime) -> Bearer:
    """Return who a token stands for.

    Raises:
        BadToken: it is none, is revoked or has expired, or its person cannot log in any more. Which of it is not told.
    """
    space_id, token_id, secret = _unpack(text)
    with space_scope(space_id):
        rows = _standing(space_id, now=now).select_related("space__owner")
        token = rows.filter(pk=token_id, space__closed_at__isnull=True, space__owner__is_active=True).first()
        owner = None if token is None else token.space.owner
        if token is None or owner is None or token.slot_id is None or token.role != owner.role:
            raise BadToken()
        try:
            key = unlock_by_token(space_id, token.slot_id, secret, now=now)
        except (WrongKey, SpaceLocked):
            raise BadToken() from None
        if token.last_used_at is None or now - token.last_used_at >= NOTED_EVERY:
            ApiToken.objects.for_space(space_id).filter(pk=token.pk).update(last_used_at=now)
            record_event("accounts.token_used", chain=space_id, actor=owner, subject=token, now=now)
    if token.space.awaiting_key_since is not None:
        # As by a log-in: what waits for the key gets going, whichever way the program came.
        resume_work(key, now=now)
    return Bearer(token, owner, token.space, key)


def _standing(space: UUID, *, now: datetime) -> models.QuerySet[ApiToken]:
    return _unrevoked(ApiToken.objects.for_space(space), now=now)


def _unrevoked(rows: models.QuerySet[ApiToken], *, now: datetime) -> models.QuerySet[ApiToken]:
    return rows.filter(unexpired(now), revoked_at__isnull=True)


def _unpack(text: str) -> tuple[UUID, UUID, bytes]:
    if not SHAPE.fullmatch(text):
        raise BadToken()
    try:
        raw = urlsafe_b64decode(text.removeprefix(PREFIX) + "==")
    except (ValueError, binascii.Error):
        raise BadToken() from None
    return UUID(bytes=raw[:ID_BYTES]), UUID(bytes=raw[ID_BYTES : 2 * ID_BYTES]), raw[2 * ID_BYTES :]
