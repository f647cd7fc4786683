"""What programs keep in the ledger, and what they are told of it."""

from typing import Any

from drf_spectacular.utils import OpenApiExample, extend_schema_serializer
from rest_framework import serializers

from companion_site.api.fields import Moment, NumberField, Strict, SwitchField, TextField, WholeField
from companion_site.api.paging import PageQuery
from ledger.models import LedgerEntry
from ledger.params import LIMITS

CATEGORIES, TRUST = LedgerEntry.Category.choices, LedgerEntry.Trust.choices


class EntryQuery(PageQuery):
    """Which entries are asked for."""

    category = serializers.ChoiceField(CATEGORIES, required=False)
    active = SwitchField(required=False, help_text="False: those that were retired.")


def _phrases(most: int, text: str) -> serializers.ListField:
    child = TextField(max_length=LIMITS.phrase_chars)
    return serializers.ListField(child=child, max_length=most, required=False, help_text=text)


class _EntryFields(Strict):
    summary = TextField(required=False, allow_blank=True, max_length=LIMITS.summary_chars)
    importance = NumberField(required=False, min_value=0, max_value=1)
    trigger_threshold = NumberField(required=False, min_value=0, max_value=1)
    triggers = _phrases(LIMITS.triggers, "Words that bring it up; without any it always holds.")
    trigger_entities = _phrases(LIMITS.trigger_entities, "People and places that bring it up.")
    expires_at = Moment(required=False, allow_null=True, help_text="In the future; null: never.")


@extend_schema_serializer(
    examples=[
        OpenApiExample(
            "A promise",
            value={
                "category": "promise",
                "content": "Lend Maja my bicycle on Saturday.",
                "trigger_entities": ["Maja"],
                "importance": 0.8,
            },
        )
    ]
)
class EntryBody(_EntryFields):
    """What is to be kept, word for word."""

    category = serializers.ChoiceField(CATEGORIES)
    content = TextField(max_length=LIMITS.content_chars)


@extend_schema_serializer(
    examples=[OpenApiExample("More important", value={"importance": 0.9, "revision": 1})]
)
class RevisionBody(_EntryFields):
    """What is to be different from now on; what is left out stays."""

    category = serializers.ChoiceField(CATEGORIES, required=False)
    content = TextField(required=False, max_length=LIMITS.content_chars)
    revision = WholeField(
        required=False,
        min_value=1,
        max_value=2**31 - 1,
        help_text="The revision that was looked at: 409 where it is not the last.",
    )


class EntryOut(serializers.Serializer):
    """One revision of an entry; `id` is the entry's."""

    id = serializers.UUIDField(source="entry_id")
    revision = serializers.IntegerField()
    category = serializers.ChoiceField(CATEGORIES)
    trust = serializers.ChoiceField(TRUST)
    content = serializers.CharField()
    summary = serializers.CharField()
    triggers = serializers.ListField(child=serializers.CharField())
    trigger_entities = serializers.ListField(child=serializers.CharField())
    importance = serializers.FloatField()
    trigger_threshold = serializers.FloatField()
    active = serializers.BooleanField(source="is_active")
    expires_at = Moment(allow_null=True)
    memory = serializers.UUIDField(source="node_id", allow_null=True)
    recorded_at = Moment()
    superseded_at = Moment(allow_null=True)


class HistoryOut(serializers.Serializer):
    """An entry with every revision it had, the newest first."""

    entry = EntryOut()
    revisions = EntryOut(many=True)


def as_fields(given: dict[str, Any]) -> dict[str, Any]:
    """Return what was sent as the fields of an entry."""
    fields = {name: value for name, value in given.items() if name != "revision"}
    return {name: tuple(value) if isinstance(value, list) else value for name, value in fields.items()}
