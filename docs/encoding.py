"""The page for people who train networks, docs/encoding.md: what each number of an encoded view says, game by game."""

from collections.abc import Iterator, Sequence
from itertools import groupby
from pathlib import Path
from typing import Final

from docs.fields import _module, _table, phases

from pokade.arena.encoding import Encoder, Feature
from pokade.games import GAMES
from pokade.games.cells import PAST, RETOLD, STANDING, Holds
from pokade.games.game import Game
from pokade.games.state import Column, columns

PAGE: Final = Path(__file__).parent / "encoding.md"
TEMPLATE: Final = Path(__file__).parent / "encoding.template.md"
LEFT_OUT: Final = ((PAST, "past"), (RETOLD, "told by other fields"), (STANDING, "the same throughout a game"))


def write() -> None:
    """The file."""
    PAGE.write_text(page(), "utf-8")


def page() -> str:
    """The whole page; equal rules give equal text."""
    parts = [part for game in GAMES.values() for part in _game(game)]
    return TEMPLATE.read_text("utf-8").replace("{games}\n", "\n\n".join(parts) + "\n")


def _game(game: Game) -> Iterator[str]:
    encoder = Encoder(game, game.usual_seats)
    yield f"## {game.title} (`{game.name}`)"
    yield _table(["players", "numbers", "actions"], [list(map(str, row)) for row in _sizes(game)])
    yield f"With {game.usual_seats} players and the usual options:"
    rows = [_row(encoder, name, list(found)) for name, found in groupby(encoder.features, lambda one: one.field)]
    yield _table(["numbers", "field", "each says"], rows)
    yield _table(["actions", "phase", "choices"], list(_actions(game, encoder)))
    for kind, why in LEFT_OUT:
        if names := _left_out(game, kind):
            yield f"Not told, since it is {why}: {names}."


def _sizes(game: Game) -> Iterator[tuple[int, int, int]]:
    for n_seats in game.seats:
        encoder = Encoder(game, n_seats)
        yield n_seats, encoder.size, encoder.n_actions


def _row(encoder: Encoder, name: str, found: Sequence[Feature]) -> list[str]:
    first = encoder.features.index(found[0])
    (column,) = (column for column in columns(encoder.game.state) if column.name == name)
    places = len({feature.place for feature in found})
    told = _said(encoder.game.held(name), len(found) // places)
    return [f"{first} … {first + len(found) - 1}" if len(found) > 1 else str(first), f"`{name}`", _where(column) + told]


def _where(column: Column) -> str:
    if not column.shape:
        return ""
    if column.mark in ("own", "sealed"):
        return "your own: "
    return "by seat, yours first: " if column.by_seat else f"{column.shape[0]} of them: "


def _said(holds: Holds, count: int) -> str:
    what = {
        "scale": "a number from 0 to 1",
        "few": f"one of {count} is 1",
        "phase": f"one of {count} is 1",
        "seat": "the seat, counted from yours",
        "seats": "the seats in it, yours first",
        "some": f"the members of a set of {count}",
    }
    return what[holds.form]


def _actions(game: Game, encoder: Encoder) -> Iterator[list[str]]:
    names = phases(_module(game))
    for phase, actions in enumerate(game.actions(game.new(encoder.n_seats))):
        if actions:
            yield [f"{actions.start} … {actions.stop - 1}", names[phase], f"0 … {len(actions) - 1}"]
    yield [str(encoder.noop), "any", "nothing: you are not asked"]


def _left_out(game: Game, kind: Holds) -> str:
    return ", ".join(f"`{column.name}`" for column in columns(game.state)[:-1] if _is_of(game, column, kind))


def _is_of(game: Game, column: Column, kind: Holds) -> bool:
    return column.mark != "hidden" and game.held(column.name) is kind


if __name__ == "__main__":
    write()
