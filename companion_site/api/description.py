"""The API's description as OpenAPI 3.1: what is told of all of it, and the last touches to what is derived from the code."""

from typing import Any

DESCRIPTION = """\
What a person can do with their companion, for their own programs. A token is made on the account page under
*API tokens*; it opens one space, and its scopes say what for. Send it with each request:

    Authorization: Bearer cmp_…

**Lists** come by pages: pass `next` on as `cursor`. **Repeats**: send a POST with an `Idempotency-Key`, and send it
again with the same key if you never got the answer. **Refusals** are `application/problem+json` (RFC 9457) with a
`code` that does not change. Whatever is not yours answers as what does not exist.
"""

SPECTACULAR_SETTINGS = {
    "TITLE": "Companion",
    "VERSION": "1",
    "OAS_VERSION": "3.1.0",
    "DESCRIPTION": DESCRIPTION,
    "SERVE_INCLUDE_SCHEMA": False,
    "SERVE_PERMISSIONS": [],
    "SERVE_AUTHENTICATION": [],
    "SCHEMA_PATH_PREFIX": "/api/v1",
    "COMPONENT_SPLIT_REQUEST": True,
    "COMPONENT_SPLIT_PATCH": False,
    "ENUM_ADD_EXPLICIT_BLANK_NULL_CHOICE": False,
    "ENUM_NAME_OVERRIDES": {
        "MemoryTier": "memory.models.MemoryNode.Tier",
        "TierToSearch": "memory.student.recall.retrieval.TIERS",
        "MemoryCategory": "memory.student.recall.retrieval.CATEGORIES",
        "EntryCategory": "ledger.models.LedgerEntry.Category",
        "FactCategory": "memory.models.CompanyFact.Category",
        "EdgeCategory": "memory.api.memories.EDGE_CATEGORIES",
        "MessageState": "chat.models.Message.State",
        "FactState": "memory.company.audit.serializers.STATES",
        "FactStateToFind": "memory.company.audit.filters.State",
        "EntryTrust": "ledger.models.LedgerEntry.Trust",
        "MemoryTrust": "memory.models.MemoryNode.Trust",
        "ChangeKind": "memory.models.MemoryChange.Kind",
        "SourceKind": "memory.models.MemorySource.Kind",
        "SpaceKind": "companion_site.vault.models.Space.Kind",
        "FactEventKind": "memory.models.CompanyEvent.Kind",
        "MessageRole": "chat.models.Message.Role",
        "PersonRole": "companion_site.accounts.models.Person.Role",
        "HowKnown": "overlay.models.KnownConcept.How",
        "Modality": "memory.models.MemoryNode.Modality",
        "FactOrigin": "memory.models.CompanyFact.Origin",
        "NodeType": "memory.models.agents.NodeType",
        "ContextOutcome": "memory.models.AgentContext.Outcome",
        "FrameKind": "memory.agents.frames.KINDS",
        "RecallScope": "memory.agents.episodes.SCOPES",
        "UploadState": "memory.api.packs.STATES",
        "TokenScope": "companion_site.accounts.tokens.Scope",
    },
    "PREPROCESSING_HOOKS": ["companion_site.api.description.keep_this_api"],
    "POSTPROCESSING_HOOKS": [
        "drf_spectacular.hooks.postprocess_schema_enums",
        "companion_site.api.description.close_bodies",
    ],
}
PREFIX = "/api/v1/"


def keep_this_api(endpoints: list[Any], **_options: Any) -> list[Any]:
    """Leave out what is no part of this version."""
    return [endpoint for endpoint in endpoints if endpoint[0].startswith(PREFIX)]


def close_bodies(result: dict[str, Any], **_options: Any) -> dict[str, Any]:
    """Say of every body, and of what is in it, that it has no other members: the code refuses them."""
    schemas = result["components"]["schemas"]
    methods = [method for methods in result["paths"].values() for method in methods.values()]
    waiting, closed = _references([method.get("requestBody", {}) for method in methods]), set()
    while waiting:
        name = waiting.pop()
        if name not in closed and schemas[name].get("type") == "object":
            closed.add(name)
            schemas[name]["additionalProperties"] = False
            waiting |= _references(schemas[name])
    return result


def _references(part: Any) -> set[str]:
    if isinstance(part, list):
        return set().union(*map(_references, part))
    if not isinstance(part, dict):
        return set()
    here = {part["$ref"].rsplit("/", 1)[-1]} if isinstance(part.get("$ref"), str) else set()
    return here.union(*map(_references, part.values()))
