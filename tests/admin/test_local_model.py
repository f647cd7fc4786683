"""A model that runs on this machine: found, tried and connected on the page, and then somebody's words answered by it."""

import re
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager

import pytest
from playwright.sync_api import expect

from bench.local_model import is_installed
from companion_site.llm import local_servers
from companion_site.llm.gateway import get_gateway
from companion_site.llm.local_servers import LocalServer
from companion_site.llm.models import LlmCall
from companion_site.running import PROJECT
from tests.browsing import IN_A_BROWSER, browse, overhang
from tests.e2e.pages import await_reply, begin_conversation, say
from tests.factories import make_access

pytestmark = [
    *IN_A_BROWSER,
    pytest.mark.spec("E5"),
    pytest.mark.skipif(
        not is_installed(), reason="the packages of requirements-model.txt are not installed (make model)"
    ),
]


@pytest.fixture(scope="module")
def port() -> Iterator[int]:
    """Where llama.cpp's server answers with the small model."""
    command = [sys.executable, "-m", "bench.local_model", "--port", "0"]
    with subprocess.Popen(
        command, cwd=PROJECT, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True
    ) as server:
        assert server.stdout is not None
        address = server.stdout.readline().strip()
        yield int(address.rsplit(":", 1)[1])
        server.terminate()


@contextmanager
def gateway_anew() -> Iterator[None]:
    """Have the gateway made of the settings as they are now, and forgotten afterwards."""
    get_gateway.cache_clear()
    yield
    get_gateway.cache_clear()


def test_it_is_found_tried_and_connected(unconnected, port, settings, monkeypatch, shared_browser):
    """Staff try it and copy the lines; with these set, a conversation is answered by it, and no other was asked."""
    monkeypatch.setattr(
        local_servers, "KNOWN", (LocalServer(slug="llama-cpp", title="llama.cpp", port=port),)
    )
    with browse("root", shared_browser) as page:
        page.goto("/admin/language-models/")
        page.get_by_role("button", name="Try it llama.cpp").click()
        expect(
            page.get_by_text(re.compile(r"gguf answers: its first word after .+, the whole after .+"))
        ).to_be_visible()
        lines = page.get_by_label("Models on this machine").locator("pre").inner_text()
        page.set_viewport_size({"width": 375, "height": 740})  # its name is a whole path
        assert (page.complaints, overhang(page)) == ([], 0)
    for line in lines.splitlines():
        name, value = line.split("=", 1)
        setattr(settings, name, value)
    settings.LLM_CHAIN, settings.LLM_MAX_REPLY_TOKENS = ["openai", "offline"], 100
    make_access("ada")
    with gateway_anew(), browse("ada", shared_browser) as page:
        begin_conversation(page)
        say(page, "Tell me about whales in one sentence.")
        reply = await_reply(page, messages=2)
        assert reply.inner_text().strip()
        assert page.complaints == []
    answered = LlmCall.objects.filter(purpose="chat.reply")
    assert answered and {call.provider for call in answered} == {"openai"}
    assert {call.outcome for call in answered} == {"ok"}
