"""What a person's messages say beside one another: a correction leaves the last value only, and what is another's text is none of theirs.

Neighbouring messages are read together: "The rent is 150 000 a year" and then "no wait, 120 000" is one statement with one value. What
stands to be translated or was written by somebody else, and what is said while something is played, is left out. Nothing is
guessed: a correction that names no value of the kind that was said before stays as it is.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import timedelta
from itertools import pairwise

from companion_site.language import Language, as_language, hide_foreign
from memory.algorithms.dates import MONTHS, any_of
from memory.algorithms.quantities import NUMBER_WORDS, WEEKDAYS
from memory.company.extraction.dialogue import Dialogue, Line
from memory.company.retrieval.relevance import TELLING_BITS, shared_bits
from memory.reading.splitter import whole_sentences
from memory.reading.words import find_words, table

#: A correction follows within so long, and so many sentences are looked back; what is played ends by itself after so many messages.
SOON, MOST_BACK, MOST_PLAYED = timedelta(minutes=10), 3, 8
#: Of one message so many corrections, and sentences in which they are looked for.
MOST_CORRECTIONS, MOST_SENTENCES = 6, 60
#: What is longer than any fact may be puts nothing right, and nothing puts it right.
LONGEST_CHARS = 300
#: Words of a correction that is nothing but the value, with what leads up to it.
FRAGMENT_WORDS = 5
_OPENING = r"(?:oh|ah|oops|sorry|no|nope|well|or|nej|nä|oj|hoppsan|förlåt|ursäkta|eller)"
_STOP = r"[\s,.:;…–—-]"  # noqa: RUF001  people type all of them
#: Who says so surely puts something right.
_SURELY = re.compile(
    rf"\W{{0,4}}(?:{_OPENING}{_STOP}{{1,4}}){{0,3}}(?:(?:no|nej|nä|oh|oj|eller)\W{{1,4}}(?:wait|vänta)\b|(?:wait|vänta)(?=\s{{0,2}}[,.…:–-])|hang on\b"  # noqa: RUF001
    r"|(?:scratch|strike) that\b|correction\b|i meant?\b|make (?:that|it)\b|(?:wrong|fel)(?=\s{0,2}[,.:–-])|fel av mig\b|typo\b"  # noqa: RUF001
    rf"|jag (?:menar|menade|skrev fel|sa fel)\b|menade\b|rättelse\b|stryk det\b|det blev fel\b){_STOP}{{0,4}}",
    re.IGNORECASE,
)
#: Who says so does where a bare value follows.
_PERHAPS = re.compile(
    rf"\W{{0,4}}(?:no|nej|nä|sorry|förlåt|oops|oj|actually|rather|snarare|faktiskt)\b(?:{_STOP}{{1,4}}{_OPENING}\b){{0,3}}{_STOP}{{1,4}}",
    re.IGNORECASE,
)
_OPENS = re.compile(rf"\W{{0,4}}(?:{_OPENING}\b\W{{0,4}}){{0,4}}", re.IGNORECASE)
_PERCENT = re.compile(r"%|pro?cent", re.IGNORECASE)
#: Where a sentence may put right what it says itself.
_BREAK = re.compile(r"[,;(–—-]\s{0,2}")  # noqa: RUF001
_TASK = re.compile(
    r"\b(?:translate|rewrite|rephrase|proofread|översätt|översätta|skriv om|formulera om|korrekturläs|korrekturläsa)\b",
    re.IGNORECASE,
)
_FOLLOWS = re.compile(
    r"\b(?:following|below|här kommer|kommer här|here it comes|följande|nedan)\b", re.IGNORECASE
)
_PLAY = re.compile(
    r"\b(?:pretend|role[- ]?play|imagine you(?:'re| are)|låtsas|rollspel|föreställ dig att du)\b",
    re.IGNORECASE,
)
_PLAYED = re.compile(
    r"\b(?:(?:stop|end|enough) (?:of )?(?:the |this )?(?:role[- ]?play|pretending|game)|stop pretending|back to (?:reality|business)"
    r"|slut på (?:leken|rollspelet)|sluta (?:leka|låtsas)|(?:tillbaka|åter) till verkligheten|nu på (?:allvar|riktigt))\b",
    re.IGNORECASE,
)
_WORDS = "|".join(
    sorted((word for word in NUMBER_WORDS if word not in {"one", "en", "ett"}), key=len, reverse=True)
)
_NUMBER = (
    rf"(?<![\w.,])(?:\d{{1,3}}(?:[ \u00a0.,]\d{{3}}){{1,4}}(?!\d)|\d{{1,12}}(?:[.,:]\d{{1,6}})?|(?:{_WORDS})(?!\w))"
    r"(?P<unit>\s?(?:k|tkr|mkr|tusen|thousand|miljoner|million)(?!\w))?(?P<more>\s?(?:%|(?:kr|kronor|sek|procent|percent)(?!\w)))?"
)
_MONTH = any_of(MONTHS)
#: What can take another's place, by its kind; the first kind that a correction has counts.
_KINDS = {
    "date": re.compile(
        rf"(?<!\w)(?:\d{{1,2}}(?:st|nd|rd|th|:e|:a)?\s(?:of\s)?(?:{_MONTH})|(?:{_MONTH})\s\d{{1,2}})(?!\w)",
        re.IGNORECASE,
    ),
    "weekday": re.compile(
        rf"(?<!\w)(?:{'|'.join(sorted(WEEKDAYS, key=len, reverse=True))})(?!\w)", re.IGNORECASE
    ),
    "month": re.compile(rf"(?<!\w)(?:{_MONTH})(?!\w)", re.IGNORECASE),
    "number": re.compile(_NUMBER, re.IGNORECASE),
    "name": re.compile(r"(?<![.!?]\s)(?<!^)(?<!\w)[^\W\d_a-zåäö][\w-]+(?:\s[^\W\d_a-zåäö][\w-]+)*"),
}
_NAME_ALONE = re.compile(
    r"(?:the |it'?s |it is |det är |till |to )?(?P<name>[^\W\d_a-zåäö][\w-]+(?:\s[^\W\d_a-zåäö][\w-]+)*)\W*"
)
_NOT_THE_OTHER = re.compile(r"\b(?:not|inte)\b", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Heard:
    """A person's message, as it is read for facts.

    Attributes:
        text: what it says of their own; a sentence that it puts right stands here with its last value.
        beside: the positions of other messages of which words stand here.
    """

    line: Line
    text: str
    beside: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class _Correction:
    """What a sentence puts right.

    Attributes:
        kind: of the value; value: as it is written; whole: the sentence without its opening, where it stands alone.
        is_sure: that it can be nothing else, an answer least of all.
    """

    kind: str
    value: str
    whole: str = ""
    is_sure: bool = True


def hear(dialogue: Dialogue) -> list[Heard]:
    """Return the person's messages of a part, each beside its neighbours."""
    heard: list[Heard] = []
    asked = {
        after.position
        for before, after in pairwise(dialogue.lines)
        if not before.is_person and before.text.rstrip().endswith("?")
    }
    for line, is_own in _read_frames(dialogue):
        text = _without_material(line.text) if is_own else ""
        heard.append(Heard(line, text))
        _put_right(heard, is_answer=line.position in asked)
    return heard


