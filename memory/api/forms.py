"""What programs ask of a student's memory, and what they are told."""

from typing import Any
from uuid import UUID

from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from companion_site.api.fields import Moment, NumberField, Strict, SwitchField, TextField, WholeField, example
from companion_site.api.paging import PageQuery
from memory.models import MemoryChange, MemoryEdge, MemoryNode, MemorySource
from memory.params import RETRIEVAL
from memory.student.corrections import LONGEST
from memory.student.pages.filters import GraphFilter
from memory.student.pages.selectors import Shown
from memory.student.recall.retrieval import BOTH, CATEGORIES, TIERS

MODALITIES, TIER_CHOICES = MemoryNode.Modality.choices, MemoryNode.Tier.choices
EDGE_CATEGORIES = tuple(MemoryEdge.CATEGORIES)


class MemoryQuery(PageQuery):
    """Which memories are asked for; without more, all that hold now."""

    modality = serializers.ChoiceField(MODALITIES, required=False)
    tier = serializers.ChoiceField(TIER_CHOICES, required=False)
    category = serializers.ChoiceField(CATEGORIES, required=False, help_text="Of long-term memory.")
    as_of = Moment(required=False, help_text="As it was at that moment.")
    history = SwitchField(default=False, help_text="With what was replaced or removed.")


class GraphQuery(Strict):
    """Which part of the graph is asked for."""

    modality = serializers.ChoiceField(MODALITIES, required=False)
    tier = serializers.ChoiceField(TIER_CHOICES, required=False)
    category = serializers.ChoiceField(CATEGORIES, required=False)
    as_of = Moment(required=False)
    history = SwitchField(default=False)


def as_filter(given: dict[str, Any]) -> GraphFilter:
    """Return what is asked for, as the pages ask for it."""
    names = ("modality", "tier", "category", "as_of", "history")
    return GraphFilter(**{name: given[name] for name in names if name in given})


@example("A question", {"query": "What do I find hard in physics?", "limit": 5})
class LookUpBody(Strict):
    """What to look for; without a query the most important and most recent."""

    query = TextField(
        required=False,
        allow_blank=True,
        max_length=RETRIEVAL.most_query_chars,
        help_text="In the body, not in the address: addresses are logged on the way.",
    )
    tier = serializers.ChoiceField(TIERS, default=BOTH)
    category = serializers.ChoiceField(CATEGORIES, required=False, help_text="Of long-term memory.")
    limit = WholeField(min_value=1, max_value=RETRIEVAL.most, default=RETRIEVAL.limit)
    min_score = NumberField(min_value=0, max_value=1, default=0.0)


class FoundOut(serializers.Serializer):
    """A memory that answers a question; `terms` say what its score is made of."""

    id = serializers.UUIDField()
    text = serializers.CharField()
    tier = serializers.ChoiceField(TIER_CHOICES)
    category = serializers.CharField(allow_blank=True)
    score = serializers.FloatField()
    terms = serializers.DictField(child=serializers.FloatField())
    created_at = Moment(source="created")
    importance = serializers.FloatField()
    confidence = serializers.FloatField()


class FoundListOut(serializers.Serializer):
    """What was found, the most relevant first."""

    items = FoundOut(many=True)


class OriginOut(serializers.Serializer):
    """Where a memory came from."""

    kind = serializers.ChoiceField(MemorySource.Kind.choices)
    source = serializers.UUIDField(source="source_id")
    conversation = serializers.UUIDField(source="conversation_id", allow_null=True)
    said_at = Moment()


class MemoryOut(serializers.Serializer):
    """A memory as it is now. `text` is null once its words have gone."""

    id = serializers.UUIDField()
    text = serializers.CharField(allow_null=True)
    modality = serializers.ChoiceField(MODALITIES)
    tier = serializers.ChoiceField(TIER_CHOICES)
    category = serializers.CharField(allow_blank=True)
    trust = serializers.ChoiceField(MemoryNode.Trust.choices)
    gravity = serializers.FloatField()
    confidence = serializers.FloatField()
    valence = serializers.FloatField()
    formed_at = Moment()
    expires_at = Moment(allow_null=True)
    ended_at = Moment(allow_null=True, help_text="When it stopped being believed.")
    superseded_by = serializers.UUIDField(allow_null=True)
    merged_into = serializers.UUIDField(allow_null=True)
    replaces = serializers.ListField(child=serializers.UUIDField())
    sources = OriginOut(source="origins", many=True)


class RelatedOut(serializers.Serializer):
    """A memory that hangs together with another."""

    id = serializers.UUIDField(source="memory.id")
    text = serializers.CharField(source="memory.text", allow_null=True)
    how = serializers.CharField(source="label")


class OneMemoryOut(serializers.Serializer):
    """A memory with what it is made of, what it replaced and what it hangs together with."""

    memory = MemoryOut(source="moment.memory")
    undo = serializers.UUIDField(
        source="moment.change", allow_null=True, help_text="The change that can be undone to have it back."
    )
    made_of = MemoryOut(many=True)
    replaced = MemoryOut(many=True)
    related = RelatedOut(many=True)


@example("Put right", {"text": "My sister Maja plays the cello."})
class CorrectionBody(Strict):
    """How it really is."""

    text = TextField(max_length=LONGEST)


class ChangeQuery(PageQuery):
    """Which changes are asked for."""

    kind = serializers.ChoiceField(MemoryChange.Kind.choices, required=False)
    undone = SwitchField(required=False)


class ChangeOut(serializers.Serializer):
    """Something that changed in a memory, by itself or by hand."""

    id = serializers.UUIDField(source="pk")
    kind = serializers.ChoiceField(MemoryChange.Kind.choices)
    reason = serializers.CharField()
    at = Moment()
    undone_at = Moment(allow_null=True)
    memories = serializers.SerializerMethodField()

    @extend_schema_field(serializers.ListField(child=serializers.UUIDField()))
    def get_memories(self, change: MemoryChange) -> list[str]:
        return list(change.node_ids)


class DotOut(serializers.Serializer):
    """A memory in the picture of the graph."""

    id = serializers.UUIDField(source="memory.id")
    text = serializers.CharField(source="memory.text", allow_null=True)
    modality = serializers.ChoiceField(MODALITIES, source="memory.modality")
    tier = serializers.ChoiceField(TIER_CHOICES, source="memory.tier")
    gravity = serializers.FloatField(source="memory.gravity")
    x = serializers.FloatField()
    y = serializers.FloatField()


class LineOut(serializers.Serializer):
    """How two memories hang together."""

    source = serializers.UUIDField()
    target = serializers.UUIDField()
    category = serializers.ChoiceField(EDGE_CATEGORIES)
    weight = serializers.FloatField()


class GraphOut(serializers.Serializer):
    """The graph as it is drawn: of many memories the heaviest."""

    nodes = DotOut(many=True)
    edges = LineOut(many=True)
    total = serializers.IntegerField(help_text="Memories that hold now.")


def id_of(shown: Shown) -> UUID:
    return shown.id
