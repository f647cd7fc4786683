"""What ends a log-in or a token ends everything that is open by it, within a second: no frame and no row comes later."""

import asyncio
import contextlib
import json
import time
from collections.abc import AsyncIterator, Callable
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass, field
from uuid import UUID, uuid4

import httpx2
import pytest
from django.apps import apps
from django.db import connection
from django.test import Client
from django.utils import timezone
from psycopg.sql import SQL, Identifier
from websockets.exceptions import ConnectionClosed

from chat import protocol
from chat.models import Message
from companion_site.accounts.invitations import reset_password
from companion_site.accounts.models import Person, Session
from companion_site.accounts.tokens import Scope, issue_token, revoke_token
from companion_site.embeddings.service import get_embedder
from companion_site.llm.gateway import get_gateway
from companion_site.vault.scope import space_scope
from memory.agents.mcp.protocol import SEARCH_MEMORY
from tests import live
from tests.factories import open_space
from tests.live import logged_in, new_conversation, serving, tab, threaded
from tests.llm.wire_server import Act
from tests.memory.agents.mcp.conftest import Kept, connected, make_agent_with_token
from tests.memory.agents.mcp.processes import Web

pytestmark = pytest.mark.spec("G11")

ENDS_WITHIN_S = 1.0
#: how long it must stay silent after that
SILENT_S = 1.5
STORY = " ".join(f"word{number}" for number in range(600))


@dataclass
class Ada:
    """A student with a browser, an agent, and a token for each of the two memories."""

    kept: Kept
    browser: Client
    own_token: str
    own_token_id: UUID

    @property
    def person(self) -> Person:
        return self.kept.access.person

    def cookies(self) -> str:
        return "; ".join(f"{name}={morsel.value}" for name, morsel in self.browser.cookies.items())


def make_ada() -> Ada:
    kept = make_agent_with_token()
    row, text = issue_token(
        open_space(kept.access.person),
        name="Mine",
        scopes=Scope.values,
        actor=kept.access.person,
        now=timezone.now(),
    )
    return Ada(kept, logged_in("ada"), text, row.pk)


# What ends it: by the page, by a service, or by nothing but a row.


def log_out(ada: Ada) -> None:
    other_tab = Client()
    other_tab.cookies = ada.browser.cookies
    assert other_tab.post("/logout/").status_code == 302


def idle(ada: Ada) -> None:
    """As after half an hour of silence; a request that came before its end and is under way still renews it."""
    quiet = 0
    while quiet < 5:
        renewed = Session.objects.standing(now=timezone.now()).update(expire_date=timezone.now())
        quiet = 0 if renewed else quiet + 1
        time.sleep(0.05)


def change_password(ada: Ada) -> None:
    elsewhere = logged_in("ada")
    assert live.change_password(elsewhere, "another long one").status_code == 302
    assert elsewhere.get("/chat/").status_code == 200, "who changed it stays logged in"


def reset(ada: Ada) -> None:
    reset_password(ada.person, now=timezone.now(), actor=None)


def change(**fields: object) -> Callable[[Ada], None]:
    """Change nothing but the row of the person."""
    return lambda ada: Person.objects.filter(pk=ada.person.pk).update(**fields)


def revoke_tokens(ada: Ada) -> None:
    revoke_token(ada.person.space_id, ada.own_token_id, actor=ada.person, now=timezone.now())
    revoke_token(ada.kept.space, ada.kept.row.pk, actor=ada.person, now=timezone.now())


LOG_IN = {"page", "page in flight", "socket idle", "socket streaming"}
TOKEN = {"REST", "REST in flight", "REST of an agent", "MCP"}
#: What each ends. What is not named goes on, for the reason beside it, and is seen to.
MATRIX: dict[str, tuple[Callable[[Ada], None], set[str], str]] = {
    "log-out": (log_out, LOG_IN, "a token is no log-in: it was made to work without one"),
    "idle end": (idle, LOG_IN, "a token has an end of its own, or none"),
    "password change": (change_password, LOG_IN, "a token is a key slot of its own, taken back by its name"),
    "reset by staff": (reset, LOG_IN | TOKEN, ""),
    "deactivation": (change(is_active=False), LOG_IN | TOKEN, ""),
    "role taken away": (change(role=Person.Role.TEACHER), LOG_IN | TOKEN, ""),
    "token revoked": (revoke_tokens, TOKEN, "no log-in rests on a token"),
}
STREAMS = {"page in flight", "socket streaming", "REST in flight"}


