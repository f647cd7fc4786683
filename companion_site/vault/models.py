"""Spaces and the slots that open them."""

from django.db import models
from django.utils.translation import gettext_lazy as _

from companion_site.ids import new_id
from companion_site.vault.fields import SealedTextField
from companion_site.vault.rows import SpaceModel, SpaceQuerySet, person_key, unexpired


class Space(models.Model):
    """The unit of isolation, encryption, locking, audit and scale: whose memory this is.

    Outside row-level security, since it holds no content: only who, what kind and what is due.
    """

    class Kind(models.TextChoices):
        PERSONAL = "personal", _("Personal")
        COMPANY = "company", _("Company")
        AGENT = "agent", _("Agent")
        WORLD = "world", _("World graph")
        PACK = "pack", _("Knowledge pack")

    id = models.UUIDField(primary_key=True, default=new_id, editable=False)
    kind = models.CharField(_("kind"), max_length=16, choices=Kind)
    owner = person_key(_("owner"))
    company_id = models.UUIDField(null=True, blank=True, db_index=True)
    school_id = models.UUIDField(null=True, blank=True, db_index=True)
    sealed = models.BooleanField(_("sealed"))
    version = models.BigIntegerField(
        _("version"), default=0, help_text=_("Counts writes to the memory, so that caches know.")
    )
    awaiting_key_since = models.DateTimeField(
        _("awaiting key since"), null=True, blank=True, help_text=_("Work is due that needs the key.")
    )
    next_sleep_at = models.DateTimeField(_("next sleep"), null=True, blank=True)
    created_at = models.DateTimeField(_("created"))
    closed_at = models.DateTimeField(_("closed"), null=True, blank=True)

    class Meta:
        verbose_name = _("space")
        verbose_name_plural = _("spaces")
        ordering = ["-id"]
        constraints = [
            models.CheckConstraint(
                name="vault_space_sealed_by_kind",
                condition=models.Q(kind__in=["personal", "agent"], sealed=True)
                | models.Q(kind__in=["company", "world", "pack"], sealed=False),
            ),
        ]
        indexes = [
            models.Index(
                name="vault_space_awaiting_key",
                fields=["awaiting_key_since"],
                condition=models.Q(awaiting_key_since__isnull=False),
            ),
            models.Index(
                name="vault_space_next_sleep",
                fields=["next_sleep_at"],
                condition=models.Q(next_sleep_at__isnull=False),
            ),
        ]

    def __str__(self):
        return f"{self.get_kind_display()} {str(self.pk)[-6:]}"


class KeySlotQuerySet(SpaceQuerySet):
    def of_kind(self, kind):
        return self.filter(kind=kind)

    def valid(self, now):
        """Keep the slots that have not expired."""
        return self.filter(unexpired(now))


class KeySlot(SpaceModel):
    """One way to open a sealed space: its data key, wrapped.

    Wrapped twice: by what the slot's holder knows, and by the space's erasure key, which lives outside the database.
    """

    class Kind(models.TextChoices):
        PASSWORD = "password", _("Password")
        RECOVERY = "recovery", _("Recovery code")
        TOKEN = "token", _("API token")
        LEASE = "lease", _("Lease")

    kind = models.CharField(_("kind"), max_length=16, choices=Kind)
    salt = models.BinaryField(max_length=32)
    parameters = models.JSONField(_("parameters"), default=dict)
    wrapped_key = models.BinaryField()
    created_at = models.DateTimeField(_("created"))
    expires_at = models.DateTimeField(_("expires"), null=True, blank=True)

    objects = KeySlotQuerySet.as_manager()  # type: ignore[misc]

    class Meta(SpaceModel.Meta):
        verbose_name = _("key slot")
        verbose_name_plural = _("key slots")
        constraints = [
            *SpaceModel.Meta.constraints,
            models.UniqueConstraint(
                name="vault_keyslot_one_of_kind",
                fields=["space", "kind"],
                condition=models.Q(kind__in=["password", "recovery", "lease"]),
            ),
        ]

    def __str__(self):
        return f"{self.get_kind_display()} {str(self.pk)[-6:]}"


class InboxKey(SpaceModel):
    """The pair by which others write into a sealed space: anybody may seal to the public half, the space's key opens."""

    public_key = models.BinaryField()
    private_key = SealedTextField()
    created_at = models.DateTimeField(_("created"))

    class Meta(SpaceModel.Meta):
        verbose_name = _("inbox key")
        verbose_name_plural = _("inbox keys")
        constraints = [
            *SpaceModel.Meta.constraints,
            models.UniqueConstraint(name="vault_inbox_key_one", fields=["space"]),
        ]


class SealedBoxQuerySet(SpaceQuerySet):
    def unopened(self):
        """Keep what waits for the space's key."""
        return self.filter(opened_at__isnull=True, retracted_at__isnull=True)


class SealedBox(SpaceModel):
    """What somebody wrote into a sealed space and cannot read again. Its receipt stays when it has been opened."""

    class Kind(models.TextChoices):
        OBSERVATION = "observation", _("Observation")
        LESSON = "lesson", _("Lesson")
        PROMPT_RUN = "prompt_run", _("Prompt run")
        SNAPSHOT = "snapshot", _("Shared snapshot")
        TRANSCRIPT = "transcript", _("Session transcript")
        METRICS = "metrics", _("Measures of days")

    kind = models.CharField(_("kind"), max_length=16, choices=Kind)
    sender = person_key(_("sender"))
    #: given by a system that may send twice: the same statement is taken in once
    statement_id = models.UUIDField(_("statement"), null=True, blank=True)
    sealed_text = models.BinaryField(null=True)
    sent_at = models.DateTimeField(_("sent"))
    opened_at = models.DateTimeField(_("opened"), null=True, blank=True)
    retracted_at = models.DateTimeField(_("retracted"), null=True, blank=True)

    objects = SealedBoxQuerySet.as_manager()  # type: ignore[misc]

    class Meta(SpaceModel.Meta):
        verbose_name = _("sealed box")
        verbose_name_plural = _("sealed boxes")
        ordering = ["-id"]
        constraints = [
            *SpaceModel.Meta.constraints,
            models.UniqueConstraint(
                name="vault_sealed_box_statement_once",
                fields=["space", "statement_id"],
                condition=models.Q(statement_id__isnull=False),
            ),
        ]
        indexes = [
            models.Index(
                name="vault_sealed_box_unopened",
                fields=["space", "id"],
                condition=models.Q(opened_at__isnull=True, retracted_at__isnull=True),
            )
        ]

    def __str__(self):
        return f"{self.get_kind_display()} {str(self.pk)[-6:]}"
