"""What the API's description says is so: generated requests of every operation find nothing."""

from collections.abc import Iterator
from copy import deepcopy
from functools import cache
from typing import Any

import pytest
import schemathesis
from django.core.wsgi import get_wsgi_application
from django.db import connections
from django.test import Client
from drf_spectacular.drainage import GENERATOR_STATS
from schemathesis.config import SchemathesisConfig
from schemathesis.engine import Status, from_schema
from schemathesis.engine.events import EngineFinished, FatalError, NonFatalError, ScenarioFinished
from schemathesis.transport.wsgi import WSGITransport

from memory.agents.context_store import MOST_FRAMES
from tests.api.filling import Filled, filled_agent, filled_auditor, filled_member, filled_student

pytestmark = pytest.mark.spec("K10")

#: Generated requests of each operation, beside those that cover each bound of each parameter.
EXAMPLES = 1
DESCRIPTION = "/api/v1/openapi.json"
OF_A_NETWORK = {"max_redirects", "verify", "cert", "proxies"}
ACCEPTED = ["2xx", "401", "403", "404", "409"]
#: The connections that threads have made, while they are to be kept.
SEEN: list[set[Any]] = []
#: What no generated request can be of use for, each with why.
NEVER_DONE = {
    "POST /api/v1/packs/uploads": "no generated file is a pack",
    "POST /api/v1/conversations/{conversation_id}/messages/{message_id}/retry": "the reply is complete",
    "POST /api/v1/company/facts/{fact_id}/review": "the fact waits for no review",
    "POST /api/v1/company/facts/{fact_id}/doubt": "the fact is in no doubt",
}


@pytest.fixture(autouse=True)
def unhurried(settings) -> None:
    """More requests come in a minute than anybody may send."""
    settings.API_CALLS_PER_MINUTE = settings.API_REPLIES_PER_MINUTE = 1_000_000


@pytest.fixture(autouse=True)
def in_process(monkeypatch) -> None:
    """Keep from an application what only a call over a network takes: of this version's probes it would break some."""
    send = WSGITransport.send

    def send_in_process(self: Any, case: Any, **given: Any) -> Any:
        return send(self, case, **{name: value for name, value in given.items() if name not in OF_A_NETWORK})

    monkeypatch.setattr(WSGITransport, "send", send_in_process)


@pytest.fixture(autouse=True)
def connections_kept(committed) -> Iterator[None]:
    """Have the threads that requests are made on keep their connections; making one takes as long as most answers."""
    kept: set[Any] = set()
    SEEN.append(kept)
    for alias in ("default", "metadata"):
        connections[alias].settings_dict["CONN_MAX_AGE"] = None
    yield
    SEEN.remove(kept)
    for alias in ("default", "metadata"):
        connections[alias].settings_dict["CONN_MAX_AGE"] = 0
    for connection in kept:
        connection.inc_thread_sharing()
        connection.close()


def test_the_description_is_made_without_a_doubt(db):
    """No two things in it have one name, and none is told by a guess."""
    GENERATOR_STATS.reset()
    assert Client().get(DESCRIPTION).status_code == 200
    assert not GENERATOR_STATS, (GENERATOR_STATS._warn_cache, GENERATOR_STATS._error_cache)


def test_frames_are_described_as_they_are_taken(db):
    """Null is data as well, once and not in two ways; of frames there are so many at the most."""
    schemas = Client().get(DESCRIPTION).json()["components"]["schemas"]
    assert schemas["SaveBodyRequest"]["properties"]["frames"]["maxItems"] == MOST_FRAMES
    for name in ("FrameBodyRequest", "FrameOut"):
        data = schemas[name]["properties"]["data"]
        assert "null" in data["type"] and "oneOf" not in data


