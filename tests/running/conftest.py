"""Places and environments for running the site from outside, apart from the suite's own database."""

import os
import socket
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from companion_site.running.cluster import Cluster
from companion_site.running.embedded import hold, let_go
from tests.running.site import Site

#: What the suite sets for itself, and a site started by hand does not have.
OF_THE_SUITE = (
    "DATABASE_URL",
    "DATABASE_OWNER_URL",
    "DATABASE_METADATA_URL",
    "DJANGO_SETTINGS_MODULE",
    "VAR_DIR",
)


@pytest.fixture
def outside() -> dict[str, str]:
    """The environment of somebody's terminal."""
    kept = {name: value for name, value in os.environ.items() if name not in OF_THE_SUITE}
    return kept | {
        "SHIPPED_PACKS": "off",
        "DEMO_TALK": "off",
    }  # their embedding would take the processor from what is tested


@pytest.fixture
def free_port() -> int:
    """A port that was free a moment ago."""
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        return listener.getsockname()[1]


@pytest.fixture
def cluster(tmp_path) -> Cluster:
    """A cluster that does not exist yet; whatever runs on it is gone after the test."""
    cluster = Cluster(tmp_path / "var", durable=False)
    yield cluster
    assert let_go(cluster, hold(cluster), timeout_s=30)


@pytest.fixture
def make_site(tmp_path, free_port, outside) -> Callable[[], Site]:
    """Start sites on one fresh directory; all are stopped at the end."""
    sites: list[Site] = []
    env = {**outside, "VAR_DIR": str(tmp_path / "var"), "PORT": str(free_port), "PYTHONWARNINGS": "default"}

    def make(**changes: str) -> Site:
        sites.append(
            Site([sys.executable, "-m", "companion_site.running"], {**env, **changes}, Path(tmp_path))
        )
        return sites[-1]

    yield make
    for site in sites:
        site.stop()
