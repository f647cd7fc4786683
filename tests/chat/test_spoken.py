"""Messages that came by voice: what the socket takes of them, and what is kept."""

from uuid import uuid4

import pytest

from chat import protocol, services
from chat.models import Message
from companion_site.errors import InvalidInput
from tests.chat.talking import begin, rows
from tests.chat.test_socket import threaded
from tests.factories import NOW, make_access, make_business_user, make_company_access
from tests.live import tab

pytestmark = [pytest.mark.spec("L1")]

SOUND = {"duration_s": 3.4, "loudness_db": -21.3, "tempo_wps": None, "pause_share": 0.18}


def frame(**more):
    return {"type": "chat.say", "client_id": str(uuid4()), "text": "I slept badly.", **more}


async def test_a_spoken_message_is_kept_as_spoken(site, ada, browser, conversation):
    """It says that it was spoken; its words, and how they sounded, are sealed."""
    async with tab(site, browser, conversation) as page:
        await page.send(**frame(spoken=True, sound=SOUND))
        await page.next("chat.done")
    (row,) = await threaded(rows)(ada, Message, role="person")
    assert row.spoken


def test_how_it_sounded_is_kept_under_seal(db):
    """It comes back inside the space alone; of a written message there is none, and how a member of a company sounds is no business of the company's."""
    ada, bo = make_access("ada"), make_company_access(make_business_user("bo"))
    given = protocol.parse_frame(frame(spoken=True, sound=SOUND))
    voice = {"spoken": given.spoken, "sound": given.sound.model_dump()}
    for access, given, kept in (
        (ada, voice, (True, {"sound": SOUND})),
        (ada, {}, (False, None)),
        (bo, voice, (False, None)),
    ):
        row = begin(access)
        said = services.say(access, row.pk, text="Hi", client_id=uuid4(), now=NOW, **given).message
        (stored,) = rows(access, Message, pk=said.pk)
        with access.open():
            assert (stored.spoken, stored.outcome) == kept
        assert "duration" not in repr(stored.__dict__["outcome"])
    for spoken in (False, True):
        told = protocol.parse_frame(frame(spoken=spoken, sound=None))
        assert (told.spoken, told.sound) == (spoken, None)


def test_a_sound_that_is_none_is_refused(subtests):
    """Only finite numbers within what a voice can be, each under its own name, and only of what was spoken."""
    for wrong in [
        {"spoken": "yes"},
        {"spoken": 1},
        {"spoken": False, "sound": SOUND},
        {"sound": SOUND},
        {"spoken": True, "sound": {**SOUND, "duration_s": "3.4"}},
        {"spoken": True, "sound": {**SOUND, "duration_s": True}},
        {"spoken": True, "sound": {**SOUND, "duration_s": float("nan")}},
        {"spoken": True, "sound": {**SOUND, "loudness_db": float("-inf")}},
        {"spoken": True, "sound": {**SOUND, "loudness_db": 1e9}},
        {"spoken": True, "sound": {**SOUND, "pause_share": 1.01}},
        {"spoken": True, "sound": {**SOUND, "tempo_wps": -1}},
        {"spoken": True, "sound": {**SOUND, "tempo_wps": 10**400}},
        {"spoken": True, "sound": {**SOUND, "mood": "sad"}},
        {"spoken": True, "sound": {"duration_s": 3.4}},
        {"spoken": True, "sound": [3.4]},
    ]:
        with subtests.test(case=wrong), pytest.raises(InvalidInput):
            protocol.parse_frame(frame(**wrong))
