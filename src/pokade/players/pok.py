"""Rules of thumb for POK."""

from pokade.games.pok import BLANK, DICE, SYMBOLS, PokState
from pokade.games.state import rule


@rule
def casual(view: PokState, seat: int, luck: int) -> int:
    """Show each symbol the more often, the likelier it is to go; never only the likeliest, or one is read."""
    weight_0 = _appeal(view, seat, 0)
    weight_1 = _appeal(view, seat, 1)
    weight_2 = _appeal(view, seat, 2)
    pick = luck % (weight_0 + weight_1 + weight_2)
    if pick < weight_0:
        return 0
    return 1 if pick < weight_0 + weight_1 else 2


@rule
def _appeal(view: PokState, seat: int, symbol: int) -> int:
    """How much one would like to show a symbol: the square of its chance, at least a little."""
    if view.counters[seat][symbol] == 0:
        return 0
    chance = _chance(view, seat, symbol)
    return 1 + int(1000.0 * chance * chance)


@rule
def _chance(view: PokState, seat: int, symbol: int) -> float:
    """How likely the symbol goes: just enough others show it too; or it is on no die and nothing else is met."""
    asked = False
    met = 0.0
    unmet = 1.0
    for die in range(DICE):
        if view.dice[die] == symbol:
            asked = True
            met += _exactly(view, seat, symbol, die)
        elif view.dice[die] != BLANK:
            unmet *= 1.0 - _exactly(view, seat, view.dice[die], die + 1)
    return met if asked else unmet


@rule
def _exactly(view: PokState, seat: int, symbol: int, count: int) -> float:
    """How likely just `count` of the others (up to three) show a symbol."""
    none, one, two, three = 1.0, 0.0, 0.0, 0.0
    for rival in range(view.n_seats):
        if rival != seat:
            likely = _likely(view, rival, symbol)
            three = three * (1.0 - likely) + two * likely
            two = two * (1.0 - likely) + one * likely
            one = one * (1.0 - likely) + none * likely
            none = none * (1.0 - likely)
    if count == 0:
        return none
    if count == 1:
        return one
    return two if count == 2 else three


@rule
def _likely(view: PokState, rival: int, symbol: int) -> float:
    """How often a rival shows a symbol: they like what the dice ask for twice as much."""
    liked = 0
    total = 0
    for other in range(SYMBOLS):
        if view.counters[rival][other] > 0:
            weight = 2 if _is_asked(view, other) else 1
            total += weight
            if other == symbol:
                liked = weight
    return liked / total


@rule
def _is_asked(view: PokState, symbol: int) -> bool:
    """Is the symbol on a die?"""
    return symbol in (view.dice[0], view.dice[1], view.dice[2])
