"""What a first start of the site leaves in its directory, made once for all tests of a checkout and copied from then on.

A first start itself is seen in test_site.py; it makes a database and runs every migration, which takes far longer than the start.
"""

import os
import shutil
import subprocess
from hashlib import sha256
from pathlib import Path

from companion_site.running import PROJECT
from companion_site.running.locks import locked
from tests.guards.source import APPS
from tests.running.site import CHEAP, Site, find_free_port, terminal


def copy_first_start(var: Path) -> None:
    """Have the directory of a site that is not there yet look as after a first start: database, keys, demo people."""
    store = Path(os.environ.get("VAR_DIR") or PROJECT / "var") / "first-starts"
    made = store / _digest()
    with locked(store / "lock"):
        if not made.exists():
            for older in store.glob("*-*"):
                shutil.rmtree(older)
            _start_for_the_first_time(made)
    var.parent.mkdir(parents=True, exist_ok=True)
    # As it lies there: the database's files belong to the database's own account.
    subprocess.run(["cp", "-a", str(made / "var"), str(var)], check=True)


def _start_for_the_first_time(made: Path) -> None:
    draft = made.with_name("draft-")
    draft.mkdir(mode=0o755)
    _share_vectors(draft / "var")
    env = terminal() | CHEAP | {"LLM_CHAIN": "offline"}
    env |= {"VAR_DIR": str(draft / "var"), "PORT": str(find_free_port())}
    with Site(env, draft) as site:
        assert site.interrupt() == 0, site.said()
    shutil.rmtree(draft / "var" / "run")
    draft.rename(made)


def _share_vectors(var: Path) -> None:
    """Let a site find the vectors of its own sentences where every site of this checkout keeps them.

    To embed them takes each new site a few seconds; that they are is shown in tests/memory/reading/test_vector_cache.py.
    """
    kept = PROJECT / "var" / "prototypes"
    kept.mkdir(parents=True, exist_ok=True)
    var.mkdir(parents=True)
    for path in (kept, kept.with_suffix(".lock")):
        (var / path.name).symlink_to(path)


def _digest() -> str:
    """Return a name for the code as it is."""
    found = sha256((PROJECT / "requirements.txt").read_bytes())
    for app in APPS:
        for path in sorted((PROJECT / app).rglob("*.py")):
            found.update(path.name.encode() + b"\0" + sha256(path.read_bytes()).digest())
    return f"code-{found.hexdigest()[:16]}"
