"""`pokade play`: a table on the terminal, alone against bots or with friends around one screen."""

from dataclasses import replace
from pathlib import Path
from typing import Annotated

import typer

from pokade.cli.house import ask_name
from pokade.cli.options import Lang, MaybeGameName, Options, check_writable
from pokade.cli.saves import resumed
from pokade.cli.screen import Screen
from pokade.cli.seating import Wish, checked, game_called, seated, spoken
from pokade.cli.visits import get_ready, take_up, visit
from pokade.games import GAMES
from pokade.games.errors import BadRecord
from pokade.players import PLAYERS
from pokade.texts import explained


def play(
    game: MaybeGameName = None,
    *,
    players: Annotated[int | None, typer.Option(metavar="N", help="How many sit at the table.")] = None,
    bots: Annotated[str | None, typer.Option(metavar="LEVEL", help=f"Which bots: {', '.join(PLAYERS)}.")] = None,
    seed: Annotated[int | None, typer.Option(metavar="N", help="Same seed, same dice, deals and bots.")] = None,
    option: Options = None,
    hotseat: Annotated[bool, typer.Option("--hotseat", help="Everybody at this one screen, passed around.")] = False,
    record: Annotated[Path | None, typer.Option(metavar="FILE", help="Write the record of the game here.")] = None,
    resume: Annotated[Path | None, typer.Option(metavar="FILE", help="Go on with a saved game.")] = None,
    lang: Lang = "",
    name: Annotated[
        list[str] | None, typer.Option(metavar="NAME", help="A name, seat by seat. May be repeated.")
    ] = None,
) -> None:
    """Play a game in the terminal; without a game, the menu opens."""
    check_writable("--record", record)
    wish = Wish(spoken(lang or None), players, bots, seed, tuple(option or ()), hotseat, tuple(name or ()))
    if resume is not None:
        go_on(resume, record, lang or None, checked(wish), game)
    else:
        begin(game, record, checked(wish))


def begin(game: str | None, record: Path | None, wish: Wish) -> None:
    """A new game, or the house."""
    chosen = None if game is None else game_called(game, wish)
    screen = Screen(wish.language)
    if chosen is None and not screen.is_live:
        raise wish.bad("which", games=", ".join(GAMES))
    with screen:
        setup = None if chosen is None else seated(chosen, wish, lambda seat, taken: ask_name(screen, seat, taken))
        visit(screen, wish, setup, record)


def go_on(path: Path, record: Path | None, lang: str | None, wish: Wish, game: str | None) -> None:
    """A saved game, where it was left."""
    if game is not None or wish != Wish(wish.language):
        raise wish.bad("resume_alone")
    try:
        setup, play, chance, bots = resumed(path, lambda setup: get_ready(Screen(setup.language), setup))
    except (OSError, UnicodeDecodeError) as error:
        raise wish.bad("resume", file=path, why=error.strerror if isinstance(error, OSError) else error) from None
    except BadRecord as error:
        raise wish.bad("resume", file=path, why=explained(wish.language, error)) from None
    if play.is_over:
        raise wish.bad("over", file=path)
    if lang is not None:
        setup = replace(setup, language=lang)
    with Screen(setup.language) as screen:
        take_up(screen, record, (setup, play, chance, bots))
