"""The description for programs, and as a page for people: what it loads comes from this site alone."""

from typing import ClassVar

from django.contrib.auth.decorators import login_not_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe
from drf_spectacular.renderers import OpenApiJsonRenderer
from drf_spectacular.views import SpectacularAPIView

from companion_site.api.body import JsonAlone


class Description(SpectacularAPIView):
    """The OpenAPI document; it tells nothing of anybody, so whoever asks may read it."""

    http_method_names: ClassVar[list[str]] = ["get", "head"]
    renderer_classes = [OpenApiJsonRenderer]  # as the class above has it
    content_negotiation_class = JsonAlone


@login_not_required
@require_safe
def page(request: HttpRequest) -> HttpResponse:
    """Show the description so that it can be read and tried out."""
    return render(request, "api/page.html")
