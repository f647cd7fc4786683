"""A reply as it is said: without Markdown, code and addresses, one sentence at a time.

Sentences come in the order of the text and stay what they are while it grows: the last one counts only when the next has begun or the
reply has ended, so its number names it for good.
"""

import re
import unicodedata
from collections.abc import Iterator
from itertools import pairwise

from markdown_it import MarkdownIt
from markdown_it.token import Token

LONGEST = 400
#: Blocks alone are parsed. Signs inside a line are dropped whether they are closed or not: nobody knows while it is being written.
_PARSER = MarkdownIt("commonmark", {"html": False}).enable("table")
_PARSER.disable(["backticks", "emphasis", "link", "image", "autolink"])
# Runs of one sign are looked at once, from their beginning: a reply may hold thousands, and is cut while it is written.
_END = re.compile(r"(?<![.!?…])[.!?…]++[\"'”’»)\]]*+\s++(?=[\"'“«(]*+\w)")  # noqa: RUF001  typographic signs are meant
_ADDRESS = re.compile(r"<?\b(?:https?://|www\.)[^\s<>]*[^\s<>.,;:!?)]>?")
_TARGET = re.compile(r"\]\([^)\s]*\)?")
_SIGNS = re.compile(r"[*`\]]|!?\[|(?<!\w)_+|(?<!_)_++(?!\w)|\(\s*\)")
_BEFORE_STOP = re.compile(r"\s+(?=[.,;:!?](?:\s|$))")
_PAUSE = re.compile(r"[,;:–—]\s+")  # noqa: RUF001  typographic signs are meant
#: Words that end in a full stop and seldom end a sentence, in both languages.
_SHORTENED = frozenset((
    "mr", "mrs", "ms", "dr", "prof", "st", "vs", "etc", "e.g", "i.e", "approx", "no", "fig", "t.ex",
    "bl.a", "d.v.s", "dvs", "m.m", "m.fl", "f.d", "s.k", "osv", "kl", "ca", "nr", "resp", "tel",
    "o.s.v", "fr.o.m", "t.o.m",
))  # fmt: skip


def split_spoken(text: str, *, is_whole: bool) -> tuple[str, ...]:
    """Return the sentences to be said.

    Args:
        text: Markdown, perhaps still being written.
        is_whole: nothing more will come.
    """
    blocks = list(_blocks(text))
    if is_whole:
        return tuple(sentence for block in blocks for sentence in _split(block, is_whole=True))
    done = [sentence for block in blocks[:-1] for sentence in _split(block, is_whole=True)]
    return (*done, *(sentence for block in blocks[-1:] for sentence in _split(block, is_whole=False)))


def _blocks(text: str) -> Iterator[str]:
    """Yield paragraphs, headings, items and cells; one without a word to be said counts, as the last of what is there."""
    for token in _PARSER.parse(text):
        if token.type == "inline":
            yield _spoken(token)
        elif token.type in ("fence", "code_block"):
            yield ""


def _spoken(token: Token) -> str:
    parts = []
    for child in token.children or []:
        if child.type in ("softbreak", "hardbreak"):
            parts.append(" ")
        elif child.type == "text":
            parts.append(child.content)
    bare = _ADDRESS.sub(" ", _TARGET.sub("]", "".join(parts)))
    plain = _SIGNS.sub("", bare)
    heard = "".join(char for char in plain if unicodedata.category(char) not in ("So", "Cn", "Cs", "Cf"))
    return _BEFORE_STOP.sub("", " ".join(heard.replace("\ufe0f", "").split()))


def _split(block: str, *, is_whole: bool) -> Iterator[str]:
    """Yield the sentences of a block that hold something to be said."""
    ends = [match.end() for match in _END.finditer(block) if _ends(block, match)]
    if is_whole:
        ends.append(len(block))
    for begin, end in pairwise([0, *ends]):
        yield from (part for part in _cut(block[begin:end].strip()) if any(map(str.isalnum, part)))


def _ends(block: str, match: re.Match[str]) -> bool:
    """Tell a sentence's end from the stop of a shortened word or of somebody's initial."""
    if block[match.end()].islower():
        return False
    if not match[0].startswith(".") or match[0].startswith(".."):
        return True
    word = block[: match.start()].rsplit(None, 1)[-1:] or [""]
    bare = word[0].lstrip("(\"'“«")
    return bare.lower() not in _SHORTENED and not (len(bare) == 1 and bare.isupper() and bare != "I")


def _cut(sentence: str) -> Iterator[str]:
    """Yield a sentence in parts that are not too long, cut at a pause, or else between words."""
    while len(sentence) > LONGEST:
        pauses = [match.end() for match in _PAUSE.finditer(sentence, LONGEST // 4, LONGEST)]
        space = sentence.rfind(" ", 0, LONGEST)
        at = pauses[-1] if pauses else space if space > 0 else LONGEST
        yield sentence[:at].strip()
        sentence = sentence[at:].strip()
    yield sentence
