"""What a student's turn decides once everything is read: what to take up, what the reply is for, how it sounds."""

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import asdict, dataclass, replace
from typing import Any, TypeVar

import numpy as np

from chat.turn.brief import MOST_DUE, Brief
from chat.turn.compose import Decided
from chat.turn.context import Context
from chat.turn.curate import CurateInput, curate, curate_input, curate_step, without_avoided
from chat.turn.directions import DIRECTIONS, directions, guidance_of
from chat.turn.inputs import Minded
from chat.turn.intentions import name_cue
from chat.turn.message import Asked
from chat.turn.notes import LOOPS, guess_mood
from chat.turn.packs import words_of
from chat.turn.plan import Plan, make_plan, plan_step
from chat.turn.recall import CalledToMind, Vectors, hold_threats_back
from chat.turn.snapshot import Snapshot, cannot_wait, is_near, needs_support
from chat.turn.steps import Step, Steps, threaded
from chat.turn.tone import Tone, choose_tone, tone_step
from chat.turn.topics import LEAST, Avoider, Nearness, make_avoider
from companion_site.embeddings.service import get_embedder
from companion_site.llm.chain import Gateway
from memory.packs.relevance import load_everyday
from memory.student.life.wishes import PersonWishes

D = TypeVar("D", CurateInput, Plan, Tone)


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
        prepared = threaded(_prepare, minded)
        at_hand, avoider = await self.steps.try_to("topics", prepared, otherwise=(None, Avoider()))
        if at_hand is None:
            minded = forget_unknown(minded)
            at_hand = CurateInput(emotion=minded.emotion, now=minded.now)
        good = len(at_hand.good) + len(at_hand.gratitude)
        first_choice = curate(at_hand)
        emotion, calm = minded.emotion, minded.calm
        chosen, plan = await asyncio.gather(
            self._take(
                "curate",
                lambda step, gateway: curate_step(at_hand, step, message=self.asked.text, gateway=gateway),
                otherwise=at_hand,
            ),
            self._take(
                "plan",
                lambda step, gateway: plan_step(minded, first_choice, step, gateway, good=good),
                otherwise=make_plan(minded, first_choice, good=good),
            ),
        )
        snapshot = curate(replace(chosen, mode=plan.mode))
        tone = await self._take(
            "tone",
            lambda step, gateway: tone_step(emotion, plan, step, calm=calm, gateway=gateway),
            otherwise=choose_tone(emotion, plan, calm=calm),
        )
        for step in self.steps.taken:
            if step.name == "curate":
                step.counts["kept"] = len(snapshot.reasons)
                step.counts["left_out"] = sum(snapshot.dropped.values())
        return self._decided(minded, snapshot, plan, tone, avoider)

    async def _take(
        self, name: str, work: Callable[[Step, Gateway | None], Awaitable[D]], *, otherwise: D
    ) -> D:
        """Take a step that a model may do, unless one was waited for in vain."""
        return await self.steps.try_to(
            name,
            lambda step: work(step, None if self.steps.has_waited() else self.asked.gateway),
            otherwise=otherwise,
        )

    def _decided(
        self, minded: Minded, snapshot: Snapshot, plan: Plan, tone: Tone, avoider: Avoider
    ) -> Decided:
        asked, called, forgotten = self.asked, minded.called, minded.forgotten
        of_packs = {words_of(material): material.vector for material in minded.packs}
        vectors = {**minded.vectors, **called.vectors, **of_packs}

        def avoids(text: str) -> bool:
            return avoider.avoids(text, vectors.get(text))

        brief = self._brief(minded, plan, avoids)
        by_id = {memory.id: memory for memory in (*called.recalled, *called.good)}
        recalled = [by_id[fact.id] for fact in snapshot.facts if fact.id in by_id]
        # where it is asked how something was, what the memories took the place of
        former = [one for memory in recalled for one in called.replaced.get(memory.id, ())]
        notes = [one for one in snapshot.notes if one.heading != LOOPS or one.quote not in brief.texts]
        context = Context(
            recalled=[*recalled, *former],
            entries=called.entries,
            concepts=minded.met.concepts,
            notes=notes if asked.memory_on and not plan.danger else (),
            in_brief=brief.texts,
        )
        wishes_calm = minded.wishes is not None and minded.wishes.calm
        how = directions(plan, tone, asked.language, care=minded.care, calm=wishes_calm)
        words = DIRECTIONS[asked.language]
        told = words.forgotten if forgotten is not None else words.not_forgotten
        return Decided(
            context=context.without(avoids),
            brief=brief,
            directions="\n".join(filter(None, [how, told if minded.asked_to_forget else ""])),
            guidance=guidance_of(plan, about=_about(snapshot, plan)),
            good=_good_things(snapshot, plan),
            cue=name_cue(minded.heard, emotion=minded.emotion),
            goals=tuple(goal.text for goal in minded.life.goals if not avoids(goal.text)),
            forgotten=(forgotten.text or "") if forgotten is not None else "",
            asked_to_forget=minded.asked_to_forget and forgotten is None,
            care=minded.care,
            packs=[one for one in minded.packs if not (avoids(words_of(one)) or avoids(one.pack_name))],
            earlier=minded.earlier,
            avoids=avoids,
            outcome=_outcome(minded, snapshot, plan, tone),
        )

    def _brief(self, minded: Minded, plan: Plan, avoids: Callable[[str], bool]) -> Brief:
        """Return what is known before anything is called to mind; beside danger only when it is and who they are."""
        brief = Brief(now=minded.now, name=self.asked.access.person.display_name)
        if plan.danger:
            return brief
        life, low = minded.life, needs_support(minded.emotion, minded.life.trend)
        due = [
            loop
            for loop in life.open_loops
            if is_near(loop, now=minded.now)
            and (not low or cannot_wait(loop, now=minded.now))
            and not avoids(loop.text)
        ]
        talk = life.last_talk
        if talk is not None and talk.about and avoids(talk.about):
            talk = replace(talk, about="")
        return replace(
            brief,
            last_talk=talk,
            due=sorted(due, key=lambda one: one.due or minded.now)[:MOST_DUE],
            corrected={
                loop: tuple(text for text in texts if not avoids(text))
                for loop, texts in life.corrected.items()
            },
            mood=guess_mood(minded.emotion, life.trend),
        )


