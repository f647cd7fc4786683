"""Every error of the tree has a code of its own and a message that a person can read, in both languages."""

import ast
import importlib
import pkgutil
import re

import pytest
from django.utils import translation
from django.utils.functional import Promise

import chat
import companion_site
import ledger
import memory
import overlay
from companion_site import errors
from companion_site.errors import CompanionError
from tests.guards.source import modules

CODE = re.compile(r"[a-z]+([.-][a-z]+)*")
#: Errors that no person of the site sees, each with who does.
OUTSIDE = {
    "chat.transcripts.BadConversation": "whoever types `manage.py replay`",
    "companion_site.jobs.JobFailed": "staff who look at failed jobs",
    "companion_site.running.problems.CannotStart": "whoever types `make run`",
}


def tree():
    """Return every class of the tree, wherever it is written."""
    for package in (companion_site, ledger, overlay, memory, chat):
        for module in pkgutil.walk_packages(package.__path__, package.__name__ + "."):
            if module.name.endswith(("errors", "models", "services")):
                importlib.import_module(module.name)
    found, waiting = [], [CompanionError]
    while waiting:
        found.append(waiting.pop())
        waiting += found[-1].__subclasses__()
    return found


TREE = tree()


@pytest.mark.parametrize("error", TREE, ids=lambda error: error.__name__)
def test_an_error_has_a_code_and_a_message(error):
    """The code is a machine's word, the message is chosen when it is shown."""
    assert CODE.fullmatch(error.code)
    assert isinstance(error.message, Promise)
    with translation.override("en"):
        english = str(error.message)
    with translation.override("sv"):
        assert str(error.message) != english, "not translated"
    assert english[0].isupper() and english.endswith(".")


def test_codes_are_told_apart():
    """No two errors share a code, and none inherits its parent's."""
    codes = [error.code for error in TREE]
    assert len(codes) == len(set(codes))


def test_the_tree_is_drawn_as_it_is():
    """The picture at the top of errors.py shows the classes of that file."""
    drawn = re.findall(r"^[ │]*[├└]─ (\w+)", errors.__doc__, re.MULTILINE)
    written = [
        name for name, item in vars(errors).items() if isinstance(item, type) and issubclass(item, Exception)
    ]
    assert set(drawn) | {"CompanionError"} == set(written)


def test_what_is_raised_on_purpose_is_in_the_tree():
    """An exception of our own hangs in the tree, or on the list above with who sees it."""
    known = {error.__name__ for error in TREE}
    strangers = {
        f"{name.removesuffix('.py').replace('/', '.')}.{node.name}"
        for name, module in modules()
        for node in ast.walk(module)
        if isinstance(node, ast.ClassDef)
        and any(getattr(base, "id", "") in {"Exception", "ValueError", "RuntimeError"} for base in node.bases)
        and node.name not in known
    }
    assert strangers == set(OUTSIDE)
