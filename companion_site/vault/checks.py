"""Checks that the database holds the promises made of it, and that the key store is the one that its memories are sealed with.

A site that is started without its keys must not make new ones: people who are made then would be sealed under another salt, and
the right keys could not be put back beside them.
"""

from uuid import UUID

from django.conf import settings
from django.core.checks import Error, Tags, register
from django.db import connections, models

from companion_site.errors import SpaceLocked
from companion_site.vault.keystore import get_key_store
from companion_site.vault.models import Space

#: Of so many spaces the keys are looked for, where it is asked often.
ASKED = 5
ROLE_QUERY = "SELECT rolsuper OR rolbypassrls FROM pg_roles WHERE rolname = current_user"


@register(Tags.database)
def site_role_is_bound(app_configs=None, databases=None, **kwargs):
    """The roles that the site works with must not get round row-level security."""
    errors = []
    for alias in {"default", "metadata"} & set(databases or ()):
        with connections[alias].cursor() as cursor:
            cursor.execute(ROLE_QUERY)
            (unbound,) = cursor.fetchone()
        if unbound:
            errors.append(
                Error(
                    f"The database role of '{alias}' bypasses row-level security.",
                    hint="Use a role that is neither a superuser nor BYPASSRLS: docs/settings.md.",
                    id="vault.E001",
                )
            )
    return errors


@register(Tags.security)
def key_store_exists(app_configs=None, **kwargs):
    """Keys must have a place before the first person is made."""
    try:
        get_key_store()
    except (ImportError, TypeError):
        return [Error(f"KEY_STORE={settings.KEY_STORE} names no key store.", id="vault.E003")]
    return []


def what_is_missing() -> str:
    """Return in one line what is wrong with the key store as a whole; nothing where it is this database's.

    Asks for the keys of the oldest spaces, so that it can be asked often: people who are made meanwhile have theirs. Of several,
    since one may have been erased after the copy of the database was made.
    """
    oldest = list(_standing()[:ASKED])
    if not oldest:
        return ""
    place = settings.KEY_STORE_DIR
    if get_key_store().is_empty():
        return f"KEY_STORE_DIR={place} holds no keys, and the database holds memories sealed with some: put them back."
    if not any(_has_key(space.pk) for space in oldest):
        return f"KEY_STORE_DIR={place} holds other keys than the database's memories are sealed with: put those back."
    return ""


def find_missing() -> tuple[int, list[UUID]]:
    """Look for the key of every sealed space that stands; return how many stand, and which of them have no key here."""
    spaces = list(_standing().values_list("pk", flat=True))
    return len(spaces), [space for space in spaces if not _has_key(space)]


def key_is_missing(space: Space) -> bool:
    """Tell a memory that is locked because this site has lost its key from one that waits for its person."""
    return space.closed_at is None and not _has_key(space.pk)


def _standing() -> models.QuerySet[Space]:
    return Space.objects.filter(sealed=True, closed_at=None).order_by("pk")


def _has_key(space: UUID) -> bool:
    try:
        get_key_store().erasure_key(space)
    except SpaceLocked:
        return False
    return True
