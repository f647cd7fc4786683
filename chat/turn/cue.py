"""What a message is, for a reply without a model: hard to bear, a wish, a question, glad, work ahead, thanks, a greeting."""

import numpy as np
from numpy.typing import NDArray

from chat.planning.moods import SURE, is_low
from companion_site.llm.types import Cue
from memory.reading.answers import find_sought
from memory.reading.params import READING
from memory.reading.service import get_heads, wish_chances
from memory.student.life.feelings import UNKNOWN, EmotionState

#: what somebody wants who asks for what was told
ASKS = ("about_me", "company_fact", "company_figure")
#: what somebody wants who has work ahead of them
WORK = ("plan", "practise", "do_task", "explain", "advice")


def name_cue(text: str, *, vector: NDArray[np.floating] | None, emotion: EmotionState = UNKNOWN) -> Cue:
    """Return what a message is; how somebody feels comes before what they want, but for what was told of a name, a place, a time or a number.

    Args:
        vector: (d,) of the message; without one nothing is known.
    """
    if vector is None or not vector.any():
        return "other"
    heads = get_heads()
    told = heads.read_texts("intent", [text], vector[None])["intent"]
    if find_sought(text) and told.of("about_me") >= READING.intent:
        return "question"
    if is_low(emotion):
        return "heavy"
    if wish_chances([text], vector[None], heads)[0] >= READING.confirms_wish and not text.rstrip().endswith(
        "?"
    ):
        return "wish"
    if told.of("remember_this") >= READING.asks_to_remember:
        return "remember"
    if told.of("thanks") >= READING.intent:
        return "thanks"
    if told.of("greeting") >= READING.intent:
        return "greeting"
    if sum(map(told.of, ASKS)) >= READING.intent:
        return "question"
    if emotion.primary_emotion == "joy" and emotion.confidence >= SURE:
        return "glad"
    return "plan" if sum(map(told.of, WORK)) >= READING.intent else "other"
