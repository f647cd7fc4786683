"""The product as `make run` starts it, on data of its own, for tests that need no browser."""

import subprocess
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from tests.processes import run_python
from tests.running.first_start import copy_first_start
from tests.running.site import CHEAP, Site, find_free_port, terminal


def environment(place: Path, *, model_url: str, **settings: str) -> dict[str, str]:
    """Return somebody's terminal with settings for a site under `place` that asks one model."""
    env = terminal() | CHEAP
    env |= {"VAR_DIR": str(place / "var"), "PORT": str(find_free_port()), "LLM_CHAIN": "anthropic,offline"}
    env |= {"ANTHROPIC_API_KEY": "key-of-a-test", "ANTHROPIC_BASE_URL": model_url}
    # To overwrite what is freed costs a fifth of all work; that it is done is shown in tests/bench/test_residue.py.
    env |= {"WIPE_FREED_MEMORY": "false"}
    return env | settings


@contextmanager
def running(place: Path, env: dict[str, str], students: Sequence[str] = ()) -> Iterator[Site]:
    """Run the site with these students, NAME or NAME@CLASS, for as long as the block."""
    copy_first_start(Path(env["VAR_DIR"]))
    with Site(env, place) as site:
        run_on(env, "-m", "tests.e2e.people", *students)
        yield site


def run_on(env: dict[str, str], *command: str) -> subprocess.CompletedProcess[str]:
    """Run a Python command on the site's data; its output is returned."""
    return run_python(*command, env=env | {"DJANGO_SETTINGS_MODULE": "companion_site.settings"}, check=True)
