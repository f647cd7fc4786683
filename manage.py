#!/usr/bin/env python
"""Django's command line; the embedded database runs for the length of the command when no other is given."""

import os
import sys

from django.core.management import execute_from_command_line

from companion_site.running.embedded import ensure_for_command


def main() -> None:
    """Run one command."""
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "companion_site.settings")
    hold = ensure_for_command(sys.argv)
    try:
        execute_from_command_line(sys.argv)
    finally:
        if hold is not None:
            hold.release()


if __name__ == "__main__":
    main()
