"""Everything that a student's turn reads before it decides anything; what does not depend on one another runs side by side.

    meet      the world, and the fog over the rest
    earlier   the conversation so far
    embed     the message's vector         → recall, packs (with open) | emotion | listen
    open      the memory as arrays
    wishes | life   rows of the person's life            → vectors (with earlier and open)

With memory off there is neither open, recall, wishes, life nor vectors. A step that fails costs the reply that step; only
without the fog and the conversation there is no reply.
"""

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime

import numpy as np
from django.utils import timezone

from chat.threads import in_thread
from chat.turn.answers import question_before
from chat.turn.earlier import Earlier, load_earlier
from chat.turn.intentions import Heard, listen_step
from chat.turn.life import Life, life_step, wishes_step
from chat.turn.message import Asked
from chat.turn.packs import read_packs
from chat.turn.recall import CalledToMind, Met, Vectors, find_vectors, meet_step, open_memory, recall_step
from chat.turn.steps import RECALL_FAILED, Step, Steps, threaded
from companion_site.embeddings.service import embed_question
from companion_site.llm.types import Care
from companion_site.vault import unlocked
from companion_site.voice.types import Sound
from memory.packs.relevance import Material
from memory.reading.service import Danger
from memory.student.life.feelings import UNKNOWN, EmotionState, classify
from memory.student.life.wishes import PersonWishes
from memory.student.selectors import NodeData
from memory.student.workingset import WorkingSet


@dataclass(frozen=True, kw_only=True)
class Minded:
    """All that was read.

    Attributes:
        now: where the person is, so that days and hours are those of their clock.
        wishes: None where they are not known: memory is off, or they could not be read. Then nothing remembered may
            enter the request, since a topic to avoid might.
        vector: (d,) of the message.
        vectors: of texts that could enter the request, by text.
        packs: what mounted packs hold on the message.
        care: how to answer where danger is spoken of, or was shortly before.
        forgotten: what was put away at the person's word; asked_to_forget: whether they asked for it, found or not.
    """

    now: datetime
    met: Met = field(default_factory=Met)
    called: CalledToMind = field(default_factory=CalledToMind)
    life: Life = field(default_factory=Life)
    wishes: PersonWishes | None = None
    heard: Heard = field(default_factory=Heard)
    emotion: EmotionState = UNKNOWN
    earlier: Earlier | None = None
    vector: np.ndarray | None = field(default=None, repr=False)
    vectors: Vectors = field(default_factory=dict, repr=False)
    packs: Sequence[Material] = ()
    care: Care | None = None
    forgotten: NodeData | None = None
    asked_to_forget: bool = False

    @property
    def danger(self) -> Danger | None:
        """How surely the message is about danger."""
        return self.care.danger if self.care is not None else None

    @property
    def calm(self) -> bool:
        """Whether high energy is disliked; where nobody knows, it is not presumed to be liked."""
        return self.wishes is None or self.wishes.calm


def texts_to_place(wishes: PersonWishes, life: Life, earlier: Earlier | None) -> list[str]:
    """Return the texts whose vectors the rules need: of goals always, of everything where a topic is avoided."""
    if not wishes.avoid:
        return [goal.text for goal in life.goals]
    summary = earlier.summary.splitlines() if earlier is not None else []
    return [*wishes.avoid, *life.texts, *summary]


