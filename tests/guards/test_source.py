"""The shape of the source: small modules that are named for what they hold."""

import ast
import re

import pytest

from companion_site.running.embedded import PROJECT
from tests.guards.source import modules

LONGEST = 300
#: Modules that may be longer, each with the reason.
LONG = {
    "companion_site/llm/offline_phrases.py": "a table of phrases in two languages",
    "memory/ledger_sentences.py": "a table of sentences in two languages",
    "memory/statements.py": "one grammar, whose rules read each other",
}
VAGUE = {"utils", "util", "helpers", "helper", "misc", "common", "tools", "base_utils"}


@pytest.mark.parametrize("name", [name for name, _ in modules()])
def test_a_module_is_small_and_named_for_what_it_holds(name):
    """No module is called `utils`, none is long without a reason, and each says what it is for."""
    path = PROJECT / name
    text = path.read_text()
    assert path.stem not in VAGUE
    assert (len(text.splitlines()) > LONGEST) == (name in LONG), name


def test_modules_say_what_they_are_for():
    """Every module that holds more than a package marker begins with a docstring."""
    silent = [
        name
        for name, tree in modules()
        if tree.body and not name.endswith("/apps.py") and ast.get_docstring(tree) is None
    ]
    assert silent == []


def test_migrations_make_their_tables_without_surprises():
    """A first migration depends on nothing later, runs no code, and touches nothing but its own tables."""
    for path in PROJECT.glob("*/migrations/0001_initial.py"):
        assert not re.search(r"RunPython|RunSQL|atomic = False", path.read_text()), path
