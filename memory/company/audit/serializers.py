"""Facts, chains, events and hits as programs read them: REST and the exports say the same."""

from datetime import datetime
from typing import Any

from rest_framework import serializers

from companion_site.api.fields import Moment
from memory.company.audit.facts import ShownFact
from memory.models import CompanyEvent, CompanyFact

#: What a fact can have become; flagged and believed at once is told by `flagged`.
STATES = ("active", "superseded", "expired")


def tell_moment(moment: datetime) -> str:
    """Return a moment in UTC, as ISO 8601 writes it."""
    return str(Moment().to_representation(moment))


class FactOut(serializers.Serializer):
    """One thing that is or was believed of the company; each member is also a column of the CSV file."""

    id = serializers.UUIDField()
    category = serializers.ChoiceField(CompanyFact.Category.choices)
    content = serializers.CharField()
    language = serializers.CharField()
    state = serializers.ChoiceField(STATES)
    flagged = serializers.BooleanField(source="is_flagged")
    confidence = serializers.FloatField(source="present_confidence")
    origin = serializers.ChoiceField(CompanyFact.Origin.choices)
    believed_since = Moment(source="created_at")
    expires_at = Moment(allow_null=True)
    said_by = serializers.CharField(source="said_by_name", allow_blank=True)
    said_by_id = serializers.UUIDField(allow_null=True)
    said_at = Moment()
    conversation_id = serializers.UUIDField(source="source_conversation_id", allow_null=True)
    message_id = serializers.UUIDField(source="source_message_id", allow_null=True)
    confirmations = serializers.IntegerField()
    confirmed_at = Moment()
    superseded_at = Moment(allow_null=True)
    superseded_by = serializers.UUIDField(source="superseded_by_id", allow_null=True)
    superseded_reason = serializers.CharField(allow_blank=True)
    superseded_actor = serializers.CharField(source="superseded_actor_name", allow_blank=True)
    restores = serializers.UUIDField(source="restores_id", allow_null=True)
    flagged_at = Moment(allow_null=True)
    reviewed_at = Moment(allow_null=True)
    reviewed_by = serializers.CharField(source="reviewed_by_name", allow_blank=True)
    extraction_id = serializers.UUIDField(allow_null=True)
    doubted_since = Moment(allow_null=True)
    doubted_by = serializers.UUIDField(source="doubted_by_id", allow_null=True)

    def to_representation(self, fact: ShownFact) -> dict[str, Any]:
        told: dict[str, Any] = super().to_representation(fact)
        told["confidence"] = round(told["confidence"], 4)
        if not fact.is_doubted:
            told |= {"doubted_since": None, "doubted_by": None}
        return told


class LinkOut(FactOut):
    """One fact of a chain, with the others whose place it took as well."""

    also_took_the_place_of = FactOut(source="joined", many=True)


class FactEventOut(serializers.Serializer):
    """One thing that happened to a fact."""

    kind = serializers.ChoiceField(CompanyEvent.Kind.choices)
    at = Moment()
    actor = serializers.CharField(source="actor_name", allow_blank=True)
    reason = serializers.CharField(allow_blank=True)
    other_fact = serializers.UUIDField(source="other_id", allow_null=True)
    confidence = serializers.FloatField(allow_null=True)
    expires_at = Moment(allow_null=True)
    message_id = serializers.UUIDField(source="source_message_id", allow_null=True)


class ChainOut(serializers.Serializer):
    """A fact between what came before it and what came after, the earliest first."""

    fact = FactOut()
    chain = LinkOut(source="links", many=True)
    chain_is_cut = serializers.BooleanField(source="is_cut")
    events = FactEventOut(many=True)
    events_total = serializers.IntegerField()


class HitOut(serializers.Serializer):
    """A fact that answers a search."""

    fact = FactOut()
    score = serializers.FloatField()
    similarity = serializers.FloatField(allow_null=True)
    has_words = serializers.BooleanField()
