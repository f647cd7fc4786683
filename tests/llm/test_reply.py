"""A reply over the real SDKs: normal, slow, broken off, refused."""

import asyncio
from dataclasses import replace

import pytest

from companion_site.llm.errors import (
    ModelRefused,
    ReplyTooLong,
    StreamInterrupted,
    TokenCeilingPassed,
)
from companion_site.llm.types import Limits, Utterance
from tests.llm.builders import HASTY, MODELS, PATIENT, make_request
from tests.llm.wire_server import Act


async def collect(reply) -> tuple[list[str], BaseException | None]:
    """Return the pieces that came and the error that ended them."""
    pieces = []
    try:
        async for piece in reply:
            pieces.append(piece)
    except Exception as error:  # noqa: BLE001 - the test looks at whichever it was
        return pieces, error
    return pieces, None


async def test_reply_arrives_piece_by_piece_with_its_counts(wire, rig_for, name):
    """The text is the provider's, in its pieces, and the reply knows who gave it and what it cost."""
    wire.script(Act(text="One two three."))
    rig = rig_for(name)
    reply = rig.gateway.stream(make_request())
    pieces, error = await collect(reply)
    assert (pieces, error) == (["One ", "two ", "three."], None)
    assert (reply.provider, reply.model, rig.outcomes) == (name, MODELS["chat"], [(name, "ok")])
    assert (rig.records[0].input_tokens, rig.records[0].output_tokens) == (150, 3)


async def test_reply_at_the_limit_is_an_answer(wire, rig_for, name):
    """One that stopped at max_tokens is not asked for again."""
    wire.script(Act(text="One two", truncate=True))
    rig = rig_for(name)
    assert await rig.reply() == "One two"
    assert rig.outcomes == [(name, "ok")]


@pytest.mark.parametrize(
    "limits",
    [
        replace(PATIENT, max_reply_chars=5_000),
        replace(PATIENT, max_reply_tokens=2_000),
    ],
    ids=["characters", "tokens"],
)
async def test_a_reply_without_end_is_cut_and_its_connection_closed(wire, rig_for, name, limits):
    """What comes beyond the ceiling is not taken, whatever the pieces; nobody else is asked to go on."""
    wire.script(Act(text="word " * 100_000, delay_s=0.0))
    rig = rig_for(name, limits=limits)
    async with rig.gateway.stream(make_request()) as reply:
        pieces, error = await collect(reply)
    assert isinstance(error, ReplyTooLong) and "".join(pieces) == ("word " * 1_000)
    assert (rig.outcomes, len(wire.requests)) == ([(name, "interrupted")], 1)


@pytest.mark.parametrize(
    "act", [Act(cut_after=2), Act(end_after=2), Act(error_after=2), Act(garbage_after=2)], ids=str
)
async def test_stream_broken_after_text_is_interrupted_and_not_continued_by_another(wire, rig_for, name, act):
    """What was given out stays; no other provider starts over, or the person would read it twice."""
    wire.script(act)
    rig = rig_for(name, "openai" if name == "anthropic" else "anthropic")
    reply = rig.gateway.stream(make_request())
    pieces, error = await collect(reply)
    assert len(pieces) == 2
    assert type(error) is StreamInterrupted
    assert rig.outcomes == [(name, "interrupted")]
    assert len(wire.requests) == 1
    assert rig.records[0].output_tokens > 0


@pytest.mark.parametrize(
    "act",
    [Act(cut_after=0), Act(end_after=0), Act(error_after=0), Act(garbage_after=0), Act(think=3, cut_after=0)],
    ids=str,
)
async def test_stream_broken_before_text_is_tried_again(wire, rig_for, name, act):
    """Nothing was given out, thoughts neither, so asking again doubles nothing."""
    wire.script(act, Act(text="Here."))
    rig = rig_for(name)
    assert await rig.reply() == "Here."
    assert rig.outcomes == [(name, "unavailable"), (name, "ok")]


async def test_silence_after_text_is_interrupted(wire, rig_for, name):
    """A stream that falls silent in the middle ends as interrupted, not as a complete reply."""
    wire.script(Act(text="One two three", delay_s=30))
    reply = rig_for(name, limits=replace(PATIENT, between_tokens_s=0.3)).gateway.stream(make_request())
    async with asyncio.timeout(20):
        pieces, error = await collect(reply)
    assert (pieces, type(error)) == (["One "], StreamInterrupted)


