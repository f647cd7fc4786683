"""A call from its arguments to its answer, without a socket."""

import json
import logging

import pytest
from structlog.stdlib import ProcessorFormatter

from companion_site.api.fields import schema_of
from memory.agents.mcp import protocol
from memory.agents.mcp.protocol import REQUEST_BYTES
from memory.agents.mcp.server import answer_call
from memory.agents.mcp.toolset import TOOLS, Caller
from memory.models import AgentNode
from tests.cases import cases
from tests.memory.agents.conftest import nested, node, rows_of
from tests.memory.agents.mcp.conftest import make_agent_with_token

pytestmark = pytest.mark.spec("K7")
SECRET = "the marmalade is under the third stair"


@pytest.fixture
def caller(db) -> Caller:
    return Caller(make_agent_with_token().access, frozenset({"agent"}))


def broken() -> Caller:
    raise RuntimeError(SECRET)


def test_what_nobody_expected_goes_out_without_its_text(caplog, monkeypatch):
    """An error of the program becomes an answer that says so; its text stands neither there nor in the log."""
    handlers = logging.getLogger().handlers
    as_written = [one.formatter for one in handlers if isinstance(one.formatter, ProcessorFormatter)]
    monkeypatch.setattr(caplog.handler, "formatter", as_written[0])
    with caplog.at_level(logging.INFO):
        answer = answer_call(broken, protocol.SEARCH_MEMORY, {"query": SECRET})
    assert answer.is_error
    assert answer.structured_content["error"]["code"] == "companion.error"
    assert SECRET not in answer.model_dump_json()
    assert "mcp.failed" in caplog.text and "RuntimeError" in caplog.text and SECRET not in caplog.text


@pytest.mark.parametrize(
    "query",
    ["x" * (REQUEST_BYTES + 1), "å" * (REQUEST_BYTES // 2 + 1), nested(5_000)],
    ids=["characters", "bytes", "levels"],
)
def test_arguments_that_are_too_large_are_refused_on_every_way(caller, query):
    """Over standard input too, more than 4 MB are refused, and what is nested without end."""
    answer = answer_call(lambda: caller, protocol.SEARCH_MEMORY, {"query": query})
    assert answer.structured_content["error"]["code"] == "mcp.too-large"


@cases(
    ("tool", "arguments", "code"),
    [
        ("kom.memory.v1.drop_memory", {}, "mcp.unknown-tool"),
        (
            protocol.SEARCH_MEMORY,
            {"query": SECRET, "space": "01a20224-7d77-766f-9f6e-2fbd07b51bfc"},
            "mcp.arguments-invalid",
        ),
        (protocol.SEARCH_MEMORY, {"query": SECRET, "k": 10**9}, "mcp.arguments-invalid"),
        (protocol.SEARCH_MEMORY, {"query": SECRET, "k": True}, "mcp.arguments-invalid"),
        (protocol.SEARCH_MEMORY, {"query": [SECRET]}, "mcp.arguments-invalid"),
        (protocol.SEARCH_MEMORY, {"query": ""}, "agent.node-invalid"),
        (protocol.SEARCH_MEMORY, {"query": "x" * 20_001}, "mcp.arguments-invalid"),
        (protocol.SEARCH_MEMORY, {"query": SECRET, "filters": {"types": [SECRET]}}, "mcp.arguments-invalid"),
        (protocol.SEARCH_MEMORY, {"query": SECRET, "filters": {"ids": []}}, "mcp.arguments-invalid"),
        (protocol.UPSERT_MEMORY, {"nodes": [node("concept.a")] * 201}, "mcp.arguments-invalid"),
        (protocol.UPSERT_MEMORY, {"nodes": [node("concept.a")] * 2}, "agent.node-invalid"),
        (protocol.UPSERT_MEMORY, {"nodes": [node("../../etc/passwd")]}, "agent.node-invalid"),
        (protocol.UPSERT_MEMORY, {"nodes": [node("concept.a"), SECRET]}, "agent.node-invalid"),
        (protocol.RECALL_CONTEXT, {"scope": "task"}, "agent.node-invalid"),
        (protocol.RECALL_CONTEXT, {"scope": SECRET}, "mcp.arguments-invalid"),
        (
            protocol.SAVE_CONTEXT,
            {"task_id": SECRET, "frames": [{"kind": "hidden", "data": SECRET}]},
            "mcp.arguments-invalid",
        ),
        (protocol.SAVE_CONTEXT, {"task_id": "t", "frames": [], "client_id": SECRET}, "mcp.arguments-invalid"),
        (
            protocol.SAVE_CONTEXT,
            {"task_id": "t", "frames": [{"kind": "problem", "data": "x" * 300_000}]},
            "agent.node-invalid",
        ),
        (protocol.EXPORT_ENCRYPTED, {"passphrase": "long enough", "selection": "sql:1"}, "pack.selection"),
        (
            protocol.EXPORT_ENCRYPTED,
            {"passphrase": "long enough", "selection": "domain:none"},
            "pack.nothing-selected",
        ),
        (protocol.IMPORT_ENCRYPTED, {"passphrase": "long enough", "pack": "not base64!"}, "pack.unknown"),
        (protocol.IMPORT_ENCRYPTED, {"passphrase": "long enough", "pack": "aGVsbG8="}, "pack.unknown"),
    ],
)
def test_bad_arguments_are_told_of_and_not_repeated(caller, caplog, tool, arguments, code):
    """What a tool does not take comes back as an error of the tool, by code, without what stood there; nothing is kept."""
    with caplog.at_level(logging.INFO):
        answer = answer_call(lambda: caller, tool, arguments)
    assert answer.is_error
    assert answer.structured_content["error"]["code"] == code
    assert answer.content[0].text.startswith(f"{code}: ")
    assert SECRET not in answer.model_dump_json()
    assert SECRET not in caplog.text
    assert rows_of(caller.access, AgentNode) == []


def test_schemas_say_what_is_taken():
    """Every schema is closed, is JSON, and names for each argument what it is."""
    for tool in TOOLS.values():
        schema = schema_of(tool.takes)
        assert all(part["additionalProperties"] is False for part in (schema, *schema["$defs"].values()))
        json.dumps(schema)
    node = schema_of(TOOLS[protocol.UPSERT_MEMORY].takes)["properties"]["nodes"]["items"]
    assert set(node["required"]) == {"id", "type"}
    assert len(node["properties"]["type"]["enum"]) == 9
