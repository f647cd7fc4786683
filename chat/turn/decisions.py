"""What a student's turn decides once everything is read: what to take up, what the reply is for, how it sounds."""

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import asdict, dataclass, field, replace
from typing import Any, TypeVar

from chat.brief import MOST_DUE, Brief, DueSoon
from chat.coaching.directions import directions, guidance_of
from chat.context import Context
from chat.pack_block import words_of
from chat.planning.curation import CurateInput
from chat.planning.notes import LOOPS, guess_mood
from chat.planning.plans import Plan, make_plan
from chat.planning.snapshot import Note, Snapshot, cannot_wait, is_near, needs_support
from chat.planning.tones import Tone, choose_tone
from chat.planning.topics import Avoider
from chat.threads import in_thread
from chat.turn.compose import Guided
from chat.turn.earlier import Earlier
from chat.turn.forget import directions_of_forgetting
from chat.turn.intentions import name_cue
from chat.turn.knowledge import Minded, curate_input, find_topics, plan_input
from chat.turn.message import Asked
from chat.turn.model_steps import (
    Curated,
    Planned,
    Toned,
    ToneInput,
    curate_step,
    plan_step,
    prepare,
    tone_step,
)
from chat.turn.packs import vectors_of_packs
from chat.turn.recall import CalledToMind, hold_threats_back
from chat.turn.steps import Step, Steps
from companion_site.language import as_language
from companion_site.llm.chain import Gateway
from memory.packs.relevance import Material
from memory.student.recall.ranking import Recalled

D = TypeVar("D", Curated, Planned, Toned)


@dataclass(frozen=True, kw_only=True)
class Decided:
    """What a reply is made by."""

    snapshot: Snapshot
    plan: Plan
    tone: Tone
    context: Context
    guided: Guided
    earlier: Earlier | None
    #: what mounted packs hold on the message
    packs: Sequence[Material]
    #: what is known before anything is called to mind
    brief: Brief
    #: whether a text is about a topic to avoid
    avoids: Callable[[str], bool] = field(repr=False)

    def to_json(self, minded: Minded) -> dict[str, Any]:
        """Return what the reply's row keeps of it, sealed."""
        plan, snapshot = self.plan, self.snapshot
        return {
            "tone": asdict(self.tone),
            "emotion": asdict(minded.emotion),
            "plan": {
                "mode": plan.mode,
                "goal": plan.goal,
                "coach_intensity": plan.coach_intensity,
                "aim": plan.aim,
                "danger": plan.danger,
                "gentle": plan.gentle,
                "reminds_of": str(plan.reminds_of) if plan.reminds_of else None,
            },
            "chosen": {str(one): reason for one, reason in snapshot.reasons.items()},
            "dropped": dict(snapshot.dropped),
        }


@dataclass
class Deciding:
    """The decisions of one turn."""

    asked: Asked
    steps: Steps

    async def decide(self, minded: Minded) -> Decided:
        """Return what the reply is made by; what cannot be decided by is left out."""
        if self.asked.memory_on and minded.wishes is None:
            minded = forget_unknown(minded)
        if minded.danger == "sure":
            minded = keep_to_danger(minded)
        else:
            minded = replace(minded, called=hold_threats_back(minded.called))
        curated, avoider = await self.steps.try_to(
            "topics", lambda step: in_thread(_prepare, minded), otherwise=(None, Avoider())
        )
        if curated is None:
            minded = forget_unknown(minded)
            curated = Curated(given=CurateInput(emotion=minded.emotion, now=minded.now))
        good = len(curated.given.good) + len(curated.given.gratitude)
        given = plan_input(minded, curated.for_mode(curated.given.mode), good=good)
        chosen, planned = await asyncio.gather(
            self._take(
                "curate",
                lambda gateway: curate_step(curated, message=self.asked.text, gateway=gateway),
                otherwise=curated,
            ),
            self._take(
                "plan",
                lambda gateway: plan_step(given, gateway=gateway),
                otherwise=Planned(plan=make_plan(given)),
            ),
        )
        plan, snapshot = planned.plan, chosen.for_mode(planned.plan.mode)
        toned = ToneInput(emotion=minded.emotion, plan=plan, calm=minded.calm)
        tone = await self._take(
            "tone",
            lambda gateway: tone_step(toned, gateway=gateway),
            otherwise=Toned(tone=choose_tone(minded.emotion, plan, calm=minded.calm)),
        )
        self._count(snapshot)
        return self._decided(minded, snapshot, plan, tone.tone, avoider)

    async def _take(self, name: str, work: Callable[[Gateway | None], Awaitable[D]], *, otherwise: D) -> D:
        """Take a step that a model may do, unless one was waited for in vain, and note in which form it was done."""

        async def take(step: Step) -> D:
            done = await work(None if self.steps.has_waited() else self.asked.gateway)
            step.form = done.form
            return done

        return await self.steps.try_to(name, take, otherwise=otherwise)

    def _count(self, snapshot: Snapshot) -> None:
        for step in self.steps.taken:
            if step.name == "curate":
                step.counts["kept"] = len(snapshot.reasons)
                step.counts["left_out"] = sum(snapshot.dropped.values())

    def _decided(
        self, minded: Minded, snapshot: Snapshot, plan: Plan, tone: Tone, avoider: Avoider
    ) -> Decided:
        vectors = {**minded.vectors, **minded.called.vectors, **vectors_of_packs(minded.packs)}

        def avoids(text: str) -> bool:
            return avoider.avoids(text, vectors.get(text))

        brief = self._brief(minded, plan, avoids)
        recalled = _in_order(snapshot, minded.called)
        context = Context(
            recalled=[*recalled, *_as_it_was(recalled, minded.called)],
            entries=minded.called.entries,
            concepts=minded.met.concepts,
            notes=_notes_beside(brief, snapshot) if self.asked.memory_on and not plan.danger else (),
            in_brief=brief.texts,
        )
        return Decided(
            snapshot=snapshot,
            plan=plan,
            tone=tone,
            context=context.without(avoids),
            guided=self._guided(snapshot, plan, tone, minded),
            brief=brief,
            earlier=minded.earlier,
            packs=[one for one in minded.packs if not (avoids(words_of(one)) or avoids(one.pack_name))],
            avoids=avoids,
        )

    def _brief(self, minded: Minded, plan: Plan, avoids: Callable[[str], bool]) -> Brief:
        """Return what is known before anything is called to mind; beside danger only when it is and who they are."""
        brief = Brief(now=minded.now, name=self.asked.access.person.display_name)
        if plan.danger:
            return brief
        life, low = minded.life, needs_support(minded.emotion, minded.life.trend)
        due = [
            DueSoon(
                text=loop.text,
                kind=loop.kind,
                due=loop.due,
                is_all_day=loop.is_all_day,
                before=tuple(text for text in life.corrected.get(loop.id, ()) if not avoids(text)),
            )
            for loop in life.open_loops
            if loop.due is not None
            and is_near(loop, now=minded.now)
            and (not low or cannot_wait(loop, now=minded.now))
            and not avoids(loop.text)
        ]
        talk = life.last_talk
        if talk is not None and talk.about and avoids(talk.about):
            talk = replace(talk, about="")
        return replace(
            brief,
            last_talk=talk,
            due=sorted(due, key=lambda one: one.due)[:MOST_DUE],
            mood=guess_mood(minded.emotion, life.trend),
        )

    def _guided(self, snapshot: Snapshot, plan: Plan, tone: Tone, minded: Minded) -> Guided:
        """Return what the reply is for."""
        language, care = as_language(self.asked.message.language), minded.care
        forgotten = minded.forgotten
        told = (
            directions_of_forgetting(language, found=forgotten is not None) if minded.asked_to_forget else ""
        )
        wishes_calm = minded.wishes is not None and minded.wishes.calm
        how = directions(plan, tone, language, care=care, calm=wishes_calm)
        return Guided(
            directions="\n".join(part for part in (how, told) if part),
            guidance=guidance_of(plan, about=_about(snapshot, plan)),
            good=_good_things(snapshot, plan),
            cue=name_cue(self.asked.text, vector=minded.vector, emotion=minded.emotion),
            forgotten=forgotten.text if forgotten is not None else "",
            asked_to_forget=minded.asked_to_forget and forgotten is None,
            care=care,
        )