def _outcome(minded: Minded, snapshot: Snapshot, plan: Plan, tone: Tone) -> dict[str, Any]:
    return {
        "tone": asdict(tone),
        "emotion": asdict(minded.emotion),
        "plan": {
            "mode": plan.mode,
            "goal": plan.goal,
            "coach_intensity": plan.coach_intensity,
            "danger": plan.danger,
            "gentle": plan.gentle,
            "reminds_of": str(plan.reminds_of) if plan.reminds_of else None,
        },
        "chosen": {str(one): reason for one, reason in snapshot.reasons.items()},
        "dropped": dict(snapshot.dropped),
    }


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


def _prepare(minded: Minded) -> tuple[CurateInput, Avoider]:
    avoider = find_topics(minded.wishes, minded.vectors) if minded.wishes is not None else Avoider()
    return without_avoided(curate_input(minded, avoider)), avoider


def find_topics(wishes: PersonWishes, vectors: Vectors) -> Avoider:
    """Return what looks for the topics that the person avoids; without vectors by their words alone."""
    if not wishes.avoid:
        return Avoider()
    if any(topic not in vectors for topic in wishes.avoid):
        return make_avoider(wishes.avoid)
    embedder = get_embedder()
    near = Nearness.of(
        np.stack([vectors[topic] for topic in wishes.avoid]),
        everyday=np.concatenate([*load_everyday(embedder.embed, model=embedder.model).values()]),
        least_cosine=float(embedder.calibration.cosine(LEAST)),
    )
    return make_avoider(wishes.avoid, near=near)


def _good_things(snapshot: Snapshot, plan: Plan) -> tuple[str, ...]:
    """Return the person's own good things where the reply is made of them."""
    if plan.mode not in {"game", "gratitude"}:
        return ()
    good = [fact.text for fact in snapshot.facts if fact.lifts]
    return tuple(dict.fromkeys((*(one.text for one in snapshot.gratitude), *good)))


def _about(snapshot: Snapshot, plan: Plan) -> tuple[str, ...]:
    """Return what the reply speaks of, for the companion without a model: what is open, goals, or good things."""
    if plan.mode == "reminder":
        return tuple(loop.text for loop in snapshot.open_loops if loop.id == plan.reminds_of)
    if plan.mode == "coach":
        return tuple(goal.text for goal in snapshot.goals)
    return _good_things(snapshot, plan)
