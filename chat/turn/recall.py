"""What a message calls to mind: the space's memory as arrays and the message in, memories and ledger entries out.

Beside what is near in meaning: memories with a day that comes up, where that is asked for, and the person's own good
memories, which carry somebody who is low and which a game can play with.
"""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from uuid import UUID

import numpy as np
from django.utils import timezone
from numpy.typing import NDArray

from chat.access import ChatAccess
from companion_site.embeddings.protocol import Embedder
from companion_site.embeddings.service import EmbedOnce, get_embedder
from companion_site.language import Language
from companion_site.vault.scope import space_scope
from ledger.matching import Triggered, find_triggered
from ledger.models import LedgerEntry
from memory.algorithms.reminders import day_within, span_asked_for
from memory.models import MemoryNode
from memory.reading.questions import asks_of_oneself, find_sought
from memory.student.recall.doubts import tell_doubts
from memory.student.recall.history import find_replaced
from memory.student.recall.ranking import Recalled, as_recalled, present_gravity, recall
from memory.student.selectors import NodeData
from memory.student.workingset import WorkingSet, said_at, working_sets
from overlay.guard import Fog
from overlay.lines import OverlayLine, overlay_lines
from overlay.services import known_concepts, learn_from_text, make_fog, take_over_openings
from overlay.worlds import NO_WORLD, world_of

Vectors = Mapping[str, NDArray[np.float32]]


def find_vectors(embedder: Embedder, working_set: WorkingSet, texts: Iterable[str]) -> Vectors:
    """Return (d,) float32 of each text: of a memory its own, of others the one made before; the rest is embedded."""
    wanted = sorted({text for text in texts if text})
    beside = EmbedOnce(embedder, vectors_of_memories(working_set, wanted))
    return dict(zip(wanted, beside.embed(wanted), strict=True))


def vectors_of_memories(working_set: WorkingSet, wanted: Collection[str]) -> dict[str, NDArray[np.float32]]:
    """Return (d,) float32 of those texts that are a memory's, by text; waits while others search the memory."""
    with working_set.lock:
        return {
            node.text: node.vector
            for node in working_set.nodes
            if node.text in wanted and node.text is not None and node.vector is not None
        }


MOST_DUE = 8


def find_due(
    working_set: WorkingSet, question: str, *, besides: Collection[UUID], language: Language, now: datetime
) -> list[Recalled]:
    """Return what the person said themselves of the days that a question about what comes up is meant for, the soonest first.

    Args:
        now: local time.
    """
    if "coming" not in find_sought(question):
        return []
    span = span_asked_for(question, language=language, now=now)
    with working_set.lock:
        gravity, expires_at = present_gravity(working_set, now=now), working_set.expires_at
        held = [
            (node, float(gravity[row]))
            for row, node in enumerate(working_set.nodes)
            if node.alive
            and not node.of_danger
            and node.trust == MemoryNode.Trust.PERSON
            and node.id not in besides
            and expires_at[row] > now.timestamp()
        ]
    due = []
    for node, weight in held:  # reading their days takes long, and others wait for the lock
        told = datetime.fromtimestamp(said_at(node), now.tzinfo)
        day = day_within(node.text or "", language=language, said_at=told, span=span)
        if day is not None:
            due.append((day, as_recalled(node, weight)))
    return [memory for _day, memory in sorted(due, key=lambda one: one[0])[:MOST_DUE]]


#: a memory so good is a good one
GOOD = 0.35
MOST_GOOD = 16


def lifts(node: NodeData) -> bool:
    """Tell whether a memory may carry somebody: something good, a strength, or a way of working that is not hard."""
    if node.trust != MemoryNode.Trust.PERSON or node.of_danger:
        return False
    if node.valence >= GOOD or node.category == MemoryNode.Category.STRENGTHS:
        return True
    return node.modality == MemoryNode.Modality.PROCEDURAL and node.valence > 0


def find_good(working_set: WorkingSet, *, besides: Collection[UUID], now: datetime) -> list[Recalled]:
    """Return the good memories of a space beside those called to mind already, the best and liveliest first."""
    with working_set.lock:
        if not len(working_set):
            return []
        rows = [
            row
            for row, node in enumerate(working_set.nodes)
            if node.alive
            and node.valence >= GOOD
            and node.trust == MemoryNode.Trust.PERSON
            and not node.of_danger
            and node.id not in besides
        ]
        lasting = working_set.expires_at > now.timestamp()
        gravity = present_gravity(working_set, now=now)
        kept = np.array([row for row in rows if lasting[row]], dtype=np.int64)
        valence = np.array([working_set.nodes[row].valence for row in kept.tolist()])
        order = kept[np.argsort(-(valence * gravity[kept]), kind="stable")][:MOST_GOOD]
        return [as_recalled(working_set.nodes[row], float(gravity[row])) for row in order.tolist()]


