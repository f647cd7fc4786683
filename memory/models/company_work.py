"""What was read for a company's memory and what was refused, and the compressions of it."""

from django.db import models
from django.utils.translation import gettext_lazy as _

from companion_site.vault.fields import ContentTextField
from companion_site.vault.rows import SpaceForeignKey, SpaceModel

#: What became of what an extraction found, in the order in which it is told.
OUTCOMES = {
    "found": _("found"),
    "believed": _("believed anew"),
    "confirmed": _("confirmed"),
    "restated": _("said again, more surely"),
    "renewed": _("said again after expiry"),
    "contradicted": _("contradicting what was believed"),
    "resolved": _("settling an open item"),
    "outdated": _("overtaken by what was said later"),
    "skipped": _("known already"),
    "refused": _("refused"),
}


class Extraction(SpaceModel):
    """One reading of a part of a conversation: why, by what, and what came of it, in numbers."""

    site_may = ("SELECT", "INSERT", "UPDATE")

    class Trigger(models.TextChoices):
        SILENCE = "silence", _("Silence")
        LEFT = "left", _("The person left")
        NEW_CONVERSATION = "new_conversation", _("A new conversation")

    class State(models.TextChoices):
        RUNNING = "running", _("Running")
        DONE = "done", _("Done")
        FAILED = "failed", _("Failed")

    conversation_id = models.UUIDField(_("conversation"))
    trigger = models.CharField(_("trigger"), max_length=24, choices=Trigger)
    state = models.CharField(_("state"), max_length=16, choices=State, default=State.RUNNING)
    after_position = models.IntegerField(_("after message"))
    until_position = models.IntegerField(_("until message"))
    started_at = models.DateTimeField(_("started"))
    finished_at = models.DateTimeField(_("finished"), null=True, blank=True)
    #: how many facts were found, and what became of them by outcome
    counts = models.JSONField(_("counts"), default=dict)
    provider = models.CharField(_("provider"), max_length=32, blank=True)
    model = models.CharField(_("model"), max_length=100, blank=True)

    class Meta(SpaceModel.Meta):
        verbose_name = _("extraction")
        verbose_name_plural = _("extractions")
        ordering = ["-id"]
        constraints = [
            *SpaceModel.Meta.constraints,
            models.UniqueConstraint(
                name="memory_extraction_once",
                fields=["space", "conversation_id", "after_position"],
                condition=~models.Q(state="failed"),
            ),
        ]

    def __str__(self):
        return f"{self.get_trigger_display()} {self.started_at:%Y-%m-%d %H:%M}"

    @property
    def outcomes(self) -> list[tuple[str, int]]:
        """What came of it, as pages tell it; what there was none of is left out."""
        refused = sum(count for name, count in self.counts.items() if name.startswith("refused"))
        counts = {**self.counts, "refused": refused}
        return [(str(label), counts[name]) for name, label in OUTCOMES.items() if counts.get(name)]


class CompanyRefusal(SpaceModel):
    """What an extraction found and the memory did not take, with the reason; auditors read it, the companion never."""

    site_may = ("SELECT", "INSERT", "UPDATE")

    class Reason(models.TextChoices):
        INSTRUCTION = "instruction", _("Tells the companion what to do")
        NOT_SAID = "not_said", _("Not in what the person said")
        UNKNOWN_CATEGORY = "unknown_category", _("Unknown category")
        BAD_CONFIDENCE = "bad_confidence", _("Confidence out of range")
        TOO_LONG = "too_long", _("Too long")
        TOO_MANY = "too_many", _("Too many at once")
        COVERED = "covered", _("The live state covers it")
        PERSONAL_NUMBER = "personal_number", _("Has somebody's personal number in it")
        OFF_TOPIC = "off_topic", _("Not about the company")
        UNREADABLE = "unreadable", _("Unreadable answer of the model")

    extraction = SpaceForeignKey(Extraction, on_delete=models.PROTECT, related_name="refusals")
    reason = models.CharField(_("reason"), max_length=24, choices=Reason)
    content = ContentTextField(_("content"), blank=True)
    source_message_id = models.UUIDField(_("message"), null=True, blank=True)
    at = models.DateTimeField(_("at"))

    class Meta(SpaceModel.Meta):
        db_table = "company_memory_refusal"
        verbose_name = _("refused fact")
        verbose_name_plural = _("refused facts")
        ordering = ["-id"]

    def __str__(self):
        return f"{self.get_reason_display()} {str(self.pk)[-6:]}"


class CompanyCompression(SpaceModel):
    """One compression of a company's memory: why, and how many facts there were before and after."""

    site_may = ("SELECT", "INSERT")

    class Trigger(models.TextChoices):
        MONTHLY = "monthly", _("Monthly")
        TOO_MANY = "too_many", _("Too many facts")
        ANNUAL = "annual", _("End of a year")

    trigger = models.CharField(_("trigger"), max_length=16, choices=Trigger)
    at = models.DateTimeField(_("at"))
    before = models.PositiveIntegerField(_("active before"))
    after = models.PositiveIntegerField(_("active after"))
    summaries = models.PositiveIntegerField(_("summaries"), default=0)
    provider = models.CharField(_("provider"), max_length=32, blank=True)

    class Meta(SpaceModel.Meta):
        db_table = "company_memory_compression"
        verbose_name = _("compression of a company's memory")
        verbose_name_plural = _("compressions of companies' memories")
        ordering = ["-id"]

    def __str__(self):
        return f"{self.get_trigger_display()} {self.at:%Y-%m-%d}"
