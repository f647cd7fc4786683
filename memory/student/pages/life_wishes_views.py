"""How a person wants to be spoken with: by the form of the page, or one wish at a time as JSON."""

from collections.abc import Mapping
from dataclasses import asdict
from datetime import time
from typing import Any

from django.contrib import messages
from django.http import HttpResponse, JsonResponse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST
from pydantic import BaseModel, ConfigDict, ValidationError

from companion_site.accounts.requests import PersonRequest
from companion_site.accounts.strict_json import load_json
from companion_site.errors import CompanionError, InvalidInput
from companion_site.http import JSON, wants_json
from memory.student.life.wishes import PersonWishes, change_wishes
from memory.student.pages.access import MemoryAccess, memory_page
from memory.student.pages.life_forms import WishesForm
from memory.student.pages.life_page import life_page
from memory.student.pages.life_views import to_part


class SomeWishes(BaseModel):
    """Wishes of which some are named; the others stay as they are."""

    model_config = ConfigDict(extra="forbid", hide_input_in_errors=True)

    avoid: list[str] = []
    calm: bool = False
    speaks: bool = False
    initiative_on: bool = True
    quiet_from: time = time()
    quiet_until: time = time()


@require_POST
@memory_page
def wishes(request: PersonRequest, access: MemoryAccess) -> HttpResponse:
    """Change wishes: all of them from the page's form; those that are named where JSON is asked for."""
    if wants_json(request):
        return _answer_in_json(request, access)
    form = WishesForm(request.POST)
    if form.is_valid():
        try:
            change_wishes(access.space, **form.changes(), now=timezone.now(), actor=access.person)
        except InvalidInput as refused:
            form.add_error("avoid", str(refused))
        else:
            messages.success(request, _("Your companion will keep to that."))
            return to_part("wishes")
    return life_page(request, access, wrong={"wishes_form": form}, status=400)


def _answer_in_json(request: PersonRequest, access: MemoryAccess) -> HttpResponse:
    try:
        changes = _read(request)
        changed = change_wishes(access.space, **changes, now=timezone.now(), actor=access.person)
    except CompanionError as refused:
        return JsonResponse({"error": refused.code, "message": str(refused)}, status=400)
    return JsonResponse(describe_wishes(changed))


def describe_wishes(wishes: PersonWishes) -> dict[str, Any]:
    """Return wishes as JSON has them."""
    hours = {name: getattr(wishes, name).strftime("%H:%M") for name in ("quiet_from", "quiet_until")}
    return {**asdict(wishes), "avoid": list(wishes.avoid), **hours}


def _read(request: PersonRequest) -> dict[str, Any]:
    """Return the wishes that a request names, from JSON or from the fields of a form.

    Raises:
        InvalidInput: it names something else, or a value that is none.
    """
    given: Any = load_json(request.body) if request.content_type == JSON else _fields(request.POST)
    try:
        named = SomeWishes.model_validate(given)
    except ValidationError:
        raise InvalidInput() from None
    changes = {name: getattr(named, name) for name in named.model_fields_set}
    if any(getattr(value, "tzinfo", None) for value in changes.values()):
        raise InvalidInput()
    return changes


def _fields(posted: Mapping[str, Any]) -> dict[str, Any]:
    found = {name: posted[name] for name in posted if name != "csrfmiddlewaretoken"}
    if "avoid" in found:
        found["avoid"] = [line for line in found["avoid"].splitlines() if line.strip()]
    return found
