"""A bot in twenty lines: at POK it shows what the dice ask for, and mixes so that nobody can read it."""

import random

BLANK = 3  # a die that asks for nothing


def choose(view):
    """A view in, one of its choices out. This one plays POK, and anything else at random."""
    if view.game.name != "pok":
        return random.choice(view.choices)
    state = view.state
    asked = [die for die in state.dice if die != BLANK]
    scarce = {symbol: sum(state.counters[seat][symbol] for seat in range(state.n_seats)) for symbol in range(3)}
    weights = [1 + 3 * asked.count(symbol) + (scarce[symbol] < 2) for symbol in view.choices]
    return random.choices(view.choices, weights)[0]
