"""What a program is refused for, beside the errors of what it asked for, and how every refusal is told.

That is one form: `application/problem+json` (RFC 9457) with the `code` of the error, and never a word of content.
"""

from collections.abc import Mapping, Sequence
from http import HTTPStatus
from typing import Any

import structlog
from django.core.exceptions import PermissionDenied, RequestDataTooBig, SuspiciousOperation
from django.http import Http404
from django.utils.translation import gettext_lazy as _
from rest_framework import exceptions
from rest_framework.response import Response

from companion_site.accounts.errors import BadToken
from companion_site.errors import CompanionError, InvalidInput, NotFound, TryLater

logger = structlog.get_logger(__name__)
CONTENT_TYPE = "application/problem+json"
CHALLENGE = 'Bearer realm="Companion"'
NO_CHOICE = _("This is none of the values that there are.")


class BadRequest(InvalidInput):
    code = "api.bad-request"
    status = 400
    message = _("This request does not fit the API's description.")

    def __init__(self, *, fields: Mapping[str, Sequence[Any]] | None = None) -> None:
        super().__init__()
        self.fields = dict(fields or {})


class NotJson(BadRequest):
    code = "api.media-type"
    status = 415
    message = _("Send JSON, with the content type application/json.")


class NotAForm(BadRequest):
    code = "api.not-a-form"
    status = 415
    message = _("Send a form with the file, with the content type multipart/form-data.")


class BodyTooLarge(BadRequest):
    code = "api.too-large"
    status = 413
    message = _("The body is larger than may be sent.")


class KeyReused(BadRequest):
    code = "api.key-reused"
    status = 422
    message = _("This Idempotency-Key came before with another request.")


class NoToken(CompanionError):
    code = "token.missing"
    status = 401
    message = _("Send a token: Authorization: Bearer cmp_….")


class ScopeMissing(CompanionError):
    code = "token.scope-missing"
    status = 403
    message = _("This token may not be used for that.")

    def __init__(self, scope: str) -> None:
        super().__init__()
        self.scope = scope


class StillRunning(CompanionError):
    code = "api.still-running"
    message = _("The first request with this Idempotency-Key has not ended yet.")
    retryable = True


class TooManyCalls(TryLater):
    code = "api.too-many"
    message = _("That is more than this token may ask for. Please wait a moment.")


class NoSuchMethod(CompanionError):
    """What DRF found no handler for; with 405 and the methods there are."""

    code = "api.no-such-method"


def answer_error(error: Exception, context: dict[str, Any]) -> Response:
    """Return the answer to what a view raised; what nobody foresaw is logged and told as nothing but itself."""
    if isinstance(error, exceptions.MethodNotAllowed):
        return problem(405, NoSuchMethod.code, str(error.detail))
    known = as_companion_error(error)
    if known is None:
        logger.error("api.failed", exc_info=error)
        return problem(500, CompanionError.code, str(CompanionError.message))
    logger.info("api.refused", code=known.code)
    return tell(known)


def headers_of_refusal(error: CompanionError) -> dict[str, str]:
    """Return the headers that an error is told with: its own, how to log in, and when to come again."""
    headers = dict(getattr(error, "headers", ()))
    if isinstance(error, ScopeMissing):
        headers["WWW-Authenticate"] = f'{CHALLENGE}, error="insufficient_scope", scope="{error.scope}"'
    elif isinstance(error, BadToken):
        headers["WWW-Authenticate"] = f'{CHALLENGE}, error="invalid_token"'
    elif isinstance(error, NoToken):
        headers["WWW-Authenticate"] = CHALLENGE
    elif isinstance(error, TryLater):
        headers["Retry-After"] = str(error.retry_after_s)
    return headers


def tell(error: CompanionError) -> Response:
    """Return the answer that one of the tree's errors is."""
    more: dict[str, Any] = {}
    fields = getattr(error, "fields", None) or _place(error)
    if fields:
        more["fields"] = fields
    if isinstance(error, ScopeMissing):
        more["scope"] = error.scope
    answer = problem(error.status, error.code, str(error), retryable=error.retryable, **more)
    for name, value in headers_of_refusal(error).items():
        answer[name] = value
    return answer


def problem(status: int, code: str, detail: str, *, retryable: bool = False, **more: Any) -> Response:
    """Return a problem of RFC 9457; `more` are members of its own."""
    body = {
        "type": "about:blank",
        "title": HTTPStatus(status).phrase,
        "status": status,
        "detail": detail,
        "code": code,
        "retryable": retryable,
        **more,
    }
    return Response(body, status=status, content_type=CONTENT_TYPE)


def as_companion_error(error: Exception) -> CompanionError | None:
    """Return what an error is in the site's own tree; None for what nobody foresaw."""
    if isinstance(error, CompanionError):
        return error
    if isinstance(error, exceptions.ValidationError):
        return BadRequest(fields=flatten(error.detail))
    if isinstance(error, RequestDataTooBig):
        return BodyTooLarge()
    if isinstance(error, exceptions.UnsupportedMediaType):
        return NotJson()
    if isinstance(error, exceptions.ParseError | SuspiciousOperation):
        return BadRequest()
    if isinstance(error, Http404 | exceptions.NotFound | PermissionDenied | exceptions.PermissionDenied):
        return NotFound()
    return None


def _place(error: CompanionError) -> dict[str, list[str]]:
    """Return where an error says that it is: in a field, of the nodes that were sent of one."""
    field, number = getattr(error, "field", None), getattr(error, "number", None)
    if field is None:
        return {}
    return {field if number is None else f"nodes.{number}.{field}": [str(error.message)]}


def flatten(detail: Any, path: str = "") -> dict[str, list[str]]:
    """Return what a serializer finds wrong by the place where it stands: "triggers.3"."""
    if isinstance(detail, dict):
        parts = list(detail.items())
    elif isinstance(detail, list) and any(isinstance(part, dict) for part in detail):
        parts = list(enumerate(detail))
    else:
        return {path or "body": [_say(text) for text in detail]} if detail else {}
    found: dict[str, list[str]] = {}
    for name, part in parts:
        found |= flatten(part, f"{path}.{name}" if path else str(name))
    return found


def _say(text: Any) -> str:
    """Return what is wrong with a value; DRF would repeat one that is none of the choices."""
    return str(NO_CHOICE if getattr(text, "code", "") == "invalid_choice" else text)
