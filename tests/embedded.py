"""An embedded database for tests: a cluster of its own, shared by every process of a run, gone with the last."""

import os
from pathlib import Path

from companion_site.running import PROJECT
from companion_site.running.cluster import Cluster
from companion_site.running.embedded import hold
from companion_site.running.locks import FileLock

_holds: dict[Path, FileLock] = {}


def embedded_for_tests() -> dict[str, str]:
    """Start the tests' database unless it runs, and return the environment variables that lead to it.

    It stays up until this process and all others that called this have ended; data is kept from run to run, without
    safety against a power cut.
    """
    home = Path(os.environ.get("VAR_DIR") or PROJECT / "var").resolve() / "test-postgres"
    cluster = Cluster(home, durable=False)
    if home not in _holds:
        _holds[home] = hold(cluster)
    return cluster.urls()
