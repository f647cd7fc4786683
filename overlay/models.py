"""The world that a school teaches, open in a space of its own; and each student's part of it, sealed in theirs."""

from django.core.validators import MaxValueValidator, MinValueValidator
from django.db import models
from django.utils.translation import gettext_lazy as _

from companion_site.vault.fields import SealedTextField
from companion_site.vault.rows import SpaceForeignKey, SpaceModel, SpaceQuerySet, person_key, share


class OpeningQuerySet(SpaceQuerySet):
    def standing(self):
        """Keep what has not been taken back."""
        return self.filter(closed_at__isnull=True)

    def meant_for(self, person, classes):
        """Keep what was opened for a student or for one of their classes, given by ids."""
        return self.filter(models.Q(person_id=person) | models.Q(school_class_id__in=classes))


class Concept(SpaceModel):
    """One thing of the world graph that there is to know, with the names it goes by. A row of the world's space."""

    key = models.CharField(_("key"), max_length=100, help_text=_("Its id in world files."))
    name = models.CharField(_("name"), max_length=200)
    aliases = models.JSONField(_("other names"), default=list, blank=True)
    kind = models.CharField(_("kind"), max_length=50, blank=True)
    description = models.TextField(_("description"), blank=True)
    removed_at = models.DateTimeField(_("removed"), null=True, blank=True)

    class Meta(SpaceModel.Meta):
        verbose_name = _("concept")
        verbose_name_plural = _("concepts")
        ordering = ["name", "id"]
        constraints = [
            *SpaceModel.Meta.constraints,
            models.UniqueConstraint(name="overlay_concept_key", fields=["space", "key"]),
        ]

    def __str__(self):
        return self.name

    @property
    def names(self):
        """All that it is called, its own name first."""
        return (self.name, *self.aliases)


class ConceptEdge(SpaceModel):
    """How two concepts of the world hang together. Prerequisites and parts form no cycles."""

    class Type(models.TextChoices):
        REQUIRES = "requires", _("requires")
        PART_OF = "part_of", _("is part of")
        RELATES_TO = "relates_to", _("relates to")

    source = SpaceForeignKey(Concept, on_delete=models.CASCADE, related_name="edges_out")
    target = SpaceForeignKey(Concept, on_delete=models.CASCADE, related_name="edges_in")
    type = models.CharField(_("type"), max_length=16, choices=Type)

    class Meta(SpaceModel.Meta):
        verbose_name = _("concept edge")
        verbose_name_plural = _("concept edges")
        ordering = ["id"]
        constraints = [
            *SpaceModel.Meta.constraints,
            models.UniqueConstraint(
                name="overlay_concept_edge_once", fields=["space", "source", "target", "type"]
            ),
            models.CheckConstraint(
                name="overlay_concept_edge_not_to_itself", condition=~models.Q(source=models.F("target"))
            ),
        ]

    def __str__(self):
        return self.get_type_display()

    @property
    def ends(self):
        """The ids of the concepts that it connects."""
        return self.source_id, self.target_id

    @property
    def key(self):
        """What names the edge, also after it was taken out and came back."""
        ends = (str(self.source_id), str(self.target_id))
        # What merely hangs together has no direction.
        first, second = sorted(ends) if self.type == self.Type.RELATES_TO else ends
        return f"{first} {self.type} {second}"


