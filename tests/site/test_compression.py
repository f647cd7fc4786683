"""Answers come compressed where nobody can learn from their length, and what streams is passed on at once."""

import gzip
import itertools

import pytest
from django.http import StreamingHttpResponse
from django.test import Client, RequestFactory
from django.urls import reverse

from companion_site.compression import CompressionMiddleware
from companion_site.running import PROJECT
from tests.cases import cases
from tests.factories import make_access
from tests.live import logged_in

pytestmark = [pytest.mark.django_db, pytest.mark.spec("E5")]
GZIP = {"accept-encoding": "gzip, deflate, br"}
SCRIPT = "js/chat_state.js"


def static(headers=GZIP, *, name=SCRIPT, method="get"):
    """Return a static file as the site serves it."""
    answer = getattr(Client(headers=headers), method)(f"/static/{name}")
    answer.body = b"".join(answer) if answer.streaming else answer.content
    return answer


def test_a_page_comes_compressed():
    """It says so, is much shorter, and holds the same; a proxy keeps it apart from the one that is not."""
    make_access("ada")
    page = logged_in("ada")
    plain, packed = (page.get(reverse("memory:about_me"), headers=given) for given in ({}, GZIP))
    assert "Content-Encoding" not in plain and packed["Content-Encoding"] == "gzip"
    assert "Accept-Encoding" in packed["Vary"] and "Accept-Encoding" in plain["Vary"]
    assert len(packed.content) < len(plain.content) / 2
    assert b"Nothing remembered yet" in gzip.decompress(packed.content)


@cases("asker", ["cross-site", "same-site"])
def test_what_another_site_asks_for_is_not_compressed(asker):
    """Its length would tell whoever chose some of its words what else stands there."""
    answer = Client().get("/login/", headers={**GZIP, "sec-fetch-site": asker})
    assert "Content-Encoding" not in answer and b"<form" in answer.content


def test_static_files_come_compressed():
    """As they are on the disk, with the length that they have on the way; asked for again, they are not sent again. A range is one of
    the file's own bytes, and nothing is sent to who asks for headers alone."""
    file = (PROJECT / "static" / SCRIPT).read_bytes()
    plain, packed = static({}), static()
    assert plain.body == file and "Content-Encoding" not in plain
    assert packed["Content-Encoding"] == "gzip" and gzip.decompress(packed.body) == file
    assert packed["Content-Length"] == str(len(packed.body)) and len(packed.body) < len(file) / 2
    assert packed["Vary"] == plain["Vary"] == "Accept-Encoding"
    assert packed["Content-Type"] == plain["Content-Type"] and static().body == packed.body
    assert static({**GZIP, "if-none-match": packed["ETag"]}).status_code == 304
    part, head = static({**GZIP, "range": "bytes=0-9"}), static(method="head")
    assert part.status_code == 206 and part.body == file[:10]
    assert head.body == b"" and "Content-Encoding" not in head


def test_a_stream_is_passed_on_piece_by_piece():
    """The first piece is there before the second is made, though the stream has no end."""
    made = []

    def endless():
        for number in itertools.count():
            made.append(number)
            yield f"data: {number}\n\n"

    def answer(request):
        return StreamingHttpResponse(endless(), content_type="text/event-stream")

    response = CompressionMiddleware(answer)(RequestFactory(headers=GZIP).get("/"))
    assert "Content-Encoding" not in response
    assert next(iter(response)) == b"data: 0\n\n" and made == [0]
