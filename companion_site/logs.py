"""Logs: one line of JSON per event, ids and numbers only.

Tracebacks carry no local variables and SQL is never logged, so no content can reach a log through an error.
"""

import logging.config
from typing import Any

import structlog

LEVELS = ("DEBUG", "INFO", "WARNING", "ERROR", "CRITICAL")
TIMESTAMP = structlog.processors.TimeStamper(fmt="iso", utc=True)


def logging_config(*, json: bool, level: str) -> None:
    """Send the standard library's loggers and structlog through one formatter to standard error."""
    renderer = structlog.processors.JSONRenderer() if json else structlog.dev.ConsoleRenderer(colors=False)
    shared: list[Any] = [
        structlog.contextvars.merge_contextvars,
        structlog.stdlib.add_logger_name,
        structlog.stdlib.add_log_level,
        TIMESTAMP,
        drop_arguments_of_database_errors,
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
                        structlog.processors.format_exc_info,
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
                "httpcore": {"level": "WARNING"},
                "anthropic": {"level": "WARNING"},
                "openai": {"level": "WARNING"},
                "axes": {"level": "ERROR"},
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


def drop_arguments_of_database_errors(logger, method, event):
    """Keep a database error's class, not its text: PostgreSQL quotes the offending row in it."""
    info = event.get("exc_info")
    error = info[1] if isinstance(info, tuple) else info if isinstance(info, BaseException) else None
    if error is not None and type(error).__module__.startswith(("psycopg", "django.db")):
        event["error"] = f"{type(error).__module__}.{type(error).__qualname__}"
        event.pop("exc_info")
    return event
