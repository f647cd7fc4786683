"""Calls to language models in the admin: who answered, how fast, at what cost in tokens."""

from django.contrib import admin

from companion_site.administration.history import HistoryAdmin
from companion_site.llm.models import LlmCall

TOKENS = ("input_tokens", "output_tokens", "cached_tokens")
admin.site.register(
    LlmCall,
    HistoryAdmin,
    columns=("at", "role", "purpose", "outcome", *TOKENS, "first_token_ms", "duration_ms"),
    list_filter=("outcome", "role"),
)
