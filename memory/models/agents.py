"""What an agent remembers: nodes by path, what they were used for, and the contexts built of them. Rows of its sealed space.

Which nodes there are and how they hang together is content: ids are paths, and paths tell. Uniqueness and look-up go by
keyed hash; types, times, counts and numbers stay readable.
"""

from django.db import models
from django.utils.translation import gettext_lazy as _

from companion_site.vault.fields import BytesField, SealedJSONField, SealedTextField, SealedVectorField
from companion_site.vault.rows import SpaceForeignKey, SpaceModel, share
from memory.models.graph import VectorRow


class NodeType(models.TextChoices):
    """What a node is, in an agent's memory and in a knowledge pack alike."""

    CONCEPT = "concept", _("Concept")
    SKILL = "skill", _("Skill")
    FACT = "fact", _("Fact")
    SNIPPET = "snippet", _("Snippet")
    PATTERN = "pattern", _("Pattern")
    EPISODE = "episode", _("Episode")
    TOOL = "tool", _("Tool")
    PERSONA = "persona", _("Persona")
    TASK = "task", _("Task")


class Agent(SpaceModel):
    """The agent whose space this is."""

    name = SealedTextField()
    #: {"identity": str, "persona": str, "domain_tags": [str], "constraints": str}
    profile = SealedJSONField()
    #: counts contexts built; resonance decays by it
    tick = models.PositiveBigIntegerField(_("contexts built"), default=0)
    created_at = models.DateTimeField(_("created"))

    class Meta(SpaceModel.Meta):
        verbose_name = _("agent")
        verbose_name_plural = _("agents")
        constraints = [
            *SpaceModel.Meta.constraints,
            models.UniqueConstraint(name="memory_agent_one", fields=["space"]),
        ]


class AgentKey(SpaceModel):
    """What opens the space of an agent that this space's person owns. A row of the person's own space.

    Through it their recovery code brings the agent back too.
    """

    agent_space_id = models.UUIDField(_("agent's space"))
    name = SealedTextField()
    slot_id = models.UUIDField(_("key slot"))
    secret = SealedTextField()
    created_at = models.DateTimeField(_("created"))

    class Meta(SpaceModel.Meta):
        verbose_name = _("agent's key")
        verbose_name_plural = _("agents' keys")
        ordering = ["id"]
        constraints = [
            *SpaceModel.Meta.constraints,
            models.UniqueConstraint(name="memory_agent_key_once", fields=["space", "agent_space_id"]),
        ]


class AgentNode(SpaceModel):
    """One node of an agent's memory, found by the keyed hash of its path."""

    path_hash = BytesField(max_length=32)
    type = models.CharField(_("type"), max_length=16, choices=NodeType)
    #: but for its type {"id": path, "label", "payload", "links": [{"to", "rel", "w"}], "children": {name: path}, "tags": [str], "meta"}
    content = SealedJSONField()
    #: keyed hash of the task that an episode belongs to
    task_hash = BytesField(max_length=32, null=True)
    #: keyed hash of the source that its meta names
    source_hash = BytesField(max_length=32, null=True)
    uses = models.PositiveIntegerField(_("uses"), default=0)
    last_used_at = models.DateTimeField(_("last used"), null=True, blank=True)
    resonance = models.FloatField(_("resonance"), default=0.0, help_text=_("As of the tick noted beside it."))
    resonance_tick = models.PositiveBigIntegerField(_("resonance as of tick"), default=0)
    decay = share(_("decay"), default=0.98, help_text=_("What is left of its resonance a tick later."))
    created_at = models.DateTimeField(_("created"))
    changed_at = models.DateTimeField(_("changed"))
    removed_at = models.DateTimeField(_("removed"), null=True, blank=True)
    version = models.BigIntegerField(help_text=_("The space's version in which this row last changed."))

    class Meta(SpaceModel.Meta):
        verbose_name = _("agent's node")
        verbose_name_plural = _("agents' nodes")
        ordering = ["id"]
        constraints = [
            *SpaceModel.Meta.constraints,
            models.UniqueConstraint(name="memory_agent_node_path", fields=["space", "path_hash"]),
            models.CheckConstraint(
                name="memory_agent_node_numbers",
                condition=models.Q(decay__range=(0, 1), resonance__gte=0),
            ),
        ]
        indexes = [
            models.Index(name="memory_agent_node_version", fields=["space", "version"]),
            models.Index(name="memory_agent_node_task", fields=["space", "task_hash", "-id"]),
        ]

    def __str__(self):
        return f"{self.get_type_display()} {str(self.pk)[-6:]}"


