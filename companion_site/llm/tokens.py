"""Token estimates, and the ceiling that every request passes before it is sent.

The estimate errs upwards: 2.5 bytes of UTF-8 a token, where current tokenizers take 3 to 4 in English and a little
less in Swedish. It guards against a runaway request and needs no tokenizer of any provider.
"""

import math
from collections.abc import Iterable

from companion_site.llm.errors import TokenCeilingPassed
from companion_site.llm.types import ChatRequest, Utterance

BYTES_PER_TOKEN = 2.5
TOKENS_PER_MESSAGE = 8
#: What providers count for a picture of the largest size that they do not make smaller.
TOKENS_PER_PICTURE = 1600


def estimate_tokens(text: str) -> int:
    """Return about how many tokens `text` is, rather too many than too few."""
    return math.ceil(len(text.encode()) / BYTES_PER_TOKEN)


def count_tokens(texts: Iterable[str]) -> int:
    """Return the estimate for `texts` sent as one message each."""
    return sum(estimate_tokens(text) + TOKENS_PER_MESSAGE for text in texts)


def count_turns(turns: Iterable[Utterance]) -> int:
    """Return the estimate for turns with their pictures."""
    return sum(count_tokens([turn.text]) + TOKENS_PER_PICTURE * len(turn.pictures) for turn in turns)


def count_pictures(turns: Iterable[Utterance]) -> int:
    """Return the estimate for the pictures of turns alone."""
    return TOKENS_PER_PICTURE * sum(len(turn.pictures) for turn in turns)


def check_ceiling(texts: Iterable[str], *, ceiling: int) -> None:
    """Raise TokenCeilingPassed where the estimate for all `texts` together is above `ceiling`."""
    if count_tokens(texts) > ceiling:
        raise TokenCeilingPassed()


def texts_of(request: ChatRequest) -> list[str]:
    """Return every text of `request` that goes over the wire."""
    names = [picture.name for turn in request.turns for picture in turn.pictures]
    return [request.system, request.context, *(turn.text for turn in request.turns), *names]
