"""No text can hold a process: no regular expression is quadratic in it, and no reader does more work than the text is longer."""

import importlib
import pkgutil
import re
import sys
from collections.abc import Iterator

import pytest

from bench.readers import KINDS, READERS
from tests.guards.patterns import find_quadratic
from tests.guards.source import APPS

#: Modules whose patterns may be quadratic, and why that holds nobody: what they read is short, or never a stranger's.
BOUNDED = {
    "chat.notebook.days": "calculator.LONGEST: 300 characters",
    "chat.notebook.sums": "calculator.LONGEST: 300 characters",
    "chat.summaries.points": "_FILLER is matched whole, from one place",
    "chat.voice.sentences": "a block of a reply; addresses end at the first space, and spaces are single there",
    "companion_site.audit.services": "names of actions, which are ours",
    "companion_site.language": "_FENCED takes a fence that is never closed to the end, so it is begun once",
    "companion_site.llm.scrubbing.detector": "an address is matched behind an @ only; of an account, the library's own table",
    "companion_site.logs": "names of events, which are ours",
    "memory.algorithms.reminders": "a statement's first 600 characters",
    "memory.company.summaries.text": "a fact, which has 300 characters at the most",
    "memory.company.live.statements": "a candidate's content, which is cut to 600 characters",
    "memory.company.live.sie": "matched at one place after the other",
}  # fmt: skip


def patterns() -> Iterator[tuple[str, re.Pattern[str]]]:
    """Yield every pattern that a module keeps, with the module where it is kept first."""
    seen = set()
    for app in APPS:
        package = importlib.import_module(app)
        for found in pkgutil.walk_packages(package.__path__, f"{app}."):
            if (
                ".migrations." in found.name
                or ".management." in found.name
                or found.name.endswith(("__main__", ".asgi"))
            ):
                continue
            module = importlib.import_module(found.name)
            for pattern in _within(list(vars(module).values())):
                if isinstance(pattern.pattern, str) and id(pattern) not in seen:
                    seen.add(id(pattern))
                    yield found.name, pattern


def _within(value) -> Iterator[re.Pattern]:
    if isinstance(value, re.Pattern):
        yield value
    elif isinstance(value, dict):
        yield from (found for each in value.values() for found in _within(each))
    elif isinstance(value, list | tuple):
        yield from (found for each in value for found in _within(each))


def test_what_is_quadratic_is_told_from_what_is_not():
    """The guard itself: a repeat that a search begins in anywhere and that may fail behind it, and nothing else."""
    quadratic = [
        r"\s+x",
        r"\[[^\]]*\]",
        r"a.*b",
        r"(?:a|b)+c",
        r"\s*(?=x)",
        r"\w+n't",
        r",?\s+-+\s",
        r"(?i:x+)y",
        r"\s++x",
    ]
    linear = [
        r"\s+",
        r"(?<!\w)\w+x",
        r"\b\w+n't",
        r"\[[^\[\]]*\]",
        r"^\s*x",
        r"\A.*x",
        r"[^\s.][^.]*+([.]*+)",
        r"\d+(?:[.,]\d+)*",
    ]
    assert [one for one in quadratic if not find_quadratic(re.compile(one))] == []
    assert [one for one in linear if find_quadratic(re.compile(one))] == []


def test_no_pattern_that_reads_a_whole_text_is_quadratic():
    """Every regular expression of the product is looked at; those that may be quadratic read what is short."""
    found: dict[str, list[str]] = {}
    count = 0
    for module, pattern in patterns():
        count += 1
        if find_quadratic(pattern):
            found.setdefault(module, []).append(pattern.pattern[:80])
    assert count > 260
    assert {module: each for module, each in found.items() if module not in BOUNDED} == {}
    assert set(BOUNDED) - set(found) == set()


SIZES = (1_000, 8_000, 32_000)
#: Four times the text may be so much more work: some is done in steps, and a limit may just be reached.
MOST = 5.5
#: Work that is too little to be compared: what is done once for any text.
LEAST = 40_000


class Work:
    """Counts the calls of functions, of ours and of C, while something is done."""

    def __init__(self) -> None:
        self.count = 0

    def of(self, read, text: str) -> int:
        self.count = 0
        kept = sys.getprofile()
        sys.setprofile(self._note)
        try:
            read(text)
        finally:
            sys.setprofile(kept)
        return self.count

    def _note(self, frame, event, argument) -> None:
        self.count += 1


@pytest.mark.slow
def test_readers_do_linear_work_on_what_was_quadratic_once():
    """The kinds of text that held a process before, each with its reader."""
    held = [
        ("memory.life_facts", "times"), ("memory.life_facts", "medicine"), ("memory.life_facts", "company"),
        ("memory.question_share", "blank lines"), ("memory.question_share", "open brackets"),
        ("memory.sleep", "blank lines"), ("memory.sleep", "spaces"), ("memory.sleep", "newlines"),
        ("overlay.guard", "wide table"), ("overlay.guard", "per cent"),
        ("chat.coaching", "the same word"), ("chat.coaching", "one mail"),
        ("chat.summary", "questions"), ("chat.summary", "references"),
    ]  # fmt: skip
    work, grown = Work(), []
    for reader, kind in held:
        READERS[reader]("I moved to Oslo. Jag heter Ada.")
        counts = [work.of(READERS[reader], KINDS[kind](size)) for size in SIZES]
        if counts[2] > LEAST and counts[2] > MOST * max(counts[1], LEAST // 8):
            grown.append((reader, kind, counts))
    assert grown == []