@pytest.fixture
def site(committed, model):
    model.always(Act(text=STORY, delay_s=0.1))
    get_embedder().embed(["Loaded before the first reply."])
    with serving() as site:
        yield site
        site.run(get_gateway().aclose())


@pytest.mark.slow
@pytest.mark.parametrize("how", MATRIX)
async def test_everything_that_is_open_ends_within_a_second(site, how):
    """No frame, no answer and no row comes later than a second after; what does not rest on it goes on."""
    end, ends, reason = MATRIX[how]
    assert reason or ends == LOG_IN | TOKEN
    ada = await threaded(make_ada)()
    # A reply that goes on would write, as it may: only those that end are begun.
    opened = [name for name in LOG_IN | TOKEN if name in ends or name not in STREAMS]
    async with all_open(site, ada, opened) as ways:
        await threaded(end)(ada)
        ended_at = time.monotonic()
        await asyncio.sleep(ENDS_WITHIN_S)
        rows = await threaded(versions)(ada)
        await asyncio.sleep(SILENT_S)
        later = await threaded(versions)(ada)
        now = time.monotonic()

    problems = [
        f"{name}: {late} answers or frames after a second"
        for name in sorted(ends)
        if (late := sum(at > ended_at + ENDS_WITHIN_S for at in ways[name].got_at))
    ]
    problems += [f"{name}: it ended, too" for name in opened if name not in ends and ways[name].is_over()]
    problems += [f"{name}: nothing came before" for name in opened if not ways[name].has_begun()]
    problems += [f"row {row} was written after a second" for row in sorted(later ^ rows)]
    problems += [
        f"{name}: closed with {ways[name].ended}"
        for name in ("socket idle", "socket streaming")
        if name in ends and ways[name].ended != str(protocol.LOGGED_OUT)
    ]
    states = await threaded(reply_states)(ada.person.space_id)
    problems += [f"a reply is {state}" for state in states if state != "interrupted"]
    assert len(states) == len(ends & STREAMS)
    assert not problems, "\n".join([f"{how}, seen for {now - ended_at:.1f} s:", *problems])


@asynccontextmanager
async def all_open(site, ada: Ada, names: list[str]) -> AsyncIterator[dict[str, "Way"]]:
    """Have every way in open, and every reply streaming; afterwards none."""
    async with AsyncExitStack() as stack, asyncio.TaskGroup() as group:
        http = await stack.enter_async_context(
            httpx2.AsyncClient(base_url=f"http://{site.address}", timeout=60)
        )
        page = await threaded(ada.browser.get)("/chat/")
        ways = {}
        for name in names:
            conversation = await threaded(new_conversation)(ada.browser)
            ways[name] = Way(name, site, ada, http, conversation, str(page.context["csrf_token"]))
        tasks = [group.create_task(WAYS[name](way)) for name, way in ways.items()]
        await until(lambda: all(way.has_begun() or name in STREAMS for name, way in ways.items()))
        streams = len(STREAMS & set(ways))
        await until(threaded(lambda: len(reply_states(ada.person.space_id, text__isnull=False)) == streams))
        yield ways
        for task in tasks:
            task.cancel()


@dataclass
class Way:
    """One way in: what it takes to open it, when content last came by it, and how it ended."""

    name: str
    site: object
    ada: Ada
    http: httpx2.AsyncClient
    conversation: UUID
    csrf: str
    got_at: list[float] = field(default_factory=list)
    ended: str = ""

    def got(self) -> None:
        self.got_at.append(time.monotonic())

    def has_begun(self) -> bool:
        return bool(self.got_at) or self.name in {"socket idle", "page in flight", "REST in flight"}

    def is_over(self) -> bool:
        if self.name == "socket idle":
            return bool(self.ended)
        return time.monotonic() - self.got_at[-1] > SILENT_S

    async def poll(self, path: str, **headers: str) -> None:
        while True:
            answer = await self.http.get(path, headers=headers)
            if answer.status_code == 200:
                self.got()
            else:
                self.ended = str(answer.status_code)
            await asyncio.sleep(0.05)

    async def listen(self, page) -> None:
        try:
            while True:
                event = json.loads(await page.socket.recv())
                if event["type"] in {"chat.delta", "chat.done", "chat.snapshot"}:
                    self.got()
        except ConnectionClosed as closed:
            self.ended = str(closed.rcvd.code if closed.rcvd else None)


async def page_in_flight(way: Way) -> None:
    """Say something by the form; the answer comes with the whole reply, or not at all."""
    form = {"text": "Tell me a story", "client_id": str(uuid4()), "csrfmiddlewaretoken": way.csrf}
    headers = {"Cookie": way.ada.cookies(), "Origin": f"http://{way.site.address}"}
    answer = await way.http.post(f"/chat/{way.conversation}/say/", data=form, headers=headers)
    if answer.status_code != 302 or not answer.headers["location"].startswith("/login/"):
        way.got()


