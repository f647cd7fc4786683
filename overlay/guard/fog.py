"""What is hidden from one student: the names of a world, searched once for all, less what they know."""

from collections.abc import Iterable
from dataclasses import dataclass, field, replace

from companion_site.language import Language
from companion_site.phrases import Found, Phrase, PhraseMatcher
from companion_site.phrases.folding import BARRIER, fold

#: What stands in the place of a name.
VEILS: dict[Language, str] = {"en": "something you have not met yet", "sv": "något du inte har mött än"}


@dataclass(frozen=True, slots=True)
class WorldNames:
    """The names of all concepts of a world, ready to be found; made once for a version of the world.

    Attributes:
        matcher: finds them, disguised too; keyed by concept.
        keys: all concepts.
        clashing: by language, the concepts with a name that the usual veil would say, or make with a word beside it.
    """

    matcher: PhraseMatcher
    keys: frozenset[str]
    clashing: dict[Language, frozenset[str]]

    @classmethod
    def build(cls, names: Iterable[Phrase]) -> "WorldNames":
        """Prepare names and aliases, each a phrase with its concept's id as the key."""
        phrases = list(names)
        matcher = PhraseMatcher(phrases, strict=True)
        clashing = {language: _find_clashing(veil, phrases, matcher) for language, veil in VEILS.items()}
        return cls(matcher, frozenset(phrase.key for phrase in phrases), clashing)


def _find_clashing(veil: str, phrases: list[Phrase], matcher: PhraseMatcher) -> frozenset[str]:
    words = [fold(word) for word in veil.split()]
    heads = tuple("".join(words[:end]) for end in range(1, len(words) + 1))
    tails = tuple("".join(words[start:]) for start in range(len(words)))
    said = {found.key for found in matcher.find(veil)}
    for phrase in phrases:
        name = fold(phrase.text)
        if name.startswith(tails) or name.endswith(heads):
            said.add(phrase.key)
    return frozenset(said)


@dataclass(frozen=True, slots=True)
class Fog:
    """What one student has not met of a world. Cheap to make and to derive from: it holds keys, not names.

    Attributes:
        names: the world's.
        known: the concepts the student has met.
    """

    names: WorldNames
    known: frozenset[str] = field(default=frozenset())

    def allowing(self, keys: Iterable[str]) -> "Fog":
        """Return the fog with more concepts known, for instance those the person has just named."""
        return replace(self, known=self.known | frozenset(keys))

    @property
    def hides_nothing(self) -> bool:
        """Whether the student has met all there is."""
        return self.names.keys <= self.known

    def is_hidden(self, found: Found) -> bool:
        return found.key not in self.known

    def veil(self, language: Language) -> str:
        """Return what is said in the place of a hidden name; it names nothing hidden itself."""
        clashing = self.names.clashing[language]
        return VEILS[language] if clashing <= self.known else BARRIER
