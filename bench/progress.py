"""What a bench says of its progress: on standard error, or nothing where standard output is for a program."""

import sys


def tell(line: str) -> None:
    sys.stderr.write(f"{line}\n")
    sys.stderr.flush()


def keep_quiet(line: str) -> None:
    """Say nothing: standard output is JSON, and whoever reads that reads no progress."""
