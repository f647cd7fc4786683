"""What a provider is told and what the person gets, over the real SDKs."""

import dataclasses
import json
import logging
from functools import partial

import pytest
from pydantic import BaseModel, ConfigDict

from companion_site.llm.errors import LanguageModelError
from companion_site.llm.gateway import get_gateway
from companion_site.llm.scrubbing.policy import Kind, is_on_this_machine
from companion_site.llm.scrubbing.provider import ScrubbingProvider
from companion_site.llm.scrubbing.scrubber import RULE
from companion_site.llm.types import Utterance
from tests.cases import cases
from tests.llm.builders import Fact, Facts, make_request
from tests.llm.wire_server import Act

pytestmark = pytest.mark.spec("I8")

MAIL, PHONE, NUMBER = "anna@example.com", "070-174 06 05", "811218-9876"
IBAN, CARD = "SE45 5000 0000 0583 9825 7466", "4111 1111 1111 1111"
VALUES = (MAIL, PHONE, NUMBER, IBAN, CARD)
ALL = f"{MAIL}, {PHONE}, {NUMBER}, {IBAN}, {CARD}"
PLACEHOLDERS = "[EMAIL-1], [PHONE-1], [PERSONAL-NUMBER-1], [IBAN-1], [CARD-1]"


@pytest.fixture
def scrubbing(rig_for):
    """Return a maker of rigs whose providers are scrubbed of every kind."""
    return partial(rig_for, behind=partial(ScrubbingProvider, kinds=Kind))


def told(wire) -> str:
    """Return everything that came over the wire, headers included."""
    return "\n".join(
        f"{sent.path} {sent.headers} {json.dumps(sent.body, ensure_ascii=False)}" for sent in wire.requests
    )


async def test_a_provider_hears_placeholders_and_the_person_reads_values(wire, scrubbing, name):
    """In the memory, in earlier turns and in the last words; the reply is whole again."""
    wire.script(Act(text=f"I keep {PLACEHOLDERS} for you."))
    turns = [
        Utterance("user", f"I am {MAIL}"),
        Utterance("assistant", f"Noted: {PHONE}"),
        Utterance("user", ALL),
    ]
    reply = await scrubbing(name).reply(make_request(turns=turns, context=f"<memory>{CARD}; {MAIL}</memory>"))
    assert reply == f"I keep {ALL} for you."
    assert not [value for value in VALUES if value in told(wire)]
    (sent,) = wire.requests
    assert sent.said == PLACEHOLDERS
    assert "<memory>[CARD-1]; [EMAIL-1]</memory>" in sent.last_text


async def test_the_model_is_told_what_placeholders_are_only_where_there_are_any(wire, scrubbing, name):
    """The system's text is ours; nothing in it is replaced, and without values it is as it was."""
    rig = scrubbing(name)
    await rig.reply(make_request(system=f"Help at {MAIL}."))
    await rig.reply(make_request(turns=[Utterance("user", MAIL)]))
    await rig.extract(data=f"mail {MAIL}", instructions="List.")
    first, second, third = (sent.system_text for sent in wire.requests)
    assert first == f"Help at {MAIL}."
    assert second == f"You are a companion.\n\n{RULE}"
    assert third.startswith(f"List.\n\n{RULE}")


async def test_each_provider_hears_placeholders_when_the_first_fails(wire, scrubbing):
    """Every try over the chain is scrubbed, each alike."""
    wire.script(Act(status=400), Act(text="ok [EMAIL-1]"))
    assert (
        await scrubbing("anthropic", "openai").reply(make_request(turns=[Utterance("user", MAIL)]))
        == f"ok {MAIL}"
    )
    assert [sent.said for sent in wire.requests] == ["[EMAIL-1]", "[EMAIL-1]"]


async def test_an_extraction_is_restored_before_it_is_validated(wire, scrubbing, name):
    """The model copies placeholders; what the caller gets is word for word what the data said."""
    quote = f'I said "{MAIL}" \\ {PHONE}'
    answer = {"facts": [{"text": 'I said "[EMAIL-1]" \\ [PHONE-1]', "certain": True}]}
    wire.script(Act(text=json.dumps(answer)))
    found = await scrubbing(name).extract(data=f"Yesterday {quote}.")
    assert found.value == Facts(facts=[Fact(text=quote, certain=True)])
    assert not [value for value in VALUES if value in told(wire)]


