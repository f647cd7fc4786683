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
    chain = models.UUIDField(_("chain"), help_text=_("The space, or all zeros for the platform."))
    position = models.BigIntegerField(_("position"))
    at = models.DateTimeField(_("at"))
    action = models.CharField(_("action"), max_length=64)
    actor_id = models.UUIDField(_("actor"), null=True, blank=True)
    actor_label = models.CharField(_("actor's role"), max_length=64, blank=True)
    subject_type = models.CharField(_("kind of subject"), max_length=64, blank=True)
    subject_id = models.UUIDField(_("subject"), null=True, blank=True)
    data = models.JSONField(_("data"), default=dict, blank=True)
    key = models.PositiveSmallIntegerField(
        _("key"), help_text=_("Number of the audit key that the event is sealed with.")
    )
    previous_hash = models.BinaryField(_("hash before it"), max_length=32)
    hash = models.BinaryField(_("hash"), max_length=32)
    seal = models.BinaryField(_("seal"), max_length=32)

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
