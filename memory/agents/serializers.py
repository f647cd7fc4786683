"""What programs ask of an agent's memory, and what they are told: REST, its description and the tools of MCP are made of these.

What is asked is bounded here and nowhere else; which nodes may be kept the memory says itself (`memory.nodes`).
"""

from typing import Any

from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from companion_site.api.fields import (
    HexField,
    IdField,
    Moment,
    Strict,
    SwitchField,
    TextField,
    WholeField,
    example,
)
from companion_site.api.paging import PageQuery
from memory.agents.context_store import FORMAT_CHARS, MOST_FRAMES, MOST_NODES
from memory.agents.episodes import SCOPES
from memory.agents.frames import KINDS
from memory.agents.params import CONTEXT, SEARCH
from memory.agents.question import ID_CHARS, TEXT_CHARS
from memory.models import AgentContext
from memory.models.agents import NodeType
from memory.nodes import NODES_A_CALL, PATH_CHARS, TAGS
from memory.packs.exporter import MOST_CHARS

TYPES, OUTCOMES = NodeType.choices, AgentContext.Outcome.choices
PASSPHRASE_CHARS, NAME_CHARS = 1_000, 100


def _or_null(kind: str, **more: Any) -> dict[str, Any]:
    return {"type": [kind, "null"], **more}


@extend_schema_field(
    {
        "type": "object",
        "description": "One thing to remember, known by its path.",
        "required": ["id", "type"],
        "properties": {
            "id": {
                "type": "string",
                "description": "Path: lower-case segments joined by dots, e.g. skill.python.closures",
            },
            "type": {"type": "string", "enum": list(NodeType.values)},
            "label": _or_null("string"),
            "payload": _or_null(
                "object",
                description="definition, examples, anti_patterns, code, tests, outcome...; long text goes into details",
            ),
            "links": _or_null(
                "array",
                items={
                    "type": "object",
                    "required": ["to"],
                    "properties": {
                        "to": {"type": "string"},
                        "rel": {"type": "string"},
                        "w": {"type": "number", "minimum": 0, "maximum": 1},
                    },
                },
            ),
            "children": _or_null("object", additionalProperties={"type": "string"}),
            "tags": _or_null("array", items={"type": "string"}),
            "stats": _or_null("object"),
            "resonance": _or_null("object"),
            "meta": _or_null(
                "object", description="source: where it comes from; task, session: what it belongs to"
            ),
        },
    }
)
class NodeField(serializers.JSONField):
    """A node of the wire."""


@extend_schema_field({"type": ["object", "array", "string", "number", "boolean"]})
class DataField(serializers.JSONField):
    """What a frame holds: any value of JSON."""


def paths(**options: Any) -> serializers.ListField:
    return serializers.ListField(child=TextField(max_length=PATH_CHARS), **options)


def tag_list() -> serializers.ListField:
    child = TextField(max_length=PATH_CHARS)
    text = "With one of these."
    return serializers.ListField(child=child, max_length=TAGS, default=list, allow_null=True, help_text=text)


def type_list() -> serializers.ListField:
    return serializers.ListField(
        child=serializers.ChoiceField(TYPES),
        max_length=len(TYPES),
        default=list,
        allow_null=True,
        help_text="Of one of these.",
    )


def most_found() -> WholeField:
    return WholeField(min_value=1, max_value=SEARCH.most, default=SEARCH.limit, help_text="At the most.")


class ProfileOut(serializers.Serializer):
    """What an agent is told of itself."""

    identity = serializers.CharField(allow_blank=True)
    persona = serializers.CharField(allow_blank=True)
    domain_tags = serializers.ListField(child=serializers.CharField())
    constraints = serializers.CharField(allow_blank=True)


class AgentOut(serializers.Serializer):
    """The agent whose token it is."""

    space = serializers.UUIDField(source="space_id")
    name = serializers.CharField()
    profile = ProfileOut()
    tick = serializers.IntegerField(help_text="Contexts built so far.")
    created_at = Moment()


class NodeOut(serializers.Serializer):
    """A node as it is now."""

    id = serializers.CharField(help_text="Its path.")
    type = serializers.ChoiceField(TYPES)
    label = serializers.CharField()
    payload = serializers.DictField()
    links = serializers.ListField(child=serializers.DictField())
    children = serializers.DictField(child=serializers.CharField())
    tags = serializers.ListField(child=serializers.CharField())
    stats = serializers.DictField()
    resonance = serializers.DictField()
    meta = serializers.DictField()


@example("Skills of a domain", {"types": ["skill"]})
class NodeListBody(PageQuery):
    """Which nodes are asked for. In the body, not in the address: paths and tags are sealed, addresses are logged."""

    types = type_list()
    tags = tag_list()
    prefix = TextField(
        required=False, max_length=PATH_CHARS, help_text="At this path or below: `skill.python`."
    )


