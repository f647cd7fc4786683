"""What of everything at hand answers a question, for a reply without a model."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, datetime

from django.utils import timezone

from chat.context import Context, is_doubted, statements_of
from chat.notebook.days import write_day
from companion_site.embeddings.errors import EmbeddingError
from companion_site.embeddings.service import get_embedder
from companion_site.language import Language
from companion_site.llm.types import ToldFact
from memory.company.injecting import Injection
from memory.reading.answers import Said, choose_answers
from memory.reading.heads import UnusableWeights
from memory.reading.service import get_heads


@dataclass(frozen=True, kw_only=True)
class Held:
    """A statement at hand: its words, the day it was said (None where that is not known), and whether it is doubted."""

    text: str
    said_at: datetime | None = None
    is_doubted: bool = False


def held_of_student(context: Context) -> list[Held]:
    """Return the statements of a person's memories and ledger; what others observed is not theirs to be quoted by."""
    held = [
        Held(text=line, said_at=_at(memory.said_at), is_doubted=is_doubted(memory))
        for memory in context.own
        for line in statements_of(memory)
    ]
    told = {one.text for one in held}
    return [*held, *(Held(text=entry.content) for entry in context.entries if entry.content not in told)]


def held_of_company(injection: Injection) -> list[Held]:
    """Return the facts of a company, unsure ones with their doubt; not what the books overrule, nor what the message speaks against."""
    return [
        Held(
            text=fact.line.content,
            said_at=_midnight(fact.line.said_on),
            is_doubted=not fact.is_sure,
        )
        for fact in injection.facts
        if not fact.line.is_contradicted and not fact.line.overruled_by
    ]


def find_answers(
    question: str,
    held: Sequence[Held],
    *,
    language: Language,
    now: datetime,
    is_company: bool = False,
) -> list[ToldFact]:
    """Return the one statement that answers a question, or none; several where everything about a matter is asked for.

    Where the embedder cannot be asked, or the reader was not trained on it, nothing surely answers.
    """
    if not held:
        return []
    embedder = get_embedder()
    try:
        heads = get_heads(embedder)
        vector, *vectors = embedder.embed([question, *(one.text for one in held)])
    except (EmbeddingError, UnusableWeights):
        return []
    statements = [Said(one.text, one.said_at.timestamp() if one.said_at else 0.0) for one in held]
    chosen = choose_answers(
        question, statements, vector=vector, vectors=vectors, heads=heads, is_company=is_company
    )
    today = timezone.localdate(now)
    return [
        ToldFact(
            text=held[place].text,
            when=_write(held[place].said_at, language, today),
            is_doubted=held[place].is_doubted,
        )
        for place in chosen
    ]


def _write(said_at: datetime | None, language: Language, today: date) -> str:
    return write_day(timezone.localdate(said_at), language, today=today) if said_at else ""


def _at(seconds: float) -> datetime:
    return datetime.fromtimestamp(seconds, timezone.get_current_timezone())


def _midnight(day: date) -> datetime:
    return datetime.combine(day, datetime.min.time(), timezone.get_current_timezone())
