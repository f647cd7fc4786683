"""The step that reads how somebody feels from what they say, and from how it sounded where it was spoken."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from chat.threads import in_thread
from chat.turn.asking import form_without
from chat.turn.stepping import Form
from companion_site.llm.chain import Gateway
from companion_site.llm.errors import LanguageModelError
from memory.life.emotions.classifying import classify
from memory.life.emotions.reading import classify_by_model
from memory.life.emotions.sounding import Sounding
from memory.life.feelings import EmotionState


@dataclass(frozen=True, kw_only=True)
class EmotionInput:
    """One message.

    Attributes:
        vector: (d,) under the embedder of this process; without it only a model reads.
        sound: how it sounded, where it was spoken.
        gateway: asks a model; None reads without one.
    """

    text: str
    vector: NDArray[np.floating] | None = None
    sound: Sounding | None = None
    gateway: Gateway | None = None


@dataclass(frozen=True, kw_only=True)
class Felt:
    emotion: EmotionState
    form: Form = "offline"


async def emotion_step(given: EmotionInput) -> Felt:
    """Return how somebody feels; by a model where one is given and answers in time and form, else without."""
    form: Form = "offline"
    if given.gateway is not None and given.gateway.providers:
        try:
            read = await classify_by_model(given.text, gateway=given.gateway, sound=given.sound)
            return Felt(emotion=read, form="model")
        except (LanguageModelError, TimeoutError) as error:
            form = form_without(error, step="emotion")
    return Felt(emotion=await in_thread(feel_offline, given), form=form)


def feel_offline(given: EmotionInput) -> EmotionState:
    """Return what the reader's heads tell; a millisecond, no network."""
    return classify(given.text, vector=given.vector, sound=given.sound)
