"""Conversations and their messages."""

from django.conf import settings
from django.db import models
from django.utils.translation import gettext_lazy as _

from chat.querysets import AttachmentQuerySet, ConversationQuerySet, MessageQuerySet
from companion_site.vault.fields import SealedBytesField, SealedJSONField, SealedTextField
from companion_site.vault.rows import SpaceForeignKey, SpaceModel


class Import(SpaceModel):
    """An export of another chat that a person brings along, from its first byte to the day it is taken out again."""

    class State(models.TextChoices):
        RECEIVING = "receiving", _("Uploading")
        READING = "reading", _("Being read")
        READY = "ready", _("Waiting for your yes")
        KEEPING = "keeping", _("Being kept")
        KEPT = "kept", _("Kept")
        FAILED = "failed", _("Not taken in")
        REMOVING = "removing", _("Being removed")
        REMOVED = "removed", _("Removed")
        RESTORING = "restoring", _("Coming back")

    class Problem(models.TextChoices):
        NOT_JSON = "not_json", _("This is no export: it is not JSON, or it is damaged.")
        CUT_SHORT = "cut_short", _("The file ends in the middle. Please save the export again.")
        TOO_DEEP = "too_deep", _("The file is nested far deeper than any export is.")
        UNKNOWN = "unknown", _("There is no conversation of ChatGPT, Claude or Open WebUI in it.")
        BAD_ZIP = "bad_zip", _("The zip is damaged or locked. Unpack it and choose conversations.json.")
        ZIP_BOMB = "zip_bomb", _("What is packed into the zip is too large, or too many files.")
        TOO_LARGE = "too_large", _("The export is too large to read here. Choose a part of it.")
        ONE_TOO_LARGE = "one_too_large", _("One conversation in it is too large to read here.")
        TOO_MANY = "too_many", _("There are more messages in it than can be remembered well.")

    author = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, db_constraint=False, related_name="+"
    )
    state = models.CharField(_("state"), max_length=16, choices=State, default=State.RECEIVING)
    problem = models.CharField(_("problem"), max_length=16, choices=Problem, blank=True)
    files = SealedJSONField()  # names and sizes of what is uploaded
    preview = SealedJSONField(null=True)  # what is in it: counts, days, examples
    created_at = models.DateTimeField(_("created"))
    done = models.IntegerField(_("conversations done"), default=0)
    total = models.IntegerField(_("conversations"), default=0)
    kept_at = models.DateTimeField(_("kept"), null=True, blank=True)
    removed_at = models.DateTimeField(_("removed"), null=True, blank=True)

    class Meta(SpaceModel.Meta):
        verbose_name = _("import")
        verbose_name_plural = _("imports")
        ordering = ["-id"]
        indexes = [models.Index(name="chat_import_author", fields=["space", "author", "-id"])]


class ImportPart(SpaceModel):
    """A piece of an uploaded file, or a conversation read out of one, that waits sealed."""

    class Kind(models.TextChoices):
        FILE = "file", _("Piece of a file")
        CONVERSATION = "conversation", _("Conversation")

    source = SpaceForeignKey(Import, on_delete=models.CASCADE, related_name="parts")
    kind = models.CharField(_("kind"), max_length=16, choices=Kind)
    file = models.IntegerField(_("file"), default=0)
    number = models.IntegerField(_("number"))
    size = models.IntegerField(_("bytes"), default=0)
    began_at = models.DateTimeField(_("began"), null=True, blank=True)
    content = SealedBytesField()

    class Meta(SpaceModel.Meta):
        verbose_name = _("part of an import")
        verbose_name_plural = _("parts of imports")
        ordering = ["file", "number"]
        constraints = [
            *SpaceModel.Meta.constraints,
            models.UniqueConstraint(
                name="chat_import_part", fields=["space", "source", "kind", "file", "number"]
            ),
        ]

    def __str__(self):
        return f"{self.get_kind_display()} {self.file}.{self.number}"


