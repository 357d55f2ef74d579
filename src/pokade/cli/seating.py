"""From what was asked for on the command line to a table with people and bots around it."""

import getpass
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final

from pokade import texts
from pokade.cli.options import Failed, fail, found_game, options_from
from pokade.cli.saves import LARGEST_SEED, PERSON, Setup
from pokade.games import GAMES
from pokade.games.errors import Refused
from pokade.games.game import Game
from pokade.players import CASUAL, NAMES, PLAYERS, is_player

LONGEST_NAME: Final = 16
LONGEST_NUMBER: Final = 9  # digits


@dataclass(frozen=True, slots=True)
class Wish:
    """What was asked for."""

    language: str
    players: int | None = None
    bots: str | None = None
    seed: int | None = None
    options: tuple[str, ...] = ()
    is_hotseat: bool = False
    names: tuple[str, ...] = ()

    def bad(self, key: str, **values: object) -> Failed:
        return Failed(texts.text(self.language, f"play.error.{key}", **values))


def spoken(wanted: str | None) -> str:
    """The language: as asked for, else that of the terminal, else English."""
    if wanted is not None:
        if wanted not in texts.LANGUAGES:
            languages = ", ".join(texts.LANGUAGES)
            fail(texts.text("en", "play.error.lang", name=wanted[:20], languages=languages))
        return wanted
    return texts.preferred_language()


def checked(wish: Wish) -> Wish:
    """Refuses what is wrong whatever the game is."""
    if wish.bots is not None and not is_player(wish.bots):
        raise wish.bad("bots", name=wish.bots[:20], bots=", ".join(PLAYERS))
    if wish.seed is not None and abs(wish.seed) >= LARGEST_SEED:
        raise wish.bad("seed")
    if any(clean(name) is None for name in wish.names) or len({name.casefold() for name in wish.names}) < len(
        wish.names
    ):
        fail(texts.text(wish.language, "play.menu.bad_name"))
    return wish


def game_called(name: str, wish: Wish) -> Game:
    """The game of that name."""
    game = found_game(name)
    if game is None:
        raise wish.bad("game", name=name[:20], games=", ".join(GAMES))
    return game


def seated(game: Game, wish: Wish, ask_name: Callable[[int, Sequence[str]], str]) -> Setup:
    """The table as wished for; refuses what the game does not allow."""
    n = _number(game, wish)
    if len(wish.names) > n:
        raise wish.bad("names")
    try:
        game.new(n)
        options = options_from(game, n, wish.options)
    except Refused as refused:
        fail(texts.explained(wish.language, refused))
    persons = _persons(n, wish)
    names = list(wish.names)
    while len(names) < persons:
        names.append(ask_name(len(names) + 1, names) if wish.is_hotseat else own_name(names))
    names += bot_names(n - len(names), names)
    seats = [PERSON] * persons + [wish.bots or CASUAL] * (n - persons)
    return Setup(game, tuple(names), tuple(seats), options, wish.seed, wish.language)


def _number(game: Game, wish: Wish) -> int:
    if wish.players is not None:
        return wish.players
    if wish.is_hotseat and wish.bots is None and wish.names:
        return len(wish.names)
    return min(game.seats[-1], max(game.usual_seats, len(wish.names)))


def _persons(n: int, wish: Wish) -> int:
    """In hot-seat everybody, unless bots were asked for and names for fewer."""
    if not wish.is_hotseat:
        return 1
    return len(wish.names) if wish.bots is not None and wish.names else n


def clean(name: str) -> str | None:
    """A name as it may stand at a table; None if it can't."""
    name = " ".join(name.split())
    return name if 0 < len(name) <= LONGEST_NAME and name.isprintable() else None


def own_name(taken: Sequence[str]) -> str:
    """The login name, or Guest."""
    try:
        name = clean(getpass.getuser().capitalize()[:LONGEST_NAME])
    except (OSError, KeyError):
        name = None
    return name if name and name not in taken else "Guest"


def bot_names(count: int, taken: Sequence[str]) -> list[str]:
    """Pleasant names that nobody at the table has."""
    held = {name.casefold() for name in taken}
    return [name for name in NAMES if name.casefold() not in held][:count]
