"""How the strong level plays Poko Pop!: the rest of the round as a tree, with regret matching wherever all seal.

As long as nobody clashes, the round goes on by who takes which card, so its tree is small: one node for every way the
cards may have gone so far. All nodes are improved together, the last ones first. Where the round ends, points are worth
a part of the win that is learnt once from games that rules of thumb play with themselves: a lead counts the more, the
fewer rounds are left and the less lies in the pile. The last pile is judged by the rules, card by card.
Rivals are thought to follow the rules of thumb in part, and to play as well as they can for the rest.
"""

import math
from dataclasses import dataclass
from typing import Any, Final

import numpy as np

from pokade.arena.draws import below, copy_cells, fraction
from pokade.arena.memory import floats, ints
from pokade.arena.search.regrets import match, regret
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
ITERATIONS: Final = 300
CHUNK: Final = 100
SHINES: Final = (4,)

ROUNDS: Final = 12

LESSONS: Final = 2000
HABIT: Final = 0.25  # the part of a rival's play that is thought to follow the rules of thumb
KNOWN: Final = 0.2  # the part of a rival's other play that is thought to be their own, not the table's average
BOTH: Final = 0b11  # everybody may wait or jump
PATIENCE: Final = 0.02  # how often one jumps at least if all may wait without end
DRAWS: Final = 12  # samples of the deck's last cards


@dataclass
class Table:
    """What is learnt once, for games without effects and with them, and for each number of players."""

    lead: Any = floats(2, N + 1, ROUNDS)  # the worth of a lead by rounds left …
    pile: Any = floats(2, N + 1)  # … and what the pile takes from it


@dataclass
class Memory:
    """The rest of the round, as a tree."""

    n_nodes: Any = ints()
    step: Any = ints()
    weight: Any = floats()  # how much all mixtures so far count
    follows: Any = ints(NODES, N)  # by node and seat: the node that follows if that seat takes the card
    payoffs: Any = floats(NODES, JOINTS, N)  # by node, joint choice and seat
    value: Any = floats(NODES, N)  # by node and seat: what it is worth …
    regrets: Any = floats(NODES, N, 2)  # … regrets of waiting and jumping …
    now: Any = floats(NODES, N, 2)  # … how often it waits and jumps at this step, as it thinks itself …
    seen: Any = floats(NODES, N)  # … how often it jumps as the others see it …
    jumps: Any = floats(NODES, N)  # … on the mean of all steps …
    habits: Any = floats(NODES, N)  # … and by habit
    worth: Any = floats(2)  # of waiting and jumping


@rule
def prepare(states: Any, flats: Any, table: Any, memory: Any) -> None:
    """What a lead is worth."""
    for effects in range(2):
        for n_seats in range(3, N + 1):
            _learn(states[0], flats[0], table, effects, n_seats)


@rule
def _learn(state: Any, flat: Any, table: Any, effects: int, n_seats: int) -> None:
    """Move the worth of a lead to where it would have foretold each casual game better."""
    rng = np.zeros(1, np.uint64)
    seen = np.zeros((ROUNDS, 2 + N))
    for lesson in range(LESSONS):
        rounds = _play(state, flat, effects, n_seats, rng, seen)
        rate = 0.3 / (1.0 + lesson / 50.0)
        for number in range(rounds):
            left = int(seen[number, 0])
            lead = math.exp(table.lead[effects, n_seats, left] - table.pile[effects, n_seats] * seen[number, 1])
            slope = 0.0
            for seat in range(n_seats):
                share = _part(state, seat) - _foretold(seen[number], 2, n_seats, seat, lead)
                slope += share * seen[number, 2 + seat]
            table.lead[effects, n_seats, left] += rate * slope * 0.1
            table.pile[effects, n_seats] -= rate * slope * seen[number, 1] * 0.0003


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
def ponder(states: Any, flats: Any, seat: int, table: Any, memory: Any, rng: Any, iterations: int) -> None:
    """Grow the tree, then improve every node, the last ones first, so that each builds on the better."""
    if memory.n_nodes == 0:
        _grow(states, flats, table, memory, rng)
    for _ in range(iterations):
        memory.step += 1
        memory.weight += memory.step
        for number in range(memory.n_nodes):
            node = memory.n_nodes - 1 - number
            _improve(states[1 + node], node, memory)


@rule
def _grow(states: Any, flats: Any, table: Any, memory: Any, rng: Any) -> None:
    """A node for every way the cards may go, and what everybody has where the round ends."""
    copy_cells(flats[0], flats[1])
    root = states[1]
    root.chosen = 0
    for seat in range(root.n_seats):
        root.choice[seat] = NOTHING
    memory.n_nodes = 1
    node = 0
    while node < memory.n_nodes:
        state = states[1 + node]
        for seat in range(state.n_seats):
            memory.habits[node, seat] = eagerness(state, seat) / THOUSAND if state.inside >> seat & 1 else 0.0
            memory.value[node, seat] = 1.0 / state.n_seats
        for jumpers in range(everyone(state) + 1):
            if jumpers & ~state.inside == 0:
                _branch(states, flats, table, memory, rng, node, jumpers)
        node += 1


