"""The record of a token's own space: what happened and when, in ids and numbers, with the hashes that chain it."""

from datetime import datetime
from typing import Any
from uuid import UUID

from rest_framework import serializers

from companion_site.accounts.tokens import Scope
from companion_site.api.fields import Moment
from companion_site.api.operations import Asked, operation, page_of
from companion_site.api.paging import Page, PageQuery, page_of_rows
from companion_site.api.views import ApiView
from companion_site.audit.models import AuditEvent
from companion_site.errors import NotFound


class EventQuery(PageQuery):
    """Which events are asked for."""

    action = serializers.RegexField(
        r"^[a-z]+(\.[a-z_]+)*$",
        max_length=64,
        required=False,
        help_text="An action, or what it begins with: `memory`.",
    )
    since = Moment(required=False)
    until = Moment(required=False)


class EventOut(serializers.Serializer):
    """One thing that happened. `hash` covers the event and the one before it."""

    id = serializers.UUIDField(source="pk")
    position = serializers.IntegerField()
    at = Moment()
    action = serializers.CharField()
    actor = serializers.UUIDField(source="actor_id", allow_null=True)
    actor_role = serializers.CharField(source="actor_label", allow_blank=True)
    subject_type = serializers.CharField(allow_blank=True)
    subject = serializers.UUIDField(source="subject_id", allow_null=True)
    data = serializers.DictField(help_text="Ids, numbers and words of the code's own.")
    key = serializers.IntegerField(
        help_text="Number of the key that the event is sealed with, which the hash covers; 0: none, and it does not."
    )
    previous_hash = serializers.SerializerMethodField()
    hash = serializers.SerializerMethodField()

    def get_previous_hash(self, event: AuditEvent) -> str:
        return bytes(event.previous_hash).hex()

    def get_hash(self, event: AuditEvent) -> str:
        return bytes(event.hash).hex()


class Events(ApiView):
    @operation(
        "audit_list", "List what happened", scope=Scope.AUDIT, query=EventQuery, answer=page_of(EventOut)
    )
    def get(self, asked: Asked) -> Page:
        """Return the events of the token's own space, the newest first."""
        rows = AuditEvent.objects.filter(chain=asked.bearer.space.pk, **_filters(asked.given))
        return page_of_rows(rows, asked.given)


class OneEvent(ApiView):
    @operation("audit_read", "Show one event", scope=Scope.AUDIT, answer=EventOut, refuses=[404])
    def get(self, asked: Asked, event_id: UUID) -> AuditEvent:
        """Return one event of the token's own space."""
        event = AuditEvent.objects.filter(chain=asked.bearer.space.pk, pk=event_id).first()
        if event is None:
            raise NotFound()
        return event


def _filters(given: dict[str, Any]) -> dict[str, str | datetime]:
    names = {"action": "action__startswith", "since": "at__gte", "until": "at__lte"}
    return {names[name]: value for name, value in given.items() if name in names}
