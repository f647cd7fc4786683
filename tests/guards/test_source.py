"""The shape of the source: modules are named for what they hold and say what they are for."""

import ast
import re
from collections.abc import Iterator
from pathlib import PurePath

from django.urls import URLPattern, URLResolver, get_resolver

from companion_site.running import PROJECT
from tests.guards.source import APPS, calls, modules

VAGUE = {"utils", "util", "helpers", "helper", "misc", "common", "tools", "base_utils"}


def test_a_module_is_named_for_what_it_holds():
    """No module is called `utils` or the like."""
    assert [name for name, _ in modules() if PurePath(name).stem in VAGUE] == []


def test_modules_say_what_they_are_for():
    """Every module that holds more than a package marker begins with a docstring."""
    silent = [
        name
        for name, tree in modules()
        if tree.body and not name.endswith("/apps.py") and ast.get_docstring(tree) is None
    ]
    assert silent == []


def test_migrations_make_their_tables_without_surprises():
    """A migration runs no code and no SQL of its own but what is named here, and is done as a whole or not at all."""
    named = {"companion_site/accounts/migrations/0001_initial.py": "an unlogged table"}
    migrations = [path for app in APPS for path in (PROJECT / app).rglob("migrations/0*.py")]
    assert len(migrations) > len(APPS)
    surprising = [
        str(path)
        for path in migrations
        if re.search(r"RunPython|RunSQL|atomic = False", path.read_text())
        and str(path.relative_to(PROJECT)) not in named
    ]
    assert surprising == []


def test_words_are_never_taken_for_markup():
    """Whatever a page is given is escaped by Django: no template has it do otherwise, and these modules alone make markup themselves."""
    loose = re.compile(r"\|\s*safe|autoescape")
    pages = [path for path in (PROJECT / "templates").rglob("*") if path.suffix in {".html", ".txt"}]
    assert [path for path in pages if loose.search(path.read_text())] == [] != pages
    assert (
        {name for name, tree in modules() if calls(tree, "mark_safe")}
        == {
            "chat/replies/markdown.py",  # what a reply says, cleaned: tests/chat/test_markdown.py
            "companion_site/administration/history.py",  # a place where a long number may break
            "memory/student/pages/graph_page.py",  # the picture of a memory: tests/memory/student/pages/test_graph.py
        }
    )


def test_every_address_that_a_page_names_is_there():
    """One that is named wrongly and kept (`{% url … as address %}`) would be empty, and a button by it post to its own page."""
    named = re.compile(r"""{%\s*url\s+['\"]([^'\"]+)""")
    told = {
        name for path in (PROJECT / "templates").rglob("*.html") for name in named.findall(path.read_text())
    }
    assert len(told) > 100 and told - set(_names(get_resolver())) == set()


def _names(resolver: URLResolver, space: str = "") -> Iterator[str]:
    """Yield the names of a site's addresses, each in its namespace."""
    for pattern in resolver.url_patterns:
        if isinstance(pattern, URLPattern):
            yield f"{space}{pattern.name}"
        else:
            yield from _names(pattern, f"{space}{pattern.namespace}:" if pattern.namespace else space)
