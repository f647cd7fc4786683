"""The circuit breaker's three states."""

import pytest

from companion_site.llm.breaker import Breaker
from companion_site.llm.types import Limits


@pytest.fixture
def now() -> list[float]:
    return [0.0]


@pytest.fixture
def breaker(now) -> Breaker:
    return Breaker(Limits(breaker_failures=2, breaker_open_s=10), clock=lambda: now[0])


def fail(breaker: Breaker, times: int) -> None:
    for _ in range(times):
        assert breaker.allow()
        breaker.fail()


def test_opens_after_failures_in_a_row(breaker):
    """A success in between starts the count anew."""
    fail(breaker, 1)
    breaker.allow()
    breaker.succeed()
    fail(breaker, 1)
    assert breaker.state == "closed"
    fail(breaker, 1)
    assert (breaker.state, breaker.allow()) == ("open", False)


def test_half_open_lets_one_call_through_at_a_time(breaker, now):
    """A provider that may have recovered is not met by everybody at once."""
    fail(breaker, 2)
    now[0] = 10.0
    assert (breaker.state, breaker.allow(), breaker.allow()) == ("half-open", True, False)


def test_failed_probe_opens_for_the_whole_time_again(breaker, now):
    """One failure is enough when the breaker was only trying."""
    fail(breaker, 2)
    now[0] = 10.0
    fail(breaker, 1)
    now[0] = 19.9
    assert not breaker.allow()
    now[0] = 20.0
    assert breaker.allow()


def test_successful_probe_closes(breaker, now):
    """Back to normal, with the count at nothing."""
    fail(breaker, 2)
    now[0] = 10.0
    breaker.allow()
    breaker.succeed()
    fail(breaker, 1)
    assert breaker.state == "closed"


def test_released_probe_makes_room_for_another(breaker, now):
    """A probing call that the person stopped says nothing, and must not keep the provider shut out."""
    fail(breaker, 2)
    now[0] = 10.0
    breaker.allow()
    breaker.release()
    assert breaker.allow()


def test_tripped_breaker_keeps_the_longest_time_asked_for(breaker, now):
    """A provider that asks to be left alone is, whatever the count says."""
    breaker.trip(for_s=60)
    breaker.trip(for_s=5)
    now[0] = 59.0
    assert breaker.state == "open"
    now[0] = 60.0
    assert breaker.state == "half-open"


def test_failed_probe_after_a_trip_opens_again(breaker, now):
    """One failure is enough there too, although the count began at nothing."""
    breaker.trip(for_s=5)
    now[0] = 5.0
    fail(breaker, 1)
    assert breaker.state == "open"
