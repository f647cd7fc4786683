"""What stands in the place of a value, and how a model may have written it."""

import re
from collections.abc import Iterator

from companion_site.llm.scrubbing.kinds import Kind

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


def numbers_typed(text: str) -> Iterator[tuple[Kind, int]]:
    """Yield the kind and number of whatever in `text` reads as a placeholder already."""
    for match in IN_TEXT.finditer(text):
        yield read_placeholder(match)[:2]
