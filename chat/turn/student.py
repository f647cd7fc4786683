"""A student's turn before and after the reply: everything is read, then decided, then composed; afterwards it is noted.

What a message asks to be noted (goals, how it goes with them, gratitude, mood) is read when the reply is complete, from the
person's own words: never from the companion's, never from remembered text.
"""

from dataclasses import dataclass, field, replace
from datetime import datetime
from functools import partial
from uuid import UUID

from chat.access import ChatAccess
from chat.coaching.actions import find_told, read_actions
from chat.coaching.store import apply_actions, was_taken_back
from chat.models import Message
from chat.notices import announce_noted
from chat.quiz.course import KEPT, Quiz
from chat.threads import in_thread
from chat.turn.compose import compose_step
from chat.turn.decisions import Deciding
from chat.turn.forget import asks_to_forget, forget_step, without
from chat.turn.inputs import Minded, Reading
from chat.turn.message import Asked, Composed, Side
from chat.turn.quiz import quiz_step, repetition_step
from chat.turn.recall import Met, open_memory
from chat.turn.steps import Step, threaded
from companion_site.llm.types import QuizTurn
from companion_site.vault.scope import space_scope
from memory.models import Goal
from memory.student.life.feelings import UNKNOWN, EmotionState, classify
from memory.student.life.goals import list_goals
from memory.student.life.moods import note_mood
from memory.student.store import touch


async def coach_step(asked: Asked, *, is_danger: bool = False) -> int:
    """Note what a message asks for, in one transaction, and return for how much there is a row; a second time nothing happens.

    Args:
        is_danger: whether the message is about danger, or nobody could tell; then nothing is noted.
    """
    if is_danger or not (asked.memory_on and asked.access.remembers):
        return 0
    count = await in_thread(_note, asked)
    if count:
        await in_thread(_announce, asked.message)
    return count


def _note(asked: Asked) -> int:
    access = asked.access
    with access.open():
        pursued = list_goals(access.space, states=[Goal.State.ACTIVE])
        goals = [goal.text for goal in pursued]
        actions = read_actions(asked.text, goals=goals, embedder=asked.embedder)
        return apply_actions(
            access, asked.message.pk, actions, pursued=[goal.id for goal in pursued], now=asked.now
        )


def _announce(message: Message) -> None:
    """Tell open pages, which show what was noted under the reply."""
    space = message.space_id
    with space_scope(space):
        replies = Message.objects.for_space(space).current()
        replies = replies.filter(parent_id=message.pk, role=Message.Role.COMPANION)
        found = replies.values_list("conversation_id", "pk").first()
    if found is not None:
        conversation, reply = found
        announce_noted(conversation, message.pk, reply)


#: What a reply's row keeps of its tone with memory off: what a voice needs, and nothing of how anybody feels.
SPOKEN = ("stability", "similarity", "style", "speed")