class Conversation(SpaceModel):
    """One conversation of one author, in their own space or their company's."""

    author = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, db_constraint=False, related_name="+"
    )
    title = SealedTextField(null=True)
    summary = SealedTextField(null=True)
    draft = SealedTextField(null=True)  # what is typed and not sent yet
    summarised_until = models.IntegerField(
        default=0, help_text=_("Position up to which the summary reaches.")
    )
    memory_on = models.BooleanField(
        _("memory on"), default=True, help_text=_("Off: nothing is remembered and nothing recalled.")
    )
    created_at = models.DateTimeField(_("created"))
    updated_at = models.DateTimeField(_("last message"))
    pinned_at = models.DateTimeField(_("pinned"), null=True, blank=True)
    archived_at = models.DateTimeField(_("archived"), null=True, blank=True)
    deleted_at = models.DateTimeField(_("deleted"), null=True, blank=True)
    extracted_until = models.IntegerField(default=0, help_text=_("Position up to which it has been read."))
    extract_at = models.DateTimeField(
        _("to be read at"), null=True, blank=True, help_text=_("When it is read next.")
    )

    #: the import that brought it, and what it was there, so that nothing comes in twice
    brought_by = SpaceForeignKey(
        Import, on_delete=models.SET_NULL, null=True, blank=True, related_name="conversations"
    )
    origin = models.UUIDField(null=True, blank=True)

    objects = ConversationQuerySet.as_manager()  # type: ignore[misc]  # narrower than SpaceModel's

    class Meta(SpaceModel.Meta):
        verbose_name = _("conversation")
        verbose_name_plural = _("conversations")
        ordering = ["-id"]
        constraints = [
            *SpaceModel.Meta.constraints,
            models.UniqueConstraint(
                name="chat_conversation_origin",
                fields=["space", "author", "origin"],
                condition=models.Q(origin__isnull=False),
            ),
        ]
        indexes = [
            models.Index(name="chat_conversation_recent", fields=["space", "author", "-updated_at"]),
            models.Index(
                name="chat_conversation_to_read",
                fields=["space", "extract_at"],
                condition=models.Q(extract_at__isnull=False),
            ),
            models.Index(
                name="chat_conversation_deleted",
                fields=["space", "deleted_at"],
                condition=models.Q(deleted_at__isnull=False),
            ),
        ]


