"""What programs send to the chat, and what they are told."""

from django.conf import settings
from drf_spectacular.utils import OpenApiExample, extend_schema_serializer
from rest_framework import serializers

from chat.models import Attachment, Message
from companion_site.api.fields import IdField, Moment, Strict, SwitchField, TextField, WholeField
from companion_site.api.paging import PageQuery
from companion_site.api.params import API
from memory.student.copies.tables import TABLES

_WAIT = {"min_value": 0, "max_value": API.wait_s, "default": 0}


class ConversationQuery(PageQuery):
    """Which conversations are asked for."""

    memory_on = SwitchField(required=False)


@extend_schema_serializer(examples=[OpenApiExample("With memory", value={"memory_on": True})])
class ConversationBody(Strict):
    """A conversation to begin."""

    memory_on = SwitchField(default=True, help_text="Off: nothing is remembered and nothing recalled.")


@extend_schema_serializer(examples=[OpenApiExample("Memory off", value={"memory_on": False})])
class ConversationChange(Strict):
    """What becomes of a conversation."""

    memory_on = SwitchField(help_text="Off: nothing is remembered and nothing recalled.")


class ConversationOut(serializers.Serializer):
    """A conversation; its title is made of the first message."""

    id = serializers.UUIDField(source="pk")
    title = serializers.CharField(allow_null=True)
    memory_on = serializers.BooleanField()
    created_at = Moment()
    updated_at = Moment()


class MessageQuery(PageQuery):
    """Which messages are asked for."""

    role = serializers.ChoiceField(Message.Role.choices, required=False)


class WaitQuery(Strict):
    """How long to wait for a reply that is being written."""

    wait_s = WholeField(**_WAIT, help_text="Seconds, at the most.")


@extend_schema_serializer(
    examples=[OpenApiExample("A question", value={"text": "What did I want to practise?", "wait_s": 30})]
)
class SayBody(Strict):
    """What the person says."""

    text = TextField(
        max_length=settings.MESSAGE_MAX_CHARS,
        help_text="What can be seen of it has to be something.",
    )
    client_id = IdField(required=False, help_text="Given by the program: the same one again is said once.")
    wait_s = WholeField(**_WAIT, help_text="Seconds to wait for the reply; it goes on being written.")


class RetryBody(Strict):
    """How long to wait for the reply."""

    wait_s = WholeField(**_WAIT, help_text="Seconds, at the most.")


class RecalledOut(serializers.Serializer):
    """A memory that a reply was given."""

    id = serializers.UUIDField()
    score = serializers.FloatField(help_text="How relevant it was, 0 to 1.")


class MessageOut(serializers.Serializer):
    """What one side said. `state` is `streaming` while a reply is being written."""

    id = serializers.UUIDField(source="pk")
    conversation = serializers.UUIDField(source="conversation_id")
    role = serializers.ChoiceField(Message.Role.choices)
    state = serializers.ChoiceField(Message.State.choices)
    text = serializers.SerializerMethodField(help_text="Null once the words have been removed.")
    language = serializers.CharField(allow_blank=True)
    said_at = Moment()
    text_removed_at = Moment(allow_null=True)
    reply_to = serializers.SerializerMethodField(help_text="Of a reply: the message that it answers.")
    reply_type = serializers.CharField(allow_blank=True)
    recalled = RecalledOut(many=True)

    def get_text(self, message: Message) -> str | None:
        return None if message.text_removed_at else message.text or ""

    def get_reply_to(self, message: Message) -> str | None:
        is_reply = message.role == Message.Role.COMPANION and message.parent_id
        return str(message.parent_id) if is_reply else None


class AttachmentOut(serializers.Serializer):
    """What went with a message."""

    id = serializers.UUIDField(source="pk")
    name = serializers.CharField()
    type = serializers.ChoiceField(Attachment.Type.choices)
    size = serializers.IntegerField(help_text="Bytes.")


class ExchangeOut(serializers.Serializer):
    """What was said, and the reply to it."""

    message = MessageOut()
    reply = MessageOut()


def _rows() -> serializers.Field:
    return serializers.ListField(child=serializers.DictField())


MemoryCopyOut = type(
    "MemoryCopyOut",
    (serializers.Serializer,),
    {
        "format": serializers.CharField(),
        "version": serializers.IntegerField(),
        "memory": serializers.UUIDField(help_text="The memory that it was made of."),
        "exported_at": Moment(),
        **{name: _rows() for name in (*(table.name for table in TABLES), "conversations", "packs")},
        "__doc__": "A whole memory: lists of rows, as docs/memory-copies.md tells.",
        "__module__": __name__,
    },
)
