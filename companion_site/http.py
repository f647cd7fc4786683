"""Which form of answer a request would rather have, that no answer is cached, and files that a browser saves, made while they are sent."""

from collections.abc import AsyncIterator, Callable, Iterator

from asgiref.sync import sync_to_async
from django.core.handlers.asgi import ASGIRequest
from django.http import HttpRequest, StreamingHttpResponse
from django.http.response import HttpResponseBase
from django.utils.cache import add_never_cache_headers
from django.views.decorators.http import require_http_methods

HTML, JSON = "text/html", "application/json"
#: of a page that is read and sent
form_page = require_http_methods(["GET", "HEAD", "POST"])


def uncached_middleware(
    get_response: Callable[[HttpRequest], HttpResponseBase],
) -> Callable[[HttpRequest], HttpResponseBase]:
    """Have no view's answer cached, in the browser or on the way: it may hold what one person alone may read."""

    def middleware(request: HttpRequest) -> HttpResponseBase:
        response = get_response(request)
        add_never_cache_headers(response)
        return response

    return middleware


def wants_json(request: HttpRequest) -> bool:
    """Tell whether a page's script asks, which takes JSON; a browser that comes by itself is shown a page."""
    return request.get_preferred_type([HTML, JSON]) == JSON


def stream_file(
    request: HttpRequest, pieces: Iterator[str], *, name: str, content_type: str
) -> StreamingHttpResponse:
    """Return a file that the browser saves, whose pieces are made as they are sent.

    Args:
        name: ASCII, without quotes and slashes.
    """
    return StreamingHttpResponse(
        in_threads(pieces) if isinstance(request, ASGIRequest) else pieces,
        content_type=content_type,
        headers={"Content-Disposition": f'attachment; filename="{name}"'},
    )


async def in_threads(pieces: Iterator[str]) -> AsyncIterator[str]:
    """Yield pieces as they are made, while the event loop goes on."""

    def take() -> str | None:
        return next(pieces, None)

    while (piece := await sync_to_async(take)()) is not None:
        yield piece
