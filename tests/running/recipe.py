"""The deployment recipe of docs/operations.md, as tests read it: compose.yaml, the systemd units, the proxy and the environment."""

import os
import shlex
import shutil
from pathlib import Path
from typing import Any

import pytest
import yaml

from companion_site.running import PROJECT

OPERATIONS = PROJECT / "docs" / "operations"
UNITS = OPERATIONS / "systemd"
NGINX = OPERATIONS / "nginx"
#: What the site's own processes are called, in both ways of running it.
KINDS = ("web", "worker", "prepare")


def needs(*programs: str) -> pytest.MarkDecorator:
    """Leave a test out where somebody's own machine lacks a program; with CI=true it runs, and fails without it."""
    missing = [program for program in programs if shutil.which(program) is None]
    return pytest.mark.skipif(
        bool(missing) and os.environ.get("CI") != "true",
        reason=f"{', '.join(missing)} is not installed (Debian: nginx-light, redis-server, systemd)",
    )


def compose() -> dict[str, Any]:
    return yaml.safe_load((PROJECT / "compose.yaml").read_text())


def shared_environment() -> dict[str, str]:
    """Return what companion.env sets."""
    lines = (OPERATIONS / "companion.env").read_text().splitlines()
    return dict(line.split("=", 1) for line in lines if line and not line.startswith("#"))


def composed_environment(service: str) -> dict[str, str]:
    """Return everything that a service of compose.yaml is told."""
    return {**shared_environment(), **compose()["services"][service]["environment"]}


def unit_lines(name: str) -> list[tuple[str, str]]:
    """Return the settings of a unit in order; a name may come more than once."""
    lines = (UNITS / name).read_text().splitlines()
    return [(key, value) for key, sign, value in (line.partition("=") for line in lines) if sign]


def unit_environment(kind: str) -> dict[str, str]:
    """Return everything that a unit's process is told."""
    found = shared_environment()
    for key, value in unit_lines(unit_of(kind)):
        if key == "Environment":
            found |= dict(word.split("=", 1) for word in shlex.split(value))
    return found


def unit_command(kind: str) -> list[str]:
    (command,) = [value for key, value in unit_lines(unit_of(kind)) if key == "ExecStart"]
    return shlex.split(command)


def unit_of(kind: str) -> str:
    return f"companion-{kind}.service" if kind == "prepare" else f"companion-{kind}@.service"


def on_this_machine(environment: dict[str, str], place: Path, secrets: dict[str, str]) -> dict[str, str]:
    """Return an environment of the recipe with its files and directories below `place`.

    Args:
        secrets: by the file's name, as /etc/companion/secrets holds them.
    """
    told = dict(environment)
    for name, value in environment.items():
        path = Path(value.replace("%d/", "/run/secrets/"))
        if name.endswith("_FILE"):
            told[name] = str(place / path.name)
            (place / path.name).write_text(secrets[path.name])
        elif path.is_absolute():
            told[name] = str(place / path.name)
            Path(told[name]).mkdir(exist_ok=True, mode=0o700)
    return told
