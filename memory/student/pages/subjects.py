"""What a memory's facts are about: people, animals, places, and things one learns or does.

Read from the facts' own words: names, what somebody is to the person ("my brother Noah"), animals of one's own, towns, and the
subjects, sports and instruments of the lexicon. A fact that says none of these belongs to what an edge of the graph joins
it with. Where people, animals and places become rows of their own, `find_subjects` is the one place to read them in.
"""

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, MutableMapping, Sequence
from dataclasses import dataclass
from functools import cache
from uuid import UUID

from django.db.models import TextChoices
from django.utils.translation import gettext_lazy as _

from companion_site.language import Language, find_names, word_information
from memory.algorithms.values.lexicon import read_table
from memory.algorithms.values.places import reads_as_region, reads_as_town
from memory.algorithms.values.words import gloss, is_known, kinds
from memory.models import MemoryEdge
from memory.reading.words import table


class Kind(TextChoices):
    """What a subject is, in the order in which they are shown."""

    PERSON = "person", _("People")
    ANIMAL = "animal", _("Animals")
    PLACE = "place", _("Places")
    TOPIC = "topic", _("School and hobbies")


@dataclass(frozen=True, kw_only=True)
class Subject:
    """Somebody or something that facts are about.

    Attributes:
        name: as the person says it: a name, or "brother" where there is none.
        relation: what somebody with a name is to the person, in their words; "" where they did not say.
    """

    kind: Kind
    name: str
    relation: str = ""

    @property
    def key(self) -> str:
        """What an address names it by."""
        return f"{self.kind}:{self.name.casefold()}"


@dataclass(frozen=True, kw_only=True)
class Fact:
    """The words of one memory."""

    id: UUID
    text: str
    language: str


@dataclass(frozen=True, slots=True)
class Mention:
    """A name or a word of a text that may be a subject.

    Attributes:
        kind: None for a name of which the text does not say what it is.
        relation: the idea of what somebody is ("mother"), the same in both languages.
        said: the word that said so.
    """

    kind: Kind | None
    name: str = ""
    relation: str = ""
    said: str = ""


Edge = tuple[UUID, UUID, str, float]
#: edges that join what is about the same, from this weight on; where something is, only places follow
JOINING = frozenset(
    {str(MemoryEdge.Type.INVOLVES), str(MemoryEdge.Type.ABOUT), str(MemoryEdge.Type.LOCATED_AT)}
)
FIRM = 0.6
#: What is longer is a text, whose beginning says what it is about.
LONGEST_READ = 600
#: One has several of these, so that "my teacher" is not the one whose name is known.
SEVERAL = frozenset(
    {"friend", "teacher", "cousin", "neighbour", "idol", "pet", "classmate", "colleague", "coach"}
)
_KINDS = {
    "person": Kind.PERSON, "pet": Kind.ANIMAL, "place": Kind.PLACE,
    "course": Kind.TOPIC, "topic": Kind.TOPIC, "sport": Kind.TOPIC, "instrument": Kind.TOPIC,
}  # fmt: skip
_WORD = re.compile(r"[^\W\d_][\w-]*(?:['\u2019]\w+)?")
_OWN = frozenset(["my", "our", "min", "mitt", "mina", "vår", "vårt", "våra"])
_ONE = frozenset(["a", "an", "his", "her", "their", "en", "ett", "hans", "hennes", "deras"])
#: who needs no "my": there is one of each, and they are called so
_CALLED_SO = frozenset(
    {"mother", "father", "grandmother", "grandfather", "mormor", "farmor", "morfar", "farfar"}
)
_CALLED = frozenset(
    ["is", "was", "are", "called", "named", "name", "who", "that", "heter", "är", "var", "kallas", "som"]
)
_SAYS_WHO = frozenset(
    [
        "with",
        "asked",
        "ask",
        "told",
        "tell",
        "met",
        "meet",
        "med",
        "frågade",
        "fråga",
        "träffade",
        "träffar",
        "träffa",
        "hos",
        "bredvid",
    ]
)
_DOES = frozenset(
    [
        "has",
        "says",
        "said",
        "told",
        "likes",
        "lives",
        "helps",
        "thinks",
        "plays",
        "teaches",
        "har",
        "säger",
        "sa",
        "sade",
        "gillar",
        "bor",
        "hjälper",
        "tycker",
        "spelar",
    ]
)
_WHERE = frozenset(["in", "from", "to", "near", "at", "i", "från", "till", "nära", "på"])
_ARTICLES = frozenset({"the"})
#: "I run a shop": no sport
_DOING = frozenset(["run", "runs", "ran"])
#: A word that begins a sentence is a name by what it does only where it is so rare, in bits.
RARE_BITS = 14.0
#: What a word for something learnt may end in: "programme" and "dan" are none.
_ENDINGS = ("", "s", "n", "en", "t", "et")
_MOVES = re.compile(
    r"\b(?:live|lives|lived|living|moved?|moving|born|travel\w*|visit\w*|trip|holiday|went|go(?:es|ing)?|come|comes|stud(?:y|ies|ied)"
    r"|bor|bodde|bo|flytt\w+|född|res\w+|åk\w+|besök\w+|semester|kommer från|plugga\w*)\b",
    re.IGNORECASE,
)


