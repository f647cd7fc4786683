"""A student's map over the REST API: parse, authorise, call a service, tell."""

from dataclasses import replace
from typing import Any
from uuid import UUID

from django.utils import timezone

from companion_site.accounts.tokens import Scope
from companion_site.api.operations import Asked, opening, operation, page_of
from companion_site.api.paging import Page, page_of_data
from companion_site.api.views import ApiView
from overlay import services
from overlay.access import OverlayAccess, overlay_access
from overlay.api import forms
from overlay.atlas import Atlas, load_atlas

MAP = Scope.MAP
#: Where nothing of the world is known yet.
EMPTY = {
    "width": 0,
    "height": 0,
    "concepts": [],
    "fog": "",
    "discovered": "",
    "undiscovered": "",
    "into_fog": "",
    "is_part": False,
}
opened = opening(overlay_access)


class Map(ApiView):
    @operation("map_read", "Show the map", scope=MAP, opens=opened, answer=forms.MapOut)
    def get(self, asked: Asked, access: OverlayAccess) -> dict[str, Any]:
        """Return the student's map as it is drawn."""
        picture = _atlas(access).picture()
        if picture is None:
            return EMPTY
        shapes = {name: getattr(picture, name) for name in EMPTY if name != "concepts"}
        return {**shapes, "concepts": picture.plates}


class Concepts(ApiView):
    @operation(
        "concepts_list",
        "List known concepts",
        scope=MAP,
        opens=opened,
        query=forms.ConceptQuery,
        answer=page_of(forms.ConceptOut),
    )
    def get(self, asked: Asked, access: OverlayAccess) -> Page:
        """Return what the student knows of the world, what came last first."""
        atlas = _atlas(access)
        shown = {plate.id: plate for plate in atlas.listing()}
        how = asked.given.get("how")
        wanted = [known for known in atlas.known.values() if known.id in shown and how in (None, known.how)]
        page = page_of_data(wanted, asked.given, id_of=lambda known: known.id)
        items = [
            {**vars(known), "name": shown[known.id].name, "kind": shown[known.id].kind}
            for known in page.items
        ]
        return replace(page, items=items)


class OneConcept(ApiView):
    @operation("concepts_read", "Show a known concept", scope=MAP, opens=opened, answer=forms.OneConceptOut)
    def get(self, asked: Asked, access: OverlayAccess, known_id: UUID) -> dict[str, Any]:
        """Return one known concept closely; of its neighbours those that are known too."""
        return _concept(access, known_id)

    @operation(
        "concepts_change",
        "Say what I think of a concept",
        scope=MAP,
        opens=opened,
        body=forms.OpinionBody,
        answer=forms.OneConceptOut,
    )
    def patch(self, asked: Asked, access: OverlayAccess, known_id: UUID) -> dict[str, Any]:
        """Write down what the student thinks of a concept. Names in the notes are brought up by it, as in a message."""
        concept = _atlas(access).details(known_id).concept.id
        services.set_opinion(access.person, access.space, concept, now=timezone.now(), **asked.given)
        return _concept(access, known_id)


def _atlas(access: OverlayAccess) -> Atlas:
    services.take_over_openings(access.person, access.space, now=timezone.now())
    return load_atlas(access.person, access.space)


def _concept(access: OverlayAccess, known_id: UUID) -> dict[str, Any]:
    atlas = _atlas(access)
    details = atlas.details(known_id)
    plate = next(plate for plate in atlas.listing() if plate.id == known_id)
    return {**vars(details), "kind": plate.kind}