@example(
    "A skill and what it is about",
    {
        "nodes": [
            {
                "id": "skill.python.closing-files",
                "type": "skill",
                "payload": {"definition": "A with statement closes a file whatever happens."},
                "links": [{"to": "concept.resource", "rel": "about", "w": 0.8}],
                "tags": ["python"],
            },
            {"id": "concept.resource", "type": "concept"},
        ]
    },
)
class UpsertBody(Strict):
    """Nodes to remember, all of them or none."""

    nodes = serializers.ListField(child=NodeField(), max_length=NODES_A_CALL)
    merge = SwitchField(default=True, help_text="Add to what is known of a node; false replaces it.")


class UpsertedOut(serializers.Serializer):
    """What became of the nodes that were sent."""

    created = serializers.IntegerField()
    changed = serializers.IntegerField()
    unchanged = serializers.IntegerField()
    ids = serializers.ListField(child=serializers.CharField(), help_text="Their paths, in the order sent.")


@example("One", {"ids": ["skill.python.files"]})
class NodesBody(Strict):
    """Nodes by their paths."""

    ids = paths(max_length=NODES_A_CALL)


@example("Gone", {"id": "concept.forgettable"})
class NodeBody(Strict):
    """One node of the agent's own by its path."""

    id = TextField(max_length=PATH_CHARS)


class NodeHitOut(serializers.Serializer):
    """A node, and where it stands: in the agent's own memory, or in a pack, named by its key."""

    node = NodeOut()
    score = serializers.FloatField()
    source = serializers.CharField(help_text="`own`, or the key of the pack.")


@example("A question", {"query": "How do I close a file?", "k": 5})
class NodeSearchBody(Strict):
    """What an agent wants to know."""

    query = TextField(max_length=SEARCH.most_query_chars)
    k = most_found()
    types = type_list()
    tags = tag_list()


@example("A task", {"scope": "task", "id": "tidy-up", "k": 5})
class RecallBody(Strict):
    """Whose episodes and frames are asked for."""

    scope = serializers.ChoiceField(SCOPES, default="recent")
    id = TextField(
        required=False,
        allow_null=True,
        max_length=ID_CHARS,
        help_text="Of the task or the session; left out for recent.",
    )
    k = most_found()


class FrameOut(serializers.Serializer):
    """One block of a context."""

    kind = serializers.ChoiceField(KINDS)
    format = serializers.CharField()
    data = DataField(allow_null=True)


class RecalledFrameOut(FrameOut):
    """A frame that was saved, and with what."""

    task_id = serializers.CharField()
    saved_at = Moment()
    outcome = serializers.CharField(allow_blank=True)


class RecalledNodesOut(serializers.Serializer):
    """What happened before, the newest first."""

    nodes = NodeOut(many=True)
    frames = RecalledFrameOut(many=True)


class TaskBody(Strict):
    """What an agent is working on."""

    id = TextField(max_length=ID_CHARS)
    tags = tag_list()
    problem = TextField(required=False, allow_blank=True, max_length=TEXT_CHARS)
    constraints = TextField(required=False, allow_blank=True, max_length=TEXT_CHARS)


@example(
    "A task",
    {"query": "How do I close a file?", "task": {"id": "tidy-up", "tags": ["python"]}, "budget_tokens": 4000},
)
class BuildBody(Strict):
    """What a context is wanted for."""

    query = TextField(max_length=SEARCH.most_query_chars)
    task = TaskBody()
    budget_tokens = WholeField(min_value=CONTEXT.least_budget, max_value=CONTEXT.most_budget)
    persona = TextField(
        required=False,
        allow_blank=True,
        max_length=PATH_CHARS,
        help_text="Path or name; empty for none; left out for that of the profile.",
    )
    save = SwitchField(default=True, help_text="Keep it, which is one tick of the agent's memory.")


class FramesOut(serializers.Serializer):
    """The six frames, in their order; one without anything to say is empty."""

    identity = serializers.CharField(allow_blank=True)
    problem = serializers.CharField(allow_blank=True)
    knowledge = serializers.DictField(help_text="Nodes by the segments of their paths.")
    episodic = serializers.CharField(allow_blank=True)
    constraints = serializers.CharField(allow_blank=True)
    scratchpad = serializers.CharField(allow_blank=True)


class LitOut(serializers.Serializer):
    """A node that stands in a context, and what its score is made of."""

    path = serializers.CharField()
    type = serializers.ChoiceField(TYPES)
    score = serializers.FloatField()
    terms = serializers.DictField(child=serializers.FloatField())
    trust = serializers.FloatField()
    source = serializers.CharField()


