"""The contexts of an agent: those it built or saved lately, one of them, and trying out what one would hold."""

from typing import Any
from uuid import UUID

from django.http import HttpResponse
from django.utils import timezone
from django.views.decorators.http import require_http_methods, require_safe

from companion_site.accounts.requests import PersonRequest
from companion_site.errors import InvalidInput
from memory.agents.contexts import build_context
from memory.agents.frames import as_list
from memory.agents.pages.access import Owned, agent_page, render_page
from memory.agents.pages.contexts import find_context, legend, page_of_contexts, show_frames, show_scored
from memory.agents.pages.forms import TryForm
from memory.agents.workingset import open_memory, working_set_of

#: The task that a context belongs to that is only tried out; nothing is kept under it.
TRIED = "try"


@require_safe
@agent_page
def contexts(request: PersonRequest, owned: Owned) -> HttpResponse:
    """Show the contexts that an agent built or saved, the newest first."""
    with owned.open() as space:
        page = page_of_contexts(space, request.GET.get("page", "1"))
    return render_page(request, owned, "contexts", {"page": page, "form": TryForm()})


@require_safe
@agent_page
def context(request: PersonRequest, owned: Owned, context_id: UUID) -> HttpResponse:
    """Show one context: its frames, and why its nodes stand in it."""
    with owned.open() as space:
        found = find_context(space, context_id)
        content = found.content
        held = working_set_of(space)
        with held.lock:
            nodes = content.get("shown") or [{"path": path} for path in content["nodes"]]
            scored = show_scored(held, nodes)
    shown = {
        "context": found,
        "frames": show_frames(content["frames"]),
        "scored": scored,
        "terms": legend(),
    }
    return render_page(request, owned, "context", shown)


@require_http_methods(["POST"])
@agent_page
def try_out(request: PersonRequest, owned: Owned) -> HttpResponse:
    """Build a context for a question and show it; nothing is kept, and nothing resonates more for it."""
    form = TryForm(request.POST)
    shown: dict[str, Any] = {"form": form, "terms": legend()}
    if form.is_valid():
        try:
            shown |= _build(owned, form.cleaned_data)
        except InvalidInput as refused:
            form.add_error(None, str(refused.message))
    return render_page(request, owned, "try", shown, status=422 if form.errors else 200)


def _build(owned: Owned, asked: dict[str, Any]) -> dict[str, Any]:
    built = build_context(
        owned,
        query=asked["query"],
        task={"id": TRIED, "tags": asked["tags"]},
        budget_tokens=asked["budget"],
        now=timezone.now(),
        save=False,
    )
    with open_memory(owned) as held:
        scored = show_scored(held, built.nodes)
    return {"built": built, "frames": show_frames(as_list(built.frames)), "scored": scored}
