"""The record of what happened: one hash chain per space and one for the platform."""

from django.db import models
from django.utils.translation import gettext_lazy as _

from companion_site.ids import new_id

#: What an erasure is recorded as, in the chain of the space that was erased.
ERASED = "vault.space_closed"


class AuditEvent(models.Model):
    """One thing that happened, without a word of content.

    Not a row of a space but a row about one: it outlives the space, so `chain` is a plain UUID. The site's database
    role may read and insert, nothing else.
    """

    belongs_to_space = False
    site_may = ("SELECT", "INSERT")

    id = models.UUIDField(primary_key=True, default=new_id, editable=False)
    chain = models.UUIDField(help_text=_("The space, or all zeros for the platform."))
    position = models.BigIntegerField()
    at = models.DateTimeField()
    action = models.CharField(max_length=64)
    actor_id = models.UUIDField(null=True, blank=True)
    actor_label = models.CharField(max_length=64, blank=True)
    subject_type = models.CharField(max_length=64, blank=True)
    subject_id = models.UUIDField(null=True, blank=True)
    data = models.JSONField(default=dict, blank=True)
    key = models.PositiveSmallIntegerField(
        help_text=_("Number of the audit key that the event is sealed with; 0 from before there were keys.")
    )
    previous_hash = models.BinaryField(max_length=32)
    hash = models.BinaryField(max_length=32)
    seal = models.BinaryField(max_length=32)

    class Meta:
        verbose_name = _("audit event")
        verbose_name_plural = _("audit events")
        ordering = ["-id"]
        constraints = [
            models.UniqueConstraint(fields=["chain", "position"], name="audit_event_position"),
        ]
        indexes = [
            models.Index(name="audit_event_erasures", fields=["id"], condition=models.Q(action=ERASED)),
        ]

    def __str__(self):
        return f"{self.action} #{self.position}"
