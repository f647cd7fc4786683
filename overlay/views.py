"""The student's map of the world: parse, authorise, call a service, render."""

from uuid import UUID

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.debug import sensitive_post_parameters

from companion_site.accounts.access import Access, student_form, student_page
from companion_site.accounts.requests import PersonRequest
from overlay import services
from overlay.atlas import load_atlas
from overlay.forms import OpinionForm
from overlay.repetitions import count_due


@student_page
def show_map(request: PersonRequest, access: Access) -> HttpResponse:
    """Show the student's map, and the same as a list."""
    now = timezone.now()
    services.take_over_openings(access.person, access.space, now=now)
    atlas = load_atlas(access.person, access.space)
    due = count_due(access.space, atlas.world, now=now)
    context = {"map": atlas.picture(), "list": atlas.listing(), "due": due}
    return render(request, "overlay/map.html", context)


@student_form
@sensitive_post_parameters()
def show_concept(request: PersonRequest, access: Access, known_id: UUID) -> HttpResponse:
    """Show one known concept, by itself for a page that has the map already; take in what the student says of it."""
    now, atlas = timezone.now(), load_atlas(access.person, access.space)
    details = atlas.details(known_id)
    form = OpinionForm(request.POST or None, known=details.known)
    if request.method == "POST" and form.is_valid():
        services.set_opinion(access.person, access.space, details.concept.id, now=now, **form.opinion())
        messages.success(request, _("Saved."))
        return redirect("overlay:concept", known_id)
    context = {"details": details, "form": form}
    if request.GET.get("part") == "details":
        return render(request, "overlay/_details.html", context)
    return render(request, "overlay/concept.html", context)
