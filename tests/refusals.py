"""What is refused, and which of its reasons is told."""

from contextlib import contextmanager

import pytest


@contextmanager
def refused(kind, *whys, match=None):
    """Expect an error of a kind that has several reasons, for one of these; the error is in what is yielded, as `value`."""
    with pytest.raises(kind, match=match) as found:
        yield found
    assert found.value.code.partition(".")[2] in whys, found.value.code
