"""What a question asks for, and of what: by its words, in every language there is a folder for (`languages/*/questions.json`).

A question names the kind of thing that it seeks (a name, a place, a time, a number), and its matter: the words that tell what it is about
from everything else. Where it has neither, it leans on the question before it.
"""

import re
from collections.abc import Mapping, Sequence, Set
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import cache, partial
from typing import Literal, get_args

from companion_site.language import (
    Language,
    as_language,
    detect_language,
    find_names,
    stem_words,
    word_information,
)
from memory.algorithms.dates import COUNTS, MONTHS, PARTS, SEASONS, UNIT_DAYS, WEEKDAYS, any_of, find_ranges
from memory.algorithms.reminders import read_coming
from memory.reading.values import read_values
from memory.reading.words import find_words, load_tables, table, words_of

#: what a question asks for; "past": how something was before, "coming": what lies ahead, "often": how often, "since": from when something is so, "undecided": what is
#: still open, "decided": what was decided on something, "advice": what to do, "goals": what somebody wants to
#: reach, "telling": all that is known of something
Sought = Literal[
    "name",
    "place",
    "time",
    "number",
    "past",
    "coming",
    "often",
    "since",
    "undecided",
    "decided",
    "advice",
    "goals",
    "telling",
]
VALUES: tuple[Sought, ...] = ("name", "place", "time", "number")
#: Of these a sentence has one or not; a name stands in most, and may be that of anything.
PLAINLY_VALUES: tuple[Sought, ...] = ("place", "time", "number")
#: Words that tell a matter from others, in bits; what is commoner stands in any question.
TELLING_BITS = 9.5
#: And words that name a matter: "office" does (11.96), "anything" (11.5) and "together" (11.8) do not.
NAMING_BITS = 11.9
LEAST_OF_COMPOUND = 4
#: "kontor" is no compound of "konto".
LEAST_OF_PART = 3
MOST_CHARS = 600
#: What leans on the question before it is short, and shorter where it says something of its own ("and which school?").
LEANING_WORDS, JOINED_WORDS = 8, 5
_ARTICLES = frozenset({"the", "den", "det", *COUNTS})
_DAYTIMES = ("morning", "afternoon", "evening", "night", "morgon", "kväll", "natt", "time")
_TIME = re.compile(
    rf"(?:{any_of([*MONTHS, *WEEKDAYS, *SEASONS, *UNIT_DAYS, *PARTS, *_DAYTIMES])})(?:s|n|en|et|ar|er|na|arna|erna)?"
)
#: from which a text's "tomorrow" and its question's are told alike
ANY_DAY = datetime(2000, 1, 3, tzinfo=UTC)
#: the words and phrases by which a kind of question is asked, in every language
_spoken = partial(words_of, "questions.json")


def find_sought(question: str) -> frozenset[Sought]:
    """Return what a question asks for, in whatever language its words are; nothing where it asks "what" or "which"."""
    words, asking = find_words(question[:MOST_CHARS]), table("asking")
    # What follows another word that asks is a verb: "vad var".
    pairs = zip(["", *words], words, strict=False)
    alone = {word for last, word in pairs if not {last, word} <= asking}
    said = _said_in(question)
    found = frozenset(
        name
        for name in get_args(Sought)
        if any((f" {words} " in said) if " " in words else words in alone for words in _spoken(name))
    )
    # "Where do we buy it from next week on?" asks for a place, and not for what comes up.
    return found - {"coming"} if "place" in found else found


def find_sought_after(question: str, before: str) -> frozenset[Sought]:
    """Return what a question asks for; where it says nothing of that, what the one asked for that it leans on, but for the same list again."""
    return find_sought(question) or find_sought(before) - {"coming"}


def leans(question: str) -> bool:
    """Tell whether a question is none without the one before it: "and when?", "how old is he?", "and the other one?"."""
    words = find_words(question[:MOST_CHARS])
    asks = "?" in question or bool(words and words[0] in table("joining") | _asking())
    if (
        not asks
        or len(words) > LEANING_WORDS
        or "coming" in find_sought(question)
        or asks_of_oneself(question)
    ):
        return False
    told = Words.of(question)
    if told.is_own and "telling" in find_sought(question):
        return False
    matter = find_matter(told, question)
    if not matter and not told.names:
        return True
    if words[0] in table("joining") and len(words) <= JOINED_WORDS:
        return True
    points = any(word in table("others") or word in _spoken("pointing") for word in words)
    return points and len(matter) <= 1 and not told.names


def asks_of_oneself(question: str) -> bool:
    """Tell whether a question asks who the one is who asks: "what do you know about me?", "describe me"."""
    said = _said_in(question)
    return any(f" {words} " in said for words in _spoken("oneself"))


