"""A student's memory over the REST API: parse, authorise, call a service, tell."""

from typing import Any
from uuid import UUID

from django.db.models import Q
from django.utils import timezone
from django.utils.translation import gettext as _
from rest_framework import serializers

from companion_site.accounts.access import Access, student_access
from companion_site.accounts.tokens import Scope
from companion_site.api.fields import Moment, NumberField, Strict, SwitchField, TextField, WholeField, example
from companion_site.api.operations import Asked, Endpoints, Made, list_of, opening
from companion_site.api.paging import Page, PageQuery, page_of_data, page_of_rows
from companion_site.embeddings.service import get_embedder
from companion_site.errors import InvalidInput
from companion_site.vault.scope import space_scope
from memory.models import MemoryChange, MemoryEdge, MemoryNode, MemorySource
from memory.params import RETRIEVAL
from memory.student import corrections, undo
from memory.student.corrections import LONGEST
from memory.student.pages.filters import GraphFilter
from memory.student.pages.memories import present_memory
from memory.student.pages.picture import Picture, current_set, draw_picture, is_held, is_of_kind
from memory.student.pages.selectors import fill_in, load_shapes
from memory.student.recall.retrieval import BOTH, CATEGORIES, TIERS, RetrievalOptions, retrieve

MODALITIES, TIER_CHOICES = MemoryNode.Modality.choices, MemoryNode.Tier.choices
#: Of edges between memories; "entity" is of what leads from a memory to who or what it is about.
EDGE_CATEGORIES = tuple(name for name in MemoryEdge.CATEGORIES if name != "entity")


class GraphQuery(Strict):
    """Which part of a memory is asked for; without more, all that holds now."""

    modality = serializers.ChoiceField(MODALITIES, required=False)
    tier = serializers.ChoiceField(TIER_CHOICES, required=False)
    category = serializers.ChoiceField(CATEGORIES, required=False, help_text="Of long-term memory.")
    as_of = Moment(required=False, help_text="As it was at that moment.")
    history = SwitchField(default=False, help_text="With what was replaced or removed.")


class MemoryQuery(PageQuery, GraphQuery):
    """Which memories are asked for; without more, all that hold now."""


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

    id = serializers.UUIDField(source="memory.id")
    text = serializers.CharField()
    tier = serializers.ChoiceField(TIER_CHOICES, source="memory.tier")
    category = serializers.CharField(source="memory.category", allow_blank=True)
    score = serializers.FloatField()
    terms = serializers.DictField(child=serializers.FloatField())
    created_at = Moment(source="created")
    importance = serializers.FloatField(source="memory.salience")
    confidence = serializers.FloatField(source="memory.confidence")


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
    memories = serializers.ListField(child=serializers.UUIDField(), source="node_ids", read_only=True)


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


MEMORY = "memories/<uuid:memory_id>"
memory = Endpoints(scope=Scope.MEMORY_READ, opens=opening(student_access))


@memory.get("memories", "List memories", query=MemoryQuery, pages=MemoryOut)
def list_memories(asked: Asked, access: Access) -> Page:
    """Return memories with their words and sources, the last formed first."""
    filtered = as_filter(asked.given)
    shapes = load_shapes(access.space, Q(), now=timezone.now())
    wanted = [shape for shape in shapes if is_of_kind(shape, filtered) and is_held(shape, filtered)]
    page = page_of_data(wanted, asked.given, id_of=lambda shape: shape.id)
    return Page(fill_in(access.space, page.items), page.next)


@memory.post(
    "memories/search",
    "Search memories by a question",
    body=LookUpBody,
    answer=list_of(FoundOut),
    repeats="harmless",
)
def search_memories(asked: Asked, access: Access) -> dict[str, Any]:
    """Return what a question calls to mind, the most relevant first. Nothing is changed by it."""
    options = RetrievalOptions(**asked.given)
    if options.category and options.tier == MemoryNode.Tier.SHORT_TERM:
        raise InvalidInput(_("Only long-term memories have a category."))
    found = retrieve(
        current_set(access.space),
        options,
        embedder=get_embedder(),
        own_name=access.person.display_name,
        now=timezone.now(),
    )
    return {"items": found}


@memory.get(MEMORY, "Show a memory", answer=OneMemoryOut)
def show_memory(asked: Asked, access: Access, memory_id: UUID) -> dict[str, Any]:
    """Return one memory with its sources, what it replaced and what it hangs together with."""
    return present_memory(access.space, memory_id, now=timezone.now())


@memory.delete(MEMORY, "Forget a memory", answer=ChangeOut, refuses=[409], scope=Scope.MEMORY_WRITE)
def forget_memory(asked: Asked, access: Access, memory_id: UUID) -> MemoryChange:
    """Forget a memory. The change that is answered can be undone for some days."""
    return corrections.forget_memory(access.space, memory_id, now=timezone.now(), actor=access.person)


@memory.post(
    f"{MEMORY}/corrections",
    "Put a memory right",
    body=CorrectionBody,
    answer=OneMemoryOut,
    status=201,
    repeats="known",
    scope=Scope.MEMORY_WRITE,
)
def correct_memory(asked: Asked, access: Access, memory_id: UUID) -> Made:
    """Put other words in a memory's place; return the memory that holds now. The old words are kept as history."""
    newer = corrections.correct_memory(
        access.space,
        memory_id,
        text=asked.given["text"],
        embedder=get_embedder(),
        now=timezone.now(),
        actor=access.person,
    )
    return Made(present_memory(access.space, newer, now=timezone.now()), "show_memory", (newer,))


@memory.get("memories/changes", "List changes", query=ChangeQuery, pages=ChangeOut)
def list_changes(asked: Asked, access: Access) -> Page:
    """Return what changed in the memory, by itself or by hand, the latest first."""
    with space_scope(access.space):
        rows = MemoryChange.objects.for_space(access.space).defer("before")
        if "kind" in asked.given:
            rows = rows.filter(kind=asked.given["kind"])
        if "undone" in asked.given:
            rows = rows.filter(undone_at__isnull=not asked.given["undone"])
        return page_of_rows(rows, asked.given)


@memory.post(
    "memories/changes/<uuid:change_id>/undo",
    "Undo a change",
    answer=ChangeOut,
    repeats="whole",
    scope=Scope.MEMORY_WRITE,
)
def undo_change(asked: Asked, access: Access, change_id: UUID) -> MemoryChange:
    """Undo one change, whatever made it. Twice is once."""
    return undo.undo_change(access.space, change_id, now=timezone.now(), actor=access.person)


@memory.get("memories/graph", "Show the graph", query=GraphQuery, answer=GraphOut)
def show_graph(asked: Asked, access: Access) -> dict[str, Any]:
    """Return memories and edges with their places in the picture."""
    return _graph(draw_picture(access.space, as_filter(asked.given), now=timezone.now()))


def _graph(picture: Picture) -> dict[str, object]:
    """Return what of a picture is asked for: what only a time slider would bring up stays out."""
    seen = [dot.seen for dot in picture.dots]
    ids = [dot.memory.id for dot in picture.dots]
    return {
        "nodes": [dot for dot in picture.dots if dot.seen],
        "edges": [
            {
                "source": ids[line.first],
                "target": ids[line.second],
                "category": line.category,
                "weight": line.weight,
            }
            for line in picture.lines
            if seen[line.first] and seen[line.second]
        ],
        "total": picture.total,
    }
