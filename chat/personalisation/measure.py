"""What a finished reply stood on, measured: how personal it is, how sure, and of what type; from its words and the rows of the memories in its prompt.

The rules are pure functions of text, English and Swedish: docs/personalised-replies.md. A guiding reply ends in a question
about the matter, or sets the person to work by one, and tells little before it: what it tells is at most `TELLS_AT_MOST`
words in sentences that neither ask, nor hand over a task, nor speak to the person. A courtesy ("Is there anything else?",
"How are you?", "Shall I go on?") guides nobody.

Whether a reply shows a memory is told by what the two have in common. A word in common counts by how surprising it is that a reply of
this length has it: its self-information less log2 of the reply's length; it counts in full where the reply speaks to the person. What
their message said itself is no evidence, and a run of words as the memory has them is a quotation.
"""

import re
import unicodedata
from collections.abc import Iterable, Mapping, Sequence, Set
from dataclasses import dataclass, replace
from datetime import datetime
from enum import StrEnum
from functools import cached_property
from math import log2
from typing import Literal
from uuid import UUID

import structlog
from django.db import DatabaseError

from chat.models import Message
from companion_site.language import (
    LANGUAGES,
    WORD,
    Language,
    as_language,
    stem_words,
    tokens,
    word_information,
)
from companion_site.llm.offline import OfflineCompanion
from companion_site.llm.offline_phrases import QUOTATION
from memory.company.facts import present_confidence
from memory.models import CompanyFact, MemoryNode
from memory.student.assessment import SURE

_TELLING = re.compile(
    r"\b(?:you(?: have|'ve|\u2019ve)? (?:told|said|mentioned|wrote|asked|tend|usually|often|once|got|had|did|like)|as you|since you|last time"
    r"|du (?:har (?:berättat|sagt|nämnt|skrivit)|berättade|sa|sade|nämnde|skrev|brukar|ofta|hade|gjorde|gillar)|eftersom du|sist|förra gången)\b",
    re.IGNORECASE,
)
_ADDRESSING = re.compile(
    r"\?|\b(?:you|your|yours|yourself|you\W\w+|du|dig|dej|din|ditt|dina|ni|er|ert|era)\b", re.IGNORECASE
)
_SENTENCE = re.compile(r"[^.!?\n]+[.!?]*")


class Shows(StrEnum):
    """How clearly a reply shows a memory."""

    NOT = "no"
    FAINTLY = "faintly"
    CLEARLY = "clearly"


@dataclass(frozen=True, kw_only=True)
class DrawingParams:
    """Bounds in bits. Source: the first half of tests/data/drawn.json; docs/personalised-replies.md."""

    #: evidence from which a memory shows clearly, and faintly
    clearly: float = 6.0
    faintly: float = 2.5
    #: what replies to a question share anyhow, because they are about the same thing
    of_the_topic: float = 4.0
    #: what it adds to other evidence that the reply says where something comes from ("you told me")
    told: float = 2.0
    #: what a word is worth in a sentence that neither speaks to the person nor asks
    unaddressed: float = 0.4
    #: what a number says that has one digit, and what one says that has more
    digit: float = 6.0
    number: float = 13.0


DRAWING = DrawingParams()
#: So many words in a row, as the memory has them, are a quotation.
QUOTED = 4


@dataclass(frozen=True, kw_only=True)
class Statement:
    """A memory's words, one statement a line, and the language that they are in."""

    text: str
    language: Language


def find_shown(reply: str, memories: Sequence[Statement], *, asked: str = "") -> list[Shows]:
    """Return how clearly a reply shows each memory; of one with several lines, the line that shows the most decides.

    Args:
        asked: the message that was replied to.
    """
    said, heard = _read(reply), _read(asked)
    return [_judge(memory, said, heard) for memory in memories]


def find_quoted(reply: str, memories: Sequence[Statement], *, asked: str = "") -> list[Shows]:
    """Return which memories a reply quotes that can show one in no other way: the companion's without a model, which marks what it quotes.

    Args:
        asked: the message that was replied to; giving its words back is no memory.
    """
    quoted = [tuple(_words(words)) for words in QUOTATION.findall(reply)]
    heard = _read(asked).words
    return [
        Shows.CLEARLY
        if any(_quotes(said, heard, line) for line in memory.text.splitlines() for said in quoted)
        else Shows.NOT
        for memory in memories
    ]


def _quotes(said: Sequence[str], heard: Sequence[str], line: str) -> bool:
    words = tuple(_words(line))
    most = min(QUOTED, len(words))
    return bool(words) and bool((_runs(words, most) & _runs(said, most)) - _runs(heard, most))


@dataclass(frozen=True)
class _Text:
    """The words of a text in order, and each with its stems."""

    words: tuple[str, ...]
    keys: frozenset[str]
    #: those of the sentences that speak to the person
    addressed: frozenset[str]
    #: whether it says that the person told, did or tends to do something
    tells: bool

    @cached_property
    def runs(self) -> frozenset[tuple[str, ...]]:
        """Every `QUOTED` words in a row."""
        return _runs(self.words)

    @property
    def length(self) -> float:
        """Log2 of how many words it has: by so much it is less surprising that one of them is there."""
        return log2(max(len(set(self.words)), 2))


