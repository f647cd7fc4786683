"""What goes into the gateway, what bounds it, and what is known about a call afterwards. Plain data, no behaviour.

`ChatRequest.system` is the only text that ever reaches a system role, and it is only our own. Everything remembered,
imported or said by anyone travels in `context`, `turns` or `data`.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Generic, Literal, TypeVar

from django.db import models
from django.utils.translation import gettext_lazy as _
from pydantic import BaseModel


@dataclass(frozen=True, kw_only=True)
class Limits:
    """Bounds of one call. All times in seconds.

    Attributes:
        connect_s: to open a connection.
        first_token_s: from asking to the first sign of an answer.
        between_tokens_s: between two signs of an answer.
        extract_s: for one whole extraction.
        total_s: for the call over all providers and tries; what is left bounds each of the others.
        attempts: tries per provider, the first included.
        attempts_after_timeout: the same for a provider that does not answer in time, which costs the person more.
        backoff_s: pause before the second try, doubled before each further one, with jitter.
        backoff_max_s: the longest such pause.
        retry_after_max_s: the longest pause a provider may ask for; above it the next provider is asked instead.
        max_input_tokens: ceiling on what is sent, by estimate.
        max_reply_chars, max_reply_tokens: ceiling on what is taken of a reply or an answer, the latter by estimate.
        breaker_failures: failures in a row after which a provider is left alone.
        breaker_open_s: how long it is left alone.
    """

    connect_s: float = 5.0
    first_token_s: float = 15.0
    between_tokens_s: float = 20.0
    extract_s: float = 45.0
    total_s: float = 120.0
    attempts: int = 3
    attempts_after_timeout: int = 2
    backoff_s: float = 0.5
    backoff_max_s: float = 4.0
    retry_after_max_s: float = 5.0
    max_input_tokens: int = 60_000
    max_reply_chars: int = 40_000
    max_reply_tokens: int = 16_000
    breaker_failures: int = 5
    breaker_open_s: float = 30.0


LlmRole = Literal["chat", "fast"]
Language = Literal["en", "sv"]
#: what a message is, for a reply without a model: hard to bear, something glad, work ahead, a plan wished for days to come, something to be made,
#: something to be remembered, how they want to be spoken with from now on, a question about what was told, the wish for an explanation, a
#: question about the companion itself, or about what was talked of
Cue = Literal[
    "heavy",
    "glad",
    "plan",
    "days",
    "task",
    "remember",
    "wish",
    "question",
    "explain",
    "companion",
    "conversation",
    "thanks",
    "greeting",
    "goodbye",
    "other",
]
#: for whom a help line is
Whose = Literal["all", "young", "adult"]
S = TypeVar("S", bound=BaseModel)


class Outcome(models.TextChoices):
    """How a call to a provider ended."""

    OK = "ok", _("Answered")
    INTERRUPTED = "interrupted", _("Interrupted")
    REFUSED = "refused", _("Refused by the model")
    RATE_LIMITED = "rate_limited", _("Rate limited")
    UNAVAILABLE = "unavailable", _("Unavailable")
    TIMEOUT = "timeout", _("Timed out")
    MALFORMED = "malformed", _("Malformed answer")


@dataclass(frozen=True, kw_only=True)
class Picture:
    """A picture that somebody attached to what they said: a PNG or JPEG, by the name of its file."""

    name: str
    media_type: str
    content: bytes = field(repr=False)


@dataclass(frozen=True)
class Utterance:
    """One thing said in a conversation, with the pictures that go with it."""

    role: Literal["user", "assistant"]
    text: str
    pictures: tuple[Picture, ...] = ()


@dataclass(frozen=True, kw_only=True)
class Guidance:
    """What a reply is to come to, in words of our own, for the companion without a model.

    Attributes:
        mode: answer, support, coach, gratitude, game, reminder or small_talk.
        goal: what this one reply is for, such as validate_feelings.
        skills: the coaching skills to answer by, the first first.
        about: what the reply speaks of, as plain statements: what is open, good memories, or goals.
        is_wished: the person asked for this way of talking: it comes before an answer.
    """

    mode: str
    goal: str
    is_wished: bool = False
    skills: tuple[str, ...] = ()
    about: tuple[str, ...] = ()


@dataclass(frozen=True, kw_only=True)
class ToldFact:
    """A statement that answers a question, for the companion without a model.

    Attributes:
        when: the day it was said, as it is written in a sentence; "" where nobody said it on one, as of a figure in the books.
        is_doubted: it may not hold any more, or is not sure.
        until: the day until which it was so, where something else holds now; "" where it holds.
        is_booked: it stands in a company's books.
        said_by: who says it of themselves, where that is not the one who asks; "" of all else.
    """

    text: str
    when: str = ""
    until: str = ""
    is_doubted: bool = False
    is_booked: bool = False
    said_by: str = ""


#: How an answer was: what was asked for, nearly, something else, or that they do not know.
Verdict = Literal["right", "nearly", "wrong", "unknown"]


@dataclass(frozen=True, kw_only=True)
class QuizTurn:
    """What a quiz comes to at one message, for the companion without a model.

    Attributes:
        verdict: how the answer was; None where nothing was answered.
        answer: what had been asked for, as (name, description).
        right, count: the score: of so many questions answered so many rightly.
        asks: what the next question asks for; None: there is none, and the quiz is over.
        question: the description with its name veiled, or the name.
        stands_aside: the message is none of the quiz's, and is answered as what it is after the score.
        is_empty: there is nothing to ask about at all; offers: nothing about what they named, but this, by areas.
    """

    verdict: Verdict | None = None
    answer: tuple[str, str] = ("", "")
    right: int = 0
    count: int = 0
    asks: Literal["name", "description", "lesson"] | None = None
    question: str = ""
    stands_aside: bool = False
    is_empty: bool = False
    offers: tuple[str, ...] = ()


@dataclass(frozen=True, kw_only=True)
class HelpLine:
    """Somebody to call.

    Attributes:
        number: as it is dialled, with spaces; "" where the words hold it, as a school's do.
        words: who answers and what for, one line, by language.
        is_urgent: for danger alone.
    """

    number: str
    words: Mapping[str, str]
    whose: Whose = "all"
    is_urgent: bool = False


@dataclass(frozen=True, kw_only=True)
class Care:
    """How somebody is answered who speaks of danger, or did so a moment ago.

    Attributes:
        danger: how surely the message speaks of it; None: earlier ones of the conversation did.
        lines: whom to call, the most pressing first.
        is_young: they are a student, and a grown-up is there for them.
    """

    danger: Literal["perhaps", "sure"] | None = None
    lines: tuple[HelpLine, ...] = ()
    is_young: bool = True


@dataclass(frozen=True, kw_only=True)
class ChatRequest:
    """Everything a provider needs for one reply, and behind `max_tokens` what the companion without a model goes by in its place.

    Attributes:
        system: our own instructions, the same for many requests (providers cache them).
        turns: the conversation, oldest first; the last is the user's.
        language: the language to reply in.
        context: a delimited data block put in front of the last user's message; "" for none.
        max_tokens: the longest reply, in tokens.
        unsure: what of memory is told with a doubt.
        find_kindred: returns what was told of something that the last words name, what one is to be reminded of first.
        is_shared: whether they are a company's, said by whichever of its people.
        find_changed: returns statements that the person's last words speak against, the nearest first.
        find_kept: returns what of them memory keeps.
        find_told: returns what the person told in this conversation, oldest first.
        last_talk: the day of the last other conversation, and of what it was.
        goals: what the person wants to reach.
        guidance: what the reply is to come to; cue: what the last words are.
        work_out: returns the answer to a sum or a question for the calendar, "" where none was asked.
        find_answers: returns what was told that answers the last words, best first, none where nothing surely does.
        quiz: returns what a quiz comes to at the last words, None where there is none.
        forgotten: the words of a memory that was put away at them; "" for none.
        asked_to_forget: whether they ask to forget something, of which it was not clear which memory they mean.
        care: where danger was spoken of.
        materials: what mounted packs hold on the last words, as (pack, its words).
        explained: what the person's own map holds on what they name, as (name, description).
        has_files: whether text files that the person attached stand in `context`.
        is_wordless: whether the last message is pictures or files alone.
        memory_on: whether anything is remembered of what is said, and recalled.
    """

    system: str
    turns: Sequence[Utterance]
    language: Language
    context: str = ""
    max_tokens: int = 1024
    unsure: tuple[str, ...] = ()
    is_shared: bool = False
    find_kindred: Callable[[], Sequence[str]] = tuple
    find_changed: Callable[[], Sequence[str]] = tuple
    find_kept: Callable[[], Sequence[str]] = tuple
    find_told: Callable[[], Sequence[str]] = tuple
    last_talk: tuple[str, str] | None = None
    goals: tuple[str, ...] = ()
    guidance: Guidance | None = None
    cue: Cue = "other"
    work_out: Callable[[], str] = str
    find_answers: Callable[[], Sequence[ToldFact]] = tuple
    quiz: Callable[[], QuizTurn | None] = lambda: None
    forgotten: str = ""
    asked_to_forget: bool = False
    care: Care | None = None
    materials: tuple[tuple[str, str], ...] = ()
    explained: tuple[tuple[str, str], ...] = ()
    has_files: bool = False
    is_wordless: bool = False
    memory_on: bool = True

    def __post_init__(self) -> None:
        object.__setattr__(self, "turns", tuple(self.turns))
        if not self.turns or self.turns[-1].role != "user" or not self.turns[-1].text.strip():
            raise ValueError("the last turn must be the user's, and say something")
        if self.max_tokens < 1:
            raise ValueError(f"max_tokens must be positive, got {self.max_tokens}")


@dataclass(frozen=True, kw_only=True)
class ExtractRequest(Generic[S]):
    """Everything a provider needs to read data into a form.

    Attributes:
        schema: the form.
        instructions: what to look for; our own text.
        data: what to read, from whomever; adapters delimit it.
        max_tokens: the longest answer, in tokens.
        restore: puts what was kept back from the provider into its raw answer, before that is validated.
    """

    schema: type[S]
    instructions: str
    data: str
    max_tokens: int = 2048
    restore: Callable[[str], str] = str


@dataclass
class Meter:
    """What a provider reports about the call under way; the adapter fills it while it works.

    `input_tokens` counts everything read, cached or not; `cached_tokens` is the part that came from a cache.
    """

    input_tokens: int = 0
    output_tokens: int = 0
    cached_tokens: int = 0


@dataclass(kw_only=True)
class CallRecord(Meter):
    """One call to one provider, without a word of what was said; one whose end nobody tells was interrupted by the caller."""

    provider: str
    model: str
    role: LlmRole
    purpose: str
    outcome: Outcome = Outcome.INTERRUPTED
    duration_ms: int = 0
    first_token_ms: int | None = None


@dataclass(frozen=True)
class Extracted(Generic[S]):
    """Validated data, and who gave it; the tokens are those of the call that did."""

    value: S
    provider: str
    model: str
    input_tokens: int = 0
    output_tokens: int = 0


@dataclass(frozen=True)
class Repair:
    """A malformed answer and what was wrong with it, handed back once so that the model can mend it."""

    raw: str
    problem: str
