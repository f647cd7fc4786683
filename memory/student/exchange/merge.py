"""What becomes of a reading's facts beside what the reader's heads formed of the same messages; embeds, so outside transactions."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from uuid import UUID

import numpy as np

from companion_site.embeddings.protocol import Embedder
from companion_site.language import (
    Language,
    as_sentence,
    find_names,
    find_numbers,
    fold_words,
    stem_words,
    tokens,
    words,
)
from memory.algorithms.dates import MONTHS, WEEKDAYS
from memory.algorithms.difference import is_negated
from memory.models import MemorySource
from memory.reading.notes import read_notes
from memory.reading.params import READING
from memory.reading.statements import as_statement
from memory.student.exchange.findings import CONFIDENCE, Fact, Findings
from memory.student.exchange.prompts import Exchange, Held, Line
from memory.student.ingest.formation import Draft, Said, draft_statements
from memory.student.ledger_promotion import Promotion, promote_quotes
from memory.student.life.facts.extraction import CONFIDED, Told, name_facts
from memory.student.workingset import WorkingSet

#: share of a memory's telling words that what takes its place must have
COVERS = 0.75
#: Words of a time that a date takes the place of.
_RELATIVE = {
    *words("today tonight tomorrow yesterday next last coming morning evening weekend week"),
    *words("idag ikväll imorgon igår morgon kväll nästa förra kommande helgen helg vecka veckan"),
    *WEEKDAYS,
    *MONTHS,
}


@dataclass(frozen=True, kw_only=True)
class Kept:
    """What is kept of one message.

    Attributes:
        draft: its new memories, linked and compared; its statements are the first facts.
        held: the memories that say the other facts already.
        reworded: memories that facts take the place of, by their places among the new and the held.
        promotions: ledger entries; each one's statement is such a place.
        replaced: such places, each with a memory that no longer holds.
    """

    draft: Draft
    held: Sequence[UUID] = ()
    reworded: dict[UUID, Sequence[int]] = field(default_factory=dict)
    promotions: Sequence[Promotion] = ()
    replaced: Sequence[tuple[int, UUID]] = ()


def think(
    findings: Findings,
    exchange: Exchange,
    *,
    conversation: UUID,
    working_set: WorkingSet,
    embedder: Embedder,
) -> list[Kept]:
    """Return what is kept of each message by checked findings."""
    kept: list[Kept] = []
    for line in exchange.new:
        facts = [fact for fact in findings.facts if fact.line.id == line.id]
        if facts:
            formed = [one for one in exchange.held if one.of_message == line.id]
            standing = [one for one in formed if one.id not in findings.unmeant]
            known, reworded = _sort(facts, standing)
            new = [fact for number, fact in enumerate(facts) if number not in known]
            draft = _draft(line, new, conversation, working_set, embedder)
            passed = {one.id for one in formed}
            kept.append(_keep(line, facts, known, reworded, draft, passed, working_set, embedder))
    return kept


def _sort(facts: Sequence[Fact], formed: Sequence[Held]) -> tuple[dict[int, UUID], dict[UUID, list[int]]]:
    """Return by number which facts a memory says already, by which; and by memory which facts take its place. The others are new.

    What formed is taken away only where the facts of its words say all that it says; else it stays, and what they add stands
    beside it.
    """
    known: dict[int, UUID] = {}
    reworded: dict[UUID, list[int]] = {}
    for held in formed:
        here = {
            number: fact
            for number, fact in enumerate(facts)
            if any(fact.start < end and start < fact.end for start, end in held.spans)
        }
        if (
            not here
            or any(fold_words(fact.text) == fold_words(held.text) for fact in here.values())
            or not (held.may_change and not held.in_ledger and _cover([*here.values()], held))
        ):
            known |= {number: held.id for number, fact in here.items() if not _adds(fact, held)}
        else:
            reworded[held.id] = list(here)
    rewording = {number for here in reworded.values() for number in here}
    return {number: held for number, held in known.items() if number not in rewording}, reworded


def _cover(facts: Sequence[Fact], held: Held) -> bool:
    """Tell whether facts say all that a memory says: each name and number, denial for denial, and most of its words."""
    language = facts[0].line.language
    together = ". ".join(fact.text for fact in facts)
    said = set(_telling(held.text, language))
    if any(map(str.isdigit, together)):
        said -= set(stem_words(list(_RELATIVE), language)) - set(_telling(together, language))
    if set(find_numbers(held.text)) - set(find_numbers(together)):
        return False
    lowered = fold_words(together)
    if any(fold_words(name) not in lowered for name in find_names(held.text)):
        return False
    if is_negated(held.text) != any(is_negated(fact.text) for fact in facts):
        return False
    return len(said & set(_telling(together, language))) >= COVERS * len(said)


def _adds(fact: Fact, held: Held) -> bool:
    """Tell whether a fact says something that a memory does not."""
    language = fact.line.language
    if is_negated(fact.text) and not is_negated(held.text):
        return True
    return not set(_telling(fact.text, language)) <= set(_telling(held.text, language))


def _telling(text: str, language: Language) -> list[str]:
    """Return the stems of the words that carry something, and the numbers."""
    carrying = [word for word in words(text) if tokens(word, language)]
    return [*stem_words(carrying, language), *find_numbers(text)]


def _draft(
    line: Line, facts: Sequence[Fact], conversation: UUID, working_set: WorkingSet, embedder: Embedder
) -> Draft:
    said = Said(
        text=line.text,
        language=line.language,
        said_at=line.said_at,
        source_kind=MemorySource.Kind.MESSAGE,
        source_id=line.id,
        conversation_id=conversation,
        position=line.number,
    )
    statements = [
        replace(
            as_statement(fact.text, language=line.language, embedder=embedder),
            start=fact.start,
            end=fact.end,
            confidence=CONFIDENCE,
        )
        for fact in facts
    ]
    if not statements:
        return Draft(said=said, snr=0.0)
    draft = draft_statements(said, statements, working_set=working_set, embedder=embedder)
    threats = {number for number, fact in enumerate(facts) if fact.ledger == "threat"}
    draft = replace(draft, of_danger=threats.union(draft.of_danger))
    texts = [one.text for one in statements]
    noted = read_notes(texts, draft.vectors[: len(texts)], [CONFIDED], embedder=embedder)
    confided = {number for number, notes in enumerate(noted) if notes or facts[number].ledger == CONFIDED}
    guarded = confided.union(draft.of_danger)
    told = [
        [*read, *_named(fact, read, line.said_at, guarded=line.of_danger or number in guarded)]
        for number, (fact, read) in enumerate(zip(facts, draft.facts, strict=True))
    ]
    return replace(draft, facts=told)


def _named(fact: Fact, read: Sequence[Told], said_at: datetime, *, guarded: bool) -> Iterator[Told]:
    """Yield the facts of life that the model names beside those that the words tell."""
    known = {one.kind for one in read}
    kinds = [kind for kind in dict.fromkeys(fact.life) if kind not in known]
    yield from name_facts(kinds, fact.text, language=fact.line.language, said_at=said_at, guarded=guarded)


def _keep(
    line: Line,
    given: Sequence[Fact],
    known: Mapping[int, UUID],
    reworded: Mapping[UUID, Sequence[int]],
    draft: Draft,
    passed: set[UUID],
    working_set: WorkingSet,
    embedder: Embedder,
) -> Kept:
    order = [*(number for number in range(len(given)) if number not in known), *sorted(known)]
    place = {number: at for at, number in enumerate(order)}
    facts = [given[number] for number in order]
    entries = [(fact.ledger, fact.start, fact.end) for fact in facts if fact.ledger is not None]
    promotions = promote_quotes(line.text, entries, facts, language=line.language) if entries else []
    # What formed of the same words is no earlier statement.
    contradictions = [one for one in draft.contradictions if one.earlier not in passed]
    return Kept(
        draft=replace(draft, contradictions=contradictions),
        held=[known[number] for number in sorted(known)],
        reworded={held: [place[number] for number in here] for held, here in reworded.items()},
        promotions=promotions,
        replaced=[
            (at, earlier)
            for at, fact in enumerate(facts)
            for earlier in fact.replaces
            if earlier not in passed and _is_near(fact.text, earlier, working_set, embedder)
        ],
    )


def _is_near(text: str, earlier: UUID, working_set: WorkingSet, embedder: Embedder) -> bool:
    """Tell whether a text may speak of the same as a memory: what is far from it replaces nothing."""
    row = working_set.row_of.get(earlier)
    if row is None:
        return False
    (vector,) = embedder.embed([as_sentence(text)])
    cosine = float(np.nan_to_num(vector @ working_set.corpus.vectors[row]))
    return float(embedder.calibration.similarity(cosine)) >= READING.acts
