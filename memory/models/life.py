"""What a person lives with: goals, what they are grateful for, moods, the measures of a day, and what the companion keeps in mind.

What is said in these rows is sealed; that they are there, and when, is metadata.
"""

from datetime import time

from django.db import models
from django.utils.translation import gettext_lazy as _

from companion_site.vault.fields import SealedJSONField, SealedTextField
from companion_site.vault.rows import SpaceForeignKey, SpaceModel
from memory.models.graph import MemoryNode


class Goal(SpaceModel):
    """What a person wants to reach or to do more often, and how it goes."""

    class State(models.TextChoices):
        ACTIVE = "active", _("Active")
        DONE = "done", _("Reached")
        DROPPED = "dropped", _("Dropped")

    class Origin(models.TextChoices):
        PERSON = "person", _("Written by the person")
        CONVERSATION = "conversation", _("Came up in a conversation")

    text = SealedTextField()
    state = models.CharField(_("state"), max_length=16, choices=State, default=State.ACTIVE)
    origin = models.CharField(_("origin"), max_length=16, choices=Origin)
    created_at = models.DateTimeField(_("set"))
    updated_at = models.DateTimeField(_("last touched"))
    closed_at = models.DateTimeField(_("closed"), null=True, blank=True)
    #: the message it came up in
    message_id = models.UUIDField(null=True, blank=True)

    class Meta(SpaceModel.Meta):
        verbose_name = _("goal")
        verbose_name_plural = _("goals")
        ordering = ["-id"]
        indexes = [models.Index(name="memory_goal_by_state", fields=["space", "state", "-updated_at"])]

    @property
    def is_active(self):
        return self.state == Goal.State.ACTIVE

    @property
    def is_reached(self):
        return self.state == Goal.State.DONE


class Note(SpaceModel):
    """Words and when they were said, in a message or written down by the person themselves."""

    text = SealedTextField()
    at = models.DateTimeField(_("said"))
    message_id = models.UUIDField(null=True, blank=True)

    class Meta(SpaceModel.Meta):
        abstract = True
        ordering = ["-id"]


class GoalNote(Note):
    """How it went with a goal, as the person told it."""

    goal = SpaceForeignKey(Goal, on_delete=models.CASCADE, related_name="notes")

    class Meta(Note.Meta):
        verbose_name = _("note on a goal")
        verbose_name_plural = _("notes on goals")
        indexes = [models.Index(name="memory_goal_notes", fields=["space", "goal", "-at"])]


class Gratitude(Note):
    """One thing that somebody is grateful for."""

    class Meta(Note.Meta):
        verbose_name = _("gratitude")
        verbose_name_plural = _("gratitude journal")
        indexes = [models.Index(name="memory_gratitude_recent", fields=["space", "-at"])]


class Mood(SpaceModel):
    """How somebody felt at one time: read from what they said, or told by themselves."""

    class Origin(models.TextChoices):
        READ = "read", _("Read from a message")
        TOLD = "told", _("Told by the person")

    at = models.DateTimeField(_("felt"))
    origin = models.CharField(_("origin"), max_length=16, choices=Origin)
    message_id = models.UUIDField(null=True, blank=True)
    #: {"primary_emotion", "intensity", "energy", "social_need", "valence": -1 to 1, "note"}
    state = SealedJSONField()

    class Meta(SpaceModel.Meta):
        verbose_name = _("mood")
        verbose_name_plural = _("mood log")
        ordering = ["-id"]
        constraints = [
            *SpaceModel.Meta.constraints,
            models.UniqueConstraint(
                name="memory_mood_of_message",
                fields=["space", "message_id", "origin"],
                condition=models.Q(message_id__isnull=False),
            ),
        ]
        indexes = [models.Index(name="memory_mood_recent", fields=["space", "-at"])]


