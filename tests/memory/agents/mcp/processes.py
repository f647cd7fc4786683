"""Processes of the site's own on this test's database, to be started, killed and started again."""

import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from urllib.parse import urlsplit

from django.conf import settings
from django.db import connections

from companion_site.running import PROJECT
from tests.running.site import find_free_port, status_of, wait_until


def environment(**more: str) -> dict[str, str]:
    """Return the environment of a process that works on this test's database and key store."""
    return {
        **os.environ,
        "DATABASE_URL": _url_of("DATABASE_URL"),
        "DATABASE_OWNER_URL": _url_of("DATABASE_OWNER_URL"),
        "DATABASE_METADATA_URL": _url_of("DATABASE_METADATA_URL"),
        "KEY_STORE_DIR": str(settings.KEY_STORE_DIR),
        "DJANGO_SETTINGS_MODULE": "companion_site.settings",
        **more,
    }


def _url_of(variable: str) -> str:
    """Return the address of this test's database in the cluster that the suite started."""
    return (
        urlsplit(os.environ[variable])
        ._replace(path=f"/{connections['default'].settings_dict['NAME']}")
        .geturl()
    )


class Web:
    """The site's web server, as `make run` starts it, without a worker; always on the same port."""

    def __init__(self, place: Path) -> None:
        self._output = place / "web.txt"
        self._process: subprocess.Popen | None = None
        self.port = find_free_port()

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}/mcp"

    def start(self) -> None:
        """Start it and wait until it answers."""
        command = [sys.executable, "-m", "uvicorn", "companion_site.asgi:application"]
        command += ["--host", "127.0.0.1", "--port", str(self.port), "--lifespan", "off"]
        command += ["--no-access-log", "--log-level", "warning"]
        with self._output.open("a") as output:
            self._process = subprocess.Popen(
                command, cwd=PROJECT, env=environment(), stdout=output, stderr=subprocess.STDOUT
            )
        wait_until(
            lambda: self._process.poll() is not None or status_of(self.port, "/mcp") == 405, "the web server"
        )
        assert self._process.poll() is None, self._output.read_text()

    def kill(self) -> None:
        """End it as a power cut would; a test that fails shows what it had said."""
        self._process.kill()
        self._process.wait()
        sys.stdout.write(self.said())

    def said(self) -> str:
        return self._output.read_text()

    @contextmanager
    def running(self) -> Iterator["Web"]:
        """Run it until the block ends."""
        self.start()
        try:
            yield self
        finally:
            self.kill()
