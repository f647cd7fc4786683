"""What the bodies of programs' requests have in common: read strictly, known again by an id, refused by our own names for things."""

import json
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from typing import Any, Generic, TypeVar
from uuid import UUID

from pydantic import BaseModel, ConfigDict, ValidationError

from companion_site.accounts.strict_json import BadJson, load_json
from companion_site.accounts.system_requests import RequestRefused

Said = TypeVar("Said")


class Part(BaseModel):
    """A part of a body that holds nothing but what is named."""

    model_config = ConfigDict(extra="forbid", frozen=True, hide_input_in_errors=True)


@dataclass(frozen=True)
class Reported(Generic[Said]):
    """What was sent, and the bytes that it is compared by when its id comes again."""

    said: Said
    identity: bytes


def read_json(raw: bytes, *, refused: type[RequestRefused]) -> Any:
    """Return what a body says; raise `refused` where it is no strict JSON."""
    try:
        return load_json(raw)
    except BadJson as error:
        raise refused(str(error)) from None


def identify(given: Mapping[str, Any], *, id: UUID) -> bytes:
    """Return the bytes by which what was sent under an id is compared."""
    compared = {**given, "id": str(id)}
    return json.dumps(compared, sort_keys=True, ensure_ascii=False, separators=(",", ":")).encode()


def tell_problem(error: ValidationError, *, names: Collection[str], whole: str) -> str:
    """Return the first thing that is wrong: where, by our own names for it, and what is expected there.

    Args:
        names: that may be repeated to the sender; those of their own making are not.
        whole: what the body is called.
    """
    first = error.errors(include_url=False, include_context=False, include_input=False)[0]
    known = [str(part) for part in first["loc"] if isinstance(part, int) or part in names]
    return f"{'.'.join(known) or whole}: {first['msg']}"
