"""Kept answers in the admin: that there are some, never what they say."""

from django.contrib import admin

from companion_site.api.models import KeptAnswer
from companion_site.vault.admin import SpaceRowAdmin

admin.site.register(KeptAnswer, SpaceRowAdmin, columns=("space", "token_id", "status", "begun_at"))
