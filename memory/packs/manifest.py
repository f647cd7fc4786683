"""`pack.json`: what a pack says of itself, checked before a node of it is looked at.

JSON of a foreign file is read without guessing, and refused where two readers could understand it differently.
"""

import json
from datetime import datetime
from typing import Annotated, Any, Literal

from pydantic import (
    AwareDatetime,
    BaseModel,
    ConfigDict,
    Field,
    StringConstraints,
    ValidationError,
    model_validator,
)

from companion_site.accounts.strict_json import refuse_constant, refuse_repeats
from companion_site.language import sanitise
from memory.packs.errors import PackRefused
from memory.packs.limits import PackLimits

Line = Annotated[str, StringConstraints(max_length=200, strip_whitespace=True)]


#: what the row of a pack says in the words of its manifest
SAID = frozenset({"name", "description", "domain_tags", "language", "licence", "author"})


class Manifest(BaseModel):
    """What a pack says of itself.

    Attributes:
        id: known again by it; kept as the pack's key.
        checksum: SHA-256 of nodes.jsonl, as hexadecimal digits.
        embedding_model, dimension: what the nodes' vectors are of; both or none.
    """

    model_config = ConfigDict(extra="forbid", frozen=True)

    format: Literal["kpack/1"] = "kpack/1"
    id: Annotated[str, StringConstraints(pattern=r"^[a-z0-9][a-z0-9._-]{0,99}$")]
    name: Annotated[Line, StringConstraints(min_length=1)]
    version: Annotated[str, StringConstraints(pattern=r"^[A-Za-z0-9][A-Za-z0-9.+_-]{0,49}$")]
    description: Annotated[str, StringConstraints(max_length=4_000)] = ""
    domain_tags: Annotated[
        tuple[Annotated[str, StringConstraints(min_length=1, max_length=60)], ...], Field(max_length=32)
    ] = ()
    language: Literal["", "en", "sv"] = ""
    licence: Annotated[str, StringConstraints(max_length=100)] = ""
    author: Line = ""
    created_at: AwareDatetime
    checksum: Annotated[str, StringConstraints(pattern=r"^[0-9a-f]{64}$")] = "0" * 64
    nodes: Annotated[int, Field(ge=0)] = 0
    links: Annotated[int, Field(ge=0)] = 0
    embedding_model: Annotated[str, StringConstraints(min_length=1, max_length=100)] | None = None
    dimension: Annotated[int, Field(ge=1)] | None = None

    @model_validator(mode="after")
    def _hangs_together(self) -> "Manifest":
        if (self.embedding_model is None) != (self.dimension is None):
            raise ValueError("a model and its dimension stand together")
        texts = (self.id, self.name, self.description, self.licence, self.author, *self.domain_tags)
        if any(text != sanitise(text) for text in texts):
            raise ValueError("a text holds what cannot be seen or stored")
        return self


def describe(*, now: datetime, **fields: object) -> Manifest:
    """Return a manifest by the one who makes the pack; counts and checksum come with the nodes.

    Raises:
        PackRefused (manifest): a field cannot be, or is missing.
    """
    try:
        return Manifest.model_validate({"created_at": now, **fields})
    except ValidationError:
        raise PackRefused(why="manifest") from None


def write_manifest(manifest: Manifest) -> bytes:
    """Return the file of a manifest; the same manifest gives the same bytes."""
    return manifest.model_dump_json(indent=1).encode() + b"\n"


def parse_manifest(raw: bytes, *, limits: PackLimits) -> Manifest:
    """Return the manifest of a file. Raises PackRefused (manifest): it is no manifest, or tells of more than is allowed."""
    try:
        manifest = Manifest.model_validate(parse_object(raw))
    except (ValidationError, ValueError):
        raise PackRefused(why="manifest") from None
    too_much = manifest.nodes > limits.nodes or manifest.links > limits.links
    if too_much or (manifest.dimension or 0) > limits.dimension or not manifest.nodes:
        raise PackRefused(why="manifest")
    return manifest


def parse_object(raw: bytes) -> dict[str, Any]:
    """Return the JSON object that `raw` is.

    Raises:
        ValueError: it is not UTF-8, not JSON, no object, nested beyond reason, repeats a name, or holds half a surrogate pair,
            a NUL or a number that is none.
    """
    try:
        value = json.loads(raw.decode(), object_pairs_hook=refuse_repeats, parse_constant=refuse_constant)
    except RecursionError:
        raise ValueError("nested too deeply") from None
    if not isinstance(value, dict):
        raise ValueError("no object")
    if b"\\u" in raw:
        # Only an escape can bring in what UTF-8 does not allow, or a NUL, which PostgreSQL does not.
        text = json.dumps(value, ensure_ascii=False)
        text.encode()
        # A backslash is written as two, so that what is left of one begins an escape.
        if "\\u0000" in text.replace("\\\\", ""):
            raise ValueError("a NUL")
    return value
