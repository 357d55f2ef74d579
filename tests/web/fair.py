"""Finished games with their proofs, for the client's own check: `python -m tests.web.fair` writes them."""

import json
from pathlib import Path
from typing import Any, Final

from pokade import records
from pokade.chance import Seeded
from pokade.fairness import Provable, proof_of, verify
from pokade.games import GAMES
from pokade.games.game import Game
from pokade.games.play import Play
from pokade.loop import run
from pokade.server.views.replays import ALL, walk
from pokade.testing import at_random

FILE: Final = Path(__file__).parents[2] / "web/tests/fair.json"
SEED: Final = bytes(range(32))
TABLE: Final = "table-1"
SALTS: Final = ("", "salt", "Sälz 🧂", "three")
DRAWN: Final = ("number", "tickets", "ticket", "outcome", "action")


def games() -> list[dict[str, Any]]:
    """One of each: what the house lists of its draws, and by step the round, the phase, the points, the words."""
    return [_one(game) for game in GAMES.values()]


def _one(game: Game) -> dict[str, Any]:
    salts = SALTS[: game.usual_seats]
    names = [f"P{seat}" for seat in range(len(salts))]
    proof = proof_of(SEED, TABLE, salts)
    record = records.read(records.write(_played(game, salts), names, proof=proof))
    draws = [{name: getattr(draw, name) for name in DRAWN} for draw in verify(record)]
    told = {"fair": True, "code": "", "text": "", "action": 0, "table": TABLE, "commitment": proof.commitment}
    return {
        "game": game.name,
        "verified": told | {"seed": proof.seed, "salts": salts, "draws": draws},
        "steps": _steps(record),
    }


def _played(game: Game, salts: tuple[str, ...]) -> Play:
    """A game with dice and deals from the proof, and choices at random."""
    play, liking = Play(game, len(salts)), Seeded("fair")
    chance = Provable(SEED, TABLE, salts, game.name)
    for _ in run(play, chance, at_random(liking)):
        pass
    return play


def _steps(record: records.Record) -> list[dict[str, Any]]:
    frames = walk(record, ALL)
    views = [frame["view"] for frame in frames]
    return [
        {
            "text": frame["text"],
            "view": {"points": view["points"], "state": {k: view["state"][k] for k in ("round", "phase")}},
        }
        for frame, view in zip(frames, views, strict=True)
    ]


def written() -> str:
    """The whole file, a line a game."""
    lines = ",\n".join(json.dumps(game, ensure_ascii=False, separators=(",", ":")) for game in games())
    return f"[\n{lines}\n]\n"


if __name__ == "__main__":
    FILE.write_text(written(), "utf-8")