class Closed(BaseModel):
    """A form that allows no key of the model's own."""

    model_config = ConfigDict(extra="forbid")
    certain: bool


async def test_a_repair_takes_no_value_out_either(wire, scrubbing, name):
    """The fault is named by its place, and a place may be a key that was restored."""
    wire.script(Act(text='{"[EMAIL-1]": 1, "certain": true}'), Act(text='{"certain": true}'))
    found = await scrubbing(name).gateway.extract(Closed, instructions="Read.", data=f"mail {MAIL}")
    assert found.value == Closed(certain=True)
    assert MAIL not in told(wire)
    assert "[EMAIL-1]: extra_forbidden" in wire.requests[1].last_text


@pytest.mark.parametrize("act", [Act(), Act(status=400), Act(error_after=1), Act(cut_after=2)], ids=str)
async def test_logs_errors_and_records_hold_no_value(wire, scrubbing, name, act, caplog):
    """Nor the placeholders' map: not when everything is logged, whatever goes wrong."""
    for logger in ("anthropic", "openai", "httpx2"):
        logging.getLogger(logger).setLevel(logging.DEBUG)
    wire.always(act)
    rig = scrubbing(name, offline=False)
    with caplog.at_level(logging.DEBUG):
        for attempt in (rig.reply(make_request(turns=[Utterance("user", ALL)])), rig.extract(data=ALL)):
            try:
                await attempt
            except LanguageModelError:
                logging.getLogger("test").exception("failed")
    kept = caplog.text + str([dataclasses.asdict(record) for record in rig.records])
    assert rig.records and not [value for value in VALUES if value in kept]
    assert "EMAIL-1" not in kept


async def said_to(model) -> str:
    """Return what the provider of the site's gateway hears of a value of each kind."""
    model.clear()
    gateway = get_gateway()
    async with gateway.stream(make_request(turns=[Utterance("user", ALL)])) as reply:
        _ = [piece async for piece in reply]
    await gateway.aclose()
    return model.requests[0].said


async def test_the_settings_say_which_kinds_are_kept_back(settings, model, rows):
    """All by default, some by name, or none; a server on this machine is told everything unless asked otherwise."""
    assert await said_to(model) == ALL
    settings.LLM_SCRUB_LOCAL = True
    assert await said_to(model) == PLACEHOLDERS
    settings.LLM_SCRUB = ["phone", "card"]
    assert await said_to(model) == ALL.replace(PHONE, "[PHONE-1]").replace(CARD, "[CARD-1]")
    settings.LLM_SCRUB = ["none"]
    assert await said_to(model) == ALL


def test_what_is_sent_over_the_net_is_scrubbed_by_default(settings, model):
    """The provider's public address, and a server of one's own that is not on this machine."""
    for url in ("", "https://models.example.org"):
        settings.ANTHROPIC_BASE_URL = url
        assert isinstance(get_gateway().providers[0], ScrubbingProvider)


@cases(
    ("url", "here"),
    [
        ("http://localhost:11434/v1", True),
        ("http://LOCALHOST/v1", True),
        ("http://127.0.0.1:8000", True),
        ("http://127.9.9.9", True),
        ("http://[::1]:8000/v1", True),
        ("http://models.localhost", True),
        ("http://192.168.1.5/v1", False),
        ("http://localhost.example.org", False),
        ("http://127.0.0.1.example.org", False),
        ("https://localhost@example.org", False),
        ("http://0.0.0.0", False),
        ("https://api.openai.com/v1", False),
        ("", False),
    ],
)
def test_only_this_machine_is_this_machine(url, here):
    """The name that always means it and the addresses of its loopback, not the neighbours'."""
    assert is_on_this_machine(url) == here


async def test_placeholders_split_over_pieces_are_put_together(wire, scrubbing, name):
    """The server cuts at spaces; a model that writes them loosely splits one in four."""
    wire.script(Act(text="Ring [ phone - 1 ] or [personal number 1], not [EMAIL-9] [1]"))
    reply = await scrubbing(name).reply(make_request(turns=[Utterance("user", f"{PHONE} {NUMBER}")]))
    assert reply == f"Ring {PHONE} or {NUMBER}, not [EMAIL-9] [1]"
