"""The operating-system account the database server runs under, and what it must be able to reach.

PostgreSQL refuses to run as root. An ordinary user's server runs as that user; root's runs as the owner of the data, of
the directory around it, or as a system account made for it.
"""

import os
import pwd
import stat
import subprocess
from pathlib import Path
from typing import Any

from companion_site.running.cluster import Cluster
from companion_site.running.problems import CannotStart

ACCOUNT = "companion-db"


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
