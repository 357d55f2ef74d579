"""A visit: sit down, play, leave with or without saving, play again."""

import threading
from dataclasses import replace
from pathlib import Path

from pokade import records
from pokade.arena.bots import warm_apart
from pokade.chance import Chance
from pokade.cli import draw
from pokade.cli.draw.offer import Entry
from pokade.cli.house import choose_table, pick
from pokade.cli.saves import Setup, free_name, write_whole, written
from pokade.cli.screen import Leave, Quit, Screen
from pokade.cli.seating import Wish
from pokade.cli.table import Table
from pokade.games.play import Play
from pokade.players import Player, is_strong

SAVE, GO, STAY = 0, 1, 2
AGAIN, ANOTHER, OUT = 0, 1, 2


def visit(screen: Screen, wish: Wish, setup: Setup | None, record: Path | None) -> None:
    """Games until somebody has had enough; without a terminal just the one that was asked for."""
    while True:
        setup = setup or choose_table(screen, wish)
        get_ready(screen, setup)
        finish(screen, setup, record, Table(setup, setup.play(), setup.chance(), setup.bots(), screen))
        if not screen.is_live:
            return
        setup = what_now(screen, setup)


def get_ready(screen: Screen, setup: Setup) -> None:
    """Strong bots are compiled the first time. With a seed their choices must come again, so that is waited for."""
    if setup.seed is None or not any(is_strong(who) for who in setup.seats):
        return
    warming = threading.Thread(target=warm_apart, args=(setup.game,), daemon=True)
    warming.start()
    screen.wait_for(screen.say("play.warming"), warming)


def what_now(screen: Screen, setup: Setup) -> Setup | None:
    """The same table once more, another game (None), or home."""
    screen.pause()
    entries = [
        Entry(choice, (str(choice + 1),), screen.say(f"play.{word}"))
        for choice, word in ((AGAIN, "again"), (ANOTHER, "another"), (OUT, "quit"))
    ]
    cloth = draw.drawing(setup.game).CLOTH
    wanted = pick(screen, setup.game.title, screen.say("play.what_now"), entries, cloth)
    if wanted == OUT:
        raise Leave
    if wanted == ANOTHER:
        return None
    return replace(setup, seed=None if setup.seed is None else setup.seed + 1)  # not the same dice again


def take_up(screen: Screen, record: Path | None, saved: tuple[Setup, Play, Chance, dict[int, Player]]) -> None:
    """Go on with a game that was left."""
    setup, play, chance, bots = saved
    finish(screen, setup, record, Table(setup, play, chance, bots, screen))


def finish(screen: Screen, setup: Setup, record: Path | None, table: Table) -> None:
    """One game to its end, or until somebody leaves; the record is written either way."""
    if record is not None and record.exists() and not is_sure(screen, record):
        raise Leave
    try:
        run(screen, setup, table)
    finally:
        if record is not None:
            keep_record(screen, setup, record, table.play)


def run(screen: Screen, setup: Setup, table: Table) -> None:
    """The game, with as many second thoughts about leaving as it takes."""
    while True:
        try:
            return table.run()
        except (Quit, KeyboardInterrupt):
            leave_or_stay(screen, setup, table)


def leave_or_stay(screen: Screen, setup: Setup, table: Table) -> None:
    """Comes back only if the game goes on."""
    words = ("save", "leave", "stay")
    entries = [Entry(at, (str(at + 1),), screen.say(f"play.save.{word}")) for at, word in enumerate(words)]
    cloth = draw.drawing(setup.game).CLOTH
    try:
        wanted = pick(screen, setup.game.title, screen.say("play.save.ask"), entries, cloth)
        if wanted == SAVE:
            save(screen, setup, table.play)
    except KeyboardInterrupt:
        raise Leave from None
    if wanted != STAY:
        raise Leave


def save(screen: Screen, setup: Setup, play: Play) -> None:
    """To a file of their choice; asks again if it can't be written."""
    while True:
        usual = setup.saved or free_name(setup.game)
        said = screen.read(screen.say("play.save.file", file=usual))
        path = Path(said).expanduser() if said else usual
        if path.exists() and path != setup.saved and not is_sure(screen, path):
            continue
        try:
            write_whole(path, written(play, setup))
        except OSError as error:
            screen.tell(screen.say("play.save.failed", file=path, why=error.strerror or error))
            continue
        screen.parting.append(screen.say("play.save.saved", file=path))
        return


def is_sure(screen: Screen, path: Path) -> bool:
    """May the file that is there be overwritten?"""
    yes, no = screen.say("play.save.yes"), screen.say("play.save.no")
    while True:
        said = screen.read(screen.say("play.save.exists", file=path) + f" [1 {yes}, 2 {no}]").casefold()
        if said in ("1", "y", yes.casefold(), yes[:1].casefold()):
            return True
        if said in ("2", "n", no.casefold(), ""):
            return False


def keep_record(screen: Screen, setup: Setup, path: Path, play: Play) -> None:
    """The full record, as far as the game went."""
    try:
        write_whole(path, records.write(play, setup.names))
        screen.parting.append(screen.say("play.save.recorded", file=path))
    except OSError as error:
        screen.parting.append(screen.say("play.save.failed", file=path, why=error.strerror or error))
