"""The edge of the measures API: authenticate, parse, call a service, answer in JSON. Nothing of a body is logged."""

import structlog
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.utils import timezone
from django.views.decorators.http import require_POST

from companion_site.accounts.system_requests import answer_in_json, authenticate_device, read_body
from memory.inbound.measures.errors import MeasuresTooLarge
from memory.inbound.measures.parsing import parse_measures
from memory.inbound.measures.services import take_in

logger = structlog.get_logger(__name__)


@require_POST
@answer_in_json
def measures(request: HttpRequest) -> HttpResponse:
    """Take in what a person's device measured of some days. Nothing can be read back."""
    person = authenticate_device(request)
    now = timezone.now()
    reported = parse_measures(read_body(request, too_large=MeasuresTooLarge), now=now)
    taken = take_in(person, reported, now=now)
    logger.info("measures.taken_in", person=str(person.pk))
    return JsonResponse({"id": str(taken)})
