"""What each tool takes. The schemas that clients read are made of these classes; what a node may hold the memory checks."""

from typing import Annotated, Any, Literal
from uuid import UUID

from pydantic import BaseModel, ConfigDict, Field, WithJsonSchema

from memory.agents.context_store import MOST_FRAMES, MOST_NODES
from memory.agents.mcp import protocol
from memory.models.agents import NodeType

NODE_SCHEMA: dict[str, Any] = {
    "type": "object",
    "description": "One thing to remember, known by its path.",
    "required": ["id", "type"],
    "properties": {
        "id": {
            "type": "string",
            "description": "Path: lower-case segments joined by dots, e.g. skill.python.closures",
        },
        "type": {"type": "string", "enum": list(NodeType.values)},
        "label": {"type": "string"},
        "payload": {
            "type": "object",
            "description": "definition, examples, anti_patterns, code, tests, outcome...; long text goes into details",
        },
        "links": {
            "type": "array",
            "items": {
                "type": "object",
                "required": ["to"],
                "properties": {
                    "to": {"type": "string"},
                    "rel": {"type": "string"},
                    "w": {"type": "number", "minimum": 0, "maximum": 1},
                },
            },
        },
        "children": {"type": "object", "additionalProperties": {"type": "string"}},
        "tags": {"type": "array", "items": {"type": "string"}},
        "stats": {"type": "object"},
        "resonance": {"type": "object"},
        "meta": {
            "type": "object",
            "description": "source: where it comes from; task, session: what it belongs to",
        },
    },
}
Node = Annotated[Any, WithJsonSchema(NODE_SCHEMA)]
Id = Annotated[str, Field(min_length=1, max_length=protocol.ID_CHARS)]
Count = Annotated[int, Field(strict=True, ge=1, le=protocol.MOST_FOUND)]
Passphrase = Annotated[
    str, Field(min_length=1, max_length=1024, description="What the pack is encrypted with.")
]


class Arguments(BaseModel):
    """Arguments of one tool: what is not named is refused, and nothing is turned into something else."""

    model_config = ConfigDict(extra="forbid", frozen=True, hide_input_in_errors=True)


class Filters(Arguments):
    """What a search is narrowed to."""

    types: list[NodeType] | None = Field(default=None, description="Nodes of these types only.")
    tags: list[str] | None = Field(
        default=None, max_length=32, description="Nodes with one of these tags only."
    )
    ids: list[str] | None = Field(
        default=None,
        max_length=200,
        description="These nodes of your own, by their paths; the query may then be empty.",
    )


class SearchMemory(Arguments):
    query: str = Field(
        default="", max_length=protocol.QUERY_CHARS, description="What you want to know, in plain words."
    )
    k: Count = Field(default=32, description="How many nodes at the most.")
    filters: Filters = Filters()


class UpsertMemory(Arguments):
    nodes: list[Node] = Field(max_length=200, description="Nodes to remember, all of them or none.")
    merge: bool = Field(default=True, description="Add to what is known of a node; false replaces it.")


class RecallContext(Arguments):
    scope: Literal["task", "session", "recent"] = Field(
        default="recent", description="Whose episodes and frames."
    )
    id: Id | None = Field(default=None, description="The task's or session's id; left out for recent.")
    k: Count = Field(default=32, description="How many episodes at the most.")


class Frame(Arguments):
    """One block of a context."""

    kind: Literal["identity", "problem", "knowledge", "episodic", "constraints", "scratchpad"]
    format: str = Field(default="markdown", max_length=40, description="hdod.json, markdown, text...")
    data: Any = Field(description="Text, or a nested dictionary for knowledge.")


class SaveContext(Arguments):
    task_id: Id
    frames: list[Frame] = Field(max_length=MOST_FRAMES)
    nodes: list[str] = Field(
        default=[], max_length=MOST_NODES, description="Paths of the nodes that the frames show."
    )
    client_id: UUID | None = Field(
        default=None, description="Your own id of this save. Sent twice under one id, it is kept once."
    )
    outcome: Literal["", "helped", "failed"] = Field(
        default="", description="Whether the context was of use."
    )


class ProjectSnapshot(Arguments):
    include_memory: bool = Field(
        default=True, description="False: who you are and how far you have come, without nodes and contexts."
    )


class ExportEncrypted(Arguments):
    selection: str = Field(
        default="all",
        max_length=protocol.ID_CHARS,
        description="Which nodes: all, or parts such as domain:python, path:skill.python, type:skill.",
    )
    passphrase: Passphrase
    name: str = Field(default="backup", min_length=1, max_length=100, description="What the pack is called.")
    out: str | None = Field(
        default=None,
        max_length=200,
        description="What the file is to be called; it is not written on the server.",
    )


class ImportEncrypted(Arguments):
    pack: str = Field(description="The .kpack file as base64.")
    passphrase: Passphrase
    mount: bool = Field(
        default=False,
        description="False: the nodes become memory of your own, sealed. True: an open pack that you read, "
        "for knowledge that is nobody's secret; needs a token for packs.",
    )
