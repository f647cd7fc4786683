"""Where a request comes from: the one place that decides what is believed of a proxy's word.

A proxy says in `X-Forwarded-For` and `X-Forwarded-Proto` for whom it asks. Anybody can send the same headers, so they count
only where the connection itself comes from an address of `TRUSTED_PROXIES`. What is believed is put in place of the
connection's own, so that everything behind (pages, sockets, limits, metrics) sees one address and one scheme.
`X-Forwarded-Host` is never believed: a proxy passes `Host` on.
"""

from ipaddress import IPv6Address, ip_address, ip_network

from django.conf import settings
from uvicorn.middleware.proxy_headers import ProxyHeadersMiddleware

from companion_site.body_limits import App

#: Whoever has one IPv6 address commonly has the 2**64 of its network.
IPV6_PREFIX = 64
#: How an IPv4 address is written where a server listens for both, and by how many bits it is longer.
MAPPED, MAPPED_BITS = "::ffff:", 96


def behind_proxies(app: App) -> App:
    """Return `app`, told the address and the scheme that trusted proxies report; others' reports change nothing."""
    trusted = settings.TRUSTED_PROXIES
    mapped = [
        f"{MAPPED}{one.network_address}/{MAPPED_BITS + one.prefixlen}" for one in trusted if one.version == 4
    ]
    return ProxyHeadersMiddleware(app, [*map(str, trusted), *mapped])


def network_of(address: str) -> str:
    """Return what attempts from an address are counted by: itself, or of IPv6 its network."""
    try:
        found = ip_address(address)
    except ValueError:
        return ""
    found = getattr(found, "ipv4_mapped", None) or found
    return str(ip_network((found, IPV6_PREFIX), strict=False) if isinstance(found, IPv6Address) else found)
