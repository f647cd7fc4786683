"""Values out, placeholders in: the same value has the same number throughout one request."""

from collections.abc import Collection, Iterable
from itertools import count

from companion_site.llm.scrubbing.detector import find_places
from companion_site.llm.scrubbing.kinds import Kind
from companion_site.llm.scrubbing.placeholders import Key, numbers_typed, write_placeholder
from companion_site.llm.scrubbing.places import Place


class Scrubber:
    """Scrubs the texts of one request. It holds the values, so it lives as long as the call and is never shown.

    The same texts in the same order always get the same placeholders: a second try reads as the first did.

    Attributes:
        originals: what each placeholder stands for, word for word.
    """

    def __init__(self, texts: Iterable[str], *, kinds: Collection[Kind]) -> None:
        """
        Args:
            texts: all that the model will read. A placeholder that someone typed there keeps its number to itself.
            kinds: what to keep back.
        """
        self._kinds = kinds
        self._typed = {typed for text in texts for typed in numbers_typed(text)}
        self._free = {kind: count(1) for kind in Kind}
        self._ways: dict[tuple[Kind, str], dict[str, Key]] = {}
        self.originals: dict[Key, str] = {}

    def __repr__(self) -> str:
        return f"<Scrubber of {len(self.originals)}>"

    def scrub(self, text: str) -> str:
        """Return `text` with a placeholder in the place of each value."""
        pieces, end = [], 0
        for place in find_places(text, self._kinds):
            written = text[place.start : place.end]
            pieces += [text[end : place.start], write_placeholder(self._key_of(place, written))]
            end = place.end
        return "".join([*pieces, text[end:]]) if pieces else text

    def _key_of(self, place: Place, written: str) -> Key:
        """Return the key of a value written so; another way to write it has the same number."""
        ways = self._ways.setdefault((place.kind, place.value), {})
        if written not in ways:
            number = next(iter(ways.values()))[1] if ways else self._next_number(place.kind)
            ways[written] = (place.kind, number, len(ways) + 1)
            self.originals[ways[written]] = written
        return ways[written]

    def _next_number(self, kind: Kind) -> int:
        return next(number for number in self._free[kind] if (kind, number) not in self._typed)
