"""Every error of the tree has a code of its own and a message that a person can read, in both languages."""

import ast
import builtins
import importlib
import re
from functools import cache

from django.utils import translation
from django.utils.functional import Promise

from companion_site import errors
from companion_site.errors import CompanionError
from tests.guards.source import modules, nodes

CODE = re.compile(r"[a-z]+([.-][a-z]+)*")
#: Errors that no person of the site sees, each with who does.
OUTSIDE = {
    "chat.imports.files.BadExport": "what reads an export, which keeps the reason for its person",
    "chat.notebook.sums.NoSum": "what reads a sum, which then finds none",
    "chat.demo.recordings.BadConversation": "whoever types `manage.py replay`",
    "companion_site.audit.checkpoints.BadCheckpoint": "who verifies checkpoints, as a finding",
    "companion_site.audit.checkpoint_directory.NotSent": "the log, and staff who look at figures",
    "companion_site.embeddings.calibration.CannotFit": "what fits a calibration, which keeps the default",
    "companion_site.llm.help_lines.BadLines": "whoever starts the site, as a failed check",
    "companion_site.jobs.JobFailed": "staff who look at failed jobs",
    "companion_site.running.CannotStart": "whoever types `make run`",
    "memory.reading.heads.UnusableWeights": "whoever starts the site, as a failed check",
    "memory.agents.client.adapters.OrchestratorError": "the agent's own program",
}


@cache
def tree():
    """Return every class of the tree, wherever it is written."""
    names = {name for name, item in vars(errors).items() if isinstance(item, type)}
    classes = [
        (name, node) for name, module in modules() for node in nodes(module) if isinstance(node, ast.ClassDef)
    ]
    while more := {node.name for _, node in classes if bases_of(node) & names} - names:
        names |= more
    for name in {name for name, node in classes if bases_of(node) & names}:
        importlib.import_module(dotted(name))
    found, waiting = [], [CompanionError]
    while waiting:
        found.append(waiting.pop())
        waiting += found[-1].__subclasses__()
    return found


def bases_of(node):
    """Return the names of what a class is made of."""
    return {getattr(base, "id", getattr(base, "attr", "")) for base in node.bases}


def dotted(path):
    return path.removesuffix(".py").removesuffix("/__init__").replace("/", ".")


def coded_reasons(error):
    """Return what the class itself says by reason, by the code that each has."""
    return {error(why=why).code: message for why, message in vars(error).get("reasons", {}).items()}


def test_every_error_has_a_code_and_a_message():
    """The code is a machine's word, the message is chosen when it is shown."""
    for error in tree():
        for code, message in {error.code: error.message, **coded_reasons(error)}.items():
            assert CODE.fullmatch(code), error
            assert isinstance(message, Promise), error
            with translation.override("en"):
                english = str(message)
            with translation.override("sv"):
                assert str(message) != english, f"{error} is not translated"
            assert english[0].isupper() and english.endswith("."), error


def test_codes_are_told_apart():
    """No two errors share a code, and none inherits its parent's."""
    codes = [code for error in tree() for code in (error.code, *coded_reasons(error))]
    assert len(codes) == len(set(codes))


def test_the_tree_is_drawn_as_it_is():
    """The picture at the top of errors.py shows the classes of that file."""
    drawn = re.findall(r"^[ │]*[├└]─ (\w+)", errors.__doc__, re.MULTILINE)
    written = [
        name for name, item in vars(errors).items() if isinstance(item, type) and issubclass(item, Exception)
    ]
    assert set(drawn) | {"CompanionError"} == set(written)


def test_what_is_raised_on_purpose_is_in_the_tree():
    """An exception of our own hangs in the tree as it is looked at here, or on the list above with who sees it."""
    known = {f"{error.__module__}.{error.__name__}" for error in tree()}
    errors_by_name = {error.__name__ for error in tree()} | {
        name
        for name, item in vars(builtins).items()
        if isinstance(item, type) and issubclass(item, BaseException)
    }
    written = {
        f"{dotted(name)}.{node.name}"
        for name, module in modules()
        for node in nodes(module)
        if isinstance(node, ast.ClassDef) and bases_of(node) & errors_by_name
    }
    assert written - known == set(OUTSIDE)