@dataclass
class StudentSide(Side):
    """A student: what they know of the world, what their graph, ledger and life call to mind, how they are."""

    minded: Minded | None = None
    quiz: Quiz | None = None
    #: the memories that stood in the request
    in_request: list[UUID] = field(default_factory=list)

    async def compose(self) -> Composed:
        asked = self.asked
        minded = await Reading(asked, self.steps).read()
        self.vector = minded.vector
        after_danger = minded.earlier is not None and minded.earlier.after_danger
        care = await in_thread(partial(self.find_care, after_danger=after_danger))
        minded = replace(minded, care=care)
        self.quiz = await self._quiz(minded)
        if self.quiz is None or self.quiz.verdict is None:
            minded = await self._forget(minded)
        self.minded = minded
        if any(step.name == "recall" for step in self.steps.taken):
            self._log(len(minded.called.recalled))
        decided = await Deciding(asked, self.steps).decide(minded)
        self.outcome = decided.outcome
        if not asked.memory_on:
            self.outcome = {"tone": {name: decided.outcome["tone"][name] for name in SPOKEN}}
        if self.quiz is not None:
            self.quiz.avoids = decided.avoids
        composing = threaded(
            compose_step,
            asked,
            decided,
            # Whom to call is never withheld, whatever a school's world calls a concept.
            fog=minded.met.fog if minded.danger is None else Met().fog,
            embedder=asked.embedder_knowing(minded.called.vectors),
            quiz=self._go_on,
            language=self.quiz.reply_language if self.quiz is not None else None,
        )
        composed: Composed = await self.steps.take("compose", composing)
        self.in_request = list(composed.recalled)
        return composed

    async def _quiz(self, minded: Minded) -> Quiz | None:
        """Return what the message is to a quiz; danger comes before it."""
        if minded.danger is not None or not self.asked.text:
            return None
        return await self.steps.try_to("quiz", threaded(quiz_step, self.asked, minded), otherwise=None)

    def _go_on(self) -> QuizTurn | None:
        """Return what the reply says of a quiz, and have its row keep where it stands then."""
        if self.quiz is None:
            return None
        turn = self.quiz.go_on()
        if self.quiz.following is not None:
            self.outcome = {**(self.outcome or {}), KEPT: self.quiz.following.model_dump(mode="json")}
        return turn

    async def _forget(self, minded: Minded) -> Minded:
        """Put away what the person asks to be forgotten; danger comes before it."""
        asked, vector = self.asked, minded.vector
        if not asked.memory_on or vector is None or minded.danger is not None:
            return minded
        if not await in_thread(asks_to_forget, asked.text, vector):
            return minded
        forgetting = threaded(forget_step, asked.access, vector, now=asked.now)
        forgotten = await self.steps.try_to("forget", forgetting, otherwise=None)
        if forgotten is None:
            return replace(minded, asked_to_forget=True)
        called = without(minded.called, forgotten)
        return replace(minded, called=called, forgotten=forgotten, asked_to_forget=True)

    async def after_reply(self) -> None:
        """Note what was of use, how they felt, and what they asked to be noted; with memory off nothing."""
        if not self.asked.memory_on or self.minded is None:
            return
        if self.in_request:
            await self.steps.try_to("touch", self._touch, otherwise=None)
        if self.quiz is not None and self.quiz.has_spoken:
            repeating = threaded(repetition_step, self.asked, self.quiz)
            await self.steps.try_to("repetition", repeating, otherwise=None)
            if self.quiz.verdict is not None:
                return  # what somebody answers in a quiz tells neither goals nor a mood
        if self.minded.asked_to_forget:
            return  # nor is anything noted of what is to be forgotten
        await self.steps.try_to("coach", self._coach, otherwise=None)
        await self.steps.try_to("mood", self._note_mood, otherwise=None)

    async def _touch(self, step: Step) -> None:
        step.counts["touched"] = len(self.in_request)
        await in_thread(_touch, self.asked.access, self.in_request, self.asked.now)

    async def _coach(self, step: Step) -> None:
        step.counts["noted"] = await coach_step(self.asked, is_danger=self._may_be_danger)

    async def _note_mood(self, step: Step) -> None:
        asked, emotion = self.asked, self.minded.emotion if self.minded is not None else UNKNOWN
        has_mood = not self._may_be_danger and await in_thread(_note_mood, asked, emotion)
        if has_mood:
            await in_thread(_announce, asked.message)
        step.counts["noted"] = int(has_mood)

    @property
    def _may_be_danger(self) -> bool:
        """Whether the message is about danger, or nobody could tell."""
        return self.sense().danger is not None or not self.sense().is_read


def _touch(access: ChatAccess, nodes: list[UUID], now: datetime) -> None:
    """Note that memories were of use, and read them as they are now: the next message need not wait for that."""
    with access.open():
        touch(access.space, nodes, now=now)
    open_memory(access)


def _note_mood(asked: Asked, emotion: EmotionState) -> bool:
    """Keep the mood that was read, by what they tell and not by what they ask, unless they told it in so many words or took it back.

    Returns whether the message has a mood.
    """
    access, told = asked.access, " ".join(find_told(asked.text))
    if not told or was_taken_back(access.space, asked.message.pk):
        return False
    if told.split() != asked.text.split():
        emotion = classify(told, vector=asked.embedder.embed([told])[0])
    with access.open():
        return note_mood(access.space, emotion, asked.message.pk, asked.now, actor=access.person) is not None
