"""The project's own source as the guards read it."""

import ast
from collections.abc import Iterator
from functools import cache
from pathlib import Path

from companion_site.running import PROJECT

APPS = ("companion_site", "memory", "chat", "ledger", "overlay")
#: What the dotted names of their modules begin with.
OURS = tuple(f"{app}." for app in APPS)


def modules(*tops: str) -> Iterator[tuple[str, ast.Module]]:
    """Yield path (from the project's root) and syntax tree of every module below `tops`, migrations left out."""
    for top in tops or APPS:
        for path in sorted((PROJECT / top).rglob("*.py")):
            name = path.relative_to(PROJECT).as_posix()
            if "/migrations/" not in name:
                yield name, tree_of(path)


@cache
def tree_of(path: Path) -> ast.Module:
    return ast.parse(path.read_text())


@cache
def nodes(tree: ast.Module) -> tuple[ast.AST, ...]:
    """Return every node of a module: nearly each rule asks for all of them."""
    return tuple(ast.walk(tree))


def calls(tree: ast.Module, name: str) -> list[ast.Call]:
    """Return the calls of a function or method of that name."""
    return _calls(tree).get(name, [])


@cache
def _calls(tree: ast.Module) -> dict[str, list[ast.Call]]:
    found: dict[str, list[ast.Call]] = {}
    for node in nodes(tree):
        if isinstance(node, ast.Call):
            found.setdefault(called(node), []).append(node)
    return found


def called(node: ast.Call) -> str:
    """Return the last part of what a call names."""
    function = node.func
    return function.attr if isinstance(function, ast.Attribute) else getattr(function, "id", "")
