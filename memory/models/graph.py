"""A student's memory: nodes with their sources, edges and vectors, and whom and what they speak of."""

from django.core.validators import MaxValueValidator, MinValueValidator
from django.db import models
from django.utils.translation import gettext_lazy as _

from companion_site.vault.fields import BytesField, SealedTextField, SealedVectorField
from companion_site.vault.rows import SpaceForeignKey, SpaceModel, share
from memory.querysets import NodeQuerySet


class MemoryNode(SpaceModel):
    """One discrete memory. Its words are sealed; its shape is not."""

    class Modality(models.TextChoices):
        EPISODIC = "episodic", _("Event")
        SEMANTIC = "semantic", _("Fact")
        PROCEDURAL = "procedural", _("Way of working")
        EMOTIONAL = "emotional", _("Feeling")
        SENSORY = "sensory", _("Impression")

    class Tier(models.TextChoices):
        SHORT_TERM = "short_term", _("Short-term")
        LONG_TERM = "long_term", _("Long-term")

    class Category(models.TextChoices):
        NONE = "", _("None")
        BACKGROUND = "background", _("Background")
        STRENGTHS = "strengths", _("Strengths")
        STRUGGLES = "struggles", _("Struggles")
        GOALS = "goals", _("Goals")

    class Trust(models.TextChoices):
        """Who vouches for it; text of low trust never becomes an instruction."""

        PERSON = "person", _("Said by the person")
        TEACHER = "teacher", _("Observed by a teacher")
        SYSTEM = "system", _("Recorded by a system")
        DERIVED = "derived", _("Derived from other memories")

    content = SealedTextField(null=True)
    content_hash = BytesField(max_length=32)
    modality = models.CharField(_("modality"), max_length=16, choices=Modality)
    tier = models.CharField(_("tier"), max_length=16, choices=Tier, default=Tier.SHORT_TERM)
    category = models.CharField(
        _("category"), max_length=16, choices=Category, blank=True, default=Category.NONE
    )
    trust = models.CharField(_("trust"), max_length=16, choices=Trust)
    language = models.CharField(_("language"), max_length=5)
    salience = share(_("salience"), help_text=_("Importance when it formed; does not decay."))
    gravity = share(_("gravity"), help_text=_("Importance as of the last access; decays from there."))
    confidence = share(_("confidence"))
    strength = share(_("strength"), default=0.0, help_text=_("Summed weight of its edges, normalised."))
    valence = models.FloatField(
        _("valence"), default=0.0, validators=[MinValueValidator(-1), MaxValueValidator(1)]
    )
    formed_at = models.DateTimeField(_("formed"))
    accessed_at = models.DateTimeField(_("last accessed"))
    expires_at = models.DateTimeField(_("expires"), null=True, blank=True)
    slept_over_at = models.DateTimeField(_("covered by sleep"), null=True, blank=True)
    #: how many sleeps could not cover it; what none can is kept word for word
    sleep_tries = models.PositiveSmallIntegerField(_("sleeps that left it"), default=0)
    superseded_at = models.DateTimeField(_("superseded"), null=True, blank=True)
    superseded_by = SpaceForeignKey(
        "self", on_delete=models.PROTECT, null=True, blank=True, related_name="supersedes"
    )
    # The tombstone: id, times and hash stay for good, the content for 30 days.
    removed_at = models.DateTimeField(_("removed"), null=True, blank=True)
    merged_into = SpaceForeignKey(
        "self", on_delete=models.PROTECT, null=True, blank=True, related_name="merged_from"
    )
    content_until = models.DateTimeField(_("content kept until"), null=True, blank=True)
    #: it speaks of danger, so it comes up by its own topic only, and nothing is made of it
    of_danger = models.BooleanField(_("of danger"), default=False)
    version = models.BigIntegerField(help_text=_("The space's version in which this row last changed."))

    objects = NodeQuerySet.as_manager()  # type: ignore[misc]  # a narrower query set than SpaceModel's

    class Meta(SpaceModel.Meta):
        verbose_name = _("memory")
        verbose_name_plural = _("memories")
        ordering = ["-id"]
        constraints = [
            *SpaceModel.Meta.constraints,
            models.UniqueConstraint(
                name="memory_node_said_once",
                fields=["space", "content_hash"],
                condition=models.Q(superseded_at__isnull=True, removed_at__isnull=True),
            ),
            models.CheckConstraint(
                name="memory_node_shares",
                condition=models.Q(
                    salience__range=(0, 1),
                    gravity__range=(0, 1),
                    confidence__range=(0, 1),
                    strength__range=(0, 1),
                )
                & models.Q(valence__range=(-1, 1)),
            ),
        ]
        indexes = [models.Index(name="memory_node_version", fields=["space", "version"])]

    def __str__(self):
        return f"{self.get_modality_display()} {str(self.pk)[-6:]}"


