"""Places and environments for running the site from outside, apart from the suite's own database."""

from collections.abc import Callable
from pathlib import Path

import pytest

from companion_site.running.cluster import Cluster
from companion_site.running.embedded import hold, let_go
from tests.running.site import Site, find_free_port, terminal


@pytest.fixture
def cluster(tmp_path) -> Cluster:
    """A cluster that does not exist yet; whatever runs on it is gone after the test."""
    cluster = Cluster(tmp_path / "var", durable=False)
    yield cluster
    assert let_go(cluster, hold(cluster), timeout_s=30)


@pytest.fixture
def make_site(tmp_path) -> Callable[[], Site]:
    """Start sites on one fresh directory; all are stopped at the end."""
    sites: list[Site] = []
    env = terminal() | {"VAR_DIR": str(tmp_path / "var"), "PORT": str(find_free_port())}
    env["PYTHONWARNINGS"] = "default"

    def make(**changes: str) -> Site:
        sites.append(Site({**env, **changes}, Path(tmp_path)))
        return sites[-1]

    yield make
    for site in sites:
        site.stop()
