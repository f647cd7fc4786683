"""What would not fit into memory is refused at the door, as the site is served, before anything is read and whoever sends it."""

from http.client import HTTPConnection
from uuid import uuid4

import pytest

from chat.upload_bounds import IMPORTS, MESSAGES
from tests.cases import cases

pytestmark = pytest.mark.spec("C2")


@cases(
    "path",
    [
        "/chat/imports/",
        "/chat/imports/begin/",
        "/chat/memory-copy/",
        f"/chat/{uuid4()}/attachments/",
        f"/chat/{uuid4()}/say/",
    ],
)
def test_what_would_go_to_disk_is_refused_at_the_door(site, path):
    """Of an import, a copy of a memory and a message's files: a body that is too large never lies anywhere in plain text."""
    connection = HTTPConnection(site, timeout=30)
    connection.putrequest("POST", path)
    connection.putheader("Content-Length", str(2**30))
    connection.endheaders()
    assert connection.getresponse().status == 413
    connection.close()


def test_other_pages_are_not_bound_by_it(settings):
    """Each bound holds for its own addresses, and leaves room for the largest file."""
    assert (
        not MESSAGES.takes("/chat/") and not MESSAGES.takes("/chat/imports/") and not IMPORTS.takes("/chat/")
    )
    assert settings.FILE_UPLOAD_MAX_MEMORY_SIZE > settings.ATTACHMENT_MAX_BYTES
