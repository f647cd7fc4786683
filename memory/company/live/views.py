"""The edge of the API for a company's own program: authenticate, parse, call a service, answer in JSON."""

from dataclasses import asdict
from uuid import UUID

import structlog
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.utils import timezone
from django.views.decorators.http import require_http_methods

from companion_site.accounts.models import BusinessSystem
from companion_site.accounts.system_requests import answer_in_json, authenticate, read_body
from memory.company.live.errors import StateRefused, StateTooLarge
from memory.company.live.payload import parse_state, present_state
from memory.company.live.services import set_state
from memory.models import Kpi

logger = structlog.get_logger(__name__)


@require_http_methods(["GET", "PUT"])
@answer_in_json
def state(request: HttpRequest) -> HttpResponse:
    """Give back what stands of the program's own company, or set what is named."""
    system = authenticate(request, BusinessSystem)
    space = _space_of(system)
    if request.method == "GET":
        return JsonResponse(present_state(space))
    given = parse_state(read_body(request, too_large=StateTooLarge))
    kpis, deadlines = set_state(
        space, given.kpis, given.deadlines, source=Kpi.Source.API, now=timezone.now(), actor=system
    )
    logger.info("state.set", system=str(system.pk), kpis=len(given.kpis), deadlines=len(given.deadlines))
    return JsonResponse({"kpis": asdict(kpis), "deadlines": asdict(deadlines)})


def _space_of(system: BusinessSystem) -> UUID:
    if system.company.space_id is None:
        raise StateRefused("This company has no memory to set a state in; ask the site's staff.")
    return system.company.space_id
