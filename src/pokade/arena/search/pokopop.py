"""How the strong level plays Poko Pop!: the rest of the round as a tree, with regret matching wherever all seal.

As long as nobody clashes, the round goes on by who takes which card, so its tree is small: one node for every way the
cards may have gone so far. All nodes are improved together, the last ones first. Where the round ends, points are worth
a part of the win that is learnt once from games that rules of thumb play with themselves: a lead counts the more, the
fewer rounds are left and the less lies in the pile. The last pile is judged by the rules, card by card.
Rivals are thought to follow the rules of thumb in part, and to play as well as they can for the rest.
"""

import math
from typing import Any, Final

import numpy as np

from pokade.arena.draws import below, copy_cells, fraction
from pokade.games.pokopop import (
    FINAL_CHOOSING,
    FLIPPING,
    KINDS,
    OVER,
    POKO,
    SEATS,
    VALUES,
    WAIT,
    begin,
    choose,
    happen,
    outcome_at,
    points,
    tickets,
    turn,
    weight,
)
from pokade.games.state import CHANCE, NOTHING, everyone, how_many, rule
from pokade.players.pokopop import THOUSAND, casual, eagerness

NODES: Final = 86  # with five players: 1, then 5, then 5 · 4, then 5 · 4 · 3 ways the cards may have gone
RECORDS: Final = 1 + NODES + 2  # the view, a position for each node, and two to try things on
TRIAL, SECOND = 1 + NODES, 2 + NODES
JOINTS: Final = 32  # who jumps, as a bit set
N: Final = int(SEATS)
# Of each node: what everybody has after each joint choice …
PAYOFFS: Final = 0
# … and of each node and seat: what it is worth, regrets of waiting and jumping, how often it jumped, and does by habit
VALUE: Final = NODES * JOINTS * N
REGRET: Final = VALUE + NODES * N
JUMPS: Final = REGRET + 2 * NODES * N
HABITS: Final = JUMPS + NODES * N
NOW: Final = HABITS + NODES * N  # … how often it jumps at this step, as it thinks itself and as the others see it
SEEN: Final = NOW + NODES * N
WEIGHT: Final = SEEN + NODES * N  # how much all mixtures so far count
FLOATS: Final = WEIGHT + 1
# Of each node and seat: the node that follows if that seat takes the card
NEXT: Final = 0
SIZE, STEPS, INTS = NODES * N, NODES * N + 1, NODES * N + 2
ITERATIONS: Final = 300
CHUNK: Final = 100
SHINES: Final = (4,)

ROUNDS: Final = 12

FORMS: Final = 2 * 3  # with effects or without, for each number of players
TABLE: Final = FORMS * (ROUNDS + 1)  # the worth of a lead by rounds left, and what the pile takes from it
LESSONS: Final = 2000
HABIT: Final = 0.25  # the part of a rival's play that is thought to follow the rules of thumb
KNOWN: Final = 0.2  # the part of a rival's other play that is thought to be their own, not the table's average
PATIENCE: Final = 0.02  # how often one jumps at least if all may wait without end
DRAWS: Final = 12  # samples of the deck's last cards


@rule
def prepare(states: Any, flats: Any, table: Any) -> None:
    """What a lead is worth."""
    for effects in range(2):
        for n_seats in range(3, N + 1):
            _learn(states[0], flats[0], table, effects, n_seats)


@rule
def _form(state: Any) -> int:
    """Where the table speaks of such games."""
    form: int = (state.effects * 3 + state.n_seats - 3) * (ROUNDS + 1)
    return form


@rule
def _learn(state: Any, flat: Any, table: Any, effects: int, n_seats: int) -> None:
    """Move the worth of a lead to where it would have foretold each casual game better."""
    rng = np.zeros(1, np.uint64)
    seen = np.zeros((ROUNDS, 2 + N))
    for lesson in range(LESSONS):
        rounds = _play(state, flat, effects, n_seats, rng, seen)
        form = _form(state)
        rate = 0.3 / (1.0 + lesson / 50.0)
        for number in range(rounds):
            left = int(seen[number, 0])
            lead = math.exp(table[form + left] - table[form + ROUNDS] * seen[number, 1])
            slope = 0.0
            for seat in range(n_seats):
                share = _part(state, seat) - _foretold(seen[number], 2, n_seats, seat, lead)
                slope += share * seen[number, 2 + seat]
            table[form + left] += rate * slope * 0.1
            table[form + ROUNDS] -= rate * slope * seen[number, 1] * 0.0003


