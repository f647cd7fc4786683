"""The platform's own endpoints: who asks, which spaces they have, and the record of the token's own space."""

from typing import Any
from uuid import UUID

from django.shortcuts import get_object_or_404
from rest_framework import serializers

from companion_site.accounts.models import Person
from companion_site.accounts.tokens import Bearer, Scope
from companion_site.api.fields import HexField, Moment
from companion_site.api.operations import Asked, Endpoints
from companion_site.api.paging import Page, PageQuery, page_of_data, page_of_rows
from companion_site.audit.models import AuditEvent
from companion_site.errors import NotFound
from companion_site.vault.models import Space

platform = Endpoints()


class TokenOut(serializers.Serializer):
    """The token that was sent."""

    id = serializers.UUIDField(source="pk")
    name = serializers.CharField()
    scopes = serializers.ListField(child=serializers.ChoiceField(Scope.choices))
    created_at = Moment()
    expires_at = Moment(allow_null=True)


class PersonOut(serializers.Serializer):
    """The person that the token acts for."""

    id = serializers.UUIDField(source="pk")
    name = serializers.CharField(source="display_name")
    role = serializers.ChoiceField(Person.Role.choices)
    language = serializers.CharField()
    memory_on = serializers.BooleanField()


class SpaceOut(serializers.Serializer):
    """A space: the unit of isolation. A sealed one is read with its person's key alone."""

    id = serializers.UUIDField(source="pk")
    kind = serializers.ChoiceField(Space.Kind.choices)
    sealed = serializers.BooleanField()
    version = serializers.IntegerField(help_text="Counts writes to its memory.")
    created_at = Moment()


class MeOut(serializers.Serializer):
    """Who asks, by which token, and the space that it opens."""

    person = PersonOut(allow_null=True, help_text="Null for an agent's token.")
    token = TokenOut()
    space = SpaceOut()


@platform.get("me", "Who am I", answer=MeOut)
def show_me(asked: Asked) -> dict[str, Any]:
    """Return the person, the token and its space; any token may ask. An agent's is told nothing of its owner."""
    bearer = asked.bearer
    person = bearer.person if bearer.space.pk == bearer.person.space_id else None
    return {"person": person, "token": bearer.token, "space": bearer.space}


@platform.get("spaces", "List my spaces", pages=SpaceOut)
def list_spaces(asked: Asked) -> Page:
    """Return the token's own space, and the company's that the person belongs to."""
    return page_of_data(spaces_of(asked.bearer), asked.given, id_of=lambda space: space.pk)


@platform.get("spaces/<uuid:space_id>", "Show one of my spaces", answer=SpaceOut)
def show_space(asked: Asked, space_id: UUID) -> Space:
    """Return one space."""
    found = next((space for space in spaces_of(asked.bearer) if space.pk == space_id), None)
    if found is None:
        raise NotFound()
    return found


def spaces_of(bearer: Bearer) -> list[Space]:
    """Return the spaces that a token reaches: the one that it opens, and from a person's own that of their company."""
    found = [bearer.space]
    company = bearer.person.company if bearer.space.pk == bearer.person.space_id else None
    if company is not None and company.space_id is not None:
        found += Space.objects.filter(pk=company.space_id, closed_at__isnull=True)
    return found


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
    previous_hash = HexField(read_only=True)
    hash = HexField(read_only=True)


@platform.get("audit/events", "List what happened", scope=Scope.AUDIT, query=EventQuery, pages=EventOut)
def list_events(asked: Asked) -> Page:
    """Return the events of the token's own space, the newest first."""
    names = {"action": "action__startswith", "since": "at__gte", "until": "at__lte"}
    given = {names[name]: value for name, value in asked.given.items() if name in names}
    rows = AuditEvent.objects.filter(chain=asked.bearer.space.pk, **given)
    return page_of_rows(rows, asked.given)


@platform.get("audit/events/<uuid:event_id>", "Show one event", scope=Scope.AUDIT, answer=EventOut)
def show_event(asked: Asked, event_id: UUID) -> AuditEvent:
    """Return one event of the token's own space."""
    return get_object_or_404(AuditEvent, chain=asked.bearer.space.pk, pk=event_id)


urlpatterns = platform.urls
