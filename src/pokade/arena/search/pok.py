"""How the strong level plays POK: regret matching at the sealed round, over what each hand is worth afterwards.

A hand is a number of three digits to the base 3: how many counters of each symbol. For three players all positions
are worked out backwards once, with some steps of regret matching for every throw; the limit of rounds is left out
there, but for the last round. For more players the worth of a position is a race of weights, one for each shape of a
hand, learnt once from games that rules of thumb play with themselves.
Rivals are thought to follow the rules of thumb in part, and to play as well as they can for the rest.
"""

import math
from typing import Any, Final

import numpy as np

from pokade.arena.draws import below, fraction
from pokade.games.pok import (
    DICE,
    EACH,
    GAME,
    GOAL,
    OVER,
    SEATS,
    SYMBOLS,
    begin,
    choice_at,
    choose,
    happen,
    judge,
    outcome_at,
    tickets,
    turn,
    weight,
)
from pokade.games.state import CHANCE, rule
from pokade.players.pok import casual, mixture

ROOM: Final = SEATS * SYMBOLS  # numbers for each seat and symbol
REGRETS, SUMS, HABITS, NOW, FLOATS = 0, ROOM, 2 * ROOM, 3 * ROOM, 4 * ROOM
HANDS, SHOWN, STARTED, INTS = 0, int(SEATS), 2 * SEATS, 2 * SEATS + 1
RECORDS: Final = 2
ITERATIONS: Final = 2000
CHUNK: Final = 1000
SHINES: Final = (3,)

N_HANDS: Final = 27
FULL: Final = 26
DIGITS: Final = (9, 3, 1)
THROWS: Final = 48
COUNTS: Final = 64  # two counts of the table's showing, below eight each
FEWEST: Final = GAME.seats[0]
WENT: Final = 0  # in the table: which symbols go, for each number of players, throw and what the others show
WORTH: Final = 5 * THROWS * COUNTS  # … what a hand is worth against two others
WEIGHTS: Final = WORTH + N_HANDS**3  # … and against more, its weight in the race
TABLE: Final = WEIGHTS + 8 * N_HANDS

HABIT: Final = 0.5  # the part of a rival's play that is thought to follow the rules of thumb
SWEEPS, STEPS = 4, 16  # of regret matching, for each throw of a position that is solved beforehand
LESSONS: Final = 500  # games to learn the weights from


@rule
def prepare(states: Any, flats: Any, table: Any) -> None:
    """Which symbols go, the worth of all positions of three, and the weights of hands among more."""
    states[1].unheard = 1
    for n_seats in range(FEWEST, SEATS + 1):
        for throw in range(THROWS):
            _list_what_goes(states[1], table, n_seats, throw)
    states[1].n_seats = FEWEST
    room = np.zeros((THROWS, 3, FEWEST, SYMBOLS))
    payoffs = np.zeros((N_HANDS, FEWEST))
    for total in range(FEWEST * (EACH * SYMBOLS) + 1):
        for first in range(N_HANDS):
            for second in range(first, N_HANDS):
                for third in range(second, N_HANDS):
                    if left(first) + left(second) + left(third) == total and _is_first(first, second, third):
                        _solve(states[1], table, (first, second, third), room, payoffs)
    for n_seats in range(FEWEST + 1, SEATS + 1):
        _learn(states[1], flats[1], table, n_seats)


@rule
def throw_of(dice: Any) -> int:
    """The number of a throw."""
    number: int = dice[0] * 16 + dice[1] * 4 + dice[2]
    return number


@rule
def lay(state: Any, throw: int) -> None:
    """Put the dice as in a throw."""
    state.dice[0] = throw // 16
    state.dice[1] = throw // 4 % 4
    state.dice[2] = throw % 4


@rule
def left(hand: int) -> int:
    """How many counters are in a hand."""
    return hand // 9 + hand // 3 % 3 + hand % 3


@rule
def holds(hand: int, symbol: int) -> int:
    """How many counters of a symbol are in a hand."""
    return hand // DIGITS[symbol] % 3


