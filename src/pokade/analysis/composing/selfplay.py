"""Games of self-play in which problems are looked for."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final

from pokade import records
from pokade.analysis.moments import Moment, moments
from pokade.analysis.solved import BySolution
from pokade.arena.bots import bot
from pokade.chance import Seeded
from pokade.games.game import Game, Value
from pokade.games.play import Play
from pokade.loop import finish
from pokade.players import CASUAL, NAMES, STRONG
from pokade.records import Record
from pokade.solver import solver_of

MEMORY: Final = "memory"
ASSISTED: Final = "assisted"

Row = dict[str, Any]  # a problem as the file has it


@dataclass(frozen=True, slots=True)
class Played:
    """A game of self-play, with its number and its moments."""

    game: Game
    number: int
    record: Record
    moments: Sequence[Moment]

    @property
    def n_seats(self) -> int:
        return len(self.record.players)

    def row(self, at: int, seat: int, choices: Sequence[Sequence[float]], gap: Sequence[float]) -> Row:
        """A problem: the game up to one of its moments, whose choice it is, and what is known of the choices."""
        return {
            "players": self.n_seats,
            "options": dict(self.record.options),
            "actions": list(self.record.actions[: self.moments[at].action - 1]),
            "seat": seat,
            "choices": [list(values) for values in choices],
            "gap": list(gap),
        }


def played(game: Game, number: int) -> Played:
    """A game between players of one level: the strong one where that takes no search."""
    sizes = sizes_of(game)
    n_seats = sizes[number % len(sizes)]
    play, level = Play(game, n_seats, _options(game)), STRONG if is_exact(game) else CASUAL
    bots = [bot(level, game, f"problem {number} {seat}") for seat in range(n_seats)]
    finish(play, Seeded(f"problem {game.name} {number}"), bots)
    record = records.read(records.write(play, NAMES[:n_seats]))
    return Played(game, number, record, moments(record)[0])


def sizes_of(game: Game) -> Sequence[int]:
    """How many play: those for which the game is solved, else from the fewest to what is usual."""
    solver = solver_of(game)
    return solver.SIZES if solver else range(game.seats[0], game.usual_seats + 1)


def is_exact(game: Game) -> bool:
    """Is there a solution that knows what choices are worth?"""
    return BySolution.covers(game, Play(game, sizes_of(game)[0]).state)


def _options(game: Game) -> dict[str, Value]:
    """What was shown stays in sight: a problem tests judgement, not memory."""
    return {option.name: ASSISTED for option in game.options if option.name == MEMORY}
