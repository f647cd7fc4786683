"""The bound on a recording's bytes, held before Django takes the body in; spoken to as a server does."""

import tempfile

import pytest
from asgiref.sync import sync_to_async
from django.core.asgi import get_asgi_application

from chat.upload_bounds import RECORDINGS
from companion_site.body_limits import bound_bodies
from tests.uploads import PIECE
from tests.uploads import Upload as AnyUpload
from tests.voice.conftest import browser_of
from tests.voice.sounds import tone, wav

pytestmark = pytest.mark.spec("L1")


class Upload(AnyUpload):
    """A recording that is sent."""

    def __init__(self, total, **given):
        super().__init__(total, content_type="audio/wav", **given)


async def put(upload):
    await bound_bodies(get_asgi_application(), [RECORDINGS])(upload.scope, upload.receive, upload.send)
    return upload


@pytest.fixture(autouse=True)
def no_disk(monkeypatch):
    monkeypatch.setattr(tempfile, "tempdir", "/nowhere/at/all")


async def test_fifty_megabytes_that_are_announced_are_not_read():
    """Not one byte of them is taken in."""
    upload = await put(Upload(50_000_000, declared=50_000_000))
    assert (upload.status, upload.told["error"], upload.taken) == (413, "voice.too-large", 0)


@pytest.mark.parametrize("declared", [None, 1000])
async def test_fifty_megabytes_that_are_not_announced_are_cut_off(declared, settings):
    """What comes is counted: it is refused at the bound, once, and nothing of it lies on the disk."""
    upload = await put(Upload(50_000_000, declared=declared))
    assert (upload.status, upload.told["error"]) == (413, "voice.too-large")
    assert upload.taken <= settings.VOICE_MAX_BYTES + PIECE
    assert [message["type"] for message in upload.sent] == ["http.response.start", "http.response.body"]


async def test_what_is_inside_the_bound_stays_in_memory(provider, ada):
    """A long recording comes through whole, without a file."""
    browser = await sync_to_async(browser_of)("ada")
    data = wav(tone(110))
    upload = await put(Upload(0, data=data, declared=len(data), cookies=browser.cookies))
    assert upload.status == 200, upload.told
    assert provider.asked[0].file[2] == data


async def test_other_pages_are_not_bound_by_it():
    """Only recordings are."""
    seen = []

    async def other(scope, receive, send):
        seen.append(await receive())

    upload = Upload(9, declared=50_000_000, path="/chat/")
    await bound_bodies(other, [RECORDINGS])(upload.scope, upload.receive, upload.send)
    assert len(seen) == 1


async def test_an_upload_that_is_cut_off_is_answered_by_nothing():
    """Whoever left hears nothing, and nothing is left of what they sent."""
    upload = await put(Upload(1_000_000, declared=1_000_000, cut=True))
    assert upload.sent == []
