"""The steps that call to mind: the space's memory as arrays, then the message in, and memories and ledger entries out."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from uuid import UUID

import numpy as np
from django.utils import timezone
from numpy.typing import NDArray

from chat.access import ChatAccess
from chat.turn.due_memories import find_due
from chat.turn.good_memories import find_good, lifts
from chat.turn.vectors import vectors_of_memories
from companion_site.embeddings.service import get_embedder
from companion_site.language import Language
from companion_site.vault import unlocked
from companion_site.vault.scope import space_scope
from ledger.matching import Triggered, find_triggered
from ledger.models import LedgerEntry
from memory.reading.answers import find_sought
from memory.student.contradictions.review import find_doubted
from memory.student.recall.history import find_replaced
from memory.student.recall.ranking import Recalled, as_recalled, recall
from memory.student.workingset import WorkingSet, working_sets


@dataclass(frozen=True, kw_only=True)
class RecallInput:
    access: ChatAccess
    working_set: WorkingSet
    text: str
    vector: np.ndarray
    now: datetime
    language: Language = "en"


def open_memory(access: ChatAccess) -> WorkingSet:
    """Return the current working set; needs no question, so it can be had while the message is embedded."""
    embedder = get_embedder()
    with unlocked(access.space, access.key):
        return working_sets.get(access.space, model=embedder.model, dimension=embedder.dimension)


@dataclass(frozen=True, kw_only=True)
class CalledToMind:
    """Memories and ledger entries for one message, best first.

    Attributes:
        good: good memories that the message did not call to mind, the best first.
        lifting: those of `recalled` that may carry somebody who is low.
        replaced: what those of `recalled` took the place of, by these, where the message asks how it was before.
        vectors: (d,) of all these memories, and of entries that are a memory's words, by text.
    """

    recalled: Sequence[Recalled] = ()
    entries: Sequence[Triggered] = ()
    good: Sequence[Recalled] = ()
    lifting: Collection[UUID] = frozenset()
    replaced: Mapping[UUID, Sequence[Recalled]] = field(default_factory=dict)
    vectors: Mapping[str, NDArray[np.float32]] = field(default_factory=dict, repr=False)


def hold_threats_back(called: CalledToMind) -> CalledToMind:
    """Return the same without the ledger's threats, but for those that a memory here tells: a word in passing brings none up."""
    told = [memory.text for memory in called.recalled if memory.of_danger]
    entries = [
        entry
        for entry in called.entries
        if entry.category != LedgerEntry.Category.THREAT
        or any(entry.content in text or text in entry.content for text in told)
    ]
    return replace(called, entries=entries)


def recall_step(given: RecallInput) -> CalledToMind:
    """Return what this message calls to mind; its "yesterday" is a day here."""
    access, working_set = given.access, given.working_set
    now = timezone.localtime(given.now)
    recalled = recall(
        working_set,
        given.text,
        vector=given.vector,
        embedder=get_embedder(),
        now=now,
        own_name=access.person.display_name,
    )
    besides = {memory.id for memory in recalled}
    recalled += find_due(working_set, given.text, besides=besides, language=given.language, now=now)
    recalled = _with_doubts(access, working_set, recalled)
    good = find_good(working_set, besides={memory.id for memory in recalled}, now=now)
    nodes = {memory.id: working_set.nodes[working_set.row_of[memory.id]] for memory in (*recalled, *good)}
    with unlocked(access.space, access.key):
        entries = find_triggered(access.space, given.text, now=given.now)
    replaced, former = _as_it_was(access, given.text, recalled)
    written_down = vectors_of_memories(working_set, {entry.content for entry in entries}) if entries else {}
    vectors = {node.text: node.vector for node in nodes.values() if node.text and node.vector is not None}
    return CalledToMind(
        recalled=recalled,
        entries=entries,
        good=good,
        lifting=frozenset(memory.id for memory in recalled if lifts(nodes[memory.id])),
        replaced=replaced,
        vectors={**written_down, **former, **vectors},
    )


def _as_it_was(
    access: ChatAccess, question: str, recalled: Sequence[Recalled]
) -> tuple[dict[UUID, list[Recalled]], dict[str, NDArray[np.float32]]]:
    """Return what the memories called to mind took the place of, by these, and its vectors by text; none where nobody asks for it.

    Such a one is as relevant as the memory that holds now, and bears on the message by that one alone.
    """
    if not recalled or "past" not in find_sought(question):
        return {}, {}
    holding = {memory.id: memory for memory in recalled}
    with space_scope(access.space, reading=True), unlocked(access.space, access.key):
        found = find_replaced(access.space, list(holding), model=get_embedder().model)
    replaced: dict[UUID, list[Recalled]] = {}
    for one in found:
        former = replace(
            holding[one.by],
            id=one.id,
            text=one.text,
            modality=one.modality,
            trust=one.trust,
            derived=one.derived,
            tier=one.tier,
            category=one.category,
            said_at=one.said_at,
            bearing=0.0,
            outdated_by=None,
            until=one.until,
        )
        replaced.setdefault(one.by, []).append(former)
    return replaced, {one.text: one.vector for one in found if one.vector is not None}


def _with_doubts(access: ChatAccess, working_set: WorkingSet, recalled: Sequence[Recalled]) -> list[Recalled]:
    """Return the memories; before one that may be out of date what may have taken its place, which comes along."""
    doubted = find_doubted(access.space, [memory.id for memory in recalled])
    there = {memory.id for memory in recalled}
    found: list[Recalled] = []
    for memory in recalled:
        row = working_set.row_of.get(doubted[memory.id]) if memory.id in doubted else None
        if row is None:
            found.append(memory)
            continue
        later = working_set.nodes[row]
        if later.id not in there and not later.of_danger:
            there.add(later.id)
            newer = as_recalled(later, memory.gravity)
            found.append(replace(newer, score=memory.score, bearing=memory.bearing))
        found.append(replace(memory, outdated_by=later.id))
    return found
