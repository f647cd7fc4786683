"""Turn a reply's Markdown into HTML that is safe to show.

Two walls stand between a model's text and the page. The parser knows no raw HTML: a tag in the text is shown as the
characters it is made of. What the parser makes then passes an allow-list (nh3), so that a mistake in the first wall
is not yet a hole. Pictures become links, since loading one would tell a stranger that the reply was read. Code is coloured by CSS
classes (``static/css/code.css``); formulas become MathML, which browsers draw and read aloud by themselves.
"""

import re
from collections.abc import Callable, Sequence
from typing import Any
from xml.etree import ElementTree

import nh3
from django.utils.html import escape
from django.utils.safestring import SafeString, mark_safe
from latex2mathml.converter import convert
from markdown_it import MarkdownIt
from markdown_it.renderer import RendererHTML
from markdown_it.token import Token
from markdown_it.utils import EnvType, OptionsDict
from mdit_py_plugins.dollarmath import dollarmath_plugin
from mdit_py_plugins.texmath import texmath_plugin
from pygments import highlight
from pygments.formatters import HtmlFormatter
from pygments.lexers import get_lexer_by_name
from pygments.util import ClassNotFound

MAX_CODE_CHARS = 8_000
MAX_LINES = 300
MAX_LINE_CHARS = 500
"""Code beyond any of these stays uncoloured: lexers are regular expressions, and some take time that is quadratic in
a line's length or in the number of lines (10,000 lines of "a" kept the one for C# busy for 48 s)."""

_COLOURED = """
bash c c++ cpp cs csharp css diff docker go haskell html ini java javascript js json jsx kotlin latex lua markdown matlab
md octave php powershell py python r rb ruby rs rust sass scala scheme scss sh sql swift tex toml ts tsx typescript xml
yaml yml
"""

LANGUAGES = frozenset(_COLOURED.split())
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


MAX_FORMULA_CHARS = 1_500
"""A longer formula is shown as it was written: the converter calls itself for each brace, and its result is some ten
times as long as the source."""

#: A formula that defines commands can be small and grow without end; the others set what the page allows nobody.
_REFUSED = re.compile(
    r"\\(?:(?:new|renew|provide)(?:command|environment)|def|let|href|style|class|id)(?![a-zA-Z])"
)
_BARE = re.compile(r"&(?!#?\w+;)")
#: What the converter knows under another name.
_KNOWN_AS = (
    ("{aligned}", "{align*}"),
    ("{gathered}", "{align*}"),
    ("\\dfrac", "\\frac"),
    ("\\tfrac", "\\frac"),
)


def _to_mathml(latex: str, *, as_block: bool) -> str | None:
    """Return a formula as MathML, still to be cleaned; None where it cannot be one."""
    if len(latex) > MAX_FORMULA_CHARS or _REFUSED.search(latex):
        return None
    for name, known in _KNOWN_AS:
        latex = latex.replace(name, known)
    try:
        formula = convert(latex, display="block" if as_block else "inline")
        # The converter escapes nothing inside of \text{…}: what is no whole element would swallow what follows it.
        ElementTree.fromstring(_BARE.sub("&amp;", formula))  # noqa: S314 - it begins with <math>, so it defines no entity
    # A formula that its writer got wrong ends in one of some twenty ways, plain KeyError among them.
    except Exception:  # noqa: BLE001
        return None
    return formula


MAX_CHARS = 50_000
"""Longer text is shown as it was written; the parser's time is bounded by this. No reply of today is that long."""

TOP_HEADING = 3
"""The page has the conversation as h1 and the log as h2; a reply's own headings hang below."""

LAST_HEADING = 6

MAX_COLOURED_CHARS = 20_000
"""Code coloured in one reply; what follows is shown plain, so that many small blocks cost no more than a few."""

MAX_FORMULA_MARKS = 600
"""Where there are more dollars and brackets of formulas than this, they are text: each looks for its other half."""

MAX_FORMULAS_CHARS = 12_000
"""So much of one reply becomes MathML; formulas behind it are shown as they were written."""

TASKS = {"[ ] ": "☐", "[x] ": "☑"}

FORMULA_TAGS = {
    *("math", "mrow", "mi", "mn", "mo", "mtext", "mspace", "mstyle", "mpadded", "mphantom", "menclose"),
    *("mfrac", "msqrt", "mroot", "msub", "msup", "msubsup", "munder", "mover", "munderover", "mmultiscripts"),
    *("mtable", "mtr", "mtd"),
}

SCHEMES = {"http", "https", "mailto"}

