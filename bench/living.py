"""Conversations as a student's memory, in the three ways that retrieval is measured in.

`store_transcript` makes every turn one episodic memory, word for word, through the service that stores all memories;
`form` lives the conversation through formation, as `manage.py replay` does; `compress_to_half` then compresses that.
"""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from functools import cached_property
from typing import Any
from uuid import UUID

import numpy as np

from bench.students import enter_person, load_memory
from chat.access import ChatAccess
from chat.demo.recordings import Conversation, Question, Session, Turn
from chat.demo.replay import SECONDS_BETWEEN_TURNS, live_through
from companion_site.embeddings.service import get_embedder
from companion_site.ids import new_id
from companion_site.language import as_language, detect_language, sanitise
from companion_site.vault import unlocked
from companion_site.vault.keyring import hash_words
from companion_site.vault.scope import space_scope, write_scope
from memory.algorithms.fusion import Ranking
from memory.algorithms.relevance import RELEVANCE, RelevanceWeights
from memory.models import MemoryNode, MemorySource
from memory.reading.statements import Statement
from memory.student.compression.run import begin_run, compress
from memory.student.ingest.formation import Draft, Said
from memory.student.ingest.store import store_memories
from memory.student.params import COMPRESSION
from memory.student.recall.ranking import Recalled, rank_memories, recall
from memory.student.workingset import WorkingSet


@dataclass(frozen=True)
class Lived:
    """A student who holds a conversation in memory.

    Attributes:
        sources: the turns that each memory came from; none for a memory of no turn.
        turn_of: the turn that each message was.
    """

    conversation: Conversation
    access: ChatAccess
    sources: Mapping[UUID, Sequence[str]]
    turn_of: Mapping[UUID, str] = field(default_factory=dict)

    @cached_property
    def held(self) -> WorkingSet:
        """The memory as arrays, loaded from the database as at log-in."""
        return load_memory(self.access)

    def rank(self, question: Question, vector: np.ndarray) -> Ranking:
        """Return the ranking of a question that is asked when all is over."""
        return rank_memories(self.held, question.text, vector=vector, **self._asked())

    def recall(
        self, question: Question, vector: np.ndarray, weights: RelevanceWeights = RELEVANCE
    ) -> list[Recalled]:
        """Return what such a question calls to mind."""
        embedder = get_embedder()
        return recall(
            self.held, question.text, vector=vector, embedder=embedder, weights=weights, **self._asked()
        )

    def _asked(self) -> dict[str, Any]:
        return {"now": self.conversation.now, "own_name": self.conversation.people[0]}


def enter_speaker(conversation: Conversation) -> ChatAccess:
    """Make a student of the first who speaks in a conversation."""
    return enter_person(
        f"speaker-{new_id().hex}",
        now=conversation.sessions[0].at,
        display_name=conversation.people[0] or "Student",
        language=conversation.language,
    )


def store_transcript(conversation: Conversation, vectors: np.ndarray) -> Lived:
    """Store every turn with words as one episodic memory.

    Args:
        vectors: (n, d), one for each turn of the conversation, in order.

    Turns of the same words are one memory, as everywhere; it counts for all of them.
    """
    access = enter_speaker(conversation)
    turns_of: dict[UUID, list[str]] = defaultdict(list)
    node_of: dict[bytes, UUID] = {}
    row = iter(vectors)
    for session in conversation.sessions:
        thread = new_id()
        with write_scope(access.space), unlocked(access.space, access.key):
            for turn in session.turns:
                vector = next(row)
                if not sanitise(turn.text).strip():
                    continue
                digest = hash_words(access.space, sanitise(turn.text))
                draft = draft_turn(conversation, session, turn, thread=thread, vector=vector)
                for node in store_memories(access.space, draft, now=draft.said.said_at):
                    node_of[digest] = node
                turns_of[node_of[digest]].append(turn.id)
    return Lived(conversation, access, turns_of)


def draft_turn(
    conversation: Conversation, session: Session, turn: Turn, *, thread: UUID, vector: np.ndarray
) -> Draft:
    """Return the draft of one memory that holds a turn word for word."""
    text = sanitise(turn.text)
    said_at = session.at + timedelta(
        seconds=SECONDS_BETWEEN_TURNS * (turn.position - session.turns[0].position)
    )
    said = Said(
        text=text,
        language=detect_language(text, default=as_language(conversation.language)),
        said_at=said_at,
        source_kind=MemorySource.Kind.MESSAGE,
        source_id=new_id(),
        conversation_id=thread,
        position=turn.position,
        speaker=None if turn.speaker == conversation.people[0] else turn.speaker,
    )
    statement = Statement(
        text=text,
        start=0,
        end=len(text),
        modality=MemoryNode.Modality.EPISODIC.value,
        valence=0.0,
        confidence=0.9,
        salience=0.5,
    )
    return Draft(
        said=said, snr=0.0, statements=[statement], vectors=vector[None, :], model=get_embedder().model
    )


def form(conversation: Conversation, *, sleeps: bool = False) -> Lived:
    """Live the conversation through formation, with its sleeps or without any; each memory counts for the turns that its sources name."""
    access = enter_speaker(conversation)
    turn_of = live_through(access, conversation, sleeps=sleeps).turn_of
    return Lived(conversation, access, turns_of(access, turn_of), turn_of)


def compress_to_half(lived: Lived, *, now: datetime) -> Lived:
    """Compress what has formed to half of its active memories, or as near as the rules allow.

    By the service that the site uses. No sleep has covered anything here, so nothing is pruned: all of it is merging.

    Raises:
        RuntimeError: the compression failed.
    """
    space = lived.access.space
    with space_scope(space):
        half = -(-MemoryNode.objects.for_space(space).active().count() // 2)
    run = begin_run(space, trigger="requested", now=now)
    done = compress(space, run.pk, key=lived.access.key, now=now, params=replace(COMPRESSION, max_nodes=half))
    if done.state != "done":
        raise RuntimeError(f"the compression has {done.state}")
    return replace(lived, sources=turns_of(lived.access, lived.turn_of))


def turns_of(access: ChatAccess, turn_of: Mapping[UUID, str]) -> dict[UUID, list[str]]:
    """Return the turns that each memory's sources name, the first said first."""
    turns_of: dict[UUID, dict[str, None]] = defaultdict(dict)
    with space_scope(access.space):
        rows = MemorySource.objects.for_space(access.space).order_by("said_at", "start", "id")
        for node, source in rows.values_list("node_id", "source_id"):
            turns_of[node][turn_of[source]] = None
    return {node: list(turns) for node, turns in turns_of.items()}
