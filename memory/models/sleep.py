"""What sleep did: one row for each try at one batch of short-term memories, in numbers alone."""

from django.db import models
from django.utils.translation import gettext_lazy as _

from companion_site.vault.rows import SpaceModel
from memory.models.graph import share


class SleepRun(SpaceModel):
    """One try at taking a batch of short-term memories into long-term ones, and what came of it."""

    class Trigger(models.TextChoices):
        SCHEDULED = "scheduled", _("After a session")
        CONTINUED = "continued", _("Work was left")
        REQUESTED = "requested", _("Asked for by the person")

    class State(models.TextChoices):
        WAITING = "waiting", _("Waiting")
        RUNNING = "running", _("Running")
        SUCCESS = "success", _("Done")
        PARTIAL = "partial", _("Done in part")
        FAILED = "failed", _("Failed")

    trigger = models.CharField(_("trigger"), max_length=16, choices=Trigger)
    state = models.CharField(_("state"), max_length=16, choices=State, default=State.WAITING)
    requested_at = models.DateTimeField(_("requested"))
    started_at = models.DateTimeField(_("started"), null=True, blank=True)
    finished_at = models.DateTimeField(_("finished"), null=True, blank=True)
    progress = share(_("progress"), default=0.0)
    #: 1 for the first try at a batch
    attempt = models.PositiveSmallIntegerField(_("try"), default=1)
    processed = models.PositiveIntegerField(_("memories looked at"), default=0)
    covered = models.PositiveIntegerField(_("taken into insights"), default=0)
    left = models.PositiveIntegerField(_("left short-term"), default=0)
    let_go = models.PositiveIntegerField(_("of no lasting importance"), default=0)
    created = models.PositiveIntegerField(_("insights made"), default=0)
    updated = models.PositiveIntegerField(_("insights renewed"), default=0)
    #: insights by category
    categories = models.JSONField(_("categories"), default=dict)
    error = models.CharField(_("error"), max_length=64, blank=True)
    provider = models.CharField(_("provider"), max_length=32, blank=True)
    model = models.CharField(_("model"), max_length=128, blank=True)
    input_tokens = models.PositiveIntegerField(_("tokens read"), default=0)
    output_tokens = models.PositiveIntegerField(_("tokens written"), default=0)
    duration_ms = models.PositiveIntegerField(_("duration (ms)"), null=True, blank=True)
    commit_ms = models.PositiveIntegerField(_("writing (ms)"), null=True, blank=True)
    reviewed_at = models.DateTimeField(_("failure looked at"), null=True, blank=True)

    class Meta(SpaceModel.Meta):
        verbose_name = _("sleep run")
        verbose_name_plural = _("sleep runs")
        ordering = ["-id"]
        constraints = [
            *SpaceModel.Meta.constraints,
            models.UniqueConstraint(
                name="memory_sleep_one_at_a_time",
                fields=["space"],
                condition=models.Q(state__in=["waiting", "running"]),
            ),
        ]

    def __str__(self):
        return f"{self.get_trigger_display()} {self.requested_at:%Y-%m-%d %H:%M}"
