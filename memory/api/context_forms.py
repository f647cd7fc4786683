"""What programs ask of an agent's contexts, and what they are told."""

from rest_framework import serializers

from companion_site.api.fields import IdField, Moment, Strict, SwitchField, TextField, WholeField, example
from memory.agents.context_store import FORMAT_CHARS, MOST_FRAMES, MOST_NODES
from memory.agents.contexts import CONTEXT
from memory.agents.frames import KINDS
from memory.agents.params import SEARCH
from memory.agents.question import ID_CHARS, TEXT_CHARS
from memory.api.agent_forms import OUTCOMES, TYPES, NodeOut, paths, tag_list
from memory.nodes.limits import PATH_CHARS


class FrameOut(serializers.Serializer):
    """One block of a context."""

    kind = serializers.ChoiceField(KINDS)
    format = serializers.CharField()
    data = serializers.JSONField(allow_null=True)


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
    {
        "query": "How do I close a file?",
        "task": {"id": "tidy-up", "tags": ["python"]},
        "budget_tokens": 4000,
    },
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
    format = TextField(required=False, max_length=FORMAT_CHARS, help_text="Such as `markdown`.")
    data = serializers.JSONField(allow_null=True, help_text="Text, or a nested dictionary for knowledge.")


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
    frames = FrameBody(many=True, max_length=MOST_FRAMES)
    nodes = paths(max_length=MOST_NODES, default=list, help_text="Paths of what stands in the frames.")
    client_id = IdField(required=False, help_text="Given by the program: the same one again is kept once.")
    outcome = serializers.ChoiceField(OUTCOMES, required=False, help_text="Once it is known.")


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
