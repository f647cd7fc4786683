"""The edge of the lesson API: authenticate, parse, call a service, answer in JSON. Nothing of a body is logged."""

from functools import wraps
from uuid import UUID

import structlog
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.utils import timezone
from django.views.decorators.http import require_http_methods, require_safe

from companion_site.accounts.models import LearningSystem
from companion_site.accounts.system_requests import View, answer_in_json, authenticate, read_body
from memory.inbound.xapi.errors import StatementRefused, StatementTooLarge
from memory.inbound.xapi.parsing import Reported, parse_statements
from memory.inbound.xapi.services import take_in

logger = structlog.get_logger(__name__)

VERSION = "1.0.3"
HEADER = "X-Experience-API-Version"


def _api(view: View) -> View:
    """Name the version on every answer, as the standard asks, refusals among them."""
    answered = answer_in_json(view)

    @wraps(answered)
    def answer(request: HttpRequest) -> HttpResponse:
        response = answered(request)
        response[HEADER] = VERSION
        return response

    return answer


@require_safe
@_api
def about(request: HttpRequest) -> HttpResponse:
    """Tell which versions of the standard are understood."""
    return JsonResponse({"version": [VERSION]})


@require_http_methods(["POST", "PUT"])
@_api
def statements(request: HttpRequest) -> HttpResponse:
    """Take in statements: one or a list by POST, one under a given id by PUT. None can be read back."""
    system = authenticate(request, LearningSystem)
    if not request.headers.get(HEADER, "").startswith("1.0"):
        raise StatementRefused(f"Send the header {HEADER}: {VERSION}.")
    reported = _parse(request)
    ids = take_in(system, reported, host=request.get_host(), now=timezone.now())
    logger.info("xapi.taken_in", system=str(system.pk), count=len(ids))
    if request.method == "PUT":
        return HttpResponse(status=204)
    return JsonResponse([str(statement_id) for statement_id in ids], safe=False)


def _parse(request: HttpRequest) -> list[Reported]:
    body = read_body(request, too_large=StatementTooLarge)
    return parse_statements(body, statement_id=_id_in_address(request))


def _id_in_address(request: HttpRequest) -> UUID | None:
    if request.method != "PUT":
        return None
    try:
        return UUID(request.GET.get("statementId", ""))
    except ValueError:
        raise StatementRefused("Name the statement in the address: ?statementId= and a UUID.") from None
