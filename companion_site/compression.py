"""Answers that are sent compressed: pages as they are made, static files once in each process.

What streams is never compressed, since a compressor holds back what it has until it has enough. Neither is what another site
asked for in somebody's browser: who can choose words of a page that holds secrets and sees how long the answer is could guess
the secrets from that (BREACH). Django pads the others at random besides. Why that is enough: docs/decisions/0015-compression.md.
"""

import gzip
from collections.abc import Callable

from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.middleware.gzip import GZipMiddleware, re_accepts_gzip
from django.utils.cache import patch_vary_headers
from whitenoise.middleware import WhiteNoiseMiddleware
from whitenoise.responders import StaticFile

#: Who asked, as a browser says it: a page of this very site, or the person themselves.
OURS = frozenset({"same-origin", "none"})
#: Media types of static files that are text; pictures and fonts are packed already.
TEXT = ("text/", "application/json", "application/javascript", "image/svg+xml")
#: A shorter file fits into one packet as it is.
SHORTEST = 200


class CompressionMiddleware(GZipMiddleware):
    """Compress whole answers to what this site's own pages and people ask for."""

    def process_response(self, request: HttpRequest, response: HttpResponseBase) -> HttpResponseBase:
        if response.streaming or request.headers.get("Sec-Fetch-Site", "none") not in OURS:
            return response
        return super().process_response(request, response)


class CompressedStaticFiles(WhiteNoiseMiddleware):
    """Serve static files as WhiteNoise does, text compressed. They are open to everybody, so nothing can be guessed from their length."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]) -> None:
        super().__init__(get_response)
        #: compressed files by address and the time at which they were changed
        self._compressed: dict[tuple[str, str], bytes] = {}

    def serve(self, static_file: StaticFile, request: HttpRequest) -> HttpResponseBase:
        response = super().serve(static_file, request)
        if not response.headers.get("Content-Type", "").startswith(TEXT):
            return response
        patch_vary_headers(response, ("Accept-Encoding",))
        is_whole = request.method == "GET" and response.status_code == 200
        packs = re_accepts_gzip.search(request.headers.get("Accept-Encoding", ""))
        if not (is_whole and packs) or "Content-Encoding" in response.headers:
            return response
        return self._compress(request.path_info, response)

    def _compress(self, address: str, response: HttpResponseBase) -> HttpResponseBase:
        key = (address, response.headers.get("Last-Modified", ""))
        body = self._compressed.get(key)
        if body is None:
            whole = b"".join(response)
            body = gzip.compress(whole, mtime=0) if len(whole) >= SHORTEST else b""
            if len(body) >= len(whole) or not body:
                body = whole
            self._compressed[key] = body
        response.close()
        headers = {name: value for name, value in response.items() if name != "Content-Length"}
        compressed = HttpResponse(body, headers=headers)
        if body[:2] == b"\x1f\x8b":
            compressed["Content-Encoding"] = "gzip"
        compressed["Content-Length"] = str(len(body))
        return compressed
