"""A company's shared memory: what is believed, where it came from, and what replaced it.

A company's space is open: its words are plain columns, searched in PostgreSQL. No row is ever deleted, and what a row
says never changes; docs/company-memory.md.
"""

from django.contrib.postgres.search import SearchVector
from django.db import models
from django.utils.translation import gettext_lazy as _

from companion_site.vault.fields import (
    ContentJSONField,
    ContentTextField,
    ContentVectorField,
    GeneratedSearchField,
)
from companion_site.vault.rows import SpaceForeignKey, SpaceModel, person_key, share
from memory.models.company_work import Extraction
from memory.models.graph import VectorRow
from memory.querysets import FactQuerySet


class CompanyFact(SpaceModel):
    """One thing that the companion believes, or believed, about a company."""

    site_may = ("SELECT", "INSERT", "UPDATE")

    class Category(models.TextChoices):
        PREFERENCE = "preference", _("Preference")
        UNRESOLVED = "unresolved", _("Open item")
        DECISION = "decision", _("Decision")
        KNOWLEDGE = "knowledge", _("Company knowledge")

    class Origin(models.TextChoices):
        """How the row came about."""

        STATED = "stated", _("Said in a conversation")
        SUMMARY = "summary", _("Summary of several")
        ANNUAL = "annual", _("Summary of a year")
        RESTORED = "restored", _("Restored by undoing")

    class Reason(models.TextChoices):
        """Why another row took its place."""

        RESTATED = "restated", _("Said again, more surely")
        RENEWED = "renewed", _("Said again after it had expired")
        CONTRADICTED = "contradicted", _("Contradicted by what was said later")
        RESOLVED = "resolved", _("Decided or done")
        OUTDATED = "outdated", _("Said to be out of date")
        SUMMARISED = "summarised", _("Taken into a summary")
        ANNUAL = "annual", _("Taken into the summary of its year")
        UNDONE = "undone", _("The change was undone")

    category = models.CharField(_("category"), max_length=16, choices=Category)
    origin = models.CharField(_("origin"), max_length=16, choices=Origin, default=Origin.STATED)
    content = ContentTextField(_("content"))
    #: SHA-256 of the words, however they are cased and spaced: by it the same words are known again
    fingerprint = ContentTextField(editable=False)
    language = models.CharField(_("language"), max_length=5)
    confidence = share(_("confidence"), help_text=_("As of the last confirmation."))
    created_at = models.DateTimeField(_("believed since"))
    confirmed_at = models.DateTimeField(_("last confirmed"))
    confirmations = models.PositiveIntegerField(_("confirmations"), default=0)
    expires_at = models.DateTimeField(_("expires"), null=True, blank=True)
    superseded_at = models.DateTimeField(_("superseded"), null=True, blank=True)
    superseded_by = SpaceForeignKey(
        "self", on_delete=models.PROTECT, null=True, blank=True, related_name="supersedes"
    )
    superseded_reason = models.CharField(_("why superseded"), max_length=16, choices=Reason, blank=True)
    superseded_actor = person_key(_("superseded by the person"))
    #: of a restored row: the row whose words it brings back
    restores = SpaceForeignKey(
        "self", on_delete=models.PROTECT, null=True, blank=True, related_name="restored_as"
    )
    #: what was said later and probably takes its place, and when that was said; it is believed meanwhile
    doubted_by = SpaceForeignKey(
        "self", on_delete=models.PROTECT, null=True, blank=True, related_name="doubts"
    )
    doubted_since = models.DateTimeField(_("in doubt since"), null=True, blank=True)
    flagged_at = models.DateTimeField(_("flagged for review"), null=True, blank=True)
    reviewed_at = models.DateTimeField(_("reviewed"), null=True, blank=True)
    reviewed_by = person_key(_("reviewed by"))
    source_conversation_id = models.UUIDField(_("conversation"), null=True, blank=True)
    source_message_id = models.UUIDField(_("message"), null=True, blank=True)
    said_by = person_key(_("said by"))
    said_at = models.DateTimeField(_("said"))
    extraction = SpaceForeignKey(
        Extraction, on_delete=models.PROTECT, null=True, blank=True, related_name="facts"
    )
    metadata = ContentJSONField(default=dict, blank=True)
    search = GeneratedSearchField(
        # Stemmed in both languages, and as it is written: compounds are found by how they begin.
        expression=SearchVector("content", config="swedish")
        + SearchVector("content", config="english")
        + SearchVector("content", config="simple"),
    )

    objects = FactQuerySet.as_manager()  # type: ignore[misc]  # narrower than SpaceModel's

    class Meta(SpaceModel.Meta):
        db_table = "company_memory"
        verbose_name = _("company fact")
        verbose_name_plural = _("company facts")
        ordering = ["-id"]
        constraints = [
            *SpaceModel.Meta.constraints,
            models.UniqueConstraint(
                name="company_memory_said_once",
                fields=["space", "fingerprint"],
                condition=models.Q(superseded_by__isnull=True),
            ),
            models.CheckConstraint(
                name="company_memory_superseded_wholly",
                condition=models.Q(
                    superseded_by__isnull=True, superseded_at__isnull=True, superseded_reason=""
                )
                | models.Q(superseded_by__isnull=False, superseded_at__isnull=False)
                & ~models.Q(superseded_reason=""),
            ),
            models.CheckConstraint(
                name="company_memory_not_by_itself", condition=~models.Q(superseded_by=models.F("id"))
            ),
            models.CheckConstraint(
                name="company_memory_doubted_wholly",
                condition=models.Q(doubted_by__isnull=True, doubted_since__isnull=True)
                | models.Q(doubted_by__isnull=False, doubted_since__isnull=False),
            ),
            models.CheckConstraint(
                name="company_memory_confidence", condition=models.Q(confidence__range=(0, 1))
            ),
        ]
        indexes = [
            models.Index(
                name="company_memory_active",
                fields=["space", "category", "-created_at"],
                condition=models.Q(superseded_by__isnull=True),
            ),
            models.Index(name="company_memory_history", fields=["space", "created_at"]),
        ]

    def __str__(self):
        return f"{self.get_category_display()} {str(self.pk)[-6:]}"


