"""Facts, chains and events as programs read them: the API's answers and the exports say the same."""

from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Any
from uuid import UUID

from memory.company.audit.chains import FactChain
from memory.company.audit.facts import ShownFact
from memory.company.audit.search import Hit
from memory.models import CompanyEvent

#: What is told of one fact, in the order of a table's columns.
COLUMNS = (
    "id", "category", "content", "language", "state", "flagged", "confidence", "origin", "believed_since",
    "expires_at", "said_by", "said_by_id", "said_at", "conversation_id", "message_id", "confirmations",
    "confirmed_at", "superseded_at", "superseded_by", "superseded_reason", "superseded_actor", "restores",
    "flagged_at", "reviewed_at", "reviewed_by", "extraction_id", "doubted_since", "doubted_by",
)  # fmt: skip


#: By what a fact keeps a column that is called otherwise.
_KEPT_AS = {
    "flagged": "is_flagged", "believed_since": "created_at", "conversation_id": "source_conversation_id",
    "message_id": "source_message_id", "superseded_by": "superseded_by_id", "restores": "restores_id",
    "doubted_by": "doubted_by_id",
}  # fmt: skip


def tell_moment(moment: datetime | None) -> str | None:
    """Return a moment in UTC, as ISO 8601 writes it."""
    return None if moment is None else moment.astimezone(UTC).isoformat().replace("+00:00", "Z")


def tell_fact(fact: ShownFact) -> dict[str, Any]:
    """Return one fact, flat: each entry is also a column of the CSV file."""
    told = {name: _plain(getattr(fact, _KEPT_AS.get(name, name))) for name in COLUMNS}
    told["confidence"] = round(fact.present_confidence, 4)
    if not fact.is_doubted:
        told |= {"doubted_since": None, "doubted_by": None}
    return told


def tell_event(event: CompanyEvent) -> dict[str, Any]:
    """Return one thing that happened to a fact."""
    told = {
        "kind": event.kind,
        "at": event.at,
        "actor": event.actor_name,
        "reason": event.reason,
        "other_fact": event.other_id,
        "confidence": event.confidence,
        "expires_at": event.expires_at,
        "message_id": event.source_message_id,
    }
    return {name: _plain(value) for name, value in told.items()}


def tell_chain(chain: FactChain) -> dict[str, Any]:
    """Return a fact with its chain, the earliest first."""
    return {
        "fact": tell_fact(chain.fact),
        "chain": [
            {**tell_fact(link.fact), "also_took_the_place_of": [tell_fact(one) for one in link.joined]}
            for link in chain.links
        ],
        "chain_is_cut": chain.is_cut,
        "events": [tell_event(event) for event in chain.events],
        "events_total": chain.events_total,
    }


def tell_hit(hit: Hit) -> Mapping[str, Any]:
    """Return one hit of a search."""
    return {
        "fact": tell_fact(hit.fact),
        "score": hit.score,
        "similarity": hit.similarity,
        "has_words": hit.has_words,
    }


def _plain(value: Any) -> Any:
    """Return a value as JSON has it."""
    if isinstance(value, datetime):
        return tell_moment(value)
    return str(value) if isinstance(value, UUID | str) else value
