"""Placeholders out, values in: in a reply that streams, and in an answer of JSON."""

import json
import re
from collections.abc import Callable, Mapping

from companion_site.llm.scrubbing.placeholders import BEGUN, IN_JSON, IN_TEXT, LONGEST, Key, read_placeholder


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
