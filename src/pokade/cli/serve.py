"""`pokade serve`: the house on the network."""

import os
import socket
import sys
from pathlib import Path
from typing import Annotated

import typer

from pokade.cli.options import fail

DEFAULT_PORT = 7654


def serve(
    host: Annotated[str, typer.Option(help="The address to listen on; 127.0.0.1 is this machine only.")] = "0.0.0.0",  # noqa: S104 - friends on the local network are the point
    port: Annotated[int, typer.Option(min=0, max=65535, help="The port; 0 takes any.")] = DEFAULT_PORT,
    db: Annotated[str | None, typer.Option(help="sqlite:///PATH or postgresql://…")] = None,
) -> None:
    """Open the house: friends play by a link or a QR code."""
    import uvicorn  # noqa: PLC0415 - the server only where it is wanted

    from pokade.server.app import house  # noqa: PLC0415

    listener = _listen(host, port)
    address = f"http://{_reachable(host)}:{listener.getsockname()[1]}"
    _show(address)
    app = house(db or _default_database())
    config = uvicorn.Config(app, log_level="warning", ws_per_message_deflate=False)
    uvicorn.Server(config).run(sockets=[listener])


def _listen(host: str, port: int) -> socket.socket:
    """The socket first, so that a port in use is said kindly."""
    listener = socket.socket()
    listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listener.bind((host, port))
    except OSError as error:
        fail(f"can't listen on {host} port {port}: {error.strerror}; another --port may be free")
    return listener


def _reachable(host: str) -> str:
    """The address of this machine on its local network, without sending anything."""
    if host not in ("0.0.0.0", "::"):  # noqa: S104 - compared, not listened on
        return host
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect(("192.0.2.1", 9))  # an address for documentation; a datagram socket sends nothing here
            found: str = probe.getsockname()[0]
        except OSError:
            return "127.0.0.1"
    return found


def _show(address: str) -> None:
    typer.echo(f"The house is open: {address}")
    if sys.stdout.isatty():
        import segno  # noqa: PLC0415 - only where it can be seen

        segno.make(address).terminal(compact=True)


def _default_database() -> str:
    home = Path(os.environ.get("XDG_DATA_HOME") or Path.home() / ".local" / "share") / "pokade"
    home.mkdir(parents=True, exist_ok=True)
    return f"sqlite:///{home / 'house.sqlite'}"
