"""The address the site listens on: free before anything starts, answering before it is announced."""

import contextlib
import errno
import http.client
import socket

from companion_site.running.problems import CannotStart

#: Addresses that mean every interface; the site is asked on the loopback instead.
ANY = {"0.0.0.0": "127.0.0.1", "::": "::1"}  # noqa: S104 (recognised, not bound)


def check_free(host: str, port: int) -> None:
    """Bind the address once and let go of it.

    Raises:
        CannotStart: it is in use, not allowed, or not of this machine.
    """
    try:
        family, kind, _, _, address = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0]
        with contextlib.closing(socket.socket(family, kind)) as listener:
            listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            listener.bind(address)
            listener.listen()
    except OSError as error:
        raise CannotStart(_reason(host, port, error)) from None


def _reason(host: str, port: int, error: OSError) -> str:
    if error.errno == errno.EADDRINUSE:
        return f"Port {port} is in use: stop what uses it, or choose another one: PORT={port % 65535 + 1} make run"
    if error.errno == errno.EACCES:
        return f"Port {port} may not be used by this account: choose one above 1023: PORT=8000 make run"
    return f"HOST={host} is no address of this machine: {error.strerror}."


def url(host: str, port: int) -> str:
    """Return what to type into a browser on this machine."""
    name = ANY.get(host, host)
    return f"http://{f'[{name}]' if ':' in name else name}:{port}"


def answers(host: str, port: int) -> bool:
    """Tell whether the site says that it is well, or sends the question elsewhere (to https)."""
    connection = http.client.HTTPConnection(ANY.get(host, host), port, timeout=1)
    try:
        connection.request("GET", "/healthz", headers={"Host": f"localhost:{port}"})
        return connection.getresponse().status < 400
    except (OSError, http.client.HTTPException):
        return False
    finally:
        connection.close()
