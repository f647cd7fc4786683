"""A turn's reading of a feeling: by a model where there is one that answers in form and time, else without, at once."""

import json

import pytest

from chat.turn.emotion import EmotionInput, Felt, emotion_step, feel_offline
from companion_site.embeddings.service import get_embedder
from tests.llm.wire_server import Act

pytestmark = pytest.mark.spec("L2")

TEXT = "I set the table for two, out of habit."
READ = {
    "primary_emotion": "loneliness",
    "intensity": "high",
    "energy": "low",
    "social_need": "wants_connection",
}


def given(**overrides):
    (vector,) = get_embedder().embed([TEXT])
    fields = {"text": TEXT, "vector": vector, **overrides}
    return EmotionInput(**fields)


async def test_model_that_answers_in_form_is_believed(wire, rig_for, name):
    """Its four closed choices become the state; the valence follows from them."""
    wire.script(Act(text=json.dumps(READ)))
    felt = await emotion_step(given(gateway=rig_for(name).gateway))
    state = felt.emotion
    assert felt.form == "model"
    assert {field: getattr(state, field) for field in READ} == READ
    assert (state.valence, state.confidence) == (-0.8, 0.9)


async def test_model_is_sent_the_message_as_data_and_no_word_of_it_as_instruction(wire, rig_for, name):
    """What somebody writes never stands in the system role."""
    wire.script(Act(text=json.dumps(READ)))
    await emotion_step(given(gateway=rig_for(name).gateway))
    (sent,) = wire.requests
    assert TEXT in sent.last_text
    assert TEXT not in sent.system_text


@pytest.mark.parametrize(
    "answer",
    [
        "I think that they are sad.",
        json.dumps({**READ, "primary_emotion": "rage"}),
        json.dumps({**READ, "diagnosis": "depression"}),
        json.dumps({field: READ[field] for field in ("primary_emotion", "energy")}),
    ],
    ids=["prose", "other emotion", "more than asked", "less than asked"],
)
async def test_answer_out_of_form_is_the_form_without_a_model(wire, rig_for, name, answer):
    """Anything but the four choices is not believed, also when it is asked for again."""
    wire.always(Act(text=answer))
    asked = given(gateway=rig_for(name).gateway)
    assert await emotion_step(asked) == Felt(emotion=feel_offline(asked))
    assert wire.requests


async def test_model_that_is_late_is_not_waited_for(wire, rig_for, monkeypatch):
    """A turn goes on without it."""
    monkeypatch.setattr("memory.life.emotions.reading.MOST_S", 0.2)
    wire.always(Act(hang="request"))
    asked = given(gateway=rig_for("anthropic").gateway)
    assert await emotion_step(asked) == Felt(emotion=feel_offline(asked), form="late")


async def test_without_a_gateway_nothing_is_asked(wire, rig_for):
    """By default a turn costs no further call; neither does a gateway that knows no provider."""
    for gateway in (None, rig_for().gateway):
        assert await emotion_step(given(gateway=gateway)) == Felt(emotion=feel_offline(given()))
    assert wire.requests == []
