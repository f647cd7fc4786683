"""Who and what a person tells of: people, animals, places, organisations, courses and things, one row each, and where each is spoken of."""

from django.db import models
from django.utils.translation import gettext_lazy as _

from companion_site.vault.fields import SealedTextField
from companion_site.vault.rows import SpaceForeignKey, SpaceModel
from memory.models.graph import MemoryEdge, MemoryNode


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
