"""Where the tools work: a few threads of their own, so that agents do not hold up the chat."""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import ParamSpec, TypeVar

from channels.db import database_sync_to_async
from django.db import InterfaceError, OperationalError

from companion_site.vault.grants import keeping_grant

WORKERS = 4
#: What is raised while the database restarts; the same asked again later may succeed.
DATABASE_LOST = (OperationalError, InterfaceError)
_executor = ThreadPoolExecutor(max_workers=WORKERS, thread_name_prefix="mcp")

P = ParamSpec("P")
R = TypeVar("R")


async def in_thread(function: Callable[P, R], /, *args: P.args, **kwargs: P.kwargs) -> R:
    """Run `function` on a worker thread that may use the database, and return what it returns."""
    call = database_sync_to_async(keeping_grant(function), thread_sensitive=False, executor=_executor)
    found: R = await call(*args, **kwargs)
    return found
