"""Where tests write: into memory where that is large enough, because a site waits for the disk at every commit."""

import os
import tempfile
from pathlib import Path

MEMORY = Path("/dev/shm")  # noqa: S108 (directories with names of their own, which nobody else may enter)
#: What some sites at once, their databases and their browsers write.
ENOUGH_BYTES = 6_000_000_000


def write_to_memory() -> None:
    """Have this process and what it starts make their temporary files there, unless somebody has said where."""
    if "TMPDIR" not in os.environ and _is_large_enough(MEMORY):
        os.environ["TMPDIR"] = str(MEMORY)
        tempfile.tempdir = None


def _is_large_enough(place: Path) -> bool:
    """Tell whether files may be made there, programs too, and enough of them."""
    if not os.access(place, os.W_OK | os.X_OK):
        return False
    found = os.statvfs(place)
    return not found.f_flag & os.ST_NOEXEC and found.f_bavail * found.f_frsize >= ENOUGH_BYTES
