"""Where the event loop's database work is done: a few threads, so that chats do not wait for one another."""

from concurrent.futures import ThreadPoolExecutor

from channels.db import database_sync_to_async
from django.db import InterfaceError, OperationalError

WORKERS = 8
#: What is raised while the database restarts; the same asked again later may succeed.
DATABASE_LOST = (OperationalError, InterfaceError)
_executor = ThreadPoolExecutor(max_workers=WORKERS, thread_name_prefix="chat")


async def in_thread(function, /, *args, **kwargs):
    """Run `function` on a worker thread with this context's keyring, and return what it returns."""
    call = database_sync_to_async(function, thread_sensitive=False, executor=_executor)
    return await call(*args, **kwargs)
