"""Who may read the metrics: a scraper that knows the token, or, where there is none, this machine itself."""

from ipaddress import ip_address

from django.conf import settings
from django.http import HttpRequest
from django.utils.crypto import constant_time_compare

#: What proxies add. A request that carries one came from elsewhere, whatever its address looks like here.
FORWARDED = (
    "HTTP_X_FORWARDED_FOR",
    "HTTP_X_FORWARDED_HOST",
    "HTTP_X_FORWARDED_PROTO",
    "HTTP_X_REAL_IP",
    "HTTP_FORWARDED",
)
SCHEME = "bearer"


def may_scrape(request: HttpRequest) -> bool:
    """Tell whether the request may see the metrics."""
    if settings.METRICS_TOKEN:
        scheme, _, token = request.headers.get("Authorization", "").partition(" ")
        return scheme.lower() == SCHEME and constant_time_compare(token.strip(), settings.METRICS_TOKEN)
    return _comes_from_here(request)


def _comes_from_here(request: HttpRequest) -> bool:
    """Tell whether the request was made on this machine; behind a proxy every one looks as if, so none counts."""
    if settings.TRUSTED_PROXIES or any(name in request.META for name in FORWARDED):
        return False
    try:
        return ip_address(request.META.get("REMOTE_ADDR", "")).is_loopback
    except ValueError:
        return False
