"""Where the event loop's database work is done: a few threads, so that chats do not wait for one another."""

from concurrent.futures import ThreadPoolExecutor

from channels.db import database_sync_to_async
from django.db import InterfaceError, OperationalError

from companion_site.vault.grants import keeping_grant

WORKERS = 8
#: What is raised while the database restarts; the same asked again later may succeed.
DATABASE_LOST = (OperationalError, InterfaceError)
_executor = ThreadPoolExecutor(max_workers=WORKERS, thread_name_prefix="chat")


async def in_thread(function, /, *args, **kwargs):
    """Run `function` on a worker thread with this context's keyring and grant, and return what it returns."""
    call = database_sync_to_async(keeping_grant(function), thread_sensitive=False, executor=_executor)
    return await call(*args, **kwargs)
