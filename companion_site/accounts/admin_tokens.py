"""API tokens in the admin: who let what in, for what; never what opens a space."""

from django.contrib import admin

from companion_site.accounts.models import ApiToken
from companion_site.vault.admin_rows import SpaceRowAdmin


@admin.register(ApiToken)
class ApiTokenAdmin(SpaceRowAdmin):
    columns = ("space", "name", "created_at", "expires_at", "last_used_at", "revoked_at")
