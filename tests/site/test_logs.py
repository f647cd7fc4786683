"""One line of JSON for each event, and never a word of what was said: not even in an error."""

import json

import pytest

from tests.processes import run_python

WORDS = "my cat is called Moses"
PREAMBLE = f"""
import logging, structlog
from companion_site.logs import logging_config
logging_config(json=True, level="INFO")
WORDS = {WORDS!r}
def fail():
    held = WORDS
    try:
        float(held)
    except ValueError as error:
        raise RuntimeError(held) from error
"""
#: The ways of logging an error that was caught.
WAYS = (
    "structlog.get_logger('x').exception('job.failed')",
    "structlog.get_logger('x').error('job.failed', exc_info=error)",
    "logging.getLogger('x').exception('job.failed')",
    "import uvicorn; uvicorn.Config('x:y').configure_logging(); logging_config(json=True, level='INFO'); "
    "logging.getLogger('uvicorn.error').exception('job.failed')",
)


def lines_of(script):
    """Run a script with the site's logging in a process of its own; return its log lines."""
    done = run_python("-c", PREAMBLE + script, check=True)
    assert done.stdout == ""
    return done.stderr.splitlines()


@pytest.mark.spec("I9")
def test_an_event_is_one_line_of_json():
    """A line has a time in UTC, a level, a logger, the event's name and what was given with it."""
    (line,) = lines_of("structlog.get_logger('chat').info('memory.formed', message='0198', count=2)")
    event = json.loads(line)
    assert event.pop("timestamp").endswith("Z")
    assert event == {
        "event": "memory.formed",
        "component": "memory",
        "action": "formed",
        "level": "info",
        "logger": "chat",
        "message": "0198",
        "count": 2,
    }


@pytest.mark.spec("I8")
def test_an_error_is_logged_without_its_words():
    """Whoever logs it, an error leaves its class, its cause's and where it came through: one line, no text. One of ours has its code."""
    script = "from companion_site.errors import CompanionError\n"
    script += "".join(f"try:\n    fail()\nexcept RuntimeError as error:\n    {way}\n" for way in WAYS)
    script += f"try:\n    raise CompanionError(WORDS)\nexcept CompanionError:\n    {WAYS[0]}"
    *lines, ours = lines_of(script)
    assert len(lines) == len(WAYS)
    for line in lines:
        event = json.loads(line)
        assert (event["event"], event["error"]) == ("job.failed", "RuntimeError < ValueError")
        assert event["at"][-1].endswith(" fail")
    assert json.loads(ours)["error"].endswith("CompanionError (companion.error)")
    assert not any("Moses" in line for line in (*lines, ours))


@pytest.mark.spec("I8")
def test_libraries_do_not_log_what_is_sent():
    """At the most talkative level the model's client, its transport and SQL still say nothing."""
    script = (
        "logging_config(json=True, level='DEBUG')\n"
        "for name in ('anthropic', 'openai', 'httpx', 'httpx2', 'httpcore', 'mcp', 'django.db.backends'):\n"
        "    logging.getLogger(name + '.x').debug(WORDS)"
    )
    assert lines_of(script) == []
