"""The API for a company's own program: authenticate, parse, call a service, answer in JSON."""

from dataclasses import asdict
from decimal import Decimal
from typing import Annotated, Any
from uuid import UUID

import structlog
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.utils import timezone
from django.utils.translation import gettext_lazy as _
from django.views.decorators.http import require_http_methods
from pydantic import BaseModel, ConfigDict, Field

from companion_site.accounts.models import BusinessSystem
from companion_site.accounts.system_requests import Api, answer_in_json, authenticate
from memory.company.live.entries import DeadlineEntry, KpiEntry
from memory.company.live.services import set_state, standing_deadlines, standing_figures
from memory.company.params import LIVE
from memory.models import Kpi

API = Api(
    name="state",
    most_bytes=200_000,
    bounds=_("Send less at a time: at most 200 key figures, 200 deadlines and 200 kB a request."),
    whole="body",
    names={*KpiEntry.model_fields, *DeadlineEntry.model_fields, "kpis", "deadlines"},
)
logger = structlog.get_logger(__name__)


class State(BaseModel):
    """What a request says: figures, deadlines, or both."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    kpis: Annotated[list[KpiEntry], Field(max_length=LIVE.most_rows)] = []
    deadlines: Annotated[list[DeadlineEntry], Field(max_length=LIVE.most_rows)] = []


def parse_state(raw: bytes) -> State:
    """Return what a request's body says. Raises RequestRefused: with the first field that is wrong, and what is expected there."""
    given = API.read(raw, parse_float=Decimal)
    if not isinstance(given, dict):
        raise API.refused('The body is a JSON object with "kpis", "deadlines", or both.')
    return API.check(State, given)


def present_state(space: UUID) -> dict[str, Any]:
    """Return what stands of a company; sent back as it is, it changes nothing."""
    figures = [
        {
            **{name: getattr(row, name) for name in ("key", "label", "unit", "as_of", "source")},
            "value": f"{row.value.normalize():f}",
        }
        for row in standing_figures(space)
    ]
    deadlines = [
        {
            **{name: getattr(row, name) for name in ("key", "label", "due_on", "source")},
            "done": row.done_at is not None,
        }
        for row in standing_deadlines(space)
    ]
    return {"kpis": figures, "deadlines": deadlines}


@require_http_methods(["GET", "PUT"])
@answer_in_json
def state(request: HttpRequest) -> HttpResponse:
    """Give back what stands of the program's own company, or set what is named."""
    system = authenticate(request, BusinessSystem)
    space = system.company.space_id
    if space is None:
        raise API.refused("This company has no memory to set a state in; ask the site's staff.")
    if request.method == "GET":
        return JsonResponse(present_state(space))
    given = parse_state(API.body_of(request))
    kpis, deadlines = set_state(
        space, given.kpis, given.deadlines, source=Kpi.Source.API, now=timezone.now(), actor=system
    )
    logger.info("state.set", system=str(system.pk), kpis=len(given.kpis), deadlines=len(given.deadlines))
    return JsonResponse({"kpis": asdict(kpis), "deadlines": asdict(deadlines)})
