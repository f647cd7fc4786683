"""The step that composes a student's request: own instructions, the brief and memory as data, earlier messages, the message."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Any

from django.conf import settings
from django.utils import timezone

from chat.attachments.material import write_files
from chat.prompts import system_prompt
from chat.summaries.points import summary_block
from chat.turn.answers import (
    Stated,
    find_answers,
    find_changed,
    find_kindred,
    held_of_student,
    question_before,
    with_talk,
)
from chat.turn.brief import Brief, write_brief
from chat.turn.budget import SHARES, fit, lead_in
from chat.turn.context import Context, Written, write_block
from chat.turn.earlier import Earlier, load_earlier
from chat.turn.message import Asked, Composed
from chat.turn.packs import fit_packs, in_short, pack_block, veil_packs
from companion_site.embeddings.protocol import Embedder
from companion_site.language import Language
from companion_site.llm.tokens import count_pictures
from companion_site.llm.types import Care, Cue, Guidance, QuizTurn, ToldFact
from memory.packs.relevance import Material
from memory.params import PROMPT
from memory.reading.questions import find_sought
from overlay.guard import Fog, mask

#: What is written where nothing of memory fits, or nothing came to mind.
NOTHING = Written("", Context())


@dataclass(frozen=True, kw_only=True)
class Decided:
    """What a reply is made by.

    Attributes:
        brief: what is known before anything is called to mind.
        directions: our own words, for the model; guidance: the same for the companion without one.
        good: the student's own good things, which are played with and quoted first.
        cue: what the message is, for the companion without a model; goals: what the student wants to reach, for a plan of theirs.
        forgotten: the words of a memory that was put away at the person's word, "" for none.
        asked_to_forget: whether they asked for that, and it was not clear which memory they mean.
        care: how danger is answered; then nothing is quoted.
        packs: what mounted packs hold on the message, best first.
        earlier: what was said before in the conversation; read here where nobody did before.
        avoids: whether a text is about a topic to avoid.
        outcome: what the reply's row keeps of it, sealed.
    """

    context: Context
    brief: Brief | None = None
    directions: str = ""
    guidance: Guidance | None = None
    good: tuple[str, ...] = ()
    cue: Cue = "other"
    goals: tuple[str, ...] = ()
    forgotten: str = ""
    asked_to_forget: bool = False
    care: Care | None = None
    packs: Sequence[Material] = ()
    earlier: Earlier | None = None
    avoids: Callable[[str], bool] = field(default=lambda text: False, repr=False)
    outcome: dict[str, Any] = field(default_factory=dict, repr=False)


def compose_step(
    asked: Asked,
    decided: Decided,
    *,
    fog: Fog,
    embedder: Embedder,
    quiz: Callable[[], QuizTurn | None] = lambda: None,
    language: Language | None = None,
) -> Composed:
    """Return what the model is asked; what would make it too long is left out as `chat.turn.budget` says.

    What stands in this conversation, and what the student said before, they have met. A summary may be a model's
    words, so it is gone over like a memory.

    Args:
        embedder: embeds what the companion without a model looks for an answer in.
        quiz: what a quiz comes to, for the companion without a model.
        language: to reply in; None: the message's.
    """
    language = language or asked.language
    earlier = decided.earlier or load_earlier(asked.access, asked.message)
    summary = "\n".join(line for line in earlier.summary.splitlines() if not decided.avoids(line))
    attached = earlier.attached
    brought = [*(turn.text for turn in earlier.turns), *attached.texts]
    fog = lift_fog(fog, [*brought, *decided.context.own_words])
    veil: Callable[[str], str] = str if fog.hides_nothing else partial(mask, fog=fog, language=language)
    uttered = earlier.utter(asked.message, asked.text)
    ceiling = settings.LLM_MAX_INPUT_TOKENS - count_pictures([uttered])
    context, written = decided.context.veiled(veil), NOTHING
    brief = decided.brief.veiled(veil) if decided.brief is not None else None
    packs, materials = veil_packs(decided.packs, veil), list[Material]()

    def write_memory(tokens: int) -> str:
        nonlocal written
        written = write_block(context, tokens=tokens)
        return written.text

    def write_packs(tokens: int) -> str:
        nonlocal materials
        materials = fit_packs(packs, tokens=tokens)
        return pack_block(materials)

    system = system_prompt(
        language=language,
        directions=decided.directions,
        has_packs=bool(decided.packs),
        has_files=bool(attached.files),
        memory_on=asked.memory_on,
    )
    fitted = fit(
        {
            "files": lambda tokens: write_files(attached.files, tokens=tokens),
            "brief": lambda tokens: write_brief(brief, tokens=tokens) if brief is not None else "",
            "memory": write_memory,
            "packs": write_packs,
            "summary": lambda tokens: veil(summary_block(summary, tokens=tokens)),
        },
        system=system,
        message=asked.text,
        earlier=earlier.turns,
        ceiling=ceiling,
        shares={**SHARES, "memory": PROMPT.most_tokens},
        conversation=ceiling,
    )
    parts = fitted.parts
    written = written if parts["memory"] else NOTHING
    materials = materials if parts["packs"] else []
    is_danger = decided.care is not None and decided.care.danger is not None
    now = timezone.localtime(asked.message.said_at)

    def told() -> list[Stated]:
        return [one for one in earlier.told(embedder) if not (is_danger or decided.avoids(one.text))]

    def kindred() -> list[str]:
        return [] if is_danger else [*decided.good, *find_kindred(asked.text, written.context.told)]

    def changed() -> list[str]:
        if is_danger:
            return []
        just_said = [text for text in earlier.put_right(asked.text, embedder) if not decided.avoids(text)]
        return just_said or find_changed(request.find_kept, written.context.told, embedder)

    def answers() -> list[ToldFact]:
        if not is_danger and "goals" in find_sought(asked.text):
            return [ToldFact(text=goal) for goal in decided.goals]
        held = [] if is_danger else held_of_student(written.context)
        return find_answers(
            asked.text,
            with_talk(held, told(), now=now),
            embedder=embedder,
            language=language,
            now=now,
            before=question_before(asked.text, earlier.turns),
            replied=earlier.replied,
            comes_again=decided.cue == "days",
        )

    request = asked.request(
        system=system,
        turns=[
            *lead_in([parts["summary"]] if parts["summary"] else []),
            *fitted.earlier,
            uttered,
        ],
        language=language,
        now=now,
        embedder=embedder,
        brief=brief,
        context="\n\n".join(filter(None, (parts["brief"], parts["memory"], parts["packs"], parts["files"]))),
        unsure=written.context.unsure,
        guidance=decided.guidance,
        cue=decided.cue,
        find_kindred=kindred,
        find_changed=changed,
        find_told=lambda: [one.text for one in told()],
        goals=() if is_danger else decided.goals,
        find_answers=answers,
        quiz=quiz,
        forgotten=decided.forgotten,
        asked_to_forget=decided.asked_to_forget,
        care=decided.care,
        explained=tuple(
            (concept.name, concept.description)
            for concept in written.context.concepts
            if concept.why == "named" and concept.description and not is_danger
        ),
        materials=tuple((one.pack_name, in_short(one)) for one in materials),
        has_files=bool(attached.files),
    )
    return Composed(
        request=request,
        fog=fog,
        recalled=written.scores,
        terms=written.terms,
        memory_tokens=written.tokens,
        materials=materials,
    )


def lift_fog(fog: Fog, texts: Sequence[str]) -> Fog:
    """Return the fog without the concepts that the texts name."""
    if fog.hides_nothing:
        return fog
    return fog.allowing(found.key for text in texts for found in fog.names.matcher.find(text))
