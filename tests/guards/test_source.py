"""The shape of the source: small modules that are named for what they hold."""

import ast
import re

import pytest

from companion_site.running.embedded import PROJECT
from tests.guards.source import APPS, modules

LONGEST = 300
#: Modules that may be longer, each with the reason.
LONG = {
    "companion_site/settings.py": "one list",
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


def test_what_may_be_long_exists():
    """The list above names no module that is gone."""
    assert set(LONG) <= {name for name, _ in modules()}


@pytest.mark.parametrize("app", APPS)
def test_migrations_make_their_tables_without_surprises(app):
    """A migration runs no code and no SQL of its own, and is done as a whole or not at all."""
    migrations = list((PROJECT / app).rglob("migrations/0*.py"))
    assert migrations
    for path in migrations:
        assert not re.search(r"RunPython|RunSQL|atomic = False", path.read_text()), path
