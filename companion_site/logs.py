"""Logs: one line of JSON per event, ids and numbers only.

An error is logged as its class and the lines that it came through. Its text is left out, since whoever raised it may
have quoted what they were given: PostgreSQL quotes rows, `float` quotes words. SQL is never logged.

An event is named "component.action", and a line says both apart too: docs/observability.md lists what is told.
"""

import logging.config
import re
import sys
import traceback
from collections.abc import MutableMapping
from typing import Any

import structlog

LEVELS = ("DEBUG", "INFO", "WARNING", "ERROR", "CRITICAL")
#: What an event of the site's own is called.
NAMED = re.compile(r"([a-z]+)\.([a-z_]+)")
TIMESTAMP = structlog.processors.TimeStamper(fmt="iso", utc=True)


def logging_config(*, json: bool, level: str) -> None:
    """Send the standard library's loggers and structlog through one formatter to standard error."""
    renderer = structlog.processors.JSONRenderer() if json else structlog.dev.ConsoleRenderer(colors=False)
    shared: list[Any] = [
        structlog.contextvars.merge_contextvars,
        structlog.stdlib.add_logger_name,
        structlog.stdlib.add_log_level,
        TIMESTAMP,
    ]
    logging.config.dictConfig(
        {
            "version": 1,
            "disable_existing_loggers": False,
            "formatters": {
                "line": {
                    "()": structlog.stdlib.ProcessorFormatter,
                    "foreign_pre_chain": shared,
                    "processors": [
                        structlog.stdlib.ProcessorFormatter.remove_processors_meta,
                        name_error,
                        name_parts,
                        renderer,
                    ],
                }
            },
            "handlers": {"stderr": {"class": "logging.StreamHandler", "formatter": "line"}},
            "root": {"handlers": ["stderr"], "level": level},
            "loggers": {
                "django.db.backends": {"level": "WARNING"},
                "django.server": {"level": "WARNING"},
                "httpx": {"level": "WARNING"},
                "httpx2": {"level": "WARNING"},
                "httpcore": {"level": "WARNING"},
                "anthropic": {"level": "WARNING"},
                "openai": {"level": "WARNING"},
                # Below an error it tells of each request, and quotes headers.
                "mcp": {"level": "ERROR"},
                # The server would write its tracebacks itself, texts and all.
                "uvicorn": {"level": "WARNING", "handlers": [], "propagate": True},
                "uvicorn.error": {"level": "WARNING", "handlers": [], "propagate": True},
                "channels_postgres": {"level": "ERROR"},
                "django-q": {"level": "WARNING", "handlers": ["stderr"], "propagate": False},
            },
        }
    )
    structlog.configure(
        processors=[*shared, structlog.stdlib.ProcessorFormatter.wrap_for_formatter],
        logger_factory=structlog.stdlib.LoggerFactory(),
        cache_logger_on_first_use=True,
    )


def name_error(logger: Any, method: str, event: MutableMapping[str, Any]) -> MutableMapping[str, Any]:
    """Replace an error by its class, what caused it, and where it came through; its text stays out."""
    error = _error_of(event.pop("exc_info", None))
    if error is not None:
        event["error"] = " < ".join(_names(error))
        frames = traceback.extract_tb(error.__traceback__)
        event["at"] = [f"{frame.filename}:{frame.lineno} {frame.name}" for frame in frames]
    event.pop("stack_info", None)
    return event


def name_parts(logger: Any, method: str, event: MutableMapping[str, Any]) -> MutableMapping[str, Any]:
    """Say of an event of ours which part of the site it is about, and what happened there."""
    named = NAMED.fullmatch(str(event.get("event", "")))
    if named is not None:
        event["component"], event["action"] = named.groups()
    return event


def _error_of(info: Any) -> BaseException | None:
    if info is True:
        info = sys.exc_info()
    found = info[1] if isinstance(info, tuple) else info
    return found if isinstance(found, BaseException) else None


def _names(error: BaseException) -> list[str]:
    """Return the class of an error, of its cause, and so on; a text only where it cannot hold what was given."""
    names, seen = [], set()
    current: BaseException | None = error
    while current is not None and id(current) not in seen:
        seen.add(id(current))
        name = f"{type(current).__module__}.{type(current).__qualname__}".removeprefix("builtins.")
        code = getattr(current, "code", None)
        names.append(f"{name} ({code})" if isinstance(code, str) else name)
        hidden = None if current.__suppress_context__ else current.__context__
        current = current.__cause__ or hidden
    return names
