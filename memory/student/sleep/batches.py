"""How many of what waits go into one batch: the messages of one session together, where that fits."""

from collections.abc import Hashable, Sequence


def cut_batch(sessions: Sequence[Hashable], *, least: int, most: int) -> int:
    """Return how many of the first memories make up the next batch.

    Args:
        sessions: the session of each that waits, the oldest first; `least + most` of them are enough.
        least, most: a batch holds no more than `most`, and no fewer than `least` where more are there; the same is seen to
            for what stays for the next.
    """
    count = len(sessions)
    if count <= most:
        return count
    cuts = [cut for cut in range(most, least - 1, -1) if count - cut >= least] or [most]
    between = (cut for cut in cuts if sessions[cut - 1] != sessions[cut])
    return next(between, cuts[0])
