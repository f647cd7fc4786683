"""Somebody with a companion, a browser of theirs, and providers of voice on this machine."""

from collections.abc import AsyncIterator

import pytest
from django.test import AsyncClient

from companion_site.voice import service
from tests.factories import make_access
from tests.live import logged_in
from tests.voice.provider import VoiceProvider, serve_voice


@pytest.fixture(autouse=True)
def no_voice(settings):
    """Begin without any voice: a test chooses its own, whatever is installed here."""
    settings.VOICE_STT = settings.VOICE_TTS = "off"


@pytest.fixture
async def provider(settings) -> AsyncIterator[VoiceProvider]:
    """A provider that listens and one that speaks, as this site's settings name them."""
    with serve_voice(settings) as server:
        yield server
        await service.aclose()


@pytest.fixture
def ada(committed):
    return make_access("ada")


class Script(AsyncClient):
    """A page's script, which speaks to the site as a server does and asks for JSON."""

    def generic(self, *given, **more):
        return super().generic(*given, **more | {"headers": {"Accept": "application/json"}})


def browser_of(username: str) -> AsyncClient:
    """Return somebody's browser with its page's script."""
    client = Script()
    client.cookies = logged_in(username).cookies
    return client


@pytest.fixture
def browser(ada) -> AsyncClient:
    return browser_of("ada")
