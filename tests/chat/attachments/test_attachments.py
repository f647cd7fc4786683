"""What is attached waits sealed, goes with its message, is seen by its person alone, and is gone with the message."""

import asyncio
import base64
import json
from contextlib import suppress
from datetime import timedelta
from uuid import uuid4

import pytest
from asgiref.sync import sync_to_async
from django.core.asgi import get_asgi_application
from django.core.files.uploadedfile import SimpleUploadedFile
from django.urls import reverse

from chat.attachments import store
from chat.attachments.files import ATTACHMENTS
from chat.conversations import deletion
from chat.conversations.deletion import remove_expired_texts
from chat.models import Attachment, Message
from companion_site.errors import InvalidInput, NotFound
from tests.chat.attachments.samples import NOTES, attach, picture, say
from tests.chat.talking import begin, change_rows, rows
from tests.factories import NOW, make_student
from tests.live import logged_in, new_conversation
from tests.uploads import PIECE, Upload

pytestmark = [pytest.mark.usefixtures("committed"), pytest.mark.spec("C2")]


def names(access, message=None) -> list[str]:
    """Return what goes with a message, or waits."""
    with access.open():
        return [row.name for row in rows(access, Attachment, message=message)]


def test_it_waits_and_goes_with_the_message(access):
    """In its order; it is sent once, and one too many is refused."""
    row = begin(access)
    files = [attach(access, row, f"{number}.txt") for number in range(ATTACHMENTS.per_message)]
    with pytest.raises(InvalidInput, match="up to 4 files"):
        attach(access, row, "fifth.txt")
    store.remove(access, files[0].pk)
    assert names(access) == ["1.txt", "2.txt", "3.txt"]
    sent = say(access, row, "Look", files[1].pk, files[2].pk).message
    assert names(access, sent) == ["1.txt", "2.txt"] and names(access) == ["3.txt"]
    store.remove(access, files[1].pk)
    assert names(access, sent) == ["1.txt", "2.txt"]
    for wrong in ((files[1].pk,), (uuid4(),), tuple(uuid4() for _ in range(5))):
        with pytest.raises(InvalidInput):
            say(access, row, "Again", *wrong)
    assert len(rows(access, Message)) == 2


def test_it_is_gone_with_the_words(ada, settings):
    """When they expire, when their conversation goes for good, and a week after it was attached and never sent."""
    kept, gone = begin(ada), begin(ada)
    say(ada, kept, "Look", attach(ada, kept).pk)
    say(ada, gone, "Look", attach(ada, gone).pk)
    attach(ada, gone)
    unsent = attach(ada, kept)
    deletion.delete(ada, gone.pk, now=NOW)
    deletion.remove_deleted(now=NOW + deletion.KEPT)
    assert len(rows(ada, Attachment)) == 2
    assert store.remove_unsent(now=NOW + ATTACHMENTS.waits - timedelta(minutes=1)) == 0
    assert store.remove_unsent(now=NOW + ATTACHMENTS.waits) == 1
    with pytest.raises(NotFound):
        store.open_attachment(ada, unsent.pk)
    remove_expired_texts(now=NOW + timedelta(days=settings.TRANSCRIPT_CEILING_DAYS))
    assert rows(ada, Attachment) == []


def test_a_changed_message_keeps_what_is_chosen(access):
    """Each version has its own: what stays behind is still with the first."""
    row = begin(access)
    first = say(access, row, "Look", attach(access, row, "a.txt").pk, attach(access, row, "b.txt").pk)
    change_rows(access, Message, state="complete")
    a, b = rows(access, Attachment, message=first.message)
    changed = say(
        access, row, "Look here", b.pk, attach(access, row, "c.txt").pk, instead_of=first.message.pk
    )
    assert names(access, first.message) == ["a.txt", "b.txt"]
    assert sorted(names(access, changed.message)) == ["b.txt", "c.txt"]
    with pytest.raises(InvalidInput):
        say(access, row, "And now", a.pk)


def test_it_is_shown_to_its_person_alone(access):
    """With headers that let it be nothing but pixels or plain words, kept nowhere; a stranger finds nothing."""
    row = begin(access)
    html, seen = (
        attach(access, row, 'a"b<i>.html', b"<script>alert(1)</script>"),
        attach(access, row, "x.png", picture()),
    )
    say(access, row, "Look", html.pk, seen.pk)
    own = logged_in(access.person.username)
    page = own.get(reverse("chat:conversation", args=[row.pk])).text
    assert 'alt="x.png" width="40" height="20"' in page and "a&quot;b&lt;i&gt;.html" in page
    for one, kind in ((html, "text/plain; charset=utf-8"), (seen, "image/png")):
        answer = own.get(reverse("chat:attachment", args=[one.pk]))
        assert answer["Content-Type"] == kind and answer["X-Content-Type-Options"] == "nosniff"
        assert (
            answer["Content-Disposition"].startswith("inline; filename")
            and "no-store" in answer["Cache-Control"]
        )
        assert (
            "default-src 'none'" in answer["Content-Security-Policy"]
            and "sandbox" in answer["Content-Security-Policy"]
        )
    make_student("eve")
    eve, theirs = logged_in("eve"), new_conversation(logged_in("eve"))
    waiting, address = attach(access, row), reverse("chat:attachment", args=[seen.pk])
    assert eve.get(address).status_code == 404
    eve.post(reverse("chat:detach", args=[row.pk, waiting.pk]))
    stolen = {"text": "Mine", "attachments": [str(waiting.pk)]}
    assert eve.post(reverse("chat:say", args=[theirs]), stolen).status_code == 400
    assert names(access) == ["notes.txt"]
    deletion.delete(access, row.pk, now=NOW)
    assert logged_in(access.person.username).get(address).status_code == 404


