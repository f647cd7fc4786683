"""The small tables of words beside the embedding, one file a language: what asks, supposes, quotes, plays, denies.

A further language is a folder with `words.json` and labelled lines; whose tables are read is told by the words themselves.
"""

import json
import re
from collections.abc import Iterable
from functools import cache
from pathlib import Path
from typing import Literal, get_args

Table = Literal[
    "asking",
    "supposing",
    "telling",
    "playing",
    "joking",
    "denying",
    "forgetting",
    "ending",
    "self",
    "you",
    "others",
    "joining",
]
TABLES: tuple[Table, ...] = get_args(Table)
FOLDER = Path(__file__).parent / "languages"
_WORD = re.compile(r"[^\W_]+(?:['\u2019][^\W_]+)?")


@cache
def load_tables(file: str) -> dict[str, dict[str, tuple[str, ...]]]:
    """Return language → table → words of one file of the languages' folders."""
    return {
        path.parent.name: {name: tuple(words) for name, words in json.loads(path.read_text("utf-8")).items()}
        for path in sorted(FOLDER.glob(f"*/{file}"))
    }


@cache
def _tables() -> dict[str, dict[Table, frozenset[str]]]:
    """Return language → table → words, casefolded."""
    return {
        language: {name: frozenset(words) for name, words in tables.items()}  # type: ignore[misc]  # the file's names
        for language, tables in load_tables("words.json").items()
    }


@cache
def words_of(file: str, kind: str) -> frozenset[str]:
    """Return the words of one table of a file, of every language; none of a table that is not there."""
    return frozenset().union(*(tables.get(kind, ()) for tables in load_tables(file).values()))


@cache
def table(name: Table) -> frozenset[str]:
    """Return one table's words of every language."""
    return words_of("words.json", name)


@cache
def _known() -> dict[str, frozenset[str]]:
    return {language: frozenset().union(*tables.values()) for language, tables in _tables().items()}


def tables_of(words: Iterable[str]) -> dict[Table, frozenset[str]]:
    """Return the tables of the language that most of these words are in: "i" is a person in one and a place in another."""
    said = set(words)
    known = _known()
    return _tables()[max(sorted(known), key=lambda language: len(known[language] & said))]


def find_words(text: str) -> list[str]:
    """Return a text's words in order, casefolded, with the apostrophe made plain."""
    return [word.replace("\u2019", "'") for word in _WORD.findall(text.casefold())]


def is_hedged(text: str) -> bool:
    """Tell whether somebody says that they are not sure of what they say, in any language: "maybe", "osäker på"."""
    said = f" {' '.join(find_words(text))} "
    return any(f" {words} " in said for words in words_of("hedges.json", "hedging"))


@cache
def _spoken() -> dict[str, str]:
    return {
        word: written for tables in load_tables("spoken.json").values() for word, (written,) in tables.items()
    }


def write_out(text: str) -> str:
    """Return a question with its words as they are spelled, not as they are spoken: "va e min tid" becomes "vad är min tid"."""
    return _WORD.sub(lambda word: _spoken().get(word[0].casefold(), word[0]), text)
