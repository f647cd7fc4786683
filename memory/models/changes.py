"""What was changed in a memory automatically or by hand, memories that contradict each other, and work on a whole memory, in numbers alone:
one row for each compression, and for each try of a sleep at one batch.
"""

from django.db import models
from django.utils.translation import gettext_lazy as _

from companion_site.vault.fields import SealedJSONField
from companion_site.vault.rows import SpaceForeignKey, SpaceModel, share
from memory.models.graph import MemoryNode


class Run(SpaceModel):
    """Work that one worker does at a time for each space."""

    WAITING, RUNNING = OPEN = ("waiting", "running")

    state: models.CharField
    requested_at = models.DateTimeField(_("requested"))
    started_at = models.DateTimeField(_("started"), null=True, blank=True)
    finished_at = models.DateTimeField(_("finished"), null=True, blank=True)
    progress = share(_("progress"), default=0.0)

    class Meta(SpaceModel.Meta):
        abstract = True
        ordering = ["-id"]

    def __str__(self):
        return f"{self.get_trigger_display()} {self.requested_at:%Y-%m-%d %H:%M}"  # type: ignore[attr-defined]  # each has one

    @property
    def is_open(self):
        """Whether it waits or works."""
        return self.state in Run.OPEN


class CompressionRun(Run):
    """One compression of a space: why, how far it has come, and what it left and lost."""

    class Trigger(models.TextChoices):
        SESSION_END = "session_end", _("End of a session")
        TOO_MANY = "too_many", _("Too many memories")
        REQUESTED = "requested", _("Asked for by the person")

    class State(models.TextChoices):
        WAITING = "waiting", _("Waiting")
        RUNNING = "running", _("Running")
        DONE = "done", _("Done")
        FAILED = "failed", _("Failed")

    trigger = models.CharField(_("trigger"), max_length=16, choices=Trigger)
    state = models.CharField(_("state"), max_length=16, choices=State, default=State.WAITING)
    cycles = models.PositiveIntegerField(_("cycles"), default=0)
    #: counts and sums before and after: nodes, edges, gravity
    before = models.JSONField(_("before"), default=dict)
    after = models.JSONField(_("after"), default=dict)
    #: the entropy loss vector in bits, one number for each modality, and what was pruned and merged
    loss = models.JSONField(_("loss"), default=dict)
    integrity_hash = models.CharField(_("integrity hash"), max_length=64, blank=True)

    class Meta(Run.Meta):
        verbose_name = _("compression run")
        verbose_name_plural = _("compression runs")
        constraints = [
            *SpaceModel.Meta.constraints,
            models.UniqueConstraint(
                name="memory_compression_one_at_a_time",
                fields=["space"],
                condition=models.Q(state__in=["waiting", "running"]),
            ),
        ]

    @property
    def is_done(self):
        return self.state == self.State.DONE

    @property
    def pruned(self):
        return self.loss.get("pruned", {}).get("nodes", 0)

    @property
    def merged(self):
        return self.loss.get("merged", {}).get("nodes", 0)


class SleepRun(Run):
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

    class Meta(Run.Meta):
        verbose_name = _("sleep run")
        verbose_name_plural = _("sleep runs")
        constraints = [
            *SpaceModel.Meta.constraints,
            models.UniqueConstraint(
                name="memory_sleep_one_at_a_time",
                fields=["space"],
                condition=models.Q(state__in=["waiting", "running"]),
            ),
        ]

    @property
    def is_partial(self):
        return self.state == self.State.PARTIAL

    @property
    def has_failed(self):
        return self.state == self.State.FAILED

    @property
    def found_nothing(self):
        return not (self.is_open or self.has_failed or self.processed)

    @property
    def kept(self):
        """How many memories were taken into long-term memory word for word."""
        return max(0, self.processed - self.covered - self.let_go - self.left)

    @property
    def parts(self):
        """How many insights there are of each category."""
        found = self.categories
        return [(str(part.label), found[part]) for part in MemoryNode.Category if part in found]


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