def open_memory(access: ChatAccess) -> WorkingSet:
    """Return the current working set; needs no question, so it can be had while the message is embedded."""
    embedder = get_embedder()
    with access.open():
        return working_sets.get(access.space, model=embedder.model, dimension=embedder.dimension)


@dataclass(frozen=True, kw_only=True)
class CalledToMind:
    """Memories and ledger entries for one message, best first.

    Attributes:
        asks_widely: the message asks who the person is, or what they want to reach.
        good: good memories that the message did not call to mind, the best first.
        lifting: those of `recalled` that may carry somebody who is low.
        replaced: what those of `recalled` took the place of, by these, where the message asks how it was before.
        vectors: (d,) of all these memories and what they point back at, and of entries that are a memory's words, by text.
    """

    recalled: Sequence[Recalled] = ()
    entries: Sequence[Triggered] = ()
    asks_widely: bool = False
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


def recall_step(
    access: ChatAccess,
    working_set: WorkingSet,
    text: str,
    *,
    vector: np.ndarray,
    now: datetime,
    language: Language = "en",
    is_worked_out: bool = False,
) -> CalledToMind:
    """Return what a message with this (d,) vector calls to mind, a sum nothing but what the ledger holds; its "yesterday" is a day here."""
    now = timezone.localtime(now)
    own_name = access.person.display_name
    recalled: list[Recalled] = []
    if not is_worked_out:
        recalled = recall(
            working_set, text, vector=vector, embedder=get_embedder(), now=now, own_name=own_name
        )
    besides = {memory.id for memory in recalled}
    recalled += find_due(working_set, text, besides=besides, language=language, now=now)
    recalled = tell_doubts(access.space, working_set, recalled, vector=vector, embedder=get_embedder())
    good = find_good(working_set, besides={memory.id for memory in recalled}, now=now)
    nodes = {memory.id: working_set.nodes[working_set.row_of[memory.id]] for memory in (*recalled, *good)}
    with access.open():
        entries = find_triggered(access.space, text, now=now)
    replaced, former = _as_it_was(access, text, recalled)
    beside = {entry.content for entry in entries} | {memory.before for memory in recalled if memory.before}
    written_down = vectors_of_memories(working_set, beside) if beside else {}
    vectors = {node.text: node.vector for node in nodes.values() if node.text and node.vector is not None}
    return CalledToMind(
        recalled=recalled,
        entries=entries,
        asks_widely="goals" in find_sought(text) or asks_of_oneself(text),
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
    with space_scope(access.space, reading=True), access.open():
        found = find_replaced(access.space, list(holding), model=get_embedder().model)
    replaced: dict[UUID, list[Recalled]] = {}
    for one in found:
        holds, memory = holding[one.by], one.memory
        former = replace(
            as_recalled(memory, holds.gravity),
            confidence=holds.confidence,
            similarity=holds.similarity,
            score=holds.score,
            terms=holds.terms,
            hops=holds.hops,
            who=holds.who,
            until=one.until,
        )
        replaced.setdefault(one.by, []).append(former)
    vectors = {one.memory.text or "": one.memory.vector for one in found}
    return replaced, {text: vector for text, vector in vectors.items() if vector is not None}


@dataclass(frozen=True, kw_only=True)
class Met:
    """What of the world may be named in this turn, and what is known of it."""

    fog: Fog = field(default_factory=lambda: make_fog(NO_WORLD, ()))
    concepts: Sequence[OverlayLine] = ()


def meet_step(access: ChatAccess, text: str, *, learns: bool, now: datetime) -> Met:
    """Return the fog over the student's world, lifted from what this message names.

    Args:
        learns: whether what is named here is kept, as in every conversation with memory.
    """
    if not access.remembers or not (world := world_of(access.person)).concepts:
        return Met()
    named = frozenset(map(str, world.named_in(text)))
    with access.open():
        if learns:
            take_over_openings(access.person, access.space, now=now)
            if named:
                learn_from_text(access.person, access.space, text, now=now)
        fog = make_fog(world, known_concepts(access.person, access.space, now=now)).allowing(named)
        lines = overlay_lines(access.person, access.space, text, now=now) if learns else ()
    return Met(fog=fog, concepts=lines)
