"""What the companion without a model can say, one file of words a language (`phrases/en.json`).

Each list holds ways of saying one thing; which one is taken depends on the turn and on what was said before in the conversation, where
none is said twice (`offline_guided.Saying`). Nothing there states anything about the world or the person.
"""

import re
from dataclasses import dataclass
from pathlib import Path
from typing import get_args

from pydantic import TypeAdapter

from companion_site.llm.types import Cue, Language, Verdict

Ways = tuple[str, ...]
#: What a reply marks as somebody's words, in either language.
QUOTATION = re.compile(r"[\u201c\u201d]([^\u201c\u201d]*)\u201d")


@dataclass(frozen=True)
class QuizPhrases:
    """What is said in a quiz.

    Attributes:
        verdicts: how the answer was, with the right one.
        name, description, lesson: the questions.
        ended, stopped: the last line, with a score and without.
        nothing: where there is nothing to ask about; nothing_on: nothing about what was named, with what there is.
    """

    verdicts: dict[Verdict, Ways]
    score: str
    name: Ways
    description: Ways
    lesson: Ways
    ended: str
    stopped: str
    nothing: str
    nothing_on: str


@dataclass(frozen=True)
class Phrases:
    """What is said by no plan."""

    notice: str
    #: of pictures and files that go with the last words, once a conversation
    attached: str
    #: where that was said already
    attached_again: str
    #: an answer, by whether the day is known that it was said on; to a company what its people said
    told_on: Ways
    told: Ways
    noted_on: Ways
    noted: Ways
    #: what stands in a company's books
    booked: Ways
    booked_several: Ways
    #: an answer that may not be so
    doubted_on: Ways
    doubted: Ways
    #: behind what was so once, and behind what somebody else says of themselves
    was_until: str
    said_by: str
    #: several answers; to a company what its people said
    several: Ways
    noted_several: Ways
    #: where nothing that was told answers
    not_told: Ways
    #: the same with memory off, where nothing is looked up and nothing kept
    not_told_off: Ways
    #: the same, where all of them were said: with the question, and the shortest
    not_told_topic: str
    not_told_brief: str
    #: the same where an explanation is asked for, and where something is to be written, translated or made up
    not_explained: Ways
    not_explained_off: Ways
    not_made: Ways
    not_made_off: Ways
    not_made_topic: str
    #: who speaks, what it can do and who reads what is told, to a student and to somebody of a company, and where all of it was said
    itself: Ways
    itself_shared: Ways
    itself_brief: str
    #: what was told in this conversation, in the last one, and in neither
    told_here: Ways
    last_talk: str
    not_talked: Ways
    #: what stands on the days that a plan is wished for, what is to be reached, and that nothing stands there
    days: Ways
    goals: str
    no_days: Ways
    #: put before what is said once more, with the question that it answers
    topic: str
    changed: Ways
    #: to who says with memory off what to keep or how to speak with them
    not_kept: Ways
    forgot: str
    take_back: str
    #: where it is not clear which memory is to be forgotten, and where that was said already
    forgot_nothing: str
    forgot_nothing_again: str
    from_map: Ways
    from_pack: Ways
    connects: Ways
    connects_shared: Ways
    #: put before what is not sure to be so
    unsure: str
    quote: str
    question_words: tuple[str, ...]
    acknowledge: dict[Cue, Ways]
    #: to who tells something of a company
    read_later: Ways
    #: where all of these were said
    brief: dict[Cue, str]
    ask: dict[Cue, Ways]
    first_step: Ways
    quiz: QuizPhrases


@dataclass(frozen=True)
class GuidedPhrases:
    """What is said by plan, skill by skill.

    `{said}` stands for a quotation of the person's last words, `{told}` for one of what they told before, `{opening}` for the
    beginning of one.

    Attributes:
        statements: by skill, what is told; questions: by what they are for, the one question at the end.
        grow: questions by the four phases, in their order.
        game: by whether there is a memory to play with.
    """

    statements: dict[str, Ways]
    questions: dict[str, Ways]
    grow: dict[str, Ways]
    micro: Ways
    told_before: Ways
    looks_back: Ways
    glad: Ways
    celebrates: Ways
    reminds: Ways
    game: Ways
    game_without: Ways


@dataclass(frozen=True)
class CareWords:
    """What is said to whoever is in danger, perhaps is, or spoke of it a moment ago.

    A thirteen-year-old reads this. It is short, it blames nobody, it quotes nothing, and it always names people.
    `{somebody}` is whom they may turn to, `{lines}` stands for the help lines.

    Attributes:
        young, adult: somebody to turn to.
        sure, perhaps: whole replies, by their paragraphs; after: what stands before the ordinary reply to a message after danger.
        whom_sure, whom_perhaps: what stands before the lines where somebody else's reply has named nobody.
    """

    young: str
    adult: str
    sure: tuple[Ways, ...]
    perhaps: tuple[Ways, ...]
    after: Ways
    whom_sure: str
    whom_perhaps: str


@dataclass(frozen=True)
class Words:
    """All words of one language."""

    plain: Phrases
    guided: GuidedPhrases
    care: CareWords


def _read_words(language: Language) -> Words:
    """Return a language's words. A way that is missing raises ValidationError: the site does not start without it."""
    file = Path(__file__).parent / "phrases" / f"{language}.json"
    return TypeAdapter(Words).validate_json(file.read_bytes())


WORDS: dict[Language, Words] = {language: _read_words(language) for language in get_args(Language)}
PHRASES = {language: words.plain for language, words in WORDS.items()}
