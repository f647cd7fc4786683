"""What a finished reply stood on, measured: how personal it is, how sure, and of what type; from its words and the rows of the memories in its prompt.

The rules are pure functions of text, English and Swedish: docs/personalised-replies.md. A guiding reply ends in a question
about the matter, or sets the person to work by one, and tells little before it: what it tells is at most `TELLS_AT_MOST`
words in sentences that neither ask, nor hand over a task, nor speak to the person. A courtesy ("Is there anything else?",
"How are you?", "Shall I go on?") guides nobody.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Literal
from uuid import UUID

import structlog
from django.db import DatabaseError

from chat.models import Message
from chat.personalisation.attribution import Shows, Statement, find_quoted, find_shown
from companion_site.language import as_language
from companion_site.llm.offline import OfflineCompanion
from memory.company.facts import present_confidence
from memory.models import CompanyFact, MemoryNode
from memory.student.assessment import SURE

logger = structlog.get_logger(__name__)

#: Words of plain telling before the question, from which a reply is an answer with a question behind it.
TELLS_AT_MOST = 12

_SENTENCE = re.compile(r"[^.!?\n]+[.!?]*")
_OPEN = re.compile(
    r"\b(?:what|which|why|how|where|when|who|can you|could you|do you (?:think|see|notice|remember|know)|what if"
    r"|vad|vilken|vilket|vilka|varför|hur|var|när|vem|kan du|skulle du kunna|tror du|ser du|märker du|minns du|vet du)\b",
    re.IGNORECASE,
)
#: Questions about how somebody is, or what they would like of the companion.
_COURTESY = re.compile(
    r"\b(?:anything else|how are you|how was your|how has your day|on your mind|would you like|do you want|shall i|should i|may i|can i"
    r"|does that help|does that make sense|want me to|like to do next|what now|who can you"
    r"|något (?:mer|annat)|hur mår du|hur är det|hur var din|hur har din dag|vad tänker du på|vill du|ska jag|får jag|kan jag"
    r"|hjälper det|blev det klarare|göra härnäst|vem kan du)\b",
    re.IGNORECASE,
)
#: A task, or a word to the person about their own work.
_TO_THE_PERSON = re.compile(
    r"\b(?:you|your|yours|let us|let's|try|think|look|draw|imagine|write|read|mark|begin|start|find|pick"
    r"|du|dig|din|ditt|dina|vi|oss|prova|pröva|tänk|titta|rita|skriv|läs|märk|börja|hitta|välj)\b",
    re.IGNORECASE,
)


def guides(reply: str) -> bool:
    """Tell whether a reply guides by a question rather than answers."""
    sentences = [match.group().strip() for match in _SENTENCE.finditer(reply) if match.group().strip()]
    last = sentences[-1] if sentences else ""
    if not last.endswith("?") or _COURTESY.search(last) or not _OPEN.search(last):
        return False
    told = [
        sentence
        for sentence in sentences
        if not sentence.endswith("?") and not _TO_THE_PERSON.search(sentence)
    ]
    return sum(len(sentence.split()) for sentence in told) <= TELLS_AT_MOST


Level = Literal["none", "low", "medium", "high"]

#: So many memories shown do so whatever they are.
SEVERAL = 2


@dataclass(frozen=True, kw_only=True)
class Stood:
    """One memory of a prompt, as the reply came to show it.

    Attributes:
        confidence: how sure the companion is of it, 0 to 1.
        is_history: it tells what the person did, lived through or became, not what they like or feel at present.
    """

    statement: Statement
    confidence: float
    is_history: bool = False
    shows: Shows = Shows.NOT


def judge_level(memories: Sequence[Stood]) -> Level:
    """Return how personal a reply is: none shown, only faintly, one, or several or one sure piece of the person's history."""
    clear = [memory for memory in memories if memory.shows is Shows.CLEARLY]
    if len(clear) >= SEVERAL or any(memory.is_history and memory.confidence >= SURE for memory in clear):
        return "high"
    if clear:
        return "medium"
    return "low" if any(memory.shows is Shows.FAINTLY for memory in memories) else "none"