class AgentVector(VectorRow):
    """A node's vector under one embedding model."""

    node = SpaceForeignKey(AgentNode, on_delete=models.CASCADE, related_name="vectors")
    vector = SealedVectorField()

    class Meta(VectorRow.Meta):
        verbose_name = _("agent's vector")
        verbose_name_plural = _("agents' vectors")
        constraints = [
            *SpaceModel.Meta.constraints,
            models.UniqueConstraint(name="memory_agent_vector_once", fields=["space", "node", "model"]),
        ]


class AgentSource(SpaceModel):
    """A source of nodes (a pack, a program, a person) and whether what came from it was of use."""

    name = SealedTextField()
    name_hash = BytesField(max_length=32)
    shown = models.PositiveIntegerField(_("times shown"), default=0)
    helped = models.PositiveIntegerField(_("times of use"), default=0)

    class Meta(SpaceModel.Meta):
        verbose_name = _("agent's source")
        verbose_name_plural = _("agents' sources")
        ordering = ["id"]
        constraints = [
            *SpaceModel.Meta.constraints,
            models.UniqueConstraint(name="memory_agent_source_once", fields=["space", "name_hash"]),
        ]


class AgentContext(SpaceModel):
    """A context that was built or saved for a task: its frames, sealed, and what can be counted of it.

    A save that is sent twice, known by its `client_id`, is one.
    """

    class Outcome(models.TextChoices):
        HELPED = "helped", _("Helped")
        FAILED = "failed", _("Failed")

    task_hash = BytesField(max_length=32)
    client_id = models.UUIDField(_("client's id"), null=True, blank=True)
    #: {"task_id", "frames": [{"kind", "format", "data"}], "nodes": [path], "shown"?: scores and terms of the nodes}
    content = SealedJSONField()
    tick = models.PositiveBigIntegerField(_("tick"))
    tokens = models.PositiveIntegerField(_("tokens"), default=0)
    #: the knowledge frame holds a concept of the active domain
    covered = models.BooleanField(_("covers the domain"), null=True)
    #: cosine distance of the query and the three best knowledge nodes
    drift = models.FloatField(_("drift"), null=True)
    working_set = models.PositiveIntegerField(_("nodes in the working set"), null=True)
    resonance = models.FloatField(_("mean resonance"), null=True)
    outcome = models.CharField(_("outcome"), max_length=8, choices=Outcome, blank=True)
    saved_at = models.DateTimeField(_("saved"))

    class Meta(SpaceModel.Meta):
        verbose_name = _("agent's context")
        verbose_name_plural = _("agents' contexts")
        ordering = ["-id"]
        constraints = [
            *SpaceModel.Meta.constraints,
            models.UniqueConstraint(
                name="memory_agent_context_once",
                fields=["space", "client_id"],
                condition=models.Q(client_id__isnull=False),
            ),
        ]
        indexes = [
            models.Index(name="memory_agent_context_task", fields=["space", "task_hash", "-id"]),
            models.Index(name="memory_agent_context_time", fields=["space", "saved_at"]),
        ]


class AgentSnapshot(SpaceModel):
    """An archive of everything at one moment: nodes, links, resonance, frames. It never changes."""

    site_may = ("SELECT", "INSERT")

    #: {"agent", "nodes", "contexts"} as they were, in the form of `memory.agents.snapshots`
    archive = SealedJSONField()
    #: keyed hash of the archive's text: the same state is known again
    archive_hash = BytesField(max_length=32)
    nodes = models.PositiveIntegerField(_("nodes"))
    size = models.PositiveIntegerField(_("bytes"))
    tick = models.PositiveBigIntegerField(_("tick"))
    taken_at = models.DateTimeField(_("taken"))

    class Meta(SpaceModel.Meta):
        verbose_name = _("agent's snapshot")
        verbose_name_plural = _("agents' snapshots")
        ordering = ["-id"]

    def __str__(self):
        return f"{self.taken_at:%Y-%m-%d %H:%M}"
