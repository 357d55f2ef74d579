"""`pokade backup`: a consistent copy of the database, also while the server runs."""

import sys
from pathlib import Path
from typing import Annotated

import typer
from rich.filesize import decimal

from pokade.cli.options import FAILED, fail, forgive
from pokade.cli.serve import settled
from pokade.records import one_line
from pokade.server.storage import StorageError, open_storage
from pokade.texts import LANGUAGES, preferred_language, text


def backup(
    file: Annotated[
        Path, typer.Argument(metavar="FILE", help="The file to write; an existing one is never overwritten.")
    ],
    *,
    db: Annotated[str | None, typer.Option(metavar="ADDRESS", help="sqlite:///PATH or postgresql://…")] = None,
    language: Annotated[
        str | None, typer.Option("--language", "--lang", metavar="CODE", help=f"The language: {', '.join(LANGUAGES)}.")
    ] = None,
    config: Annotated[str | None, typer.Option(metavar="FILE", help="A file with settings, in TOML.")] = None,
) -> None:
    """Copy the database, also while the server runs."""
    settings = settled({"db": db, "language": language, "config": config})
    from pokade.server.settings import database  # noqa: PLC0415 - loads pydantic

    spoken = settings.language or preferred_language()
    forgive(sys.stdout)
    try:
        _write(database(settings), file, spoken)
    except StorageError as error:
        fail(text(spoken, "backup.failed", code=error.code, why=error), FAILED)


def _write(url: str, file: Path, language: str) -> None:
    import asyncio  # noqa: PLC0415 - slow to load, and no other command needs it

    missing = _missing(url)
    if missing is not None:  # opening it would make an empty one
        fail(text(language, "backup.nothing", file=missing))
    if file.exists():
        fail(text(language, "backup.exists", file=file))
    typer.echo(one_line(text(language, "backup.begin", file=file)))
    asyncio.run(_copy(url, file))
    typer.echo(one_line(text(language, "backup.done", file=file, size=decimal(file.stat().st_size))))


def _missing(url: str) -> Path | None:
    """The file of a SQLite database that is not there."""
    path = Path(url.removeprefix("sqlite:///"))
    return path if url.startswith("sqlite:///") and not path.is_file() else None


async def _copy(url: str, file: Path) -> None:
    storage = await open_storage(url)
    try:
        await storage.backup(file)
    finally:
        await storage.close()
