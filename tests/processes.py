"""Python in a process of its own."""

import subprocess
import sys
from typing import Any

from companion_site.running import PROJECT


def run_python(*words: object, **options: Any) -> subprocess.CompletedProcess[str]:
    """Run Python with these words where the project lies, to its end; what it wrote comes back as text."""
    given: dict[str, Any] = {"cwd": PROJECT, "capture_output": True, "text": True, "check": False}
    return subprocess.run([sys.executable, *map(str, words)], **given | options)
