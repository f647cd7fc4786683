"""What a student can be asked: the concepts of their open map, what their packs hold, and what lessons told; and how an answer is judged.

By the name in any of its forms or nearly spelled so, or by how near an explanation comes to the description.
"""

import re
from collections import OrderedDict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import cached_property
from threading import Lock
from uuid import UUID

import numpy as np
from numpy.typing import NDArray

from chat.access import ChatAccess
from companion_site.embeddings.service import get_embedder
from companion_site.language import LANGUAGES, fold_words, tokens
from companion_site.llm.types import Verdict
from companion_site.phrases import Phrase, PhraseMatcher
from companion_site.vault.scope import space_scope
from memory.algorithms.isotropy import unit_rows
from memory.inbound.contents import read_lesson
from memory.models import MemorySource, PackNode
from memory.models.agents import NodeType
from memory.packs.mounts import readable
from memory.packs.relevance import parts_of
from memory.reading.service import get_heads
from memory.student.workingset import WorkingSet
from overlay.repetitions import CONCEPT
from overlay.services import known_concepts, make_fog, mask_unknown
from overlay.worlds import world_of

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


Floats = NDArray[np.float32]
#: what an answer may open with before it says anything, and a guess as a question
_OPENS = re.compile(
    r"^(?:(?:i think|i guess|maybe|perhaps|jag tror|jag gissar|kanske)(?: that| att)?\s+)?"
    r"(?:(?:is|could) (?:it|that)(?: be)?|it'?s(?: called)?|it is(?: called)?|that'?s|that is|är det|kan det vara|det är|det heter|det kallas|den heter)?"
    r"\s*(?:(?:a|an|the|en|ett|den|det)\s+)?"
)
_ENDS = " \t\n.,;:!?…\"'()“”"
#: letters from which one of them may be wrong, and two
ONE_WRONG_FROM, TWO_WRONG_FROM = 5, 9
MOST_LETTERS = 60
#: vectors of descriptions of maps and packs that a process keeps: they are nobody's own
MOST_KEPT = 2_000
_kept: OrderedDict[tuple[str, str], Floats] = OrderedDict()
_guard = Lock()


def bare_answer(text: str) -> str:
    """Return an answer as names are compared with it: folded, without what it opens and ends with."""
    folded = fold_words(text.replace("\u2019", "'")).strip(_ENDS)
    return _OPENS.sub("", folded, count=1) or folded


def judge_name(text: str, item: Item, others: Sequence[Item]) -> Verdict:
    """Return how an answer is that was asked for a name; a part of it that nothing else has in its name is nearly right."""
    rest = item.without_names(text)
    is_short = len(text.split()) <= QUIZ.most_words
    named = not is_short or bool(find_named(rest, others))
    if rest != text:
        return "nearly" if named else "right"
    said = bare_answer(text)
    if named or len(said) > MOST_LETTERS:
        return "wrong"
    if any(is_slip(said, fold_words(name)) for name in item.bare_names):
        return "right"
    own = terms_of(item.names) - {term for other in others for term in terms_of(other.names)}
    return "nearly" if terms_of([said]) & own else "wrong"


def is_slip(said: str, name: str) -> bool:
    """Tell whether what was said is a name but for a letter, or of a long one two."""
    allowed = 0 if len(name) < ONE_WRONG_FROM else 1 if len(name) < TWO_WRONG_FROM else 2
    return abs(len(said) - len(name)) <= allowed and count_edits(said, name) <= allowed


def count_edits(first: str, second: str) -> int:
    """Return how many letters are to be put in, left out, changed or exchanged with the next to make one word of the other."""
    older: list[int] = []
    before = list(range(len(second) + 1))
    for row, letter in enumerate(first, 1):
        now = [row]
        for column, other in enumerate(second, 1):
            edits = min(before[column] + 1, now[-1] + 1, before[column - 1] + (letter != other))
            if row > 1 and column > 1 and letter == second[column - 2] and first[row - 2] == other:
                edits = min(edits, older[column - 2] + 1)
            now.append(edits)
        older, before = before, now
    return before[-1]


def judge_explanation(text: str, item: Item, others: Sequence[Item]) -> Verdict:
    """Return how an explanation is: by its similarity to the description, beside that to the other descriptions.

    To say the name again explains nothing. Embeds, so never inside a transaction.

    Raises:
        EmbeddingError: the embedder cannot be asked.
    """
    said = item.without_names(text)
    if len(bare_answer(said).split()) < 2:
        return "wrong"
    near = measure_nearness(said, [item, *others])
    apart = float(near[0] - near[1:].max(initial=-1.0))
    if near[0] >= QUIZ.right and apart >= -QUIZ.right_apart:
        return "right"
    return "nearly" if near[0] >= QUIZ.nearly and apart >= -QUIZ.nearly_apart else "wrong"


def measure_nearness(text: str, items: Sequence[Item]) -> NDArray[np.floating]:
    """Return (n,) how similar a text is to the descriptions, without what all texts have in common."""
    embedder = get_embedder()
    centre = get_heads(embedder).projection.centre
    said = unit_rows(embedder.embed([text]) - centre)[0]
    return unit_rows(embed_items(items) - centre) @ said


def embed_items(items: Sequence[Item]) -> Floats:
    """Return (n, d) of the descriptions; of maps and packs they are made once, of what is sealed each time."""
    embedder = get_embedder()
    with _guard:
        found = {
            item: _kept[embedder.model, item.description]
            for item in items
            if (embedder.model, item.description) in _kept
        }
    missing = [item for item in items if item not in found]
    if missing:
        found |= dict(zip(missing, embedder.embed([item.description for item in missing]), strict=True))
        with _guard:
            _kept.update(
                {(embedder.model, item.description): found[item] for item in missing if not item.is_lesson}
            )
            while len(_kept) > MOST_KEPT:
                _kept.popitem(last=False)
    return np.stack([found[item] for item in items])
