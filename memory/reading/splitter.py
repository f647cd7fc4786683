"""A message in clauses, each with its place and its frame: asked, supposed, quoted, played, ironic, somebody else's.

One pass over the text; no clause is rewritten, so `text[start:end]` is the evidence of whatever is read from it. A frame is a
feature of the heads and no verdict: "if" stands in plenty of plain statements.
"""

import re
from dataclasses import dataclass
from typing import Literal

from companion_site.language import is_shortened
from memory.reading.words import Table, find_words, table, tables_of

Frame = Literal["asked", "supposed", "quoted", "played", "ironic", "others"]

#: Both sides of a comma or a joining word need so many words to stand alone.
SHORTEST_WORDS = 3
#: A run without any stop is cut at a space after so many characters.
LONGEST = 400
#: The language is told by so many characters.
LONGEST_READ = 2_000
_STOP = re.compile(
    r"(?<![.!?…])[.!?…]++[)\]\"'”’»*]*+(?=\s|$)|\n++|[;•]|\s[-–—]++\s|,(?=\s)|(?<=\w)(?=\s++[^\W\d_]++\b)"  # noqa: RUF001  people type all of them
)
_HARD = re.compile(r"[.!?…\n;•]")
_QUOTES = re.compile(r"[\"“”„«»]")
_CITED = re.compile(r"^>.*$", re.MULTILINE)
_TRIM = " \t\r\n,;•–—-"  # noqa: RUF001  people type all of them


@dataclass(frozen=True, slots=True)
class Clause:
    """A part of a message.

    Attributes:
        start: its first character.
        end: the character after its last.
        frames: how it is said, where that is other than plainly by the person of themselves.
    """

    start: int
    end: int
    frames: frozenset[Frame]


@dataclass(frozen=True, slots=True)
class Sentence:
    """A part of a message that stands alone, and the clauses it is made of.

    Attributes:
        start: its first character.
        end: the character after its last.
    """

    start: int
    end: int
    clauses: tuple[Clause, ...]


def split_sentences(text: str, *, limit: int = 200, longest: int = LONGEST) -> list[Sentence]:
    """Return the sentences of a message in order, what stands between two stops; of at most `limit` clauses in all.

    Time grows with the text's length alone.
    """
    if not text.strip():
        return []
    quoted, tables = _quoted(text), tables_of(find_words(text[:LONGEST_READ]))
    found: list[Sentence] = []
    for spans in _spans(text):
        clauses = [Clause(*span, _frames(text, *span, quoted, tables)) for span in spans[:limit]]
        limit -= len(clauses)
        if found and clauses and _is_number(text[found[-1].end : clauses[-1].end]):
            found[-1:] = _join(found[-1], clauses, longest)
        else:
            found += _stretch(clauses, longest)
        if limit <= 0:
            break
    return found


def _is_number(text: str) -> bool:
    """Tell whether a sentence, with what parts it from the one before, is a number alone: of "Passed the first unit! 88" it says nothing
    without what it counts. "2." numbers what comes after it, and a line stands by itself.
    """
    counts = any(map(str.isdigit, text)) and not any(map(str.isalpha, text))
    return counts and "\n" not in text and not text.rstrip().endswith((".", ")", ":"))


def _join(sentence: Sentence, clauses: list[Clause], longest: int) -> list[Sentence]:
    """Return a sentence with the clauses after it, or both where they would be too long."""
    if clauses[-1].end - sentence.start > longest:
        return [sentence, *_stretch(clauses, longest)]
    return [Sentence(sentence.start, clauses[-1].end, (*sentence.clauses, *clauses))]


def _stretch(clauses: list[Clause], longest: int) -> list[Sentence]:
    """Return one sentence of clauses that follow one another, or several where it would be too long."""
    found: list[Sentence] = []
    for clause in clauses:
        if found and clause.end - found[-1].start <= longest:
            found[-1] = Sentence(found[-1].start, clause.end, (*found[-1].clauses, clause))
        else:
            found.append(Sentence(clause.start, clause.end, (clause,)))
    return found