def has_matter(question: str) -> bool:
    """Tell whether a question says what it is about: "where is that?" does not."""
    return bool(find_matter(Words.of(question), question))


def find_about(question: str, texts: Sequence[str]) -> list[int] | None:
    """Return the places of what holds a telling word of a question, the most telling first; None where it has none beside the words that ask."""
    found = find_matter(Words.of(question), question)
    matter = {stem: bits for stem, bits in found.items() if bits >= NAMING_BITS}
    if not matter:
        return None
    stems = [Words.of(text).stems for text in texts]
    shared = [sum(bits for stem, bits in matter.items() if holds(stem, each)) for each in stems]
    return [place for place in sorted(range(len(texts)), key=lambda place: -shared[place]) if shared[place]]


def asks_for(question: str, names: Sequence[str], *, text: str) -> float:
    """Return what share of what a question says is said by one of these names and the text beside it; 0 where it has none of the names whole.

    Args:
        names: what something goes by, in any language, each with at least one telling word.
    """
    asked = Words.of(question)
    matter = find_matter(asked, question)
    named = {
        stem
        for words in (Words.of(name, asked.language) for name in names)
        if words.stems and all(holds(stem, asked.stems) for stem in words.bits or words.stems)
        for stem in words.stems
    }
    if not matter or not named:
        return 0.0
    said = Words.of(text).stems | named
    told = [stem for stem in matter if holds(stem, said) or any(holds(name, {stem}) for name in named)]
    return sum(matter[stem] for stem in told) / sum(matter.values())


def has_sought(sought: frozenset[Sought], statement: str, question: str) -> bool:
    """Tell whether a statement has, beyond the question, each kind of thing that the question asks for."""
    return Words.of(statement).has_sought(sought, Words.of(question))


def find_same_kind(text: str, others: Sequence[str]) -> int | None:
    """Return the place of the last of other texts that has a name, a time or a number where this one has one; None where none has."""
    kinds = _kinds(text)
    return next((place for place in reversed(range(len(others))) if kinds & _kinds(others[place])), None)


def find_told_anew(texts: Sequence[str], *, asked: str) -> list[list[int]]:
    """Return for each statement the places of those that say of the same with another value, with the same names of those asked for."""
    words, names = [Words.of(text) for text in texts], Words.of(asked).names
    return [[place for place, other in enumerate(words) if say_otherwise(one, other, names)] for one in words]


@dataclass(frozen=True, slots=True)
class Words:
    """A text's telling words by stem with their bits, all its stems, the stems of its names, and the values that it has by their kind.

    Attributes:
        stems: of all its words, and of what calls the same relation in another language: "bror" beside "brother".
        relations: the stems of what calls somebody by what they are to somebody: "grandma", "kompis".
        opens: the stem of the word that it opens with, which has a capital letter whether or not it is a name.
        placed: the stems of what stands behind a word of place, as "hospital" in "at the hospital".
        is_small: it has no capital letter at all, so that nobody can tell which of its words are names.
    """

    bits: dict[str, float]
    stems: frozenset[str]
    relations: frozenset[str]
    names: frozenset[str]
    values: Mapping[Sought, frozenset[object]]
    opens: frozenset[str]
    placed: frozenset[str]
    is_own: bool
    is_small: bool
    asks_who: bool
    language: Language

    @classmethod
    def of(cls, text: str, language: Language = "en") -> "Words":
        """Return the words of a text; `language` is what it is read in where it is too short to tell."""
        language = detect_language(text[:MOST_CHARS], default=language)
        values = _values(text, language)
        text, none = text[:MOST_CHARS], frozenset[str]()
        words = [word.removesuffix("'s") for word in find_words(text)]
        if not words:
            return cls({}, none, none, none, values, none, none, False, False, False, language)
        stems = stem_words(words, language)
        bits = dict(zip(stems, word_information(words, language).tolist(), strict=True))
        telling = {
            stem: min(bits[stem], 20.0)
            for word, stem in zip(words, stems, strict=True)
            if bits[stem] >= TELLING_BITS and word not in _asking()
        }
        names = {part for name in find_names(text) for part in find_words(name)}
        relations = none.union(*(_translations(language).get(word, none) for word in words))
        return cls(
            telling,
            relations.union(stems),
            relations,
            frozenset(stem_words(sorted(names), language)),
            values,
            frozenset(stems[:1]) if words[0] not in table("self") | table("asking") else frozenset(),
            _find_placed(words, stems),
            bool(table("self").intersection(words)),
            text.islower(),
            not _spoken("who").isdisjoint(words),
            language,
        )

    def has_sought(self, sought: frozenset[Sought], asked: "Words") -> bool:
        """Tell whether this has, beyond a question, each kind of thing that is asked for.

        Who somebody is a relation tells as a name does, and where something is what stands behind a word of place.
        """
        opens, whom = self.opens - asked.stems, self.relations if asked.asks_who else frozenset()
        named = {"name": opens | (whom - asked.stems), "place": opens | (self.placed - asked.stems)}
        return all(
            (self.values[kind] | named.get(kind, frozenset())) - asked.values[kind]
            or (self.is_small and asked.is_small and kind in named)
            for kind in VALUES
            if kind in sought
        )


