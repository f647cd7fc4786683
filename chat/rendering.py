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

from chat.highlighting import highlight_code

MAX_CHARS = 50_000
"""Longer text is shown as it was written; the parser's time is bounded by this. No reply of today is that long."""

MAX_SHOWN = 200_000
"""Of a text from before there was a limit so much is shown; the export has all of it."""

TOP_HEADING = 3
"""The page has the conversation as h1 and the log as h2; a reply's own headings hang below."""

LAST_HEADING = 6

MAX_COLOURED_CHARS = 20_000
"""Code coloured in one reply; what follows is shown plain, so that many small blocks cost no more than a few."""

SCHEMES = {"http", "https", "mailto"}

TAGS = {
    *("p", "br", "hr", "h3", "h4", "h5", "h6", "blockquote", "ul", "ol", "li", "pre", "code", "span", "div"),
    *("em", "strong", "s", "a", "table", "thead", "tbody", "tr", "th", "td"),
}

_CLEANER = nh3.Cleaner(
    tags=TAGS,
    clean_content_tags={"script", "style"},
    attributes={"a": {"href", "title"}, "ol": {"start"}, "span": {"class"}},
    tag_attribute_values={
        "pre": {"tabindex": {"0"}},
        "div": {"tabindex": {"0"}, "class": {"table-scroll"}},
        "th": {"class": {"align-left", "align-center", "align-right"}},
        "td": {"class": {"align-left", "align-center", "align-right"}},
    },
    set_tag_attribute_values={"a": {"target": "_blank"}},
    link_rel="noopener noreferrer nofollow",
    url_schemes=SCHEMES,
    url_relative="deny",
)


def render_markdown(text: str) -> SafeString:
    """Return ``text`` as HTML: CommonMark, tables and strikethrough; no raw HTML, no pictures, no scripts.

    Args:
        text: Markdown of any origin and length; above ``MAX_CHARS`` characters it is shown without formatting.

    Returns:
        An HTML fragment whose styling needs classes only, fit for a page without inline styles.
    """
    if len(text) > MAX_CHARS:
        plain = text if len(text) <= MAX_SHOWN else f"{text[:MAX_SHOWN]}\n[…]"
        return mark_safe(f'<pre tabindex="0">{escape(plain)}</pre>')  # noqa: S308 - escaped on this line
    return mark_safe(_CLEANER.clean(_PARSER.render(text)))  # noqa: S308 - cleaned on this line


def _build_parser() -> MarkdownIt:
    """Return the parser with the project's renderings of headings, code, tables and pictures."""
    parser = MarkdownIt("commonmark", {"html": False, "linkify": False})
    parser.enable(["table", "strikethrough"])
    parser.core.ruler.push("heading_levels", lambda state: _lower_headings(state.tokens))
    rules: dict[str, Callable[..., str]] = {
        "fence": _render_fence,
        "code_block": _render_code_block,
        "image": _render_image,
        "table_open": _render_table_open,
        "table_close": _render_table_close,
        "th_open": _render_cell_open,
        "td_open": _render_cell_open,
    }
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


_PARSER = _build_parser()
