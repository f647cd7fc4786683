"""Promotion: what of a thing said goes into the ledger as well, word for word. The rule: docs/algorithms/storing.md.

Entries come from what the person or a teacher said, never from what was recalled or said by a model.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from itertools import accumulate
from types import MappingProxyType
from typing import Literal, Protocol, cast, get_args
from uuid import UUID

import numpy as np

from companion_site.embeddings.protocol import Embedder
from companion_site.language import Language, find_names, hide_foreign, tokens, word_information, words
from ledger.entries import EntryDraft
from ledger.services import record_entries
from memory.models import MemoryNode
from memory.reading.notes import read_notes
from memory.reading.params import READING
from memory.reading.service import Danger, danger_chances, get_heads, wish_chances
from memory.reading.splitter import split, split_sentences
from memory.reading.statements import Statement

#: (importance, trigger threshold): a secret is brought up by two words or a name as written, never by one word alone. A wish that was read
#: is as important as it is likely, and never more than one that the person wrote down.
WEIGHTS: Mapping[str, tuple[float, float]] = MappingProxyType(
    {
        "threat": (1.0, 0.5),
        "secret": (0.8, 0.7),
        "instruction": (0.5, 0.5),
        "promise": (0.7, 0.5),
        "fact": (0.7, 0.5),
        "debt": (0.6, 0.5),
        "observation": (0.5, 0.5),
    }
)
#: Words commoner than one in four thousand come up everywhere ("school" has 11.7 bits, "homework" 16).
RARE_BITS = 12.0
MOST_TRIGGERS = 6
MOST_ENTITIES = 8
LONGEST_TRIGGER = 60
Entry = Literal["promise", "secret", "debt", "threat", "fact", "instruction", "observation"]
ENTRIES: tuple[Entry, ...] = get_args(Entry)
#: What each source may put into the ledger: a system reports facts, it gives no instructions.
_MAY_SAY: dict[str, frozenset[str]] = {
    MemoryNode.Trust.PERSON: frozenset(ENTRIES),
    MemoryNode.Trust.TEACHER: frozenset(ENTRIES),
    MemoryNode.Trust.SYSTEM: frozenset({"threat", "fact", "observation"}),
}
#: notes of the reader that are entries
_NOTED = ("promise", "secret", "debt", "fact", "observation")
#: What has none brings nothing up again, and would stand for good.
_LETTER = re.compile(r"[^\W\d_]")


#: What of a message goes into the ledger. Source: rows G2 to G4.
#: entries of one message, at the most
MOST_ENTRIES = 8
#: sentences of one message that are read, at the most, of more the first and last; characters of them together: each costs
#: the embedder .4 ms
MOST_SENTENCES, MOST_CHARS = 48, 6_000
#: a sentence of so few words that asks for silence goes with the one that it is about
BARE_WORDS = 6


@dataclass(frozen=True, kw_only=True)
class Promotion:
    """One entry to be.

    Attributes:
        draft: what will be written, but for the memory that it came from.
        statement: which of the message's statements shares most characters with it, None where none does.
    """

    draft: EntryDraft
    statement: int | None


class Placed(Protocol):
    """Something with a place in the message."""

    @property
    def start(self) -> int: ...
    @property
    def end(self) -> int: ...


@dataclass(frozen=True)
class _Pick:
    category: Entry
    start: int
    end: int
    chance: float = 1.0


def find_promotions(
    text: str,
    statements: Sequence[Statement] = (),
    *,
    language: Language,
    rounds: int,
    danger: Danger | None,
    embedder: Embedder,
    trust: str = MemoryNode.Trust.PERSON,
) -> list[Promotion]:
    """Return what of a message belongs into the ledger, in the order said; embeds.

    Synchronous and slow: called from a worker, never inside a transaction.

    Args:
        text: the sanitised message, whatever its SNR: threats are looked for in all of them.
        statements: what was distilled from it, without an abstract parent; spans point into `text`.
        rounds: how many passes its SNR is worth.
        danger: how surely it speaks of danger.
        trust: who said it, of `MemoryNode.Trust`; what is derived is never promoted.
    """
    allowed = _MAY_SAY.get(trust, frozenset())
    if not allowed:
        return []
    found = _find_offline(text, danger, embedder)
    due = [pick for pick in found if pick.category == "threat" or rounds >= 1]
    picks = _settle([pick for pick in due if pick.category in allowed])
    return [_promotion(text, pick, statements, language=language, trust=trust) for pick in picks]


def promote_quotes(
    text: str,
    quotes: Sequence[tuple[Entry, int, int]],
    statements: Sequence[Placed],
    *,
    language: Language,
) -> list[Promotion]:
    """Return the entries of the person's own words that a model pointed at.

    Args:
        text: the sanitised message.
        quotes: category, first character and the one after the last of each.
    """
    picks = _settle([_Pick(*quote) for quote in quotes])
    trust = MemoryNode.Trust.PERSON
    return [_promotion(text, pick, statements, language=language, trust=trust) for pick in picks]


def promote(
    space: UUID,
    promotions: Sequence[Promotion],
    node_ids: Sequence[UUID | None] = (),
    *,
    source_id: UUID,
    said_at: datetime,
    now: datetime,
) -> list[UUID]:
    """Write what was found into the ledger; return the entries' ids. The caller holds the space's lock and transaction.

    Args:
        source_id: the message or box that it was found in.
        node_ids: the memory of each statement that was given to `find_promotions`, in that order; None or too few where
            there is none.
    """
    drafts = []
    for promotion in promotions:
        number = promotion.statement
        node = node_ids[number] if number is not None and number < len(node_ids) else None
        drafts.append(replace(promotion.draft, node_id=node))
    entries = record_entries(space, drafts, source_id=source_id, said_at=said_at, now=now)
    return [entry.entry_id for entry in entries]


def _find_offline(text: str, danger: Danger | None, embedder: Embedder) -> list[_Pick]:
    """Return every sentence of the person's own prose that belongs into the ledger."""
    prose = hide_foreign(text)
    told = [(one.start, one.end) for one in split_sentences(prose, limit=len(prose))]
    spans = _outermost([span for span in told if _LETTER.search(prose[slice(*span)])])
    texts = [prose[start:end] for start, end in spans]
    if not texts:
        return []
    vectors = embedder.embed(texts)
    noted = read_notes(texts, vectors, _NOTED, embedder=embedder)
    named = {at: max(notes, key=notes.__getitem__) for at, notes in enumerate(noted) if notes}
    picks = {at: _Pick(cast(Entry, kind), *spans[at]) for at, kind in named.items()}
    others = [at for at in range(len(texts)) if at not in named]
    wishes = _wishes([texts[at] for at in others], others, embedder)
    picks |= {at: _Pick("instruction", *spans[at], chance=chance) for at, chance in wishes.items()}
    if danger == "sure":
        chances = danger_chances(texts, vectors, get_heads(embedder))
        # Where no sentence speaks of danger by itself, the likeliest does.
        dangerous = np.flatnonzero(chances >= READING.danger_perhaps).tolist() or [int(chances.argmax())]
        picks |= {at: _Pick("threat", *spans[at]) for at in dangerous}
    return [_with_content(prose, spans, number, picks) for number in sorted(picks)]


