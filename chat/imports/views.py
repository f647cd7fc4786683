"""The pages of imports: choose a file, see how far it is and what is in it, say yes or no, remove all of it. Each works without scripts.

With scripts a file comes in pieces, of any size that may be; without, whole in one form, as large as stays in memory.
"""

from collections.abc import Callable
from typing import Any
from uuid import UUID

from django.conf import settings
from django.contrib import messages
from django.http import HttpResponse, JsonResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext
from django.views.decorators.http import require_GET, require_POST

from chat.access import ChatAccess, personal_chat_access
from chat.conversations.deletion import KEPT
from chat.imports import uploads, work
from chat.imports.preview import Preview
from chat.imports.uploads import State, own_import
from chat.models import Import, Message
from companion_site.accounts.requests import PersonRequest
from companion_site.errors import InvalidInput
from companion_site.http import form_page
from companion_site.vault.scope import space_scope
from memory.student.pages.runs import Waiting

LISTED = 50


def _present(access: ChatAccess, row: Import) -> dict[str, Any]:
    """Return an import as its page shows it; `waiting` tells how far work on it is."""
    with access.open():
        preview = Preview.model_validate(row.preview or {})
    return {
        "row": row,
        "preview": preview,
        "waiting": _waiting(access, row, said=preview.said),
        "can_come_back": row.removed_at is not None and row.removed_at > timezone.now() - KEPT,
    }


def _waiting(access: ChatAccess, row: Import, *, said: int) -> Waiting | None:
    """Return how far work is, None where none is going on."""
    done, total = row.done, row.total
    if row.state == State.READING:
        found = ngettext("One conversation found", "%(n)d conversations found", done) % {"n": done}
        return _told(row, _("Your file is being read"), found, 0)
    if row.state == State.KEEPING:
        return _told(row, _("Your conversations are being kept"), _("Kept"), _percent(done, total))
    if row.state in (State.REMOVING, State.RESTORING):
        return _told(row, str(row.get_state_display()), _("A moment"), 0)
    if row.state != State.KEPT:
        return None
    with space_scope(access.space):
        rows = Message.objects.for_space(access.space).awaiting_formation()
        left = rows.filter(conversation__brought_by=row).count()
    title, label = _("Your companion is remembering what you said"), _("Remembered")
    return _told(row, title, label, _percent(said - left, said)) if left else None


def _told(row: Import, title: str, label: str, percent: int) -> Waiting:
    return Waiting(
        title=title,
        label=label,
        percent=percent,
        is_open=True,
        state_url=reverse("chat:import_state", args=[row.pk]),
        done_url=reverse("chat:import", args=[row.pk]),
    )


def _percent(done: int, total: int) -> int:
    return max(0, min(99, 100 * done // total)) if total else 0


DIGITS = 12
#: What a person may have done with what was read, and what is said then.
CHANGES: dict[str, tuple[Callable[..., None], Any]] = {
    "keep": (work.keep, None),
    "remove": (
        work.remove,
        gettext_lazy("Removed: its conversations, and what was remembered from them."),
    ),
    "restore": (work.restore, gettext_lazy("It is coming back.")),
}


@form_page
def imports(request: PersonRequest) -> HttpResponse:
    """List the person's imports and take in another, whole in one form."""
    access = _access(request)
    if request.method == "POST":
        files = request.FILES.getlist("files")
        announced = [(file.name or "", file.size or 0) for file in files]
        try:
            row = uploads.begin(access, announced, now=timezone.now())
            for number, file in enumerate(files):
                uploads.take_file(access, row, number, file)
            work.finish_upload(access, row.pk, now=timezone.now())
        except InvalidInput as refused:
            messages.error(request, str(refused))
            return redirect("chat:imports")
        return redirect("chat:import", row.pk)
    with space_scope(access.space):
        own = Import.objects.for_space(access.space).filter(author_id=access.person.pk)
        context = {"imports": list(own[:LISTED]), "most_mb": settings.FILE_UPLOAD_MAX_MEMORY_SIZE // 2**20}
    return render(request, "chat/imports/imports.html", context)


@require_POST
def begin(request: PersonRequest) -> HttpResponse:
    """Begin an upload in pieces; answer with where they go."""
    sizes = request.POST.getlist("size")
    if not all(size.isascii() and size.isdigit() and len(size) <= DIGITS for size in sizes):
        raise InvalidInput()
    names = request.POST.getlist("name")
    announced = [(name, int(size)) for name, size in zip(names, sizes, strict=False)]
    row = uploads.begin(_access(request), announced, now=timezone.now())
    place = reverse("chat:import", args=[row.pk])
    return JsonResponse({"page": place, "pieces": f"{place}pieces/", "piece_bytes": uploads.PIECE_BYTES})


@require_POST
def piece(request: PersonRequest, import_id: UUID, file: int, number: int) -> HttpResponse:
    """Take one piece of a file, the body of the request."""
    uploads.take_piece(_access(request), import_id, file=file, number=number, content=request.body)
    return HttpResponse(status=204)


@require_POST
def finish(request: PersonRequest, import_id: UUID) -> HttpResponse:
    """Have an upload read whose pieces are all there."""
    work.finish_upload(_access(request), import_id, now=timezone.now())
    return HttpResponse(status=204)


@form_page
def one(request: PersonRequest, import_id: UUID) -> HttpResponse:
    """Show one import: how far it is, or what is in it; or do with it what its person says."""
    access, now = _access(request), timezone.now()
    if request.method == "POST":
        do = request.POST.get("do", "")
        if do == "discard":
            work.discard(access, import_id)
            messages.success(request, _("Thrown away. Nothing of it is kept."))
            return redirect("chat:imports")
        if do not in CHANGES:
            raise InvalidInput()
        change, told = CHANGES[do]
        change(access, import_id, now=now)
        if told:
            messages.success(request, told)
        return redirect("chat:import", import_id)
    return render(request, "chat/imports/import.html", _present(access, own_import(access, import_id)))


@require_GET
def state(request: PersonRequest, import_id: UUID) -> HttpResponse:
    """Tell how far an import is, for the page that waits for it."""
    access = _access(request)
    waiting = _present(access, own_import(access, import_id))["waiting"]
    if waiting is None:
        return JsonResponse({"open": False, "percent": 100, "label": ""})
    return JsonResponse({"open": True, "percent": waiting.percent, "label": waiting.label})


def _access(request: PersonRequest) -> ChatAccess:
    """Return where a student chats; a company's memory takes no imports."""
    return personal_chat_access(request.user, request.space_key)