@pytest.mark.slow
@pytest.mark.spec("I7")
@pytest.mark.parametrize("hang", ["request", "stream"])
async def test_hanging_provider_gives_way_to_the_next(wire, rig_for, name, hang):
    """A provider that says nothing is asked twice, then the next one answers."""
    other = "openai" if name == "anthropic" else "anthropic"
    rig = rig_for(name, other, limits=HASTY)
    await rig.warm()
    wire.script(Act(hang=hang), Act(hang=hang), Act(text="Here."))
    assert await rig.reply() == "Here."
    assert rig.outcomes == [(name, "timeout"), (name, "timeout"), (other, "ok")]


async def test_thinking_is_a_sign_of_life_and_not_text(wire, rig_for, name):
    """A model that thinks for longer than the first patience is not given up, and its thoughts stay unsaid."""
    rig = rig_for(name, limits=HASTY)
    await rig.warm()
    wire.script(Act(text="Here.", think=10, delay_s=0.05))
    pieces, error = await collect(rig.gateway.stream(make_request()))
    assert (pieces, error) == (["Here."], None)
    assert rig.outcomes == [(name, "ok")]


@pytest.mark.spec("I7")
async def test_whole_call_has_a_deadline(wire, rig_for, name):
    """Whatever the single patiences add up to, the call ends in time, with the companion without a model."""
    wire.always(Act(hang="request"))
    rig = rig_for(name, limits=replace(PATIENT, total_s=0.2))
    async with asyncio.timeout(20):
        assert await rig.reply()
    assert rig.outcomes == [(name, "timeout"), ("offline", "ok")]


async def test_endless_reply_is_interrupted_at_the_deadline(wire, rig_for, name):
    """A provider that keeps talking does not keep the person's connection for ever."""
    rig = rig_for(name, limits=replace(PATIENT, total_s=1.0))
    await rig.warm()
    wire.script(Act(text="on and " * 1000, delay_s=0.05))
    async with asyncio.timeout(20):
        pieces, error = await collect(rig.gateway.stream(make_request()))
    assert (type(error), 0 < len(pieces) < 1000) == (StreamInterrupted, True)


@pytest.mark.parametrize("refuse_after", [0, 2])
async def test_refusal_is_final(wire, rig_for, name, refuse_after):
    """A refusal is an answer of its own kind: nobody is asked again, no other provider, no offline companion."""
    wire.script(Act(refuse_after=refuse_after))
    rig = rig_for(name, "openai" if name == "anthropic" else "anthropic")
    pieces, error = await collect(rig.gateway.stream(make_request()))
    assert (len(pieces), type(error)) == (refuse_after, ModelRefused)
    assert (rig.outcomes, len(wire.requests)) == ([(name, "refused")], 1)


async def test_empty_reply_goes_to_the_next_provider(wire, rig_for, name):
    """A stream without a word is no reply; asking the same provider again would most likely give the same."""
    wire.script(Act(text=""))
    rig = rig_for(name)
    assert await rig.reply()
    assert rig.outcomes == [(name, "malformed"), ("offline", "ok")]


async def test_cancelled_task_records_an_interrupted_call(wire, rig_for, name):
    """The same when the task that reads the reply is cancelled while it waits for the provider."""
    wire.script(Act(hang="request"))
    rig = rig_for(name)
    task = asyncio.create_task(rig.reply())
    while not wire.requests:
        await asyncio.sleep(0.005)
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    assert rig.outcomes == [(name, "interrupted")]
    assert rig.gateway.breakers[name].state == "closed"


async def test_request_above_the_ceiling_is_never_sent(wire, rig_for, name):
    """The ceiling stands before every provider; a runaway prompt costs nothing."""
    limits = Limits(max_input_tokens=1000)
    rig = rig_for(name, limits=limits)
    long = make_request(turns=[Utterance("user", "word " * 1000)])
    _, error = await collect(rig.gateway.stream(long))
    assert isinstance(error, TokenCeilingPassed)
    assert (wire.requests, rig.records) == ([], [])


@pytest.mark.spec("I7")
async def test_chain_ends_offline(rig_for, wire):
    """With every provider down there is still an answer, from the companion without a model."""
    wire.always(Act(status=503))
    rig = rig_for("anthropic", "openai")
    reply = rig.gateway.stream(make_request())
    pieces, error = await collect(reply)
    assert error is None
    assert "no language model" in "".join(pieces)
    assert (reply.provider, reply.model, rig.outcomes[-1]) == ("offline", "", ("offline", "ok"))
