"""The page of the graph: the picture, its list, and the addresses its scripts build links from."""

from datetime import datetime
from typing import Any
from uuid import UUID

from django.core.paginator import Paginator
from django.http import QueryDict
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, pgettext

from memory.models import MemoryEdge, MemoryNode
from memory.student.pages.addresses import address_patterns
from memory.student.pages.filters import GraphFilterForm
from memory.student.pages.picture import draw_picture
from memory.student.pages.selectors import fill_in
from memory.student.pages.svg import RING, SHAPES, describe, draw_svg

LIST_LENGTH = 50
CATEGORY_LABELS = {
    "temporal": gettext_lazy("one after the other"),
    "semantic": gettext_lazy("about the same"),
    "emotional": gettext_lazy("feels alike"),
    "entity": gettext_lazy("same person or place"),
}


def present_graph(space: UUID, given: QueryDict, *, now: datetime) -> dict[str, Any]:
    """Return what the page shows for the address's words; `form` has errors where they make no sense."""
    form = GraphFilterForm(given if any(name in given for name in GraphFilterForm.base_fields) else None)
    picture = draw_picture(space, form.asked(), now=now)
    page = Paginator(picture.matching, LIST_LENGTH).get_page(given.get("page"))
    return {
        "form": form,
        "empty": not (form.is_bound or picture.total or picture.matching),
        "picture": picture,
        "svg": draw_svg(picture, described_by="graph-title graph-summary"),
        "described": describe(picture),
        "labels": spoken_labels(),
        "legend": legend(),
        "addresses": address_patterns(),
        "page": page,
        "memories": fill_in(space, list(page.object_list)),
    }


def spoken_labels() -> dict[str, Any]:
    """Return the words that the page's scripts put together."""
    return {
        "modality": {str(kind): str(kind.label) for kind in MemoryNode.Modality},
        "tier": {str(tier): str(tier.label) for tier in MemoryNode.Tier},
        "category": {str(part): str(part.label) for part in MemoryNode.Category if part},
        "gravity": [pgettext("memory", "faint"), pgettext("memory", "clear"), pgettext("memory", "strong")],
        "now": _("%(word)s now"),
        "nothing": _("No memory fits."),
    }


def legend() -> dict[str, Any]:
    return {
        "modalities": [
            {"value": str(kind), "label": kind.label, "path": SHAPES[kind]} for kind in MemoryNode.Modality
        ],
        "shape": SHAPES[MemoryNode.Modality.EPISODIC],
        "ring": RING,
        "categories": [{"value": name, "label": CATEGORY_LABELS[name]} for name in MemoryEdge.CATEGORIES],
    }
