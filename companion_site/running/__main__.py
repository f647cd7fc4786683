"""`python -m companion_site.running`: what `make run` starts."""

import sys

from companion_site.running import CannotStart
from companion_site.running.environment import read_environment
from companion_site.running.supervisor import run


def main() -> int:
    """Run the site; return the exit code, 1 with one line when it cannot run."""
    try:
        run(read_environment())
    except CannotStart as problem:
        sys.stderr.write(f"{problem}\n")
        return 1
    except KeyboardInterrupt:
        return 130
    return 0


if __name__ == "__main__":
    sys.exit(main())
