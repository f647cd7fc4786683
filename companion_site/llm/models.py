"""Usage of language models: one row for each call to a provider, never a word of what was said, nor who said it."""

from django.db import models
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from companion_site.ids import new_id
from companion_site.llm.types import Outcome


class LlmCall(models.Model):
    """One call to one provider: tries that failed are rows too."""

    id = models.UUIDField(primary_key=True, default=new_id, editable=False)
    provider = models.CharField(_("provider"), max_length=32)
    model = models.CharField(_("model"), max_length=128, blank=True)
    role = models.CharField(_("role"), max_length=8, choices=[("chat", _("chat")), ("fast", _("fast"))])
    purpose = models.CharField(_("purpose"), max_length=64)
    outcome = models.CharField(_("outcome"), max_length=16, choices=Outcome)
    input_tokens = models.PositiveIntegerField(_("tokens read"), default=0)
    output_tokens = models.PositiveIntegerField(_("tokens written"), default=0)
    cached_tokens = models.PositiveIntegerField(_("tokens from the cache"), default=0)
    duration_ms = models.PositiveIntegerField(_("duration (ms)"))
    first_token_ms = models.PositiveIntegerField(_("time to the first token (ms)"), null=True, blank=True)
    at = models.DateTimeField(_("time"), default=timezone.now)

    class Meta:
        verbose_name = _("language-model call")
        verbose_name_plural = _("language-model calls")
        ordering = ["-at", "-id"]
        indexes = [models.Index(fields=["at"], name="llm_call_at")]
        constraints = [
            models.CheckConstraint(
                name="llm_call_outcome_known", condition=models.Q(outcome__in=Outcome.values)
            ),
        ]

    def __str__(self) -> str:
        return f"{self.provider} {self.model} {self.purpose} {self.outcome}"
