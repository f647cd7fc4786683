"""The edge of the lesson API: authenticate, parse, call a service, answer in JSON. Nothing of a body is logged."""

from base64 import b64decode
from binascii import Error as Base64Error
from collections.abc import Callable
from functools import wraps
from uuid import UUID

import structlog
from django.contrib.auth.decorators import login_not_required
from django.core.exceptions import RequestDataTooBig
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.utils import timezone
from django.views.decorators.cache import never_cache
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_http_methods, require_safe

from companion_site.accounts.learning_systems import find_learning_system
from companion_site.accounts.models import LearningSystem
from memory.xapi.errors import NotAuthenticated, NotJson, StatementRefused, StatementTooLarge
from memory.xapi.parsing import Reported, parse_statements
from memory.xapi.services import take_in

logger = structlog.get_logger(__name__)

VERSION = "1.0.3"
HEADER = "X-Experience-API-Version"


def _api(view: Callable[[HttpRequest], HttpResponse]) -> Callable[[HttpRequest], HttpResponse]:
    """Answer every refusal as JSON, and name the version on every answer, as the standard asks.

    Without the check against forged requests: nothing here is done by a cookie, only by the secret in the request.
    """

    @wraps(view)
    def answer(request: HttpRequest) -> HttpResponse:
        try:
            response = view(request)
        except StatementRefused as error:
            logger.info("xapi.refused", code=error.code)
            body = {"error": error.code, "message": str(error)}
            response = JsonResponse(body, status=error.status)
            if error.status == 401:
                response["WWW-Authenticate"] = 'Basic realm="Companion", charset="UTF-8"'
        response[HEADER] = VERSION
        return response

    return csrf_exempt(login_not_required(never_cache(answer)))


@require_safe
@_api
def about(request: HttpRequest) -> HttpResponse:
    """Tell which versions of the standard are understood."""
    return JsonResponse({"version": [VERSION]})


@require_http_methods(["POST", "PUT"])
@_api
def statements(request: HttpRequest) -> HttpResponse:
    """Take in statements: one or a list by POST, one under a given id by PUT. None can be read back."""
    system = _authenticate(request)
    if not request.headers.get(HEADER, "").startswith("1.0"):
        raise StatementRefused(f"Send the header {HEADER}: {VERSION}.")
    reported = _parse(request)
    ids = take_in(system, reported, host=request.get_host(), now=timezone.now())
    logger.info("xapi.taken_in", system=str(system.pk), count=len(ids))
    if request.method == "PUT":
        return HttpResponse(status=204)
    return JsonResponse([str(statement_id) for statement_id in ids], safe=False)


def _authenticate(request: HttpRequest) -> LearningSystem:
    """Return who asks.

    Raises:
        NotAuthenticated: name and secret do not fit together, or the system was shut out.
    """
    scheme, _, credentials = request.headers.get("Authorization", "").partition(" ")
    try:
        name, _, secret = b64decode(credentials, validate=True).decode().partition(":")
    except (Base64Error, UnicodeDecodeError):
        raise NotAuthenticated() from None
    system = find_learning_system(name, secret) if scheme.lower() == "basic" else None
    if system is None:
        raise NotAuthenticated()
    return system


def _parse(request: HttpRequest) -> list[Reported]:
    if request.content_type != "application/json":
        raise NotJson()
    try:
        body = request.body
    except RequestDataTooBig:
        raise StatementTooLarge() from None
    return parse_statements(body, statement_id=_id_in_address(request))


def _id_in_address(request: HttpRequest) -> UUID | None:
    if request.method != "PUT":
        return None
    try:
        return UUID(request.GET.get("statementId", ""))
    except ValueError:
        raise StatementRefused("Name the statement in the address: ?statementId= and a UUID.") from None
