"""The schema of each database as numbered SQL files. What was released never changes: a change is a new file."""

from importlib.resources import files

from pokade.server.storage.interface import BadDatabase


def migrations(database: str) -> dict[int, str]:
    """The SQL that leads to each schema version of "sqlite" or "postgresql", in order."""
    found = (file for file in files(__name__).joinpath(database).iterdir() if file.name.endswith(".sql"))
    return {
        int(file.name.removesuffix(".sql")): file.read_text("utf-8") for file in sorted(found, key=lambda f: f.name)
    }


def missing(database: str, version: int) -> dict[int, str]:
    """What a database at `version` (0: empty) lacks. One that is ahead of this program is refused."""
    known = migrations(database)
    if version > max(known):
        raise BadDatabase(
            f"The database has schema version {version}, this Pokade knows up to {max(known)}: install a newer one."
        )
    return {number: sql for number, sql in known.items() if number > version}
