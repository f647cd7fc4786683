"""Where a scraper reads."""

from django.contrib.auth.decorators import login_not_required
from django.http import Http404, HttpRequest, HttpResponse
from django.utils import timezone
from django.views.decorators.cache import never_cache

from companion_site.metrics.access import may_scrape
from companion_site.metrics.collector import held_gauges
from companion_site.metrics.exposition import expose

READS = ("GET", "HEAD")


@never_cache
@login_not_required
def metrics(request: HttpRequest) -> HttpResponse:
    """Tell a scraper every metric; to anybody else there is no such page."""
    if request.method not in READS or not may_scrape(request):
        raise Http404
    text, content_type = expose(held_gauges.get(timezone.now()), accept=request.headers.get("Accept", ""))
    return HttpResponse(text, content_type=content_type)
