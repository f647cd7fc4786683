"""Whose turn it is: what comes before the reply and after it differs between a student and somebody of a company."""

from dataclasses import dataclass, field
from functools import partial

import numpy as np

from chat.threads import in_thread
from chat.turn.company import CompanyInput, InjectInput, compose_company_step, inject_step
from chat.turn.compose import Composed
from chat.turn.earlier import Earlier, load_earlier
from chat.turn.intentions import name_cue
from chat.turn.message import Asked, Side
from chat.turn.steps import RECALL_FAILED, Step
from chat.turn.student import StudentSide
from companion_site.embeddings.service import embed_question
from memory.company.confirmation import confirm
from memory.company.retrieval.ranking import Injection


@dataclass
class CompanySide(Side):
    """Somebody of a company: the facts their company's people share, and the books as they stand."""

    injection: Injection = field(default_factory=Injection)

    async def compose(self) -> Composed:
        asked = self.asked
        if asked.memory_on:
            await self._recall()
        earlier = await self.steps.take("earlier", self._earlier)
        care = await in_thread(partial(self.find_care, after_danger=earlier.after_danger))
        given = CompanyInput(
            access=asked.access,
            message=asked.message,
            text=asked.text,
            now=asked.now,
            injection=self.injection,
            earlier=earlier,
            cue=await in_thread(partial(name_cue, asked.text, vector=self.vector)),
            care=care,
            memory_on=asked.memory_on,
        )
        composed = await self.steps.take("compose", lambda step: in_thread(compose_company_step, given))
        self._time("compose")
        return composed

    async def after_reply(self) -> None:
        """Confirm what the person spoke of; nobody is asked whether it still holds."""
        if self.injection.confirmed and self.sense().danger is None:
            await self.steps.try_to("confirm", self._confirm, otherwise=None)

    async def _earlier(self, step: Step) -> Earlier:
        return await in_thread(load_earlier, self.asked.access, self.asked.message)

    async def _recall(self) -> None:
        """Find what is remembered; a fault here costs the reply its memory, never the reply."""
        vector = await self.steps.try_to("embed", self._embed, otherwise=None, logs=RECALL_FAILED)
        self._time("embed")
        if vector is None:
            return
        self.vector = vector
        asked = self.asked
        given = InjectInput(
            access=asked.access,
            text=asked.text,
            language=asked.message.language,
            vector=vector,
            now=asked.now,
        )

        async def inject(step: Step) -> Injection:
            found = await in_thread(inject_step, given)
            step.counts["found"] = len(found.facts)
            return found

        self.injection = await self.steps.try_to("recall", inject, otherwise=Injection(), logs=RECALL_FAILED)
        self._time("recall")
        self._log(len(self.injection.facts))

    async def _embed(self, step: Step) -> np.ndarray:
        known = self.asked.sensed.vector if self.asked.sensed is not None else None
        return await embed_question(self.asked.text) if known is None else known

    async def _confirm(self, step: Step) -> None:
        await in_thread(confirm, self.asked.access.space, self.injection.confirmed, now=self.asked.now)


def side_of(asked: Asked) -> Side:
    """Return the side for where the person chats: their own sealed space, or their company's."""
    return StudentSide(asked) if asked.access.remembers else CompanySide(asked)
