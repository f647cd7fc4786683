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
from collections.abc import Awaitable
from dataclasses import dataclass, field
from time import perf_counter

from django.utils import timezone

from chat.threads import in_thread
from chat.turn.answers import question_before
from chat.turn.earlier import Earlier, load_earlier
from chat.turn.intentions import Heard, listen_step
from chat.turn.knowledge import Minded, texts_to_place
from chat.turn.life import Life, life_step, wishes_step
from chat.turn.message import Asked
from chat.turn.packs import read_packs
from chat.turn.recall import CalledToMind, Vectors, find_vectors, meet_step, open_memory, recall_step
from chat.turn.steps import RECALL_FAILED, Step, Steps
from chat.turn.topics import Vector
from companion_site.embeddings.service import embed_question
from companion_site.vault import unlocked
from companion_site.voice.types import Sound
from memory.student.life.feelings import UNKNOWN, EmotionState, classify
from memory.student.life.wishes import PersonWishes
from memory.student.workingset import WorkingSet


@dataclass
class Reading:
    """The reading of one turn.

    Attributes:
        timings_ms: gets "embed", until message and memory can be compared, and "recall".
    """

    asked: Asked
    steps: Steps
    timings_ms: dict[str, float] = field(default_factory=dict)

    async def read(self) -> Minded:
        """Return all that is known."""
        asked, steps = self.asked, self.steps
        earlier = asyncio.ensure_future(
            steps.take("earlier", lambda step: in_thread(load_earlier, asked.access, asked.message))
        )
        vector = asyncio.ensure_future(
            steps.try_to("embed", lambda step: asked.embed(), otherwise=None, logs=RECALL_FAILED)
        )
        opened = asyncio.ensure_future(self._open())
        rows = asyncio.ensure_future(self._rows())
        met, heard, called, emotion, vectors, packs = await asyncio.gather(
            steps.take(
                "meet",
                lambda step: in_thread(
                    meet_step, asked.access, asked.text, learns=asked.memory_on, now=asked.now
                ),
            ),
            self._listen(vector),
            self._recall(vector, opened, earlier),
            self._feel(vector),
            self._place(rows, earlier, opened),
            read_packs(asked, steps, vector, opened),
        )
        wishes, life = await rows
        return Minded(
            met=met,
            now=timezone.localtime(asked.now),
            called=called,
            life=life,
            wishes=wishes,
            heard=heard,
            emotion=emotion,
            earlier=await earlier,
            vector=await vector,
            vectors=vectors,
            packs=packs,
        )

    # --- what needs nothing else ------------------------------------------------------------------------------------

    async def _open(self) -> WorkingSet | None:
        if not self.asked.memory_on:
            return None
        return await self.steps.try_to(
            "open", lambda step: in_thread(open_memory, self.asked.access), otherwise=None, logs=RECALL_FAILED
        )

    async def _rows(self) -> tuple[PersonWishes | None, Life]:
        """Return wishes and life; without wishes nothing is known of what to avoid."""
        asked = self.asked
        if not asked.memory_on:
            return None, Life()
        return await asyncio.gather(
            self.steps.try_to("wishes", lambda step: in_thread(wishes_step, asked.access), otherwise=None),
            self.steps.try_to(
                "life",
                lambda step: in_thread(life_step, asked.access, asked.message, now=asked.now),
                otherwise=Life(),
            ),
        )

    # --- what needs the vector or the memory ------------------------------------------------------------------------

    async def _recall(
        self,
        vector: Awaitable[Vector | None],
        opened: Awaitable[WorkingSet | None],
        earlier: Awaitable[Earlier],
    ) -> CalledToMind:
        started = perf_counter()
        asked = self.asked
        found, working_set = await vector, await opened
        self.timings_ms["embed"] = round((perf_counter() - started) * 1000, 1)
        if found is None or working_set is None:
            return CalledToMind()
        text = asked.text
        if before := question_before(text, (await earlier).turns):
            text = f"{before} {text}"
            found = await embed_question(text)
            if found is None:
                return CalledToMind()

        async def recall(step: Step) -> CalledToMind:
            called = await in_thread(
                recall_step,
                asked.access,
                working_set,
                text,
                vector=found,
                now=asked.now,
                language=asked.language,
                is_worked_out=asked.is_worked_out,
            )
            step.counts.update(found=len(called.recalled), entries=len(called.entries))
            return called

        called = await self.steps.try_to("recall", recall, otherwise=CalledToMind(), logs=RECALL_FAILED)
        self.timings_ms["recall"] = self.steps.ms_of("recall") or 0.0
        return called

    async def _listen(self, vector: Awaitable[Vector | None]) -> Heard:
        found, text = await vector, self.asked.text
        return await self.steps.try_to(
            "listen", lambda step: in_thread(listen_step, text, vector=found), otherwise=Heard(text=text)
        )

    async def _feel(self, vector: Awaitable[Vector | None]) -> EmotionState:
        found, asked = await vector, self.asked
        return await self.steps.try_to(
            "emotion",
            lambda step: in_thread(_classify, asked, found),
            otherwise=UNKNOWN,
        )

    async def _place(
        self,
        rows: Awaitable[tuple[PersonWishes | None, Life]],
        earlier: Awaitable[Earlier],
        opened: Awaitable[WorkingSet | None],
    ) -> Vectors:
        """Return the vectors of the short texts that the rules compare."""
        (wishes, life), said, working_set = await rows, await earlier, await opened
        if wishes is None or working_set is None:
            return {}
        texts = texts_to_place(wishes, life, said)
        if not texts:
            return {}
        return await self.steps.try_to(
            "vectors",
            lambda step: in_thread(find_vectors, self.asked.embedder, working_set, texts),
            otherwise={},
        )


def _classify(asked: Asked, vector: Vector | None) -> EmotionState:
    """Return how somebody feels by what they say and, where it was spoken, by how it sounded, as its row keeps that."""
    sound = None
    if asked.message.spoken:
        with unlocked(asked.access.space, asked.access.key):
            sound = (asked.message.outcome or {}).get("sound")
    return classify(asked.text, vector=vector, sound=Sound(**sound) if sound else None)