@dataclass
class Reading:
    """The reading of one turn; what others wait for is begun first."""

    asked: Asked
    steps: Steps

    async def read(self) -> Minded:
        """Return all that is known."""
        asked, steps = self.asked, self.steps
        self._earlier = asyncio.ensure_future(
            steps.take("earlier", threaded(load_earlier, asked.access, asked.message))
        )
        self._vector = asyncio.ensure_future(
            steps.try_to("embed", lambda step: asked.embed(), otherwise=None, logs=RECALL_FAILED)
        )
        self._opened = asyncio.ensure_future(self._open())
        self._rows = asyncio.ensure_future(self._read_rows())
        meeting = threaded(meet_step, asked.access, asked.text, learns=asked.memory_on, now=asked.now)
        met, heard, called, emotion, vectors, packs = await asyncio.gather(
            steps.take("meet", meeting),
            self._listen(),
            self._recall(),
            self._feel(),
            self._place(),
            self._look_into_packs(),
        )
        wishes, life = await self._rows
        return Minded(
            met=met,
            now=timezone.localtime(asked.now),
            called=called,
            life=life,
            wishes=wishes,
            heard=heard,
            emotion=emotion,
            earlier=await self._earlier,
            vector=await self._vector,
            vectors=vectors,
            packs=packs,
        )

    # --- what needs nothing else ------------------------------------------------------------------------------------

    async def _open(self) -> WorkingSet | None:
        if not self.asked.memory_on:
            return None
        opening = threaded(open_memory, self.asked.access)
        return await self.steps.try_to("open", opening, otherwise=None, logs=RECALL_FAILED)

    async def _read_rows(self) -> tuple[PersonWishes | None, Life]:
        """Return wishes and life; without wishes nothing is known of what to avoid."""
        asked = self.asked
        if not asked.memory_on:
            return None, Life()
        living = threaded(life_step, asked.access, asked.message, now=asked.now)
        return await asyncio.gather(
            self.steps.try_to("wishes", threaded(wishes_step, asked.access), otherwise=None),
            self.steps.try_to("life", living, otherwise=Life()),
        )

    # --- what needs the vector or the memory ------------------------------------------------------------------------

    async def _recall(self) -> CalledToMind:
        asked = self.asked
        vector, working_set = await self._vector, await self._opened
        if vector is None or working_set is None:
            return CalledToMind()
        text = asked.text
        if before := question_before(text, (await self._earlier).turns):
            text = f"{before} {text}"
            vector = await embed_question(text)
            if vector is None:
                return CalledToMind()

        async def recall(step: Step) -> CalledToMind:
            called = await in_thread(
                recall_step,
                asked.access,
                working_set,
                text,
                vector=vector,
                now=asked.now,
                language=asked.language,
                is_worked_out=asked.is_worked_out,
            )
            step.counts.update(found=len(called.recalled), entries=len(called.entries))
            return called

        return await self.steps.try_to("recall", recall, otherwise=CalledToMind(), logs=RECALL_FAILED)

    async def _listen(self) -> Heard:
        text, vector = self.asked.text, await self._vector
        heard = threaded(listen_step, text, vector=vector)
        return await self.steps.try_to("listen", heard, otherwise=Heard(text=text))

    async def _feel(self) -> EmotionState:
        felt = threaded(_classify, self.asked, await self._vector)
        return await self.steps.try_to("emotion", felt, otherwise=UNKNOWN)

    async def _place(self) -> Vectors:
        """Return the vectors of the short texts that the rules compare."""
        (wishes, life), earlier, working_set = await self._rows, await self._earlier, await self._opened
        texts = texts_to_place(wishes, life, earlier) if wishes is not None else []
        if working_set is None or not texts:
            return {}
        placed = threaded(find_vectors, self.asked.embedder, working_set, texts)
        return await self.steps.try_to("vectors", placed, otherwise={})

    async def _look_into_packs(self) -> Sequence[Material]:
        return await read_packs(self.asked, self.steps, await self._vector, await self._opened)


def _classify(asked: Asked, vector: np.ndarray | None) -> EmotionState:
    """Return how somebody feels by what they say and, where it was spoken, by how it sounded, as its row keeps that."""
    sound = None
    if asked.message.spoken:
        with unlocked(asked.access.space, asked.access.key):
            sound = (asked.message.outcome or {}).get("sound")
    return classify(asked.text, vector=vector, sound=Sound(**sound) if sound else None)
