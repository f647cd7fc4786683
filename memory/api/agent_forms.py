"""What programs ask of an agent's memory, and what they are told. Which nodes may be kept the memory says, not these forms."""

from typing import Any

from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from companion_site.api.fields import Moment, Strict, SwitchField, TextField, WholeField, example
from companion_site.api.paging import PageQuery
from memory.agents.episodes import SCOPES
from memory.agents.mcp.arguments import NODE_SCHEMA
from memory.agents.params import SEARCH
from memory.agents.question import ID_CHARS
from memory.models import AgentContext
from memory.models.agents import NodeType
from memory.nodes.limits import NODES_A_CALL, PATH_CHARS, TAGS
from memory.packs.exporter import MOST_CHARS

TYPES, OUTCOMES = NodeType.choices, AgentContext.Outcome.choices
PASSPHRASE_CHARS, NAME_CHARS = 1_000, 100
#: What a node says of itself; whatever need not be said may be null as well.
NODE = {
    **NODE_SCHEMA,
    "properties": {
        name: shape if name in NODE_SCHEMA["required"] else {**shape, "type": [shape["type"], "null"]}
        for name, shape in NODE_SCHEMA["properties"].items()
    },
}


@extend_schema_field(NODE)
class NodeField(serializers.JSONField):
    """A node of the wire."""


def paths(**options: Any) -> serializers.ListField:
    return serializers.ListField(child=TextField(max_length=PATH_CHARS), **options)


def tag_list() -> serializers.ListField:
    child = TextField(max_length=PATH_CHARS)
    return serializers.ListField(child=child, max_length=TAGS, default=list, help_text="With one of these.")


def _types() -> serializers.ListField:
    child = serializers.ChoiceField(TYPES)
    return serializers.ListField(
        child=child, max_length=len(TYPES), default=list, help_text="Of one of these."
    )


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

    types = _types()
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


class NodeHitsOut(serializers.Serializer):
    """Nodes, the best first, or in the order asked."""

    items = NodeHitOut(many=True)


@example("A question", {"query": "How do I close a file?", "k": 5})
class NodeSearchBody(Strict):
    """What an agent wants to know."""

    query = TextField(max_length=SEARCH.most_query_chars)
    k = WholeField(min_value=1, max_value=SEARCH.most, default=SEARCH.limit)
    types = _types()
    tags = tag_list()


@example("A task", {"scope": "task", "id": "tidy-up", "k": 5})
class RecallBody(Strict):
    """Whose episodes and frames are asked for."""

    scope = serializers.ChoiceField(SCOPES, default="recent")
    id = TextField(required=False, max_length=ID_CHARS, help_text="Of the task or the session.")
    k = WholeField(min_value=1, max_value=SEARCH.most, default=SEARCH.limit)


@example("All of it", {"include_memory": True})
class SnapshotBody(Strict):
    """What an archive is to hold."""

    include_memory = SwitchField(default=True, help_text="False: who it is and how far it has come.")


class SnapshotOut(serializers.Serializer):
    """An archive; the same state is the same archive."""

    id = serializers.UUIDField()
    hash = serializers.SerializerMethodField(help_text="Keyed, of the whole of it.")
    nodes = serializers.IntegerField()
    bytes = serializers.IntegerField(source="size")
    tick = serializers.IntegerField()
    taken_at = Moment()

    def get_hash(self, kept: Any) -> str:
        return bytes(kept.archive_hash).hex()


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
    drift = serializers.FloatField(allow_null=True)
    outcomes = serializers.IntegerField()
    utility = serializers.FloatField(allow_null=True)
    working_set = serializers.IntegerField(allow_null=True)
    resonance = serializers.FloatField(allow_null=True)


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