def test_by_a_form_without_scripts(access, settings):
    """With the message, in one form, which needs no words then; what cannot be attached leaves what was typed in the box, with the reason."""
    settings.LLM_CHAIN = ["offline"]
    row = begin(access)
    own, address = logged_in(access.person.username), reverse("chat:say", args=[row.pk])
    page = reverse("chat:conversation", args=[row.pk])
    bad = own.post(address, {"text": "Keep <this>", "files": [SimpleUploadedFile("x.png", b"<svg/>")]})
    assert bad.status_code == 400 and "Only pictures" in bad.text
    assert "data-box>Keep &lt;this&gt;</textarea>" in bad.text
    nothing = own.post(address, {"text": " "})
    assert nothing.status_code == 400 and "Write something first." in nothing.text
    waiting = attach(access, row, "first.txt")
    assert f'name="attachments" value="{waiting.pk}"' in own.get(page).text
    second = SimpleUploadedFile("second.txt", b"Moses")
    assert own.post(address, {"text": "", "attachments": [waiting.pk], "files": [second]}).status_code == 302
    (message,) = rows(access, Message, role="person")
    assert names(access, message) == ["first.txt", "second.txt"]
    shown = own.get(page).text.partition(f'id="message-{message.pk}"')[2].partition("</article>")[0]
    assert "data-text></div>" in shown and "data-edit" in shown and 'data-copy="text"' not in shown
    waiting = attach(access, row, "third.txt")
    own.post(reverse("chat:detach", args=[row.pk, waiting.pk]), {"text": "Still typing"})
    assert "data-box>Still typing</textarea>" in own.get(page).text and names(access) == []


def test_one_by_one_as_the_page_sends_them(access):
    """Each is answered with how it stands in the message box, or why it does not."""
    row = begin(access)
    own, address = logged_in(access.person.username), reverse("chat:attach", args=[row.pk])
    taken = own.post(address, {"file": SimpleUploadedFile("x.png", picture())})
    assert taken.status_code == 201 and 'name="attachments"' in taken.text and "Remove x.png" in taken.text
    for given in ({}, {"file": SimpleUploadedFile("x.png", picture()[:50])}, {"file": "words"}):
        refused = own.post(address, given, headers={"Accept": "application/json"})
        assert refused.status_code == 400 and refused.json()["message"]
    assert names(access) == ["x.png"]


async def test_a_half_sent_file_is_not_kept(access):
    """What breaks off leaves nothing behind."""
    row, own = await sync_to_async(begin)(access), await sync_to_async(logged_in)(access.person.username)
    begun = b'--x\r\nContent-Disposition: form-data; name="file"; filename="a.txt"\r\n\r\nPelle owes'
    await sync_to_async(own.get)("/chat/")
    body = begun + b"." * PIECE + b"\r\n--x--\r\n"
    for cut in (True, False):
        asked = Upload(
            0,
            data=body,
            declared=len(body),
            cut=cut,
            cookies=own.cookies,
            path=reverse("chat:attach", args=[row.pk]),
            content_type="multipart/form-data; boundary=x",
        )
        with suppress(asyncio.TimeoutError):
            async with asyncio.timeout(20):
                await get_asgi_application()(asked.scope, asked.receive, asked.send)
        assert (asked.sent == []) is cut
        assert await sync_to_async(names)(access) == ([] if cut else ["a.txt"])


def test_it_is_taken_along_with_its_conversation(access):
    """JSON holds what was attached; Markdown shows pictures and quotes files."""
    row = begin(access)
    attached = attach(access, row, "notes.txt"), attach(access, row, "x [1].png", picture())
    say(access, row, "Look", *(one.pk for one in attached))
    own, address = logged_in(access.person.username), reverse("chat:export", args=[row.pk])
    told = json.loads(b"".join(own.get(f"{address}?as=json").streaming_content))
    file, seen = told["messages"][0]["attachments"]
    assert file == {"name": "notes.txt", "type": "text/plain", "text": NOTES}
    assert (
        base64.b64decode(seen["base64"]).startswith(b"\x89PNG") and "attachments" not in told["messages"][1]
    )
    text = b"".join(own.get(f"{address}?as=markdown").streaming_content).decode()
    assert "![x (1).png](data:image/png;base64," in text and "```\nPelle owes 40 kronor." in text
