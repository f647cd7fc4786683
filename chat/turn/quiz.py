"""The step that tells what a message is to a quiz: the wish for one, the answer to its question, or the end of it.

What reads the message are the heads. Only a few whole sayings are known by their words: those that end a quiz, and those that
give a question up.
"""

import re
from dataclasses import dataclass, field

import numpy as np
from django.utils import timezone

from chat.models import Message
from chat.quiz.course import Asked as Open
from chat.quiz.course import Quiz, Topic
from chat.quiz.items import QUIZ, Item, bare_answer, find_named, judge_explanation, judge_name, load_items
from chat.turn.intentions import Heard, name_cue
from chat.turn.knowledge import Minded
from chat.turn.message import Asked
from chat.turn.recall import open_memory
from chat.turn.snapshot import is_low
from companion_site.language import fold_words
from companion_site.llm.types import Verdict
from companion_site.vault import unlocked
from companion_site.vault.scope import space_scope
from memory.reading.params import READING
from memory.reading.requests import find_request
from memory.reading.words import find_words, table
from overlay.repetitions import load_places, note_answer

#: what ends a quiz: a message that begins so
_STOP = re.compile(
    r"(?:(?:ok|okay|okej|no|nej|please|snälla)[\s,]+)?(?:stop|enough|that'?s enough|that is enough|no more|i'?m done|end the quiz"
    r"|sluta|stopp|avsluta|räcker|det räcker|nu räcker|inga fler|jag vill sluta|nog nu)\b"
)
#: what gives a question up: a short message that says no more
_GIVES_UP = re.compile(
    r"^(?:sorry,? |hm+,? |no,? |nej,? )?(?:i |jag |you |du )?(?:(?:really |honestly )?(?:don'?t|do not) know|dunno|idk|(?:have )?no idea|no clue|can'?t remember"
    r"|forgot|not sure|give up|pass|skip|next(?: question)?|tell me(?: the answer)?"
    r"|vet (?:faktiskt |verkligen )?inte|vet ej|(?:har )?ingen aning|minns inte|kommer inte ihåg|har glömt|inte säker|ger upp|nästa(?: fråga)?"
    r"|säg (?:mig )?svaret|hoppa över)(?: (?:it|that|this one|riktigt|alls|det|den|sorry|tyvärr))?$"
)
#: a guess put as a question
_GUESS = re.compile(r"(?:is it|is that|could it be|maybe|är det|kan det vara|kanske)\b")
#: has so few words, with and without an opening like these
GUESS_WORDS, GUESS_WORDS_ALONE = 6, 3
#: what is wanted by who answers nothing
_WANTS = (
    "do_task",
    "plan",
    "advice",
    "about_me",
    "remember_this",
    "forget_this",
    "thanks",
    "greeting",
    "goodbye",
)


@dataclass(frozen=True)
class Said:
    """A message and what is read of it."""

    asked: Asked
    minded: Minded
    #: (d,) of the message
    vector: np.ndarray = field(repr=False)

    @property
    def text(self) -> str:
        return self.asked.text

    @property
    def open(self) -> Open | None:
        """The question that is open."""
        return self.minded.earlier.asked if self.minded.earlier is not None else None

    @property
    def remembers(self) -> bool:
        """Whether packs, lessons and what was asked before may be read."""
        return self.asked.memory_on and self.minded.wishes is not None

    @property
    def heard(self) -> Heard:
        return self.minded.heard


def quiz_step(given: Said) -> Quiz | None:
    """Return what a message is to a quiz; None where it has to do with none. What answers a question is no memory."""
    asks_for_one = _asks_for_quiz(given)
    if given.open is None and not asks_for_one:
        return None
    access, now = given.asked.access, given.asked.now
    memory = open_memory(access) if given.remembers else None
    with unlocked(access.space, access.key):
        items = load_items(access, memory, now=now)
        places = load_places(access.space) if given.remembers else {}
    quiz = Quiz(
        items={item.key: item for item in items},
        places=places,
        today=timezone.localdate(now),
        asked=given.open,
        topic=Topic(given.text, given.vector, given.asked.language),
        begins=asks_for_one,
        language=given.asked.language,
    )
    if given.open is not None:
        _read(given, quiz, items)
    if quiz.verdict is not None:
        _leave_unremembered(given.asked)
    return quiz


def repetition_step(asked: Asked, quiz: Quiz) -> None:
    """Count an answer once; what was counted of another version that is no answer any more is taken back."""
    if quiz.asked is None or (quiz.verdict is None and asked.message.version_of is None):
        return
    access = asked.access
    with unlocked(access.space, access.key):
        note_answer(
            access.space,
            quiz.asked.standing.item,
            quiz.verdict,
            question=quiz.asked.reply,
            now=asked.now,
        )


def _asks_for_quiz(given: Said) -> bool:
    """Tell whether somebody wants to be quizzed; a game of their own memories is another thing."""
    if given.heard.way == "game" or given.heard.wants("practise") < READING.intent:
        return False
    return name_cue(given.heard, emotion=given.minded.emotion) in {"plan", "glad"}


def _read(given: Said, quiz: Quiz, items: list[Item]) -> None:
    """Note what a message is to the open question: an answer, the wish for another quiz, or neither."""
    said = fold_words(given.text.replace("\u2019", "'")).strip(" .,!…")
    asks_for_one, quiz.begins = quiz.begins, False
    if _STOP.match(said):
        quiz.has_more = given.heard.asks
        return
    item = quiz.items.get(quiz.asked.standing.item) if quiz.asked is not None else None
    if item is not None and _GIVES_UP.match(said):
        quiz.verdict = "unknown"
        return
    if asks_for_one and quiz.topic is not None and quiz.topic.choose(items):
        quiz.begins = True
        return
    if item is None or given.heard.wants(*_WANTS) >= READING.surely_wants or _is_question(given, said):
        return
    others = [other for other in items if other is not item]
    verdict = _judge(given, quiz, item, others)
    if verdict != "wrong" or find_named(given.text, others) or not _tells(given):
        quiz.verdict = verdict


def _judge(given: Said, quiz: Quiz, item: Item, others: list[Item]) -> Verdict:
    if quiz.asked is not None and quiz.asked.standing.asks == "name":
        return judge_name(given.text, item, others)
    return judge_explanation(given.text, item, others[: QUIZ.most_items])


def _is_question(given: Said, said: str) -> bool:
    """Tell whether a message asks something, rather than guesses."""
    if not given.text.rstrip().endswith("?"):
        return False
    if _GUESS.match(said):
        return len(said.split()) > GUESS_WORDS
    asks = find_words(said)[:1]
    return not table("asking").isdisjoint(asks) or len(bare_answer(said).split()) > GUESS_WORDS_ALONE


def _tells(given: Said) -> bool:
    """Tell whether a message that answers nothing is about something else: it wants, asks, tells of their life, or says goodbye."""
    wants = given.heard.wants
    return (
        given.heard.asks
        or wants("tell") >= QUIZ.told
        or wants("goodbye") >= QUIZ.bye
        or wants("thanks") >= READING.intent
        or is_low(given.minded.emotion)
        or find_request(given.text, vector=given.vector) is not None
    )


def _leave_unremembered(asked: Asked) -> None:
    """Have no memory form of an answer, unless one did already."""
    space = asked.access.space
    with space_scope(space):
        rows = Message.objects.for_space(space).awaiting_formation().filter(pk=asked.message.pk)
        rows.update(formed_at=asked.now, snr=0.0)
