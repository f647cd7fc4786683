"""Values out and placeholders in, in a request; placeholders out and values in, in a reply that streams and in an answer of JSON."""

import json
import re
from collections.abc import Callable, Collection, Iterable, Mapping
from itertools import count

from companion_site.llm.scrubbing.detector import Place, find_places
from companion_site.llm.scrubbing.policy import Kind

#: Told to a model whose request has placeholders in it. It names none, which could be mistaken for one of them.
RULE = (
    "Some personal details are replaced by placeholders in square brackets: a kind, a hyphen, a number. "
    "Where you need one, write its placeholder exactly as it stands; never guess what it stands for."
)
#: Longer is no placeholder, however it is written.
LONGEST = 40
_LABELS = "|".join(kind.label.replace("-", "[ _-]?") for kind in Kind).replace("EMAIL", "E-?MAIL")
_FORM = (
    rf"\[\s?(?P<label>{_LABELS})\s?[-\u2010-\u2013_:#]?\s?(?P<number>\d{{1,5}})(?:\.(?P<way>\d{{1,5}}))?\s?"
)
#: Markdown lets brackets be escaped, so models do: both, or neither.
IN_TEXT = re.compile(rf"(?P<escaped>\\)?{_FORM}(?(escaped)\\)\]", re.IGNORECASE)
IN_JSON = re.compile(rf"{_FORM}\]", re.IGNORECASE)
#: What may become one when more comes.
BEGUN = re.compile(r"\[[\w\s\\.:#\u2010-\u2013-]*")

#: A kind, the number of a value, and which way of writing that value it is, from 1.
Key = tuple[Kind, int, int]
_KIND_OF = {kind.label.replace("-", ""): kind for kind in Kind}


def write_placeholder(key: Key) -> str:
    """Return `[EMAIL-1]`, or `[EMAIL-1.2]` for the second way in which that address is written."""
    kind, number, way = key
    return f"[{kind.label}-{number}]" if way == 1 else f"[{kind.label}-{number}.{way}]"


def read_placeholder(match: re.Match[str]) -> Key:
    """Return which placeholder a match of `IN_TEXT` or `IN_JSON` is."""
    label = re.sub(r"[ _-]", "", match["label"]).upper()
    return _KIND_OF[label], int(match["number"]), int(match["way"] or 1)


def restore_text(text: str, originals: Mapping[Key, str]) -> str:
    """Return `text` with the values; a placeholder that stands for nothing stays as it is."""
    return _restore(IN_TEXT, text, originals, write=str)


def restore_json(text: str, originals: Mapping[Key, str]) -> str:
    """Return JSON with the values within its strings, escaped as these need."""
    return _restore(IN_JSON, text, originals, write=lambda value: json.dumps(value, ensure_ascii=False)[1:-1])


def _restore(
    form: re.Pattern[str], text: str, originals: Mapping[Key, str], *, write: Callable[[str], str]
) -> str:
    def value_of(match: re.Match[str]) -> str:
        value = originals.get(read_placeholder(match))
        return match[0] if value is None else write(value)

    return form.sub(value_of, text) if originals else text


class StreamRestorer:
    """Restores a reply piece by piece. What may be the beginning of a placeholder waits for its end."""

    def __init__(self, originals: Mapping[Key, str]) -> None:
        self._originals = originals
        self._waiting = ""

    def feed(self, piece: str) -> str:
        """Take a piece and return what can be let go, which may be nothing."""
        if not self._originals:
            return piece
        text = self._waiting + piece
        start = _begun_at(text)
        self._waiting = text[start:]
        return restore_text(text[:start], self._originals)

    def finish(self) -> str:
        """Return what was still waiting."""
        rest, self._waiting = self._waiting, ""
        return restore_text(rest, self._originals)


def _begun_at(text: str) -> int:
    """Return where a placeholder may have begun that is not yet whole, or the length of `text`."""
    start = text.rfind("[", max(0, len(text) - LONGEST))
    if start >= 0 and "]" not in text[start:] and BEGUN.fullmatch(text, start):
        return start - 1 if text[start - 1 : start] == "\\" else start
    return len(text) - text.endswith("\\")


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
        self._typed = {read_placeholder(match)[:2] for text in texts for match in IN_TEXT.finditer(text)}
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
            free = (number for number in self._free[place.kind] if (place.kind, number) not in self._typed)
            number = next(iter(ways.values()))[1] if ways else next(free)
            ways[written] = (place.kind, number, len(ways) + 1)
            self.originals[ways[written]] = written
        return ways[written]
