"""The step that tells what a message is to a quiz: the wish for one, the answer to its question, or the end of it.

What reads the message are the heads. Only a few whole sayings are known by their words: those that end a quiz, and those that
give a question up.
"""

import re

import numpy as np
from django.utils import timezone

from chat.models import Message
from chat.quiz.course import Quiz, Topic
from chat.quiz.items import QUIZ, Item, bare_answer, find_named, judge_explanation, judge_name, load_items
from chat.turn.inputs import Minded
from chat.turn.intentions import name_cue
from chat.turn.message import Asked
from chat.turn.recall import open_memory
from chat.turn.snapshot import is_low
from companion_site.language import fold_words
from companion_site.llm.types import Verdict
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


def quiz_step(asked: Asked, minded: Minded) -> Quiz | None:
    """Return what a message is to a quiz; None where it has to do with none. What answers a question is no memory."""
    vector, asks_for_one = minded.vector, _asks_for_quiz(minded)
    is_open = minded.earlier.asked if minded.earlier is not None else None
    if vector is None or (is_open is None and not asks_for_one):
        return None
    access, now = asked.access, asked.now
    # Whether packs, lessons and what was asked before may be read.
    remembers = asked.memory_on and minded.wishes is not None
    memory = open_memory(access) if remembers else None
    with access.open():
        items = load_items(access, memory, now=now)
        places = load_places(access.space) if remembers else {}
    quiz = Quiz(
        items={item.key: item for item in items},
        places=places,
        today=timezone.localdate(now),
        asked=is_open,
        topic=Topic(asked.text, vector, asked.language),
        begins=asks_for_one,
        language=asked.language,
    )
    if is_open is not None:
        _read(asked.text, vector, minded, quiz, items)
    if quiz.verdict is not None:
        _leave_unremembered(asked)
    return quiz


def repetition_step(asked: Asked, quiz: Quiz) -> None:
    """Count an answer once; what was counted of another version that is no answer any more is taken back."""
    if quiz.asked is None or (quiz.verdict is None and asked.message.version_of is None):
        return
    access = asked.access
    with access.open():
        note_answer(
            access.space,
            quiz.asked.standing.item,
            quiz.verdict,
            question=quiz.asked.reply,
            now=asked.now,
        )


def _asks_for_quiz(minded: Minded) -> bool:
    """Tell whether somebody wants to be quizzed; a game of their own memories is another thing."""
    if minded.heard.way == "game" or minded.heard.wants("practise") < READING.intent:
        return False
    return name_cue(minded.heard, emotion=minded.emotion) in {"plan", "glad"}


def _read(text: str, vector: np.ndarray, minded: Minded, quiz: Quiz, items: list[Item]) -> None:
    """Note what a message is to the open question: an answer, the wish for another quiz, or neither."""
    said = fold_words(text.replace("\u2019", "'")).strip(" .,!…")
    asks_for_one, quiz.begins = quiz.begins, False
    if _STOP.match(said):
        quiz.has_more = minded.heard.asks
        return
    item = quiz.items.get(quiz.asked.standing.item) if quiz.asked is not None else None
    if item is not None and _GIVES_UP.match(said):
        quiz.verdict = "unknown"
        return
    if asks_for_one and quiz.topic is not None and quiz.topic.choose(items):
        quiz.begins = True
        return
    if item is None or minded.heard.wants(*_WANTS) >= READING.surely_wants or _is_question(text, said):
        return
    others = [other for other in items if other is not item]
    verdict = _judge(text, quiz, item, others)
    # A thing by itself is a guess, though elsewhere it would ask what that is: "the nucleus".
    is_guess = quiz.asks_for_name and len(bare_answer(said).split()) <= GUESS_WORDS_ALONE
    if verdict != "wrong" or find_named(text, others) or not _tells(text, vector, minded, is_guess=is_guess):
        quiz.verdict = verdict


def _judge(text: str, quiz: Quiz, item: Item, others: list[Item]) -> Verdict:
    if quiz.asks_for_name:
        return judge_name(text, item, others)
    return judge_explanation(text, item, others[: QUIZ.most_items])


def _is_question(text: str, said: str) -> bool:
    """Tell whether a message asks something, rather than guesses."""
    if not text.rstrip().endswith("?"):
        return False
    if _GUESS.match(said):
        return len(said.split()) > GUESS_WORDS
    asks = find_words(said)[:1]
    return not table("asking").isdisjoint(asks) or len(bare_answer(said).split()) > GUESS_WORDS_ALONE


def _tells(text: str, vector: np.ndarray, minded: Minded, *, is_guess: bool) -> bool:
    """Tell whether a message that answers nothing is about something else: it wants, asks, tells of their life, or says goodbye."""
    wants = minded.heard.wants
    return (
        (minded.heard.asks and not is_guess)
        or wants("tell") >= QUIZ.told
        or wants("goodbye") >= QUIZ.bye
        or wants("thanks") >= READING.intent
        or is_low(minded.emotion)
        or find_request(text, vector=vector) is not None
    )


def _leave_unremembered(asked: Asked) -> None:
    """Have no memory form of an answer, unless one did already."""
    space = asked.access.space
    with space_scope(space):
        rows = Message.objects.for_space(space).awaiting_formation().filter(pk=asked.message.pk)
        rows.update(formed_at=asked.now, snr=0.0)
