"""Whether what is sent to an address leaves this machine."""

import ipaddress
from urllib.parse import urlsplit


def is_on_this_machine(url: str) -> bool:
    """Say whether `url` names this machine itself: localhost, or an address of the loopback interface."""
    host = urlsplit(url).hostname or ""
    if host == "localhost" or host.endswith(".localhost"):
        return True
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False
