"""One line of JSON for each event, and never a word of what was said: not even in an error."""

import json

import pytest

from tests.cases import cases
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
WAYS = {
    "structlog": "try:\n    fail()\nexcept RuntimeError:\n    structlog.get_logger('x').exception('job.failed')",
    "structlog with the error": "try:\n    fail()\nexcept RuntimeError as error:\n"
    "    structlog.get_logger('x').error('job.failed', exc_info=error)",
    "standard library": "try:\n    fail()\nexcept RuntimeError:\n    logging.getLogger('x').exception('job.failed')",
    "the server": "import uvicorn\nuvicorn.Config('x:y').configure_logging()\nlogging_config(json=True, level='INFO')\n"
    "try:\n    fail()\nexcept RuntimeError:\n    logging.getLogger('uvicorn.error').exception('job.failed')",
}


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
@cases("way", WAYS)
def test_an_error_is_logged_without_its_words(way):
    """Whoever logs it, an error leaves its class, its cause's and where it came through: one line, no text."""
    (line,) = lines_of(WAYS[way])
    event = json.loads(line)
    assert "Moses" not in line
    assert (event["event"], event["error"]) == ("job.failed", "RuntimeError < ValueError")
    assert event["at"][-1].endswith(" fail")


def test_an_error_of_ours_is_logged_with_its_code():
    """The code tells what happened, and holds nothing that was said."""
    script = (
        "from companion_site.errors import CompanionError\n"
        "try:\n    raise CompanionError(WORDS)\n"
        "except CompanionError:\n    structlog.get_logger('x').exception('job.failed')"
    )
    (line,) = lines_of(script)
    assert json.loads(line)["error"].endswith("CompanionError (companion.error)")
    assert "Moses" not in line


@pytest.mark.spec("I8")
def test_libraries_do_not_log_what_is_sent():
    """At the most talkative level the model's client, its transport and SQL still say nothing."""
    script = (
        "logging_config(json=True, level='DEBUG')\n"
        "for name in ('anthropic', 'openai', 'httpx', 'httpx2', 'httpcore', 'mcp', 'django.db.backends'):\n"
        "    logging.getLogger(name + '.x').debug(WORDS)"
    )
    assert lines_of(script) == []
