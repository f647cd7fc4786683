"""The way to take a conversation along as a file."""

from uuid import UUID

from django.http import HttpResponseBase
from django.utils import timezone
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_GET

from chat.access import chat_access, own_conversation
from chat.exporting import CONTENT_TYPES, begin_export
from companion_site.accounts.requests import PersonRequest
from companion_site.errors import InvalidInput
from companion_site.streaming import stream_file


@never_cache
@require_GET
def export(request: PersonRequest, conversation_id: UUID) -> HttpResponseBase:
    """Answer with a conversation of the person's own as a file, `?as=markdown` or `?as=json`."""
    access = chat_access(request.user, request.space_key)
    row = own_conversation(access, conversation_id)
    form = request.GET.get("as", "")
    if form not in CONTENT_TYPES:
        raise InvalidInput()
    name, pieces = begin_export(access, row, form=form, now=timezone.now())
    return stream_file(request, pieces, name=name, content_type=CONTENT_TYPES[form])