def forget_unknown(minded: Minded) -> Minded:
    """Return the same without all that could be about a topic which nobody knows to avoid."""
    earlier = replace(minded.earlier, summary="") if minded.earlier is not None else None
    met = replace(minded.met, concepts=())
    return replace(
        minded, called=CalledToMind(), life=type(minded.life)(), met=met, earlier=earlier, packs=()
    )


def keep_to_danger(minded: Minded) -> Minded:
    """Return the same for a message about danger: of all that is remembered only what is about danger, too, and the ledger.

    A pack's words, a goal and a good memory have no place beside it.
    """
    called = minded.called
    of_danger = [memory for memory in called.recalled if memory.of_danger]
    return replace(
        minded,
        called=replace(called, recalled=of_danger, good=(), lifting=frozenset()),
        life=type(minded.life)(),
        met=replace(minded.met, concepts=()),
        packs=(),
    )


def _prepare(minded: Minded) -> tuple[Curated, Avoider]:
    avoider = find_topics(minded.wishes, minded.vectors) if minded.wishes is not None else Avoider()
    return prepare(curate_input(minded, avoider)), avoider


def _in_order(snapshot: Snapshot, called: CalledToMind) -> list[Recalled]:
    """Return the chosen memories, in their order."""
    by_id = {memory.id: memory for memory in (*called.recalled, *called.good)}
    return [by_id[fact.id] for fact in snapshot.selected_memories.facts if fact.id in by_id]


def _as_it_was(recalled: Sequence[Recalled], called: CalledToMind) -> list[Recalled]:
    """Return what the memories in the request took the place of, where that is asked for."""
    return [former for memory in recalled for former in called.replaced.get(memory.id, ())]


def _notes_beside(brief: Brief, snapshot: Snapshot) -> list[Note]:
    """Return the lines of a life that the brief does not say already."""
    return [note for note in snapshot.notes if not (note.heading == LOOPS and note.quote in brief.texts)]


def _good_things(snapshot: Snapshot, plan: Plan) -> tuple[str, ...]:
    """Return the person's own good things where the reply is made of them."""
    if plan.mode not in {"game", "gratitude"}:
        return ()
    memories = snapshot.selected_memories
    good = [fact.text for fact in memories.facts if fact.lifts]
    return tuple(dict.fromkeys((*(one.text for one in memories.gratitude), *good)))


def _about(snapshot: Snapshot, plan: Plan) -> tuple[str, ...]:
    """Return what the reply speaks of, for the companion without a model: what is open, goals, or good things."""
    if plan.mode == "reminder":
        return tuple(loop.text for loop in snapshot.open_loops if loop.id == plan.reminds_of)
    if plan.mode == "coach":
        return tuple(goal.text for goal in snapshot.selected_memories.goals)
    return _good_things(snapshot, plan)
