"""Conversations lived with sleep in between, and what is left of the memory afterwards."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from uuid import UUID

import numpy as np

from bench.living import Lived, enter_student
from bench.recordings import sessions_of
from bench.scoring import ADVERSARIAL, Outcome, score
from chat.access import ChatAccess
from chat.demo.recordings import Conversation, Session
from chat.demo.replay import live_through
from companion_site.embeddings.protocol import Embedder
from companion_site.ids import new_id
from companion_site.llm.tokens import estimate_tokens
from companion_site.vault.scope import space_scope
from memory.models import MemoryNode, MemorySource
from memory.student.params import SLEEP
from memory.student.recall.ranking import rank_memories, recall
from memory.student.sleep.run import sleep_through
from memory.student.sleep.store import expire_short_term
from memory.student.workingset import WorkingSet

CYCLES = 10
#: How far down evidence is counted per token, as in `bench.asking`.
DEPTH = 10


@dataclass(frozen=True)
class Cycle:
    """One stretch of sessions and the sleep after it.

    Attributes:
        before, after: memories that are active and have not expired, before and after the sleep.
        left: memories that it left short-term.
        batch_s: seconds of each of its runs.
        commit_ms: milliseconds of writing, of each.
    """

    before: int
    after: int
    left: int
    batch_s: Sequence[float]
    commit_ms: Sequence[int]


@dataclass
class Remembered:
    """What one way of remembering holds at the end, and what the questions find in it.

    Attributes:
        memories, characters: of what is active and has not expired.
        evidence, tokens: pieces of evidence within the first ten ranks, and the tokens of the texts there.
        prompt_tokens: of the memories that go into a prompt, by question.
    """

    outcomes: list[Outcome] = field(default_factory=list)
    memories: int = 0
    characters: int = 0
    evidence: int = 0
    tokens: int = 0
    prompt_tokens: list[int] = field(default_factory=list)

    def add(self, other: "Remembered") -> None:
        """Take in what was measured on another conversation."""
        self.outcomes += other.outcomes
        self.prompt_tokens += other.prompt_tokens
        self.memories += other.memories
        self.characters += other.characters
        self.evidence += other.evidence
        self.tokens += other.tokens


def form_and_sleep(conversation: Conversation) -> tuple[Lived, list[Cycle]]:
    """Live a conversation, with a sleep after each of ten stretches of its sessions.

    Raises:
        RuntimeError: a sleep failed.
    """
    access = enter_student(
        f"slept-{new_id().hex}",
        now=conversation.sessions[0].at,
        display_name=conversation.people[0] or "Student",
        language=conversation.language,
    )
    turn_of: dict[UUID, str] = {}
    passed = []
    for stretch in split_sessions(conversation.sessions, CYCLES):
        turn_of |= live_through(access, replace(conversation, sessions=stretch)).turn_of
        passed.append(_sleep(access, now=stretch[-1].at + timedelta(hours=2 * SLEEP.after_hours)))
    return Lived(access, conversation.people[0], find_turns(access, turn_of), turn_of), passed


def split_sessions(sessions: Sequence[Session], cycles: int) -> list[tuple[Session, ...]]:
    """Return the sessions as so many stretches, as even as may be; none is empty."""
    parts = np.array_split(np.arange(len(sessions)), min(cycles, len(sessions)))
    return [tuple(sessions[at] for at in part) for part in parts]


def find_turns(access: ChatAccess, turn_of: Mapping[UUID, str]) -> dict[UUID, list[str]]:
    """Return the turns that each memory's sources name, the first said first."""
    turns: dict[UUID, dict[str, None]] = defaultdict(dict)
    with space_scope(access.space):
        rows = MemorySource.objects.for_space(access.space).order_by("said_at", "start", "id")
        for node, source in rows.values_list("node_id", "source_id"):
            turns[node][turn_of[source]] = None
    return {node: list(found) for node, found in turns.items()}


def _sleep(access: ChatAccess, *, now: datetime) -> Cycle:
    expire_short_term(now=now)
    before = _count(access, now=now)
    runs = sleep_through(access.space, key=access.key, now=now)
    for run in runs:
        if run.error:
            raise RuntimeError(f"a sleep failed: {run.error}")
    return Cycle(
        before=before,
        after=_count(access, now=now),
        left=sum(run.left for run in runs),
        batch_s=[(run.duration_ms or 0) / 1000 for run in runs if run.processed],
        commit_ms=[run.commit_ms or 0 for run in runs if run.processed],
    )


def _count(access: ChatAccess, *, now: datetime) -> int:
    with space_scope(access.space):
        return MemoryNode.objects.for_space(access.space).active().unexpired(now).count()


def ask_all(
    conversation: Conversation, lived: Lived, vectors: np.ndarray, *, embedder: Embedder
) -> Remembered:
    """Return what the questions find in a memory; what has expired is not found.

    Args:
        vectors: (n, d) of the questions.
    """
    working_set = lived.working_set()
    lasting = working_set.corpus.alive & (working_set.expires_at > conversation.now.timestamp())
    texts = [node.text or "" for row, node in enumerate(working_set.nodes) if lasting[row]]
    found = Remembered(memories=len(texts), characters=sum(map(len, texts)))
    for question, vector in zip(conversation.questions, vectors, strict=True):
        ranking = rank_memories(
            working_set, question.text, vector=vector, now=conversation.now, own_name=lived.name
        )
        rows = ranking.order[lasting[ranking.order]].tolist()
        ranked = [(lived.sources.get(working_set.nodes[row].id, ()), row) for row in rows]
        outcome = score(
            question,
            [turns for turns, _ in ranked],
            session_of=sessions_of(conversation),
            conversation=conversation.name,
        )
        if outcome is None:
            continue
        found.outcomes.append(outcome)
        if question.category != ADVERSARIAL:
            _count_evidence(found, set(question.evidence), ranked, working_set)
            recalled = recall(
                working_set,
                question.text,
                vector=vector,
                embedder=embedder,
                now=conversation.now,
                own_name=lived.name,
            )
            found.prompt_tokens.append(sum(estimate_tokens(memory.text) for memory in recalled))
    return found


def _count_evidence(
    found: Remembered,
    evidence: set[str],
    ranked: Sequence[tuple[Sequence[str], int]],
    working_set: WorkingSet,
) -> None:
    filled = 0
    reached: set[str] = set()
    for turns, row in ranked:
        filled += max(1, len(turns))
        if filled > DEPTH:
            break
        reached.update(turns)
        found.tokens += estimate_tokens(working_set.nodes[row].text or "")
    found.evidence += len(reached & evidence)