def _read(text: str) -> _Text:
    words = tuple(_words(text))
    sentences = (match.group() for match in _SENTENCE.finditer(text))
    addressed = " ".join(sentence for sentence in sentences if _ADDRESSING.search(sentence))
    return _Text(
        words, _all_keys(words), _all_keys(tuple(_words(addressed))), _TELLING.search(text) is not None
    )


def _all_keys(words: Sequence[str]) -> frozenset[str]:
    return frozenset(key for keys in _keys(words) for key in keys)


def _words(text: str) -> Iterable[str]:
    plain = unicodedata.normalize("NFKC", text).replace("\u2019", "'")
    return (re.sub(r"'s$", "", match.group().casefold()) for match in WORD.finditer(plain))


def _keys(words: Sequence[str]) -> list[set[str]]:
    """Return by what each word is known again: as it stands, and by its stem in each language."""
    stems = [stem_words(list(words), language) for language in LANGUAGES]
    return [
        {word, *(f"{language}:{stem}" for language, stem in zip(LANGUAGES, of, strict=True))}
        for word, *of in zip(words, *stems, strict=True)
    ]


def _judge(memory: Statement, said: _Text, heard: _Text) -> Shows:
    lines = [line for line in memory.text.splitlines() if line.strip()]
    evidence = max((_evidence(line, said, heard, memory.language) for line in lines), default=0.0)
    if evidence >= DRAWING.clearly:
        return Shows.CLEARLY
    return Shows.FAINTLY if evidence >= DRAWING.faintly else Shows.NOT


def _evidence(line: str, said: _Text, heard: _Text, language: Language) -> float:
    """Return how many bits speak for it that the reply has this line from the memory."""
    words = tuple(_words(line))
    if (_runs(words) & said.runs) - heard.runs:
        return DRAWING.clearly
    keys = dict(zip(words, _keys(words), strict=True))
    shared = {word for word, of in keys.items() if of & said.keys and not of & heard.keys}
    expected = said.length + DRAWING.of_the_topic
    evidence = 0.0
    for word, bits in _information(shared, words, language).items():
        weight = 1.0 if keys[word] & said.addressed else DRAWING.unaddressed
        evidence += weight * max(0.0, bits - expected)
    return evidence + DRAWING.told if said.tells and evidence >= DRAWING.faintly else evidence


def _information(shared: Set[str], words: Sequence[str], language: Language) -> dict[str, float]:
    """Return the bits of each word shared, among the words of its line; what every text has says nothing."""
    telling = set(tokens(" ".join(words), language))
    bits = dict(zip(words, word_information(words, language).tolist(), strict=True))
    bits |= {word: DRAWING.number if len(word) > 1 else DRAWING.digit for word in words if word.isnumeric()}
    return {word: bits[word] for word in sorted(shared & telling)}


def _runs(words: Sequence[str], most: int = QUOTED) -> frozenset[tuple[str, ...]]:
    return frozenset(tuple(words[start : start + most]) for start in range(len(words) - most + 1))


logger = structlog.get_logger(__name__)

#: Words of plain telling before the question, from which a reply is an answer with a question behind it.
TELLS_AT_MOST = 12

_OPEN = re.compile(
    r"\b(?:what|which|why|how|where|when|who|can you|could you|do you (?:think|see|notice|remember|know)|what if"
    r"|vad|vilken|vilket|vilka|varför|hur|var|när|vem|kan du|skulle du kunna|tror du|ser du|märker du|minns du|vet du)\b",
    re.IGNORECASE,
)
#: Questions about how somebody is, or what they would like of the companion.
_COURTESY = re.compile(
    r"\b(?:anything else|how are you|how was your|how has your day|on your mind|would you like|do you want|shall i|should i|may i|can i"
    r"|does that help|does that make sense|want me to|like to do next|what now|who can you"
    r"|något (?:mer|annat)|hur mår du|hur är det|hur var din|hur har din dag|vad tänker du på|vill du|ska jag|får jag|kan jag"
    r"|hjälper det|blev det klarare|göra härnäst|vem kan du)\b",
    re.IGNORECASE,
)
#: A task, or a word to the person about their own work.
_TO_THE_PERSON = re.compile(
    r"\b(?:you|your|yours|let us|let's|try|think|look|draw|imagine|write|read|mark|begin|start|find|pick"
    r"|du|dig|din|ditt|dina|vi|oss|prova|pröva|tänk|titta|rita|skriv|läs|märk|börja|hitta|välj)\b",
    re.IGNORECASE,
)


def guides(reply: str) -> bool:
    """Tell whether a reply guides by a question rather than answers."""
    sentences = [match.group().strip() for match in _SENTENCE.finditer(reply) if match.group().strip()]
    last = sentences[-1] if sentences else ""
    if not last.endswith("?") or _COURTESY.search(last) or not _OPEN.search(last):
        return False
    told = [
        sentence
        for sentence in sentences
        if not sentence.endswith("?") and not _TO_THE_PERSON.search(sentence)
    ]
    return sum(len(sentence.split()) for sentence in told) <= TELLS_AT_MOST


