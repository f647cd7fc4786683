"""One clause cut down to the part of it that tells most, in the person's own words; dots stand where something was left out.

What is cut off is a tail (a relative clause, a reason, what an "and" or a preposition adds), or what comes before a clause
with its own subject. Never cut is what holds a denial, a condition or a limit, and nothing is cut that holds a name, a
number or a date. What comes after "she thinks …" is never told without it.
"""

import re
from collections.abc import Callable, Iterator

from memory.algorithms.coverage import Told

#: Share of a clause's information that stays; more where it holds a name, a number or a date: what they are of belongs to them.
LEAST_TOLD, LEAST_OF_LITERAL = 0.4, 0.75
#: Words that a sentence keeps, and a caption.
LEAST_WORDS, LEAST_CAPTION = 4, 2
#: Places to cut at; what has more is left as it is.
MOST_PLACES = 16

_SUBJECT = r"(?:i|we|he|she|they|it|my|our|his|her|their|jag|vi|han|hon|de|det|min|mina|vår|våra)\b"
_STARTS = re.compile(
    rf"(?:,\s+|\s+)(?:(?:and|so|because|'cause|when|while|och|så|eftersom|när|medan)\s+)(?={_SUBJECT})|,\s+(?={_SUBJECT})",
    re.IGNORECASE,
)
_ENDS = re.compile(
    r",?\s+(?=(?:and|so|because|'cause|when|while|whenever|och|så|eftersom|när|medan)\s)"
    r"|,\s+(?=(?:which|who|whose|where|som|vilket|där|\w+ing)\b)|\s+[\u2013\u2014-]\s+"
    r"|,?\s+(?=(?:with|in|on|at|for|from|about|into|through|during|around|across|by|especially|including"
    r"|med|i|på|för|från|genom|under|runt|särskilt)\s)",
    re.IGNORECASE,
)
#: A sentence does not end on these.
_OPEN = re.compile(
    r"\b(?:is|are|was|were|be|been|am|do|does|did|has|have|had|will|would|can|could|should|may|might|must|get|got|used|need|want|going"
    r"|the|an?|to|of|and|or|that|this|my|your|our|his|her|their|so|very|as|what|how|when|who|it|not"
    r"|är|var|vara|har|hade|ska|skulle|kan|kunde|vill|måste|en|ett|att|av|och|eller|den|det|min|mitt|mina|så|som|när|\w+['\u2019](?:s|re|m|ve|ll|d))[\s,]*$",
    re.IGNORECASE,
)
#: What limits the rest, or takes it back.
_LIMITING = re.compile(
    r"\b(?:not|no|never|none|nobody|nothing|neither|nor|cannot|without|\w+n['\u2019]t|if|unless|whether|until|till|instead|except|only|hardly|barely"
    r"|almost|nearly|than|too|rather|wish|wished|either|both|between|once|but|though|although|supposed|dream\w*|imagine\w*|pretend\w*"
    r"|inte|ej|aldrig|ingen|inget|inga|ingenting|utan|om|ifall|tills|förutom|endast|bara|knappt|nästan|än|för (?:stor|lite|mycket)|hellre|både|antingen|varken|mellan|men|fast"
    r"|dröm\w*|låtsa\w*)\b|[\"\u201c\u201d»?]",
    re.IGNORECASE,
)
_REPORTING = re.compile(
    r"\b(?:sa(?:y|ys|id)|t(?:ell|ells|old)|th(?:ink|inks|ought)|believe[sd]?|feel|feels|felt|hope[sd]?|know|knows|knew|worr\w+|afraid|ask|asks|asked|claim\w*|hear|hears|heard"
    r"|säger|sa|sade|berättar|berättade|tycker|tyckte|tror|trodde|hoppas|hoppades|känner|kände|påstår|påstod|undrar|undrade|oroar|hör|hörde)\b",
    re.IGNORECASE,
)
_CAPTION = re.compile(r"\[(\w+): ([^\[\]]+)\]\W*")
#: What a caption does without; it is no one's own words.
_ARTICLES = re.compile(
    r"\b(?:(?:an?|the) (?:group|couple|bunch|close ?up|view) of\s|(?:group|couple|bunch|close ?up|view) of\s|an?\s|the\s|en\s|ett\s)"
)


def trim(clause: str, *, read: Callable[[str], Told]) -> str:
    """Return the shortest part of a clause that holds enough of it, or all of it.

    Args:
        read: what a text says.
    """
    caption = _CAPTION.fullmatch(clause)
    if caption:
        return _trim_caption(caption, read=read)
    if _LIMITING.search(clause):
        return clause
    told = read(clause)
    starts = [] if _REPORTING.search(clause) else [match.end() for match in _STARTS.finditer(clause)]
    parts = _parts(clause, [0, *starts])
    return _shortest(clause, parts, told, read=read, words=LEAST_WORDS)


def _trim_caption(caption: re.Match[str], *, read: Callable[[str], Told]) -> str:
    kind, shown = caption.groups()
    short = _ARTICLES.sub("", shown)
    part = _shortest(short, _parts(short, [0]), read(shown), read=read, words=LEAST_CAPTION)
    return f"[{kind}: {part}]"


def _shortest(text: str, parts: Iterator[str], told: Told, *, read: Callable[[str], Told], words: int) -> str:
    least = LEAST_OF_LITERAL if told.literal else LEAST_TOLD
    enough = least * sum(told.bits.values())
    for part in sorted(parts, key=len):
        if len(part) >= len(text):
            break
        if len(re.findall(r"\w+", part)) < words:
            continue
        left = read(part)
        if (
            sum(left.bits.values()) >= enough
            and left.holds(told.literal)
            and left.is_denied == told.is_denied
        ):
            return part
    return text


def _parts(text: str, starts: list[int]) -> Iterator[str]:
    """Yield what can stand for a text: from one of `starts` to where something that is added begins, or to its end."""
    ends = [match.start() for match in _ENDS.finditer(text)]
    if len(starts) + len(ends) > MOST_PLACES:
        return
    for start in starts:
        before = "…" if start else ""
        yield before + text[start:]
        for end in ends:
            if end > start and not _OPEN.search(text[start:end]):
                yield f"{before}{text[start:end].rstrip(' ,;:')}…"
