"""`make spec` and the list of what the chat has can be believed: what they name is shown by tests that exist."""

import ast
import re

import pytest

from companion_site.running import PROJECT
from tests.chat.test_walk_browser import STEPS
from tests.guards.source import calls, modules
from tests.spec import CRITERIA, ROWS

#: Rows that other rows' tests prove in part and none as a whole yet.
UNPROVEN = {"C4"}
LINE = re.compile(r"^\| (\d+) \| .* \|(.*)\|$", re.MULTILINE)


def rows_named():
    """Return the rows that the tests name, with where they do."""
    for name, tree in modules("tests"):
        for call in calls(tree, "spec"):
            if ast.unparse(call.func) == "pytest.mark.spec":
                for row in call.args:
                    yield name, row.value


@pytest.mark.spec("E1")
def test_tests_name_rows_that_exist():
    """A mark with a mistyped row would prove nothing."""
    strangers = [(name, row) for name, row in rows_named() if row not in ROWS | CRITERIA]
    assert strangers == []


@pytest.mark.spec("E1")
def test_every_row_and_criterion_has_a_test():
    """Whoever takes the last test of one away is told so."""
    named = {row for _, row in rows_named()}
    assert {row for row in ROWS | CRITERIA if row not in named} == UNPROVEN


def test_rows_are_told_in_short_words():
    """Each row has words of its own, in the order of the document."""
    systems = list(dict.fromkeys(row[0] for row in ROWS))
    assert systems == ["G", "C", "I", "L", "K", "E"]
    for system in systems:
        numbers = [int(row[1:]) for row in ROWS if row[0] == system]
        assert numbers == list(range(1, len(numbers) + 1))
    assert all(5 <= len(title) < 80 for title in (ROWS | CRITERIA).values())


@pytest.mark.spec("E6")
def test_every_line_is_shown():
    """The walk shows what docs/chat.md lists, line for line, and the other tests named there exist."""
    lines = LINE.findall((PROJECT / "docs" / "chat.md").read_text())
    shown = {number for numbers, _ in STEPS for number in numbers}
    assert shown == {int(number) for number, _ in lines} == set(range(1, 28))
    named = {path for _, others in lines for path in re.findall(r"`([^`]+)`", others)}
    assert [path for path in sorted(named) if not (PROJECT / "tests" / path).exists()] == []
