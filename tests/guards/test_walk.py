"""The list of what the chat has can be believed: each line of it is shown in a browser."""

import re

import pytest

from companion_site.running import PROJECT
from tests.chat.test_walk_browser import STEPS

LINE = re.compile(r"^\| (\d+) \| .* \|(.*)\|$", re.MULTILINE)


@pytest.mark.spec("E6")
def test_every_line_is_shown():
    """The walk shows what docs/chat.md lists, line for line, and the other tests named there exist."""
    lines = LINE.findall((PROJECT / "docs" / "chat.md").read_text())
    shown = {number for numbers, _ in STEPS for number in numbers}
    assert shown == {int(number) for number, _ in lines} == set(range(1, 28))
    named = {path for _, others in lines for path in re.findall(r"`([^`]+)`", others)}
    assert [path for path in sorted(named) if not (PROJECT / "tests" / path).exists()] == []