@cache
def _labels() -> dict[str, dict[str, str]]:
    """Return for each idea of the lexicon its word in each language."""
    return {
        idea: {"en": (english or swedish)[0], "sv": (swedish or english)[0]}
        for idea, _kind, english, swedish in read_table()
    }


@cache
def _topic_words() -> frozenset[str]:
    rows = ((kind, (*english, *swedish)) for _idea, kind, english, swedish in read_table())
    return frozenset(word for kind, words in rows if _KINDS.get(kind) == Kind.TOPIC for word in words)


def find_subjects(
    facts: Sequence[Fact],
    edges: Iterable[Edge] = (),
    *,
    read: MutableMapping[UUID, list[Mention]] | None = None,
) -> dict[UUID, list[Subject]]:
    """Return what each fact is about, in the order in which its words say so; nothing for a fact about nothing known.

    Args:
        edges: source, target, type and weight, as between all memories of the space.
        read: what was read of facts before, since words never change; it is added to.
    """
    read = {} if read is None else read
    for fact in facts:
        if fact.id not in read:
            read[fact.id] = read_mentions(fact.text, fact.language)
    mentions = {fact.id: read[fact.id] for fact in facts}
    known = _Known(mention for found in mentions.values() for mention in found)
    subjects = {fact: known.subjects_of(found) for fact, found in mentions.items()}
    for source, target, kind, weight in edges:
        if kind in JOINING and weight >= FIRM and source in subjects and target in subjects:
            for one, other in ((source, target), (target, source)):
                if not mentions[one] and not subjects[one]:
                    places_only = kind == MemoryEdge.Type.LOCATED_AT
                    subjects[one] = [
                        subject
                        for subject in subjects[other][:1]
                        if not places_only or subject.kind == Kind.PLACE
                    ]
    return {fact: found for fact, found in subjects.items() if found}


def read_mentions(text: str, language: str) -> list[Mention]:
    """Return the names and words of a text that may be what it is about, in order."""
    return list(_Text(text[:LONGEST_READ], language).mentions())


