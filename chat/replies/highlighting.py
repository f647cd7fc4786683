"""Colour code in replies by CSS classes; the colours are in ``static/css/code.css``."""

from django.utils.html import escape
from pygments import highlight
from pygments.formatters import HtmlFormatter
from pygments.lexers import get_lexer_by_name
from pygments.util import ClassNotFound

MAX_CODE_CHARS = 8_000
MAX_LINES = 300
MAX_LINE_CHARS = 500
"""Code beyond any of these stays uncoloured: lexers are regular expressions, and some take time that is quadratic in
a line's length or in the number of lines (10,000 lines of "a" kept the one for C# busy for 48 s)."""

_NAMES = """
bash c c++ cpp cs csharp css diff docker go haskell html ini java javascript js json jsx kotlin latex lua markdown matlab
md octave php powershell py python r rb ruby rs rust sass scala scheme scss sh sql swift tex toml ts tsx typescript xml
yaml yml
"""

LANGUAGES = frozenset(_NAMES.split())
"""The languages that are coloured: an allow-list, so that a reply cannot pick a slow or obscure lexer."""

_FORMATTER: HtmlFormatter[str] = HtmlFormatter(nowrap=True)


def highlight_code(code: str, *, language: str) -> str:
    """Return ``code`` as escaped HTML, in spans with classes when ``language`` is one of ``LANGUAGES``."""
    name = language.lower()
    if name not in LANGUAGES or _is_too_long(code):
        return escape(code)
    try:
        lexer = get_lexer_by_name(name, stripnl=False)
    except ClassNotFound:
        return escape(code)
    return str(highlight(code, lexer, _FORMATTER))


def _is_too_long(code: str) -> bool:
    lines = code.splitlines()
    return (
        len(code) > MAX_CODE_CHARS
        or len(lines) > MAX_LINES
        or max(map(len, lines), default=0) > MAX_LINE_CHARS
    )
