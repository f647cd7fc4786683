"""Rendering a reply: what is shown, what is refused, that no text makes it slow, and how it is drawn as it grows."""

import sys
from html.parser import HTMLParser

import pytest
from django.utils.safestring import SafeString

from chat.replies.markdown import (
    FORMULA_TAGS,
    MAX_CHARS,
    MAX_CODE_CHARS,
    MAX_COLOURED_CHARS,
    MAX_FORMULA_CHARS,
    MAX_FORMULA_MARKS,
    MAX_FORMULAS_CHARS,
    MAX_LINE_CHARS,
    MAX_LINES,
    TAGS,
    draw,
    find_end,
    render_markdown,
)
from tests.cases import cases

ATTRIBUTES = {
    *("href", "title", "target", "rel", "start", "class", "tabindex"),
    *(
        "display",
        "stretchy",
        "fence",
        "form",
        "displaystyle",
        "columnalign",
        "accent",
        "width",
        "mathvariant",
    ),
}

HOSTILE = [
    "[x](javascript:alert(1))",
    "[x](JaVaScRiPt:alert(1))",
    "[x](&#106;avascript:alert(1))",
    "[x](java\tscript:alert(1))",
    "[x](<javascript:alert(1)>)",
    "[x](vbscript:msgbox)",
    "[x](data:text/html;base64,PHNjcmlwdD4=)",
    "[x](file:///etc/passwd)",
    "<javascript:alert(1)>",
    "[x]: javascript:alert(1)\n\n[x]",
    "![x](javascript:alert(1))",
    "![x](data:image/svg+xml;base64,PHN2Zz4=)",
    "![x](https://tracker.example/p.gif)",
    '![x](https://a.example/" onerror="alert(1))',
    "<script>alert(1)</script>",
    "<img src=x onerror=alert(1)>",
    "<svg><animate onbegin=alert(1) attributeName=x dur=1s></svg>",
    '<a href="javascript:alert(1)">x</a>',
    '<div style="position:fixed">x</div>',
    "<iframe srcdoc='<script>alert(1)</script>'></iframe>",
    "<form action=/logout/><button>x</button></form>",
    "<math><mtext><table><mglyph><style><img src=x onerror=alert(1)>",
    "<!--><script>alert(1)</script>-->",
    "```html\n</code></pre><script>alert(1)</script>\n```",
    '```"><script>alert(1)</script>\nx\n```',
    '```python" onmouseover="alert(1)\nx\n```',
    "    <script>alert(1)</script>",
    '[x](https://a.example "\\" onmouseover=\\"alert(1)")',
    "| <script>alert(1)</script> |\n|:-:|\n| <img src=x onerror=alert(1)> |",
    r"$\text{<img src=x onerror=alert(1)>}$ and $x$",
    r"$\text{</mtext></math><script>alert(1)</script>}$",
    r"$\text{<mglyph><style><img src=x onerror=alert(1)>}$",
    r"$\href{javascript:alert(1)}{x}$",
    r"$\style{position:fixed}{x} \class{page}{y} \color{red}{z}$",
    "$$\n</math><script>alert(1)</script>\n$$",
    r"\[<a xlink:href='javascript:alert(1)'>x</a>\]",
]


