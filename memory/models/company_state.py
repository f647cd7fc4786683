"""A company as it stands now, from its own books, and what the companion offers its people to take up."""

from django.conf import settings
from django.db import models
from django.utils.translation import gettext_lazy as _

from companion_site.vault.fields import ContentDecimalField
from companion_site.vault.rows import SpaceForeignKey, SpaceModel
from memory.models.company import CompanyFact


class Kpi(SpaceModel):
    """One key figure of a company as it stands now, from its own books."""

    class Source(models.TextChoices):
        API = "api", _("API")
        ADMIN = "admin", _("Entered by staff")
        SIE = "sie", _("SIE file")

    key = models.SlugField(_("key"), max_length=64, db_index=False)
    label = models.CharField(_("label"), max_length=100, blank=True)
    value = ContentDecimalField(_("value"), max_digits=20, decimal_places=4)
    unit = models.CharField(_("unit"), max_length=16, blank=True)
    as_of = models.DateField(_("as of"))
    source = models.CharField(_("source"), max_length=8, choices=Source)
    updated_at = models.DateTimeField(_("updated"))

    class Meta(SpaceModel.Meta):
        db_table = "company_kpi"
        verbose_name = _("key figure")
        verbose_name_plural = _("key figures")
        ordering = ["key"]
        constraints = [
            *SpaceModel.Meta.constraints,
            models.UniqueConstraint(name="company_kpi_once", fields=["space", "key"]),
        ]

    def __str__(self):
        return self.key


class Deadline(SpaceModel):
    """One day by which something of a company is due."""

    key = models.SlugField(_("key"), max_length=64, db_index=False)
    label = models.CharField(_("label"), max_length=100, blank=True)
    due_on = models.DateField(_("due"))
    done_at = models.DateTimeField(_("done"), null=True, blank=True)
    source = models.CharField(_("source"), max_length=8, choices=Kpi.Source)
    updated_at = models.DateTimeField(_("updated"))

    class Meta(SpaceModel.Meta):
        db_table = "company_deadline"
        verbose_name = _("deadline")
        verbose_name_plural = _("deadlines")
        ordering = ["due_on", "key"]
        constraints = [
            *SpaceModel.Meta.constraints,
            models.UniqueConstraint(name="company_deadline_once", fields=["space", "key", "due_on"]),
        ]

    def __str__(self):
        return f"{self.key} {self.due_on}"


class Suggestion(SpaceModel):
    """What the companion offered one person to take up, and what they answered."""

    class Kind(models.TextChoices):
        OPEN_ITEM = "open_item", _("Open item")
        FOLLOW_UP = "follow_up", _("Follow-up to a decision")
        DEADLINE = "deadline", _("Deadline")

    class State(models.TextChoices):
        OFFERED = "offered", _("Offered")
        CHOSEN = "chosen", _("Chosen")
        SNOOZED = "snoozed", _("Snoozed")
        DISMISSED = "dismissed", _("Dismissed")

    person = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, db_constraint=False, related_name="+"
    )
    kind = models.CharField(_("kind"), max_length=16, choices=Kind)
    fact = SpaceForeignKey(CompanyFact, on_delete=models.PROTECT, related_name="suggestions")
    deadline = SpaceForeignKey(
        Deadline, on_delete=models.PROTECT, null=True, blank=True, related_name="suggestions"
    )
    state = models.CharField(_("state"), max_length=16, choices=State, default=State.OFFERED)
    offered_at = models.DateTimeField(_("offered"))
    answered_at = models.DateTimeField(_("answered"), null=True, blank=True)
    snoozed_until = models.DateTimeField(_("snoozed until"), null=True, blank=True)

    class Meta(SpaceModel.Meta):
        db_table = "company_suggestion"
        verbose_name = _("suggestion")
        verbose_name_plural = _("suggestions")
        ordering = ["-id"]
        constraints = [
            *SpaceModel.Meta.constraints,
            models.UniqueConstraint(
                name="company_suggestion_once",
                fields=["space", "person", "kind", "fact", "deadline"],
                nulls_distinct=False,
            ),
        ]

    def __str__(self):
        return f"{self.get_kind_display()} {self.get_state_display()}"
