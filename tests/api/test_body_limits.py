"""Bodies to the REST API are bounded before Django takes them in; spoken to as a server does."""

import tempfile

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

pytestmark = pytest.mark.spec("K10")
#: As in `companion_site.asgi`, without the models that it loads.
BOUNDS = [RECORDINGS, UPLOADS, BODIES]
MUCH = 50_000_000


async def put(upload):
    await bound_bodies(get_asgi_application(), BOUNDS)(upload.scope, upload.receive, upload.send)
    return upload


async def taken_of(upload):
    """Return how much of a request an application behind the bounds can read; None where it is not asked."""
    taken = []

    async def other(scope, receive, send):
        while (message := await receive())["type"] == "http.request":
            taken.append(len(message["body"]))
            if not message["more_body"]:
                return

    await bound_bodies(other, BOUNDS)(upload.scope, upload.receive, upload.send)
    return sum(taken) if taken else None


def api(total, *, path="/api/v1/ledger/entries", **given):
    return Upload(total, path=path, content_type="application/json", **given)


@pytest.fixture
def no_disk(monkeypatch):
    monkeypatch.setattr(tempfile, "tempdir", "/nowhere/at/all")


@pytest.mark.parametrize(
    "path", ["/api/v1/", "/api/v1/ledger/entries", "/api/v1/nothing", "/api/v1/packs/uploads"]
)
async def test_a_large_body_that_is_announced_is_not_read(path, no_disk, db):
    """Not one byte, whoever sends it: nothing is looked up first; the refusal has the form of all others."""
    upload = await put(api(MUCH, declared=MUCH, path=path))
    assert (upload.status, upload.told["code"], upload.taken) == (413, "api.too-large", 0)
    assert upload.headers[b"content-type"] == b"application/problem+json"
    assert upload.headers[b"cache-control"] == b"no-store" and upload.headers[b"connection"] == b"close"


@pytest.mark.parametrize("declared", [None, 1000])
async def test_a_large_body_that_is_not_announced_is_cut_off(declared, no_disk):
    """What comes is counted: it is refused at the bound, once, and nothing of it lies on the disk."""
    upload = await put(api(MUCH, declared=declared))
    assert (upload.status, upload.told["code"]) == (413, "api.too-large")
    assert upload.taken <= BODY_BYTES + PIECE
    assert [message["type"] for message in upload.sent] == ["http.response.start", "http.response.body"]


@pytest.mark.parametrize("language", ["en", "sv"])
async def test_the_refusal_is_the_one_that_a_view_would_give(language):
    """In the language that the program asks for."""
    upload = await put(api(MUCH, declared=MUCH, language=language))
    with translation.override(language):
        assert upload.told["detail"] == str(BodyTooLarge.message)
    assert set(upload.told) == {"type", "title", "status", "detail", "code", "retryable"}


async def test_what_is_inside_the_bound_gets_through(no_disk):
    """Down to the last byte."""
    for size in (0, BODY_BYTES):
        assert await taken_of(api(size, declared=size)) == size
    assert await taken_of(api(BODY_BYTES + 1, declared=BODY_BYTES + 1)) is None


async def test_a_prefix_before_the_site_changes_nothing(no_disk):
    """Where the site lies below another address, its own begin after that."""
    for path, root in (("/companion/api/v1/me", "/companion"), ("/api/v1/me", "/companion")):
        assert await taken_of(api(MUCH, declared=MUCH, path=path, root=root)) is None


@pytest.mark.parametrize("path", ["/api/v2/me", "/admin/memory/pack/upload/", "/api"])
async def test_other_addresses_are_not_bound_by_it(path):
    """Pages keep what they take."""
    assert await taken_of(api(BODY_BYTES + 1, declared=BODY_BYTES + 1, path=path)) == BODY_BYTES + 1


async def test_a_pack_may_be_large_of_those_who_may_take_one_in(committed):
    """Others get no further than with any other body: no token, one for something else, one that opens nothing."""
    access = await sync_to_async(make_access)("ada")
    may = (await sync_to_async(make_program)(access, Scope.PACKS)).text
    other = (await sync_to_async(make_program)(access, *set(Scope.values) - {Scope.PACKS})).text
    size = 4 * BODY_BYTES
    taken = {
        token: await taken_of(api(size, path="/api/v1/packs/uploads", authorization=token))
        for token in (f"Bearer {may}", f"Bearer {other}", "Bearer cmp_" + "A" * 86, "Basic YTpi", "")
    }
    assert taken.pop(f"Bearer {may}") == size
    assert all(found is None or found <= BODY_BYTES for found in taken.values())
    most = PACK_BYTES + AROUND_BYTES
    upload = await put(api(0, declared=most + 1, path="/api/v1/packs/uploads", authorization=f"Bearer {may}"))
    assert (upload.status, upload.taken) == (413, 0)