@rule
def _list_what_goes(state: Any, table: Any, n_seats: int, throw: int) -> None:
    """Ask the rules: for any number of seats that show each symbol, which symbols go."""
    state.n_seats = n_seats
    lay(state, throw)
    for discs in range(n_seats + 1):
        for squares in range(n_seats + 1 - discs):
            for seat in range(n_seats):
                state.shown[seat] = 0 if seat < discs else 1 if seat < discs + squares else 2
            state.showing[0] = (1 << discs) - 1
            state.showing[1] = ((1 << squares) - 1) << discs
            state.showing[2] = (1 << n_seats) - (1 << (discs + squares))
            judge(state)
            went = 0
            for symbol in range(SYMBOLS):
                if state.gone & state.showing[symbol]:
                    went |= 1 << symbol
            table[_place(n_seats, throw, discs, squares)] = went


@rule
def _place(n_seats: int, throw: int, discs: int, squares: int) -> int:
    """Where the table says which symbols go, by the throw and how many show each."""
    return WENT + ((n_seats - FEWEST) * THROWS + throw) * COUNTS + discs * 8 + squares


@rule
def _after(hand: int, symbol: int, went: int) -> int:
    """The hand after the round."""
    return hand - DIGITS[symbol] if went >> symbol & 1 else hand


@rule
def _turned(hand: int, turning: int) -> int:
    """The same hand with the symbols renamed, in one of six ways."""
    a, b, c = hand // 9, hand // 3 % 3, hand % 3
    if turning >= 3:
        a, b = b, a
    if turning % 3 == 1:
        a, b, c = b, c, a
    elif turning % 3 == 2:
        a, b, c = c, a, b
    return a * 9 + b * 3 + c


@rule
def _is_first(first: int, second: int, third: int) -> bool:
    """Is this the one that is worked out, of all positions that differ only in the symbols' names and the seats?"""
    if min(left(first), left(second), left(third)) <= EACH * SYMBOLS - GOAL:
        return False
    own = first * 729 + second * 27 + third
    for turning in range(1, 6):
        a, b, c = _turned(first, turning), _turned(second, turning), _turned(third, turning)
        low, high = min(a, b, c), max(a, b, c)
        if low * 729 + (a + b + c - low - high) * 27 + high < own:
            return False
    return True


@rule
def _store(table: Any, hands: Any, seat: int, worth: float) -> None:
    """Write a worth down for every way of naming the symbols and the other two."""
    for turning in range(6):
        own = _turned(hands[seat], turning)
        one = _turned(hands[(seat + 1) % 3], turning)
        other = _turned(hands[(seat + 2) % 3], turning)
        table[WORTH + (own * 27 + one) * 27 + other] = worth
        table[WORTH + (own * 27 + other) * 27 + one] = worth


@rule
def _of_three(table: Any, own: int, one: int, other: int) -> float:
    """What a hand of three players is worth."""
    fewest = min(left(own), left(one), left(other))
    if fewest <= EACH * SYMBOLS - GOAL:
        return _part(left(own), left(one), left(other), fewest)
    worth: float = table[WORTH + (own * 27 + one) * 27 + other]
    return worth


@rule
def _part(own: int, one: int, other: int, fewest: int) -> float:
    """The part of the win for those with the fewest left."""
    if own > fewest:
        return 0.0
    return 1.0 / (1 + (1 if one == fewest else 0) + (1 if other == fewest else 0))


@rule
def _solve(state: Any, table: Any, hands: Any, room: Any, payoffs: Any) -> None:
    """Regret matching for every throw; a round in which nothing goes leads back here, so sweep several times."""
    for seat in range(FEWEST):
        _store(table, hands, seat, 1.0 / FEWEST)
        for symbol in range(SYMBOLS):
            state.counters[seat][symbol] = holds(hands[seat], symbol)
    for sweep in range(SWEEPS):
        first, second, third = 0.0, 0.0, 0.0
        for throw in range(THROWS):
            lay(state, throw)
            chance = _chance(state)
            if sweep == 0:
                _start(state, room[throw])
            _pay(table, hands, throw, payoffs)
            _match(hands, room[throw], payoffs)
            first += chance * _gained(room[throw], payoffs, 0)
            second += chance * _gained(room[throw], payoffs, 1)
            third += chance * _gained(room[throw], payoffs, 2)
        _store(table, hands, 0, first)
        _store(table, hands, 1, second)
        _store(table, hands, 2, third)


