"""The gate before derivations: how many at once, in which order, and who is sent away."""

import threading
import time
from contextlib import contextmanager
from contextvars import Context

import pytest

from companion_site.vault.errors import Busy
from companion_site.vault.gate import Gate
from companion_site.vault.slots import derive_wrapping_key

PATIENCE_S = 30


class Crowd:
    """Threads that ask for turns; each holds its own until it is let go."""

    def __init__(self, gate):
        self.gate, self.order, self.refused, self.at_once, self.most_at_once = gate, [], [], 0, 0
        self.threads, self.lock, self.go_on = [], threading.Lock(), threading.Semaphore(0)

    def ask(self, name, asker=None, *, known=False):
        """Ask for a turn, and wait until it is given, refused or waited for."""
        before = self.gate.waiting + len(self.order) + len(self.refused)
        thread = threading.Thread(target=self._take, args=(name, asker or name, known), daemon=True)
        self.threads.append(thread)
        thread.start()
        self.until(lambda: self.gate.waiting + len(self.order) + len(self.refused) > before)

    def _take(self, name, asker, known):
        try:
            with self.gate.turn(asker, known=known):
                with self.lock:
                    self.order.append(name)
                    self.at_once += 1
                    self.most_at_once = max(self.most_at_once, self.at_once)
                self.go_on.acquire()
                with self.lock:
                    self.at_once -= 1
        except Busy:
            self.refused.append(name)

    def finish(self):
        """Let everybody go, one after the other."""
        for _ in self.threads:
            self.go_on.release()
        for thread in self.threads:
            thread.join(PATIENCE_S)

    def until(self, holds):
        deadline = time.monotonic() + PATIENCE_S
        while not holds():
            assert time.monotonic() < deadline
            time.sleep(0.001)


@contextmanager
def crowd(**gate):
    found = Crowd(Gate(**gate))
    yield found
    found.finish()


def test_so_many_derive_at_once_and_no_more():
    """Of forty who ask together two work at a time, and each gets a turn."""
    with crowd(at_once=2, most_waiting=40) as many:
        for number in range(40):
            many.ask(str(number))
    assert many.most_at_once == 2 and len(many.order) == 40 and not many.refused


def test_a_flood_waits_behind_itself():
    """Who comes alone is let in after one of a flood's, not after all of it."""
    with crowd(at_once=1, most_waiting=50) as many:
        for number in range(30):
            many.ask(f"flood {number}", "flood")
        many.ask("alone")
    assert many.order.index("alone") <= 2


def test_browsers_go_first_and_do_not_shut_out_the_others():
    """A known one passes a queue of unknown ones, each from elsewhere, also where it is full; every fourth turn is an unknown one's."""
    with crowd(at_once=1, most_waiting=12) as many:
        many.ask("first")
        for number in range(12):
            many.ask(f"unknown {number}")
        for number in range(6):
            many.ask(f"known {number}", known=True)
    assert many.order[1:4] == ["known 0", "known 1", "known 2"]
    assert many.order[4] == "unknown 0" and many.order[5:8] == ["known 3", "known 4", "known 5"]
    assert len(many.refused) == 6 and all(name.startswith("unknown") for name in many.refused)


def test_a_turn_holds_for_all_that_is_derived_within():
    """Inside a turn nothing waits again: one use case derives several times."""
    gate = Gate(at_once=1, most_waiting=1, patience_s=PATIENCE_S)
    with gate.turn("one"), gate.turn("one"), gate.turn():
        pass
    with gate.turn("another"):
        pass


def test_who_waited_too_long_is_told_and_takes_no_place():
    """After the wait the answer says when to come back, and the queue is empty again."""
    gate = Gate(at_once=1, most_waiting=5, patience_s=0.01)
    refused = []

    def ask():
        try:
            with gate.turn("other"):
                pass
        except Busy as busy:
            refused.append(busy.retry_after_s)

    with gate.turn("one"):
        thread = threading.Thread(target=ask)
        thread.start()
        thread.join(PATIENCE_S)
    assert refused and refused[0] >= 1 and gate.waiting == 0
    with gate.turn("third"):
        pass


def test_a_turn_that_was_given_up_elsewhere_comes_free():
    """Who is asked for the rest in another context, as a collector of garbage is, leaves no turn taken."""
    gate = Gate(at_once=1, most_waiting=1, patience_s=0.01)
    held = gate.turn()
    Context().run(held.__enter__)
    with pytest.raises(ValueError, match="different Context"):
        held.__exit__(None, None, None)
    with gate.turn():
        pass


def test_several_derive_at_once_and_each_gets_its_key():
    """With four lanes, whose threads are one pool for the process."""
    cost = {"iterations": 1, "lanes": 4, "memory_cost": 64}
    derived = []

    def derive():
        for _ in range(50):
            key = derive_wrapping_key("secret", salt=bytes(16), parameters=cost, institution_salt=bytes(32))
            derived.append(bytes(key))

    threads = [threading.Thread(target=derive, daemon=True) for _ in range(3)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(timeout=60)
    assert len(derived) == 150 and len(set(derived)) == 1


def test_where_the_queue_is_full_the_flood_is_sent_away():
    """Who has most waiting loses the last of it; the other still gets in, however full it was."""
    with crowd(at_once=1, most_waiting=10) as many:
        for number in range(30):
            many.ask(f"flood {number}", "flood")
        many.ask("alone")
        many.ask("another")
    assert {"alone", "another"} <= set(many.order)
    assert len(many.refused) == 21 and all(name.startswith("flood") for name in many.refused)
