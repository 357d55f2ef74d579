"""Connections to PostgreSQL: how they are made, which schema the database has, and what errors mean to a caller."""

from typing import Any

import asyncpg

from pokade.server.storage.interface import StorageFull, StorageGone

CONNECT_SECONDS = 5.0
ANSWER_SECONDS = 15.0  # a database that takes longer is gone

GONE = (
    OSError,  # refused, reset, timed out
    asyncpg.InterfaceError,
    asyncpg.InternalClientError,
    asyncpg.PostgresConnectionError,
    asyncpg.exceptions.OperatorInterventionError,  # shutting down, starting up, cancelled
)


def settings() -> dict[str, Any]:
    """How every connection is made. Durability does not depend on how the server happens to be set up."""
    wanted = {"synchronous_commit": "on", "application_name": "pokade"}
    return {"timeout": CONNECT_SECONDS, "command_timeout": ANSWER_SECONDS, "server_settings": wanted}


async def schema_version(db: Any) -> int:
    """The schema that a database has; 0 if it is empty."""
    if not await db.fetchval("SELECT to_regclass('schema_versions') IS NOT NULL"):
        return 0
    return int(await db.fetchval("SELECT coalesce(max(version), 0) FROM schema_versions"))


def is_gone(error: BaseException) -> bool:
    """Whether the connection is of no more use. Values that the client refuses to send are ValueErrors besides."""
    return isinstance(error, GONE) and not isinstance(error, ValueError)


def trouble(error: Exception) -> Exception:
    """What a failure is to the caller; a value that does not fit its column is a bug and stays as it is."""
    if isinstance(error, asyncpg.DiskFullError):
        return StorageFull("There is no room left on the database's disk.")
    if isinstance(error, ValueError | asyncpg.DataError | asyncpg.IntegrityConstraintViolationError):
        return error
    if isinstance(error, (*GONE, asyncpg.PostgresError)):
        return StorageGone(f"The database does not work: {str(error) or type(error).__name__}.")
    return error