def _read_frames(dialogue: Dialogue) -> Iterator[tuple[Line, bool]]:
    """Yield the messages that facts may come of, each with whether it is said in earnest and in the person's own name."""
    played, announced, last = 0, False, None
    for line in dialogue.lines:
        if not line.is_person:
            continue
        if last is None or line.said_at - last > SOON:
            played, announced = 0, False
        last = line.said_at
        if played and _PLAYED.search(line.text):
            # This message ends it, and is part of it.
            played = 1
        elif _PLAY.search(line.text):
            played = MOST_PLAYED + 1
        is_own = not played and not announced
        announced = not announced and _announces(line.text)
        played = max(played - 1, 0)
        if line.position > dialogue.after:
            yield line, is_own


def _announces(text: str) -> bool:
    """Tell whether the next message is a text to work on, or what somebody wrote."""
    said = hide_foreign(text).strip()
    ends_open = said.endswith(":")
    if _TASK.search(said):
        return ends_open or (_FOLLOWS.search(said) is not None and ":" not in said)
    return ends_open and bool(table("telling").intersection(find_words(said)))


def _without_material(text: str) -> str:
    """Return a message without the text that it asks to have translated or put in other words."""
    task = _TASK.search(text)
    colon = text.find(":", task.end()) if task else -1
    return text if colon < 0 else text[: colon + 1]


def _put_right(heard: list[Heard], *, is_answer: bool) -> None:
    """Let each sentence of the last message that corrects one before it leave the last value only."""
    for _ in range(MOST_CORRECTIONS):
        last = heard[-1]
        spans = _find_parts(hide_foreign(last.text))
        for number, span in enumerate(spans):
            found = _read_correction(last.text[slice(*span)])
            if found is not None and _mend(heard, spans[:number], span, found, is_answer=is_answer):
                break
        else:
            return


