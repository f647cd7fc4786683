"""Picking the statements of a message: by the model where there is one, by prototypes where there is none.

A model may only point: what it returns counts where it stands word for word in the message, so nothing it invents
can become a memory.
"""

import asyncio

import structlog

from companion_site.embeddings.protocol import Embedder
from companion_site.llm.errors import LanguageModelError
from companion_site.llm.gateway import get_gateway
from memory.prompts import ExtractedStatement, ExtractedStatements, extraction_instructions
from memory.statements import Statement, distil

logger = structlog.get_logger(__name__)

#: A quote that a model picked is the person's own words; what it means may still be misread.
MODEL_CONFIDENCE = 0.9


def extract_statements(text: str, *, language: str, embedder: Embedder, limit: int) -> list[Statement]:
    """Return the statements of `text` that are worth remembering, with their spans, in the order said.

    Synchronous and slow: called from a worker, never inside a transaction.
    """
    found = asyncio.run(_ask_model(text))
    if found is None:
        return distil(text, language=language, embed=embedder.embed, model=embedder.model, limit=limit)  # type: ignore[arg-type]
    return _located(text, found.statements)[:limit]


async def _ask_model(text: str) -> ExtractedStatements | None:
    """Return what a model picked; None where no model could be asked."""
    gateway = get_gateway()
    if not gateway.providers:
        return None
    try:
        extracted = await gateway.extract(
            ExtractedStatements,
            instructions=extraction_instructions(),
            data=text,
            purpose="memory.extraction",
        )
    except LanguageModelError as error:
        logger.info("extraction.offline", code=error.code)
        return None
    finally:
        await gateway.aclose()
    return extracted.value


def _located(text: str, statements: list[ExtractedStatement]) -> list[Statement]:
    found: dict[int, Statement] = {}
    for statement in statements:
        quote = statement.quote.strip()
        start = text.find(quote) if quote else -1
        if start >= 0:
            found.setdefault(start, _as_statement(statement, quote, start))
    return [found[start] for start in sorted(found)]


def _as_statement(statement: ExtractedStatement, quote: str, start: int) -> Statement:
    return Statement(
        text=quote,
        start=start,
        end=start + len(quote),
        modality=statement.modality,
        valence=statement.valence,
        confidence=MODEL_CONFIDENCE,
        salience=statement.importance,
    )
