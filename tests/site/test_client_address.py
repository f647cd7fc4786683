"""Whose word about an address is believed: a trusted proxy's, and nobody else's."""

from ipaddress import ip_network

from django.core.asgi import get_asgi_application

from companion_site.client_address import behind_proxies
from tests.uploads import Upload

TRUSTED = [ip_network(word) for word in ("10.0.0.1", "10.1.0.0/16", "fd00::/8")]
#: Connection, X-Forwarded-For lines, and whose request it then is.
FORWARDED = [
    ("203.0.113.9", [], "203.0.113.9"),
    ("203.0.113.9", ["198.51.100.7"], "203.0.113.9"),  # forged: no proxy of ours
    ("10.0.0.1", [], "10.0.0.1"),
    ("10.0.0.1", ["198.51.100.7"], "198.51.100.7"),
    ("10.0.0.1", ["1.1.1.1, 198.51.100.7"], "198.51.100.7"),  # the first came with the request
    ("10.0.0.1", ["1.1.1.1", "198.51.100.7"], "198.51.100.7"),
    ("10.0.0.1", ["198.51.100.7, 10.1.2.3"], "198.51.100.7"),  # two proxies of ours in a row
    ("10.0.0.1", ["1.1.1.1, 10.1.9.9, 198.51.100.7, 10.1.2.3"], "198.51.100.7"),
    ("10.0.0.1", ["10.1.2.3"], "10.1.2.3"),
    ("10.0.0.1", ["198.51.100.7:4711"], "198.51.100.7"),
    ("10.0.0.1", ["[2001:db8::7]:4711"], "2001:db8::7"),
    ("10.0.0.1", ["2001:db8::7"], "2001:db8::7"),
    (
        "10.0.0.1",
        ["1.1.1.1, unknown"],
        "unknown",
    ),  # as the proxy of ours has it; attempts of all such are counted together
    ("10.0.0.1", ["1.1.1.1, "], "10.0.0.1"),
    ("10.0.0.1", [", ".join(["10.1.0.1"] * 500)], "10.1.0.1"),
    ("::ffff:10.0.0.1", ["198.51.100.7"], "198.51.100.7"),
    ("::ffff:10.0.0.1", ["::ffff:198.51.100.7"], "::ffff:198.51.100.7"),
    ("fd00::5", ["198.51.100.7"], "198.51.100.7"),
    ("", ["198.51.100.7"], ""),
    ("not an address", ["198.51.100.7"], "not an address"),
]


async def told(kind, peer, headers):
    """Return the scope that an application behind proxies is given."""
    found = []

    async def app(scope, receive, send):
        found.append(scope)

    scheme = "ws" if kind == "websocket" else "http"
    raw = [(name.encode(), value.encode()) for name, value in headers]
    await behind_proxies(app)(
        {"type": kind, "client": (peer, 5000) if peer else None, "scheme": scheme, "headers": raw}, None, None
    )
    return found[0]


async def test_an_address_is_believed_of_trusted_proxies_only(settings):
    """The rightmost address that is no proxy's, for pages and sockets; without the setting the connection's own."""
    wrong = []
    for kind in ("http", "websocket"):
        for peer, lines, expected in FORWARDED:
            headers = [("x-forwarded-for", line) for line in lines]
            for trusted, right in ((TRUSTED, expected), ([], peer)):
                settings.TRUSTED_PROXIES = trusted
                client = (await told(kind, peer, headers))["client"]
                if (client[0] if client else "") != right:
                    wrong.append((kind, peer, lines, client))
    assert wrong == []


async def test_https_is_believed_of_trusted_proxies_only(settings):
    """A request is as secure as the nearest proxy of ours says, and no more."""
    settings.TRUSTED_PROXIES = TRUSTED
    cases = [
        ("203.0.113.9", ["https"], "http"),
        ("10.0.0.1", ["https"], "https"),
        ("10.0.0.1", ["https, http"], "http"),
        ("10.0.0.1", ["javascript"], "http"),
        ("10.0.0.1", ["HTTPS"], "http"),
        ("10.0.0.1", [], "http"),
    ]
    secure = {"http": {"http": "http", "https": "https"}, "websocket": {"http": "ws", "https": "wss"}}
    wrong = []
    for kind, schemes in secure.items():
        for peer, lines, expected in cases:
            scope = await told(kind, peer, [("x-forwarded-proto", line) for line in lines])
            if scope["scheme"] != schemes[expected]:
                wrong.append((kind, peer, lines, scope["scheme"]))
    assert wrong == []


async def ask(wrap, headers, *, path="/login/", method="GET", body=b"", **given):
    """Ask the site, wrapped as its server does it, for a page; return status and headers of the answer."""
    asked = Upload(0, data=body, path=path, method=method, **given)
    asked.scope["headers"] += [(name.encode(), value.encode()) for name, value in headers]
    await wrap(get_asgi_application())(asked.scope, asked.receive, asked.send)
    return asked.status, asked.headers


async def test_the_site_sends_to_https_whoever_is_not_there(settings):
    """A forged header does not pass for https; a trusted proxy's does. The host is never taken from a header of a proxy."""
    settings.SECURE_SSL_REDIRECT = True
    settings.TRUSTED_PROXIES = TRUSTED
    forged = [("x-forwarded-proto", "https"), ("x-forwarded-host", "evil.example")]
    status, headers = await ask(behind_proxies, forged, peer="203.0.113.9")
    assert status == 301 and headers[b"Location"] == b"https://127.0.0.1/login/"
    assert (await ask(behind_proxies, forged, peer="10.0.0.1"))[0] == 200
