"""What programs are told of a student's map, and what they may say of it. What is unknown is never named."""

from drf_spectacular.utils import OpenApiExample, extend_schema_field, extend_schema_serializer
from rest_framework import serializers

from companion_site.api.fields import Moment, NumberField, Strict, TextField
from companion_site.api.paging import PageQuery
from overlay.details import Neighbour
from overlay.models import KnownConcept
from overlay.params import PARAMS


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
    relation = serializers.SerializerMethodField()
    discovered = serializers.BooleanField(source="is_discovered")

    @extend_schema_field(serializers.CharField())
    def get_relation(self, neighbour: Neighbour) -> str:
        return str(neighbour.relation)


class OneConceptOut(ConceptOut):
    """A known concept closely."""

    id = serializers.UUIDField(source="known.id")
    name = serializers.CharField(source="concept.name")
    kind = serializers.CharField(allow_blank=True)
    how = serializers.ChoiceField(KnownConcept.How.choices, source="known.how")
    known_at = Moment(source="known.known_at")
    attitude = serializers.FloatField(source="known.attitude", help_text="-1 to 1.")
    familiarity = serializers.FloatField(source="known.familiarity", help_text="0 to 1.")
    notes = serializers.CharField(source="known.notes", allow_blank=True)
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
    concepts = PlaceOut(many=True)
    fog = serializers.CharField(allow_blank=True, help_text="One shape, as an SVG path.")
    discovered = serializers.CharField(allow_blank=True, help_text="Edges, as an SVG path.")
    undiscovered = serializers.CharField(allow_blank=True, help_text="Edges, as an SVG path.")
    into_fog = serializers.CharField(allow_blank=True, help_text="Edges, as an SVG path.")
    is_part = serializers.BooleanField(help_text="Whether there is more of the world than is drawn.")


@extend_schema_serializer(
    examples=[OpenApiExample("I like it", value={"attitude": 0.5, "notes": "The lab was fun."})]
)
class OpinionBody(Strict):
    """What the student thinks of a concept; what is left out stays."""

    attitude = NumberField(required=False, min_value=-1, max_value=1)
    familiarity = NumberField(required=False, min_value=0, max_value=1)
    notes = TextField(required=False, allow_blank=True, max_length=PARAMS.notes_chars)
