"""Whose the thing is that a sentence speaks of: "my dog" is not the dog that Mira has.

By grammar alone, the little words of a language and the order of a clause, since meaning tells the two apart as little as their
words do. Where the grammar does not say whose something is, nothing is said here either.
"""

import re
from collections.abc import Sequence, Set
from dataclasses import dataclass
from functools import cache, partial
from typing import Literal

from companion_site.language import Language, detect_language, find_names, stem_words, word_information
from memory.reading.words import find_words, load_tables, table, words_of

Owner = Literal["own", "others"]
#: A possessive belongs to a noun at most so many words on: "my best friend".
REACH = 2
MOST_CHARS = 600
#: A word that opens a sentence in small letters may be a name from so many bits on: "callums sister".
RARE_BITS = 14.0
#: An act is told by words of so many bits: by "live", and not by "to".
TELLING_BITS = 8.0
#: Letters of either part of a compound.
LEAST_OF_COMPOUND = 3
_STOP = re.compile(r"[,.;:!?\n]")


#: the words of a kind in every language
_words = partial(words_of, "owners.json")


@cache
def _relations() -> frozenset[str]:
    """Return the words for who somebody is to the speaker, in every language: a cousin, a teacher, a dog."""
    return frozenset(
        word for kinds in load_tables("relations.json").values() for words in kinds.values() for word in words
    )


def find_of_another(question: str, statements: Sequence[str]) -> list[bool]:
    """Tell of each statement whether it speaks of such a thing as the question asks about, and says that it is somebody else's.

    A thing of the asker's own against one of others, one of somebody named against the asker's own, somebody against what is theirs, and
    what the asker does against what others do: "My cousin lives in Oslo" tells nobody where they live.
    """
    # A question too short to tell its language is read in that of the statement.
    asked = cache(partial(_Asked.of, question))
    told = map(_Sentence, statements)
    return [asked(one.language).is_anothers(one) for one in told]


def speaks_of_oneself(text: str, usual: Language = "en") -> bool:
    """Tell whether a text speaks of the one alone who says it: "my salary", and not "our office".

    Args:
        usual: the language of a text too short to tell its own.
    """
    return _Sentence(text, usual).is_of_speaker()


def ask_of_another(question: str, before: str) -> str:
    """Return the question before without whom it was about, where this one asks the same of somebody else: "And my brother?".

    It is unchanged where this question asks for something itself, names nobody, or points to whom that was about: "and her brother?".
    """
    asked = _Sentence(question)
    if not asked.words or asked.words[0] not in table("joining"):
        return before
    says_more = (table("asking") | table("others")).intersection(asked.words)
    if says_more or not any(map(asked.is_somebody, range(len(asked.words)))):
        return before
    was = _Sentence(before)
    found = [word for place, word in enumerate(was.words) if was.is_somebody(place)]
    pattern = "|".join(re.escape(word) for word in sorted(found, key=len, reverse=True))
    return " ".join(re.sub(rf"\b(?:{pattern})(?!\w)", " ", before, flags=re.I).split()) if found else before


@dataclass(frozen=True, slots=True)
class _Asked:
    """A question with what it says to be somebody's, and what it says that the speaker does."""

    sentence: "_Sentence"
    things: Sequence[tuple[str, Owner]]
    acts: frozenset[str]

    @classmethod
    def of(cls, question: str, usual: Language) -> "_Asked":
        sentence = _Sentence(question, usual)
        return cls(sentence, sentence.things(), sentence.acts())

    def is_anothers(self, told: "_Sentence") -> bool:
        asked = self.sentence
        if any(owner in asked.words and owner not in told.words for owner in told.owners()):
            return True
        if told.is_done_by_others(self.acts):
            return True
        is_anothers = False
        for thing, owner in self.things:
            places = [place for place, stem in enumerate(told.stems) if _is_same(thing, stem)]
            owners = {told.owner_at(place, besides=asked.stems) for place in places}
            if owner in owners:
                return False  # the dog of "my dog called" is theirs, whatever stands beside it
            if owners and None not in owners:
                is_anothers |= owner == "own" or not asked.names & {*told.stems, *told.names}
        return is_anothers


