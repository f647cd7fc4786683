"""What a program is answered again when it sends the same request again."""

from django.db import models
from django.utils.translation import gettext_lazy as _

from companion_site.vault.fields import BytesField, SealedTextField
from companion_site.vault.rows import SpaceModel


class KeptAnswer(SpaceModel):
    """The answer to one request that came with an Idempotency-Key; without a status while it is being made.

    A row of the token's own space. Key and request are kept as hashes of that space, the answer is sealed in it.
    """

    token_id = models.UUIDField(_("token"))
    key_hash = BytesField(max_length=32)
    request_hash = BytesField(max_length=32)
    status = models.PositiveSmallIntegerField(_("status"), null=True, blank=True)
    body = SealedTextField(null=True)
    begun_at = models.DateTimeField(_("begun"))

    class Meta(SpaceModel.Meta):
        verbose_name = _("kept answer")
        verbose_name_plural = _("kept answers")
        ordering = ["-id"]
        constraints = [
            *SpaceModel.Meta.constraints,
            models.UniqueConstraint(name="api_answer_once", fields=["space", "token_id", "key_hash"]),
        ]
        indexes = [models.Index(name="api_answer_begun", fields=["space", "begun_at"])]

    def __str__(self):
        return f"{self.status or '…'} {self.begun_at:%Y-%m-%d %H:%M}"
