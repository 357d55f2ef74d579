"""The seats of a table, who has them or asks for them, and the names there."""

from collections.abc import Collection
from dataclasses import dataclass

from pokade.players import NAMES
from pokade.server.errors import TableRefused
from pokade.server.table.terms import LONGEST_NAME


@dataclass(slots=True)
class Seat:
    """A place at the table and who has it."""

    person: str | None = None
    bot: str | None = None
    name: str = ""
    salt: str = ""
    is_ready: bool = False
    is_standby: bool = False
    votes_to_end: bool = False
    muted: frozenset[int] = frozenset()  # the seats that it doesn't want to hear
    stood_in: str = ""  # the bot that sat here before somebody came to the game, if somebody did …
    stood_in_name: str = ""  # … and its name
    missed: int = 0  # rounds in a row in which time was called and ran out

    @property
    def is_free(self) -> bool:
        return self.person is None and self.bot is None

    @property
    def is_played_by_bot(self) -> bool:
        return self.bot is not None or self.is_standby

    @property
    def is_newcomer(self) -> bool:
        return self.person is not None and bool(self.stood_in)


@dataclass(frozen=True, slots=True)
class Claim:
    """Somebody asks for a bot's seat, and some of those at the table have nothing against it."""

    person: str
    name: str
    agreed: frozenset[str] = frozenset()


def clean_name(name: str) -> str:
    """A name as everybody reads it, on one line; refuses one that nobody could."""
    clean = " ".join("".join(c for c in name if c.isprintable()).split())[:LONGEST_NAME].strip()
    if not clean:
        raise TableRefused("person/name", f"a name has 1 to {LONGEST_NAME} characters")
    return clean


def told_apart(name: str, others: Collection[str]) -> str:
    """A name that none of the others has: where one does, this is the second, or the third."""
    taken = {other.casefold() for other in others}
    named, number = name, 1
    while named.casefold() in taken:
        number += 1
        named = f"{name[: LONGEST_NAME - len(str(number)) - 1].strip()} {number}"
    return named


def fresh_name(taken: Collection[str]) -> str:
    """A name for a bot, with a letter of its own on the badge if there is one."""
    letters = {name[:1].upper() for name in taken}
    return next((name for name in NAMES if name[0] not in letters), NAMES[0])
