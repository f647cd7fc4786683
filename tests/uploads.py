"""A request as a server hands it over: its body comes piece by piece, and what was answered is kept."""

import asyncio
import json

PIECE = 64 * 1024


class Upload:
    """A request body that comes piece by piece, and what was answered."""

    def __init__(
        self,
        total,
        *,
        declared=None,
        cut=False,
        cookies=None,
        data=None,
        language="en",
        path,
        root="",
        method="POST",
        query=b"",
        peer="127.0.0.1",
        **headers,
    ):
        self._data = data if data is not None else bytes(total)
        self._cut, self._is_whole = cut, False
        self.taken, self.sent = 0, []
        given = [
            (b"host", b"127.0.0.1"),
            (b"accept-language", language.encode()),
            *((name.replace("_", "-").encode(), value.encode()) for name, value in headers.items()),
        ]
        if declared is not None:
            given.append((b"content-length", str(declared).encode()))
        if cookies:
            pairs = "; ".join(f"{name}={morsel.value}" for name, morsel in cookies.items())
            given += [(b"cookie", pairs.encode()), (b"x-csrftoken", cookies["csrftoken"].value.encode())]
        self.scope = {
            "type": "http",
            "method": method,
            "path": path,
            "root_path": root,
            "scheme": "http",
            "query_string": query,
            "headers": given,
            "server": ("127.0.0.1", 80),
            "client": (peer, 1),
        }

    async def receive(self):
        if self._cut and self.taken:
            return {"type": "http.disconnect"}
        if self._is_whole:
            await asyncio.Event().wait()
        body = self._data[self.taken : self.taken + PIECE]
        self.taken += len(body)
        self._is_whole = self.taken == len(self._data)
        return {"type": "http.request", "body": body, "more_body": not self._is_whole}

    async def send(self, message):
        self.sent.append(message)

    @property
    def status(self):
        return self.sent[0]["status"]

    @property
    def headers(self):
        return dict(self.sent[0]["headers"])

    @property
    def told(self):
        return json.loads(b"".join(message.get("body", b"") for message in self.sent))
