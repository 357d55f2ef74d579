"""The person behind a request: known by a token in a cookie, of which the server keeps only the hash."""

import hashlib
from typing import Final

from pokade.server.errors import TableRefused
from pokade.server.storage import Person, Storage

COOKIE: Final = "pokade"
LONGEST_ID: Final = 64


def hashed(token: str) -> bytes:
    """What is kept of a token or a ticket."""
    return hashlib.sha256(token.encode(errors="replace")).digest()


async def known_by(storage: Storage, token: str | None) -> Person | None:
    """The person who has this token."""
    return await storage.person_by_token(hashed(token)) if token else None


async def the_person(storage: Storage, token: str | None) -> Person:
    """The person who has this token; refused if there is none."""
    found = await known_by(storage, token)
    if found is None:
        raise TableRefused("person/unknown", "come in with a name first")
    return found


def is_word(given: str) -> bool:
    """Letters and digits: codes and ids have nothing else, and databases choke on some of the rest."""
    return given.isascii() and given.isalnum() and len(given) <= LONGEST_ID


def known(table: str) -> str:
    """An id that may be a table's."""
    if not is_word(table):
        raise TableRefused("table/unknown", "there is no such table")
    return table
