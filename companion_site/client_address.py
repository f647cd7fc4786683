"""Where a request comes from: the one place that decides what is believed of a proxy's word.

A proxy says in `X-Forwarded-For` and `X-Forwarded-Proto` for whom it asks. Anybody can send the same headers, so they count
only where the connection itself comes from an address of `TRUSTED_PROXIES`. What is believed is put in place of the
connection's own, so that everything behind (pages, sockets, limits, metrics) sees one address and one scheme.
`X-Forwarded-Host` is never believed: a proxy passes `Host` on.
"""

from collections.abc import MutableMapping, Sequence
from ipaddress import IPv6Address, ip_address, ip_network
from typing import Any

from django.conf import settings

from companion_site.body_limits import App, Receive, Scope, Send
from companion_site.env import Network

#: Proxies in a row that are looked through, at the most.
MOST_HOPS = 16
#: Whoever has one IPv6 address commonly has the 2**64 of its network.
IPV6_PREFIX = 64
SECURE = {"http": "https", "ws": "wss"}


def behind_proxies(app: App) -> App:
    """Return `app`, told the address and the scheme that trusted proxies report; others' reports change nothing."""

    async def told(scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] in ("http", "websocket") and settings.TRUSTED_PROXIES:
            scope = believe(scope, settings.TRUSTED_PROXIES)
        await app(scope, receive, send)

    return told


def believe(scope: Scope, trusted: Sequence[Network]) -> MutableMapping[str, Any]:
    """Return the scope with what its proxies report, where the connection comes from one of them."""
    peer = (scope.get("client") or ("",))[0]
    if not _is_of(peer, trusted):
        return scope
    told = {**scope, "client": (_client(peer, _values(scope, b"x-forwarded-for"), trusted), 0)}
    schemes = _values(scope, b"x-forwarded-proto")
    if schemes:
        # The last word is the nearest proxy's own; those before it came with the request.
        plain = "ws" if scope["type"] == "websocket" else "http"
        told["scheme"] = SECURE[plain] if schemes[-1].lower() in SECURE.values() else plain
    return told


def network_of(address: str) -> str:
    """Return what attempts from an address are counted by: itself, or of IPv6 its network."""
    found = _parsed(address)
    if isinstance(found, IPv6Address):
        return str(ip_network((found, IPV6_PREFIX), strict=False))
    return str(found or "")


def _client(peer: str, hops: Sequence[str], trusted: Sequence[Network]) -> str:
    """Return the rightmost address that is no trusted proxy's; where a hop cannot be read, the one that reported it."""
    nearest = peer
    for hop in reversed(hops[-MOST_HOPS:]):
        found = _parsed(_without_port(hop))
        if found is None:
            return nearest
        nearest = str(found)
        if not _is_of(nearest, trusted):
            return nearest
    return nearest


def _values(scope: Scope, name: bytes) -> list[str]:
    lines = [value.decode("latin-1") for key, value in scope["headers"] if key.lower() == name]
    return [word.strip() for line in lines for word in line.split(",") if word.strip()]


def _without_port(hop: str) -> str:
    if hop.startswith("["):
        return hop[1:].partition("]")[0]
    return hop.partition(":")[0] if hop.count(":") == 1 else hop


def _is_of(address: str, networks: Sequence[Network]) -> bool:
    found = _parsed(address)
    return found is not None and any(found in network for network in networks)


def _parsed(address: str) -> Any:
    try:
        found = ip_address(address)
    except ValueError:
        return None
    return getattr(found, "ipv4_mapped", None) or found
