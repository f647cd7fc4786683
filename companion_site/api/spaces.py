"""Who asks, and which spaces they have: ids, kinds and numbers."""

from typing import Any
from uuid import UUID

from rest_framework import serializers

from companion_site.accounts.models import Person
from companion_site.accounts.tokens import Bearer, Scope
from companion_site.api.fields import Moment
from companion_site.api.operations import Asked, operation, page_of
from companion_site.api.paging import Page, PageQuery, page_of_data
from companion_site.api.views import ApiView
from companion_site.errors import NotFound
from companion_site.vault.models import Space


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

    person = PersonOut()
    token = TokenOut()
    space = SpaceOut()


class Me(ApiView):
    @operation("me", "Who am I", answer=MeOut)
    def get(self, asked: Asked) -> dict[str, Any]:
        """Return the person, the token and its space; any token may ask."""
        bearer = asked.bearer
        return {"person": bearer.person, "token": bearer.token, "space": bearer.space}


class Spaces(ApiView):
    @operation("spaces_list", "List my spaces", query=PageQuery, answer=page_of(SpaceOut))
    def get(self, asked: Asked) -> Page:
        """Return the token's own space, and the company's that the person belongs to."""
        return page_of_data(spaces_of(asked.bearer), asked.given, id_of=lambda space: space.pk)


class OneSpace(ApiView):
    @operation("spaces_read", "Show one of my spaces", answer=SpaceOut, refuses=[404])
    def get(self, asked: Asked, space_id: UUID) -> Space:
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
