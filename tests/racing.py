"""What tests of two at once share."""

import threading

import pytest
from django.db import connections


def wait_until_blocked() -> None:
    """Return once some connection waits for another's lock."""
    for _ in range(1000):
        with connections["default"].cursor() as cursor:
            cursor.execute("SELECT count(*) FROM pg_locks WHERE NOT granted")
            if cursor.fetchone()[0]:
                return
        threading.Event().wait(0.01)
    pytest.fail("nobody waited")
