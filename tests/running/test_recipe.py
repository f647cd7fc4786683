"""The deployment recipe holds together: what it names exists, what it sets is known, and what it runs is what is tested."""

import os
import re
import shutil
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

import pytest
import uvicorn
from django.core.management import get_commands

from companion_site.residue import overwriting_freed
from companion_site.running import PROJECT
from companion_site.running.environment import Environment
from companion_site.running.services import web_service, worker_service
from tests.cases import cases
from tests.guards.test_settings import documented
from tests.processes import run_python
from tests.running.certificates import make_certificate
from tests.running.recipe import (
    KINDS,
    NGINX,
    OPERATIONS,
    UNITS,
    compose,
    composed_environment,
    needs,
    on_this_machine,
    unit_command,
    unit_environment,
    unit_lines,
    unit_of,
)
from tests.running.site import terminal

SECRETS = {
    "secret_key": "k" * 20 + "0123456789abcdefghijABCDEFGHIJ-_xyzXYZ",
    "metrics_token": "a token",
    "database_url": "postgres://companion_site:x@db:5432/companion",
    "database_owner_url": "postgres://companion_owner:x@db:5432/companion",
    "database_metadata_url": "postgres://companion_metadata:x@db:5432/companion",
}


def environments():
    """Return what each process is told, by where it is told so."""
    return {
        **{f"compose {kind}": composed_environment(kind) for kind in KINDS},
        **{f"systemd {kind}": unit_environment(kind) for kind in KINDS},
    }


def test_what_it_sets_is_a_known_setting():
    """Every name in the recipe's environments is in docs/settings.md, by itself or as NAME_FILE."""
    known = set(documented()) | set(overwriting_freed({}))
    for where, told in environments().items():
        assert {name.removesuffix("_FILE") for name in told} - known == set(), where


def test_what_is_freed_is_overwritten():
    """Every process is started as `make run` starts those that hold keys."""
    for where, told in environments().items():
        assert overwriting_freed({}).items() <= told.items(), where


def test_both_ways_tell_the_site_the_same():
    """But for where Redis and the files are, a process knows the same under compose and under systemd."""
    for kind in KINDS:
        assert set(composed_environment(kind)) == set(unit_environment(kind)), kind
        loaded = [value for key, value in unit_lines(unit_of(kind)) if key == "LoadCredential"]
        told = {
            value.removeprefix("%d/") for value in unit_environment(kind).values() if value.startswith("%d/")
        }
        assert {value.split(":")[0] for value in loaded} == told, kind
        assert all(value.split(":")[1] == f"/etc/companion/secrets/{value.split(':')[0]}" for value in loaded)


def test_only_the_preparation_may_migrate():
    """The owner's password is given to the one-off step alone, and no secret stands in a file of the repository."""
    owners = {where for where, told in environments().items() if any("OWNER" in name for name in told)}
    assert owners == {"compose prepare", "systemd prepare"}
    secret = re.compile("KEY$|TOKEN$|_URL$|PASSWORD$")
    for where, told in environments().items():
        assert [name for name in told if secret.search(name) and name != "REDIS_URL"] == [], where


def test_what_it_runs_exists():
    """Commands are commands of manage.py, modules can be found, and every option is one that the program knows."""
    options = {
        option for parameter in uvicorn.main.params for option in (*parameter.opts, *parameter.secondary_opts)
    }
    commands = [service["command"] for service in compose()["services"].values() if "build" in service]
    for kind in KINDS:
        program, *rest = unit_command(kind)
        commands.append([Path(program).name, *rest])
    for command in commands:
        if command[0] == "uvicorn":
            assert command[1] == "companion_site.asgi:application"
            given = {word.split("=")[0] for word in command if word.startswith("--")}
            assert given <= options
        elif command[1] == "-m":
            assert find_spec(command[2])
        else:
            assert (command[0], command[1]) == ("python", "manage.py") and command[2] in get_commands()


def test_the_processes_are_those_of_make_run():
    """Web and worker are started with the options that everything else is tested with, but for address and patience."""
    own = Environment(host="H", port=1, var_dir=Path("/nowhere"), database_urls={})
    web = web_service(own, {}).group.command[3:]
    assert worker_service(own, {}).group.command[1:] == compose()["services"]["worker"]["command"][1:]
    differ = {"--host", "--port", "--timeout-graceful-shutdown"}
    for command in (compose()["services"]["web"]["command"][1:], unit_command("web")[1:]):
        # The recipe leaves out no option; it names those of the proxy itself.
        assert pairs(web, differ) <= pairs(command, differ)
        assert pairs(command, differ) - pairs(web, differ) <= {("--no-proxy-headers", "")}


def pairs(command, without):
    """Return options with their values."""
    words = [part for word in command for part in (word.split("=", 1) if word.startswith("--") else [word])]
    found = {}
    for word in words:
        if word.startswith("--"):
            found[last := word] = ""
        elif found:
            found[last] = word
    return {item for item in found.items() if item[0] not in without}


def test_the_image_holds_no_secret_and_its_process_is_nobody():
    """Only listed directories are copied in, nothing that is kept or secret among them, and root runs nothing."""
    lines = [
        line for line in (OPERATIONS / "Dockerfile").read_text().splitlines() if not line.startswith("#")
    ]
    users = [line.split()[1] for line in lines if line.startswith("USER")]
    assert users == ["companion"] and not any(line.startswith("ARG") for line in lines)
    ignored = (OPERATIONS / "Dockerfile.dockerignore").read_text().splitlines()
    rules = [line for line in ignored if line and not line.startswith("#")]
    let_in = {rule[1:] for rule in rules if rule.startswith("!")}
    assert rules[0] == "*" and not let_in & {".env", "var", ".git", "docs", "tests", ".venv"}
    apps = {path.parent.name for path in PROJECT.glob("*/__init__.py")} - {"tests", "bench"}
    assert apps <= let_in and all((PROJECT / name).exists() for name in let_in)


