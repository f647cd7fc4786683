"""The gateway as the settings make it."""

import asyncio
import sys

import pytest

from companion_site.llm.checks import check_chain
from companion_site.llm.gateway import get_gateway, limits_from_settings
from companion_site.llm.models import LlmCall
from companion_site.llm.tokens import check_ceiling, estimate_tokens
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


def test_without_keys_only_the_offline_companion_is_left():
    """The site answers out of the box."""
    assert names() == []
    assert get_gateway().offline.name == "offline"


def test_chain_keeps_the_order_of_the_settings(settings):
    """And leaves out who has neither key nor address."""
    settings.ANTHROPIC_API_KEY = "key"
    assert names() == ["anthropic"]
    settings.OPENAI_BASE_URL, settings.OPENAI_CHAT_MODEL = "http://127.0.0.1:9/v1", "local"
    settings.LLM_CHAIN = ["openai", "anthropic"]
    assert names() == ["openai", "anthropic"]


def test_gateway_is_built_once_and_anew_when_a_setting_changes(settings):
    """Connections and breakers are shared by the process."""
    first = get_gateway()
    assert get_gateway() is first
    settings.LLM_TIMEOUT_S = 7.0
    assert get_gateway().limits.total_s == 7.0


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


def test_no_part_of_a_call_is_given_longer_than_the_whole(settings):
    """A short total shortens the rest."""
    settings.LLM_TIMEOUT_S, settings.LLM_FIRST_TOKEN_TIMEOUT_S = 3.0, 20.0
    limits = limits_from_settings()
    assert (limits.total_s, limits.first_token_s, limits.extract_s) == (3.0, 3.0, 3.0)


def test_unknown_provider_is_found_at_start_up(settings):
    """Not in the first reply."""
    assert check_chain(None) == []
    settings.LLM_CHAIN = ["antropic", "offline"]
    (error,) = check_chain(None)
    assert (error.id, "antropic" in error.msg) == ("llm.E001", True)


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


def test_estimate_counts_every_message():
    """Many short messages are not free."""
    assert check_ceiling([""] * 10, ceiling=1000) == 80


async def test_wire_server_runs_on_its_own():
    """Browser tests start it as a process and read its address."""
    process = await asyncio.create_subprocess_exec(
        sys.executable, "-m", "tests.llm.wire_server", "--port", "0", stdout=asyncio.subprocess.PIPE
    )
    try:
        line = await process.stdout.readline()
    finally:
        process.terminate()
        await process.wait()
    assert line.startswith(b"http://127.0.0.1:")