class Seen(HTMLParser):
    """What a browser would build: tags, and attributes as (tag, name, value)."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.tags: list[str] = []
        self.attributes: list[tuple[str, str, str]] = []
        self.feed(html)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        self.attributes += [(tag, name, value or "") for name, value in attrs]

    def values(self, name: str) -> list[str]:
        return [value for _, key, value in self.attributes if key == name]


def count_calls(text: str) -> int:
    """Return how many Python functions rendering ``text`` calls: its work, without a clock."""
    calls = 0

    def count(frame: object, event: str, arg: object) -> None:
        nonlocal calls
        calls += event == "call"

    before = sys.getprofile()
    sys.setprofile(count)
    try:
        render_markdown(text)
    finally:
        sys.setprofile(before)
    return calls


def test_hostile_text_yields_only_allowed_tags_attributes_and_schemes(subtests):
    """Whatever the text, only allow-listed tags and attributes come out, and links go to http, https or mailto."""
    for text in HOSTILE:
        with subtests.test(case=text):
            seen = Seen(render_markdown(text))

            assert set(seen.tags) <= TAGS
            assert {name for _, name, _ in seen.attributes} <= ATTRIBUTES
            assert all(href.split(":")[0] in {"http", "https", "mailto"} for href in seen.values("href"))


def test_the_result_is_text_marked_safe_for_templates() -> None:
    """A tag in the text is content, not markup: nothing vanishes; above the bound nothing is parsed, and nothing is lost either."""
    assert isinstance(render_markdown("<b>a & b</b>"), SafeString)
    assert render_markdown("<b>a & b</b>") == "<p>&lt;b&gt;a &amp; b&lt;/b&gt;</p>\n"
    html = render_markdown("<b>" + "*" * MAX_CHARS)
    assert html.startswith('<pre tabindex="0">&lt;b&gt;*') and html.count("*") == MAX_CHARS


def test_links_open_apart_and_tell_nothing() -> None:
    """In a new tab, without opener, referrer or endorsement; into the site none leads, bare addresses stay text, and a picture is a link."""
    for target in ("https://a.example/x", "http://a.example", "mailto:a@b.example"):
        seen = Seen(render_markdown(f"[x]({target})"))
        assert (seen.values("href"), seen.values("target")) == ([target], ["_blank"])
        assert set(seen.values("rel")[0].split()) == {"noopener", "noreferrer", "nofollow"}
    assert Seen(render_markdown("[x](/logout/) [y](//a.example) [z](?a=b)")).values("href") == []
    assert "a" not in Seen(render_markdown("see https://a.example now")).tags
    html = render_markdown("![a **cat**](https://a.example/cat.png)")
    assert "img" not in Seen(html).tags
    assert 'href="https://a.example/cat.png"' in html and ">a cat</a>" in html


def test_tables_and_strikethrough_use_classes() -> None:
    """Tables keep their alignment without a style attribute, in a box that scrolls and takes the focus."""
    seen = Seen(render_markdown("| a | b |\n|:-:|--:|\n| ~~1~~ | 2 |"))

    assert {"table", "thead", "tbody", "s"} <= set(seen.tags)
    assert ("td", "class", "align-right") in seen.attributes
    assert ("th", "class", "align-center") in seen.attributes
    assert ("div", "class", "table-scroll") in seen.attributes
    assert ("div", "tabindex", "0") in seen.attributes


def test_headings_continue_the_outline_of_the_page(subtests):
    """A reply's headings start at h3 and skip no level on the way down."""
    for text, levels in [
        ("# a\n\n## b\n\n# c", ["h3", "h4", "h3"]),
        ("### a\n\n###### b", ["h3", "h4"]),
        ("## a\n\n# b\n\n### c", ["h3", "h3", "h4"]),
        ("# a\n\n## b\n\n### c\n\n#### d\n\n##### e", ["h3", "h4", "h5", "h6", "h6"]),
        ("a\n===", ["h3"]),
    ]:
        with subtests.test(text=text, levels=levels):
            assert [tag for tag in Seen(render_markdown(text)).tags if tag.startswith("h")] == levels


