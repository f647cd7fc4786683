"""Secrets, addresses, URLs and SQL that are settled before anything starts."""

import subprocess
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import environ
import psycopg
import pytest

from companion_site.running import CannotStart, supervisor
from companion_site.running.cluster import LONGEST_SOCKET_PATH, Cluster
from companion_site.running.roles import roles_sql
from companion_site.secret_files import read_or_make_text
from tests.processes import run_python


def test_a_secret_is_made_once_and_is_its_owners_alone(tmp_path):
    """Whoever comes at the same time reads the same secret, from a file of mode 0600."""
    path = tmp_path / "deep" / "secret"
    with ThreadPoolExecutor(8) as pool:
        made = set(pool.map(read_or_make_text, [path] * 32))
    assert len(made) == 1
    assert len(made.pop()) >= 43
    assert path.stat().st_mode & 0o777 == 0o600
    assert [file.name for file in path.parent.iterdir()] == ["secret"]


def test_the_urls_lead_to_the_same_place_for_the_site_and_for_psql(tmp_path):
    """A path with capitals and a blank is read alike by the settings and by PostgreSQL's own client."""
    cluster = Cluster(tmp_path / "My Data")
    url = cluster.urls()["DATABASE_URL"]
    config = environ.Env.db_url_config(url)
    client = psycopg.conninfo.conninfo_to_dict(url)
    assert config["OPTIONS"]["host"] == client["host"] == str(cluster.sockets)
    assert config["NAME"] == client["dbname"] == "companion"
    assert config["PASSWORD"] == client["password"]
    assert len({cluster.password(role) for role in ("companion_site", "companion_owner")}) == 2


def test_a_socket_path_is_never_too_long(tmp_path):
    """Deep below a long path the socket moves to a short directory, the same one every time."""
    deep = Cluster(tmp_path / ("x" * 60) / ("y" * 60))
    assert len(str(deep.sockets / ".s.PGSQL.5432")) <= LONGEST_SOCKET_PATH
    assert deep.sockets == Cluster(deep.home).sockets
    assert deep.sockets != Cluster(deep.home / "other").sockets


def test_an_address_of_another_machine_is_refused():
    """HOST must be an address of this machine."""
    with pytest.raises(CannotStart, match=r"^HOST=192\.0\.2\.1 is no address of this machine"):
        supervisor.check_free("192.0.2.1", 8000)


def test_a_password_cannot_leave_its_quotes():
    """A password with another character than letters, digits, - and _ is refused before it reaches the SQL."""
    with pytest.raises(ValueError, match="letters, digits"):
        roles_sql({"companion_site": "x'; DROP ROLE postgres; --"})


def test_the_printed_script_prepares_a_server_of_ones_own(cluster):
    """`python -m companion_site.running.roles | psql` makes roles and database, and names the URLs to use."""
    from companion_site.running.embedded import hold
    from companion_site.running.server_files import programs

    hold(cluster)
    superuser = {"host": str(cluster.sockets), "user": "postgres", "dbname": "postgres"}
    with psycopg.connect(**superuser, autocommit=True) as connection:
        connection.execute("DROP DATABASE companion")
    script = run_python("-m", "companion_site.running.roles", check=True).stdout
    psql = [programs() / "psql", "-qX", psycopg.conninfo.make_conninfo(**superuser)]
    said = subprocess.run(
        psql, input=script, capture_output=True, text=True, check=True, cwd=Path("/")
    ).stdout
    url = next(line for line in said.splitlines() if line.startswith("DATABASE_URL=")).partition("=")[2]
    password = environ.Env.db_url_config(url)["PASSWORD"]
    with psycopg.connect(
        host=str(cluster.sockets), user="companion_site", password=password, dbname="companion"
    ) as connection:
        assert connection.execute("SELECT '[1]'::vector").fetchone() == ("[1]",)
