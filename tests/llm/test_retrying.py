"""Who is asked again, when, and who is not: the lesson of a client that sent a bad request six times over."""

import random

import pytest

from companion_site.llm.calls import Breaker, pause_before_retry
from companion_site.llm.errors import ProviderUnavailable
from companion_site.llm.types import Limits
from tests.cases import cases
from tests.llm.builders import make_request
from tests.llm.wire_server import Act


@pytest.mark.parametrize("status", [500, 502, 503, 529])
async def test_server_error_is_retried(wire, rig_for, name, status):
    """A failure on the provider's side may pass."""
    wire.script(Act(status=status), Act(status=status), Act(text="Here."))
    rig = rig_for(name)
    assert await rig.reply() == "Here."
    assert len(rig.pauses) == 2


@pytest.mark.parametrize("status", [400, 401, 403, 404, 413, 422])
async def test_rejected_request_is_never_sent_again(wire, rig_for, name, status):
    """The same request would be rejected again: one try, then the next in the chain."""
    wire.always(Act(status=status))
    rig = rig_for(name)
    await rig.reply()
    assert len(wire.requests) == 1
    assert rig.outcomes == [(name, "unavailable"), ("offline", "ok")]


async def test_rate_limit_waits_as_long_as_asked(wire, rig_for, name):
    """A short retry-after is honoured to the second."""
    wire.script(Act(status=429, retry_after="3"), Act(text="Here."))
    rig = rig_for(name)
    assert await rig.reply() == "Here."
    assert (rig.pauses, rig.outcomes) == ([3.0], [(name, "rate_limited"), (name, "ok")])


async def test_long_rate_limit_leaves_the_provider_alone(wire, rig_for, name):
    """Nobody waits a minute for a reply: the next provider answers, and this one is not asked until its time is up."""
    now = [100.0]
    wire.script(Act(status=429, retry_after="60"), Act(text="Back."))
    rig = rig_for(name, clock=lambda: now[0])
    await rig.reply()
    await rig.reply()
    assert (len(wire.requests), rig.pauses) == (1, [])
    now[0] += 60
    assert await rig.reply() == "Back."


async def test_probe_that_the_person_stopped_makes_room_for_another(wire, rig_for, name):
    """A stopped reply says nothing about the provider; it neither closes the breaker nor keeps it shut."""
    now = [0.0]
    rig = rig_for(
        name, limits=Limits(attempts=1, breaker_failures=1, breaker_open_s=30), clock=lambda: now[0]
    )
    wire.script(Act(status=500))
    await rig.reply()
    now[0] = 31.0
    async with rig.gateway.stream(make_request()) as stopped:
        async for _piece in stopped:
            break
    assert rig.gateway.breakers[name].state == "half-open"
    wire.script(Act(text="Here."))
    assert await rig.reply() == "Here."


async def test_bad_requests_do_not_open_the_breaker(wire, rig_for, name):
    """One conversation that a provider rejects must not take the provider away from everybody else."""
    rig = rig_for(name, limits=Limits(breaker_failures=1))
    wire.script(Act(status=400))
    await rig.reply()
    assert rig.gateway.breakers[name].state == "closed"
    wire.script(Act(status=401))
    await rig.reply()
    assert rig.gateway.breakers[name].state == "open"


@cases("tries", [1, 2, 3, 4])
def test_pause_doubles_within_its_jitter(tries):
    """The pause lies between half and all of the doubled base, up to the longest allowed."""
    limits = Limits(attempts=10, backoff_s=1.0, backoff_max_s=4.0)
    full = min(2.0 ** (tries - 1), 4.0)
    rng = random.Random(7)
    pauses = [
        pause_before_retry(ProviderUnavailable(), tries=tries, limits=limits, rng=rng) for _ in range(50)
    ]
    assert all(full / 2 <= pause <= full for pause in pauses)
    assert len(set(pauses)) > 1


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