class Message(SpaceModel):
    """What one side said. A reply in the making is a row too, so that nothing said is ever lost."""

    class Role(models.TextChoices):
        PERSON = "person", _("Person")
        COMPANION = "companion", _("Companion")

    class State(models.TextChoices):
        COMPLETE = "complete", _("Complete")
        STREAMING = "streaming", _("Streaming")
        STOPPED = "stopped", _("Stopped")
        INTERRUPTED = "interrupted", _("Interrupted")
        FAILED = "failed", _("Failed")

    class ReplyType(models.TextChoices):
        CHAT = "chat", _("Conversation")
        SOCRATIC = "socratic", _("Guiding question")
        ESCALATION = "escalation", _("Points to people who can help")

    class Personalisation(models.TextChoices):
        NONE = "none", _("Not personal")
        LOW = "low", _("Slightly personal")
        MEDIUM = "medium", _("Personal")
        HIGH = "high", _("Very personal")

    conversation = SpaceForeignKey(Conversation, on_delete=models.CASCADE, related_name="messages")
    parent = SpaceForeignKey("self", on_delete=models.CASCADE, null=True, blank=True, related_name="children")
    position = models.IntegerField(_("position"))
    #: of a later version of a message, the first one
    version_of = models.UUIDField(null=True, blank=True)
    #: of what does not stand in the conversation, the version that was shown when it did
    set_aside_with = models.UUIDField(null=True, blank=True)
    role = models.CharField(_("role"), max_length=16, choices=Role)
    state = models.CharField(_("state"), max_length=16, choices=State, default=State.COMPLETE)
    client_id = models.UUIDField(
        null=True, blank=True, help_text=_("Given by the browser: a resend is harmless.")
    )
    text = SealedTextField(null=True)
    speaker = SealedTextField(null=True)  # who spoke, where it was neither the author nor the companion
    language = models.CharField(_("language"), max_length=5, blank=True)
    said_at = models.DateTimeField(_("said"))
    streamed_at = models.DateTimeField(_("last streamed"), null=True, blank=True)
    text_removed_at = models.DateTimeField(_("text removed"), null=True, blank=True)
    formed_at = models.DateTimeField(_("memory formed"), null=True, blank=True)
    snr = models.FloatField(_("signal"), null=True, blank=True)
    recalled = models.JSONField(
        _("memories used"),
        default=list,
        blank=True,
        help_text=_("Ids and scores of the memories in the prompt."),
    )
    reply_type = models.CharField(_("type of reply"), max_length=16, choices=ReplyType, blank=True)
    personalisation = models.CharField(
        _("personalisation"), max_length=8, choices=Personalisation, blank=True
    )
    confidence = models.FloatField(
        _("confidence"), null=True, blank=True, help_text=_("Of the memories it draws on, 0 to 1.")
    )
    memory_tokens = models.PositiveIntegerField(_("tokens of memory in the prompt"), null=True, blank=True)
    provider = models.CharField(_("provider"), max_length=32, blank=True)
    model = models.CharField(_("model"), max_length=100, blank=True)
    timings_ms = models.JSONField(_("timings"), default=dict, blank=True)
    spoken = models.BooleanField(_("spoken"), default=False, help_text=_("It came in by voice."))
    #: of a reply, the steps that led to it: [{"step", "form": "model" | "offline" | "failed", "ms", and counts}]
    steps = models.JSONField(_("steps"), default=list, blank=True)
    #: what those steps came to, in words; of a spoken message, how it sounded
    outcome = SealedJSONField(null=True)

    objects = MessageQuerySet.as_manager()  # type: ignore[misc]  # narrower than SpaceModel's

    class Meta(SpaceModel.Meta):
        verbose_name = _("message")
        verbose_name_plural = _("messages")
        ordering = ["conversation_id", "position"]
        constraints = [
            *SpaceModel.Meta.constraints,
            models.UniqueConstraint(
                name="chat_message_position", fields=["space", "conversation", "position"]
            ),
            models.UniqueConstraint(
                name="chat_message_client_id",
                fields=["space", "conversation", "client_id"],
                condition=models.Q(client_id__isnull=False),
            ),
        ]
        indexes = [
            models.Index(
                name="chat_message_to_form",
                fields=["space", "id"],
                condition=models.Q(role="person", formed_at__isnull=True),
            ),
            models.Index(
                name="chat_message_versions",
                fields=["space", "version_of"],
                condition=models.Q(version_of__isnull=False),
            ),
        ]

    def __str__(self):
        return f"{self.get_role_display()} #{self.position}"

    @property
    def awaits_formation(self) -> bool:
        """Whether memories may still be formed from it, if its conversation has memory."""
        return self.role == self.Role.PERSON and self.formed_at is None and self.text_removed_at is None

    @property
    def was_said_unremembered(self) -> bool:
        """Whether it was said while memory was off: done with at once, without a look at what it says."""
        return self.role == self.Role.PERSON and self.formed_at is not None and self.snr is None


class Attachment(SpaceModel):
    """A picture or a text file that goes with a message, or waits in the message box of its conversation."""

    class Type(models.TextChoices):
        PNG = "image/png", "PNG"
        JPEG = "image/jpeg", "JPEG"
        TEXT = "text/plain", _("Text")

    conversation = SpaceForeignKey(Conversation, on_delete=models.CASCADE, related_name="attachments")
    #: null while it waits to be sent
    message = SpaceForeignKey(
        Message, on_delete=models.CASCADE, null=True, blank=True, related_name="attachments"
    )
    type = models.CharField(_("type"), max_length=16, choices=Type)
    size = models.IntegerField(_("bytes"))
    width = models.IntegerField(_("width"), null=True, blank=True)
    height = models.IntegerField(_("height"), null=True, blank=True)
    added_at = models.DateTimeField(_("added"))
    name = SealedTextField()
    content = SealedBytesField()

    objects = AttachmentQuerySet.as_manager()  # type: ignore[misc]  # narrower than SpaceModel's

    class Meta(SpaceModel.Meta):
        verbose_name = _("attachment")
        verbose_name_plural = _("attachments")
        ordering = ["id"]

    def __str__(self):
        return f"{self.get_type_display()} {str(self.pk)[-6:]}"

    @property
    def is_picture(self) -> bool:
        return self.type != self.Type.TEXT
