"""What a student can be asked: the concepts of their open map, what their packs hold, and what lessons told."""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import cached_property
from uuid import UUID

from chat.access import ChatAccess
from companion_site.language import Language, tokens
from companion_site.phrases import Phrase, PhraseMatcher
from companion_site.vault.scope import space_scope
from memory.inbound.contents import read_lesson
from memory.models import MemorySource, PackNode
from memory.models.agents import NodeType
from memory.packs.mounts import readable
from memory.packs.relevance import parts_of
from memory.student.workingset import WorkingSet
from overlay.repetitions import CONCEPT
from overlay.services import known_concepts, make_fog, mask_unknown
from overlay.worlds import world_of

LANGUAGES: tuple[Language, ...] = ("en", "sv")
#: put where a description names what it describes
VEIL = "…"
#: with fewer words left it describes nothing
LEAST_WORDS = 3
_ARTICLE = re.compile(r"^(?:a|an|the|en|ett)\s+", re.IGNORECASE)


@dataclass(frozen=True, kw_only=True)
class QuizParams:
    """Bounds of a quiz, and from where an answer counts. Similarities are cosines of what is left of vectors without what all have in common (`Heads.projection.centre`).

    Attributes:
        right, right_apart: an explanation is right that is so similar to the description, and no other description is more similar to it
            by as much as `right_apart`. Chosen on 40 answers, of which 40 are judged
            rightly by it and 29 by shared words; of 20 kept back 17 and 13 (tests/chat/test_quiz_answers.py).
        nearly, nearly_apart: the same for nearly right.
        far: standard deviations above everyday sentences from which something bears on a topic. Of 20 requests without a topic and 11 with one
            that no map of biology and mechanics has, none reaches it; of ten with one that such a map has, seven do.
        bare: similarity to our own requests for a quiz from which one names no topic: 16 of those 20, none of those 11. Both were chosen
            on these requests, and nothing was kept back.
        most_asked: questions of one quiz, without what comes again.
        again_after: what was missed comes again after so many others.
        most_items: of each pack, and of all lessons, so much can be asked; and with so many descriptions an answer is compared.
        most_words: a name among more words names nothing.
        told: a sentence that so surely tells of their life is no answer; bye: or says goodbye.
    """

    right: float = 0.3
    right_apart: float = 0.1
    nearly: float = 0.2
    nearly_apart: float = 0.15
    far: float = 3.0
    bare: float = 0.6
    most_asked: int = 10
    again_after: int = 2
    most_items: int = 200
    most_words: int = 60
    told: float = 0.85
    bye: float = 0.7


QUIZ = QuizParams()


@dataclass(frozen=True)
class Item:
    """One thing to be asked.

    Attributes:
        key: its name among the things that are asked, which stays the same.
        names: all that it is called, the first of them shown.
        area: the part of the map, the pack or the lesson that it belongs to.
    """

    key: str
    names: tuple[str, ...]
    description: str
    area: str
    is_lesson: bool = False

    @property
    def name(self) -> str:
        return self.names[0]

    @cached_property
    def bare_names(self) -> tuple[str, ...]:
        """The names, and those that begin with an article without it."""
        return tuple(dict.fromkeys([*self.names, *(_ARTICLE.sub("", name) for name in self.names)]))

    @cached_property
    def matcher(self) -> PhraseMatcher:
        return PhraseMatcher(Phrase(self.key, name) for name in self.bare_names)

    def without_names(self, text: str, *, veil: str = " ") -> str:
        """Return a text with the thing's names left out, and something else in their places."""
        end, parts = 0, []
        for found in self.matcher.find(text):
            if found.start >= end:
                parts += [text[end : found.start], veil]
                end = found.end
        return "".join([*parts, text[end:]])

    @cached_property
    def veiled(self) -> str:
        """The description without the thing's own names; "" where too little of it is left to tell it by."""
        veiled = self.without_names(self.description, veil=VEIL)
        return veiled if sum(any(map(str.isalpha, word)) for word in veiled.split()) >= LEAST_WORDS else ""


def find_named(text: str, items: Iterable[Item]) -> set[str]:
    """Return the keys of those that a text names, in whatever form."""
    phrases = (Phrase(item.key, name) for item in items for name in item.bare_names)
    return {found.key for found in PhraseMatcher(phrases).find(text)}


def terms_of(texts: Iterable[str]) -> set[str]:
    """Return the terms of texts that may be in either language."""
    return {term for text in texts for language in LANGUAGES for term in tokens(text, language)}


def load_items(access: ChatAccess, memory: WorkingSet | None, *, now: datetime) -> list[Item]:
    """Return what can be asked; of packs and lessons nothing without the memory. The space is unlocked."""
    items = list(_of_map(access, now=now))
    if memory is not None:
        items += [*_of_packs(access.space, memory.mounts), *_of_lessons(memory, now=now)]
    return items


def _of_map(access: ChatAccess, *, now: datetime) -> Iterator[Item]:
    world, space = world_of(access.person), access.space
    visible = known_concepts(access.person, space, now=now) if world.concepts else frozenset()
    fog = make_fog(world, visible)
    for concept in world.concepts:
        if concept.id in visible and concept.description:
            described = mask_unknown(fog, concept.description)
            yield Item(CONCEPT.format(concept.id), concept.names, described, concept.kind)


def _of_packs(space: UUID, mounts: Sequence[UUID]) -> Iterator[Item]:
    for pack in readable(space, mounts):
        with space_scope(pack.space_id, reading=True):
            rows = PackNode.objects.for_space(pack.space_id).filter(
                type__in=[NodeType.CONCEPT, NodeType.FACT]
            )
            nodes = list(rows.order_by("position")[: QUIZ.most_items])
        for node in nodes:
            if node.label and (parts := parts_of(node.payload)):
                yield Item(f"node {node.pk}", (node.label,), parts[0].text, pack.name)


def _of_lessons(memory: WorkingSet, *, now: datetime) -> list[Item]:
    with memory.lock:
        nodes = [
            node
            for row, node in enumerate(memory.nodes)
            if node.alive and not node.of_danger and memory.expires_at[row] > now.timestamp()
        ]
    lessons = [
        Item(f"memory {node.id}", (told[0],), told[1], told[0], is_lesson=True)
        for node in nodes
        if node.source is not None
        and node.source.kind == MemorySource.Kind.LESSON
        and (told := read_lesson(node.text or "")) is not None
    ]
    return lessons[-QUIZ.most_items :]