class Opening(SpaceModel):
    """That a concept was opened for a class or for one student. A row of the world's space."""

    class How(models.TextChoices):
        TEACHER = "teacher", _("Opened by a teacher")
        LESSON = "lesson", _("Introduced by a lesson")

    concept = SpaceForeignKey(Concept, on_delete=models.CASCADE, related_name="openings")
    school_class_id = models.UUIDField(_("class"), null=True, blank=True)
    person_id = models.UUIDField(_("student"), null=True, blank=True)
    how = models.CharField(_("how"), max_length=16, choices=How)
    opened_by = person_key(_("opened by"))
    opened_at = models.DateTimeField(_("opened"))
    closed_at = models.DateTimeField(_("taken back"), null=True, blank=True)

    objects = OpeningQuerySet.as_manager()  # type: ignore[misc]  # narrower than SpaceModel's

    class Meta(SpaceModel.Meta):
        verbose_name = _("opening")
        verbose_name_plural = _("openings")
        ordering = ["-id"]
        constraints = [
            *SpaceModel.Meta.constraints,
            models.UniqueConstraint(
                name="overlay_opening_class_once",
                fields=["space", "concept", "school_class_id"],
                condition=models.Q(closed_at__isnull=True, school_class_id__isnull=False),
            ),
            models.UniqueConstraint(
                name="overlay_opening_person_once",
                fields=["space", "concept", "person_id"],
                condition=models.Q(closed_at__isnull=True, person_id__isnull=False),
            ),
            models.CheckConstraint(
                name="overlay_opening_for_one",
                condition=models.Q(school_class_id__isnull=False, person_id__isnull=True)
                | models.Q(school_class_id__isnull=True, person_id__isnull=False),
            ),
        ]
        indexes = [
            models.Index(name="overlay_opening_of_class", fields=["space", "school_class_id"]),
            models.Index(name="overlay_opening_of_person", fields=["space", "person_id"]),
        ]

    def __str__(self):
        return f"{self.get_how_display()} {self.opened_at:%Y-%m-%d}"


class KnownConcept(SpaceModel):
    """A concept that one student knows of, with what they think of it. A row of the student's space.

    Which concept it is, is sealed: the keyed hash keeps it unique without telling it.
    """

    class How(models.TextChoices):
        TEACHER = "teacher", _("Opened by a teacher")
        LESSON = "lesson", _("Introduced by a lesson")
        PERSON = "person", _("Brought up by the student")

    concept_id = SealedTextField()
    concept_hash = models.BinaryField(max_length=32)
    how = models.CharField(_("how"), max_length=16, choices=How)
    known_at = models.DateTimeField(_("known since"))
    attitude = models.FloatField(
        _("attitude"), default=0.0, validators=[MinValueValidator(-1), MaxValueValidator(1)]
    )
    familiarity = share(_("familiarity"), default=0.0)
    notes = SealedTextField(null=True)
    changed_at = models.DateTimeField(_("changed"))

    class Meta(SpaceModel.Meta):
        verbose_name = _("known concept")
        verbose_name_plural = _("known concepts")
        ordering = ["id"]
        constraints = [
            *SpaceModel.Meta.constraints,
            models.UniqueConstraint(name="overlay_known_concept_once", fields=["space", "concept_hash"]),
            models.CheckConstraint(
                name="overlay_known_concept_ranges",
                condition=models.Q(attitude__range=(-1, 1), familiarity__range=(0, 1)),
            ),
        ]

    def __str__(self):
        return f"{self.get_how_display()} {str(self.pk)[-6:]}"


class KnownEdge(SpaceModel):
    """A connection of the world that one student has discovered. A row of the student's space."""

    edge_id = SealedTextField()
    edge_hash = models.BinaryField(max_length=32)
    known_at = models.DateTimeField(_("known since"))

    class Meta(SpaceModel.Meta):
        verbose_name = _("known edge")
        verbose_name_plural = _("known edges")
        ordering = ["id"]
        constraints = [
            *SpaceModel.Meta.constraints,
            models.UniqueConstraint(name="overlay_known_edge_once", fields=["space", "edge_hash"]),
        ]


class Repetition(SpaceModel):
    """Where something that a student was asked in a quiz lies in their boxes. A row of the student's space.

    What it is, is sealed: the keyed hash keeps it unique without telling it. Where it lay before its last question is kept, so that
    another answer to the same question counts in place of the first.
    """

    item = SealedTextField()
    item_hash = models.BinaryField(max_length=32)
    box = models.PositiveSmallIntegerField(_("box"))
    due_on = models.DateField(_("asked again from"))
    #: the reply that asked last
    question_id = models.UUIDField(_("question"))
    box_before = models.PositiveSmallIntegerField(null=True, blank=True)
    due_before = models.DateField(null=True, blank=True)

    class Meta(SpaceModel.Meta):
        verbose_name = _("repetition")
        verbose_name_plural = _("repetitions")
        ordering = ["id"]
        constraints = [
            *SpaceModel.Meta.constraints,
            models.UniqueConstraint(name="overlay_repetition_once", fields=["space", "item_hash"]),
        ]
