"""Picking the statements of a message: by the model where there is one, by the reader's heads where there is none.

A model may only point: what it returns counts where it stands word for word in the message, so nothing it invents
can become a memory.
"""

from companion_site.embeddings.protocol import Embedder
from memory.allowance import Allowance
from memory.model_asking import ask_model
from memory.prompts import ExtractedStatement, ExtractedStatements, extraction_instructions
from memory.statements import Statement, find_statements, keep_whole

#: A quote that a model picked is the person's own words; what it means may still be misread.
MODEL_CONFIDENCE = 0.9


def extract_statements(
    text: str,
    *,
    language: str,
    embedder: Embedder,
    limit: int,
    is_talk: bool = True,
    allowance: Allowance | None = None,
) -> list[Statement]:
    """Return the statements of `text` that are worth remembering, with their spans, in the order said.

    What was not read for want of time comes last, whole.

    Synchronous and slow: called from a worker, never inside a transaction.
    """
    found = ask_model(
        ExtractedStatements, instructions=extraction_instructions(), data=text, purpose="memory.extraction"
    )
    if found is None:
        statements = find_statements(
            text,
            language=language,  # type: ignore[arg-type]  # a column of languages
            embedder=embedder,
            limit=limit,
            is_talk=is_talk,
            allowance=allowance,
        )
        unread = allowance.unread_from if allowance is not None else None
        return statements if unread is None else [*statements, keep_whole(text, unread)]
    return _located(text, found.statements)[:limit]


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
