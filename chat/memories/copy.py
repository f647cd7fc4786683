"""Taking one's whole memory along: the copy itself (memory/student/copies), with the words of the messages that it came from, and its page."""

from collections.abc import Callable, Iterator, Mapping
from datetime import datetime
from functools import partial
from typing import Any

from django.conf import settings
from django.contrib import messages
from django.http import HttpResponse, HttpResponseBase
from django.shortcuts import redirect
from django.utils import timezone, translation
from django.utils.translation import gettext as _
from django.views.decorators.http import require_GET

from chat.conversations.export import in_language
from chat.memories.passages import read_quotes
from chat.models import Conversation
from companion_site.accounts.access import Access, student_access, student_form
from companion_site.accounts.requests import PersonRequest
from companion_site.audit.services import record_event
from companion_site.errors import InvalidInput
from companion_site.http import stream_file
from companion_site.vault.scope import space_scope
from memory.packs.mounts import mounted
from memory.student.copies.exporter import Original, write_json, write_markdown
from memory.student.copies.importer import CopyRefused, take_in
from memory.student.pages.navigation import render_page

WRITERS: Mapping[str, tuple[str, str, Callable[[Original], Iterator[str]]]] = {
    "json": ("json", "application/json", write_json),
    "markdown": ("md", "text/markdown; charset=utf-8", write_markdown),
}


def begin_copy(access: Access, *, form: str, now: datetime) -> tuple[str, str, Iterator[str]]:
    """Put a copy on record; return the file's name, its type, and its pieces, which are read as they are taken.

    Args:
        form: "json" or "markdown".
    """
    ending, content_type, write = WRITERS[form]
    with space_scope(access.space):
        record_event("memory.copied", chain=access.space, actor=access.person, data={"form": form}, now=now)
    copied = Original(
        space=access.space,
        key=access.key,
        at=now,
        quotes=partial(read_quotes, access.space),
        references={
            "conversations": partial(_conversations, access),
            "packs": partial(_packs, access),
        },
    )
    name = f"memory-{timezone.localtime(now):%Y-%m-%d}.{ending}"
    return name, content_type, in_language(write(copied), translation.get_language())


def _conversations(access: Access) -> list[dict[str, Any]]:
    with space_scope(access.space), access.open():
        rows = Conversation.objects.for_space(access.space).of_author(access.person).order_by("pk")
        return [{"id": row.pk, "title": row.title or "", "begun_at": row.created_at} for row in rows]


def _packs(access: Access) -> list[dict[str, Any]]:
    with access.open():
        packs = mounted(access.space)
    return [{"id": pack.key, "name": pack.name, "version": pack.pack_version} for pack in packs]


@student_form
def copy(request: PersonRequest, access: Access) -> HttpResponse:
    """Say what a copy holds, and take one in."""
    context = {"most_mb": settings.COPY_MAX_BYTES // 2**20}
    if request.method != "POST":
        return render_page(request, access, "copy", context)
    try:
        if (file := request.FILES.get("file")) is None:
            raise CopyRefused(why="unreadable")
        raw = file.read(settings.COPY_MAX_BYTES + 1)
        taken = take_in(access.key, raw, now=timezone.now(), actor=access.person)
    except InvalidInput as refused:
        return render_page(request, access, "copy", {**context, "refused": refused.message}, status=400)
    messages.success(
        request,
        _("Taken in: %(new)s entries are new, %(known)s were here already.")
        % {"new": taken.new, "known": taken.known},
    )
    return redirect("chat:memory_copy")


@require_GET
def save(request: PersonRequest) -> HttpResponseBase:
    """Answer with the person's whole memory as a file, `?as=json` or `?as=markdown`."""
    access = student_access(request.user, request.space_key)
    if (form := request.GET.get("as", "")) not in WRITERS:
        raise InvalidInput()
    name, content_type, pieces = begin_copy(access, form=form, now=timezone.now())
    return stream_file(request, pieces, name=name, content_type=content_type)
