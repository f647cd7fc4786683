"""Serializers that take what they describe and nothing else."""

import json
from datetime import UTC
from typing import Any

from django.core.validators import ProhibitNullCharactersValidator, RegexValidator
from django.utils.translation import gettext_lazy as _
from drf_spectacular.openapi import AutoSchema
from drf_spectacular.plumbing import ComponentRegistry
from drf_spectacular.utils import OpenApiExample, extend_schema_serializer
from rest_framework import serializers
from rest_framework.views import APIView

#: In the context of a serializer: what it reads came in the address, where everything is a text.
ADDRESS = "address"


def example(name: str, value: dict[str, Any]) -> Any:
    """Return a decorator that shows a serializer in the description with an example."""
    return extend_schema_serializer(examples=[OpenApiExample(name, value=value)])


def read(kind: type[serializers.Serializer], data: Any, **context: Any) -> dict[str, Any]:
    """Return what was sent, as a serializer takes it. Raises serializers.ValidationError: it does not fit."""
    serializer = kind(data=data, context=context)
    serializer.is_valid(raise_exception=True)
    return serializer.validated_data


def schema_of(kind: type[serializers.Serializer]) -> dict[str, Any]:
    """Return the JSON schema of what a serializer takes, as the API's description has it, with its parts in `$defs`."""
    mapper = AutoSchema()
    mapper.registry, mapper.view, mapper.method = ComponentRegistry(), APIView(request=None), "POST"
    schema = mapper._map_serializer(kind(), "request")
    parts = mapper.registry.build({}).get("schemas", {})
    for part in (schema, *parts.values()):
        part["additionalProperties"] = False
    text = json.dumps({**schema, "$defs": parts}).replace("#/components/schemas/", "#/$defs/")
    found: dict[str, Any] = json.loads(text, object_hook=_plain)
    return found


def _plain(part: dict[str, Any]) -> dict[str, Any]:
    """Leave out what drf-spectacular says besides: that a text may be empty, and of choices a list of them and a mark."""
    part |= part.pop("oneOf", [{}])[0]
    if part.pop("x-spec-enum-id", None):
        said = part.pop("description", "").partition("* `")[0].strip()
        part |= {"description": said} if said else {}
    return part


class Strict(serializers.Serializer):
    """Refuses names that mean nothing: a misspelt filter must not answer with everything."""

    def to_internal_value(self, data: Any) -> Any:
        unknown = sorted(set(data) - set(self.fields)) if hasattr(data, "keys") else []
        if unknown:
            raise serializers.ValidationError(
                {name[:100]: [_("There is no such field.")] for name in unknown}
            )
        return super().to_internal_value(data)


class Moment(serializers.DateTimeField):
    """A moment, told in UTC; one without an offset is refused, since nobody knows where it was meant."""

    def __init__(self, **options: Any) -> None:
        super().__init__(**{"default_timezone": UTC, **options})

    def enforce_timezone(self, value: Any) -> Any:
        if value.tzinfo is None:
            self.fail("invalid", format="YYYY-MM-DDThh:mm:ss+hh:mm")
        return super().enforce_timezone(value)


class WholeField(serializers.IntegerField):
    """A whole number, written as one."""

    def to_internal_value(self, data: Any) -> int:
        text = str(data)
        kind = str if self.context.get(ADDRESS) else int
        if type(data) is not kind or not text.isascii() or not text.removeprefix("-").isdigit():
            self.fail("invalid")
        return super().to_internal_value(data)


class NumberField(serializers.FloatField):
    """A number, as JSON writes one."""

    def to_internal_value(self, data: Any) -> float:
        if isinstance(data, bool | str):
            self.fail("invalid")
        return super().to_internal_value(data)


class SwitchField(serializers.BooleanField):
    """True or false, as JSON writes them; in an address by their words."""

    def to_internal_value(self, data: Any) -> bool:
        known: Any = {"true": True, "false": False}.get(data) if self.context.get(ADDRESS) else data
        if not isinstance(known, bool):
            self.fail("invalid", input=type(data).__name__)
        return known


class TextField(serializers.CharField):
    """A text, as JSON writes one; what of it can be kept is for the services to say."""

    def __init__(self, **options: Any) -> None:
        super().__init__(**{"trim_whitespace": False, **options})
        # In place of the check that DRF makes, since this one stands in the description.
        made = next(one for one in self.validators if isinstance(one, ProhibitNullCharactersValidator))
        self.validators.remove(made)
        self.validators.append(RegexValidator(r"^[^\x00]*$", _("Null characters are not allowed.")))

    def to_internal_value(self, data: Any) -> str:
        if not isinstance(data, str):
            self.fail("invalid")
        return super().to_internal_value(data)


class HexField(serializers.CharField):
    """Bytes, told as hexadecimal digits."""

    def to_representation(self, value: Any) -> str:
        return bytes(value).hex()


class IdField(serializers.UUIDField):
    """An id, in the one form in which ids are told."""

    def to_internal_value(self, data: Any) -> Any:
        if not isinstance(data, str) or len(data) != 36:
            self.fail("invalid", value="")
        return super().to_internal_value(data)
