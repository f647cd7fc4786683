"""The steps of a turn with somebody of a company: the facts that matter now, the books as they stand, the request (C1)."""

from dataclasses import dataclass, field, replace
from datetime import datetime
from functools import partial

import numpy as np
from django.conf import settings

from chat.access import ChatAccess
from chat.company_prompt import company_prompt
from chat.models import Message
from chat.turn.budget import Wanted, fit, lead_in
from chat.turn.composing import Composed
from chat.turn.earlier import load_earlier
from chat.turn.meeting import Met
from companion_site.embeddings.service import get_embedder
from companion_site.language import Language, as_language
from companion_site.llm.tokens import TOKENS_PER_MESSAGE, count_tokens
from companion_site.llm.types import ChatRequest, Utterance
from memory.company.injecting import Injection, inject
from memory.company.live.params import LIVE
from memory.company.live.text import live_state


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
    )


@dataclass(frozen=True, kw_only=True)
class CompanyInput:
    access: ChatAccess
    message: Message
    text: str
    now: datetime
    injection: Injection = field(default_factory=Injection)


def compose_company_step(given: CompanyInput) -> Composed:
    """Return what the model is asked: instructions, memory, live state, summary, the last messages, the message.

    The notes stand before the conversation, as data said by the user's side, each block with its own marks.
    """
    language = as_language(given.message.language)
    earlier = load_earlier(given.access, given.message)
    system = company_prompt(language=language)
    fitted = fit(
        Wanted(
            system=system,
            message=given.text,
            earlier=earlier.turns,
            memory=given.injection.block,
            state=partial(_state_block, given, language),
            summary=earlier.block,
        ),
        ceiling=settings.LLM_MAX_INPUT_TOKENS,
    )
    # With nothing between the notes and the message, they are the message's own context.
    opens = not fitted.earlier
    request = ChatRequest(
        system=system,
        turns=[
            *([] if opens else lead_in(fitted.blocks)),
            *fitted.earlier,
            Utterance("user", given.text),
        ],
        context="\n\n".join(fitted.blocks) if opens else "",
        language=language,
        recalled=given.injection.told,
        is_shared=True,
        changed=given.injection.contradicted,
    )
    return Composed(
        request=request,
        fog=Met().fog,
        recalled=given.injection.written_in(fitted.memory),
        memory_tokens=count_tokens([fitted.memory]) if fitted.memory else 0,
    )


def _state_block(given: CompanyInput, language: Language, tokens: int) -> str:
    params = replace(LIVE, most_tokens=tokens - TOKENS_PER_MESSAGE)
    return live_state(given.access.space, now=given.now, language=language, params=params)