class _Text:
    """A text's words, which of them are names, and what the others mean."""

    def __init__(self, text: str, language: str) -> None:
        self.text = text
        self.language: Language = "sv" if language == "sv" else "en"
        self.words = [match.group() for match in _WORD.finditer(text)]
        self.plain = [word.casefold().replace("\u2019", "'") for word in self.words]
        self.names = self._find_names()
        self.moves = _MOVES.search(text) is not None

    def mentions(self) -> Iterator[Mention]:
        place = 0
        while place < len(self.words):
            length = self.names.get(place, 0)
            mention = self._of_name(place, length) if length else self._of_word(place)
            if mention is not None:
                yield mention
                place += 0 if length else self._name_after(place)
            place += max(length, 1)

    def _find_names(self) -> dict[int, int]:
        """Return where names begin, and of how many words each is."""
        found: dict[int, int] = {}
        for name in find_names(self.text):
            parts = [part.casefold() for part in _WORD.findall(name)]
            for place in range(len(self.plain) - len(parts) + 1):
                there = [word.removesuffix("'s") for word in self.plain[place : place + len(parts)]]
                if parts and there == parts and self.words[place][0].isupper():
                    found[place] = len(parts)
        # A sentence begins with a capital anyway: who does something there is named, or who is named elsewhere.
        if self.words and self.words[0][0].isupper() and not self._is_ordinary(self.plain[0]):
            found.setdefault(0, 1)
        # What is written in capitals is a mark or a file, nobody.
        return {
            place: length for place, length in found.items() if any(map(str.islower, self.words[place][1:]))
        }

    @staticmethod
    def _is_ordinary(word: str) -> bool:
        return word in table("asking") or any(is_known(word, language) for language in ("en", "sv"))

    def _does(self, place: int) -> bool:
        return place < len(self.plain) and self.plain[place] in _DOES

    def _meaning(self, place: int) -> tuple[str, Kind] | None:
        """Return the idea of a word and what it is, where it may be a subject."""
        word = self.plain[place].removesuffix("'s")
        for idea in reversed(gloss(word, self.language)):
            kind = _KINDS.get(kinds().get(idea, ""))
            if kind is not None:
                return idea, kind
        return None

    def _of_word(self, place: int) -> Mention | None:
        meaning = self._meaning(place)
        if meaning is None:
            return None
        idea, kind = meaning
        said = self.plain[place].removesuffix("'s")
        before = self.plain[max(place - 2, 0) : place]
        name = self._tied_name(place) if kind in (Kind.PERSON, Kind.ANIMAL) else ""
        is_own = bool(_OWN & set(before))
        if kind == Kind.TOPIC:
            return self._of_topic(place, idea)
        if kind == Kind.PERSON and not (is_own or name or idea in _CALLED_SO):
            return None
        if kind == Kind.ANIMAL and not (is_own or name or (_ONE | _ARTICLES) & set(before)):
            return None
        return Mention(
            kind, name=name or (self.words[place] if kind == Kind.PLACE else ""), relation=idea, said=said
        )

    def _of_topic(self, place: int, idea: str) -> Mention | None:
        """Return what is learnt or done; neither the "maths" of a teacher nor "a history" is."""
        following = self._meaning(place + 1) if place + 1 < len(self.words) else None
        word, plain = self.words[place], self.plain[place]
        if (following and following[1] == Kind.PERSON) or (place and self.plain[place - 1] in _ONE):
            return None
        if plain in _DOING or (len(word) <= 2 and not word.isupper()):
            return None
        is_whole = len(gloss(plain, self.language)) == 1
        if is_whole and not any(plain.removesuffix(ending) in _topic_words() for ending in _ENDINGS):
            return None
        return Mention(Kind.TOPIC, relation=idea, said=word if is_whole else _labels()[idea][self.language])

    def _tied_name(self, place: int) -> str:
        """Return the name that a word for somebody has beside it: "brother Noah", "a dog called Bosse", "Karin is my teacher"."""
        at = self._place_of_name_after(place)
        if at is not None:
            return self._name(at)
        for begin, length in self.names.items():
            between = self.plain[begin + length : place]
            if begin < place and len(between) <= 4 and between and between[0] in _CALLED:
                owned = _OWN | _ONE if len(between) > 1 else frozenset()
                if owned & set(between):
                    return self._name(begin)
        return ""

    def _place_of_name_after(self, place: int) -> int | None:
        for at in range(place + 1, min(place + 4, len(self.words))):
            if at in self.names:
                return at
            if self.plain[at] not in _CALLED:
                return None
        return None

    def _name_after(self, place: int) -> int:
        """Return how many words further the name ends that belongs to a word for somebody; 0 where there is none."""
        meaning = self._meaning(place)
        at = self._place_of_name_after(place)
        if at is None or meaning is None or meaning[1] not in (Kind.PERSON, Kind.ANIMAL):
            return 0
        return at + self.names[at] - place - 1

    def _name(self, place: int) -> str:
        words = self.words[place : place + self.names[place]]
        return re.sub(r"['\u2019]s$", "", " ".join(words))

    def _of_name(self, place: int, length: int) -> Mention | None:
        name = self._name(place)
        meaning = self._meaning(place) if length == 1 else None
        if meaning is not None and meaning[1] != Kind.ANIMAL:
            idea, kind = meaning
            if kind == Kind.TOPIC:
                return self._of_topic(place, idea)
            return Mention(kind, name=name if kind == Kind.PLACE else "", relation=idea, said=name)
        if any(kinds().get(idea) == "event" for idea in gloss(name.casefold(), self.language)):
            return None
        if reads_as_town(name.casefold()) or reads_as_region(name.casefold()):
            return Mention(Kind.PLACE, name=name)
        before = [word for word in self.plain[max(place - 2, 0) : place] if word not in _ARTICLES][-1:]
        if (self._does(place + length) and (place or self._is_rare(place))) or (
            before and before[0] in _SAYS_WHO
        ):
            return Mention(Kind.PERSON, name=name)
        if self.moves and before and before[0] in _WHERE:
            return Mention(Kind.PLACE, name=name)
        return Mention(None, name=name)

    def _is_rare(self, place: int) -> bool:
        return float(word_information([self.plain[place]], self.language)[0]) >= RARE_BITS


