"""The sentences of a text, each with its place; an abbreviation ends none. Nothing is rewritten."""

import re

_SENTENCE = re.compile(
    r"(?:(?!(?<![.!?…])[.!?…]+[\"')\]»”]{0,3}(?:\s|$)|\n).)+(?:[.!?…]+[\"')\]»”]{0,3})?", re.DOTALL
)
_ABBREVIATION = re.compile(
    r"(?:^|[\s(])(?:e\.g|i\.e|etc|mr|mrs|ms|dr|st|approx|no|inc|ltd|t\.ex|bl\.a|dvs|o\.s\.v|m\.m|ca|kl|nr|s\.k|f\.d|p\.g\.a"
    r"|t\.o\.m|fr\.o\.m|[a-zåäö])\.$",
    re.IGNORECASE,
)
#: The longest abbreviation with what stands before it.
_ABBREVIATION_CHARS = 12


def find_sentences(prose: str) -> list[tuple[int, int]]:
    """Return first and last character of each sentence, in order, without the spaces around it."""
    found: list[tuple[int, int]] = []
    joins = False
    for match in _SENTENCE.finditer(prose):
        start, end = match.span()
        if not match.group().strip():
            continue
        found[-1:] = [(found[-1][0], end)] if joins else [*found[-1:], (start, end)]
        # Searched at its end only: of a text of nothing but abbreviations all would be searched anew with each.
        joins = (
            _ABBREVIATION.search(prose, max(found[-1][0] - 1, end - _ABBREVIATION_CHARS, 0), end) is not None
        )
    return [_trim(prose, *span) for span in found]


def split_sentences(prose: str) -> list[str]:
    """Return the sentences of a text, with single spaces."""
    return [" ".join(prose[start:end].split()) for start, end in find_sentences(prose)]


def _trim(prose: str, start: int, end: int) -> tuple[int, int]:
    text = prose[start:end]
    return start + len(text) - len(text.lstrip()), start + len(text.rstrip())