def test_code_of_known_languages_is_coloured_by_classes() -> None:
    """Since the page allows no inline style; other languages run no lexer, and what is beyond a safe size, in one block or all, stays plain and whole."""
    assert ("span", "class", "k") in Seen(render_markdown("```python\ndef f(): pass\n```")).attributes
    for language in ("", "klingon", "../../etc", "brainfuck"):
        assert "span" not in Seen(render_markdown(f"```{language}\nx = 1 + 2\n```")).tags
    lines = ("z" * 79 + "\n") * (MAX_CODE_CHARS // 80 + 1)
    for code in ("z = 1\n" * (MAX_LINES + 1), "z" * (MAX_LINE_CHARS + 1), lines):
        html = render_markdown(f"```csharp\n{code}\n```")
        assert "span" not in Seen(html).tags and html.count("z") == code.count("z")
    code = "x = 1\n" * 200
    html = render_markdown(f"```python\n{code}```\n\n" * 40)
    assert len(code) * 40 > MAX_COLOURED_CHARS and html.count("</pre>") == 40
    assert "span" in html.split("</pre>")[0] and "span" not in html.rsplit("<pre", 1)[1]


@pytest.mark.slow
def test_work_grows_no_faster_than_the_text(subtests):
    """Twice the nesting costs about twice the calls: thousands of brackets or quotes cannot stall the server."""
    pieces = "[;];![;>;> ;*;*a ;`;<;[a](;- ;>- ;~~a;_;|;$;$$;$a ;\\(;\\[;&;\\;\n"
    for piece in pieces.split(";"):
        with subtests.test(case=piece):
            small, large = count_calls(piece * 3_000), count_calls(piece * 6_000)

            assert large <= 2.5 * small + 1_000


@pytest.mark.slow
def test_a_hundred_kilobytes_are_rendered(subtests):
    """The longest text that is parsed comes out as safe as a short one."""
    for piece in ["word ", "[", ">", "**a** "]:
        with subtests.test(case=piece):
            text = (piece * MAX_CHARS)[:MAX_CHARS]

            assert set(Seen(render_markdown(text)).tags) <= TAGS


@cases(
    ("text", "tag"),
    [
        (r"Half is $\frac{1}{2}$.", "mfrac"),
        (r"So \(x^2\) it is", "msup"),
        ("$$\n\\sum_i x_i\n$$", "munder"),
        ("\\[\n\\sqrt{2}\n\\]", "msqrt"),
        (r"$$\begin{aligned}a&=b\\c&=d\end{aligned}$$", "mtd"),
        ("- a list with $x_1$", "msub"),
    ],
)
def test_formulas_are_drawn_by_the_browser(text: str, tag: str) -> None:
    """Dollars and brackets, in a line or on their own, come out as MathML, and no mark of them stays."""
    html = render_markdown(text)

    assert {"math", tag} <= set(Seen(html).tags)
    assert "$" not in html and "\\" not in html


@cases("text", ["It is $5 and $10.", "`$x$`", r"\$a\$", "a $ b", "5$ or 6$", "```\n$x$\n```"])
def test_money_and_code_are_no_formulas(text: str) -> None:
    """A dollar before an amount, in code, or alone stays a dollar."""
    html = render_markdown(text)

    assert not set(Seen(html).tags) & FORMULA_TAGS
    assert "$" in html


@cases(
    "formula",
    [
        r"\frac{",
        r"\newcommand{\a}{\b\b}\a",
        r"\text{<b>}",
        "x" * (MAX_FORMULA_CHARS + 1),
        "{" * 500,
        r"\left(",
    ],
)
def test_what_is_no_formula_is_shown_as_it_was_written(formula: str) -> None:
    """A wrong, endless or too long formula stands there as code, whole, and what follows it stays outside."""
    html = render_markdown(f"a ${formula}$ *b*")

    assert not set(Seen(html).tags) & FORMULA_TAGS
    assert html.endswith("</code> <em>b</em></p>\n")
    deep = render_markdown("$" + "x^{" * 300 + "}" * 300 + "$ *b*")
    assert deep.endswith(" <em>b</em></p>\n")


def test_formulas_are_drawn_up_to_a_total() -> None:
    """The bounds are per reply: behind so many characters formulas stay as written, and with too many marks all do."""
    formula = r"$\sqrt{2}$ "
    fitting = MAX_FORMULAS_CHARS // len(r"\sqrt{2}")
    long = "$" + "y" * (MAX_FORMULA_CHARS - 1) + "$ "
    assert render_markdown(long * 9 + formula).count("<msqrt>") == 0
    assert render_markdown(formula * (MAX_FORMULA_MARKS // 2)).count("<msqrt>") == MAX_FORMULA_MARKS // 2
    assert fitting > MAX_FORMULA_MARKS // 2
    assert render_markdown(formula * (MAX_FORMULA_MARKS // 2 + 1)).count("<msqrt>") == 0


def test_tasks_show_whether_they_are_done() -> None:
    """A list's item with a box shows the box; brackets elsewhere stay brackets."""
    html = render_markdown("- [ ] read\n- [x] **write**\n- [y] sleep\n\n[ ] no item")

    assert '<li class="task">☐ read</li>' in html
    assert '<li class="task">☑ <strong>write</strong></li>' in html
    assert "<li>[y] sleep</li>" in html and "[ ] no item" in html


# --- as it grows -----------------------------------------------------------------------------------------------------

GROWING = (
    "# Recursion\n\nIt *calls* itself.\n\n- one\n\n- two\n\n  still two\n\nThen:\n\n```python\ndef f():\n\n    f()\n```\n\n"
    "So $x^2$ is\n\n$$\nx\n\ny\n$$\n\n| a | b |\n|---|---|\n| 1 | 2 |\n\nThe end."
)


@cases(
    ("text", "ended"),
    [
        ("one", ""),
        ("one\n\n", ""),
        ("one\n\ntwo", "one\n\n"),
        ("one\n\ntwo\n\nthree", "one\n\ntwo\n\n"),
        ("- one\n\n- two\n\n  more", ""),
        ("1. one\n\n2. two\n\nend", "1. one\n\n2. two\n\n"),
        ("```\na\n\nb", ""),
        ("````\n```\n\na\n````\n\nend", "````\n```\n\na\n````\n\n"),
        ("$$\na\n\nb", ""),
        ("\\[\na\n\nb\n\\]\n\nend", "\\[\na\n\nb\n\\]\n\n"),
        ("> a\n\n> b", ""),
    ],
)
def test_a_block_has_ended_where_something_else_begins(text: str, ended: str) -> None:
    """An empty line inside of code, a formula, a list or a quotation ends nothing."""
    assert text[: find_end(text)] == ended


def test_the_pieces_are_the_whole(subtests):
    """However a reply comes, what was drawn for good and the open end make up what is drawn at last."""
    for step in (1, 3, 7, 50):
        with subtests.test(step=step):
            drawn, ended, growing = 0, "", ""
            for until in [*range(step, len(GROWING), step), len(GROWING)]:
                more, growing, drawn = draw(GROWING[:until], drawn)
                ended += more
            assert ended + growing == render_markdown(GROWING)
            assert "The end." in growing and "Recursion" not in growing
