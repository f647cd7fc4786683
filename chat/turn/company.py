"""A turn with somebody of a company: the facts that their company's people share, the books as they stand, the request (C1)."""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from functools import partial

from django.conf import settings
from django.utils import timezone

from chat.attachments.material import write_files
from chat.company.answers import find_company_answers, held_of_company, tell_entries
from chat.prompts import company_prompt
from chat.threads import in_thread
from chat.turn.answers import Stated, find_kindred, question_before, with_talk
from chat.turn.brief import Brief, write_brief
from chat.turn.budget import fit, lead_in
from chat.turn.directions import directions_of_care
from chat.turn.earlier import Earlier, load_earlier
from chat.turn.intentions import listen_step, name_cue
from chat.turn.life import find_last_talk
from chat.turn.message import Asked, Composed, Side
from chat.turn.recall import Met
from chat.turn.steps import RECALL_FAILED, Step, threaded
from companion_site.embeddings.protocol import Embedder
from companion_site.embeddings.service import get_embedder
from companion_site.llm.tokens import TOKENS_PER_MESSAGE, count_pictures, count_tokens
from companion_site.llm.types import Care, Cue, ToldFact
from companion_site.vault.scope import space_scope
from memory.company.live.services import LiveState, read_live_state
from memory.company.live.text import live_state
from memory.company.retrieval.ranking import Injection, inject
from memory.company.store import confirm


@dataclass
class CompanySide(Side):
    """Somebody of a company: the facts their company's people share, and the books as they stand."""

    injection: Injection = field(default_factory=Injection)

    async def compose(self) -> Composed:
        asked = self.asked
        if asked.memory_on:
            await self._recall()
        earlier = await self.steps.take("earlier", threaded(load_earlier, asked.access, asked.message))
        care = await in_thread(partial(self.find_care, after_danger=earlier.after_danger))
        heard = await in_thread(partial(listen_step, asked.text, vector=self.vector))
        composing = threaded(
            compose_step,
            asked,
            self.injection,
            embedder=asked.embedder_knowing(self.injection.vectors),
            earlier=earlier,
            cue=name_cue(heard),
            care=care,
        )
        return await self.steps.take("compose", composing)

    async def after_reply(self) -> None:
        """Confirm what the person spoke of; nobody is asked whether it still holds."""
        if self.injection.confirmed and self.sense().danger is None:
            asked = self.asked
            confirming = threaded(confirm, asked.access.space, self.injection.confirmed, now=asked.now)
            await self.steps.try_to("confirm", confirming, otherwise=None)

    async def _recall(self) -> None:
        """Find what is remembered; a fault here costs the reply its memory, never the reply."""
        asked = self.asked
        vector = await self.steps.try_to(
            "embed", lambda step: asked.embed(), otherwise=None, logs=RECALL_FAILED
        )
        if vector is None:
            return
        self.vector = vector
        if asked.is_worked_out:
            return

        async def recall(step: Step) -> Injection:
            found = await in_thread(
                inject,
                asked.access.space,
                asked.text,
                language=asked.language,
                vector=vector,
                embedder=get_embedder(),
                now=asked.now,
                asker=asked.access.person.pk,
            )
            step.counts["found"] = len(found.facts)
            return found

        self.injection = await self.steps.try_to("recall", recall, otherwise=Injection(), logs=RECALL_FAILED)
        self._log(len(self.injection.facts))


def compose_step(
    asked: Asked,
    injection: Injection,
    *,
    embedder: Embedder,
    earlier: Earlier,
    cue: Cue,
    care: Care | None,
) -> Composed:
    """Return what the model is asked: instructions, brief, memory, live state, summary, the last messages, the message.

    The notes stand before the conversation, as data said by the user's side, each block with its own marks. To danger the company
    has nothing to say: neither its memory nor its figures go along.

    Args:
        embedder: embeds what the companion without a model looks for an answer in.
        cue: what the message is, for the companion without a model.
        care: how to answer where danger is spoken of, or was shortly before.
    """
    language, attached = asked.language, earlier.attached
    uttered = earlier.utter(asked.message, asked.text)
    is_danger, state = care is not None and care.danger is not None, LiveState()
    if is_danger:
        injection = Injection()
    else:
        state = read_live_state(asked.access.space, now=asked.now)
    brief = _brief(asked, is_danger=is_danger)
    system = company_prompt(
        language=language,
        directions=directions_of_care(care, language) if care else "",
        memory_on=asked.memory_on,
        has_files=bool(attached.files),
    )

    def state_block(tokens: int) -> str:
        return live_state(state, now=asked.now, language=language, tokens=tokens - TOKENS_PER_MESSAGE)

    fitted = fit(
        {
            "files": lambda tokens: write_files(attached.files, tokens=tokens),
            "brief": lambda tokens: write_brief(brief, tokens=tokens),
            "memory": injection.block,
            "state": state_block,
            "summary": earlier.block,
        },
        system=system,
        message=asked.text,
        earlier=earlier.turns,
        ceiling=settings.LLM_MAX_INPUT_TOKENS - count_pictures([uttered]),
    )

    def told() -> Sequence[Stated]:
        return () if is_danger else earlier.told(embedder)

    def changed() -> Sequence[str]:
        just_said = [] if is_danger else earlier.put_right(asked.text, embedder)
        return just_said or injection.contradicted

    def answers() -> list[ToldFact]:
        person = asked.access.person
        held = held_of_company(injection, asker=person.pk, language=language)
        return find_company_answers(
            asked.text,
            with_talk(held, told(), now=asked.now),
            tell_entries(state, now=asked.now, language=language),
            embedder=embedder,
            language=language,
            now=asked.now,
            name=person.display_name,
            before=question_before(asked.text, earlier.turns),
            replied=earlier.replied,
        )

    # With nothing between the notes and the message, they are the message's own context.
    opens = not fitted.earlier
    request = asked.request(
        system=system,
        turns=[*([] if opens else lead_in(fitted.notes)), *fitted.earlier, uttered],
        context="\n\n".join(filter(None, [*(fitted.notes if opens else ()), fitted.parts["files"]])),
        language=language,
        now=timezone.localtime(asked.now),
        embedder=embedder,
        brief=brief,
        unsure=injection.doubted,
        cue=cue,
        find_answers=answers,
        care=care,
        is_shared=True,
        find_kindred=partial(find_kindred, asked.text, injection.told),
        find_changed=changed,
        find_told=lambda: [one.text for one in told()],
        has_files=bool(attached.files),
    )
    return Composed(
        request=request,
        fog=Met().fog,
        recalled=injection.written_in(fitted.parts["memory"]),
        memory_tokens=count_tokens([fitted.parts["memory"]]) if fitted.parts["memory"] else 0,
    )


def _brief(asked: Asked, *, is_danger: bool) -> Brief:
    """Return when and with whom it is and, where memory is on and nobody is in danger, when they last talked and of what."""
    access = asked.access
    brief = Brief(now=timezone.localtime(asked.now), name=access.person.display_name)
    if is_danger or not asked.memory_on:
        return brief
    with space_scope(access.space, reading=True), access.open():
        return replace(brief, last_talk=find_last_talk(access, asked.message))
