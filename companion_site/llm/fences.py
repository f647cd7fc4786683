"""What delimits data in a prompt, and how a text is kept from closing or opening such a block itself.

One function for all of them: what looks like an angle bracket before a closing tag or before the name of a block, and what looks
like a square bracket before such a name, is written out. The rest of the text, "a < b" too, stays as it is.
"""

import re
import unicodedata
from html import unescape

#: The names of all blocks, with how the square ones end. A guard test holds them against the blocks.
NAMES = (
    "data",
    "COMPANION_BRIEF",
    "COMPANION_MEMORY",
    "PACK_MATERIAL",
    "ATTACHED_FILE",
    "COMPANY MEMORY",
    "END COMPANY MEMORY",
    "LIVE COMPANY STATE",
    "END LIVE COMPANY STATE",
    "CONVERSATION CONTEXT",
    "END CONTEXT",
)
#: What is or looks like an opening angle bracket: by compatibility, by Unicode's list of confusables, and quotation marks of that form.
ANGLES = frozenset(
    "<\u02c2\u1438\u16b2\u2039\u226e\u2329\u276c\u276e\u2770\u27e8\u27ea\u2991\u29fc\u2a79\u3008\u300a\ufe3d\ufe3f\ufe64\uff1c"
    "\u00ab\u226a\u227a\u22d6\u2264\u2266\u2268\u2272\u2a7d\U0001d236"
)
SQUARES = frozenset(
    "[\u2045\u2772\u27e6\u298b\u298d\u298f\u3010\u3014\u3016\u3018\u301a\ufe39\ufe3b\ufe47\ufe5d\uff3b\u23a1\u23a3"
)
SLASHES = frozenset(
    "/\u1735\u2041\u2044\u2215\u2571\u27cb\u29f8\u29f6\u2afd\u2cc6\u2f03\u3033\u30ce\u31d3\u4e3f\uff0f\uff89\u0338\u0337\U0001d23a\U0001f67c"
)
_ENTITY = r"&(?:\#\d{1,9}|\#[xX][0-9a-fA-F]{1,8}|[A-Za-z]{2,31});?"
_MAY_OPEN = re.compile(f"[{re.escape(''.join(sorted(ANGLES | SQUARES)))}]|{_ENTITY}")
#: Nothing that can be seen, and what may stand between the letters of a name.
_SKIPPED = frozenset(("Cf", "Cc", "Cn", "Co", "Mn", "Me", "Zs", "Zl", "Zp", "Pc", "Pd"))
_SKIPPED_LETTERS = frozenset("\u115f\u1160\u3164\uffa0\u2800")


def defuse(text: str) -> str:
    """Return a text that opens and closes no block of a prompt; what it says stays readable."""
    pieces, at = [], 0
    for match in _MAY_OPEN.finditer(text):
        sign = match.group() if len(match.group()) == 1 else unescape(match.group())
        if sign in ANGLES and _is_fence(text, match.end(), closes=True):
            written = match.group().replace("&", "&amp;") if len(match.group()) > 1 else "&lt;"
        elif sign in SQUARES and _is_fence(text, match.end(), closes=False):
            written = "("
        else:
            continue
        pieces += [text[at : match.start()], written]
        at = match.end()
    return "".join([*pieces, text[at:]]) if pieces else text


def _is_fence(text: str, place: int, *, closes: bool) -> bool:
    """Tell whether what follows a bracket is a closing tag, where `closes`, or the name of a block.

    No character is looked at for two brackets, since no bracket is passed over: the cost is that of the text.
    """
    letters = ""
    for at in range(place, len(text)):
        sign = text[at]
        if sign in SLASHES:
            if closes:
                return not letters or letters in _NAMES
            continue
        folded = _fold(sign)
        if not folded:
            continue
        if not folded.isalnum():
            # By its number: what a slash is written as.
            encoded = re.match(_ENTITY, text[at : at + 40]) if sign == "&" else None
            if encoded and unescape(encoded.group()) in SLASHES and closes and not letters:
                return True
            break
        letters += folded
        if not any(name.startswith(letters) for name in _NAMES):
            return False
        if letters in _NAMES and not text[at + 1 : at + 2].isalnum():
            return True
    return letters in _NAMES


def _fold(sign: str) -> str:
    """Return a sign in small letters without its accents; "" for what cannot be seen, and for what parts words."""
    if sign in _SKIPPED_LETTERS or sign.isspace() or unicodedata.category(sign) in _SKIPPED:
        return ""
    bare = unicodedata.normalize("NFKD", sign).casefold()
    return "".join(part for part in bare if not unicodedata.combining(part)) or ""


_NAMES = frozenset("".join(filter(None, map(_fold, name))) for name in NAMES)
