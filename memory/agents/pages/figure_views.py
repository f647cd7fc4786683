"""How an agent's memory does: coverage, drift, utility and hygiene over time."""

from django.http import HttpResponse
from django.utils import timezone
from django.views.decorators.http import require_safe

from companion_site.accounts.requests import PersonRequest
from memory.agents.pages.access import Owned, agent_page
from memory.agents.pages.figures import SPANS, see
from memory.agents.pages.rendering import render_page


@require_safe
@agent_page
def figures(request: PersonRequest, owned: Owned) -> HttpResponse:
    """Show the figures of an agent over a span of days."""
    asked = request.GET.get("days", "")
    span = next((days for days in SPANS if str(days) == asked), SPANS[0])
    seen = see(owned.agent.access, span=span, now=timezone.now())
    return render_page(request, owned, "figures", {"seen": seen, "span": span, "spans": SPANS})
