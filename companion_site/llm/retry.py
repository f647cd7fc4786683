"""Whether and when to ask the same provider again."""

import random

from companion_site.llm.errors import ProviderTimeout, ProviderUnavailable, RateLimited
from companion_site.llm.limits import Limits


def pause_before_retry(
    error: ProviderUnavailable, *, tries: int, limits: Limits, rng: random.Random
) -> float | None:
    """Return the seconds to wait before asking again, or None to ask someone else.

    The pause doubles with each try and is drawn between half and all of itself, so that many requests that failed
    together do not come back together. A provider that names a time is given that time, if it is short.

    Args:
        tries: how often this provider has been asked already, 1 or more.
    """
    allowed = limits.attempts_after_timeout if isinstance(error, ProviderTimeout) else limits.attempts
    if not error.transient or tries >= allowed:
        return None
    pause: float = min(limits.backoff_s * 2.0 ** (tries - 1), limits.backoff_max_s) * rng.uniform(0.5, 1.0)
    asked = error.retry_after_s if isinstance(error, RateLimited) else None
    if asked is None:
        return pause
    return max(asked, pause) if asked <= limits.retry_after_max_s else None
