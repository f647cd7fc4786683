"""A student at a browser that shows nothing: the site's own pages and socket over real connections."""

import http.client
import json
import re
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.cookies import SimpleCookie
from typing import Any
from urllib.parse import urlencode
from uuid import UUID, uuid4

from websockets.exceptions import ConnectionClosed
from websockets.sync.client import ClientConnection, connect

from tests.e2e.people import PASSWORD
from tests.running.site import PATIENCE_S, Site, wait_until


@dataclass
class Words:
    """Something a student said, and what became known of it at once."""

    text: str
    client_id: UUID = field(default_factory=uuid4)
    #: ids of what goes with it
    attachments: tuple[str, ...] = ()
    #: the stored message's id, once the site has said that it has it
    message: UUID | None = None
    reply: UUID | None = None


@dataclass
class Talk:
    """The open socket of one conversation."""

    socket: ClientConnection
    heard: list[dict[str, Any]] = field(default_factory=list)

    def send(self, **frame: Any) -> None:
        self.socket.send(json.dumps(frame))

    def say(self, words: Words) -> None:
        """Send words without waiting for the receipt."""
        given = {"attachments": words.attachments} if words.attachments else {}
        self.send(type="chat.say", client_id=str(words.client_id), text=words.text, **given)

    def hear(self, *kinds: str, timeout_s: float = PATIENCE_S) -> dict[str, Any]:
        """Return the next event of one of `kinds`.

        Raises:
            TimeoutError: none came. ConnectionClosed: none will.
        """
        deadline = time.monotonic() + timeout_s
        while True:
            event = json.loads(self.socket.recv(timeout=max(0.0, deadline - time.monotonic())))
            self.heard.append(event)
            if event["type"] in kinds:
                return event

    def told(self, words: Words) -> None:
        """Say it and wait until the site has it and begins to answer."""
        self.say(words)
        words.message = UUID(self.hear("chat.accepted")["message_id"])
        words.reply = UUID(self.hear("chat.started", "chat.snapshot", "chat.done")["reply"])

    def hear_rest(self, words: Words) -> None:
        """Read what came before the connection went, and note whether the words had arrived."""
        try:
            while True:
                self.hear(timeout_s=1)
        except (ConnectionClosed, TimeoutError):
            pass
        for event in self.heard:
            if event["type"] == "chat.accepted" and event["client_id"] == str(words.client_id):
                words.message = UUID(event["message_id"])
            if event["type"] == "chat.started":
                words.reply = UUID(event["reply"])


class Visitor:
    """One student's browser: cookies, pages and sockets."""

    def __init__(self, site: Site, name: str) -> None:
        self.site, self.name = site, name
        self.cookies: SimpleCookie = SimpleCookie()

    def log_in(self, password: str = PASSWORD) -> int:
        """Log in by the form; return the answer's status, 302 when it was right."""
        self.get("/login/")
        status, _, _ = self.post("/login/", username=self.name, password=password)
        return status

    def get(self, path: str) -> tuple[int, str, str]:
        """Return status, body and Location of a page."""
        return self._ask("GET", path)

    def post(self, path: str, **fields: str) -> tuple[int, str, str]:
        """Send a form as the page would; return status, body and Location."""
        token = self.cookies["csrftoken"].value
        return self._ask("POST", path, urlencode({**fields, "csrfmiddlewaretoken": token}))

    def attach(self, conversation: UUID, name: str, content: bytes) -> tuple[int, str]:
        """Attach a file as the page does; return the answer's status and its id, "" where it was refused."""
        form = f'Content-Disposition: form-data; name="file"; filename="{name}"'
        body = f"--part\r\n{form}\r\n\r\n".encode() + content + b"\r\n--part--\r\n"
        headers = {
            "Content-Type": "multipart/form-data; boundary=part",
            "X-CSRFToken": self.cookies["csrftoken"].value,
        }
        status, page, _ = self._ask("POST", f"/chat/{conversation}/attachments/", body, headers)
        found = re.search(r'name="attachments" value="([^"]+)"', page)
        return status, found[1] if found else ""

    def begin_conversation(self) -> UUID:
        _, _, location = self.post("/chat/new/")
        return UUID(location.strip("/").split("/")[-1])

    @contextmanager
    def talk(self, conversation: UUID) -> Iterator[Talk]:
        """Open the socket of a conversation."""
        headers = {"Cookie": self._cookies(), "Origin": f"http://127.0.0.1:{self.site.port}"}
        url = f"ws://127.0.0.1:{self.site.port}/ws/chat/{conversation}/"
        with connect(url, additional_headers=headers, close_timeout=1) as socket:
            yield Talk(socket)

    def tell_again(self, conversation: UUID, words: Words) -> None:
        """Send words whose receipt never came once more, as the page does when it is connected again."""
        wait_until(lambda: self._told_again(conversation, words), f"a receipt for {words.client_id}")

    def _told_again(self, conversation: UUID, words: Words) -> bool:
        try:
            with self.talk(conversation) as talk:
                talk.told(words)
        except (OSError, ConnectionClosed):
            return False
        return True

    def _ask(
        self, method: str, path: str, body: str | bytes | None = None, more: dict[str, str] | None = None
    ) -> tuple[int, str, str]:
        connection = http.client.HTTPConnection("127.0.0.1", self.site.port, timeout=PATIENCE_S)
        try:
            form = {"Content-Type": "application/x-www-form-urlencoded"}
            headers = {"Cookie": self._cookies(), **(more or form)}
            connection.request(method, path, body, headers)
            answer = connection.getresponse()
            for cookie in answer.headers.get_all("Set-Cookie", []):
                self.cookies.load(cookie)
            return answer.status, answer.read().decode(), answer.headers.get("Location", "")
        finally:
            connection.close()

    def _cookies(self) -> str:
        return "; ".join(f"{name}={morsel.value}" for name, morsel in self.cookies.items())
