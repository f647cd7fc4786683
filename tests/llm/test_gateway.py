"""The gateway as the settings make it."""

from dataclasses import fields

import pytest
from django.core.management import call_command
from django.core.management.base import SystemCheckError

from companion_site.llm import gateway
from companion_site.llm.gateway import (
    Known,
    check_settings,
    get_gateway,
    limits_from_settings,
    make_provider,
    read_account,
)
from companion_site.llm.models import LlmCall
from companion_site.llm.tokens import estimate_tokens
from companion_site.llm.types import Limits
from tests.cases import cases
from tests.llm.builders import make_request


@pytest.fixture(autouse=True)
def no_provider(settings):
    """Start from a site without keys."""
    for setting in ("ANTHROPIC_API_KEY", "ANTHROPIC_BASE_URL", "OPENAI_API_KEY", "OPENAI_BASE_URL"):
        setattr(settings, setting, "")
    settings.LLM_CHAIN = ["anthropic", "openai", "offline"]


def names() -> list[str]:
    return [provider.name for provider in get_gateway().providers]


def test_chain_keeps_the_order_of_the_settings(settings):
    """And leaves out who has neither key nor address."""
    settings.ANTHROPIC_API_KEY = "key"
    assert names() == ["anthropic"]
    settings.OPENAI_BASE_URL, settings.OPENAI_CHAT_MODEL = "http://127.0.0.1:9/v1", "local"
    settings.LLM_CHAIN = ["openai", "anthropic"]
    assert names() == ["openai", "anthropic"]


def test_compatible_server_without_a_model_name_is_left_out(settings, caplog):
    """It cannot be asked for anything; the log says which setting is missing."""
    settings.OPENAI_API_KEY, settings.OPENAI_CHAT_MODEL, settings.OPENAI_FAST_MODEL = "key", "", ""
    assert names() == []
    assert "OPENAI_CHAT_MODEL" in caplog.text


def test_fast_model_defaults_to_the_chat_model(settings):
    """A local server often has one model."""
    settings.OPENAI_BASE_URL, settings.OPENAI_CHAT_MODEL = "http://127.0.0.1:9/v1", "local"
    settings.OPENAI_FAST_MODEL = ""
    (provider,) = get_gateway().providers
    assert (provider.model_for("chat"), provider.model_for("fast")) == ("local", "local")


def test_a_further_provider_is_asked_at_its_own_address_with_its_own_key(settings, monkeypatch):
    """Whoever adds one gives it a place in the table and settings of its name: nothing of another's is sent there."""
    path, address = gateway.PROVIDERS["openai"].path, "https://api.mistral.example/v1"
    monkeypatch.setitem(gateway.PROVIDERS, "mistral", Known(path=path, title="Mistral", address=address))
    settings.OPENAI_API_KEY, settings.OPENAI_CHAT_MODEL = "key-of-openai", "gpt"
    settings.MISTRAL_BASE_URL = settings.MISTRAL_API_KEY = settings.MISTRAL_FAST_MODEL = ""
    settings.MISTRAL_CHAT_MODEL = "small"
    assert make_provider("mistral", limits_from_settings()) is None
    settings.MISTRAL_BASE_URL = "http://127.0.0.1:9/v1"
    assert read_account("mistral").missing == (), "a server of one's own may need no key"
    settings.MISTRAL_BASE_URL = ""
    settings.MISTRAL_API_KEY = "key-of-mistral"
    account = read_account("mistral")
    assert (account.api_key, account.address) == ("key-of-mistral", address)
    provider = make_provider("mistral", limits_from_settings())
    assert (provider.name, provider.model_for("fast")) == ("mistral", "small")


@cases(
    ("setting", "limit"),
    [
        ("LLM_TIMEOUT_S", "total_s"),
        ("LLM_FIRST_TOKEN_TIMEOUT_S", "first_token_s"),
        ("LLM_CONNECT_TIMEOUT_S", "connect_s"),
        ("LLM_BETWEEN_TOKENS_TIMEOUT_S", "between_tokens_s"),
        ("LLM_EXTRACT_TIMEOUT_S", "extract_s"),
    ],
)
def test_every_time_out_of_a_call_can_be_set(settings, setting, limit):
    """And the gateway that is asked next goes by it."""
    assert {field.name for field in fields(Limits) if field.name.endswith("_s")} - {
        "backoff_s", "backoff_max_s", "retry_after_max_s", "breaker_open_s",
    } == {"total_s", "first_token_s", "connect_s", "between_tokens_s", "extract_s"}  # fmt: skip
    setattr(settings, setting, 1.5)
    assert getattr(get_gateway().limits, limit) == 1.5


@pytest.mark.parametrize(
    ("setting", "value", "code", "told"),
    [
        (
            "LLM_CHAIN",
            ["antropic", "offline"],
            "E001",
            "LLM_CHAIN names 'antropic'; known are anthropic, offline, openai.",
        ),
        # the address is not repeated: a password may stand in it
        (
            "OPENAI_BASE_URL",
            "ada:secret@127.0.0.1/v1",
            "E005",
            "OPENAI_BASE_URL has to begin with http:// or https://.",
        ),
        # a typing error would let out what was to be kept back
        (
            "LLM_SCRUB",
            ["email", "telephone"],
            "E002",
            "LLM_SCRUB names 'telephone'; known are personal_number, iban, card, email, phone, or none alone.",
        ),
    ],
)
def test_a_setting_that_cannot_work_is_found_at_start_up(settings, setting, value, code, told):
    """Not in the first reply; and the site does not start."""
    assert check_settings(None) == []
    setattr(settings, setting, value)
    (error,) = check_settings(None)
    assert (error.id, error.msg) == (f"llm.{code}", told)
    with pytest.raises(SystemCheckError, match=error.id):
        call_command("prepare")


@pytest.mark.spec("I7")
async def test_site_without_keys_answers(rows):
    """From the settings to the usage row, with nothing configured."""
    async with get_gateway().stream(make_request()) as reply:
        text = "".join([piece async for piece in reply])
    assert (reply.provider, bool(text)) == ("offline", True)
    assert await LlmCall.objects.filter(provider="offline", outcome="ok").acount() == 1


@cases("text", ["The exam is on Friday and I am nervous about it.", "Provet är på fredag, och jag är rädd."])
def test_estimate_errs_upwards(text):
    """No fewer than one token for each three letters, in either language."""
    assert estimate_tokens(text) >= len(text) / 3
