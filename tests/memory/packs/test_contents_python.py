"""Every snippet of the Python pack is run: as it stands it passes, and with any of its claims denied it fails."""

import ast
import json
import os
import re
from xml.etree import ElementTree

import pytest

from memory.packs.sources import SHIPPED, read_source
from tests.processes import run_python

pytestmark = pytest.mark.spec("K6")

NODES = [node for node in read_source(SHIPPED / "python-idioms")[1] if "code" in node["payload"]]
BY_PYTEST = {node["id"]: node["payload"]["code"] for node in NODES if node["payload"].get("run") == "pytest"}
PLAIN = {node["id"]: node["payload"]["code"] for node in NODES if node["id"] not in BY_PYTEST}
#: Runs each piece of code in a module, a folder and a standard output of its own; prints what failed.
RUNNER = """
import contextlib, io, json, os, sys, tempfile, types

failed = {}
for name, code in json.load(sys.stdin).items():
    module = sys.modules["snippet"] = types.ModuleType("snippet")
    with tempfile.TemporaryDirectory() as folder, contextlib.redirect_stdout(io.StringIO()):
        os.chdir(folder)
        try:
            exec(compile(code, name, "exec"), module.__dict__)
        except BaseException as error:
            failed[name] = f"{type(error).__name__}: {error}"
        os.chdir("/")
json.dump(failed, sys.stdout)
"""


def run(pieces):
    """Return what went wrong by name, of pieces of code that a fresh Python runs with warnings as errors."""
    done = run_python("-I", "-W", "error", "-c", RUNNER, input=json.dumps(pieces), timeout=300, check=True)
    return json.loads(done.stdout)


def denials(code):
    """Yield the code with one assert denied, for each of them."""
    places = [place for place, node in enumerate(ast.walk(ast.parse(code))) if isinstance(node, ast.Assert)]
    for place in places:
        tree = ast.parse(code)
        claim = list(ast.walk(tree))[place]
        claim.test = ast.UnaryOp(ast.Not(), claim.test)
        yield ast.unparse(ast.fix_missing_locations(tree))


@pytest.mark.slow
def test_every_snippet_runs_and_keeps_what_it_claims():
    """Each assert is reached and can fail: as it stands the snippet runs, and with one claim denied it no longer does."""
    wrong = {
        f"{path} {number}": code
        for path, snippet in PLAIN.items()
        for number, code in enumerate(denials(snippet))
    }
    failed = run({**PLAIN, **wrong})
    assert len(wrong) > len(PLAIN) / 2 and failed.keys() ^ wrong.keys() == set(), failed


def test_snippets_for_pytest_pass_under_pytest(tmp_path):
    """They are what they show: files of tests, each with at least one that passes."""
    names = {f"test_{number}": path for number, path in enumerate(BY_PYTEST)}
    for name, path in names.items():
        (tmp_path / f"{name}.py").write_text(BY_PYTEST[path], encoding="utf-8")
    passed, failed = run_pytest(tmp_path)
    assert not failed
    assert {names[name] for name in passed} == BY_PYTEST.keys()


def test_snippets_are_short_and_claim_something():
    """At most thirty lines, with an assert or an error that is expected."""
    for node in NODES:
        code = node["payload"]["code"]
        assert len(code.splitlines()) <= 30 and re.search(r"^ *assert |\braises\b", code, re.M), node["id"]


def run_pytest(folder):
    """Return the files of a folder whose tests all pass, and those in which one does not."""
    report = folder / "report.xml"
    (folder / "pytest.ini").write_text("[pytest]\n", encoding="utf-8")
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("PYTEST", "DJANGO"))}
    env = {**kept, "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"}
    words = ("-m", "pytest", "-q", "-p", "no:cacheprovider", f"--junitxml={report}", folder)
    run_python(*words, cwd=folder, env=env, timeout=60)
    cases = list(ElementTree.parse(report).iter("testcase"))  # noqa: S314 - pytest wrote it just now
    failed = {name_of(case) for case in cases if len(case)}
    return {name_of(case) for case in cases} - failed, failed


def name_of(case):
    return (case.get("classname") or case.get("name")).split(".")[0]