def _find_placed(words: Sequence[str], stems: Sequence[str]) -> frozenset[str]:
    """Return the stems of the words behind a word of place, or behind its article; what tells a time is none."""
    placing, articles, found = _spoken("placing"), table("self") | _ARTICLES, set[str]()
    for at, word in enumerate(words):
        lead = words[:at][-2:]
        leads = lead[:1] if articles.intersection(lead[1:]) else lead[-1:]
        if placing.intersection(leads) and word not in articles and not _TIME.fullmatch(word):
            found.add(stems[at])
    return frozenset(found)


def find_matter(asked: "Words", question: str) -> dict[str, float]:
    """Return the telling stems of a question with their bits, without the words that ask."""
    said = _said_in(question)
    asking = {
        word
        for name in (*get_args(Sought), "oneself")
        for words in _spoken(name)
        if f" {words} " in said
        for word in words.split()
    }
    stems = frozenset(stem_words(sorted(asking), asked.language))
    return {stem: bits for stem, bits in asked.bits.items() if stem not in stems}


def say_otherwise(one: "Words", other: "Words", asked: frozenset[str]) -> bool:
    """Tell whether two texts say of the same with another value: they share most of their telling words, names apart.

    Args:
        asked: names that stand in both or in neither.
    """
    if one.bits == other.bits or asked & (one.stems ^ other.stems):
        return False
    both = {s: bits for s, bits in (one.bits | other.bits).items() if s not in one.names | other.names}
    shared = sum(bits for stem, bits in both.items() if stem in one.bits and stem in other.bits)
    return shared > sum(both.values()) / 2


def holds(stem: str, stems: Set[str]) -> bool:
    """Tell whether a stem is among others, be it within a compound, or with the article that Swedish ends a word in: "innebandyn"."""
    if stem in stems or stem.removesuffix("n") in stems:
        return True
    if len(stem) < LEAST_OF_COMPOUND:
        return False
    return any(
        other.startswith(stem)
        or other.endswith(stem)
        or (LEAST_OF_COMPOUND < len(other) <= len(stem) - LEAST_OF_PART and stem.startswith(other))
        for other in stems
        if len(other) >= LEAST_OF_COMPOUND
    )


def _values(text: str, language: Language) -> dict[Sought, frozenset[object]]:
    read = read_values(text)
    names = frozenset(read.names)
    coming = read_coming(text, language=language, said_at=ANY_DAY)
    # "Tomorrow" and "last week" are a time, whichever day they are.
    days = {coming.on, coming.every, *coming.weekdays, *find_ranges(text, now=ANY_DAY)} - {None}
    when: frozenset[object] = frozenset({*read.when.fields().items(), *days})
    return {
        "name": names,
        "place": names,
        "time": when,
        # Of a code, as "7B" is one, nobody asks how many it is.
        "number": frozenset(one for one in read.quantities if one.dimension != "code"),
    }


def _kinds(text: str) -> frozenset[Sought]:
    kinds: frozenset[Sought] = frozenset(kind for kind, values in Words.of(text).values.items() if values)
    return kinds | {"number"} if read_values(text).quantities else kinds


@cache
def _translations(language: Language) -> dict[str, frozenset[str]]:
    """Return by a word of a language that calls a relation the stems of what calls it first in each: of "bror" those of "bror" and "brother"."""
    languages = load_tables("relations.json")
    found: dict[str, frozenset[str]] = {}
    for idea, words in languages[language].items():
        first = {code: tables[idea][0] for code, tables in languages.items() if idea in tables}
        stems = {stem for code, word in first.items() for stem in stem_words([word], as_language(code))}
        found |= {word: found.get(word, frozenset()) | stems for word in words}
    return found


def _said_in(question: str) -> str:
    """Return the words of a question between single spaces, one at either end: a phrase in it has one at either end, too."""
    return f" {' '.join(find_words(question[:MOST_CHARS]))} "


@cache
def _asking() -> frozenset[str]:
    """Return the words that ask, in every language."""
    kinds = {kind for tables in load_tables("questions.json").values() for kind in tables} - {"placing"}
    return table("asking").union(*map(_spoken, kinds))