class MemorySource(SpaceModel):
    """One place a memory came from: who said what, in which message, where in its text.

    Points to the message by plain id: the words of a conversation may go while the memory stays.
    """

    class Kind(models.TextChoices):
        MESSAGE = "message", _("Message")
        LESSON = "lesson", _("Lesson")
        PROMPT_RUN = "prompt_run", _("Prompt run")
        OBSERVATION = "observation", _("Observation")
        TRANSCRIPT = "transcript", _("Session transcript")

    node = SpaceForeignKey(MemoryNode, on_delete=models.CASCADE, related_name="sources")
    kind = models.CharField(_("kind"), max_length=16, choices=Kind)
    source_id = models.UUIDField(_("source"))
    conversation_id = models.UUIDField(_("conversation"), null=True, blank=True)
    position = models.IntegerField(_("position"), default=0)
    start = models.IntegerField(_("from character"))
    end = models.IntegerField(_("to character"))
    said_at = models.DateTimeField(_("said"))
    speaker = SealedTextField(null=True)

    class Meta(SpaceModel.Meta):
        verbose_name = _("memory source")
        verbose_name_plural = _("memory sources")
        ordering = ["id"]
        constraints = [
            *SpaceModel.Meta.constraints,
            models.UniqueConstraint(
                name="memory_source_once", fields=["space", "node", "kind", "source_id", "start"]
            ),
            models.CheckConstraint(
                name="memory_source_span", condition=models.Q(start__gte=0, end__gte=models.F("start"))
            ),
        ]
        indexes = [models.Index(name="memory_source_origin", fields=["space", "source_id"])]

    def __str__(self):
        return f"{self.kind} {self.source_id}"


class VectorRow(SpaceModel):
    """The vector of something under one embedding model; several may stand side by side while models change."""

    model = models.CharField(_("embedding model"), max_length=100)
    dimension = models.PositiveIntegerField(_("dimension"))

    class Meta(SpaceModel.Meta):
        abstract = True
        ordering = ["id"]

    def __str__(self):
        return f"{self.model} {self.dimension}"


class MemoryVector(VectorRow):
    """A memory's vector under one embedding model."""

    node = SpaceForeignKey(MemoryNode, on_delete=models.CASCADE, related_name="vectors")
    vector = SealedVectorField()

    class Meta(VectorRow.Meta):
        verbose_name = _("memory vector")
        verbose_name_plural = _("memory vectors")
        constraints = [
            *SpaceModel.Meta.constraints,
            models.UniqueConstraint(name="memory_vector_once", fields=["space", "node", "model"]),
        ]


