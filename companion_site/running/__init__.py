"""Everything between `make run` and a site that answers: the embedded database and the processes around it.

Nothing here needs Django to be set up, so that a problem at the start is told in one line before anything heavy is loaded.
"""

from pathlib import Path

PROJECT = Path(__file__).resolve().parents[2]


class CannotStart(Exception):
    """The site, or its database, cannot be started; the message is one line for the terminal."""
