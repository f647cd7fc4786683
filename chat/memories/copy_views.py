"""The page on which one takes one's whole memory along, and has a copy taken in."""

from django.conf import settings
from django.contrib import messages
from django.http import HttpResponse, HttpResponseBase
from django.shortcuts import redirect
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_GET, require_http_methods

from chat.memories.copy import WRITERS, begin_copy
from companion_site.accounts.requests import PersonRequest
from companion_site.errors import InvalidInput
from companion_site.http import stream_file
from memory.student.copies.importer import NoCopy, take_in
from memory.student.pages.access import MemoryAccess, memory_access, memory_page
from memory.student.pages.navigation import render_page


@require_http_methods(["GET", "HEAD", "POST"])
@memory_page
def copy(request: PersonRequest, access: MemoryAccess) -> HttpResponse:
    """Say what a copy holds, and take one in."""
    context = {"most_mb": settings.COPY_MAX_BYTES // 2**20}
    if request.method != "POST":
        return render_page(request, access, "copy", context)
    try:
        if (file := request.FILES.get("file")) is None:
            raise NoCopy()
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


@never_cache
@require_GET
def save(request: PersonRequest) -> HttpResponseBase:
    """Answer with the person's whole memory as a file, `?as=json` or `?as=markdown`."""
    access = memory_access(request.user, request.space_key)
    if (form := request.GET.get("as", "")) not in WRITERS:
        raise InvalidInput()
    name, content_type, pieces = begin_copy(access, form=form, now=timezone.now())
    return stream_file(request, pieces, name=name, content_type=content_type)