class CompanyFactVector(VectorRow):
    """A fact's vector under one embedding model."""

    fact = SpaceForeignKey(CompanyFact, on_delete=models.CASCADE, related_name="vectors")
    embedding = ContentVectorField()

    class Meta(VectorRow.Meta):
        db_table = "company_memory_vector"
        verbose_name = _("company fact's vector")
        verbose_name_plural = _("company facts' vectors")
        constraints = [
            *SpaceModel.Meta.constraints,
            models.UniqueConstraint(name="company_memory_vector_once", fields=["space", "fact", "model"]),
        ]


class CompanyEvent(SpaceModel):
    """One thing that happened to a fact. Only ever added to: from these alone the memory of any day can be told."""

    site_may = ("SELECT", "INSERT")

    class Kind(models.TextChoices):
        BELIEVED = "believed", _("Believed")
        CONFIRMED = "confirmed", _("Confirmed")
        SUPERSEDED = "superseded", _("Superseded")
        FLAGGED = "flagged", _("Flagged for review")
        REVIEWED = "reviewed", _("Reviewed")
        DOUBTED = "doubted", _("Put in doubt")
        CLEARED = "cleared", _("Doubt ended")

    class Cleared(models.TextChoices):
        """Why a fact is not in doubt any more."""

        SAID_AGAIN = "said_again", _("Said again")
        HOLDS = "holds", _("Somebody says that it holds")
        TAKEN_BACK = "taken_back", _("What put it in doubt was taken back")

    fact = SpaceForeignKey(CompanyFact, on_delete=models.PROTECT, related_name="events")
    kind = models.CharField(_("kind"), max_length=16, choices=Kind)
    at = models.DateTimeField(_("at"))
    actor = person_key(_("actor"))
    #: for `superseded` why, as in CompanyFact.Reason; for `reviewed` what was decided; for `cleared` as in Cleared
    reason = models.CharField(_("reason"), max_length=32, blank=True)
    other = SpaceForeignKey(CompanyFact, on_delete=models.PROTECT, null=True, blank=True, related_name="+")
    confidence = share(_("confidence"), null=True, blank=True)
    expires_at = models.DateTimeField(_("expires"), null=True, blank=True)
    #: for `doubted` when that was said which put the fact in doubt
    since = models.DateTimeField(_("since"), null=True, blank=True)
    source_message_id = models.UUIDField(_("message"), null=True, blank=True)

    class Meta(SpaceModel.Meta):
        db_table = "company_memory_event"
        verbose_name = _("event of a company fact")
        verbose_name_plural = _("events of company facts")
        ordering = ["id"]
        indexes = [
            models.Index(name="company_event_fact", fields=["space", "fact", "id"]),
            models.Index(name="company_event_time", fields=["space", "at"]),
        ]

    def __str__(self):
        return f"{self.get_kind_display()} {self.at:%Y-%m-%d}"

    @property
    def actor_name(self) -> str:
        """The name of who caused it; their id where they are gone; empty for the companion itself."""
        return self.actor.display_name if self.actor else str(self.actor_id or "")

    @property
    def reason_label(self) -> str:
        """Why it was superseded, what was decided in a review, or why it is in doubt no more."""
        labels = {
            self.Kind.REVIEWED: {"kept": _("Kept"), "undone": _("Undone")},
            self.Kind.CLEARED: dict(self.Cleared.choices),
        }.get(self.Kind(self.kind), dict(CompanyFact.Reason.choices))
        return str(labels.get(self.reason, self.reason))

    @property
    def percent(self) -> int | None:
        return None if self.confidence is None else round(100 * self.confidence)
