"""`pokade serve`: a server for everybody on the network."""

import contextlib
import os
import signal
import socket
import sys
from collections.abc import Mapping
from typing import TYPE_CHECKING, Annotated, Final, NamedTuple

import typer
from rich.console import Console
from rich.text import Text

from pokade.cli.options import FAILED, fail, forgive
from pokade.records import one_line
from pokade.server import listening
from pokade.server.listening import CannotListen
from pokade.server.storage import StorageError, alone
from pokade.texts import LANGUAGES, preferred_language, text

if TYPE_CHECKING:
    from pokade.server.settings import BadSetting, Settings

SECRET: Final = ("db",)  # settings that may hold a password
DARK_ON_LIGHT: Final = "#000000 on #ffffff"  # whatever the terminal's own colours are
HALVES: Final = (" ", "▄", "▀", "█")  # a sign is two squares: the lower one dark, the upper one, both


def serve(
    *,
    host: Annotated[
        str | None, typer.Option(metavar="HOST", help="The address to listen on; 127.0.0.1 is this machine only.")
    ] = None,
    port: Annotated[str | None, typer.Option(metavar="NUMBER", help="The port; 0 picks a free one.")] = None,
    db: Annotated[str | None, typer.Option(metavar="ADDRESS", help="sqlite:///PATH or postgresql://…")] = None,
    workers: Annotated[
        str | None, typer.Option(metavar="NUMBER", help="Number of processes; more than one needs PostgreSQL.")
    ] = None,
    trusted_proxy: Annotated[
        list[str] | None,
        typer.Option(
            "--trusted-proxy",
            "--trusted",
            metavar="NETWORK",
            help="A proxy whose X-Forwarded-For is believed. May be repeated.",
        ),
    ] = None,
    allowed_origin: Annotated[
        list[str] | None,
        typer.Option(
            "--allowed-origin", "--origin", metavar="URL", help="Another site that may connect. May be repeated."
        ),
    ] = None,
    public_url: Annotated[
        str | None, typer.Option("--public-url", "--address", metavar="URL", help="The address that friends are shown.")
    ] = None,
    log_format: Annotated[
        str | None, typer.Option("--log-format", "--log", metavar="FORMAT", help="text or json.")
    ] = None,
    log_level: Annotated[str | None, typer.Option(metavar="LEVEL", help="debug, info, warning or error.")] = None,
    metrics: Annotated[
        str | None, typer.Option(metavar="WHO", help="Who may read /metrics: local or everyone.")
    ] = None,
    keep_days: Annotated[str | None, typer.Option(metavar="DAYS", help="How long an abandoned table is kept.")] = None,
    keep_slow_days: Annotated[
        str | None, typer.Option(metavar="DAYS", help="The same, with the clock of 1 day per choice.")
    ] = None,
    keep_log_days: Annotated[
        str | None, typer.Option(metavar="DAYS", help="How long the log of a finished table is kept.")
    ] = None,
    keep_record_days: Annotated[
        str | None, typer.Option(metavar="DAYS", help="How long the record of a finished game is kept.")
    ] = None,
    warm: Annotated[
        bool | None, typer.Option("--warm", help="Compile the strong bots of all games in the background.")
    ] = None,
    language: Annotated[
        str | None, typer.Option("--language", "--lang", metavar="CODE", help=f"The language: {', '.join(LANGUAGES)}.")
    ] = None,
    config: Annotated[str | None, typer.Option(metavar="FILE", help="A file with these settings, in TOML.")] = None,
) -> None:
    """Run the server: friends play by a link or a QR code."""
    flags = locals()
    settings = settled({name: value for name, value in flags.items() if value not in (None, [])})
    spoken = settings.language or preferred_language()
    signal.signal(signal.SIGTERM, signal.default_int_handler)  # also while the server is still starting
    try:
        _open(settings, spoken)
    except KeyboardInterrupt:
        raise typer.Exit from None


def settled(flags: Mapping[str, object]) -> "Settings":
    """The settings, or one kind line about what is wrong with them and where it was said."""
    from pokade.server import settings  # noqa: PLC0415 - loads pydantic

    language = _spoken(flags)
    try:
        return settings.settled(flags, os.environ)
    except settings.BadSetting as error:
        fail(_bad(language, error))
    except settings.UnknownSetting as error:
        fail(text(language, "serve.unknown", source=error.source, names=", ".join(settings.NAMES)))
    except settings.BadConfig as error:
        fail(text(language, "serve.config", file=error.file, why=error.why))


def _spoken(flags: Mapping[str, object]) -> str:
    """The language to complain in, before it is known whether what was asked for is one."""
    wanted = str(flags.get("language") or os.environ.get("POKADE_LANGUAGE"))
    return wanted if wanted in LANGUAGES else preferred_language()