async def rest_in_flight(way: Way) -> None:
    """Say something and wait for the whole reply."""
    answer = await way.http.post(
        f"/api/v1/conversations/{way.conversation}/messages",
        json={"text": "Tell me a story", "wait_s": 50},
        headers={"Authorization": f"Bearer {way.ada.own_token}"},
    )
    if answer.status_code != 401:
        way.got()


async def idle_socket(way: Way) -> None:
    async with tab(way.site.address, way.ada.browser, way.conversation) as page:
        await way.listen(page)


async def streaming_socket(way: Way) -> None:
    async with tab(way.site.address, way.ada.browser, way.conversation) as page:
        await page.say("Tell me a story")
        await way.listen(page)


async def mcp(way: Way) -> None:
    """Search as an agent does, until nobody answers; the official client raises what it is refused with."""
    with contextlib.suppress(Exception):
        async with connected(way.site, way.ada.kept.token) as client:
            while True:
                found = await client.call_tool(SEARCH_MEMORY, {"query": "anything"})
                if found.is_error:
                    break
                way.got()
                await asyncio.sleep(0.05)


WAYS = {
    "page": lambda way: way.poll("/chat/", Cookie=way.ada.cookies()),
    "page in flight": page_in_flight,
    "socket idle": idle_socket,
    "socket streaming": streaming_socket,
    "REST": lambda way: way.poll("/api/v1/me", Authorization=f"Bearer {way.ada.own_token}"),
    "REST in flight": rest_in_flight,
    "REST of an agent": lambda way: way.poll("/api/v1/agent", Authorization=f"Bearer {way.ada.kept.token}"),
    "MCP": mcp,
}


async def until(condition: Callable, patience_s: float = 60) -> None:
    deadline = time.monotonic() + patience_s
    while True:
        found = condition()
        if await found if asyncio.iscoroutine(found) else found:
            return
        assert time.monotonic() < deadline, "still waiting"
        await asyncio.sleep(0.1)


def versions(ada: Ada) -> set[tuple]:
    """Return every row of both spaces with the transaction that wrote it last."""
    found = set()
    for space in (ada.person.space_id, ada.kept.space):
        with space_scope(space), connection.cursor() as cursor:
            for model in apps.get_models():
                if getattr(model, "belongs_to_space", False):
                    table = Identifier(model._meta.db_table)
                    cursor.execute(SQL("SELECT id, xmin::text FROM {}").format(table))
                    found |= {(model._meta.db_table, str(row), xmin) for row, xmin in cursor.fetchall()}
    return found


def reply_states(space: UUID, **chosen: object) -> list[str]:
    with space_scope(space):
        replies = Message.objects.for_space(space).filter(role=Message.Role.COMPANION, **chosen)
        return list(replies.values_list("state", flat=True))


async def test_a_body_that_comes_slowly_is_not_read_to_its_end(site):
    """A token that is revoked while a program is still sending gets its refusal at once; nothing is done."""
    ada = await threaded(make_ada)()
    host, port = site.address.split(":")
    reader, writer = await asyncio.open_connection(host, int(port))
    head = f"POST /mcp HTTP/1.1\r\nHost: {site.address}\r\nAuthorization: Bearer {ada.kept.token}\r\n"
    head += "Content-Type: application/json\r\nAccept: application/json, text/event-stream\r\nContent-Length: 900\r\n\r\n"
    writer.write(head.encode() + b'{"jsonrpc": "2.0"')
    await writer.drain()
    await asyncio.sleep(0.5)
    await threaded(revoke_tokens)(ada)
    async with asyncio.timeout(30):
        assert (await reader.readline()).split()[1] == b"401"
    writer.close()


@pytest.mark.slow
async def test_another_process_notices(committed, tmp_path):
    """A log-out here closes a socket there: the two share rows and nothing else."""
    ada = await threaded(make_ada)()
    conversation = await threaded(new_conversation)(ada.browser)
    web = Web(tmp_path)
    await threaded(web.start)()
    try:
        async with tab(f"127.0.0.1:{web.port}", ada.browser, conversation) as page:
            await page.say("Hello")
            await page.next("chat.done")
            await threaded(log_out)(ada)
            with pytest.raises(ConnectionClosed) as closed:
                await page.next("never")
        assert closed.value.rcvd.code == protocol.LOGGED_OUT
    finally:
        await threaded(web.kill)()
