"""Facts, chains and events as programs read them: the API's answers and the exports say the same."""

from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Any

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


def tell_moment(moment: datetime | None) -> str | None:
    """Return a moment in UTC, as ISO 8601 writes it."""
    return None if moment is None else moment.astimezone(UTC).isoformat().replace("+00:00", "Z")


def tell_fact(fact: ShownFact) -> dict[str, Any]:
    """Return one fact, flat: each entry is also a column of the CSV file."""
    return {
        "id": str(fact.id),
        "category": fact.category,
        "content": fact.content,
        "language": fact.language,
        "state": str(fact.state),
        "flagged": fact.is_flagged,
        "confidence": round(fact.present_confidence, 4),
        "origin": fact.origin,
        "believed_since": tell_moment(fact.created_at),
        "expires_at": tell_moment(fact.expires_at),
        "said_by": fact.said_by,
        "said_by_id": _id(fact.said_by_id),
        "said_at": tell_moment(fact.said_at),
        "conversation_id": _id(fact.source_conversation_id),
        "message_id": _id(fact.source_message_id),
        "confirmations": fact.confirmations,
        "confirmed_at": tell_moment(fact.confirmed_at),
        "superseded_at": tell_moment(fact.superseded_at),
        "superseded_by": _id(fact.superseded_by_id),
        "superseded_reason": fact.superseded_reason,
        "superseded_actor": fact.superseded_actor,
        "restores": _id(fact.restores_id),
        "flagged_at": tell_moment(fact.flagged_at),
        "reviewed_at": tell_moment(fact.reviewed_at),
        "reviewed_by": fact.reviewed_by,
        "extraction_id": _id(fact.extraction_id),
        "doubted_since": tell_moment(fact.doubted_since) if fact.is_doubted else None,
        "doubted_by": _id(fact.doubted_by_id) if fact.is_doubted else None,
    }


def tell_event(event: CompanyEvent) -> dict[str, Any]:
    """Return one thing that happened to a fact."""
    return {
        "kind": event.kind,
        "at": tell_moment(event.at),
        "actor": event.actor_name,
        "reason": event.reason,
        "other_fact": _id(event.other_id),
        "confidence": event.confidence,
        "expires_at": tell_moment(event.expires_at),
        "message_id": _id(event.source_message_id),
    }


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


def _id(value: Any) -> str | None:
    return None if value is None else str(value)
