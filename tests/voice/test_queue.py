"""One at a time, and nobody behind a crowd."""

import asyncio
import threading

import pytest

from companion_site.voice.errors import VoiceBusy
from companion_site.voice.local import OneAtATime

pytestmark = pytest.mark.spec("L1")


class Work:
    """Pieces of work that end when they are let go, counted while they run."""

    def __init__(self):
        self.may_end = threading.Event()
        self.running = self.most_running = self.done = 0

    def __call__(self):
        self.running += 1
        self.most_running = max(self.most_running, self.running)
        assert self.may_end.wait(timeout=10)
        self.running -= 1
        self.done += 1
        return self.done


async def test_pieces_of_work_wait_for_one_another():
    """Three are done one after the other, a fourth is turned away, and later there is room again."""
    queue, work = OneAtATime("test", most=3), Work()
    waiting = [asyncio.create_task(queue.run(work)) for _ in range(3)]
    await asyncio.sleep(0)
    with pytest.raises(VoiceBusy):
        await queue.run(work)
    work.may_end.set()
    assert sorted(await asyncio.gather(*waiting)) == [1, 2, 3]
    assert work.most_running == 1
    assert await queue.run(work) == 4


async def test_a_look_does_not_wait():
    """What is only worth it at once is refused as soon as anybody is at work, and done when nobody is."""
    queue, work = OneAtATime("test", most=3), Work()
    first = asyncio.create_task(queue.run(work))
    await asyncio.sleep(0)
    with pytest.raises(VoiceBusy):
        await queue.run(work, only_if_free=True)
    work.may_end.set()
    await first
    assert await queue.run(work, only_if_free=True) == 2


async def test_what_was_given_up_is_not_done():
    """Whoever left before their turn costs nobody any time, and leaves their place."""
    queue, work = OneAtATime("test", most=2), Work()
    first, second = (asyncio.create_task(queue.run(work)) for _ in range(2))
    await asyncio.sleep(0)
    second.cancel()
    await asyncio.gather(second, return_exceptions=True)
    third = asyncio.create_task(queue.run(work))
    await asyncio.sleep(0)
    work.may_end.set()
    await asyncio.gather(first, third)
    assert work.done == 2