class MemoryEdge(SpaceModel):
    """A typed, weighted relation between two memories."""

    class Type(models.TextChoices):
        PRECEDES = "PRECEDES", _("precedes")
        CAUSES = "CAUSES", _("causes")
        ENABLES = "ENABLES", _("enables")
        RELATES_TO = "RELATES_TO", _("relates to")
        CONTRADICTS = "CONTRADICTS", _("contradicts")
        SUPPORTS = "SUPPORTS", _("supports")
        REFINES = "REFINES", _("refines")
        ABSTRACTS = "ABSTRACTS", _("abstracts")
        EVOKES = "EVOKES", _("evokes")
        REMINDS_OF = "REMINDS_OF", _("reminds of")
        INVOLVES = "INVOLVES", _("involves")
        ABOUT = "ABOUT", _("is about")
        LOCATED_AT = "LOCATED_AT", _("is located at")

    CATEGORIES = {
        "temporal": (Type.PRECEDES, Type.CAUSES, Type.ENABLES),
        "semantic": (Type.RELATES_TO, Type.CONTRADICTS, Type.SUPPORTS, Type.REFINES, Type.ABSTRACTS),
        "emotional": (Type.EVOKES, Type.REMINDS_OF),
        "entity": (Type.INVOLVES, Type.ABOUT, Type.LOCATED_AT),
    }

    source = SpaceForeignKey(MemoryNode, on_delete=models.CASCADE, related_name="edges_out")
    target = SpaceForeignKey(MemoryNode, on_delete=models.CASCADE, related_name="edges_in")
    type = models.CharField(_("type"), max_length=16, choices=Type)
    weight = share(_("weight"))
    formed_at = models.DateTimeField(_("formed"))
    version = models.BigIntegerField(help_text=_("The space's version in which this row last changed."))

    class Meta(SpaceModel.Meta):
        verbose_name = _("edge")
        verbose_name_plural = _("edges")
        ordering = ["id"]
        constraints = [
            *SpaceModel.Meta.constraints,
            models.UniqueConstraint(name="memory_edge_once", fields=["space", "source", "target", "type"]),
            models.CheckConstraint(
                name="memory_edge_weight", condition=models.Q(weight__gte=0, weight__lte=1)
            ),
            models.CheckConstraint(
                name="memory_edge_not_to_itself", condition=~models.Q(source=models.F("target"))
            ),
        ]
        indexes = [models.Index(name="memory_edge_version", fields=["space", "version"])]

    def __str__(self):
        return self.get_type_display()


class Entity(SpaceModel):
    """One person, animal, place, organisation, course or thing that memories are about. Its names are sealed."""

    class Kind(models.TextChoices):
        PERSON = "person", _("Person")
        ANIMAL = "animal", _("Animal")
        PLACE = "place", _("Place")
        ORGANISATION = "organisation", _("School, club or company")
        COURSE = "course", _("Subject or course")
        THING = "thing", _("Thing")

    kind = models.CharField(_("kind"), max_length=16, choices=Kind)
    #: as it was first written; None while only known by what it is to the person
    name = SealedTextField(null=True)
    #: what it is to the person, in their own words: "brother", "dog", "maths teacher"
    relation = SealedTextField(null=True)
    formed_at = models.DateTimeField(_("formed"))

    class Meta(SpaceModel.Meta):
        verbose_name = _("entity")
        verbose_name_plural = _("entities")
        ordering = ["id"]

    def __str__(self):
        return f"{self.get_kind_display()} {str(self.pk)[-6:]}"


class EntityMention(SpaceModel):
    """That a memory speaks of an entity, how, and by which of its words: an edge from a memory to who or what it is about."""

    TYPES = MemoryEdge.CATEGORIES["entity"]

    node = SpaceForeignKey(MemoryNode, on_delete=models.CASCADE, related_name="mentions")
    entity = SpaceForeignKey(Entity, on_delete=models.CASCADE, related_name="mentions")
    type = models.CharField(
        _("type"), max_length=16, choices=[(str(kind.value), kind.label) for kind in TYPES]
    )
    #: the words in the memory that name it: the reason why this edge is there
    start = models.PositiveIntegerField(_("from character"))
    end = models.PositiveIntegerField(_("to character"))
    version = models.BigIntegerField(help_text=_("The space's version in which this row last changed."))

    class Meta(SpaceModel.Meta):
        verbose_name = _("mention")
        verbose_name_plural = _("mentions")
        ordering = ["id"]
        constraints = [
            *SpaceModel.Meta.constraints,
            models.UniqueConstraint(name="memory_mention_once", fields=["space", "node", "entity"]),
            models.CheckConstraint(
                name="memory_mention_span", condition=models.Q(end__gte=models.F("start"))
            ),
        ]
        indexes = [
            models.Index(name="memory_mention_entity", fields=["space", "entity"]),
            models.Index(name="memory_mention_version", fields=["space", "version"]),
        ]

    def __str__(self):
        return self.get_type_display()