def whole_sentences(text: str) -> list[Sentence]:
    """Return every sentence of a text, however many and however long they are."""
    return split_sentences(text, limit=len(text), longest=len(text))


def cut_sentences(text: str) -> list[str]:
    """Return the words of each of them."""
    return [text[one.start : one.end] for one in whole_sentences(text)]


def split(text: str, *, limit: int = 200) -> list[Clause]:
    """Return the clauses of a message in order, at most `limit`; time grows with its length alone."""
    return [clause for sentence in split_sentences(text, limit=limit) for clause in sentence.clauses]


def _spans(text: str) -> list[list[tuple[int, int]]]:
    """Return the clauses of each sentence."""
    joining = table("joining")
    cuts: list[tuple[int, bool]] = []
    for match in _STOP.finditer(text):
        if match.group() == "." and is_shortened(text, match.start()):
            continue
        if match.end() > match.start():
            hard = bool(_HARD.search(match.group()))
            cuts.append((match.end() if hard else match.start(), hard))
        else:
            word = re.match(r"\s+([^\W\d_]+)", text[match.start() : match.start() + 24])
            if word and word.group(1).casefold() in joining:
                cuts.append((match.start(), False))
    cuts.append((len(text), True))
    spans: list[list[tuple[int, int]]] = []
    start = 0
    soft: list[int] = []
    for place, hard in cuts:
        if not hard:
            soft.append(place)
            continue
        spans.append(_cut(text, start, place, soft))
        start, soft = place, []
    return spans


def _cut(text: str, start: int, end: int, soft: list[int]) -> list[tuple[int, int]]:
    """Return one sentence's clauses: split at soft places where both sides can stand alone, or where it is too long."""
    ends: list[int] = []
    last = start
    for place in soft:
        if len(text[last:place].split()) >= SHORTEST_WORDS and _has_words(text, place, end):
            ends.append(place)
            last = place
    spans = []
    for stop in [*ends, end]:
        while stop - start > LONGEST:
            space = text.rfind(" ", start + 1, start + LONGEST)
            cut = space if space > start else start + LONGEST
            spans.append((start, cut))
            start = cut
        spans.append((start, stop))
        start = stop
    return [trimmed for span in spans if (trimmed := _trim(text, *span)) is not None]


def _has_words(text: str, place: int, end: int) -> bool:
    return len(text[place : min(end, place + 120)].split()) >= SHORTEST_WORDS


def _trim(text: str, start: int, end: int) -> tuple[int, int] | None:
    while start < end and text[start] in _TRIM:
        start += 1
    while end > start and text[end - 1] in _TRIM:
        end -= 1
    return (start, end) if any(char.isalnum() for char in text[start:end]) or end - start > 1 else None


def _quoted(text: str) -> bytearray:
    """Return for each character whether it stands between quotation marks, or in a line that begins with ">"."""
    inside = bytearray(len(text))
    marks = [match.start() for match in _QUOTES.finditer(text)]
    spans = list(zip(marks[::2], marks[1::2], strict=False))
    for start, end in spans + [match.span() for match in _CITED.finditer(text)]:
        inside[start:end] = b"\x01" * (end - start)
    return inside


def _frames(
    text: str, start: int, end: int, quoted: bytearray, tables: dict[Table, frozenset[str]]
) -> frozenset[Frame]:
    words = find_words(text[start:end])
    frames: set[Frame] = set()
    if "?" in text[max(start, end - 3) : end + 1] or (bool(words) and words[0] in tables["asking"]):
        frames.add("asked")
    if tables["supposing"].intersection(words):
        frames.add("supposed")
    if quoted[(start + end) // 2] or text[max(0, start - 4) : start].rstrip()[-1:] == ":":
        frames.add("quoted")
    if tables["playing"].intersection(words):
        frames.add("played")
    if tables["joking"].intersection(words):
        frames.add("ironic")
    if tables["others"].intersection(words) and not tables["self"].intersection(words):
        frames.add("others")
    return frozenset(frames)
