"""`make spec` can be believed: the rows that tests name exist."""

import ast

import pytest

from tests.guards.source import calls, modules
from tests.spec import CRITERIA, ROWS

#: Rows that other rows' tests prove in part and none as a whole yet.
UNPROVEN = {"C4"}


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