class ContextStatsOut(serializers.Serializer):
    """What can be counted of a context."""

    covered = serializers.BooleanField(allow_null=True)
    drift = serializers.FloatField(allow_null=True)
    sparse = serializers.BooleanField()
    candidates = serializers.IntegerField()
    tick = serializers.IntegerField()
    working_set = serializers.IntegerField()
    resonance = serializers.FloatField()


class BuiltOut(serializers.Serializer):
    """A context for a task."""

    frames = FramesOut()
    nodes = LitOut(many=True)
    tokens = serializers.IntegerField()
    stats = ContextStatsOut()


class FrameBody(Strict):
    """One block of a context."""

    kind = serializers.ChoiceField(KINDS)
    format = TextField(
        required=False, max_length=FORMAT_CHARS, help_text="Such as `markdown` or `hdod.json`."
    )
    data = DataField(allow_null=True, help_text="Text, or a nested dictionary for knowledge.")


@example(
    "Notes",
    {
        "task_id": "tidy-up",
        "frames": [{"kind": "scratchpad", "data": "Plan: close every file."}],
        "outcome": "helped",
    },
)
class SaveBody(Strict):
    """Frames to keep for a task, all of them or none."""

    task_id = TextField(max_length=ID_CHARS)
    frames = serializers.ListField(child=FrameBody(), max_length=MOST_FRAMES)
    nodes = paths(max_length=MOST_NODES, default=list, help_text="Paths of what stands in the frames.")
    client_id = IdField(
        required=False,
        allow_null=True,
        help_text="Given by the program: the same again is kept once, something else refused.",
    )
    outcome = serializers.ChoiceField(
        OUTCOMES, default="", allow_blank=True, help_text="Whether the context was of use, once it is known."
    )


class ContextOut(serializers.Serializer):
    """A context that was kept, in numbers."""

    id = serializers.UUIDField(source="pk")
    client_id = serializers.UUIDField(allow_null=True)
    tick = serializers.IntegerField()
    tokens = serializers.IntegerField()
    covered = serializers.BooleanField(allow_null=True)
    drift = serializers.FloatField(allow_null=True)
    working_set = serializers.IntegerField(allow_null=True)
    resonance = serializers.FloatField(allow_null=True)
    outcome = serializers.CharField(allow_blank=True)
    saved_at = Moment()


class OneContextOut(ContextOut):
    """A context that was kept."""

    task_id = serializers.CharField(source="content.task_id")
    frames = FrameOut(source="content.frames", many=True)
    nodes = serializers.ListField(source="content.nodes", child=serializers.CharField())


@example("All of it", {"include_memory": True})
class SnapshotBody(Strict):
    """What an archive is to hold."""

    include_memory = SwitchField(default=True, help_text="False: who it is and how far it has come.")


class SnapshotOut(serializers.Serializer):
    """An archive; the same state is the same archive."""

    id = serializers.UUIDField()
    hash = HexField(source="archive_hash", read_only=True, help_text="Keyed, of the whole of it.")
    nodes = serializers.IntegerField()
    bytes = serializers.IntegerField(source="size")
    tick = serializers.IntegerField()
    taken_at = Moment()


class OneSnapshotOut(SnapshotOut):
    """An archive with all that it holds: agent, nodes, contexts."""

    archive = serializers.DictField()


class FiguresQuery(Strict):
    """Of which time figures are asked for."""

    since = Moment(required=False, help_text="Without it, the last thirty days.")


class FiguresOut(serializers.Serializer):
    """What a span of time came to; null where there is nothing to count."""

    day = serializers.DateField(allow_null=True)
    contexts = serializers.IntegerField()
    coverage = serializers.FloatField(allow_null=True)
    drift = serializers.FloatField(source="distance", allow_null=True)
    outcomes = serializers.IntegerField()
    utility = serializers.FloatField(allow_null=True)
    working_set = serializers.IntegerField(source="held", allow_null=True)
    resonance = serializers.FloatField(source="warmth", allow_null=True)


class ObservedOut(serializers.Serializer):
    """The figures of a span of time, and of its days on the site's clock."""

    total = FiguresOut()
    days = FiguresOut(many=True)


@example("All of it", {"passphrase": "a stitch in time", "name": "Backup"})
class ExportBody(Strict):
    """Which nodes are given out, and how."""

    selection = TextField(
        default="all", max_length=MOST_CHARS, help_text="`all`, or parts such as `domain:python, type:skill`."
    )
    passphrase = TextField(max_length=PASSPHRASE_CHARS, help_text="What the pack is encrypted with.")
    name = TextField(default="backup", max_length=NAME_CHARS, help_text="What the pack is called.")
