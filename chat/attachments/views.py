"""Attaching a file, throwing it away again, and showing it."""

from uuid import UUID

from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.http import content_disposition_header
from django.views.decorators.http import require_POST, require_safe

from chat.access import access_of
from chat.attachments import store
from chat.attachments.files import TEXT_TYPE, CheckedFile
from chat.conversations.properties import keep_draft
from companion_site.accounts.requests import PersonRequest
from companion_site.errors import InvalidInput

#: What a browser may do with an attachment that it shows by itself: its own frame around a picture has a style.
POLICY = "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'; sandbox"


@require_POST
def add(request: PersonRequest, conversation_id: UUID) -> HttpResponse:
    """Keep one file until its message is sent; answer with how it stands in the message box, or why it does not."""
    access, file = access_of(request), request.FILES.get("file")
    if file is None:
        raise InvalidInput()
    row = store.add(access, conversation_id, name=file.name or "", content=file.read(), now=timezone.now())
    with access.open():
        return render(request, "chat/_attached.html", {"attachment": row}, status=201)


@require_POST
def remove(request: PersonRequest, conversation_id: UUID, attachment_id: UUID) -> HttpResponse:
    """Throw away what waits to be sent; without scripts, what is typed stays in the box."""
    access = access_of(request)
    if "text" in request.POST:
        keep_draft(access, conversation_id, text=request.POST["text"])
    store.remove(access, attachment_id)
    return redirect("chat:conversation", conversation_id)


@require_safe
def show(request: PersonRequest, attachment_id: UUID) -> HttpResponse:
    """Show one attachment by itself: pixels that were made here, or plain text, kept by no cache."""
    return show_opened(store.open_attachment(access_of(request), attachment_id))


def show_opened(opened: CheckedFile, *, kind: str = "") -> HttpResponse:
    """Return what an attachment holds as an answer that is nothing else: no page, no program, kept by nobody on the way.

    Args:
        kind: another content type than its own.
    """
    charset = "; charset=utf-8" if opened.media_type == TEXT_TYPE else ""
    headers = {
        "Content-Disposition": content_disposition_header(False, opened.name) or "inline",
        "Content-Security-Policy": POLICY,
        "X-Content-Type-Options": "nosniff",
        "Cross-Origin-Resource-Policy": "same-origin",
    }
    return HttpResponse(opened.content, content_type=kind or opened.media_type + charset, headers=headers)
