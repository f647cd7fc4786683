"""Students of a bench who have short-term memories of their own, made by the services that make all of them."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from django.utils import timezone

from bench.asking import embed_all
from bench.living import enter_student
from bench.sentences import make_sentences
from bench.speed import NOW, STATEMENTS_PER_MESSAGE, store_message
from chat.access import ChatAccess
from companion_site.embeddings.service import get_embedder
from companion_site.ids import new_id
from companion_site.vault.services import grant_lease

MESSAGES_PER_SESSION = 4


@dataclass(frozen=True)
class Lives:
    """What students can have said, each something else.

    Attributes:
        sentences: of one student after the other, with their languages.
        vectors: (students * memories, d).
        memories: of each student.
    """

    sentences: Sequence[tuple[str, str]]
    vectors: np.ndarray
    memories: int

    def of(self, number: int) -> tuple[Sequence[tuple[str, str]], np.ndarray]:
        """Return what one student has said, with its vectors."""
        part = slice(number * self.memories, (number + 1) * self.memories)
        return self.sentences[part], self.vectors[part]


def make_lives(students: int, *, memories: int) -> Lives:
    """Return different sentences for each of so many students, embedded."""
    sentences = make_sentences(students * memories, seed=5)
    return Lives(sentences, embed_all(get_embedder(), [text for text, _ in sentences]), memories)


def make_students(lives: Lives, count: int) -> list[ChatAccess]:
    """Make the first so many: short-term memories in sessions, no sleep planned, and a worker may open their spaces."""
    return [_make_student(*lives.of(number)) for number in range(count)]


def _make_student(sentences: Sequence[tuple[str, str]], vectors: np.ndarray) -> ChatAccess:
    access = enter_student(f"student-{new_id().hex}", now=NOW)
    thread = new_id()
    for position, start in enumerate(range(0, len(sentences), STATEMENTS_PER_MESSAGE)):
        thread = new_id() if position % MESSAGES_PER_SESSION == 0 else thread
        part = slice(start, start + STATEMENTS_PER_MESSAGE)
        store_message(access, sentences[part], vectors[part], thread=thread, position=position)
    grant_lease(access.key, now=timezone.now())
    return access
