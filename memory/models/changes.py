"""What was changed automatically or by hand, and memories that contradict each other."""

from django.db import models
from django.utils.translation import gettext_lazy as _

from companion_site.vault.fields import SealedJSONField
from companion_site.vault.rows import SpaceForeignKey, SpaceModel
from memory.models.graph import MemoryNode
from memory.models.runs import CompressionRun, SleepRun


class MemoryChange(SpaceModel):
    """What an automatic change did, or the person by their own hand, with what is needed to undo it."""

    class Kind(models.TextChoices):
        SUPERSEDED = "superseded", _("Superseded")
        MERGED = "merged", _("Merged")
        PRUNED = "pruned", _("Pruned")
        CONSOLIDATED = "consolidated", _("Consolidated")
        FORGOTTEN = "forgotten", _("Forgotten by the person")
        CORRECTED = "corrected", _("Corrected by the person")

    kind = models.CharField(_("kind"), max_length=16, choices=Kind)
    reason = models.CharField(_("reason"), max_length=64)
    at = models.DateTimeField(_("at"))
    node_ids = models.JSONField(_("memories"), default=list)
    before = SealedJSONField(null=True)
    run = SpaceForeignKey(
        CompressionRun, on_delete=models.PROTECT, null=True, blank=True, related_name="changes"
    )
    sleep = SpaceForeignKey(SleepRun, on_delete=models.PROTECT, null=True, blank=True, related_name="changes")
    undone_at = models.DateTimeField(_("undone"), null=True, blank=True)

    class Meta(SpaceModel.Meta):
        verbose_name = _("memory change")
        verbose_name_plural = _("memory changes")
        ordering = ["-id"]

    def __str__(self):
        return f"{self.get_kind_display()} {self.at:%Y-%m-%d}"


class Contradiction(SpaceModel):
    """Two memories that cannot both be true now, what was done about it, and whether the person has a say."""

    class FoundBy(models.TextChoices):
        VALENCE = "valence", _("Opposite feeling")
        READER = "reader", _("The words")
        MODEL = "model", _("Language model")

    class Strategy(models.TextChoices):
        NEWER_WINS = "newer_wins", _("The newer one holds")
        STRONGER_WINS = "stronger_wins", _("The stronger one holds")
        MANUAL = "manual", _("The person decides")
        MENTION = "mention", _("Only marked as perhaps out of date")

    class State(models.TextChoices):
        OPEN = "open", _("To review")
        RESOLVED = "resolved", _("Settled")
        BOTH_TRUE = "both_true", _("Both are true")

    earlier = SpaceForeignKey(MemoryNode, on_delete=models.CASCADE, related_name="contradicted_by")
    later = SpaceForeignKey(MemoryNode, on_delete=models.CASCADE, related_name="contradicts")
    found_by = models.CharField(_("found by"), max_length=16, choices=FoundBy)
    strategy = models.CharField(_("strategy"), max_length=16, choices=Strategy)
    state = models.CharField(_("state"), max_length=16, choices=State, default=State.OPEN)
    found_at = models.DateTimeField(_("found"))
    settled_at = models.DateTimeField(_("settled"), null=True, blank=True)
    change = SpaceForeignKey(
        MemoryChange, on_delete=models.PROTECT, null=True, blank=True, related_name="contradictions"
    )

    class Meta(SpaceModel.Meta):
        verbose_name = _("contradiction")
        verbose_name_plural = _("contradictions")
        ordering = ["-id"]
        constraints = [
            *SpaceModel.Meta.constraints,
            models.UniqueConstraint(name="memory_contradiction_once", fields=["space", "earlier", "later"]),
        ]

    def __str__(self):
        return f"{self.get_state_display()} {self.found_at:%Y-%m-%d}"
