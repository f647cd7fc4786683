"""Patience with a stream."""

import asyncio
from collections.abc import AsyncGenerator, Callable

from companion_site.llm.errors import ProviderTimeout
from companion_site.llm.limits import Limits


async def keep_pace(
    pieces: AsyncGenerator[str, None], *, limits: Limits, clock: Callable[[], float], deadline: float
) -> AsyncGenerator[str, None]:
    """Yield the pieces that hold text; an empty one is a sign of life and only renews the patience.

    Raises:
        ProviderTimeout: no first sign, or no further one, came in time, or the call's deadline is past.
    """
    patience_s = limits.first_token_s
    while True:
        try:
            async with asyncio.timeout(min(patience_s, max(deadline - clock(), 0.0))):
                piece = await anext(pieces)
        except StopAsyncIteration:
            return
        except TimeoutError:
            raise ProviderTimeout from None
        patience_s = limits.between_tokens_s
        if piece:
            yield piece
