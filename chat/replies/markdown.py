"""Turn a reply's Markdown into HTML that is safe to show.

Two walls stand between a model's text and the page. The parser knows no raw HTML: a tag in the text is shown as the
characters it is made of. What the parser makes then passes an allow-list (nh3), so that a mistake in the first wall
is not yet a hole. Pictures become links, since loading one would tell a stranger that the reply was read.
"""

from collections.abc import Callable, Sequence
from typing import Any

import nh3
from django.utils.html import escape
from django.utils.safestring import SafeString, mark_safe
from markdown_it import MarkdownIt
from markdown_it.renderer import RendererHTML
from markdown_it.token import Token
from markdown_it.utils import EnvType, OptionsDict
from mdit_py_plugins.dollarmath import dollarmath_plugin
from mdit_py_plugins.texmath import texmath_plugin

from chat.replies.highlighting import highlight_code
from chat.replies.mathematics import render_formula

MAX_CHARS = 50_000
"""Longer text is shown as it was written; the parser's time is bounded by this. No reply of today is that long."""

MAX_SHOWN = 200_000
"""Of a text from before there was a limit so much is shown; the export has all of it."""

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
        plain = text if len(text) <= MAX_SHOWN else f"{text[:MAX_SHOWN]}\n[…]"
        return mark_safe(f'<pre tabindex="0">{escape(plain)}</pre>')  # noqa: S308 - escaped on this line
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
        "table_open": _render_table_open,
        "table_close": _render_table_close,
        "th_open": _render_cell_open,
        "td_open": _render_cell_open,
    }
    if formulas:
        texmath_plugin(parser, delimiters="brackets")
        dollarmath_plugin(
            parser, allow_labels=False, allow_space=False, allow_digits=False, double_inline=True
        )
        parser.disable("math_block_eqno")  # it takes words in brackets behind a formula for its number
        rules["math_inline"] = _render_inline_formula
        rules |= dict.fromkeys(("math_inline_double", "math_block"), _render_formula_block)
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


def _render_inline_formula(
    renderer: RendererHTML, tokens: Sequence[Token], index: int, options: OptionsDict, env: EnvType
) -> str:
    return _formula(tokens[index].content, env, as_block=False)


def _render_formula_block(
    renderer: RendererHTML, tokens: Sequence[Token], index: int, options: OptionsDict, env: EnvType
) -> str:
    """Return a formula on a line of its own, focusable, since a long one scrolls."""
    formula = _formula(tokens[index].content, env, as_block=True)
    is_inline = tokens[index].type == "math_inline_double"  # a block inside of a paragraph would end it
    return formula if is_inline else f'<div class="formula" tabindex="0">{formula}</div>\n'


def _formula(latex: str, env: EnvType, *, as_block: bool) -> str:
    env["formula_chars"] = env.get("formula_chars", 0) + len(latex)
    if env["formula_chars"] > MAX_FORMULAS_CHARS:
        return f"<code>{escape(latex)}</code>"
    return render_formula(latex.strip(), as_block=as_block)


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


def _render_table_open(*_: Any) -> str:
    return '<div class="table-scroll" tabindex="0"><table>\n'


def _render_table_close(*_: Any) -> str:
    return "</table></div>\n"


def _render_cell_open(renderer: RendererHTML, tokens: Sequence[Token], index: int, *_: Any) -> str:
    """Return a cell whose alignment is a class; the parser would write a style attribute."""
    style = str(tokens[index].attrGet("style") or "")
    alignment = style.removeprefix("text-align:")
    return f'<{tokens[index].tag} class="align-{alignment}">' if alignment else f"<{tokens[index].tag}>"


_PARSER = _build_parser(formulas=False)
_WITH_FORMULAS = _build_parser(formulas=True)
