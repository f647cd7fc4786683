"""The channel layer over PostgreSQL, made to outlive its connections to it."""

import asyncio
from typing import Any

import psycopg
import structlog
from channels_postgres.core import PostgresChannelLayer
from psycopg_pool import AsyncConnectionPool

logger = structlog.get_logger(__name__)

#: Pause before a lost connection is sought again, in seconds.
ASK_AGAIN_S = 0.5


class LastingChannelLayer(PostgresChannelLayer):
    """The layer listens on one connection and sends over a pool; a restarted database takes all of them away.

    Left alone it would never hear anything again, and would hand out each dead connection of the pool once.
    """

    def __init__(self, **config: Any) -> None:
        options = {"check": AsyncConnectionPool.check_connection, **config.pop("PSYCOPG_OPTIONS", {})}
        super().__init__(PSYCOPG_OPTIONS=options, **config)

    async def listen_to_all_channels(self) -> None:
        while True:
            try:
                await super().listen_to_all_channels()
                return
            except psycopg.OperationalError as error:
                logger.warning("channels.lost", error=type(error).__name__)
            await asyncio.sleep(ASK_AGAIN_S)
