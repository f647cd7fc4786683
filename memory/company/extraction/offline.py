"""Reading facts without a model: each sentence of a person that the reader's heads take for one, in the words it was said in.

A line too many costs little, since what goes before a message is chosen anew each time; what was not taken is lost. How well
it does: docs/algorithms/company.md.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import compress, groupby
from math import sqrt

from companion_site.embeddings.protocol import Embedder
from companion_site.embeddings.service import EmbedOnce
from memory.company.extraction.dialogue import CATEGORIES, Candidate, Dialogue
from memory.company.extraction.exchange import Heard, hear
from memory.company.extraction.statements import Statement, find_questions, find_statements
from memory.company.extraction.validation import is_order
from memory.company.params import COMPANY
from memory.models import CompanyFact
from memory.reading.heads import Told
from memory.reading.machines import NONE
from memory.reading.params import READING
from memory.reading.service import get_heads, wish_chances

#: Of what was read so; a doubt stands in the words themselves.
CONFIDENCE = 0.85


@dataclass(frozen=True, slots=True)
class _Kept:
    heard: Heard
    statement: Statement
    category: str
    is_order: bool


def read_offline(dialogue: Dialogue, *, embedder: Embedder) -> list[Candidate]:
    """Return what the person's own sentences say; embeds all of them at once.

    What ends with a colon announces something and says nothing itself. An order to the companion is returned too, so that the
    check refuses it by name. Of what asks only that is taken which says how somebody wants to be written to.

    Raises:
        EmbeddingError: the embedder cannot be asked.
    """
    said = hear(dialogue)
    asked = [(heard, one) for heard in said for one in find_questions(heard.text)]
    wished = compress(asked, _are_wishes([one.text for _, one in asked], embedder=embedder))
    found = [(heard, one) for heard in said for one in find_statements(heard.text)]
    judged = judge_statements([one for _, one in found], embedder=embedder)
    kept = [
        _Kept(heard, statement, category, orders)
        for (heard, statement), (chance, category) in zip(found, judged, strict=True)
        if (orders := is_order(statement.text))
        or (chance >= READING.company_fact and not statement.text.endswith(":"))
    ]
    wishes = [_Kept(heard, one, CompanyFact.Category.PREFERENCE, is_order=False) for heard, one in wished]
    return [
        Candidate(
            category=one.category,
            content=one.statement.text,
            confidence=CONFIDENCE,
            message=one.heard.line.position,
            beside=one.heard.beside,
        )
        for one in [*_join(kept), *wishes]
    ]


def _are_wishes(sentences: Sequence[str], *, embedder: Embedder) -> list[bool]:
    """Tell of each sentence whether it says how somebody wants to be written to from now on."""
    if not sentences:
        return []
    chances = wish_chances(sentences, embedder.embed(sentences), get_heads(embedder))
    return (chances >= READING.standing_wish).tolist()


def judge_statements(found: Sequence[Statement], *, embedder: Embedder) -> list[tuple[float, str]]:
    """Return for each statement how much speaks for its being a fact, 0 to 1, by two heads, and the category that it would have.

    What the head of companies' facts lets through of jokes, quotations and suppositions, that of what anybody says and is worth
    keeping mostly stops, and the other way round with private life: the geometric mean of both is what counts.
    """
    heads, once = get_heads(embedder), EmbedOnce(embedder)
    once.embed([text for one in found for text in (one.prose, one.text)])
    judged: list[tuple[float, str]] = []
    for prose, group in groupby(found, key=lambda one: one.prose):
        same = list(group)
        spans, vectors = [(one.start, one.end) for one in same], once.embed([one.text for one in same])
        (around,) = once.embed([prose])
        told = heads.read_parts("company", prose, spans, vectors, around)["category"]
        keep = heads.read_parts("unit", prose, spans, vectors, around)["class"]
        for row in range(len(same)):
            chance = sqrt((1 - told.of(NONE, row)) * keep.of("keep", row))
            judged.append((chance, _category(told, row)))
    return judged


def _category(told: Told, row: int) -> str:
    """Return the likeliest category; an open item, which expires first, only where it is likelier than all others together."""
    chances = {name: told.of(name, row) for name in CATEGORIES}
    open_item = chances.pop(CompanyFact.Category.UNRESOLVED)
    if open_item > sum(chances.values()):
        return str(CompanyFact.Category.UNRESOLVED)
    return max(chances, key=chances.__getitem__)


def _join(kept: Sequence[_Kept]) -> list[_Kept]:
    """Return what was kept, with what says little by itself joined to the sentence beside it."""
    joined: list[_Kept] = []
    for one in kept:
        if joined and _belong_together(joined[-1], one):
            before = joined[-1].statement
            whole = replace(before, end=one.statement.end, sentence=one.statement.sentence)
            joined[-1] = replace(joined[-1], statement=whole)
        else:
            joined.append(one)
    return joined


def _belong_together(one: _Kept, following: _Kept) -> bool:
    before, after = one.statement, following.statement
    return (
        one.heard is following.heard
        and after.sentence == before.sentence + 1
        and after.end - before.start <= COMPANY.most_chars
        and (after.leans or after.is_short or before.is_short)
        and not (one.is_order or following.is_order)
    )