@rule
def _chance(state: Any) -> float:
    """How likely the throw that lies is."""
    chance = 1.0
    for die in range(DICE):
        state.n_dice = die
        chance *= weight(state, state.dice[die]) / tickets(state)
    return chance


@rule
def _start(state: Any, room: Any) -> None:
    """No regrets yet, and how often the rules of thumb show each symbol."""
    for seat in range(FEWEST):
        weights = mixture(state, seat)
        for symbol in range(SYMBOLS):
            room[0, seat, symbol] = 0.0
            room[2, seat, symbol] = weights[symbol] / (weights[0] + weights[1] + weights[2])


@rule
def _pay(table: Any, hands: Any, throw: int, payoffs: Any) -> None:
    """What each seat has after each joint choice."""
    for joint in range(N_HANDS):
        x, y, z = joint // 9, joint // 3 % 3, joint % 3
        if holds(hands[0], x) == 0 or holds(hands[1], y) == 0 or holds(hands[2], z) == 0:
            continue
        discs = (1 if x == 0 else 0) + (1 if y == 0 else 0) + (1 if z == 0 else 0)
        squares = (1 if x == 1 else 0) + (1 if y == 1 else 0) + (1 if z == 1 else 0)
        went = int(table[_place(FEWEST, throw, discs, squares)])
        a, b, c = _after(hands[0], x, went), _after(hands[1], y, went), _after(hands[2], z, went)
        payoffs[joint, 0] = _of_three(table, a, b, c)
        payoffs[joint, 1] = _of_three(table, b, a, c)
        payoffs[joint, 2] = _of_three(table, c, a, b)


@rule
def _match(hands: Any, room: Any, payoffs: Any) -> None:
    """Some steps of regret matching for all three; the mean starts afresh, since the payoffs are better known now."""
    now = np.zeros((FEWEST, SYMBOLS))
    seen = np.zeros((FEWEST, SYMBOLS))
    worth = np.zeros((FEWEST, SYMBOLS))
    for seat in range(FEWEST):
        for symbol in range(SYMBOLS):
            room[1, seat, symbol] = 0.0
    for step in range(STEPS):
        for seat in range(FEWEST):
            _mix(room, hands[seat], now, seen, worth, seat, step + 1)
        _expect(seen, payoffs, worth)
        for seat in range(FEWEST):
            mean = 0.0
            for symbol in range(SYMBOLS):
                mean += now[seat, symbol] * worth[seat, symbol]
            for symbol in range(SYMBOLS):
                if now[seat, symbol] > 0.0:
                    room[0, seat, symbol] = max(0.0, room[0, seat, symbol] + worth[seat, symbol] - mean)


@rule
def _mix(room: Any, hand: int, now: Any, seen: Any, worth: Any, seat: int, step: int) -> None:
    """A seat's mixture now, in proportion to its regrets, and as the others see it; later ones count more."""
    total = 0.0
    for symbol in range(SYMBOLS):
        now[seat, symbol] = room[0, seat, symbol] + 1e-9 if holds(hand, symbol) else 0.0
        total += now[seat, symbol]
    for symbol in range(SYMBOLS):
        now[seat, symbol] /= total
        room[1, seat, symbol] += step * now[seat, symbol]
        seen[seat, symbol] = HABIT * room[2, seat, symbol] + (1.0 - HABIT) * now[seat, symbol]
        worth[seat, symbol] = 0.0


@rule
def _expect(seen: Any, payoffs: Any, worth: Any) -> None:
    """What each symbol of each seat is worth against the others' mixtures."""
    for x in range(SYMBOLS):
        for y in range(SYMBOLS):
            both = seen[0, x] * seen[1, y]
            for z in range(SYMBOLS):
                joint = x * 9 + y * 3 + z
                worth[0, x] += seen[1, y] * seen[2, z] * payoffs[joint, 0]
                worth[1, y] += seen[0, x] * seen[2, z] * payoffs[joint, 1]
                worth[2, z] += both * payoffs[joint, 2]


