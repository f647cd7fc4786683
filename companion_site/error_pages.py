"""Errors as pages, and as JSON for a page's script, with never a word of content."""

import math

import structlog
from django.core.exceptions import RequestDataTooBig
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import redirect, render

from companion_site.errors import CompanionError, InvalidInput, SpaceLocked
from companion_site.http import wants_json

logger = structlog.get_logger(__name__)


def companion_error_middleware(get_response):
    """Answer a CompanionError that a view let through."""

    def middleware(request: HttpRequest) -> HttpResponse:
        return get_response(request)

    def process_exception(request: HttpRequest, error: Exception) -> HttpResponse | None:
        return error_response(request, error) if isinstance(error, CompanionError) else None

    middleware.process_exception = process_exception  # type: ignore[attr-defined]
    return middleware


def error_response(request: HttpRequest, error: CompanionError) -> HttpResponse:
    """Return the answer to one error, JSON for a page's script; a locked space asks for a new log-in."""
    match = request.resolver_match
    logger.info("request.refused", code=error.code, path_name=match.view_name if match else "")
    status = 400 if isinstance(error, InvalidInput) else error.status
    if wants_json(request):
        status = 401 if isinstance(error, SpaceLocked) else status
        response: HttpResponse = JsonResponse(as_json(error), status=status)
    elif isinstance(error, SpaceLocked):
        return redirect("accounts:locked")
    else:
        template = f"{status}.html" if status in (400, 404, 429) else "error.html"
        response = render(request, template, {"message": error.message}, status=status)
    if error.retry_after_s is not None:
        response["Retry-After"] = str(math.ceil(error.retry_after_s))
    return response


def as_json(error: CompanionError) -> dict[str, object]:
    return {"error": error.code, "message": str(error), "retryable": error.retryable}


def not_found(request: HttpRequest, exception: Exception | None = None) -> HttpResponse:
    """Answer an unknown address without repeating it."""
    return render(request, "404.html", status=404)


def bad_request(request: HttpRequest, exception: Exception) -> HttpResponse:
    """Answer what could not be read, and say so where it was too much."""
    status = 413 if isinstance(exception, RequestDataTooBig) else 400
    return render(request, f"{status}.html", status=status)