TAGS = {
    *("p", "br", "hr", "h3", "h4", "h5", "h6", "blockquote", "ul", "ol", "li", "pre", "code", "span", "div"),
    *("em", "strong", "s", "a", "table", "thead", "tbody", "tr", "th", "td"),
    *FORMULA_TAGS,
}

_CLEANER = nh3.Cleaner(
    tags=TAGS,
    clean_content_tags={"script", "style"},
    attributes={
        "a": {"href", "title"},
        "ol": {"start"},
        "span": {"class"},
        "mo": {
            "stretchy",
            "fence",
            "form",
            "separator",
            "symmetric",
            "lspace",
            "rspace",
            "minsize",
            "maxsize",
        },
        "mi": {"mathvariant"},
        "mover": {"accent"},
        "mspace": {"width"},
        "mpadded": {"width"},
        "mfrac": {"linethickness"},
        "mstyle": {"displaystyle", "scriptlevel"},
        "mtable": {"displaystyle"},
        "mtd": {"columnalign"},
    },
    tag_attribute_values={
        "math": {"display": {"block", "inline"}, "tabindex": {"0"}},
        "li": {"class": {"task"}},
        "pre": {"tabindex": {"0"}},
        "div": {"tabindex": {"0"}, "class": {"table-scroll", "formula"}},
        "th": {"class": {"align-left", "align-center", "align-right"}},
        "td": {"class": {"align-left", "align-center", "align-right"}},
    },
    set_tag_attribute_values={"a": {"target": "_blank"}},
    link_rel="noopener noreferrer nofollow",
    url_schemes=SCHEMES,
    url_relative="deny",
)


def render_markdown(text: str) -> SafeString:
    """Return ``text`` as HTML: CommonMark, tables, tasks, strikethrough, formulas; no raw HTML, no pictures, no scripts.

    Args:
        text: Markdown of any origin and length; above ``MAX_CHARS`` characters it is shown without formatting.

    Returns:
        An HTML fragment whose styling needs classes only, fit for a page without inline styles.
    """
    if len(text) > MAX_CHARS:
        return mark_safe(f'<pre tabindex="0">{escape(text)}</pre>')  # noqa: S308 - escaped on this line
    marks = text.count("$") + text.count("\\(") + text.count("\\[")
    parser = _WITH_FORMULAS if 0 < marks <= MAX_FORMULA_MARKS else _PARSER
    return mark_safe(_CLEANER.clean(parser.render(text)))  # noqa: S308 - cleaned on this line


def _build_parser(*, formulas: bool) -> MarkdownIt:
    """Return the parser with the project's renderings of headings, tasks, code, tables, pictures and formulas."""
    parser = MarkdownIt("commonmark", {"html": False, "linkify": False})
    parser.enable(["table", "strikethrough"])
    parser.core.ruler.push("heading_levels", lambda state: _lower_headings(state.tokens))
    parser.core.ruler.push("tasks", lambda state: _mark_tasks(state.tokens))
    rules: dict[str, Callable[..., str]] = {
        "fence": _render_fence,
        "code_block": _render_code_block,
        "image": _render_image,
        "table_open": lambda *_: '<div class="table-scroll" tabindex="0"><table>\n',
        "table_close": lambda *_: "</table></div>\n",
        "th_open": _render_cell_open,
        "td_open": _render_cell_open,
    }
    if formulas:
        texmath_plugin(parser, delimiters="brackets")
        dollarmath_plugin(
            parser, allow_labels=False, allow_space=False, allow_digits=False, double_inline=True
        )
        parser.disable("math_block_eqno")  # it takes words in brackets behind a formula for its number
        rules |= dict.fromkeys(("math_inline", "math_inline_double", "math_block"), _render_formula)
    for name, rule in rules.items():
        parser.add_render_rule(name, rule)
    return parser


def _lower_headings(tokens: Sequence[Token]) -> None:
    """Renumber headings from ``TOP_HEADING`` down without a gap, so that the page's outline stays whole."""
    headings = [token for token in tokens if token.type in ("heading_open", "heading_close")]
    ranks = {tag: rank for rank, tag in enumerate(sorted({token.tag for token in headings}))}
    previous = TOP_HEADING - 1
    for token in headings:
        if token.nesting == 1:
            previous = min(TOP_HEADING + ranks[token.tag], previous + 1, LAST_HEADING)
        token.tag = f"h{previous}"


