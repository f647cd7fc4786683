"""The pages of what is known about a person, of single memories and of their history: parse, authorise, call a service, render."""

from uuid import UUID

from django import forms
from django.conf import settings
from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_POST, require_safe

from companion_site.accounts.access import Access
from companion_site.accounts.requests import PersonRequest
from companion_site.embeddings.service import get_embedder
from memory.student import corrections
from memory.student.corrections import LONGEST
from memory.student.pages.about_me import hubs_of, present_facts
from memory.student.pages.access import memory_page
from memory.student.pages.addresses import read_id, way_back, with_given, without
from memory.student.pages.changes import recent_changes
from memory.student.pages.filters import CATEGORIES
from memory.student.pages.graph_page import present_graph
from memory.student.pages.navigation import refusals_on, render_page
from memory.student.pages.one_memory import page_of_memories, present_memory, show_moments
from memory.student.pages.runs import plan_of
from memory.student.pages.tiers import MOST_SHOWN, present_held

#: So many changes stand above the timeline; all of them have a page of their own.
MOST_CHANGES = 3
#: names in an address the change that has just taken a memory away
FORGOTTEN = "forgotten"


class CorrectionForm(forms.Form):
    """How something really is."""

    text = forms.CharField(
        label=gettext_lazy("How it really is"), max_length=LONGEST, widget=forms.Textarea(attrs={"rows": 3})
    )


class SortForm(forms.Form):
    """Which part of long-term memory something belongs to."""

    category = forms.ChoiceField(label=gettext_lazy("It is about my"), choices=CATEGORIES)


@require_safe
@memory_page
def about_me(request: PersonRequest, access: Access) -> HttpResponse:
    """Show what is known about the person by what it is about, or as a picture of how it hangs together."""
    now = timezone.now()
    if request.GET.get("view") == "picture":
        context = {
            **present_graph(access.space, request.GET, now=now),
            "hubs": hubs_of(access.space),
        }
        return render_page(request, access, "picture", context, status=400 if context["form"].errors else 200)
    context = {
        **present_facts(access.space, request.GET, now=now),
        "forgotten": read_id(request.GET.get(FORGOTTEN)),
        "way_back": without(request, FORGOTTEN),
        "longest": corrections.LONGEST,
    }
    return render_page(request, access, "about_me", context)


@require_safe
@memory_page
def history(request: PersonRequest, access: Access) -> HttpResponse:
    """Show memories day by day, the newest first, with what changed lately and what else is kept of the past."""
    now = timezone.now()
    page = page_of_memories(access.space, request.GET.get("page"))
    context = {
        "page": page,
        "moments": show_moments(access.space, list(page.object_list), now=now),
        "changes": recent_changes(access.space, now=now, most=MOST_CHANGES) if page.number == 1 else [],
    }
    return render_page(request, access, "history", context)


@require_safe
@memory_page
def held(request: PersonRequest, access: Access) -> HttpResponse:
    """Show long-term memory by its parts, and what is short-term with what awaits it."""
    now = timezone.now()
    context = {
        "held": present_held(access.space, now=now),
        "plan": plan_of(access.space, now=now),
        "most_shown": MOST_SHOWN,
    }
    return render_page(request, access, "held", context)


@require_safe
@memory_page
def memory(request: PersonRequest, access: Access, node_id: UUID) -> HttpResponse:
    """Show one memory with everything known of it."""
    return _memory(request, access, node_id, None)


@require_POST
@memory_page
def correct(request: PersonRequest, access: Access, node_id: UUID) -> HttpResponse:
    """Put other words in a memory's place."""
    form = CorrectionForm(request.POST)
    if form.is_valid():
        with refusals_on(form, "text"):
            newer = corrections.correct_memory(
                access.space,
                node_id,
                text=form.cleaned_data["text"],
                embedder=get_embedder(),
                now=timezone.now(),
                actor=access.person,
            )
            messages.success(request, _("Put right. The old words are kept as history."))
            return redirect(way_back(request, newer) or reverse("memory:memory", args=[newer]))
    return _memory(request, access, node_id, form, status=400)


@require_POST
@memory_page
def sort(request: PersonRequest, access: Access, node_id: UUID) -> HttpResponse:
    """Put a long-term memory into another part."""
    form = SortForm(request.POST)
    if not form.is_valid():
        return _memory(request, access, node_id, None, sorting=form, status=400)
    corrections.sort_memory(
        access.space,
        node_id,
        category=form.cleaned_data["category"],
        now=timezone.now(),
        actor=access.person,
    )
    messages.success(request, _("Sorted, as you said."))
    return redirect("memory:memory", node_id)


@require_POST
@memory_page
def forget(request: PersonRequest, access: Access, node_id: UUID) -> HttpResponse:
    """Forget one memory."""
    change = corrections.forget_memory(access.space, node_id, now=timezone.now(), actor=access.person)
    if back := way_back(request):
        return redirect(with_given(back, FORGOTTEN, change.pk))  # it says so there, with a way to undo it
    messages.success(
        request, _("Forgotten. You can undo this here for %(days)s days.") % {"days": settings.TOMBSTONE_DAYS}
    )
    return redirect("memory:memory", node_id)


@require_safe
@memory_page
def privacy(request: PersonRequest, access: Access) -> HttpResponse:
    """Say who can read this, what is kept, and what is lost with a key."""
    return render_page(request, access, "privacy", {})


def _memory(
    request: PersonRequest,
    access: Access,
    node_id: UUID,
    form: CorrectionForm | None,
    *,
    sorting: SortForm | None = None,
    status: int = 200,
) -> HttpResponse:
    context = present_memory(access.space, node_id, now=timezone.now())
    shown = context["moment"].memory
    context["form"] = form or CorrectionForm(initial={"text": shown.text})
    context["sorting"] = sorting or SortForm(initial={"category": shown.category})
    return render_page(request, access, "memory", context, status=status)
