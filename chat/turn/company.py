"""The steps of a turn with somebody of a company: the facts that matter now, the books as they stand, the request (C1)."""

from dataclasses import dataclass, field, replace
from datetime import datetime
from functools import partial

import numpy as np
from django.conf import settings
from django.utils import timezone

from chat.access import ChatAccess
from chat.attachments.material import write_files
from chat.brief import Brief, write_brief
from chat.coaching.directions import directions_of_care
from chat.company.answers import find_company_answers, held_of_company
from chat.company.entries import tell_entries
from chat.company.prompt import company_prompt
from chat.models import Message
from chat.notebook.calculator import calculate
from chat.said import is_wordless
from chat.turn.answers import question_before
from chat.turn.budget import Wanted, fit, lead_in
from chat.turn.compose import Composed
from chat.turn.earlier import Earlier, load_earlier
from chat.turn.life import find_last_talk
from chat.turn.world import Met
from companion_site.embeddings.service import get_embedder
from companion_site.language import Language, as_language
from companion_site.llm.tokens import TOKENS_PER_MESSAGE, count_pictures, count_tokens
from companion_site.llm.types import Care, ChatRequest, Cue, Utterance
from companion_site.vault import unlocked
from companion_site.vault.scope import space_scope
from memory.company.live.selectors import LiveState, read_live_state
from memory.company.live.text import live_state
from memory.company.params import LIVE
from memory.company.retrieval.ranking import Injection, inject


@dataclass(frozen=True, kw_only=True)
class InjectInput:
    access: ChatAccess
    text: str
    language: str
    vector: np.ndarray
    now: datetime


def inject_step(given: InjectInput) -> Injection:
    """Return what of the company's memory goes before this message."""
    return inject(
        given.access.space,
        given.text,
        language=as_language(given.language),
        vector=given.vector,
        embedder=get_embedder(),
        now=given.now,
        asker=given.access.person.pk,
    )


@dataclass(frozen=True, kw_only=True)
class CompanyInput:
    access: ChatAccess
    message: Message
    text: str
    now: datetime
    injection: Injection = field(default_factory=Injection)
    #: what was said before in the conversation; read here where nobody did before
    earlier: Earlier | None = None
    #: what the message is, for the companion without a model
    cue: Cue = "other"
    #: how to answer where danger is spoken of, or was shortly before
    care: Care | None = None
    memory_on: bool = True

    @property
    def is_danger(self) -> bool:
        return self.care is not None and self.care.danger is not None


def compose_company_step(given: CompanyInput) -> Composed:
    """Return what the model is asked: instructions, brief, memory, live state, summary, the last messages, the message.

    The notes stand before the conversation, as data said by the user's side, each block with its own marks. To danger the company
    has nothing to say: neither its memory nor its figures go along.
    """
    language = as_language(given.message.language)
    earlier = given.earlier or load_earlier(given.access, given.message)
    attached, brief = earlier.attached, _brief(given)
    asked = Utterance("user", given.text, attached.pictures.get(given.message.pk, ()))
    state = LiveState()
    if given.is_danger:
        given = replace(given, injection=Injection())
    else:
        state = read_live_state(given.access.space, now=given.now)
    system = company_prompt(
        language=language,
        directions=directions_of_care(given.care, language) if given.care else "",
        memory_on=given.memory_on,
        has_files=bool(attached.files),
    )
    fitted = fit(
        Wanted(
            system=system,
            message=given.text,
            earlier=earlier.turns,
            files=lambda tokens: write_files(attached.files, tokens=tokens),
            brief=lambda tokens: write_brief(brief, tokens=tokens),
            memory=given.injection.block,
            state=partial(_state_block, state, given, language),
            summary=earlier.block,
        ),
        ceiling=settings.LLM_MAX_INPUT_TOKENS - count_pictures([asked]),
    )
    # With nothing between the notes and the message, they are the message's own context.
    opens = not fitted.earlier
    request = ChatRequest(
        system=system,
        turns=[
            *([] if opens else lead_in(fitted.blocks)),
            *fitted.earlier,
            asked,
        ],
        context="\n\n".join(filter(None, [*(fitted.blocks if opens else ()), fitted.files])),
        language=language,
        recalled=given.injection.told,
        unsure=given.injection.doubted,
        cue=given.cue,
        work_out=partial(calculate, given.text, language=language, now=timezone.localtime(given.now)),
        find_answers=lambda: find_company_answers(
            given.text,
            held_of_company(given.injection, language=language),
            tell_entries(state, now=given.now, language=language),
            language=language,
            now=given.now,
            before=question_before(given.text, earlier.turns),
            replied=next((turn.text for turn in reversed(earlier.turns) if turn.role == "assistant"), ""),
        ),
        care=given.care,
        is_shared=True,
        changed=given.injection.contradicted,
        has_files=bool(attached.files),
        is_wordless=is_wordless(given.text),
    )
    return Composed(
        request=request,
        fog=Met().fog,
        recalled=given.injection.written_in(fitted.memory),
        memory_tokens=count_tokens([fitted.memory]) if fitted.memory else 0,
    )


def _brief(given: CompanyInput) -> Brief:
    """Return when and with whom it is and, where memory is on and nobody is in danger, when they last talked and of what."""
    access = given.access
    brief = Brief(now=timezone.localtime(given.now), name=access.person.display_name)
    if given.is_danger or not given.memory_on:
        return brief
    with space_scope(access.space, reading=True), unlocked(access.space, access.key):
        return replace(brief, last_talk=find_last_talk(access, given.message))


def _state_block(state: LiveState, given: CompanyInput, language: Language, tokens: int) -> str:
    params = replace(LIVE, most_tokens=tokens - TOKENS_PER_MESSAGE)
    return live_state(state, now=given.now, language=language, params=params)