def _bad(language: str, error: "BadSetting") -> str:
    from pokade.server.settings import EXAMPLES, WORKERS_NEED_POSTGRESQL  # noqa: PLC0415 - loaded by now

    source = error.given.source
    if error.kind == WORKERS_NEED_POSTGRESQL:
        return text(language, f"serve.{error.kind}", source=source)
    value = "…" if error.name in SECRET else one_line(_written(error.given.value))
    takes = text(language, f"serve.takes.{error.name}")
    return text(language, "serve.bad", source=source, value=value, takes=takes, examples=EXAMPLES[error.name])


def _written(value: object) -> str:
    return ", ".join(map(str, value)) if isinstance(value, list) else str(value)


def told_of(language: str, error: StorageError) -> str:
    """What is wrong with the database: a stable code and the reason."""
    return text(language, "serve.database", code=error.code, why=error)


def _open(settings: "Settings", language: str) -> None:
    listener = _listen(settings, language)
    from pokade.server import run  # noqa: PLC0415 - the server only where it is wanted
    from pokade.server.settings import database  # noqa: PLC0415

    with contextlib.ExitStack() as held:
        held.enter_context(contextlib.closing(listener))
        try:
            held.enter_context(alone(database(settings)))
            run.prepare(database(settings))
        except StorageError as error:
            fail(told_of(language, error), FAILED)
        ways = _ways(settings, listener)
        teller = _Programs(ways) if settings.log_format == "json" else _People(ways, language)
        if not run.serve(settings, listener, teller):
            fail(text(language, "serve.failed"), FAILED)
        teller.closed()


def _listen(settings: "Settings", language: str) -> socket.socket:
    host, port = settings.host, settings.port
    try:
        return listening.listen(host, port)
    except CannotListen as error:
        kind = error.kind if error.free or error.kind == listening.NO_HOST else "no_port"
        fail(text(language, f"serve.{kind}", host=host, port=f"{port}", free=f"{error.free}", why=error.why), FAILED)


class _Ways(NamedTuple):
    """The addresses that lead to the server: from this machine, and for friends if there is one."""

    here: str
    friends: str | None


def _ways(settings: "Settings", listener: socket.socket) -> _Ways:
    port = listener.getsockname()[1]
    nearby = listening.nearby(settings.host)
    friends = settings.public_url or (listening.address(nearby, port) if nearby else None)
    return _Ways(listening.address(listening.here(settings.host), port), friends)


class _Programs:
    """Tells the log what happens, and nobody else."""

    def __init__(self, ways: _Ways) -> None:
        from pokade.server.logs import LOG  # noqa: PLC0415 - loaded with the server

        self._ways, self._log = ways, LOG

    def opened(self) -> None:
        self._log.info("the server is listening", extra={"here": self._ways.here, "friends": self._ways.friends})

    def closing(self) -> None:
        self._log.info("the server is stopping")

    def closed(self) -> None:
        self._log.info("the server has stopped")


class _People:
    """Tells the person who started the server what happens, and shows the way in; works without a terminal too."""

    def __init__(self, ways: _Ways, language: str) -> None:
        forgive(sys.stdout)
        self._ways, self._language = ways, language
        self._console = Console(highlight=False, markup=False, emoji=False)

    def opened(self) -> None:
        here, friends = self._ways
        self._say("open")
        if friends and self._can_draw:
            self._draw(code(friends))
        self._say("here", address=here)
        self._say("friends" if friends else "alone", address=friends)
        self._say("stop")

    def closing(self) -> None:
        if self._is_seen:
            with contextlib.suppress(OSError):
                sys.stdout.write("\r")  # over the ^C that the terminal has written
        self._say("closing")

    def closed(self) -> None:
        self._say("closed")

    @property
    def _is_seen(self) -> bool:
        return sys.stdout is not None and sys.stdout.isatty()

    @property
    def _can_draw(self) -> bool:
        """A QR code needs a terminal with colours of ours, or dark and light could be mixed up."""
        console = self._console
        has_colours = bool(console.color_system) and not console.no_color
        return self._is_seen and has_colours and not console.is_dumb_terminal and not console.options.ascii_only

    def _say(self, key: str, **values: object) -> None:
        self._show(Text(text(self._language, f"serve.{key}", **values)))

    def _draw(self, picture: Text) -> None:
        if max(map(len, picture.plain.split("\n"))) <= self._console.width:
            self._show(picture)

    def _show(self, shown: Text) -> None:
        with contextlib.suppress(OSError, SystemExit):  # a reader who went away does not stop the server
            self._console.print(shown, soft_wrap=True)


def code(address: str) -> Text:
    """A QR code in half blocks, dark on light with its quiet zone on any terminal."""
    import segno  # noqa: PLC0415 - only where it can be seen

    rows = [bytes(row) for row in segno.make_qr(address, error="l").matrix_iter(border=4)]
    if len(rows) % 2:
        rows.append(bytes(len(rows[0])))
    lines = [
        "".join(HALVES[2 * above + below] for above, below in zip(*pair, strict=True))
        for pair in zip(rows[::2], rows[1::2], strict=True)
    ]
    return Text("\n").join(Text(line, DARK_ON_LIGHT) for line in lines)
