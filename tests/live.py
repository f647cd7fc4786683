"""The site on a real port of this process, and a browser's side of its socket."""

import asyncio
import json
import threading
import time
from collections.abc import AsyncIterator, Coroutine, Iterator
from contextlib import asynccontextmanager, contextmanager
from functools import cache
from uuid import UUID, uuid4

import uvicorn
from channels.db import database_sync_to_async
from django.http import HttpResponse
from django.test import Client
from django.utils.module_loading import import_string
from django_q.models import OrmQ
from websockets.asyncio.client import connect

from chat.access import ChatAccess
from companion_site import residue
from companion_site.llm.gateway import get_gateway
from companion_site.vault.models import KeySlot
from companion_site.vault.scope import space_scope
from tests.factories import PASSWORD, make_student

PATIENCE_S = 60


def threaded(function):
    """Run in a thread that leaves no connection behind."""
    return database_sync_to_async(function, thread_sensitive=False)


class Served:
    """The site on a free port, in a thread and an event loop of its own."""

    def __init__(self) -> None:
        from companion_site.asgi import application

        # Tests let go of spaces all the time, and to tidy up goes over all that there is; see tests/site/test_residue.py.
        residue._tidying.is_on = False
        config = uvicorn.Config(
            application, port=0, log_level="error", lifespan="off", ws="websockets-sansio"
        )
        self._server = uvicorn.Server(config)
        self._loop: asyncio.AbstractEventLoop | None = None
        self._thread = threading.Thread(target=self._serve, daemon=True)

    def _serve(self) -> None:
        with asyncio.Runner() as runner:
            self._loop = runner.get_loop()
            runner.run(self._server.serve())

    @property
    def address(self) -> str:
        """Where it listens: "127.0.0.1:port"."""
        host, port = self._server.servers[0].sockets[0].getsockname()[:2]
        return f"{host}:{port}"

    def run(self, work: Coroutine) -> None:
        """Run something in the site's own loop, and wait for it."""
        asyncio.run_coroutine_threadsafe(work, self._loop).result(timeout=PATIENCE_S)

    def start(self) -> None:
        """Serve until the process ends."""
        self._thread.start()
        while not self._server.started:
            threading.Event().wait(0.01)

    def wait_until_left(self) -> None:
        """Wait until every browser and program has closed its connections, and what they began is over."""
        deadline = time.monotonic() + PATIENCE_S
        state = self._server.server_state
        while (state.connections or state.tasks) and time.monotonic() < deadline:
            time.sleep(0.01)


@contextmanager
def serving() -> Iterator[Served]:
    """Serve the site for the block, at the one address that it has in this process.

    A channel layer's connections belong to one event loop: with a second server each socket would leave some open.
    What it holds open to a test's model is closed with the block; another test would be told of it otherwise.
    """
    site = _served()
    yield site
    site.wait_until_left()
    site.run(get_gateway().aclose())


@cache
def _served() -> Served:
    site = Served()
    site.start()
    return site


def logged_in(username: str, password: str = PASSWORD) -> Client:
    """Return a browser that has logged in by the page."""
    client = Client()
    answer = client.post("/login/", {"username": username, "password": password})
    assert answer.status_code == 302, answer.content
    return client


def logged_in_staff() -> Client:
    """Make "root", who may do everything in the admin; return their browser."""
    make_student("root", role="staff", is_superuser=True)
    return logged_in("root")


def change_password(client: Client, new: str, **fields: str) -> HttpResponse:
    """Send the form of the account's page."""
    form = {"current_password": PASSWORD, "new_password": new, "repeat": new, **fields}
    return client.post("/account/password/", form)


def recover(client: Client, username: str, code: str, new: str) -> HttpResponse:
    """Send the form of the page for those who have their recovery code."""
    form = {"username": username, "code": code, "new_password": new, "repeat": new}
    return client.post("/recover/", form)


def new_conversation(client: Client) -> UUID:
    """Begin a conversation by the page's button; return its id."""
    return UUID(client.post("/chat/new/").url.strip("/").split("/")[-1])


def page_of(client: Client, conversation: UUID) -> str:
    """Return a conversation's page."""
    return client.get(f"/chat/{conversation}/").content.decode()


def run_jobs() -> int:
    """Run every queued job as the worker would; return how many."""
    count = 0
    for row in OrmQ.objects.order_by("id"):
        import_string(row.func() if isinstance(row.func(), str) else row.task["func"])(*row.args())
        row.delete()
        count += 1
    return count


def leases(access: ChatAccess) -> int:
    """Return how many keys of a space a worker may use."""
    with space_scope(access.space):
        return KeySlot.objects.for_space(access.space).of_kind(KeySlot.Kind.LEASE).count()


class Tab:
    """One open conversation, seen from the browser."""

    def __init__(self, socket) -> None:
        self.socket = socket

    async def send(self, **frame) -> None:
        await self.socket.send(json.dumps(frame))

    async def say(self, text: str, client_id: UUID | None = None) -> UUID:
        client_id = client_id or uuid4()
        await self.send(type="chat.say", client_id=str(client_id), text=text)
        return client_id

    async def next(self, *kinds: str, timeout_s: float = PATIENCE_S) -> dict:
        """Return the next event of one of `kinds`, passing over others."""
        async with asyncio.timeout(timeout_s):
            while True:
                event = json.loads(await self.socket.recv())
                if event["type"] in kinds:
                    return event

    async def until(self, kind: str, timeout_s: float = PATIENCE_S) -> list[dict]:
        """Return every event up to and including the next of `kind`."""
        events = []
        async with asyncio.timeout(timeout_s):
            while not events or events[-1]["type"] != kind:
                events.append(json.loads(await self.socket.recv()))
        return events


@asynccontextmanager
async def tab(address: str, client: Client, conversation: UUID) -> AsyncIterator[Tab]:
    """Open the socket of a conversation with a browser's cookies."""
    cookies = "; ".join(f"{name}={morsel.value}" for name, morsel in client.cookies.items())
    headers = {"Cookie": cookies, "Origin": f"http://{address}"}
    # Without a bound on what was not read, so that a tab can be closed in the middle of it.
    address = f"ws://{address}/ws/chat/{conversation}/"
    async with connect(address, additional_headers=headers, max_queue=None) as socket:
        yield Tab(socket)