@pytest.mark.slow
@pytest.mark.parametrize(
    ("fill", "path_regex", "covers"),
    [
        (filled_student, "^/api/v1/(?!company/|agent)", True),
        (filled_agent, "^/api/v1/agent", True),
        (filled_auditor, "^/api/v1/company/", True),
        # Conversations are rows of another space than the token's own there.
        (filled_member, "^/api/v1/(conversations|me$|spaces$)", False),
    ],
)
def test_nothing_is_found(committed, fill, path_regex, covers):
    """Every operation answers every generated request as described: none fails, none is taken that does not fit."""
    assert findings(fill(), path_regex=path_regex, covers=covers) == []


def findings(filled: Filled, *, path_regex: str, covers: bool) -> list[str]:
    """Return what is wrong with the answers to a program's generated requests, each said once.

    Args:
        covers: beside examples and a few generated requests, those that cover each bound of each parameter.
    """
    most = (
        described(filled, filled.ids, covers=covers).include(path_regex=path_regex).exclude(method="DELETE")
    )
    # What removes something comes last, and removes what nothing else was about.
    ids = {**filled.ids, **filled.to_remove}
    rest = described(filled, ids, covers=covers).include(path_regex=path_regex, method="DELETE")
    sizes = [part.statistic.operations.selected for part in (most, rest)]
    found, operations, done = set(), set(), set()
    parts = [part for part, size in zip((most, rest), sizes, strict=True) if size]
    for event in (event for part in parts for event in from_schema(part).execute()):
        if isinstance(event, ScenarioFinished):
            name = event.recorder.label
            operations.add(name)
            found.update(_failures(event))
            done.update(name for answer in _answers(event) if answer.status_code < 300)
        elif isinstance(event, NonFatalError):
            found.add(f"{event.label}: {event.value!r}")
        elif isinstance(event, FatalError):
            raise event.exception
        elif isinstance(event, EngineFinished):
            assert event.stop_reason == "completed"
    assert len(operations) == sum(sizes) > 0
    return sorted(found | {f"{name}: never done" for name in operations - done - set(NEVER_DONE)})


def described(filled: Filled, ids: dict[str, str], *, covers: bool) -> Any:
    """Return the description as the site serves it, for requests of a program about what it has."""
    config = SchemathesisConfig.from_dict(
        {
            "headers": {"Authorization": f"Bearer {filled.program.text}", "Accept-Encoding": "identity"},
            "parameters": {f"path.{name}": value for name, value in ids.items()},
            "generation": {
                "max-examples": EXAMPLES,
                "deterministic": True,
                "no-shrink": True,
                "database": "none",
            },
            "phases": {
                "stateful": {"enabled": False},
                "coverage": {"enabled": covers, "unexpected-methods": ["PUT"]},
            },
            # What fits the description and is refused all the same, such as an expiry in the past.
            "checks": {"positive_data_acceptance": {"expected-statuses": [*ACCEPTED, "422"]}},
        }
    )
    schema = schemathesis.openapi.from_dict(deepcopy(description()), config=config)
    schema.app, schema.location = site(), DESCRIPTION
    return schema


@cache
def site() -> Any:
    """Return the site as an application that ends each request as a server does."""
    app = get_wsgi_application()

    def answer(environ: Any, start_response: Any) -> list[bytes]:
        response = app(environ, start_response)
        try:
            return list(response)
        finally:
            response.close()
            for kept in SEEN:
                kept.update(connections.all(initialized_only=True))

    return answer


@cache
def description() -> dict[str, Any]:
    """Return the description as the site serves it; making it takes long, so it is asked for once."""
    return Client().get(DESCRIPTION).json()


def _answers(event: ScenarioFinished) -> Iterator[Any]:
    return (each.response for each in event.recorder.interactions.values() if each.response is not None)


def _failures(event: ScenarioFinished) -> Iterator[str]:
    for checks in event.recorder.checks.values():
        for check in checks:
            if check.status == Status.FAILURE:
                failure = check.failure_info.failure
                text = f"{event.recorder.label}: {failure.title}: {failure.message}"
                yield f"{text} {check.failure_info.code_sample}"[:1500]
