"""The step that composes a student's request: own instructions, the brief and memory as data, earlier messages, the message."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from uuid import UUID

from django.conf import settings
from django.utils import timezone

from chat.access import ChatAccess
from chat.attachments.material import write_files
from chat.brief import Brief, write_brief
from chat.context import Context, Written, write_block
from chat.models import Message
from chat.notebook.calculator import calculate
from chat.pack_block import WrittenPacks, in_short, veil_packs, write_packs
from chat.prompts import system_prompt
from chat.said import is_wordless
from chat.summaries.points import summary_block
from chat.turn.answers import find_answers, held_of_student, question_before
from chat.turn.budget import SHARES, Wanted, fit, lead_in
from chat.turn.earlier import Earlier, load_earlier
from companion_site.language import Language, as_language
from companion_site.llm.tokens import count_pictures
from companion_site.llm.types import Care, ChatRequest, Cue, Guidance, QuizTurn, Utterance
from memory.packs.relevance import Material
from memory.params import PROMPT
from overlay.guard import Fog, mask

#: What is written where nothing of memory fits, or nothing came to mind.
NOTHING = Written("", Context())


@dataclass(frozen=True, kw_only=True)
class Guided:
    """What the reply is for.

    Attributes:
        directions: our own words, for the model; guidance: the same for the companion without one.
        good: the student's own good things, which are played with and quoted first.
        cue: what the message is, for the companion without a model.
        forgotten: the words of a memory that was put away at the person's word, "" for none.
        asked_to_forget: whether they asked for that, and it was not clear which memory they mean.
        care: how danger is answered; then nothing is quoted.
    """

    directions: str
    guidance: Guidance | None
    good: tuple[str, ...] = ()
    cue: Cue = "other"
    forgotten: str = ""
    asked_to_forget: bool = False
    care: Care | None = None


@dataclass(frozen=True, kw_only=True)
class ComposeInput:
    access: ChatAccess
    message: Message
    text: str
    context: Context
    fog: Fog
    #: what was said before in the conversation; read here where nobody did before
    earlier: Earlier | None = None
    #: whether a line of a summary is about what the student does not want to speak of
    avoids: Callable[[str], bool] = lambda text: False
    guided: Guided | None = None
    #: what is known before anything is called to mind
    brief: Brief | None = None
    memory_on: bool = True
    #: what mounted packs hold on the message, best first
    packs: Sequence[Material] = ()
    #: what a quiz comes to, for the companion without a model
    quiz: Callable[[], QuizTurn | None] = lambda: None
    #: to reply in; None: the message's
    language: Language | None = None


@dataclass(frozen=True, kw_only=True)
class Composed:
    """What the model is asked, what of the world its reply may name, and what of memory stands in it.

    Attributes:
        recalled: the memories in the request, most relevant first, with how relevant they are.
        terms: of each of them, what that number is made of.
        memory_tokens: of the request's memory, by estimate.
        materials: the nodes of packs in the request.
    """

    request: ChatRequest
    fog: Fog
    recalled: Mapping[UUID, float] = field(default_factory=dict)
    terms: Mapping[UUID, Mapping[str, float]] = field(default_factory=dict)
    memory_tokens: int = 0
    materials: Sequence[Material] = ()


def compose_step(given: ComposeInput) -> Composed:
    """Return what the model is asked; what would make it too long is left out as `chat.turn.budget` says.

    What stands in this conversation, and what the student said before, they have met. A summary may be a model's
    words, so it is gone over like a memory.
    """
    language = given.language or as_language(given.message.language)
    earlier = given.earlier or load_earlier(given.access, given.message)
    summary = _without(earlier.summary, given.avoids)
    attached = earlier.attached
    brought = [*(turn.text for turn in earlier.turns), *attached.texts]
    fog = lift_fog(given.fog, [*brought, *given.context.own_words])
    veil: Callable[[str], str] = str if fog.hides_nothing else partial(mask, fog=fog, language=language)
    asked = Utterance("user", given.text, attached.pictures.get(given.message.pk, ()))
    ceiling = settings.LLM_MAX_INPUT_TOKENS - count_pictures([asked])
    memory = _Block(given.context.veiled(veil))
    brief = given.brief.veiled(veil) if given.brief is not None else None
    packs = _PackBlock(veil_packs(given.packs, veil))
    wanted = Wanted(
        system=system_prompt(
            language=language,
            directions=given.guided.directions if given.guided else "",
            has_packs=bool(given.packs),
            has_files=bool(attached.files),
            memory_on=given.memory_on,
        ),
        message=given.text,
        earlier=earlier.turns,
        files=lambda tokens: write_files(attached.files, tokens=tokens),
        brief=partial(_write_brief, brief),
        memory=memory,
        packs=packs,
        summary=lambda tokens: veil(summary_block(summary, tokens=tokens)),
    )
    shares = replace(SHARES, memory=PROMPT.most_tokens, conversation=ceiling)
    fitted = fit(wanted, ceiling=ceiling, shares=shares)
    written = memory.written if fitted.memory else NOTHING
    materials = packs.written.materials if fitted.packs else ()
    good = given.guided.good if given.guided else ()
    care = given.guided.care if given.guided else None
    is_danger = care is not None and care.danger is not None
    told = () if is_danger else (*good, *written.context.told)
    now = timezone.localtime(given.message.said_at)
    request = ChatRequest(
        system=wanted.system,
        turns=[
            *lead_in([fitted.summary] if fitted.summary else []),
            *fitted.earlier,
            asked,
        ],
        language=language,
        context="\n\n".join(
            block for block in (fitted.brief, fitted.memory, fitted.packs, fitted.files) if block
        ),
        recalled=tuple(dict.fromkeys(told)),
        unsure=written.context.unsure,
        guidance=given.guided.guidance if given.guided else None,
        cue=given.guided.cue if given.guided else "other",
        work_out=partial(calculate, given.text, language=language, now=now),
        find_answers=partial(
            find_answers,
            given.text,
            () if is_danger else held_of_student(written.context),
            language=language,
            now=now,
            before=question_before(given.text, earlier.turns),
            replied=next((turn.text for turn in reversed(earlier.turns) if turn.role == "assistant"), ""),
        ),
        quiz=given.quiz,
        forgotten=given.guided.forgotten if given.guided else "",
        asked_to_forget=given.guided is not None and given.guided.asked_to_forget,
        care=care,
        explained=tuple(
            (concept.name, concept.description)
            for concept in written.context.concepts
            if concept.why == "named" and concept.description and not is_danger
        ),
        materials=tuple((one.pack_name, in_short(one)) for one in materials),
        has_files=bool(attached.files),
        is_wordless=is_wordless(given.text),
    )
    return Composed(
        request=request,
        fog=fog,
        recalled=written.scores,
        terms=written.terms,
        memory_tokens=written.tokens,
        materials=materials,
    )


def _write_brief(brief: Brief | None, tokens: int) -> str:
    return write_brief(brief, tokens=tokens) if brief is not None else ""


def _without(summary: str, avoids: Callable[[str], bool]) -> str:
    """Return a summary without the lines that are to be left out."""
    return "\n".join(line for line in summary.splitlines() if not avoids(line))


@dataclass
class _Block:
    """The memory block within as many tokens as there is room for, and what came to stand in it."""

    context: Context
    written: Written = NOTHING

    def __call__(self, tokens: int) -> str:
        self.written = write_block(self.context, tokens=tokens)
        return self.written.text


@dataclass
class _PackBlock:
    """The packs' block within as many tokens as there is room for, and what came to stand in it."""

    materials: Sequence[Material]
    written: WrittenPacks = field(default_factory=WrittenPacks)

    def __call__(self, tokens: int) -> str:
        self.written = write_packs(self.materials, tokens=tokens)
        return self.written.text


def lift_fog(fog: Fog, texts: Sequence[str]) -> Fog:
    """Return the fog without the concepts that the texts name."""
    if fog.hides_nothing:
        return fog
    return fog.allowing(found.key for text in texts for found in fog.names.matcher.find(text))
