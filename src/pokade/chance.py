"""Where dice and deals come from: a source draws one of so many equal tickets, and the rules say what is on it."""

import random
import secrets
from collections.abc import Iterator
from fractions import Fraction
from typing import Protocol

from pokade.games.play import Play
from pokade.games.state import CHANCE


class Chance(Protocol):
    """A source of tickets."""

    def draw(self, tickets: int) -> int:
        """One of 0 … tickets − 1, all equally likely."""
        ...


class Secure:
    """The operating system's randomness: nobody can foresee or repeat it."""

    def draw(self, tickets: int) -> int:
        return secrets.randbelow(tickets)


class Seeded:
    """The same seed, the same dice."""

    def __init__(self, seed: int | str) -> None:
        self._random = random.Random(f"pokade {seed}")

    def draw(self, tickets: int) -> int:
        return self._random.randrange(tickets)


def draw(play: Play, chance: Chance) -> int:
    """Chance has its turn: draw a ticket and let happen what is on it; the outcome."""
    outcome = play.game.outcome_at(play.state, chance.draw(play.game.tickets(play.state)))
    play.happen(outcome)
    return outcome


def advance(play: Play, chance: Chance) -> bool:
    """Let chance have its turn, once; says whether it was its turn."""
    if play.turn != CHANCE:
        return False
    draw(play, chance)
    return True


def exhaust(play: Play) -> Iterator[tuple[Play, Fraction]]:
    """Every way chance can go on until somebody has to choose, each with its exact probability."""
    if play.turn != CHANCE:
        yield play, Fraction(1)
        return
    weights = play.chances()
    total = sum(weights.values())
    for outcome, weight in weights.items():
        after = play.copy()
        after.happen(outcome)
        for end, probability in exhaust(after):
            yield end, probability * Fraction(weight, total)
