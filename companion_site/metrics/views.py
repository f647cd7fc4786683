"""Where a scraper reads the figures, with a token or, where none is set, from this machine itself."""

from collections.abc import Iterator
from ipaddress import ip_address

from django.conf import settings
from django.contrib.auth.decorators import login_not_required
from django.http import Http404, HttpRequest, HttpResponse
from django.utils import timezone
from django.utils.crypto import constant_time_compare
from prometheus_client import REGISTRY
from prometheus_client.exposition import choose_encoder
from prometheus_client.metrics_core import Metric

from companion_site.metrics.collector import held_gauges

#: What proxies add. A request that carries one came from elsewhere, whatever its address looks like here.
FORWARDED = (
    "HTTP_X_FORWARDED_FOR",
    "HTTP_X_FORWARDED_HOST",
    "HTTP_X_FORWARDED_PROTO",
    "HTTP_X_REAL_IP",
    "HTTP_FORWARDED",
)


def may_scrape(request: HttpRequest) -> bool:
    """Tell whether the request may see the metrics."""
    if settings.METRICS_TOKEN:
        scheme, _, token = request.headers.get("Authorization", "").partition(" ")
        return scheme.lower() == "bearer" and constant_time_compare(token.strip(), settings.METRICS_TOKEN)
    return _comes_from_here(request)


def _comes_from_here(request: HttpRequest) -> bool:
    """Tell whether the request was made on this machine; behind a proxy every one looks as if, so none counts."""
    if settings.TRUSTED_PROXIES or any(name in request.META for name in FORWARDED):
        return False
    try:
        return ip_address(request.META.get("REMOTE_ADDR", "")).is_loopback
    except ValueError:
        return False


class _Everything:
    """What this process counts by itself, and the gauges, as a scrape reads them."""

    def collect(self) -> Iterator[Metric]:
        yield from REGISTRY.collect()
        yield from held_gauges.get(timezone.now())


@login_not_required
def metrics(request: HttpRequest) -> HttpResponse:
    """Tell a scraper every metric; to anybody else there is no such page."""
    if request.method not in ("GET", "HEAD") or not may_scrape(request):
        raise Http404
    encode, content_type = choose_encoder(request.headers.get("Accept", ""))
    return HttpResponse(encode(_Everything()), content_type=content_type)
