"""docs/settings.md and .env.example say of every setting that it exists, and of nothing else; bad values say so."""

import ast
import os
import re

import pytest
from django.conf import global_settings, settings

from companion_site.llm.gateway import PROVIDERS
from companion_site.running import PROJECT
from tests.cases import cases
from tests.guards.source import APPS, modules, nodes
from tests.processes import run_python

ROW = re.compile(r"^\| `([A-Z][A-Z0-9_]*)` \|", re.MULTILINE)
#: Methods that read one name from the environment.
READS = {"str", "text", "words", "whole", "number", "switch", "choice", "networks", "time_zone", "get"}
#: Set by the site for itself or read by `make`, so not for .env.
NOT_FOR_ENV = {"OMP_NUM_THREADS", "PYTHON", "ARGS", "CI"}
#: What letters and digits look like when nobody chose them: a run of twelve or more with two digits between letters.
RANDOM = re.compile(r"(?=[^\s.:/]*[A-Za-z][^\s.:/]*\d[^\s.:/]*[A-Za-z][^\s.:/]*\d)[^\s.:/]{12,}")
BROKEN = {
    "LEASE_HOURS": "a day",
    "LOGIN_ATTEMPTS": "0",
    "TRUSTED_PROXIES": "nginx",
    "BEHIND_PROXY": "on",
    "SESSION_IDLE_MINUTES": "½",
    "JOB_RETRY_S": "1",
    "LLM_TIMEOUT_S": "nan",
    "DEBUG": "perhaps",
    "LOG_LEVEL": "loud",
    "LLM_SCRUB_LOCAL": "perhaps",
    "LANGUAGE_CODE": "tlh",
    "TIME_ZONE": "Mars/Olympus",
    "DATABASE_URL": "mysql://localhost/companion",
    "DATABASE_OWNER_URL": "companion",
}


def names_read():
    """Return the names that the code reads from the environment."""
    return {name for _, tree in modules(*APPS, "bench") for name in reads_of(tree)}


def reads_of(tree):
    for node in nodes(tree):
        if isinstance(node, ast.Call) and (is_environment(node.func) or is_database(node)):
            for value in node.args[:1]:
                yield from constants(value, tree)


def is_environment(function):
    """Tell `env.text(…)` and `os.environ.get(…)` from other calls."""
    holder = getattr(function, "value", None)
    return getattr(function, "attr", "") in READS and (
        getattr(holder, "id", "") == "env" or getattr(holder, "attr", "") == "environ"
    )


def is_database(node):
    return getattr(node.func, "id", "") == "_database"


def constants(value, tree):
    """Return the names that an argument stands for: a word, or what a loop of the same module goes through."""
    if isinstance(value, ast.Constant) and isinstance(value.value, str):
        return [value.value] if value.value.isupper() else []
    loops = [node for node in nodes(tree) if isinstance(node, ast.comprehension)]
    over = [loop.iter for loop in loops if getattr(loop.target, "id", "") == getattr(value, "id", None)]
    return [item.value for group in over if isinstance(group, ast.Tuple) for item in group.elts]


def documented():
    return ROW.findall((PROJECT / "docs" / "settings.md").read_text())


def test_every_setting_is_documented_once():
    """The page lists exactly what is read, and each name once."""
    made_by_make = {"PYTHON", "ARGS", "CI"}
    listed = documented()
    assert len(listed) == len(set(listed))
    assert set(listed) - made_by_make == names_read()
    makefile = (PROJECT / "Makefile").read_text()
    assert all(f"$({name})" in makefile or f"$${name}" in makefile for name in made_by_make)


def test_the_example_lists_every_setting_in_the_same_order():
    """`.env.example` has what `.env` may hold, and sets nothing by itself."""
    lines = (PROJECT / ".env.example").read_text().splitlines()
    names = [line[1:].partition("=")[0] for line in lines if "=" in line]
    assert names == [name for name in documented() if name not in NOT_FOR_ENV]
    assert all(line.startswith("#") for line in lines if line)


def test_every_setting_of_our_own_is_used():
    """A setting that nothing looks at would promise what does not happen."""
    own = [name for name in documented() if hasattr(settings, name) and not hasattr(global_settings, name)]
    code = "\n".join((PROJECT / name).read_text() for name, _ in modules() if "settings.py" not in name)
    assigned = (PROJECT / "companion_site" / "settings.py").read_text()
    parts = ("API_KEY", "BASE_URL", "CHAT_MODEL", "FAST_MODEL")
    of_providers = {f"{provider.upper()}_{part}" for provider in PROVIDERS for part in parts}
    # In settings.py a name stands twice, as the setting and as its variable; used there, it stands once more.
    assert [
        name
        for name in own
        if f"settings.{name}" not in code
        and name not in of_providers
        and len(re.findall(rf"\b{name}\b", assigned)) < 3
    ] == []


@pytest.mark.slow
@pytest.mark.spec("E1")
@cases("name", BROKEN)
def test_a_value_that_cannot_be_used_is_named_in_one_line(name, tmp_path):
    """A broken setting stops the start with one clear line, without a traceback."""
    env = {**os.environ, "VAR_DIR": str(tmp_path), name: BROKEN[name]}
    done = run_python("-W", "error", "-c", "import companion_site.settings", env=env)
    assert done.returncode == 1
    (line,) = done.stderr.splitlines()
    assert line.startswith(name) and ("docs/settings.md" in line or "postgres://" in line)


def test_an_empty_value_counts_as_none(tmp_path):
    """`NAME=` in `.env` leaves the default standing."""
    empty = {
        name: "" for name in documented() if not name.startswith("DATABASE_") and name not in NOT_FOR_ENV
    }
    env = {**os.environ, **empty, "DATABASE_CONN_MAX_AGE": ""}
    script = "from companion_site import settings as s; print(s.LEASE_HOURS, s.VAR_DIR, s.LLM_CHAIN, s.DEBUG)"
    done = run_python("-c", script, env=env)
    assert done.stdout.split("\n")[0] == f"24 {PROJECT / 'var'} ['anthropic', 'openai', 'offline'] False"


def test_a_secret_can_come_from_a_file(tmp_path):
    """`NAME_FILE` names the file that holds the value, so that it need not be in the environment."""
    (tmp_path / "key").write_text("from-a-file")
    env = {**os.environ, "ANTHROPIC_API_KEY_FILE": str(tmp_path / "key"), "VAR_DIR": str(tmp_path)}
    env.pop("ANTHROPIC_API_KEY", None)
    script = "from companion_site import settings as s; print(s.ANTHROPIC_API_KEY)"
    assert run_python("-c", script, env=env).stdout.strip() == "from-a-file"


def test_no_secret_is_in_the_settings():
    """What is secret comes from the environment or is made on the first start; nothing is written in the file."""
    text = (PROJECT / "companion_site" / "settings.py").read_text()
    words = [node.value for node in ast.walk(ast.parse(text)) if isinstance(node, ast.Constant)]
    assert [word for word in words if isinstance(word, str) and RANDOM.search(word)] == []
    assert settings.SECRET_KEY not in text


@cases("secret", ["sk-ant-api03-Xy7Qp2mV9aLw0Rt4", "9f86d081884c7d659a2feaa0", "Tr0ub4dor&3xK9mPq2vL7wZ"])
def test_a_secret_would_be_seen(secret):
    """Keys of providers, hexadecimal digits and made-up passwords look like none of the settings' own words."""
    assert RANDOM.search(secret)
