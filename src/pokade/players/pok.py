"""Rules of thumb for POK. Weights are whole numbers, so that every carrier mixes alike."""

import math

from pokade.games.pok import BLANK, DICE, DISC, SQUARE, SYMBOLS, TRIANGLE, PokState, choice_at, n_choices
from pokade.games.state import NOTHING, rule

Three = tuple[float, float, float]
Odds = tuple[float, float]

ALIKE: Three = (1.0, 1.0, 1.0)
SURE = 10_000  # the weight of a symbol that costs nothing and gains nothing
WARMTH = 0.15  # a symbol that gains so much less (in counters) is shown a third as often
THOUGHTS = 15  # how often to think again what the others think …
DOUBT = 0.15  # … and how much each new thought counts against the older ones
ALONE = 0.12  # what it is worth, in counters, that a counter on the die of ones goes alone


@rule
def novice(view: PokState, seat: int, luck: int) -> int:
    """Half the time the symbol on the die that a table of this size meets most easily, else any.

    A child sees at once that seven hardly ever show just one disc. So if that die is blank, nothing may be met at all,
    and it shows what is on no die.
    """
    any_choice = choice_at(view, seat, luck // 2 % n_choices(view, seat))
    symbol = view.dice[(view.n_seats + 2) // SYMBOLS - 1]
    if luck % 2 == 0 and symbol == BLANK:
        unasked = bluffer(view, seat, luck // 2)
        return any_choice if unasked == NOTHING else unasked
    return symbol if luck % 2 == 0 and view.counters[seat][symbol] > 0 else any_choice


@rule
def casual(view: PokState, seat: int, luck: int) -> int:
    """Show each symbol the more often, the more it gains; never only the best, or the others can predict you."""
    weights = mixture(view, seat)
    pick = luck % (weights[0] + weights[1] + weights[2])
    if pick < weights[0]:
        return DISC
    return SQUARE if pick < weights[0] + weights[1] else TRIANGLE


@rule
def mixture(view: PokState, seat: int) -> tuple[int, int, int]:
    """How often casual shows each symbol. The others see the same dice: they lean to what gains, as you do.

    If all ran to what looks best at first sight, too many would meet there. So think again a few times, each time a
    little.
    """
    likes = ALIKE
    for _ in range(THOUGHTS):
        gained = gains(view, seat, likes)
        liked = (_warm(gained[0]), _warm(gained[1]), _warm(gained[2]))
        total = liked[0] + liked[1] + liked[2]
        likes = (_lean(likes[0], liked[0], total), _lean(likes[1], liked[1], total), _lean(likes[2], liked[2], total))
    gained = gains(view, seat, likes)
    return (_weight(view, seat, 0, gained), _weight(view, seat, 1, gained), _weight(view, seat, 2, gained))


@rule
def _warm(gained: float) -> float:
    """How much a gain weighs: more gain makes a symbol much more likely."""
    return math.exp(gained / WARMTH)


@rule
def _lean(like: float, liked: float, total: float) -> float:
    """A liking that gives way a little to what would be liked now."""
    return like + (SYMBOLS * liked / total - like) * DOUBT


@rule
def _weight(view: PokState, seat: int, symbol: int, gained: Three) -> int:
    """How often a symbol is shown, next to the others; never if you have none of it."""
    return 1 + int(SURE * _warm(gained[symbol])) if view.counters[seat][symbol] > 0 else 0


@rule
def gains(view: PokState, seat: int, likes: Three) -> Three:
    """My counter should go and theirs should stay: it is a race. So count mine, less what one rival hands over."""
    odds = (_odds(view, seat, 0, likes), _odds(view, seat, 1, likes), _odds(view, seat, 2, likes))
    unasked = _unasked(view, seat, likes)
    return (_gain(view, 0, odds, unasked), _gain(view, 1, odds, unasked), _gain(view, 2, odds, unasked))


@rule
def _gain(view: PokState, symbol: int, odds: tuple[Odds, Odds, Odds], unasked: float) -> float:
    """What a symbol gains (as if the dice knew nothing of each other).

    If too few show the symbol of the ones, a player who always does runs away from all others.
    """
    mine, theirs, unmet = 0.0, 0.0, 1.0
    asked = False
    for die in range(DICE):
        if view.dice[die] == symbol:
            asked = True
            mine += odds[die][1]
            theirs += odds[die][1] * die
            unmet *= 1.0 - odds[die][1]
        elif view.dice[die] != BLANK:
            theirs += odds[die][0] * (die + 1)
            unmet *= 1.0 - odds[die][0]
    # With no challenge met, the symbols on no die go.
    theirs += unmet * unasked
    alone = ALONE if view.dice[0] == symbol else 0.0
    return (mine if asked else unmet) + alone - theirs / (view.n_seats - 1)


@rule
def _odds(view: PokState, seat: int, die: int, likes: Three) -> Odds:
    """How likely a die's challenge is met without my showing its symbol, and with it."""
    none, one, two, three = 1.0, 0.0, 0.0, 0.0
    symbol = view.dice[die]
    for rival in range(view.n_seats):
        if rival != seat and symbol != BLANK and view.counters[rival][symbol] > 0:
            likely = likes[symbol] / _total(view, rival, likes)
            three += (two - three) * likely
            two += (one - two) * likely
            one += (none - one) * likely
            none -= none * likely
    if die == 0:
        return one, none
    return (two, one) if die == 1 else (three, two)


@rule
def _total(view: PokState, rival: int, likes: Three) -> float:
    """How much a rival likes all that they still have."""
    total = 0.0
    for symbol in range(SYMBOLS):
        if view.counters[rival][symbol] > 0:
            total += likes[symbol]
    return total


@rule
def _unasked(view: PokState, seat: int, likes: Three) -> float:
    """How many of the others would show a symbol that is on no die."""
    number = 0.0
    for symbol in range(SYMBOLS):
        if not is_asked(view, symbol):
            for rival in range(view.n_seats):
                if rival != seat and view.counters[rival][symbol] > 0:
                    number += likes[symbol] / _total(view, rival, likes)
    return number


@rule
def is_asked(view: PokState, symbol: int) -> bool:
    """Is the symbol on a die?"""
    return symbol in (view.dice[0], view.dice[1], view.dice[2])


@rule
def cautious(view: PokState, seat: int, luck: int) -> int:
    """Keeps a choice for later: shows a symbol it has two of."""
    start = luck % SYMBOLS
    for step in range(SYMBOLS):
        symbol = (start + step) % SYMBOLS
        if view.counters[seat][symbol] > 1:
            return symbol
    return NOTHING


@rule
def bold(view: PokState, seat: int, luck: int) -> int:
    """Goes for the challenge that asks for the most."""
    for step in range(DICE):
        symbol = view.dice[DICE - 1 - step]
        if symbol != BLANK and view.counters[seat][symbol] > 0:
            return symbol
    return NOTHING


@rule
def bluffer(view: PokState, seat: int, luck: int) -> int:
    """Shows what nobody asks for, and hopes that the others get in each other's way."""
    start = luck % SYMBOLS
    for step in range(SYMBOLS):
        symbol = (start + step) % SYMBOLS
        if view.counters[seat][symbol] > 0 and not is_asked(view, symbol):
            return symbol
    return NOTHING
