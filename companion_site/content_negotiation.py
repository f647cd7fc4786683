"""Which form of answer a request would rather have."""

from django.http import HttpRequest

HTML, JSON = "text/html", "application/json"


def wants_json(request: HttpRequest) -> bool:
    """Tell whether a page's script asks, which takes JSON; a browser that comes by itself is shown a page."""
    return request.get_preferred_type([HTML, JSON]) == JSON
