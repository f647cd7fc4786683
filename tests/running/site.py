"""A site as `make run` starts it, seen from outside."""

import http.client
import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Self

import psutil

from companion_site.running import PROJECT

PATIENCE_S = 180
#: What the suite sets for itself, and a site started by hand does not have.
OF_THE_SUITE = (
    "DATABASE_URL",
    "DATABASE_OWNER_URL",
    "DATABASE_METADATA_URL",
    "DJANGO_SETTINGS_MODULE",
    "DJANGO_ALLOW_ASYNC_UNSAFE",
    "VAR_DIR",
)
#: Derivations of keys that cost next to nothing, and one thread for what computes.
CHEAP = {"ARGON2_MEMORY_KIB": "64", "ARGON2_ITERATIONS": "1", "OMP_NUM_THREADS": "1"}
#: What a first start does in the background, and would take the worker from what is tested.
LEFT_OUT = {"SHIPPED_PACKS": "off", "DEMO_TALK": "off"}


def terminal() -> dict[str, str]:
    """Return the environment of somebody's terminal."""
    return {name: value for name, value in os.environ.items() if name not in OF_THE_SUITE} | LEFT_OUT


def find_free_port() -> int:
    """Return a port that was free a moment ago."""
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        return listener.getsockname()[1]


def wait_until(condition: Callable[[], object], what: str) -> None:
    """Wait for something that must come; how fast is not the question here."""
    deadline = time.monotonic() + PATIENCE_S
    while not condition():
        if time.monotonic() > deadline:
            raise AssertionError(f"still waiting for {what}")
        time.sleep(0.05)


def status_of(port: int, path: str, **headers: str) -> int | None:
    """Return the status that a server on this machine answers with; None where none does."""
    with closing(http.client.HTTPConnection("127.0.0.1", port, timeout=5)) as connection:
        try:
            connection.request("GET", path, headers=headers)
            return connection.getresponse().status
        except OSError:
            return None


class Site:
    """One started supervisor; `with` waits until everything is up, and leaves nothing behind."""

    def __init__(self, env: dict[str, str], place: Path) -> None:
        self.var = Path(env["VAR_DIR"])
        self.port = int(env["PORT"]) if env["PORT"].isdigit() else 0
        self.output = place / f"output-{time.monotonic_ns()}.txt"
        with self.output.open("w") as output:
            self.process = subprocess.Popen(
                [sys.executable, "-m", "companion_site.running"],
                cwd=PROJECT,
                env=env,
                stdout=output,
                stderr=subprocess.STDOUT,
                start_new_session=True,
            )

    def __enter__(self) -> Self:
        try:
            self.wait_until_up()
        except BaseException:
            self.stop()
            raise
        return self

    def __exit__(self, *_: object) -> None:
        self.stop()

    def said(self) -> str:
        """Return everything it wrote."""
        return self.output.read_text()

    def answers(self) -> bool:
        """Tell whether the site says that it is well."""
        return status_of(self.port, "/healthz") == 200

    def wait_until_up(self) -> None:
        """Wait for the address to be announced and for everything behind it to be there."""
        wait_until(lambda: "Ctrl-C" in self.said() or self.process.poll() is not None, "the site")
        assert self.process.poll() is None, self.said()
        wait_until(lambda: all(map(self.pid, ("web", "worker", "postgres"))), "all three processes")

    def pid(self, name: str) -> int | None:
        """Return the process that `run/` names, if it lives."""
        try:
            pid = int((self.var / "run" / f"{name}.pid").read_text())
            return pid if psutil.Process(pid).status() != psutil.STATUS_ZOMBIE else None
        except (FileNotFoundError, ValueError, psutil.NoSuchProcess):
            return None

    def processes(self) -> list[psutil.Process]:
        """Return everything that runs on this site's directory."""
        found = []
        for process in psutil.process_iter():
            try:
                names = [process.environ().get("VAR_DIR", ""), process.cwd(), *process.cmdline()]
            except (psutil.Error, OSError):
                continue
            if any(name.startswith(str(self.var)) for name in names) and process.pid != os.getpid():
                found.append(process)
        return [process for process in found if process.is_running()]

    def interrupt(self) -> int:
        """Press Ctrl-C and return the exit code."""
        self.process.send_signal(signal.SIGINT)
        return self.process.wait(PATIENCE_S)

    def stop(self) -> None:
        """Leave nothing behind, however the test ended."""
        if self.process.poll() is None:
            self.process.terminate()
        self.process.wait(PATIENCE_S)
        for process in self.processes():
            process.kill()