class _Known:
    """What all facts together say of names: what each is, and what somebody is to the person."""

    def __init__(self, mentions: Iterable[Mention]) -> None:
        self._kinds: dict[str, Counter[Kind]] = defaultdict(Counter)
        self._told: dict[str, Counter[Kind]] = defaultdict(Counter)
        self._relations: dict[str, Counter[str]] = defaultdict(Counter)
        self._named: dict[str, set[str]] = defaultdict(set)
        self._said: dict[str, Counter[str]] = defaultdict(Counter)
        for mention in mentions:
            if mention.relation:
                self._said[mention.relation][mention.said] += 1
            if mention.name and mention.kind is not None:
                # Who is said to be a cat is one, however often other texts sound as if it were a person.
                kinds = self._told if mention.relation else self._kinds
                kinds[mention.name.casefold()][mention.kind] += 1
            if mention.name and mention.relation and mention.kind in (Kind.PERSON, Kind.ANIMAL):
                self._relations[mention.name.casefold()][mention.said] += 1
                self._named[mention.relation].add(mention.name)

    def subjects_of(self, mentions: Sequence[Mention]) -> list[Subject]:
        """Return what a text is about, each once."""
        found = (self._subject(mention) for mention in mentions)
        return list(dict.fromkeys(subject for subject in found if subject is not None))

    def _subject(self, mention: Mention) -> Subject | None:
        name, kind = mention.name, mention.kind
        if not name and kind in (Kind.PERSON, Kind.ANIMAL):
            name = self._only_one(mention.relation)
        if not name:
            return Subject(kind=kind, name=self._word(mention.relation)) if kind else None
        seen = self._told.get(name.casefold()) or self._kinds.get(name.casefold())
        if not seen:
            return None
        kind = seen.most_common(1)[0][0]
        relations = self._relations.get(name.casefold())
        relation = relations.most_common(1)[0][0] if relations and kind != Kind.PLACE else ""
        return Subject(kind=kind, name=name, relation=relation)

    def _only_one(self, relation: str) -> str:
        """Return the name of the only one whom a relation can mean."""
        names = {name.casefold(): name for name in self._named.get(relation, ())}
        return next(iter(names.values())) if len(names) == 1 and relation not in SEVERAL else ""

    def _word(self, relation: str) -> str:
        """Return the word that the person has for somebody or something, with a capital."""
        said = Counter(
            word if word.isupper() else word.casefold() for word in self._said[relation].elements()
        )
        word = said.most_common(1)[0][0]
        return word[:1].upper() + word[1:]