@rule
def _branch(states: Any, flats: Any, table: Any, memory: Any, rng: Any, node: int, jumpers: int) -> None:
    """What follows a joint choice: the same again, another node, or the end of the round."""
    trial = states[TRIAL]
    copy_cells(flats[1 + node], flats[TRIAL])
    who = trial.inside
    for seat in range(trial.n_seats):
        if who >> seat & 1:
            choose(trial, seat, POKO if jumpers >> seat & 1 else WAIT)
    payoff = memory.payoffs[node, jumpers]
    if turn(trial) > 0 and trial.phase != FINAL_CHOOSING:
        if jumpers:
            child = memory.n_nodes
            memory.n_nodes += 1
            copy_cells(flats[TRIAL], flats[1 + child])
            for seat in range(trial.n_seats):
                if jumpers >> seat & 1:
                    memory.follows[node, seat] = child
        payoff[0] = -1.0
    elif trial.phase == FLIPPING:
        _flip(states, flats, table, payoff)
    else:
        _end(states, flats, payoff, rng)


@rule
def _flip(states: Any, flats: Any, table: Any, payoff: Any) -> None:
    """The last card is any of those unseen; then the round is over."""
    trial, second = states[TRIAL], states[SECOND]
    total = tickets(trial)
    for kind in range(KINDS):
        if weight(trial, kind) > 0:
            copy_cells(flats[TRIAL], flats[SECOND])
            happen(second, kind)
            _judge(second, table, payoff, weight(trial, kind) / total)


@rule
def _judge(state: Any, table: Any, payoff: Any, chance: float) -> None:
    """Each seat's part of the win that the points after a round foretell."""
    fade = table.pile[state.effects, state.n_seats] * _pile(state)
    lead = math.exp(table.lead[state.effects, state.n_seats, state.deck // state.n_seats] - fade)
    for seat in range(state.n_seats):
        total = 0.0
        for other in range(state.n_seats):
            total += math.exp(lead * (points(state, other) - points(state, seat)))
        payoff[seat] += chance / total


@rule
def _end(states: Any, flats: Any, payoff: Any, rng: Any) -> None:
    """After the last pile the rules say who has won; its unseen cards are drawn several times."""
    trial, second = states[TRIAL], states[SECOND]
    draws = 1 if trial.phase == OVER else DRAWS
    for _ in range(draws):
        copy_cells(flats[TRIAL], flats[SECOND])
        while second.phase != OVER:
            happen(second, outcome_at(second, below(rng, tickets(second))))
        for seat in range(second.n_seats):
            payoff[seat] += _part(second, seat) / draws


@rule
def _improve(state: Any, node: int, memory: Any) -> None:
    """One step of regret matching for everybody at a node; later steps count more in the mean."""
    _mix(state, node, memory)
    rate = memory.step / memory.weight
    for seat in range(state.n_seats):
        memory.worth[WAIT] = _worth(state, node, seat, 0, memory)
        mean = memory.worth[WAIT]
        if state.inside >> seat & 1:
            memory.worth[POKO] = _worth(state, node, seat, 1 << seat, memory)
            mean = regret(memory.regrets[node, seat], BOTH, memory.now[node, seat], memory.worth)
            memory.jumps[node, seat] += rate * (memory.now[node, seat, POKO] - memory.jumps[node, seat])
        memory.value[node, seat] += rate * (mean - memory.value[node, seat])


@rule
def _mix(state: Any, node: int, memory: Any) -> None:
    """How often each jumps now, in proportion to regrets, and how that looks to the others.

    Nobody can agree beforehand on who jumps and who waits. So what a seat finds best counts only in part, and what the
    table finds best on average for the rest: else one would trust in a rival's part that the rival does not know of.
    """
    inside = how_many(state.inside)
    total = 0.0
    for seat in range(state.n_seats):
        if state.inside >> seat & 1:
            match(memory.regrets[node, seat], BOTH, memory.now[node, seat])
        total += memory.now[node, seat, POKO]
    for seat in range(state.n_seats):
        thought = KNOWN * memory.now[node, seat, POKO] + (1.0 - KNOWN) * total / inside
        memory.seen[node, seat] = HABIT * memory.habits[node, seat] + (1.0 - HABIT) * thought


@rule
def _worth(state: Any, node: int, seat: int, own: int, memory: Any) -> float:
    """What a seat gets if it jumps or waits, over all that the others may do."""
    rivals = state.inside & ~(1 << seat)
    total = 0.0
    jumpers = rivals
    while True:
        chance = 1.0
        for other in range(state.n_seats):
            if rivals >> other & 1:
                often = memory.seen[node, other]
                chance *= often if jumpers >> other & 1 else 1.0 - often
        total += chance * _payoff(node, jumpers | own, seat, memory)
        if jumpers == 0:
            return total
        jumpers = (jumpers - 1) & rivals


@rule
def _payoff(node: int, jumpers: int, seat: int, memory: Any) -> float:
    """What a seat has after a joint choice."""
    if memory.payoffs[node, jumpers, 0] >= 0.0:
        known: float = memory.payoffs[node, jumpers, seat]
        return known
    follows = node
    for other in range(N):
        if jumpers >> other & 1:
            follows = memory.follows[node, other]
    value: float = memory.value[follows, seat]
    return value


@rule
def settle(states: Any, flats: Any, seat: int, table: Any, memory: Any, rng: Any) -> int:
    """Drawn from the mean of all mixtures at the root; where nothing ends a round, nobody may wait for ever."""
    least = 0.0 if states[0].max_waits else PATIENCE
    return POKO if fraction(rng) < max(least, memory.jumps[0, seat]) else WAIT
