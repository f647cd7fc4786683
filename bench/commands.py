"""How a bench is called: its arguments, what it says of its progress, and its exit code."""

import argparse
import sys
from collections.abc import Callable, Iterable, Sequence
from functools import wraps
from pathlib import Path

from chat.demo.recordings import BadConversation
from companion_site.running import CannotStart

BAD_INPUT = 2
INTERRUPTED = 130


class BadInput(ValueError):
    """A file cannot be measured with; the message says where."""


class CouldNotLive(Exception):
    """A life came to an end before its questions."""


def command(main: Callable[[Sequence[str] | None], int | None]) -> Callable[..., int]:
    """Have `main` of the arguments return an exit code whatever comes: what cannot be measured is one line, and no traceback."""

    @wraps(main)
    def run(arguments: Sequence[str] | None = None) -> int:
        try:
            return main(arguments) or 0
        except (BadInput, BadConversation) as error:
            sys.stderr.write(f"{error}\n")
            return BAD_INPUT
        except (CannotStart, CouldNotLive) as problem:
            sys.stderr.write(f"{problem}\n")
            return 1
        except KeyboardInterrupt:
            return INTERRUPTED

    return run


def make_parser(
    name: str, description: str | None, *, files: str = "", as_json: bool = False, vectors: bool = False
) -> argparse.ArgumentParser:
    """Return the parser of `python -m bench.<name>`.

    Args:
        files: what its FILEs are; one at least has to be named. Empty: it takes none.
        as_json: it can print its figures for a program.
        vectors: it embeds thousands of texts.
    """
    parser = argparse.ArgumentParser(
        prog=f"python -m bench.{name}".rstrip("."),
        description=description,
        formatter_class=argparse.ArgumentDefaultsHelpFormatter,
    )
    if files:
        parser.add_argument("paths", metavar="FILE", nargs="+", type=Path, help=files)
    if as_json:
        parser.add_argument("--json", action="store_true", help="print one JSON object and nothing else")
    if vectors:
        parser.add_argument("--vectors", type=Path, help="file that keeps vectors between two runs")
    return parser


def write_lines(lines: Iterable[object]) -> None:
    """Write each line as soon as it is there."""
    for line in lines:
        sys.stdout.write(f"{line}\n")
        sys.stdout.flush()


def tell(line: str) -> None:
    """Say how far a bench is: on standard error, which no program reads."""
    sys.stderr.write(f"{line}\n")
    sys.stderr.flush()


def keep_quiet(line: str) -> None:
    """Say nothing: standard output is JSON, and whoever reads that reads no progress."""
