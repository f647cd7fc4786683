"""Bodies are bounded before Django takes them in, of the REST API and recordings alike; spoken to as a server does."""

import pytest
from asgiref.sync import sync_to_async
from django.core.asgi import get_asgi_application
from django.utils import translation

from chat.upload_bounds import RECORDINGS
from companion_site.accounts.tokens import Scope
from companion_site.api.body import BODIES, BODY_BYTES
from companion_site.api.errors import BodyTooLarge
from companion_site.body_limits import bound_bodies
from memory.api.packs import AROUND_BYTES, PACK_BYTES, UPLOADS
from tests.api.conftest import make_program
from tests.factories import make_access
from tests.uploads import PIECE, Upload

pytestmark = [pytest.mark.spec("K10"), pytest.mark.spec("L1"), pytest.mark.usefixtures("no_disk")]
#: As in `companion_site.asgi`, without the models that it loads.
BOUNDS = [RECORDINGS, UPLOADS, BODIES]
MUCH = 50_000_000
API, RECORDING = "/api/v1/ledger/entries", "/chat/voice/transcripts/"


async def put(total=MUCH, **given):
    """Send a body to the site; return what came of it."""
    upload = Upload(total, **given)
    await bound_bodies(get_asgi_application(), BOUNDS)(upload.scope, upload.receive, upload.send)
    return upload


async def taken_of(total, **given):
    """Return how much of a request an application behind the bounds can read; None where it is not asked."""
    upload, taken = Upload(total, **given), []

    async def other(scope, receive, send):
        while (message := await receive())["type"] == "http.request":
            taken.append(len(message["body"]))
            if not message["more_body"]:
                return

    await bound_bodies(other, BOUNDS)(upload.scope, upload.receive, upload.send)
    return sum(taken) if taken else None


def refusal(upload):
    """Return the status of a refusal and its code; the API and the page's script each have their own word for that."""
    return upload.status, upload.told.get("code") or upload.told["error"]


@pytest.fixture
def most(settings):
    """How large the body of each address may be."""
    return {API: BODY_BYTES, RECORDING: settings.VOICE_MAX_BYTES}


async def test_a_large_body_that_is_announced_is_not_read(db):
    """Not one byte, whoever sends it: nothing is looked up first."""
    under = ("", "ledger/entries", "nothing", "packs/uploads")
    addresses = {f"/api/v1/{path}": "api.too-large" for path in under} | {RECORDING: "voice.too-large"}
    for path, code in addresses.items():
        upload = await put(declared=MUCH, path=path)
        assert (*refusal(upload), upload.taken) == (413, code, 0)
        assert upload.headers[b"cache-control"] == b"no-store" and upload.headers[b"connection"] == b"close"


async def test_a_large_body_that_is_not_announced_is_cut_off(most):
    """What comes is counted: it is refused at the bound, once, and nothing of it lies on the disk. Whoever left hears nothing."""
    for path, code in ((API, "api.too-large"), (RECORDING, "voice.too-large")):
        for declared in (None, 1000):
            upload = await put(declared=declared, path=path)
            assert refusal(upload) == (413, code)
            assert upload.taken <= most[path] + PIECE
            sent = [message["type"] for message in upload.sent]
            assert sent == ["http.response.start", "http.response.body"]
        assert (await put(500_000, declared=500_000, path=path, cut=True)).sent == []


async def test_the_refusal_is_the_one_that_a_view_would_give():
    """In the form of all others, and the language that the program asks for."""
    for language in ("en", "sv"):
        upload = await put(declared=MUCH, path=API, language=language)
        with translation.override(language):
            assert upload.told["detail"] == str(BodyTooLarge.message)
        assert set(upload.told) == {"type", "title", "status", "detail", "code", "retryable"}
        assert upload.headers[b"content-type"] == b"application/problem+json"


async def test_what_is_inside_the_bound_gets_through(most):
    """Down to the last byte; pages keep what they take, and where the site lies below another address its own begin after that."""
    for path, bound in most.items():
        for size in (0, bound):
            assert await taken_of(size, declared=size, path=path) == size
        assert await taken_of(bound + 1, declared=bound + 1, path=path) is None
    for path in ("/companion/api/v1/me", "/api/v1/me"):
        assert await taken_of(MUCH, declared=MUCH, path=path, root="/companion") is None
    size = max(most.values()) + 1
    for path in ("/api/v2/me", "/admin/memory/pack/upload/", "/api", "/chat/"):
        assert await taken_of(size, declared=size, path=path) == size


async def test_a_pack_may_be_large_of_those_who_may_take_one_in(committed):
    """Others get no further than with any other body: no token, one for something else, one that opens nothing."""
    path = "/api/v1/packs/uploads"
    access = await sync_to_async(make_access)("ada")
    may = (await sync_to_async(make_program)(access, Scope.PACKS)).text
    other = (await sync_to_async(make_program)(access, *set(Scope.values) - {Scope.PACKS})).text
    size = 4 * BODY_BYTES
    taken = {
        token: await taken_of(size, path=path, authorization=token)
        for token in (f"Bearer {may}", f"Bearer {other}", "Bearer cmp_" + "A" * 86, "Basic YTpi", "")
    }
    assert taken.pop(f"Bearer {may}") == size
    assert all(found is None or found <= BODY_BYTES for found in taken.values())
    upload = await put(0, declared=PACK_BYTES + AROUND_BYTES + 1, path=path, authorization=f"Bearer {may}")
    assert (upload.status, upload.taken) == (413, 0)