Level = Literal["none", "low", "medium", "high"]

#: So many memories shown do so whatever they are.
SEVERAL = 2


@dataclass(frozen=True, kw_only=True)
class Stood:
    """One memory of a prompt, as the reply came to show it.

    Attributes:
        confidence: how sure the companion is of it, 0 to 1.
        is_history: it tells what the person did, lived through or became, not what they like or feel at present.
    """

    statement: Statement
    confidence: float
    is_history: bool = False
    shows: Shows = Shows.NOT


def judge_level(memories: Sequence[Stood]) -> Level:
    """Return how personal a reply is: none shown, only faintly, one, or several or one sure piece of the person's history."""
    clear = [memory for memory in memories if memory.shows is Shows.CLEARLY]
    if len(clear) >= SEVERAL or any(memory.is_history and memory.confidence >= SURE for memory in clear):
        return "high"
    if clear:
        return "medium"
    return "low" if any(memory.shows is Shows.FAINTLY for memory in memories) else "none"


def judge_confidence(memories: Sequence[Stood]) -> float | None:
    """Return how sure a reply is of what it drew on: as its least sure memory; None where it drew on none.

    Where none shows clearly, those that show faintly count.
    """
    for wanted in (Shows.CLEARLY, Shows.FAINTLY):
        found = [memory.confidence for memory in memories if memory.shows is wanted]
        if found:
            return min(found)
    return None


def note_measures(row: Message, text: str, *, is_danger: bool, now: datetime) -> None:
    """Note on a reply's row, unsaved, what it stood on; inside the space's scope, unlocked.

    A memory that is gone by now is shown by nothing. A fault in measuring costs the reply its figures and nothing else.

    Args:
        text: the reply's words.
        is_danger: whether the message is about danger to somebody.
    """
    row.reply_type = Message.ReplyType.ESCALATION if is_danger else Message.ReplyType.CHAT
    row.personalisation, row.confidence = Message.Personalisation.NONE, None
    try:
        known = read_known(row.space_id, [UUID(entry["id"]) for entry in row.recalled], now=now)
        stood = measure(
            text,
            known,
            asked=(row.parent.text if row.parent is not None else None) or "",
            only_quotes=row.provider == OfflineCompanion.name,
        )
        if not is_danger and guides(text):
            row.reply_type = Message.ReplyType.SOCRATIC
    except DatabaseError:  # the transaction is lost with it
        raise
    except Exception:  # the reply stands, whatever becomes of what is said about it
        logger.exception("reply.not_measured", space=str(row.space_id))
        return
    row.personalisation = judge_level([*stood.values()])
    row.confidence = judge_confidence([*stood.values()])
    row.recalled = [
        {**entry, "drawn": str(stood[entry["id"]].shows if entry["id"] in stood else Shows.NOT)}
        for entry in row.recalled
    ]


def forget_measures(row: Message) -> list[str]:
    """Take off a reply's row, unsaved, what an earlier try stood on; return the columns."""
    row.recalled, row.reply_type, row.personalisation = [], "", ""
    row.confidence, row.memory_tokens = None, None
    return ["recalled", "reply_type", "personalisation", "confidence", "memory_tokens"]


def measure(text: str, known: Mapping[str, Stood], *, asked: str, only_quotes: bool) -> dict[str, Stood]:
    """Return the memories of a prompt, by id, with how clearly a reply shows each.

    Args:
        asked: the message that it answers.
        only_quotes: it was made without a model, so what it does not quote it does not show.
    """
    find = find_quoted if only_quotes else find_shown
    shown = find(text, [memory.statement for memory in known.values()], asked=asked)
    return {
        key: replace(memory, shows=shows) for (key, memory), shows in zip(known.items(), shown, strict=True)
    }


def read_known(space: UUID, ids: Sequence[UUID], *, now: datetime) -> dict[str, Stood]:
    """Return the memories, or a company's facts, by id; inside the space's scope, unlocked."""
    if not ids:
        return {}
    nodes = MemoryNode.objects.for_space(space).filter(pk__in=ids, content__isnull=False)
    facts = CompanyFact.objects.for_space(space).filter(pk__in=ids)
    return {str(node.pk): _of_node(node) for node in nodes} | {
        str(fact.pk): _of_fact(fact, now) for fact in facts
    }


def _of_node(node: MemoryNode) -> Stood:
    observed = node.trust in {MemoryNode.Trust.TEACHER, MemoryNode.Trust.SYSTEM}
    lived = node.modality == MemoryNode.Modality.EPISODIC or bool(node.category)
    return Stood(
        statement=Statement(text=node.content or "", language=as_language(node.language)),
        confidence=node.confidence,
        is_history=observed or lived,
    )


def _of_fact(fact: CompanyFact, now: datetime) -> Stood:
    return Stood(
        statement=Statement(text=fact.content, language=as_language(fact.language)),
        confidence=present_confidence(fact.confidence, fact.confirmed_at, now, fact.category),
        is_history=fact.category == CompanyFact.Category.DECISION,
    )
