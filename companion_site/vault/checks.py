"""Checks that the database holds the promises made of it."""

from django.conf import settings
from django.core.checks import Error, Tags, register
from django.db import connections

from companion_site.vault.keystore import get_key_store

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
