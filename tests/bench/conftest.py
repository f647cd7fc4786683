"""Benches are tried out where everything is."""

import os
import subprocess
from contextlib import nullcontext

import pytest

from companion_site.running import PROJECT
from tests.processes import run_python


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    for item in items:
        if item.path.is_relative_to(PROJECT / "tests" / "bench"):
            item.add_marker(pytest.mark.slow)


@pytest.fixture
def measured_here(monkeypatch, committed) -> None:
    """Have a bench measure in this process and its database, where it would make a site for itself."""
    for module in ("bench.replies", "bench.lifecycle_conversations"):
        monkeypatch.setattr(f"{module}.scratch_site", lambda **_: nullcontext())


def run(command: str, *arguments: object, **env: str) -> subprocess.CompletedProcess[str]:
    """Run a bench by itself, with nothing else set in the environment."""
    kept = {
        name: os.environ[name]
        for name in ("PATH", "HOME", "VAR_DIR", "OMP_NUM_THREADS")
        if name in os.environ
    }
    return run_python("-m", f"bench.{command}", *arguments, env=kept | env)
