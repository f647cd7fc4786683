"""Checks that the database holds the promises made of it."""

from django.conf import settings
from django.core.checks import Error, Tags, register
from django.db import connections

from companion_site.vault.keystore import get_key_store
from companion_site.vault.slots import current_parameters

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
def log_in_costs_no_less_than_the_vault(app_configs=None, **kwargs):
    """A stored log-in hash must not be the cheaper way to a password."""
    vault, log_in = current_parameters(), settings.LOGIN_ARGON2
    if log_in["memory_cost"] < vault["memory_cost"] or log_in["iterations"] < vault["iterations"]:
        return [Error("Log-in hashing is cheaper than the vault's derivation.", id="vault.E002")]
    return []


@register(Tags.security)
def key_store_exists(app_configs=None, **kwargs):
    """Keys must have a place before the first person is made."""
    try:
        get_key_store()
    except (ImportError, TypeError):
        return [Error(f"KEY_STORE={settings.KEY_STORE} names no key store.", id="vault.E003")]
    return []
