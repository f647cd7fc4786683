"""Whose turn it is: what comes before the reply and after it differs between a student and somebody of a company."""

from dataclasses import dataclass, field
from functools import partial

from chat.threads import in_thread
from chat.turn.company import CompanyInput, InjectInput, compose_company_step, inject_step
from chat.turn.compose import Composed
from chat.turn.earlier import load_earlier
from chat.turn.intentions import name_cue
from chat.turn.message import Asked, Side
from chat.turn.steps import RECALL_FAILED, Step
from chat.turn.student import StudentSide
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
        earlier = await self.steps.take(
            "earlier", lambda step: in_thread(load_earlier, asked.access, asked.message)
        )
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
            asked, confirmed = self.asked, self.injection.confirmed
            await self.steps.try_to(
                "confirm",
                lambda step: in_thread(confirm, asked.access.space, confirmed, now=asked.now),
                otherwise=None,
            )

    async def _recall(self) -> None:
        """Find what is remembered; a fault here costs the reply its memory, never the reply."""
        vector = await self.steps.try_to(
            "embed", lambda step: self.asked.embed(), otherwise=None, logs=RECALL_FAILED
        )
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


def side_of(asked: Asked) -> Side:
    """Return the side for where the person chats: their own sealed space, or their company's."""
    return StudentSide(asked) if asked.access.remembers else CompanySide(asked)