def _mark_tasks(tokens: Sequence[Token]) -> None:
    """Draw the box of a list's item that begins with "[ ]" or "[x]": a sign, since nobody can tick it here."""
    for item, paragraph, inline in zip(tokens, tokens[1:], tokens[2:], strict=False):
        if (item.type, paragraph.type, inline.type) != ("list_item_open", "paragraph_open", "inline"):
            continue
        first = inline.children[0] if inline.children else None
        if first is not None and first.type == "text" and first.content[:4].lower() in TASKS:
            first.content = f"{TASKS[first.content[:4].lower()]} {first.content[4:]}"
            item.attrSet("class", "task")


def _render_formula(
    renderer: RendererHTML, tokens: Sequence[Token], index: int, options: OptionsDict, env: EnvType
) -> str:
    """Return a formula as MathML, or as escaped code where it cannot be one; on a line of its own focusable, since a long one scrolls."""
    kind, latex = tokens[index].type, tokens[index].content
    env["formula_chars"] = env.get("formula_chars", 0) + len(latex)
    formula = None
    if env["formula_chars"] <= MAX_FORMULAS_CHARS:
        latex = latex.strip()
        formula = _to_mathml(latex, as_block=kind != "math_inline")
    formula = formula or f"<code>{escape(latex)}</code>"
    # A block inside of a paragraph would end it.
    return f'<div class="formula" tabindex="0">{formula}</div>\n' if kind == "math_block" else formula


def _render_fence(
    renderer: RendererHTML, tokens: Sequence[Token], index: int, options: OptionsDict, env: EnvType
) -> str:
    """Return a fenced block, coloured when its language is known; focusable, since long lines scroll."""
    token = tokens[index]
    env["coloured_chars"] = env.get("coloured_chars", 0) + len(token.content)
    if env["coloured_chars"] > MAX_COLOURED_CHARS:
        return _render_code_block(renderer, tokens, index)
    words = token.info.split(maxsplit=1)
    code = highlight_code(token.content, language=words[0] if words else "")
    return f'<pre tabindex="0"><code>{code}</code></pre>\n'


def _render_code_block(renderer: RendererHTML, tokens: Sequence[Token], index: int, *_: Any) -> str:
    return f'<pre tabindex="0"><code>{escape(tokens[index].content)}</code></pre>\n'


def _render_image(
    renderer: RendererHTML, tokens: Sequence[Token], index: int, options: OptionsDict, env: EnvType
) -> str:
    """Return a link to the picture, named by its description."""
    token = tokens[index]
    source = str(token.attrGet("src") or "")
    label = renderer.renderInlineAsText(token.children or [], options, env) or source
    return f'<a href="{escape(source)}">{escape(label)}</a>'


def _render_cell_open(renderer: RendererHTML, tokens: Sequence[Token], index: int, *_: Any) -> str:
    """Return a cell whose alignment is a class; the parser would write a style attribute."""
    style = str(tokens[index].attrGet("style") or "")
    alignment = style.removeprefix("text-align:")
    return f'<{tokens[index].tag} class="align-{alignment}">' if alignment else f"<{tokens[index].tag}>"


_PARSER = _build_parser(formulas=False)
_WITH_FORMULAS = _build_parser(formulas=True)


_FENCE = re.compile(r" {0,3}(```+|~~~+)")
#: What goes on with the block before it, though a line is empty between them.
_GOES_ON = re.compile(r"\s|[-*+](?:\s|$)|\d{1,9}(?:[.)](?:\s|$)|$)|>|\||\[")


def draw(text: str, drawn_chars: int) -> tuple[SafeString, SafeString, int]:
    """Return what of a growing reply has ended since the last time, and the open end behind it, as HTML.

    Args:
        text: the whole reply so far; it only grows.
        drawn_chars: how much of it is drawn for good; that by now is returned last.
    """
    rest = text[drawn_chars:]
    ended = find_end(rest)
    return render_markdown(rest[:ended]), render_markdown(rest[ended:]), drawn_chars + ended


def find_end(text: str) -> int:
    """Return where the last block that has surely ended does: before a line that begins something else."""
    end, at, fence, in_formula, was_empty = 0, 0, "", False, False
    for line in text.splitlines(keepends=True):
        if was_empty and not fence and not in_formula and line.strip() and not _GOES_ON.match(line):
            end = at
        mark = _FENCE.match(line)
        if mark and not fence:
            fence = mark[1]
        elif mark and line.strip().startswith(fence) and not line.strip().strip(fence[0]):
            fence = ""
        elif not fence and line.count("$$") % 2:
            in_formula = not in_formula
        elif not fence and line.strip() in ("\\[", "\\]"):
            in_formula = line.strip() == "\\["
        at, was_empty = at + len(line), not line.strip()
    return end
