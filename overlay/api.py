"""A student's map over the REST API: parse, authorise, call a service, tell. What is unknown is never named."""

from dataclasses import replace
from typing import Any
from uuid import UUID

from django.utils import timezone
from rest_framework import serializers

from companion_site.accounts.access import Access, student_access
from companion_site.accounts.tokens import Scope
from companion_site.api.fields import Moment, NumberField, Strict, TextField, example
from companion_site.api.operations import Asked, Endpoints, opening
from companion_site.api.paging import Page, PageQuery, page_of_data
from overlay import services
from overlay.atlas import Atlas, load_atlas
from overlay.models import KnownConcept
from overlay.params import PARAMS
from overlay.picture import Picture


class ConceptQuery(PageQuery):
    """Which known concepts are asked for."""

    how = serializers.ChoiceField(KnownConcept.How.choices, required=False)


class ConceptOut(serializers.Serializer):
    """A concept that the student knows; its id says nothing of which one it is."""

    id = serializers.UUIDField()
    name = serializers.CharField()
    kind = serializers.CharField(allow_blank=True)
    how = serializers.ChoiceField(KnownConcept.How.choices)
    known_at = Moment()
    attitude = serializers.FloatField(help_text="-1 to 1.")
    familiarity = serializers.FloatField(help_text="0 to 1.")


class NeighbourOut(serializers.Serializer):
    """A known concept that another hangs together with."""

    id = serializers.UUIDField()
    name = serializers.CharField()
    relation = serializers.CharField()
    discovered = serializers.BooleanField(source="is_discovered")


class OneConceptOut(ConceptOut):
    """A known concept closely."""

    notes = serializers.CharField(allow_blank=True)
    description = serializers.CharField(allow_blank=True)
    neighbours = NeighbourOut(many=True)
    has_fog = serializers.BooleanField(help_text="Whether something unknown hangs together with it.")
    retired = serializers.BooleanField(source="is_retired")


class PlaceOut(serializers.Serializer):
    """A known concept on the map."""

    id = serializers.UUIDField()
    name = serializers.CharField()
    kind = serializers.CharField(allow_blank=True)
    x = serializers.IntegerField()
    y = serializers.IntegerField()
    radius = serializers.IntegerField()


class MapOut(serializers.Serializer):
    """The map: what is known by its name, everything else as fog."""

    width = serializers.IntegerField()
    height = serializers.IntegerField()
    concepts = PlaceOut(many=True, source="plates")
    fog = serializers.CharField(allow_blank=True, help_text="One shape, as an SVG path.")
    discovered = serializers.CharField(allow_blank=True, help_text="Edges, as an SVG path.")
    undiscovered = serializers.CharField(allow_blank=True, help_text="Edges, as an SVG path.")
    into_fog = serializers.CharField(allow_blank=True, help_text="Edges, as an SVG path.")
    is_part = serializers.BooleanField(help_text="Whether there is more of the world than is drawn.")


@example("I like it", {"attitude": 0.5, "notes": "The lab was fun."})
class OpinionBody(Strict):
    """What the student thinks of a concept; what is left out stays."""

    attitude = NumberField(required=False, min_value=-1, max_value=1)
    familiarity = NumberField(required=False, min_value=0, max_value=1)
    notes = TextField(required=False, allow_blank=True, max_length=PARAMS.notes_chars)


world = Endpoints(scope=Scope.MAP, opens=opening(student_access))


@world.get("map", "Show the map", answer=MapOut)
def show_map(asked: Asked, access: Access) -> Picture:
    """Return the student's map as it is drawn; an empty one where nothing of the world is known yet."""
    return _atlas(access).picture() or Picture()


@world.get("map/concepts", "List known concepts", query=ConceptQuery, pages=ConceptOut)
def list_concepts(asked: Asked, access: Access) -> Page:
    """Return what the student knows of the world, what came last first."""
    atlas = _atlas(access)
    shown = {plate.id: plate for plate in atlas.listing()}
    how = asked.given.get("how")
    wanted = [known for known in atlas.known.values() if known.id in shown and how in (None, known.how)]
    page = page_of_data(wanted, asked.given, id_of=lambda known: known.id)
    items = [
        {**vars(known), "name": shown[known.id].name, "kind": shown[known.id].kind} for known in page.items
    ]
    return replace(page, items=items)


@world.get("map/concepts/<uuid:known_id>", "Show a known concept", answer=OneConceptOut)
def show_concept(asked: Asked, access: Access, known_id: UUID) -> dict[str, Any]:
    """Return one known concept closely; of its neighbours those that are known too."""
    return _concept(access, known_id)


@world.patch(
    "map/concepts/<uuid:known_id>", "Say what I think of a concept", body=OpinionBody, answer=OneConceptOut
)
def change_concept(asked: Asked, access: Access, known_id: UUID) -> dict[str, Any]:
    """Write down what the student thinks of a concept. Names in the notes are brought up by it, as in a message."""
    concept = _atlas(access).details(known_id).concept.id
    services.set_opinion(access.person, access.space, concept, now=timezone.now(), **asked.given)
    return _concept(access, known_id)


def _atlas(access: Access) -> Atlas:
    services.take_over_openings(access.person, access.space, now=timezone.now())
    return load_atlas(access.person, access.space)


def _concept(access: Access, known_id: UUID) -> dict[str, Any]:
    atlas = _atlas(access)
    details = atlas.details(known_id)
    plate = next(plate for plate in atlas.listing() if plate.id == known_id)
    return {**vars(details), **vars(details.known), "name": details.concept.name, "kind": plate.kind}


urlpatterns = world.urls
