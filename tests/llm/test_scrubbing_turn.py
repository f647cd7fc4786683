"""Scrubbing through the site itself: a whole turn with its fog, and a message read into memory."""

import json
from uuid import uuid4

import pytest

from companion_site.llm.models import LlmCall
from memory.student.exchange.findings import read
from memory.student.exchange.prompts import Exchange, Line
from tests.chat.talking import reply
from tests.factories import NOW, make_access
from tests.llm.wire_server import Act
from tests.overlay.building import make_school, named

pytestmark = pytest.mark.spec("I8")

PHONE, MAIL = "070-174 06 05", "anna@example.com"
#: The name of a concept that stands in no text as long as the number in it is kept back.
HIDDEN = f"Code {PHONE}"


@pytest.fixture
def model(model, settings, committed):
    """Scrubbed as if it were far away."""
    settings.LLM_SCRUB_LOCAL = True
    return model


def test_the_fog_reads_the_reply_as_the_person_would(model):
    """Values are put back first: a hidden name that only they complete is veiled, and the value alone is shown."""
    ada = make_access("ada", school=make_school(concepts=named(HIDDEN), edges=[]))
    model.script(Act(text="It is code [PHONE-1] there."), Act(text="I call [PHONE-1] then."))
    veiled, shown = (reply(ada, f"My number is {PHONE}", memory_on=False) for _ in range(2))
    assert PHONE not in veiled and "[PHONE-1]" not in veiled and veiled.startswith("It is ")
    assert shown == f"I call {PHONE} then."
    assert [sent.said for sent in model.requests] == ["My number is [PHONE-1]"] * 2
    assert set(LlmCall.objects.values_list("provider", "outcome")) == {("anthropic", "ok")}


def test_a_quote_with_a_placeholder_is_found_in_the_message(model):
    """Memory takes only quotes that stand word for word in the message; a restored one does."""
    text = f'Hej! Min mejl är {MAIL} och jag säger "ring {PHONE}" till alla. Hej då.'
    quote = 'Min mejl är [EMAIL-1] och jag säger "ring [PHONE-1]" till alla.'
    model.script(Act(text=json.dumps({"facts": [{"message": 1, "quote": quote, "text": quote}]})))
    line = Line(id=uuid4(), number=1, text=text, language="sv", said_at=NOW, is_person=True, is_new=True)
    (fact,) = read(Exchange(lines=[line])).facts
    assert fact.text == f'Min mejl är {MAIL} och jag säger "ring {PHONE}" till alla.'
    assert text[fact.start : fact.end] == fact.text
    assert MAIL not in str(model.requests[0].body)