class DailyMetric(SpaceModel):
    """One measure of one day, as a person's own device or program sent it."""

    class Name(models.TextChoices):
        SLEEP_HOURS = "sleep_hours", _("Sleep (hours)")
        STEPS = "steps", _("Steps")
        ACTIVE_MINUTES = "active_minutes", _("Active minutes")
        RESTING_PULSE = "resting_pulse", _("Resting pulse")

    day = models.DateField(_("day"))
    name = models.CharField(_("measure"), max_length=32, choices=Name)
    #: {"value": number}
    value = SealedJSONField()
    received_at = models.DateTimeField(_("received"))

    class Meta(SpaceModel.Meta):
        verbose_name = _("measure of a day")
        verbose_name_plural = _("measures of days")
        ordering = ["-id"]
        constraints = [
            *SpaceModel.Meta.constraints,
            models.UniqueConstraint(name="memory_metric_of_day", fields=["space", "day", "name"]),
        ]

    def __str__(self):
        return f"{self.get_name_display()} {self.day}"


class LifeFact(SpaceModel):
    """What a memory tells about a person's life, beyond its words: what kind of fact, and when it comes up.

    It goes where its memory goes: what is removed or superseded is no fact any more.
    """

    class Kind(models.TextChoices):
        FAMILY = "family", _("Family and friends")
        ROUTINE = "routine", _("Routine")
        HEALTH = "health", _("Health")
        PREFERENCE = "preference", _("Preference")
        APPOINTMENT = "appointment", _("Appointment")
        MEDICATION = "medication", _("Medication")
        PROMISE = "promise", _("Promise")

    node = SpaceForeignKey(MemoryNode, on_delete=models.CASCADE, related_name="life_facts")
    kind = models.CharField(_("kind"), max_length=16, choices=Kind)
    #: when it comes up: {"on": date, "at": time, "weekdays": [0..6], "every": ...}, each left out where it was not said
    detail = SealedJSONField()
    noted_at = models.DateTimeField(_("noted"))
    #: open loops: done with, or not to be brought up again
    closed_at = models.DateTimeField(_("closed"), null=True, blank=True)

    class Meta(SpaceModel.Meta):
        verbose_name = _("life fact")
        verbose_name_plural = _("life facts")
        ordering = ["-id"]
        constraints = [
            *SpaceModel.Meta.constraints,
            models.UniqueConstraint(name="memory_life_fact_of_node", fields=["space", "node", "kind"]),
        ]

    def __str__(self):
        return f"{self.get_kind_display()} {str(self.pk)[-6:]}"


class Wishes(SpaceModel):
    """How a person wants to be spoken with. One row a space; none: nothing special."""

    #: {"avoid": [topic, ...], "calm": bool}: what never to speak of, and whether high energy is disliked
    said = SealedJSONField()
    speaks = models.BooleanField(_("replies are spoken"), default=False)
    initiative_on = models.BooleanField(_("may speak first"), default=True)
    quiet_from = models.TimeField(_("quiet from"), default=time(21))
    quiet_until = models.TimeField(_("quiet until"), default=time(7))
    updated_at = models.DateTimeField(_("changed"))

    class Meta(SpaceModel.Meta):
        verbose_name = _("wishes")
        verbose_name_plural = _("wishes")
        constraints = [
            *SpaceModel.Meta.constraints,
            models.UniqueConstraint(name="memory_wishes_of_space", fields=["space"]),
        ]


class Initiative(SpaceModel):
    """The one time of a day on which the companion spoke first, unasked."""

    class Kind(models.TextChoices):
        MORNING = "morning", _("Morning greeting")
        EVENING = "evening", _("Evening summary")
        AFTER_LOW = "after_low", _("After low days")

    day = models.DateField(_("day"))
    kind = models.CharField(_("kind"), max_length=16, choices=Kind)
    shown_at = models.DateTimeField(_("shown"))
    taken_at = models.DateTimeField(_("taken up"), null=True, blank=True)
    dismissed_at = models.DateTimeField(_("dismissed"), null=True, blank=True)

    class Meta(SpaceModel.Meta):
        verbose_name = _("initiative")
        verbose_name_plural = _("initiatives")
        ordering = ["-id"]
        constraints = [
            *SpaceModel.Meta.constraints,
            models.UniqueConstraint(name="memory_initiative_once_a_day", fields=["space", "day"]),
        ]

    def __str__(self):
        return f"{self.get_kind_display()} {self.day}"