@rule
def _gained(room: Any, payoffs: Any, seat: int) -> float:
    """What a seat gets that plays its mean strategy against the others as they are thought to be."""
    means = np.zeros((FEWEST, SYMBOLS))
    for other in range(FEWEST):
        total = 0.0
        for symbol in range(SYMBOLS):
            total += room[1, other, symbol]
        for symbol in range(SYMBOLS):
            means[other, symbol] = room[1, other, symbol] / total
            if other != seat:
                means[other, symbol] = HABIT * room[2, other, symbol] + (1.0 - HABIT) * means[other, symbol]
    value = 0.0
    for joint in range(N_HANDS):
        value += means[0, joint // 9] * means[1, joint // 3 % 3] * means[2, joint % 3] * payoffs[joint, seat]
    return value


@rule
def _learn(state: Any, flat: Any, table: Any, n_seats: int) -> None:
    """The weights with which a hand's share of all weights foretells its part of the win, over casual games."""
    rng = np.zeros(1, np.uint64)
    shapes = np.zeros((256, SEATS), np.int64)
    weights = np.zeros(N_HANDS)
    for lesson in range(LESSONS):
        rounds = _play(state, flat, n_seats, rng, shapes)
        rate = 0.1 / (1.0 + lesson / 100.0)
        winners = 0
        for seat in range(n_seats):
            winners += state.winners >> seat & 1
        for number in range(rounds):
            total = 0.0
            for seat in range(n_seats):
                total += math.exp(weights[shapes[number, seat]])
            for seat in range(n_seats):
                guess = math.exp(weights[shapes[number, seat]]) / total
                weights[shapes[number, seat]] += rate * ((state.winners >> seat & 1) / winners - guess)
    for hand in range(N_HANDS):
        table[WEIGHTS + n_seats * N_HANDS + hand] = math.exp(weights[_shape(hand)])


@rule
def _shape(hand: int) -> int:
    """How many counters and how many different ones: which symbols they are makes no difference."""
    different = min(1, hand // 9) + min(1, hand // 3 % 3) + min(1, hand % 3)
    return left(hand) * 3 + different


@rule
def _play(state: Any, flat: Any, n_seats: int, rng: Any, shapes: Any) -> int:
    """A game between rules of thumb; the shapes of all hands before every round."""
    for cell in range(len(flat)):
        flat[cell] = 0
    state.n_seats = n_seats
    state.unheard = 1
    state.max_rounds = len(shapes)
    begin(state)
    rounds = 0
    while state.phase != OVER:
        if turn(state) == CHANCE:
            happen(state, outcome_at(state, below(rng, tickets(state))))
            continue
        for seat in range(n_seats):
            shapes[state.round - 1, seat] = _shape(_hand(state, seat))
        rounds += 1
        for seat in range(n_seats):
            choose(state, seat, casual(state, seat, below(rng, 1 << 31)))
    return rounds


@rule
def _hand(state: Any, seat: int) -> int:
    """What a seat has left, as one number."""
    hand: int = state.counters[seat][0] * 9 + state.counters[seat][1] * 3 + state.counters[seat][2]
    return hand


@rule
def ponder(states: Any, flats: Any, seat: int, table: Any, floats: Any, ints: Any, rng: Any, iterations: int) -> None:
    """Regret matching by sampling: everybody weighs all their symbols against one sample of what the others show."""
    view = states[0]
    throw = throw_of(view.dice)
    is_last = view.round >= view.max_rounds
    if ints[STARTED] == 0:
        _take_in(view, floats, ints)
    for _ in range(iterations):
        ints[STARTED] += 1
        discs, squares = 0, 0
        for other in range(view.n_seats):
            _weigh(floats, ints, other, ints[STARTED])
            symbol = _sample(floats, other, rng)
            ints[SHOWN + other] = symbol
            discs += 1 if symbol == 0 else 0
            squares += 1 if symbol == 1 else 0
        for other in range(view.n_seats):
            _regret(table, floats, ints, view.n_seats, throw, other, discs, squares, is_last)


@rule
def _take_in(view: Any, floats: Any, ints: Any) -> None:
    """The hands, and what the rules of thumb would show."""
    for seat in range(view.n_seats):
        ints[HANDS + seat] = _hand(view, seat)
        weights = mixture(view, seat)
        for symbol in range(SYMBOLS):
            at = HABITS + seat * SYMBOLS + symbol
            floats[at] = weights[symbol] / (weights[0] + weights[1] + weights[2])


@rule
def _weigh(floats: Any, ints: Any, seat: int, step: int) -> None:
    """A seat's mixture now: in proportion to its regrets; later ones count more in the mean."""
    total = 0.0
    for symbol in range(SYMBOLS):
        at = seat * SYMBOLS + symbol
        floats[NOW + at] = floats[REGRETS + at] + 1e-9 if holds(ints[HANDS + seat], symbol) else 0.0
        total += floats[NOW + at]
    for symbol in range(SYMBOLS):
        at = seat * SYMBOLS + symbol
        floats[NOW + at] /= total
        floats[SUMS + at] += step * floats[NOW + at]


@rule
def _sample(floats: Any, seat: int, rng: Any) -> int:
    """What a seat might show: out of habit, or thinking."""
    source = HABITS if fraction(rng) < HABIT else NOW
    at = source + seat * SYMBOLS
    point = fraction(rng)
    if point < floats[at]:
        return 0
    if point < floats[at] + floats[at + 1]:
        return 1
    return 2 if floats[at + 2] > 0.0 else 1 if floats[at + 1] > 0.0 else 0


@rule
def _regret(
    table: Any, floats: Any, ints: Any, n_seats: int, throw: int, seat: int, discs: int, squares: int, is_last: bool
) -> None:
    """What each symbol would have brought the seat, the others showing what they show."""
    shown = ints[SHOWN + seat]
    discs -= 1 if shown == 0 else 0
    squares -= 1 if shown == 1 else 0
    mean = 0.0
    for symbol in range(SYMBOLS):
        at = seat * SYMBOLS + symbol
        if floats[NOW + at] > 0.0:
            place = _place(n_seats, throw, discs + (1 if symbol == 0 else 0), squares + (1 if symbol == 1 else 0))
            ints[SHOWN + seat] = symbol
            worth = _worth(table, ints, n_seats, seat, int(table[place]), is_last)
            mean += floats[NOW + at] * worth
            floats[REGRETS + at] += worth
    ints[SHOWN + seat] = shown
    for symbol in range(SYMBOLS):
        at = seat * SYMBOLS + symbol
        if floats[NOW + at] > 0.0:
            floats[REGRETS + at] = max(0.0, floats[REGRETS + at] - mean)


@rule
def _worth(table: Any, ints: Any, n_seats: int, seat: int, went: int, is_last: bool) -> float:
    """What a seat has after the round."""
    fewest = EACH * SYMBOLS
    for other in range(n_seats):
        fewest = min(fewest, left(_after(ints[HANDS + other], ints[SHOWN + other], went)))
    own = _after(ints[HANDS + seat], ints[SHOWN + seat], went)
    if is_last or fewest <= EACH * SYMBOLS - GOAL:
        winners = 0
        for other in range(n_seats):
            if left(_after(ints[HANDS + other], ints[SHOWN + other], went)) == fewest:
                winners += 1
        return 1.0 / winners if left(own) == fewest else 0.0
    if n_seats == FEWEST:
        one, other = (seat + 1) % 3, (seat + 2) % 3
        a = _after(ints[HANDS + one], ints[SHOWN + one], went)
        b = _after(ints[HANDS + other], ints[SHOWN + other], went)
        worth: float = table[WORTH + (own * 27 + a) * 27 + b]
        return worth
    total = 0.0
    weights = WEIGHTS + n_seats * N_HANDS
    for other in range(n_seats):
        total += table[weights + _after(ints[HANDS + other], ints[SHOWN + other], went)]
    share: float = table[weights + own] / total
    return share


@rule
def settle(states: Any, flats: Any, seat: int, table: Any, floats: Any, ints: Any, rng: Any) -> int:
    """Drawn from the mean of all mixtures: nobody can read more of it than there is."""
    total = 0.0
    for symbol in range(SYMBOLS):
        total += floats[SUMS + seat * SYMBOLS + symbol]
    point = fraction(rng) * total
    for symbol in range(SYMBOLS):
        part = floats[SUMS + seat * SYMBOLS + symbol]
        if point < part:
            return symbol
        point -= part
    return choice_at(states[0], seat, 0)
