"""The edge of measuring: a finished reply and the rows of the memories in its prompt in, what its row says of it out."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any
from uuid import UUID

import structlog
from django.db import DatabaseError

from chat.models import Message
from chat.personalisation.attribution import Shows, Statement, find_quoted, find_shown
from chat.personalisation.guidance import guides
from chat.personalisation.levels import Stood, judge_confidence, judge_level
from companion_site.language import as_language
from companion_site.llm.offline import OfflineCompanion
from memory.company.confidence import present_confidence
from memory.models import CompanyFact, MemoryNode

logger = structlog.get_logger(__name__)

Entry = Mapping[str, Any]


@dataclass(frozen=True, kw_only=True)
class Given:
    """A memory of a prompt, as it is measured."""

    statement: Statement
    confidence: float
    is_history: bool


@dataclass(frozen=True, kw_only=True)
class Reply:
    """A finished reply, and what it came from.

    Attributes:
        asked: the message that it answers.
        recalled: the memories that stood in its prompt, by id.
        is_danger: whether that is about danger to somebody.
        only_quotes: it was made without a model, so what it does not quote it does not show.
    """

    text: str
    asked: str
    recalled: Sequence[Entry] = ()
    is_danger: bool = False
    only_quotes: bool = False


@dataclass(frozen=True, kw_only=True)
class Measured:
    """What a reply's row says of it beside its words."""

    reply_type: str = Message.ReplyType.CHAT
    personalisation: str = Message.Personalisation.NONE
    confidence: float | None = None
    #: the memories of its prompt, each with whether it shows
    recalled: Sequence[Entry] = field(default_factory=list)


def note_measures(row: Message, text: str, *, is_danger: bool, now: datetime) -> None:
    """Note on a reply's row, unsaved, what it stood on; inside the space's scope, unlocked.

    A fault in measuring costs the reply its figures and nothing else.

    Args:
        text: the reply's words.
        is_danger: whether the message is about danger to somebody.
    """
    try:
        asked = row.parent.text if row.parent is not None else None
        reply = Reply(
            text=text,
            asked=asked or "",
            recalled=row.recalled,
            is_danger=is_danger,
            only_quotes=row.provider == OfflineCompanion.name,
        )
        given = read_given(row.space_id, [UUID(entry["id"]) for entry in row.recalled], now=now)
        measured = measure(reply, given)
    except DatabaseError:  # the transaction is lost with it
        raise
    except Exception:  # the reply stands, whatever becomes of what is said about it
        logger.exception("reply.not_measured", space=str(row.space_id))
        measured = Measured(recalled=row.recalled)
    row.reply_type, row.personalisation = measured.reply_type, measured.personalisation
    row.recalled, row.confidence = list(measured.recalled), measured.confidence


def forget_measures(row: Message) -> list[str]:
    """Take off a reply's row, unsaved, what an earlier try stood on; return the columns."""
    row.recalled, row.reply_type, row.personalisation = [], "", ""
    row.confidence, row.memory_tokens = None, None
    return ["recalled", "reply_type", "personalisation", "confidence", "memory_tokens"]


def measure(reply: Reply, given: Mapping[str, Given]) -> Measured:
    """Return what a reply stood on, of memories by id; one that is gone by now is shown by nothing."""
    ids = [entry["id"] for entry in reply.recalled if entry["id"] in given]
    known = [given[memory] for memory in ids]
    find = find_quoted if reply.only_quotes else find_shown
    shown = find(reply.text, [memory.statement for memory in known], asked=reply.asked)
    stood = [
        Stood(shows=shows, confidence=memory.confidence, is_history=memory.is_history)
        for shows, memory in zip(shown, known, strict=True)
    ]
    shows_by_id = dict(zip(ids, shown, strict=True))
    return Measured(
        reply_type=_type_of(reply),
        personalisation=judge_level(stood),
        confidence=judge_confidence(stood),
        recalled=[
            {**entry, "drawn": str(shows_by_id.get(entry["id"], Shows.NOT))} for entry in reply.recalled
        ],
    )


def read_given(space: UUID, ids: Sequence[UUID], *, now: datetime) -> dict[str, Given]:
    """Return the memories, or a company's facts, by id; inside the space's scope, unlocked."""
    if not ids:
        return {}
    nodes = MemoryNode.objects.for_space(space).filter(pk__in=ids, content__isnull=False)
    facts = CompanyFact.objects.for_space(space).filter(pk__in=ids)
    return {str(node.pk): _of_node(node) for node in nodes} | {
        str(fact.pk): _of_fact(fact, now) for fact in facts
    }


def _type_of(reply: Reply) -> str:
    if reply.is_danger:
        return Message.ReplyType.ESCALATION
    return Message.ReplyType.SOCRATIC if guides(reply.text) else Message.ReplyType.CHAT


def _of_node(node: MemoryNode) -> Given:
    observed = node.trust in {MemoryNode.Trust.TEACHER, MemoryNode.Trust.SYSTEM}
    lived = node.modality == MemoryNode.Modality.EPISODIC or bool(node.category)
    return Given(
        statement=_statement(node.content or "", node.language),
        confidence=node.confidence,
        is_history=observed or lived,
    )


def _of_fact(fact: CompanyFact, now: datetime) -> Given:
    return Given(
        statement=_statement(fact.content, fact.language),
        confidence=present_confidence(fact.confidence, fact.confirmed_at, now, fact.category),
        is_history=fact.category == CompanyFact.Category.DECISION,
    )


def _statement(text: str, language: str) -> Statement:
    return Statement(text=text, language=as_language(language))
