"""What is refused over HTTP, and how: before anything of it is parsed, with a reason, and nothing is written."""

import json
from collections.abc import Iterator
from datetime import timedelta

import httpx2
import pytest
from django.utils import timezone

from companion_site.accounts.tokens import issue_token, revoke_token
from memory.agents.mcp import protocol
from memory.agents.mcp.protocol import REQUEST_BYTES
from memory.agents.mcp.server import in_thread
from memory.models import AgentContext, AgentNode
from tests.cases import cases
from tests.factories import NOW
from tests.live import logged_in
from tests.memory.agents.conftest import node, rows_of, token_of
from tests.memory.agents.mcp.conftest import connected, use_up

pytestmark = pytest.mark.spec("K7")
SECRET = "the marmalade is under the third stair"
LIST = {"jsonrpc": "2.0", "id": 1, "method": "tools/list", "params": {}}
HEADERS = {"Content-Type": "application/json", "Accept": "application/json, text/event-stream"}


@pytest.fixture
def asks(site, kari) -> Iterator:
    """Post something as it is, by default a list of the tools with the agent's token."""
    with httpx2.Client(base_url=f"http://{site.address}", timeout=20) as http:

        def ask(body=None, *, token: str | None = kari.token, method: str = "POST", **headers):
            bearer = {} if token is None else {"Authorization": f"Bearer {token}"}
            content = json.dumps(LIST).encode() if body is None else body
            named = {name.replace("_", "-"): value for name, value in headers.items()}
            return http.request(method, "/mcp", content=content, headers={**HEADERS, **bearer, **named})

        yield ask


def test_only_a_standing_token_for_this_opens_anything(asks, kari, bea):
    """None, another kind of log-in, a page's session, one that is none, mixed, expired, revoked or for something else: refused."""
    past = timezone.now() - timedelta(minutes=1)
    _row, expired = token_of(kari.access, now=past - timedelta(days=1), expires_at=past)
    _row, packs = token_of(kari.access, "packs")
    _row, own = issue_token(
        kari.access.owner_key, name="mine", scopes=["agent"], actor=kari.access.person, now=NOW
    )
    revoke_token(bea.space, bea.row.pk, actor=bea.access.person, now=NOW)
    mixed = kari.token[:-40] + bea.token[-40:]
    cookies = "; ".join(f"{name}={morsel.value}" for name, morsel in logged_in("ada").cookies.items())
    for answer in (
        asks(token=None),
        asks(token=None, Authorization="Basic YTpi"),
        asks(token=None, Cookie=cookies),
    ):
        assert (answer.status_code, answer.headers["WWW-Authenticate"]) == (401, 'Bearer realm="Companion"')
        assert answer.json()["error"]["data"]["code"] == "token.missing"
    for token in ("cmp_x", "a b", mixed, expired, bea.token):
        answer = asks(token=token)
        assert answer.status_code == 401 and 'error="invalid_token"' in answer.headers["WWW-Authenticate"]
    for token in (own, packs):
        answer = asks(token=token)
        assert (
            answer.status_code == 403 and 'error="insufficient_scope"' in answer.headers["WWW-Authenticate"]
        )
    assert asks().status_code == 200


@cases(
    ("method", "headers", "status"),
    [
        ("POST", {"Host": "evil.example"}, 400),
        ("POST", {"Host": ""}, 400),
        ("POST", {"Origin": "https://evil.example"}, 403),
        ("POST", {"Origin": "null"}, 403),
        ("POST", {"Origin": "http://[bad"}, 403),
        ("POST", {"Origin": "http://localhost:8000"}, 403),
        ("POST", {"Origin": "http://testserver", "Host": "testserver"}, 200),
        *((method, {}, 405) for method in ("GET", "DELETE", "PUT", "OPTIONS")),
    ],
)
def test_pages_of_other_sites_may_not_ask_and_nobody_but_by_post(asks, method, headers, status):
    """Host and origin must be the site's own, token or not, so that no page makes a browser ask for it. There is no stream to listen on and
    no session to end: other methods are refused."""
    answer = asks(b"" if status == 405 else None, method=method, **headers)
    assert answer.status_code == status
    assert status != 405 or answer.headers["Allow"] == "POST"


@cases("declared", [True, False])
def test_ten_megabytes_are_refused(asks, kari, declared):
    """More than 4 MB is refused before it is parsed, whether the request says its size or not."""
    nodes = [node("concept.large", payload={"details": "x" * 10_000_000})]
    call = {"name": protocol.UPSERT_MEMORY, "arguments": {"nodes": nodes}}
    body = json.dumps({"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": call}).encode()
    assert len(body) > 2 * REQUEST_BYTES
    pieces = (body[start : start + 65_536] for start in range(0, len(body), 65_536))
    answer = asks(body if declared else pieces)
    assert answer.status_code == 413
    assert rows_of(kari.access, AgentNode) == []


def test_an_agent_that_asks_without_end_is_told_to_wait(asks, kari, bea):
    """So many requests a minute are answered; the next is told when to come again, and another agent is not held up."""
    asks()
    use_up(kari.space)
    answer = asks()
    assert answer.status_code == 429
    assert 1 <= int(answer.headers["Retry-After"]) <= 60
    assert answer.json()["error"]["data"]["retryable"] is True
    assert asks(token=bea.token).status_code == 200


@cases(
    "body",
    [
        b"",
        b"not json",
        b"\xff\xfe",
        b"[" * 100_000,
        b'{"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"name": ' + b"[" * 10_000,
        b"[]",
        b'{"jsonrpc": "2.0", "id": 1}',
        b'{"jsonrpc": "1.0", "id": 1, "method": "tools/list"}',
    ],
)
def test_what_is_no_message_is_refused(asks, body):
    """What cannot be understood is answered with an error of the protocol, without a line of code in it."""
    answer = asks(body)
    assert answer.status_code == 400
    assert "error" in answer.json()
    assert "Traceback" not in answer.text and 'File "' not in answer.text
    assert asks().status_code == 200


async def test_another_agents_ids_lead_nowhere(site, kari, bea):
    """Paths, tasks and saves of one agent do not exist for another, also one of the same owner."""
    save = {"task_id": "task-7", "client_id": "11111111-2222-4333-8444-555555555555"}
    theirs, own = ([{"kind": "scratchpad", "data": data}] for data in (SECRET, "mine"))
    episode = node("episode.2026-03-02.one", "episode", payload={"details": SECRET}, meta={"task": "task-7"})
    async with connected(site, kari.token) as client:
        nodes = [node("concept.stairs", payload={"a": SECRET}), episode]
        await client.call_tool(protocol.UPSERT_MEMORY, {"nodes": nodes})
        kept = await client.call_tool(protocol.SAVE_CONTEXT, {**save, "frames": theirs})
    async with connected(site, bea.token) as client:
        for tool, asked in (
            (protocol.SEARCH_MEMORY, {"query": SECRET}),
            (protocol.SEARCH_MEMORY, {"filters": {"ids": ["concept.stairs", episode["id"]]}}),
            (protocol.RECALL_CONTEXT, {"scope": "task", "id": "task-7"}),
            (protocol.RECALL_CONTEXT, {"scope": "recent"}),
        ):
            answer = await client.call_tool(tool, asked)
            assert not any(answer.structured_content.values()) and "nodes" in answer.structured_content
        mine = await client.call_tool(protocol.SAVE_CONTEXT, {**save, "frames": own})
    assert mine.structured_content["id"] != kept.structured_content["id"]
    assert len(await in_thread(rows_of, kari.access, AgentContext)) == 1
