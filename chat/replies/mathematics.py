"""Formulas as MathML, which browsers draw and read aloud by themselves: no script, no font, no picture.

What comes out of here is cleaned by the caller, as all else is.
"""

import re
from xml.etree import ElementTree

from django.utils.html import escape
from latex2mathml.converter import convert

MAX_FORMULA_CHARS = 1_500
"""A longer formula is shown as it was written: the converter calls itself for each brace, and its result is some ten
times as long as the source."""

#: A formula that defines commands can be small and grow without end; the others set what the page allows nobody.
_REFUSED = re.compile(
    r"\\(?:(?:new|renew|provide)(?:command|environment)|def|let|href|style|class|id)(?![a-zA-Z])"
)
_BARE = re.compile(r"&(?!#?\w+;)")
#: What the converter knows under another name.
_NAMES = (("{aligned}", "{align*}"), ("{gathered}", "{align*}"), ("\\dfrac", "\\frac"), ("\\tfrac", "\\frac"))


def render_formula(latex: str, *, as_block: bool) -> str:
    """Return a formula as MathML, still to be cleaned, or as escaped code where it cannot be one."""
    return _to_mathml(latex, as_block=as_block) or f"<code>{escape(latex)}</code>"


def _to_mathml(latex: str, *, as_block: bool) -> str | None:
    if len(latex) > MAX_FORMULA_CHARS or _REFUSED.search(latex):
        return None
    for name, known in _NAMES:
        latex = latex.replace(name, known)
    try:
        formula = convert(latex, display="block" if as_block else "inline")
        # The converter escapes nothing inside of \text{…}: what is no whole element would swallow what follows it.
        ElementTree.fromstring(_BARE.sub("&amp;", formula))  # noqa: S314 - it begins with <math>, so it defines no entity
    # A formula that its writer got wrong ends in one of some twenty ways, plain KeyError among them.
    except Exception:  # noqa: BLE001
        return None
    return formula
