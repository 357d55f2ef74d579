"""A whole game of Poch through a seat's eyes, for the client's tests: `python -m tests.web.poch_game` writes it."""

import json
from pathlib import Path
from typing import Any, Final

from pokade.chance import Seeded, advance
from pokade.games.play import Play, told_in
from pokade.games.poch import GAME
from pokade.games.state import CHANCE, NOBODY, WIDTH, heard_by

FILE: Final = Path(__file__).parents[2] / "web/src/games/poch/game.json"
SEATS, VIEWER, SEED = 3, 0, 4
LEFT_OUT: Final = (
    "undealt",
    "unheard",
    "n_told",
    "told",
    "last_card",
    "stack",
    "deals",
    "max_bid",
    "showdown",
    "bluff",
)


def steps() -> list[dict[str, Any]]:
    """What each step told the viewer, and the cells after it."""
    play, chance, found = Play(GAME, SEATS), Seeded(SEED), []
    while play.turn != NOBODY:
        told: list[int] = []
        if play.turn == CHANCE:
            for _ in range(GAME.together(play.state)):
                advance(play, chance)
                told += _told(play)
        else:
            seat = play.turn.bit_length() - 1
            choices = play.view(seat).choices
            play.choose(seat, choices[(7 * len(found)) % len(choices)])
            told = _told(play)
        found.append(_step(play, told))
    return found


def _told(play: Play) -> list[int]:
    told: list[int] = play.state.told[: play.state.n_told * WIDTH]
    return told


def _step(play: Play, told: list[int]) -> dict[str, Any]:
    view = play.view(VIEWER).state
    cells = {name: getattr(view, name) for name in view.__dataclass_fields__ if name not in LEFT_OUT}
    rows = told_in(GAME, heard_by(VIEWER, told))
    return {"told": [[t.event.name, t.who, t.what, t.more] for t in rows], "cells": cells}


def written() -> str:
    """The whole file, a line a step."""
    return "[\n" + ",\n".join(json.dumps(step, separators=(",", ":")) for step in steps()) + "\n]\n"


if __name__ == "__main__":
    FILE.write_text(written(), "utf-8")
