"""The circuit breaker's three states, beside what `test_retrying` shows of them over the wire."""

from companion_site.llm.calls import Breaker
from companion_site.llm.types import Limits


def test_a_breaker_opens_probes_and_closes():
    """Failures in a row open it; then one call at a time probes, a failed one opens it for the whole time again."""
    now = [0.0]
    breaker = Breaker(Limits(breaker_failures=2, breaker_open_s=10), clock=lambda: now[0])
    for end in (breaker.fail, breaker.succeed, breaker.fail):
        assert breaker.allow()
        end()
    assert breaker.state == "closed"
    assert breaker.allow()
    breaker.fail()
    assert (breaker.state, breaker.allow()) == ("open", False)
    now[0] = 10.0
    assert (breaker.state, breaker.allow(), breaker.allow()) == ("half-open", True, False)
    breaker.fail()
    now[0] = 19.9
    assert not breaker.allow()
    now[0] = 20.0
    assert breaker.allow()
    breaker.succeed()
    assert breaker.allow()
    breaker.fail()
    assert breaker.state == "closed"


def test_a_provider_that_asks_to_be_left_alone_is():
    """For the longest time asked for, whatever the count says; one failure opens it again."""
    now = [0.0]
    breaker = Breaker(Limits(breaker_failures=5, breaker_open_s=10), clock=lambda: now[0])
    breaker.trip(for_s=60)
    breaker.trip(for_s=5)
    now[0] = 59.0
    assert breaker.state == "open"
    now[0] = 60.0
    assert breaker.state == "half-open" and breaker.allow()
    breaker.fail()
    assert breaker.state == "open"
