"""The people and bots at a table, and how its game is kept in a file and taken up again.

A saved game is a record of what its one person (or everybody) has seen, with one table more, `[save]`, which readers of
records ignore. There the full record lies sealed: a reader of the file does not see the bots' cards by accident.
"""

import base64
import json
import os
import tempfile
import tomllib
import zlib
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Final

from pokade import records, texts
from pokade.arena.bots import bot_at_once
from pokade.chance import Chance, Secure, Seeded
from pokade.games.errors import BadRecord
from pokade.games.game import Game, Value
from pokade.games.play import Play
from pokade.games.state import CHANCE
from pokade.players import Player, is_player

PERSON: Final = "person"
LARGEST_SEED: Final = 1 << 63
LARGEST_SAVE: Final = 1 << 24  # bytes of a record that was sealed


@dataclass(frozen=True, slots=True)
class Setup:
    """A table before its game: the game, its options, its seats, and where chance comes from."""

    game: Game
    names: tuple[str, ...]
    seats: tuple[str, ...]  # PERSON or the name of a bot
    options: Mapping[str, Value] = field(default_factory=dict)
    seed: int | None = None
    language: str = "en"
    saved: Path | None = None  # where the game came from

    @property
    def persons(self) -> list[int]:
        return [seat for seat, who in enumerate(self.seats) if who == PERSON]

    def play(self) -> Play:
        return Play(self.game, len(self.names), self.options)

    def chance(self) -> Chance:
        return Secure() if self.seed is None else Seeded(self.seed)

    def bots(self) -> dict[int, Player]:
        """A bot for each seat without a person; each with a seed of its own."""
        return {
            seat: bot_at_once(who, self.game, _bot_seed(self.seed, seat))
            for seat, who in enumerate(self.seats)
            if who != PERSON
        }


def _bot_seed(seed: int | None, seat: int) -> str | None:
    return None if seed is None else f"{seed} seat {seat}"


def written(play: Play, setup: Setup) -> str:
    """The text of a saved game."""
    view = f"p{setup.persons[0] + 1}" if len(setup.persons) == 1 else records.PUBLIC
    seed = "" if setup.seed is None else f"\n[save]\nseed = {setup.seed}\n"
    lines = [
        "",
        "[save]",
        f"seats = {json.dumps(list(setup.seats))}",
        f'language = "{setup.language}"',
        f'sealed = "{_sealed(records.write(play, setup.names) + seed)}"',
    ]
    return records.write(play, setup.names, view=view) + "\n".join(lines) + "\n"


def _sealed(text: str) -> str:
    return base64.b64encode(zlib.compress(text.encode(), 9)).decode()


def _opened(sealed: object) -> str:
    """What was sealed; refuses what never was, and what would fill the memory."""
    try:
        packed = zlib.decompressobj()
        text = packed.decompress(base64.b64decode(str(sealed), validate=True), LARGEST_SAVE)
        if not packed.eof:
            raise ValueError
        return text.decode()
    except (ValueError, zlib.error):
        raise BadRecord(0, "save/sealed", "save.sealed is not what was saved") from None


def resumed(
    path: Path, get_ready: Callable[[Setup], None] = lambda _: None
) -> tuple[Setup, Play, Chance, dict[int, Player]]:
    """A saved game as it was left: dice and bots go on as they would have. A full record is taken up too."""
    text = path.read_text("utf-8")
    record = records.read(text)
    save = tomllib.loads(text).get("save", {})
    if isinstance(save, dict) and "sealed" in save:
        inside = _opened(save["sealed"])
        record = records.read(inside)
        save = {name: value for name, value in save.items() if name != "seed"} | tomllib.loads(inside).get("save", {})
    done = records.replay(record)
    setup = replace(_setup(record, save), saved=path)
    get_ready(setup)
    chance, bots, play = setup.chance(), setup.bots(), setup.play()
    for actor, value in done.steps:
        _again(play, chance, bots, actor, value)
    return setup, play, chance, bots


def _again(play: Play, chance: Chance, bots: Mapping[int, Player], actor: int, value: int) -> None:
    """A step of the record, with all that chance and the bots had drawn for it."""
    if actor == CHANCE:
        chance.draw(play.game.tickets(play.state))
    elif actor in bots:
        bots[actor](play.view(actor))
    play.take(actor, value)


def _setup(record: records.Record, save: object) -> Setup:
    """What stands under [save]; a record without it is taken up by one person at the first seat."""
    table = save if isinstance(save, dict) else {}
    n = len(record.players)
    seats = table.get("seats", [PERSON, *["casual"] * (n - 1)])
    if (
        not isinstance(seats, list)
        or len(seats) != n
        or not all(seat == PERSON or (isinstance(seat, str) and is_player(seat)) for seat in seats)
    ):
        raise BadRecord(0, "save/seats", "save.seats must name a person or a bot for each seat")
    language, seed = table.get("language", "en"), table.get("seed")
    if language not in texts.LANGUAGES:
        raise BadRecord(0, "save/language", "save.language must be a language that there is")
    if seed is not None and (type(seed) is not int or abs(seed) >= LARGEST_SEED):
        raise BadRecord(0, "save/seed", "save.seed must be a whole number")
    return Setup(record.game, record.players, tuple(seats), record.options, seed, language)


def write_whole(path: Path, text: str) -> None:
    """All of the file or nothing of it, whatever happens meanwhile."""
    handle, name = tempfile.mkstemp(dir=path.absolute().parent, prefix=f".{path.name}.")
    try:
        with os.fdopen(handle, "w", encoding="utf-8", newline="\n") as file:
            file.write(text)
            file.flush()
            os.fsync(file.fileno())
        Path(name).chmod(0o644)
        os.replace(name, path)
    except BaseException:
        Path(name).unlink(missing_ok=True)
        raise


def free_name(game: Game) -> Path:
    """A file that is not there yet."""
    number = 1
    while True:
        path = Path(f"{game.name}-{number}.pok.toml")
        if not path.exists():
            return path
        number += 1
