"""Reading data into a form over the real SDKs: valid, malformed, mended, refused."""

import pytest
from pydantic import BaseModel

from companion_site.llm.errors import (
    MalformedOutput,
    ModelRefused,
    ProviderTimeout,
    RequestRejected,
    TokenCeilingPassed,
)
from companion_site.llm.openai import FORM_AGAIN_S
from companion_site.llm.types import Limits
from tests.llm.builders import HASTY, SECRET, Fact, Facts
from tests.llm.wire_server import Act

GOOD = '{"facts": [{"text": "likes tea", "certain": true}]}'
TEA = Facts(facts=[Fact(text="likes tea", certain=True)])
WRONG_FORM = f'{{"facts": [{{"text": "{SECRET}"}}]}}'


@pytest.mark.parametrize("text", [GOOD, f"```json\n{GOOD}\n```", f"Here you are: {GOOD} Anything else?"])
async def test_valid_answer_is_returned_as_the_schema(wire, rig_for, name, text):
    """Bare, fenced or with prose around it: what counts is the object."""
    wire.script(Act(text=text))
    found = await rig_for(name).extract()
    assert (found.value, found.provider, found.model) == (TEA, name, "small-one")


@pytest.mark.parametrize(
    "text", ["{half", "", "I would rather talk.", WRONG_FORM], ids=["cut", "empty", "prose", "form"]
)
async def test_malformed_answer_is_mended_once(wire, rig_for, name, text):
    """The model is told what was wrong and gets one more try, with the data still delimited."""
    wire.script(Act(text=text), Act(text=GOOD))
    rig = rig_for(name)
    assert (await rig.extract()).value == TEA
    assert rig.outcomes == [(name, "malformed"), (name, "ok")]
    assert rig.pauses == []
    assert "does not fit the schema" in wire.requests[1].last_text


@pytest.mark.spec("I7")
async def test_twice_malformed_goes_to_the_next_provider_then_back_to_the_caller(wire, rig_for):
    """One repair each, then the caller goes its own way without a model."""
    wire.always(Act(text="{half"))
    rig = rig_for("anthropic", "openai")
    with pytest.raises(MalformedOutput):
        await rig.extract()
    assert [who for who, _ in rig.outcomes] == ["anthropic", "anthropic", "openai", "openai"]
    mending = ["does not fit the schema" in sent.last_text for sent in wire.requests]
    assert mending == [False, True, False, True]


async def test_malformed_raises_without_content(wire, rig_for, name):
    """What the model wrote may quote the person; the error that leaves the gateway carries none of it."""
    wire.always(Act(text=WRONG_FORM))
    with pytest.raises(MalformedOutput) as caught:
        await rig_for(name).extract()
    error: BaseException | None = caught.value
    while error is not None:
        assert SECRET not in repr(error.__dict__) + str(error)
        error = error.__cause__ or error.__context__


async def test_hanging_extraction_times_out(wire, rig_for, name):
    """An extraction has a time of its own within the call's."""
    wire.always(Act(hang="request"))
    rig = rig_for(name, limits=HASTY)
    with pytest.raises(ProviderTimeout):
        await rig.extract()
    assert rig.outcomes == [(name, "timeout"), (name, "timeout")]


async def test_refusal_is_final(wire, rig_for, name):
    """Nobody else is asked: the model declined, it did not fail."""
    wire.script(Act(refuse_after=0))
    rig = rig_for(name, "openai" if name == "anthropic" else "anthropic")
    with pytest.raises(ModelRefused):
        await rig.extract()
    assert rig.outcomes == [(name, "refused")]


class Names(BaseModel):
    """Another form than `Facts`."""

    names: list[str]


async def test_one_refused_form_turns_schemas_off_for_that_form_alone_and_not_for_good(wire, rig_for):
    """It is asked for in words instead, for a while only so. Another form is asked for as ever; after a while so is that one, and from then on again."""
    now = [0.0]
    rig = rig_for("openai", provider={"clock": lambda: now[0]})

    async def has_schema(**asked) -> bool:
        before = len(wire.requests)
        await rig.extract(**asked)
        return next(sent.schema is not None for sent in wire.requests[before:])

    wire.script(Act(status=400))
    wire.always(Act(text=GOOD))
    assert (await rig.extract()).value == TEA
    first, again = wire.requests
    assert first.schema is not None and again.schema is None and '"certain"' in again.system_text
    assert not await has_schema()
    assert rig.outcomes == [("openai", "ok")] * 2
    wire.always(Act(text='{"names": []}'))
    assert await has_schema(schema=Names)
    wire.always(Act(text=GOOD))
    now[0] = FORM_AGAIN_S + 1
    assert await has_schema() and await has_schema()


async def test_a_request_that_is_refused_either_way_says_nothing_about_schemas(wire, rig_for):
    """Where the same is refused without the form, it was not the form."""
    rig = rig_for("openai")
    wire.script(Act(status=400), Act(status=400))
    wire.always(Act(text=GOOD))
    with pytest.raises(RequestRejected):
        await rig.extract()
    await rig.extract()
    assert [sent.schema is not None for sent in wire.requests] == [True, False, True]


async def test_data_above_the_ceiling_is_never_sent(wire, rig_for, name):
    """The ceiling stands before extraction too."""
    with pytest.raises(TokenCeilingPassed):
        await rig_for(name, limits=Limits(max_input_tokens=500)).extract(data="word " * 1000)
    assert wire.requests == []