def _find_parts(prose: str) -> list[tuple[int, int]]:
    """Return the sentences of a message; one that puts itself right is two."""
    parts = []
    for sentence in whole_sentences(prose)[:MOST_SENTENCES]:
        start, end = sentence.start, sentence.end
        for found in _BREAK.finditer(prose, start, end):
            opens = _OPENS.fullmatch(prose, start, found.start()) is not None
            if not opens and _SURELY.match(prose, found.end(), end):
                parts.append((start, found.start()))
                start = found.end()
        parts.append((start, end))
    return parts


def _mend(
    heard: list[Heard],
    before: Sequence[tuple[int, int]],
    span: tuple[int, int],
    found: _Correction,
    *,
    is_answer: bool,
) -> bool:
    """Write a correction into the nearest sentence that has a value of its kind; tell whether there is one."""
    last, here = heard[-1], len(heard) - 1
    language = as_language(last.line.language)
    nearest = [(here, part) for part in reversed(before[-MOST_BACK:])]
    for place in range(here - 1, max(here - 3, -1), -1):
        earlier = heard[place]
        if (is_answer and not found.is_sure) or last.line.said_at - earlier.line.said_at > SOON:
            break
        parts = whole_sentences(hide_foreign(earlier.text))[-MOST_BACK:]
        nearest += [(place, (part.start, part.end)) for part in reversed(parts)]
    for place, (start, end) in nearest:
        earlier = heard[place]
        mended = _with_value(earlier.text[start:end], found, language)
        if mended is None:
            continue
        if place == here:
            between = last.text[end : span[0]]
            joint = between if between.strip() else ". "
            heard[here] = replace(last, text=last.text[:start] + mended + joint + last.text[span[1] :])
        else:
            blank = " " * (end - start)
            heard[place] = replace(earlier, text=earlier.text[:start] + blank + earlier.text[end:])
            text = last.text[: span[0]] + mended + last.text[span[1] :]
            beside = dict.fromkeys([*last.beside, earlier.line.position, *earlier.beside])
            heard[here] = replace(last, text=text, beside=tuple(beside))
        return True
    return False


def _read_correction(sentence: str) -> _Correction | None:
    """Return what a sentence puts right; None where it does not."""
    if len(sentence) > LONGEST_CHARS:
        return None
    surely = _SURELY.match(sentence)
    opening = surely or _PERHAPS.match(sentence)
    if opening is None or sentence.rstrip().endswith("?"):
        return None
    rest = sentence[opening.end() :].strip()
    other = _NOT_THE_OTHER.search(rest)
    short = rest[: other.start() if other else None].strip(" .,!")
    is_fragment = len(short.split()) <= FRAGMENT_WORDS
    if not is_fragment and not surely:
        return None
    for kind, pattern in _KINDS.items():
        if kind == "name":
            name = _NAME_ALONE.fullmatch(short) if surely else None
            return _Correction(kind, name["name"]) if name else None
        values = [match.group() for match in pattern.finditer(short)]
        if values:
            return _Correction(kind, values[-1], whole="" if is_fragment else rest, is_sure=bool(surely))
    return None


def _with_value(sentence: str, found: _Correction, language: Language) -> str | None:
    """Return a sentence with a corrected value, or what says the whole anew; None where it has no value of that kind."""
    if len(sentence) > LONGEST_CHARS:
        return None
    values = list(_KINDS[found.kind].finditer(sentence))
    if not values or sentence.rstrip().endswith("?"):
        return None
    if found.whole:
        (bits,) = shared_bits(found.whole, language, [(sentence, language)], compounds=True)
        return found.whole if bits >= TELLING_BITS else None
    last = values[-1]
    end = last.end()
    if found.kind == "number":
        if bool(_PERCENT.search(found.value)) != bool(_PERCENT.search(last.group())) and _has_unit(
            found.value
        ):
            return None
        if not _has_unit(found.value):
            # The unit that was said with the first number holds for the second.
            end -= len(last["unit"] or "") + len(last["more"] or "")
    return sentence[: last.start()] + found.value.strip() + sentence[end:]


def _has_unit(value: str) -> bool:
    match = _KINDS["number"].fullmatch(value)
    return match is not None and bool(match["unit"] or match["more"])