@pytest.mark.slow
def test_django_has_nothing_to_say_of_its_settings(tmp_path):
    """`manage.py check --deploy` is silent with exactly the environment of the recipe, which is told the same in both ways."""
    told = on_this_machine(environments()["systemd prepare"], tmp_path, SECRETS)
    bare = {name: os.environ[name] for name in ("PATH", "HOME", "LANG") if name in os.environ}
    checked = run_python("manage.py", "check", "--deploy", "--fail-level", "WARNING", env={**bare, **told})
    assert checked.returncode == 0, checked.stderr
    assert "no issues (1 silenced)" in checked.stdout and checked.stderr == ""


def test_manage_py_is_run_as_the_units_are(tmp_path):
    """The wrapper for commands gives them the same settings, secrets included, and hands every word on."""
    secrets = tmp_path / "secrets"
    secrets.mkdir()
    for name, value in SECRETS.items():
        (secrets / name).write_text(f"{value}\n")
    shutil.copy(OPERATIONS / "companion.env", tmp_path)
    text = (OPERATIONS / "companion-manage").read_text().replace("/etc/companion", str(tmp_path))
    text = text.replace("/opt/companion", str(tmp_path))
    seen = re.sub(r"exec setpriv .*manage.py", 'exec env - "PATH=$PATH" sh -c \'printf "%s|" "$@"\' -', text)
    script = tmp_path / "companion-manage"
    script.write_text(seen)
    said = subprocess.run(["sh", script, "check", "two words"], capture_output=True, text=True, check=True)
    assert said.stdout == "check|two words|"
    script.write_text(re.sub(r"exec setpriv .*", "exec env", text))
    told = dict(
        line.split("=", 1) for line in subprocess.check_output(["sh", script], text=True).splitlines()
    )
    for name, value in unit_environment("prepare").items():
        bare = name.removesuffix("_FILE")
        assert told[bare] == SECRETS.get(value.removeprefix("%d/"), value), name
    assert re.search(r"setpriv --reuid=(\w+)", text)[1] == dict(unit_lines(unit_of("web")))["User"]


@needs("systemd-analyze")
def test_systemd_takes_the_units(tmp_path):
    """`systemd-analyze verify` finds nothing, with this checkout in place of the one under /opt."""
    for unit in UNITS.iterdir():
        text = unit.read_text().replace("/opt/companion/.venv/bin/", f"{Path(sys.executable).parent}/")
        (tmp_path / unit.name).write_text(text.replace("/opt/companion", str(PROJECT)))
    for name in ("companion-web@8001", "companion-web@8002", "companion-worker@1", "companion-worker@2"):
        shutil.copy(tmp_path / f"{name.partition('@')[0]}@.service", tmp_path / f"{name}.service")
    checked = verify(tmp_path / "companion.target", *tmp_path.glob("*[0-9].service"))
    assert (checked.returncode, checked.stderr) == (0, "")
    broken = tmp_path / "companion-web@8001.service"
    broken.write_text(broken.read_text().replace("Restart=always", "Restrat=always"))
    assert "Restrat" in verify(broken).stderr


def verify(*units):
    command = ["systemd-analyze", "--recursive-errors=no", "verify", *units]
    return subprocess.run(command, capture_output=True, text=True, env=terminal())


@needs("nginx")
@cases("upstream", ["upstream.conf", "upstream-compose.conf"])
def test_nginx_takes_the_configuration(tmp_path, upstream):
    """`nginx -t` finds nothing wrong with the proxy's configuration."""
    conf = write_nginx(tmp_path, upstream)
    checked = subprocess.run(["nginx", "-t", "-c", conf], capture_output=True, text=True)
    assert checked.returncode == 0 and "successful" in checked.stderr, checked.stderr


def write_nginx(place: Path, upstream: str) -> Path:
    """Put the proxy's configuration below `place`, with a certificate of its own; return the file to start with."""
    make_certificate(place)
    text = (NGINX / "companion.conf").read_text().replace("/etc/companion/tls", str(place))
    text = text.replace("/var/log/nginx", str(place))
    (place / "companion.conf").write_text(text)
    servers = (NGINX / upstream).read_text().replace("server web:8000", "server 127.0.0.1:8000")
    (place / "upstream.conf").write_text(servers)
    paths = "".join(
        f"{kind}_temp_path {place}/{kind};\n" for kind in ("client_body", "proxy", "fastcgi", "uwsgi", "scgi")
    )
    main = f"""
pid {place}/nginx.pid;
error_log {place}/error.log warn;
events {{ worker_connections 512; }}
http {{
{paths}
include {place}/upstream.conf;
include {place}/companion.conf;
}}
"""
    conf = place / "nginx.conf"
    conf.write_text(main)
    return conf


def test_the_proxy_writes_down_nothing_of_what_is_said():
    """Neither bodies nor queries nor addresses of people: requests and answers are not buffered on its disk."""
    text = (NGINX / "companion.conf").read_text()
    for rule in ("request_buffering off;", "max_temp_file_size 0;"):
        assert f"proxy_{rule}" in text
    assert "X-Forwarded-For $remote_addr;" in text
    (line,) = re.findall(r"log_format .*", text)
    logged = set(re.findall(r"\$(\w+)", line))
    told = "args request request_uri query_string http_referer remote_addr http_cookie"
    assert not logged & set(told.split())