@rule
def _foretold(row: Any, at: int, n_seats: int, seat: int, lead: float) -> float:
    """A seat's part of the win, as its points' part of all points if each is worth `lead` times itself."""
    total = 0.0
    for other in range(n_seats):
        total += math.exp(lead * (row[at + other] - row[at + seat]))
    return 1.0 / total


@rule
def _play(state: Any, flat: Any, effects: int, n_seats: int, rng: Any, seen: Any) -> int:
    """A game between rules of thumb: before every round but the first, rounds left, the pile, and all points."""
    for cell in range(len(flat)):
        flat[cell] = 0
    state.n_seats, state.effects, state.unheard, state.max_waits = n_seats, effects, 1, 12
    _clear(state)
    begin(state)
    rounds = 0
    while state.phase != OVER:
        if turn(state) != CHANCE:
            who = state.inside
            for seat in range(n_seats):
                if who >> seat & 1:
                    choose(state, seat, casual(state, seat, below(rng, 1 << 31)))
            continue
        flipped = state.phase == FLIPPING
        happen(state, outcome_at(state, below(rng, tickets(state))))
        if flipped:
            seen[rounds, 0] = state.deck // n_seats
            seen[rounds, 1] = _pile(state)
            for seat in range(n_seats):
                seen[rounds, 2 + seat] = points(state, seat)
            rounds += 1
    return rounds


@rule
def _clear(state: Any) -> None:
    """What is not zero before the first deal."""
    state.deck = 30
    for seat in range(state.n_seats):
        state.choice[seat] = NOTHING


@rule
def _pile(state: Any) -> float:
    """What lies in the pile."""
    total = 0.0
    for place in range(state.pile_size):
        total += VALUES[state.pile[place]]
    return total


@rule
def _part(state: Any, seat: int) -> float:
    """A seat's part of the win of a game that is over."""
    part: float = (state.winners >> seat & 1) / how_many(state.winners)
    return part


@rule
def ponder(states: Any, flats: Any, seat: int, table: Any, floats: Any, ints: Any, rng: Any, iterations: int) -> None:
    """Grow the tree, then improve every node, the last ones first, so that each builds on the better."""
    if ints[SIZE] == 0:
        _grow(states, flats, table, floats, ints, rng)
    for _ in range(iterations):
        ints[STEPS] += 1
        floats[WEIGHT] += ints[STEPS]
        for number in range(ints[SIZE]):
            node = ints[SIZE] - 1 - number
            _match(states[1 + node], node, floats, ints)


@rule
def _grow(states: Any, flats: Any, table: Any, floats: Any, ints: Any, rng: Any) -> None:
    """A node for every way the cards may go, and what everybody has where the round ends."""
    copy_cells(flats[0], flats[1])
    root = states[1]
    root.chosen = 0
    for seat in range(root.n_seats):
        root.choice[seat] = NOTHING
    ints[SIZE] = 1
    node = 0
    while node < ints[SIZE]:
        state = states[1 + node]
        for seat in range(state.n_seats):
            floats[HABITS + node * N + seat] = eagerness(state, seat) / THOUSAND if state.inside >> seat & 1 else 0.0
            floats[VALUE + node * N + seat] = 1.0 / state.n_seats
        for jumpers in range(everyone(state) + 1):
            if jumpers & ~state.inside == 0:
                _branch(states, flats, table, floats, ints, rng, node, jumpers)
        node += 1


@rule
def _branch(states: Any, flats: Any, table: Any, floats: Any, ints: Any, rng: Any, node: int, jumpers: int) -> None:
    """What follows a joint choice: the same again, another node, or the end of the round."""
    trial = states[TRIAL]
    copy_cells(flats[1 + node], flats[TRIAL])
    who = trial.inside
    for seat in range(trial.n_seats):
        if who >> seat & 1:
            choose(trial, seat, POKO if jumpers >> seat & 1 else WAIT)
    at = PAYOFFS + (node * JOINTS + jumpers) * N
    if turn(trial) > 0 and trial.phase != FINAL_CHOOSING:
        if jumpers:
            child = ints[SIZE]
            ints[SIZE] += 1
            copy_cells(flats[TRIAL], flats[1 + child])
            for seat in range(trial.n_seats):
                if jumpers >> seat & 1:
                    ints[NEXT + node * N + seat] = child
        floats[at] = -1.0
    elif trial.phase == FLIPPING:
        _flip(states, flats, table, floats, at)
    else:
        _end(states, flats, floats, at, rng)


@rule
def _flip(states: Any, flats: Any, table: Any, floats: Any, at: int) -> None:
    """The last card is any of those unseen; then the round is over."""
    trial, second = states[TRIAL], states[SECOND]
    total = tickets(trial)
    for kind in range(KINDS):
        if weight(trial, kind) > 0:
            copy_cells(flats[TRIAL], flats[SECOND])
            happen(second, kind)
            _judge(second, table, floats, at, weight(trial, kind) / total)


