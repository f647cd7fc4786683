"""How the time to read a text grows with the text, for everything that reads one: `python -m bench.linear`.

Each reader is given texts of every hostile kind at four sizes; its growth is the exponent of the size: 1 is linear, 2 is
quadratic. What takes next to no time is not judged. A reader that is held too long is let go of, and named.
"""

import math
import signal
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from time import process_time
from types import FrameType

import bench  # noqa: F401  sets the number of threads
from bench.commands import command, make_parser
from bench.readers import KINDS, READERS

SIZES = (1_000, 8_000, 32_000, 100_000)
#: Growth over four times the text that is called worse than linear, and what is too fast to be judged.
MOST_GROWTH, LEAST_S = 1.35, 0.02
LONGEST_S = 5.0


@dataclass(frozen=True, kw_only=True)
class Grown:
    """One reader on one kind of text: seconds of processor time at each size, None from where it was let go of."""

    reader: str
    kind: str
    seconds: tuple[float | None, ...]

    @property
    def growth(self) -> float:
        """The exponent between the last two sizes; infinite where the reader was let go of."""
        if any(taken is None for taken in self.seconds):
            return math.inf
        before, after = self.seconds[-2] or 0.0, self.seconds[-1] or 0.0
        if after < LEAST_S:
            return 0.0
        return math.log(after / max(before, 1e-6)) / math.log(SIZES[-1] / SIZES[-2])

    def render(self) -> str:
        """Return the measurement as a line."""
        times = "  ".join("     -   " if taken is None else f"{taken * 1000:8.1f}" for taken in self.seconds)
        return f"{self.reader:<34} {self.kind:<22} {times}  {self.growth:5.2f}"


class _HeldTooLong(Exception):
    pass


def measure(reader: str, read: Callable[[str], object], kind: str, write: Callable[[int], str]) -> Grown:
    """Return how one reader's time grows on one kind of text."""
    seconds: list[float | None] = []
    for size in SIZES:
        seconds.append(_time(read, write(size)) if None not in seconds else None)
    return Grown(reader=reader, kind=kind, seconds=tuple(seconds))


def _time(read: Callable[[str], object], text: str) -> float | None:
    began = process_time()
    signal.setitimer(signal.ITIMER_PROF, LONGEST_S)
    try:
        read(text)
    except _HeldTooLong:
        return None
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
    return process_time() - began


def _let_go(number: int, frame: FrameType | None) -> None:
    raise _HeldTooLong


def measure_all(
    readers: Mapping[str, Callable[[str], object]], kinds: Mapping[str, Callable[[int], str]]
) -> Iterator[Grown]:
    """Yield how each reader grows on each kind of text."""
    signal.signal(signal.SIGPROF, _let_go)
    for reader, read in readers.items():
        read("I moved to Oslo. Jag heter Ada.")
        for kind, write in kinds.items():
            yield measure(reader, read, kind, write)


@command
def main(arguments: Sequence[str] | None = None) -> int:
    """Measure and print what grows worse than linearly, or all; return the exit code."""
    parser = make_parser("linear", __doc__)
    parser.add_argument("readers", nargs="*", help="only the readers whose name holds one of these")
    parser.add_argument("--all", action="store_true", help="print every measurement")
    parser.add_argument("--list", action="store_true", help="print the readers and the kinds of text")
    options = parser.parse_args(arguments)

    if options.list:
        sys.stdout.write("\n".join([*READERS, "", *KINDS, ""]))
        return 0
    chosen = {
        name: read
        for name, read in READERS.items()
        if not options.readers or any(part in name for part in options.readers)
    }
    sys.stdout.write(f"milliseconds at {', '.join(map(str, SIZES))} characters, and the growth\n")
    worst = 0.0
    for grown in measure_all(chosen, KINDS):
        worst = max(worst, grown.growth)
        if options.all or grown.growth > MOST_GROWTH:
            sys.stdout.write(f"{grown.render()}\n")
            sys.stdout.flush()
    sys.stdout.write(f"worst growth: {worst:.2f}\n")
    return int(worst > MOST_GROWTH)


if __name__ == "__main__":
    sys.exit(main())