def judge_confidence(memories: Sequence[Stood]) -> float | None:
    """Return how sure a reply is of what it drew on: as its least sure memory; None where it drew on none.

    Where none shows clearly, those that show faintly count.
    """
    for wanted in (Shows.CLEARLY, Shows.FAINTLY):
        found = [memory.confidence for memory in memories if memory.shows is wanted]
        if found:
            return min(found)
    return None


def note_measures(row: Message, text: str, *, is_danger: bool, now: datetime) -> None:
    """Note on a reply's row, unsaved, what it stood on; inside the space's scope, unlocked.

    A memory that is gone by now is shown by nothing. A fault in measuring costs the reply its figures and nothing else.

    Args:
        text: the reply's words.
        is_danger: whether the message is about danger to somebody.
    """
    row.reply_type = Message.ReplyType.ESCALATION if is_danger else Message.ReplyType.CHAT
    row.personalisation, row.confidence = Message.Personalisation.NONE, None
    try:
        known = read_known(row.space_id, [UUID(entry["id"]) for entry in row.recalled], now=now)
        stood = measure(
            text,
            known,
            asked=(row.parent.text if row.parent is not None else None) or "",
            only_quotes=row.provider == OfflineCompanion.name,
        )
        if not is_danger and guides(text):
            row.reply_type = Message.ReplyType.SOCRATIC
    except DatabaseError:  # the transaction is lost with it
        raise
    except Exception:  # the reply stands, whatever becomes of what is said about it
        logger.exception("reply.not_measured", space=str(row.space_id))
        return
    row.personalisation = judge_level([*stood.values()])
    row.confidence = judge_confidence([*stood.values()])
    row.recalled = [
        {**entry, "drawn": str(stood[entry["id"]].shows if entry["id"] in stood else Shows.NOT)}
        for entry in row.recalled
    ]


def forget_measures(row: Message) -> list[str]:
    """Take off a reply's row, unsaved, what an earlier try stood on; return the columns."""
    row.recalled, row.reply_type, row.personalisation = [], "", ""
    row.confidence, row.memory_tokens = None, None
    return ["recalled", "reply_type", "personalisation", "confidence", "memory_tokens"]


def measure(text: str, known: Mapping[str, Stood], *, asked: str, only_quotes: bool) -> dict[str, Stood]:
    """Return the memories of a prompt, by id, with how clearly a reply shows each.

    Args:
        asked: the message that it answers.
        only_quotes: it was made without a model, so what it does not quote it does not show.
    """
    find = find_quoted if only_quotes else find_shown
    shown = find(text, [memory.statement for memory in known.values()], asked=asked)
    return {
        key: replace(memory, shows=shows) for (key, memory), shows in zip(known.items(), shown, strict=True)
    }


def read_known(space: UUID, ids: Sequence[UUID], *, now: datetime) -> dict[str, Stood]:
    """Return the memories, or a company's facts, by id; inside the space's scope, unlocked."""
    if not ids:
        return {}
    nodes = MemoryNode.objects.for_space(space).filter(pk__in=ids, content__isnull=False)
    facts = CompanyFact.objects.for_space(space).filter(pk__in=ids)
    return {str(node.pk): _of_node(node) for node in nodes} | {
        str(fact.pk): _of_fact(fact, now) for fact in facts
    }


def _of_node(node: MemoryNode) -> Stood:
    observed = node.trust in {MemoryNode.Trust.TEACHER, MemoryNode.Trust.SYSTEM}
    lived = node.modality == MemoryNode.Modality.EPISODIC or bool(node.category)
    return Stood(
        statement=Statement(text=node.content or "", language=as_language(node.language)),
        confidence=node.confidence,
        is_history=observed or lived,
    )


def _of_fact(fact: CompanyFact, now: datetime) -> Stood:
    return Stood(
        statement=Statement(text=fact.content, language=as_language(fact.language)),
        confidence=present_confidence(fact.confidence, fact.confirmed_at, now, fact.category),
        is_history=fact.category == CompanyFact.Category.DECISION,
    )