@rule
def _judge(state: Any, table: Any, floats: Any, at: int, chance: float) -> None:
    """Each seat's part of the win that the points after a round foretell."""
    form = _form(state)
    lead = math.exp(table[form + state.deck // state.n_seats] - table[form + ROUNDS] * _pile(state))
    for seat in range(state.n_seats):
        total = 0.0
        for other in range(state.n_seats):
            total += math.exp(lead * (points(state, other) - points(state, seat)))
        floats[at + seat] += chance / total


@rule
def _end(states: Any, flats: Any, floats: Any, at: int, rng: Any) -> None:
    """After the last pile the rules say who has won; its unseen cards are drawn several times."""
    trial, second = states[TRIAL], states[SECOND]
    draws = 1 if trial.phase == OVER else DRAWS
    for _ in range(draws):
        copy_cells(flats[TRIAL], flats[SECOND])
        while second.phase != OVER:
            happen(second, outcome_at(second, below(rng, tickets(second))))
        for seat in range(second.n_seats):
            floats[at + seat] += _part(second, seat) / draws


@rule
def _match(state: Any, node: int, floats: Any, ints: Any) -> None:
    """One step of regret matching for everybody at a node; later steps count more in the mean."""
    _mix(state, node, floats)
    rate = ints[STEPS] / floats[WEIGHT]
    for seat in range(state.n_seats):
        at = node * N + seat
        wait = _worth(state, node, seat, 0, floats, ints)
        mean = wait
        if state.inside >> seat & 1:
            jump = _worth(state, node, seat, 1 << seat, floats, ints)
            often = floats[NOW + at]
            mean += often * (jump - wait)
            floats[REGRET + 2 * at] = max(0.0, floats[REGRET + 2 * at] + wait - mean)
            floats[REGRET + 2 * at + 1] = max(0.0, floats[REGRET + 2 * at + 1] + jump - mean)
            floats[JUMPS + at] += rate * (often - floats[JUMPS + at])
        floats[VALUE + at] += rate * (mean - floats[VALUE + at])


@rule
def _mix(state: Any, node: int, floats: Any) -> None:
    """How often each jumps now, in proportion to regrets, and how that looks to the others.

    Nobody can agree beforehand on who jumps and who waits. So what a seat finds best counts only in part, and what the
    table finds best on average for the rest: else one would trust in a rival's part that the rival does not know of.
    """
    inside = how_many(state.inside)
    total = 0.0
    for seat in range(state.n_seats):
        at = node * N + seat
        wait, jump = floats[REGRET + 2 * at] + 1e-9, floats[REGRET + 2 * at + 1] + 1e-9
        floats[NOW + at] = jump / (wait + jump) if state.inside >> seat & 1 else 0.0
        total += floats[NOW + at]
    for seat in range(state.n_seats):
        at = node * N + seat
        thought = KNOWN * floats[NOW + at] + (1.0 - KNOWN) * total / inside
        floats[SEEN + at] = HABIT * floats[HABITS + at] + (1.0 - HABIT) * thought


@rule
def _worth(state: Any, node: int, seat: int, own: int, floats: Any, ints: Any) -> float:
    """What a seat gets if it jumps or waits, over all that the others may do."""
    rivals = state.inside & ~(1 << seat)
    total = 0.0
    jumpers = rivals
    while True:
        chance = 1.0
        for other in range(state.n_seats):
            if rivals >> other & 1:
                often = floats[SEEN + node * N + other]
                chance *= often if jumpers >> other & 1 else 1.0 - often
        total += chance * _payoff(node, jumpers | own, seat, floats, ints)
        if jumpers == 0:
            return total
        jumpers = (jumpers - 1) & rivals


@rule
def _payoff(node: int, jumpers: int, seat: int, floats: Any, ints: Any) -> float:
    """What a seat has after a joint choice."""
    at = PAYOFFS + (node * JOINTS + jumpers) * N
    if floats[at] >= 0.0:
        known: float = floats[at + seat]
        return known
    follows = node
    for other in range(N):
        if jumpers >> other & 1:
            follows = ints[NEXT + node * N + other]
    value: float = floats[VALUE + follows * N + seat]
    return value


@rule
def settle(states: Any, flats: Any, seat: int, table: Any, floats: Any, ints: Any, rng: Any) -> int:
    """Drawn from the mean of all mixtures at the root; where nothing ends a round, nobody may wait for ever."""
    least = 0.0 if states[0].max_waits else PATIENCE
    return POKO if fraction(rng) < max(least, floats[JUMPS + seat]) else WAIT
