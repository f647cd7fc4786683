"""A reply is drawn as it grows: what has ended once, and nothing twice or never."""

from chat.replies.markdown import Drawing, find_end, render_markdown
from tests.cases import cases

TEXT = (
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
            drawing, ended, growing = Drawing(), "", ""
            for until in [*range(step, len(TEXT), step), len(TEXT)]:
                more, growing = drawing.draw(TEXT[:until])
                ended += more
            assert ended + growing == render_markdown(TEXT)
            assert "The end." in growing and "Recursion" not in growing
