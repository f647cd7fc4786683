"""The ledger: what must never be lost or blurred, kept word for word in revisions; and alerts without a word."""

from django.db import models
from django.utils.translation import gettext_lazy as _

from companion_site.ids import new_id
from companion_site.vault.fields import SealedJSONField, SealedTextField
from companion_site.vault.rows import SpaceForeignKey, SpaceModel, SpaceQuerySet, person_key, share, unexpired


class EntryQuerySet(SpaceQuerySet):
    def current(self):
        """Keep the last revision of each entry."""
        return self.filter(superseded_at__isnull=True)

    def live(self, now):
        """Keep what holds at `now`: the last revisions that are active and have not expired."""
        return self.current().filter(unexpired(now), is_active=True)


class LedgerEntry(SpaceModel):
    """One revision of one entry. What it says is never changed: a change is a new revision that supersedes it."""

    class Category(models.TextChoices):
        PROMISE = "promise", _("Promise")
        SECRET = "secret", _("Secret")
        DEBT = "debt", _("Debt")
        THREAT = "threat", _("Threat")
        FACT = "fact", _("Fact")
        INSTRUCTION = "instruction", _("Instruction")
        OBSERVATION = "observation", _("Observation")

    class Trust(models.TextChoices):
        PERSON = "person", _("Said by the person")
        TEACHER = "teacher", _("Observed by a teacher")
        SYSTEM = "system", _("Recorded by a system")

    #: the same for all revisions of an entry
    entry_id = models.UUIDField(_("entry"), default=new_id)
    revision = models.PositiveIntegerField(_("revision"), default=1)
    category = models.CharField(_("category"), max_length=16, choices=Category)
    trust = models.CharField(_("trust"), max_length=16, choices=Trust, default=Trust.PERSON)
    content = SealedTextField()
    summary = SealedTextField()
    triggers = SealedJSONField()
    trigger_entities = SealedJSONField()
    content_hash = models.BinaryField(max_length=32)
    importance = share(_("importance"))
    trigger_threshold = share(_("trigger threshold"), default=0.5)
    is_active = models.BooleanField(_("active"), default=True)
    expires_at = models.DateTimeField(_("expires"), null=True, blank=True)
    # The memory it was promoted from, by plain id: the ledger knows nothing of the graph.
    node_id = models.UUIDField(_("memory"), null=True, blank=True)
    recorded_at = models.DateTimeField(_("recorded"))
    superseded_at = models.DateTimeField(_("superseded"), null=True, blank=True)
    superseded_by = SpaceForeignKey(
        "self", on_delete=models.PROTECT, null=True, blank=True, related_name="supersedes"
    )

    objects = EntryQuerySet.as_manager()  # type: ignore[misc]  # narrower than SpaceModel's

    class Meta(SpaceModel.Meta):
        verbose_name = _("ledger entry")
        verbose_name_plural = _("ledger entries")
        ordering = ["-id"]
        constraints = [
            *SpaceModel.Meta.constraints,
            models.UniqueConstraint(name="ledger_entry_revision", fields=["space", "entry_id", "revision"]),
            models.UniqueConstraint(
                name="ledger_entry_one_current",
                fields=["space", "entry_id"],
                condition=models.Q(superseded_at__isnull=True),
            ),
            models.UniqueConstraint(
                name="ledger_entry_said_once",
                fields=["space", "category", "content_hash"],
                condition=models.Q(superseded_at__isnull=True, is_active=True),
            ),
            models.CheckConstraint(
                name="ledger_entry_shares",
                condition=models.Q(importance__range=(0, 1), trigger_threshold__range=(0, 1)),
            ),
        ]
        indexes = [
            models.Index(
                name="ledger_entry_current",
                fields=["space", "category"],
                condition=models.Q(superseded_at__isnull=True),
            )
        ]

    def __str__(self):
        return f"{self.get_category_display()} {str(self.entry_id)[-6:]}"


class ThreatAlert(SpaceModel):
    """That something threatening was said in a student's space: when, never what."""

    #: the message or box that it was said in, or the ledger entry that was written by hand
    source_id = models.UUIDField(_("source"))
    said_at = models.DateTimeField(_("said"))
    seen_at = models.DateTimeField(_("seen"), null=True, blank=True)
    seen_by = person_key(_("seen by"))

    class Meta(SpaceModel.Meta):
        verbose_name = _("threat alert")
        verbose_name_plural = _("threat alerts")
        ordering = ["-id"]
        constraints = [
            *SpaceModel.Meta.constraints,
            models.UniqueConstraint(name="ledger_alert_once", fields=["space", "source_id"]),
        ]

    def __str__(self):
        return f"{self.said_at:%Y-%m-%d %H:%M}"