def _wishes(sentences: Sequence[str], numbers: Sequence[int], embedder: Embedder) -> dict[int, float]:
    """Return by number how likely those sentences say, whole or in a clause, how somebody wants to be helped from now on."""
    if not sentences:
        return {}
    parts = [
        [sentence, *(sentence[one.start : one.end] for one in split(sentence))] for sentence in sentences
    ]
    texts = list(dict.fromkeys(text for part in parts for text in part))
    told = wish_chances(texts, embedder.embed(texts), get_heads(embedder)).tolist()
    chances = dict(zip(texts, told, strict=True))
    best = [max(chances[text] for text in part) for part in parts]
    return {
        number: chance
        for number, chance in zip(numbers, best, strict=True)
        if chance >= READING.standing_wish
    }


def _outermost(spans: Sequence[tuple[int, int]]) -> list[tuple[int, int]]:
    """Return the sentences to read, in order: all, or of very many the first and last."""
    last = len(spans) - 1
    ranked = sorted(range(last + 1), key=lambda at: min(at, last - at))[:MOST_SENTENCES]
    lengths = accumulate(spans[at][1] - spans[at][0] for at in ranked)
    return [spans[at] for at, length in sorted(zip(ranked, lengths, strict=True)) if length <= MOST_CHARS]


def _with_content(
    prose: str,
    spans: Sequence[tuple[int, int]],
    number: int,
    picks: Mapping[int, _Pick],
) -> _Pick:
    """Return the pick; "Don't tell anyone." goes with the sentence beside it that is not kept for itself."""
    pick = picks[number]
    is_bare = len(prose[pick.start : pick.end].split()) <= BARE_WORDS
    if pick.category != "secret" or not is_bare:
        return pick
    if number + 1 < len(spans) and number + 1 not in picks:
        return replace(pick, end=spans[number + 1][1])
    if number > 0 and number - 1 not in picks:
        return replace(pick, start=spans[number - 1][0])
    return pick


def _settle(picks: Sequence[_Pick]) -> list[_Pick]:
    """Return at most so many picks that do not overlap, in the order said; threats before all, the rest as given."""
    kept: list[_Pick] = []
    for pick in sorted(picks, key=lambda pick: pick.category != "threat"):
        if len(kept) < MOST_ENTRIES and all(pick.end <= one.start or one.end <= pick.start for one in kept):
            kept.append(pick)
    return sorted(kept, key=lambda pick: pick.start)


def _promotion(
    text: str,
    pick: _Pick,
    statements: Sequence[Placed],
    *,
    language: Language,
    trust: str,
) -> Promotion:
    content = text[pick.start : pick.end]
    stands = pick.category == "instruction"
    triggers, entities = ((), ()) if stands else derive_triggers(content, language=language)
    importance, threshold = WEIGHTS[pick.category]
    draft = EntryDraft(
        content=content,
        category=pick.category,
        importance=round(importance * pick.chance, 3),
        trigger_threshold=threshold,
        triggers=triggers,
        trigger_entities=entities,
        trust=trust,
    )
    shared = [min(pick.end, one.end) - max(pick.start, one.start) for one in statements]
    best = max(range(len(shared)), key=shared.__getitem__, default=None)
    carrier = best if best is not None and shared[best] > 0 else None
    return Promotion(draft=draft, statement=carrier)


def derive_triggers(text: str, *, language: Language) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Return the words and the names that bring up what `text` says; at least one of either, if it has a word.

    The rarest words come first; a word that is part of a name is left to the name.
    """
    entities = tuple(name for name in find_names(text) if len(name) <= LONGEST_TRIGGER)[:MOST_ENTITIES]
    named = {word for name in entities for word in words(name)}
    found = [
        word
        for word in dict.fromkeys(words(text))
        if word not in named and len(word) <= LONGEST_TRIGGER and tokens(word, language)
    ]
    if not found:
        return tuple(
            word for word in words(text)[:1] if not entities and len(word) <= LONGEST_TRIGGER
        ), entities
    bits = word_information(found, language)
    ranked = [int(place) for place in np.argsort(-bits, kind="stable")]
    rare = [place for place in ranked if bits[place] >= RARE_BITS] or ([] if entities else ranked[:1])
    return tuple(found[place] for place in rare[:MOST_TRIGGERS]), entities
