"""The listening socket, taken before anything slow is loaded, and the addresses that lead to it."""

import contextlib
import errno
import ipaddress
import os
import socket
from typing import Final

from pokade.games.errors import PokadeError

TAKEN: Final = "port_taken"
FORBIDDEN: Final = "port_forbidden"
NO_HOST: Final = "no_host"
TRIED: Final = 50  # ports after one that is taken
FIRST_FREE_FOR_ALL: Final = 1024  # below it a port is the administrator's
WAITING: Final = 2048  # connections that are not yet taken
EVERYWHERE: Final = ("0.0.0.0", "::")  # noqa: S104 - compared, and chosen by the operator
_SOMEWHERE: Final = ((socket.AF_INET, "192.0.2.1"), (socket.AF_INET6, "2001:db8::1"))  # addresses for documentation


class CannotListen(PokadeError):
    """A host or port that can't be had: the kind of trouble, a port that is free (or 0), and the system's reason."""

    def __init__(self, kind: str, free: int, why: str) -> None:
        super().__init__(why)
        self.kind, self.free, self.why = kind, free, why


def listen(host: str, port: int) -> socket.socket:
    """A socket that listens; connections that come before the server has started wait."""
    try:
        return _bound(host, port)
    except OSError as error:
        why = error.strerror or type(error).__name__
        if error.errno == errno.EADDRINUSE:
            raise CannotListen(TAKEN, _free_port(host, port + 1), why) from None
        if error.errno == errno.EACCES:
            raise CannotListen(FORBIDDEN, _free_port(host, max(port, FIRST_FREE_FOR_ALL)), why) from None
        raise CannotListen(NO_HOST, 0, why) from None
    except UnicodeError as error:  # what the encoding of host names makes of a very long one
        raise CannotListen(NO_HOST, 0, str(error)) from None


def _bound(host: str, port: int) -> socket.socket:
    places = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE)
    family, _, _, _, place = min(places, key=lambda found: found[0] != socket.AF_INET)
    listener = socket.socket(family)
    try:
        if os.name == "posix":  # elsewhere it would let two servers share a port
            listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        if family == socket.AF_INET6 and host == "::":
            listener.setsockopt(socket.IPPROTO_IPV6, socket.IPV6_V6ONLY, 0)
        listener.bind(place)
        listener.listen(WAITING)
    except BaseException:
        listener.close()
        raise
    return listener


def _free_port(host: str, first: int) -> int:
    """The next port that can be had, or 0."""
    for port in range(first, min(first + TRIED, 65536)):
        with contextlib.suppress(OSError):
            _bound(host, port).close()
            return port
    return 0


def address(host: str, port: int) -> str:
    """How a browser is told to go there."""
    return f"http://[{host}]:{port}" if ":" in host else f"http://{host}:{port}"


def here(host: str) -> str:
    """The host under which this machine finds the server."""
    return "127.0.0.1" if host in EVERYWHERE else host


def nearby(host: str) -> str | None:
    """The host under which others find the server, if they can."""
    if host not in EVERYWHERE:
        return None if is_loopback(host) else host
    for family, somewhere in _SOMEWHERE:
        with contextlib.suppress(OSError), socket.socket(family, socket.SOCK_DGRAM) as probe:
            probe.connect((somewhere, 9))  # sends nothing; the system only says by which of its addresses it would
            found: str = probe.getsockname()[0]
            return None if is_loopback(found) else found
    return None


def is_loopback(host: str) -> bool:
    """Does this host lead to the machine itself only?"""
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host.lower() == "localhost"
