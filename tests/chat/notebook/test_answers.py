"""Without a model the reply to a sum is the sum, for students and companies alike."""

import asyncio

import pytest

from chat import services
from chat.replies.live import LiveReply
from chat.turn.reply import Turn, TurnInput
from companion_site.llm.gateway import get_gateway
from companion_site.llm.offline import compose_reply
from companion_site.llm.offline_phrases import WORDS
from companion_site.llm.types import Care, Utterance
from companion_site.vault import unlocked
from tests.factories import NOW, make_access, make_business_user, make_company_access
from tests.llm.builders import make_request


def answer(access, text: str) -> str:
    """Say something in a new conversation; return the reply that the person sees."""
    row = services.begin_conversation(access, now=NOW)
    exchange = services.say(access, row.pk, text=text, client_id=None, now=NOW)
    given = TurnInput(exchange, access=access, gateway=get_gateway(), now=NOW)
    asyncio.run(Turn(given, LiveReply(exchange.reply.pk)).run())
    with unlocked(access.space, access.key):
        reply = services.find_reply(access, row.pk, exchange.reply.pk)
        return services.read_text(access, reply)


@pytest.mark.usefixtures("committed")
@pytest.mark.parametrize("side", ["student", "company"])
def test_a_sum_is_answered_by_its_result(side):
    """Through the whole turn; nothing else is said but, once, that there is no model."""
    access = make_access("ada") if side == "student" else make_company_access(make_business_user())
    told = answer(access, "What is 15% of 240?")
    assert told.split("\n\n")[-1] == "240 * 0.15 = 36"


def test_danger_comes_before_a_sum():
    """Whoever is in danger is answered by words of their own, whatever else could be worked out."""
    request = make_request(
        turns=[Utterance("user", "1 + 1, I want to die")],
        work_out=lambda: "1 + 1 = 2",
        care=Care(danger="sure"),
    )
    told = compose_reply(request)
    assert "1 + 1" not in told and told.startswith(WORDS["en"].care.sure[0][0])