class _Sentence:
    """A text's words in order, with their stems, and which of them name somebody."""

    def __init__(self, text: str, usual: Language = "en") -> None:
        text = text[:MOST_CHARS]
        self.language: Language = detect_language(text, default=usual)
        self.words: list[str] = []
        #: where the part between two stops begins that each word stands in
        self.begins: list[int] = []
        for part in _STOP.split(text):
            words = find_words(part)
            self.begins += [len(self.words)] * len(words)
            self.words += words
        self.stems = stem_words(self.words, self.language)
        named = {part.removesuffix("'s") for name in find_names(text) for part in find_words(name)}
        self.names = frozenset({*named, *(name.removesuffix("s") for name in named)}) - table("self")

    def is_of_speaker(self) -> bool:
        """Tell whether the text names the speaker alone."""
        return not self._in_its_language("single").isdisjoint(self.words)

    def things(self) -> list[tuple[str, Owner]]:
        """Return the stems of what the text says to be somebody's, and whether the speaker's; the last word of "my best friend" first."""
        found: list[tuple[str, Owner]] = []
        for place, word in enumerate(self.words[:-1]):
            owner: Owner | None = "own" if word in _words("own") else None
            if self._is_genitive(place) and self._is_name(word):
                owner = "others"
            if owner is not None:
                found += [(self.stems[at], owner) for at in reversed(self._belonging_to(place))]
        return found

    def acts(self) -> frozenset[str]:
        """Return the stems of what the text says that the speaker does: "live" of "where do I live", "bor" of "var bor jag"."""
        if table("telling").intersection(self.words):
            return frozenset()  # of "what did I say about the kitchen" nobody need be the speaker
        bits, found = word_information(self.words, self.language), set[str]()
        for place in (at for at, word in enumerate(self.words) if word in self._in_its_language("subject")):
            beside = (place - 1, *range(place + 1, min(place + 1 + REACH, len(self.words))))
            verb = next(
                (at for at in beside if at >= 0 and bits[at] >= TELLING_BITS and self._may_act(at)), None
            )
            found |= set() if verb is None else {self.stems[verb]}
        return frozenset(found)

    def _may_act(self, place: int) -> bool:
        word = self.words[place]
        little = _words("closing") | _words("having") | table("asking") | table("self")
        return word not in little and not self._is_name(word)

    def is_done_by_others(self, acts: Set[str]) -> bool:
        """Tell whether somebody else does one of some acts wherever the text tells of it, and not to the speaker or with them."""
        if not acts or self._in_its_language("object").intersection(self.words):
            return False
        return {self._subject_of(place) for place, stem in enumerate(self.stems) if stem in acts} == {
            "others"
        }

    def _subject_of(self, place: int) -> Owner | None:
        """Return who does what a word says: who is named last before it in its clause; where nobody is, next after it ("i dag jobbar Mira")."""
        begin = self._clause_of(place)
        places = [*range(place - 1, begin - 1, -1), *range(place + 1, len(self.words))[: place > begin]]
        return next((person for person in map(self._person_at, places) if person is not None), None)

    def _person_at(self, place: int) -> Owner | None:
        """Return whether a word names the speaker or somebody else; None where it names nobody."""
        word = self.words[place]
        if word in table("self") - _words("own"):
            return "own"
        if word in table("others") - _words("others") or word in _relations() or self._is_name(word):
            return "others"
        return None

    def is_somebody(self, place: int) -> bool:
        """Tell whether a word says who is spoken of: the speaker, somebody by name or by what they are to them, or "his"."""
        is_little = self.words[place] in table("self") | table("others")
        return is_little or self._person_at(place) is not None

    def _clause_of(self, place: int) -> int:
        """Return where the clause begins that a word stands in."""
        begin = self.begins[place]
        return max(
            (at + 1 for at in range(begin, place) if self.words[at] in table("joining")), default=begin
        )

    def _in_its_language(self, kind: str) -> frozenset[str]:
        """Return the words of a kind in the text's language: "i" is the speaker in English alone."""
        return frozenset(load_tables("owners.json").get(self.language, {}).get(kind, ()))

    def owners(self) -> list[str]:
        """Return the words for those who own something, without their ending: Callum of "Callum's sister"."""
        return [
            word.removesuffix("'s").removesuffix("s")
            for place, word in enumerate(self.words)
            if self._is_genitive(place)
        ]

    def _belonging_to(self, place: int) -> list[int]:
        """Return the places of what belongs to whom a word names; of "my dad's car" the dad alone is mine."""
        following = range(place + 1, min(place + 1 + REACH, len(self.words)))
        ends = next((at for at in following if "'" in self.words[at] or self._is_name(self.words[at])), None)
        return [at for at in following if ends is None or at <= ends]

    def owner_at(self, place: int, *, besides: Sequence[str] = ()) -> Owner | None:
        """Return whose the thing at a place is; None where nothing says so.

        Args:
            besides: stems that own nothing: "maths" in "maths teacher", where that is asked for.
        """
        for back in range(place - 1, max(place - 1 - REACH, -1), -1):
            word = self.words[back]
            if word in _words("own"):
                return "own"
            if word in _words("others") or (self._is_genitive(back) and self.stems[back] not in besides):
                return "others"
        return self._owner_by_subject(place)

    def _owner_by_subject(self, place: int) -> Owner | None:
        """Return who has the thing as the subject of its clause: "I have a dog", "Mira has a dog", "my friend has a dog"."""
        start = self._clause_of(place)
        if start >= place:
            return None
        first = self.words[start]
        if first in table("self") - _words("own"):
            return "own"
        is_subject = self.words[start + 1] in _words("having") and first not in table("asking")
        if first in _words("own") or first in table("others") or self._is_name(first) or is_subject:
            return "others"
        return None

    def _is_name(self, word: str) -> bool:
        return word in self.names or word.removesuffix("'s").removesuffix("s") in self.names

    def _is_genitive(self, place: int) -> bool:
        word = self.words[place]
        if word in table("self") or not any(map(word.endswith, self._in_its_language("genitive"))):
            return False
        opens = place == 0 and float(word_information(self.words, self.language)[0]) >= RARE_BITS
        return "'" in word or self._is_name(word) or opens


def _is_same(thing: str, stem: str) -> bool:
    """Tell whether a word is the thing, by itself or as the end of a compound: a boat of "narrowboat"."""
    return thing == stem or (
        len(thing) >= LEAST_OF_COMPOUND
        and len(stem) >= len(thing) + LEAST_OF_COMPOUND
        and stem.endswith(thing)
    )
