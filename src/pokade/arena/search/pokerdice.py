"""How the strong level plays Pokerdice: exact rethrows, beliefs over sealed cards, and a small game solved each round.

Hands are public, so before a round all is known but what everybody seals. Kept dice form a lattice: no die, one die …
up to the 252 throws of five. For any worth of the final dice the best rethrows, and how often each end then comes, are
two walks over its 462 nodes. On top of them, regret matching works out how everybody mixes their cards; rivals are
taken to play by the rules of thumb half of the time. The first rethrow is the best one against what rivals have
probably sealed. Before the second one the dice that they chose by are gone from the view, so any card of theirs is
taken to be as likely as another (looking back through all first throws made no measurable difference).
"""

import math
from typing import Any, Final

from pokade.arena.draws import below, copy_cells, fraction
from pokade.games.pokerdice import (
    CAPTURED_VALUE,
    CHOOSING,
    DICE,
    DOUBLE,
    FACES,
    JOKER,
    OBJECTIVES,
    RETHROWING,
    ROUNDS,
    SEATS,
    VALUES,
    choice_at,
    met_objectives,
    n_choices,
    n_rounds,
)
from pokade.games.state import NOTHING, how_many, rule
from pokade.players import LUCK
from pokade.players.pokerdice import casual

NODES: Final = 462  # ways to keep up to five dice …
INNER: Final = 210  # … of which these are fewer than five; the others are the throws
THROWS: Final = 252
SETS: Final = 32  # room for the different sets of objectives that a throw can meet
HANDS: Final = 1 << OBJECTIVES
OPTIONS: Final = 10  # cards, or in the double game the likeliest pairs, that a seat is thought to weigh

# The table: the lattice …
UP: Final = 0  # by node and face: the node with one more die
DOWN: Final = UP + INNER * FACES  # … and with one die less, or NOTHING
COUNT: Final = DOWN + NODES * FACES
KIND: Final = COUNT + NODES * FACES  # by throw: which set of objectives it meets
MET: Final = KIND + THROWS  # by set: the objectives
KINDS: Final = MET + SETS
ODDS_OF: Final = KINDS + 1  # by throw: its probability
# … and what is worked out on it.
MINE: Final = ODDS_OF + THROWS  # by throw and card: how often the active player meets it …
THEIRS: Final = MINE + THROWS * OBJECTIVES  # … and anybody else
LIKED: Final = THEIRS + THROWS * OBJECTIVES  # by role, throw and card: how often it is played
FUTURE: Final = LIKED + 2 * THROWS * OBJECTIVES  # by table, turns until one is active, and hand: points to come
TABLES: Final = ((2, 0), (3, 0), (3, 1), (4, 0), (4, 2), (5, 0))  # players, cards that stay in hand (§5.2)
ROWS: Final = 21
SCRATCH: Final = FUTURE + ROWS * HANDS

# Room to plan in, the same in the table (while it is made) and in the memory.
WORTH: Final = 0  # by set of objectives: what the final dice are worth
ENDS: Final = WORTH + SETS  # by set: how often they come
LAST: Final = ENDS + SETS  # by node: its worth with one rethrow left, all dice kept or thrown …
BEST: Final = LAST + NODES  # … and the best worth of what may be kept of it …
HOLD: Final = BEST + NODES  # … and what that is
EARLY: Final = HOLD + NODES  # by node: its worth with two rethrows left
MASS: Final = EARLY + NODES
PLANNING: Final = MASS + NODES
TABLE: Final = SCRATCH + PLANNING

# The memory of one choice, after the planning room.
PER_OPTION: Final = SEATS * OPTIONS
GAIN: Final = PLANNING  # by seat, option and set of objectives: points
MISS: Final = GAIN + PER_OPTION * SETS  # … and cards that the active player takes
AHEAD: Final = MISS + PER_OPTION * SETS  # by seat and option: what the hand that remains is worth
THUMB: Final = AHEAD + PER_OPTION  # … how often the rules of thumb choose it
REGRET: Final = THUMB + PER_OPTION
NOW: Final = REGRET + PER_OPTION
EVER: Final = NOW + PER_OPTION
WORTH_OF: Final = EVER + PER_OPTION
THUMB_ENDS: Final = WORTH_OF + PER_OPTION  # by option of the active player and set: how often the dice end so
JOINT: Final = THUMB_ENDS + OPTIONS * SETS
OPTION_ENDS: Final = JOINT + OPTIONS * SETS
PAY: Final = OPTION_ENDS + OPTIONS * SETS  # two players: by both options and set, how often the active player wins
CARES: Final = (
    PAY + OPTIONS * OPTIONS * SETS
)  # by two seats: what a point of the other does to the first one's chance to win
MEAN: Final = CARES + SEATS * SEATS
GUESS: Final = MEAN + SEATS  # by seat: what it may have sealed
FLOATS: Final = GUESS + SEATS
COUNT_OF: Final = 0
CHOICE: Final = COUNT_OF + SEATS
ROUND: Final = CHOICE + PER_OPTION  # iterations so far
INTS: Final = ROUND + 1

RECORDS: Final = 2  # the view, and the table as it was when everybody chose
ITERATIONS: Final = 80
CHUNK: Final = 10
SHINES: Final = (2, 4)

THUMB_SHARE: Final = 0.5  # how far rivals are taken to follow rules of thumb
SPREAD: Final = 1.45  # of the difference of two scores, by the square root of the rounds to come (logistic)
SOFTNESS: Final = 0.35  # points by which players misjudge their cards
LUCKS: Final = 12
GUESSES: Final = 200


@rule
def prepare(states: Any, flats: Any, table: Any) -> None:
    """The lattice of kept dice, the odds of every objective, and what every hand is worth."""
    link_nodes(table)
    judge_throws(states[1], table)
    weigh_throws(table)
    chase_cards(states[1], table)
    like_at_first(table)
    for _ in range(2):
        spoil_cards(states[1], table)
        value_hands(table, 0)
    spoil_cards(states[1], table)
    for index in range(len(TABLES)):
        value_hands(table, index)


@rule
def link_nodes(table: Any) -> None:
    """Nodes in order of their number of dice; each comes into being when its highest die is added."""
    for cell in range(NODES * FACES):
        table[DOWN + cell] = NOTHING
    made = 1
    first = 0
    for _ in range(DICE):
        end = made
        for node in range(first, end):
            for face in range(highest(table, node), FACES):
                link(table, node, face, made)
                made += 1
        for node in range(first, end):
            top = highest(table, node)
            for face in range(top):
                less = int(table[DOWN + node * FACES + top])
                link(table, node, face, int(table[UP + int(table[UP + less * FACES + face]) * FACES + top]))
        first = end


@rule
def highest(table: Any, node: int) -> int:
    """The highest face of a node (from 0)."""
    top = 0
    for face in range(FACES):
        if table[COUNT + node * FACES + face] > 0:
            top = face
    return top


@rule
def link(table: Any, node: int, face: int, more: int) -> None:
    """One more die of a face leads from one node to another."""
    table[UP + node * FACES + face] = more
    table[DOWN + more * FACES + face] = node
    for other in range(FACES):
        table[COUNT + more * FACES + other] = table[COUNT + node * FACES + other]
    table[COUNT + more * FACES + face] += 1


@rule
def lay(state: Any, table: Any, throw: int) -> None:
    """The dice of a throw, in order."""
    die = 0
    for face in range(FACES):
        for _ in range(int(table[COUNT + (INNER + throw) * FACES + face])):
            state.dice[die] = face + 1
            die += 1


@rule
def judge_throws(state: Any, table: Any) -> None:
    """The rules say which objectives each throw meets; there are few different answers."""
    for throw in range(THROWS):
        lay(state, table, throw)
        met = met_objectives(state)
        kind = 0
        while kind < int(table[KINDS]) and table[MET + kind] != met:
            kind += 1
        table[MET + kind] = met
        table[KINDS] = max(int(table[KINDS]), kind + 1)
        table[KIND + throw] = kind


@rule
def weigh_throws(table: Any) -> None:
    """Five dice on an empty table."""
    for node in range(NODES):
        table[SCRATCH + MASS + node] = 0.0
    table[SCRATCH + MASS] = 1.0
    roll(table, table, SCRATCH)
    for throw in range(THROWS):
        table[ODDS_OF + throw] = table[SCRATCH + MASS + INNER + throw]


@rule
def node_of(state: Any, table: Any, again: int) -> int:
    """The node of the dice that are not thrown again."""
    node = 0
    for die in range(DICE):
        if not again >> die & 1:
            node = int(table[UP + node * FACES + state.dice[die] - 1])
    return node


@rule
def expect(table: Any, room: Any, at: int) -> None:
    """From the worth of every throw, that of every set of kept dice: each die more is any face."""
    for node in range(INNER - 1, -1, -1):
        total = 0.0
        for face in range(FACES):
            total += room[at + int(table[UP + node * FACES + face])]
        room[at + node] = total / FACES


@rule
def keep_best(table: Any, room: Any, base: int, means: int) -> None:
    """For every set of dice the best part of it to keep."""
    for node in range(NODES):
        best = room[means + node]
        hold = float(node)
        for face in range(FACES):
            less = int(table[DOWN + node * FACES + face])
            if less >= 0 and room[base + BEST + less] > best:
                best = room[base + BEST + less]
                hold = room[base + HOLD + less]
        room[base + BEST + node] = best
        room[base + HOLD + node] = hold


@rule
def plan(table: Any, room: Any, base: int) -> None:
    """The worth of everything that may be kept, with one rethrow left and with two, for the final dice's worth."""
    for throw in range(THROWS):
        room[base + LAST + INNER + throw] = room[base + WORTH + int(table[KIND + throw])]
    expect(table, room, base + LAST)
    keep_best(table, room, base, base + LAST)
    for node in range(INNER, NODES):
        room[base + EARLY + node] = room[base + BEST + node]
    expect(table, room, base + EARLY)


@rule
def best_again(state: Any, table: Any, room: Any, base: int, left: int) -> int:
    """The dice to throw again (§2.5) so that what is kept is worth most; among equals the fewest throws."""
    best = 0
    stop = room[base + LAST + node_of(state, table, 0)]
    most = stop
    for again in range(1, 1 << DICE):
        node = node_of(state, table, again)
        worth = room[base + EARLY + node] if left == 2 else room[base + LAST + node]
        if worth > most + 1e-12:
            best = again
            most = worth
    return best


@rule
def roll(table: Any, room: Any, base: int) -> None:
    """Probability flows up the lattice until five dice lie."""
    for node in range(INNER):
        mass = room[base + MASS + node]
        if mass > 0:
            for face in range(FACES):
                room[base + MASS + int(table[UP + node * FACES + face])] += mass / FACES


@rule
def foresee(table: Any, room: Any, base: int, kept: int) -> None:
    """How often the dice end as which set of objectives, if this is kept first and the plan followed then."""
    for node in range(NODES):
        room[base + MASS + node] = 0.0
    room[base + MASS + kept] = 1.0
    if kept < INNER:
        roll(table, room, base)
        throw_last(table, room, base)
    for kind in range(SETS):
        room[base + ENDS + kind] = 0.0
    for throw in range(THROWS):
        room[base + ENDS + int(table[KIND + throw])] += room[base + MASS + INNER + throw]


@rule
def throw_last(table: Any, room: Any, base: int) -> None:
    """Every throw that may lie now goes on with what is best kept of it."""
    for node in range(INNER):
        room[base + MASS + node] = 0.0
    for node in range(INNER, NODES):
        hold = int(room[base + HOLD + node])
        if hold < INNER:
            room[base + MASS + hold] += room[base + MASS + node]
            room[base + MASS + node] = 0.0
    roll(table, room, base)


@rule
def chase_cards(state: Any, table: Any) -> None:
    """For every throw and card: what the active player keeps, and how often it is met."""
    for card in range(OBJECTIVES):
        for kind in range(SETS):
            table[SCRATCH + WORTH + kind] = int(table[MET + kind]) >> card & 1
        plan(table, table, SCRATCH)
        for throw in range(THROWS):
            lay(state, table, throw)
            kept = node_of(state, table, best_again(state, table, table, SCRATCH, 2))
            worth = table[SCRATCH + (LAST if kept >= INNER else EARLY) + kept]
            table[MINE + throw * OBJECTIVES + card] = worth


@rule
def like_at_first(table: Any) -> None:
    """Before hands have a value: everybody likes what the active player meets more often than usual."""
    for card in range(OBJECTIVES):
        usual = 0.0
        for throw in range(THROWS):
            usual += table[ODDS_OF + throw] * table[MINE + throw * OBJECTIVES + card]
        for throw in range(THROWS):
            gain = VALUES[card] * (table[MINE + throw * OBJECTIVES + card] - usual)
            for role in range(2):
                table[LIKED + (role * THROWS + throw) * OBJECTIVES + card] = math.exp(gain / SOFTNESS)
    for row in range(2 * THROWS):
        even_out(table, LIKED + row * OBJECTIVES, OBJECTIVES)


@rule
def even_out(room: Any, at: int, count: int) -> None:
    """Makes numbers add up to one."""
    total = 0.0
    for cell in range(at, at + count):
        total += room[cell]
    for cell in range(at, at + count):
        room[cell] = room[cell] / total if total > 0 else 1.0 / count


@rule
def spoil_cards(state: Any, table: Any) -> None:
    """For every throw and card: how often somebody else meets it, while the active player plays well and unkindly."""
    for throw in range(THROWS):
        lay(state, table, throw)
        for card in range(OBJECTIVES):
            table[THEIRS + throw * OBJECTIVES + card] = 0.0
        for card in range(OBJECTIVES):
            liked = table[LIKED + throw * OBJECTIVES + card]
            if liked > 0.02:
                fear(table, throw, card)
                plan(table, table, SCRATCH)
                kept = node_of(state, table, best_again(state, table, table, SCRATCH, 2))
                foresee(table, table, SCRATCH, kept)
                add_met(table, throw, liked)
        certain = table[
            THEIRS + throw * OBJECTIVES + JOKER
        ]  # the others' share of liked cards was too small to look at
        for card in range(OBJECTIVES):
            table[THEIRS + throw * OBJECTIVES + card] /= certain


@rule
def fear(table: Any, throw: int, card: int) -> None:
    """The worth of final dice to the active player with a card against one rival that played something likely."""
    for kind in range(int(table[KINDS])):
        met = int(table[MET + kind])
        worth = float(VALUES[card] * (met >> card & 1))
        for other in range(OBJECTIVES):
            liked = table[LIKED + (THROWS + throw) * OBJECTIVES + other]
            worth -= liked * (VALUES[other] if met >> other & 1 else -CAPTURED_VALUE)
        table[SCRATCH + WORTH + kind] = worth


@rule
def add_met(table: Any, throw: int, weight: float) -> None:
    """Adds to everybody else's chances how often the dice end well for a card."""
    for kind in range(int(table[KINDS])):
        met = int(table[MET + kind])
        for card in range(OBJECTIVES):
            if met >> card & 1:
                table[THEIRS + throw * OBJECTIVES + card] += weight * table[SCRATCH + ENDS + kind]


@rule
def row_of(n_seats: int, spare: int, ahead: int) -> int:
    """Where the values of hands begin, for a table and the number of rounds until one is active."""
    row = 0
    for players, left in TABLES:
        if players == n_seats and left == spare:
            break
        row += players
    return FUTURE + (row + ahead) * HANDS


@rule
def value_hands(table: Any, index: int) -> None:
    """What every hand is worth at a table: points to come, less a part of what misses give to the active player."""
    n_seats, spare = TABLES[index]
    for cell in range(2 * THROWS * OBJECTIVES if index == 0 else 0):
        table[LIKED + cell] = 0.0
    for hand in range(1, HANDS):
        if how_many(hand) > spare:
            for ahead in range(n_seats):
                value_hand(table, n_seats, spare, ahead, hand)
    for row in range(2 * THROWS if index == 0 else 0):
        even_out(table, LIKED + row * OBJECTIVES, OBJECTIVES)


@rule
def value_hand(table: Any, n_seats: int, spare: int, ahead: int, hand: int) -> None:
    """The best card for every throw, weighed against the hand that remains."""
    later = row_of(n_seats, spare, (ahead - 1) % n_seats)
    total = 0.0
    for throw in range(THROWS):
        best = -1000.0
        liked = 0
        for card in range(OBJECTIVES):
            if hand >> card & 1:
                worth = card_worth(table, throw, card, ahead == 0, n_seats) + table[later + (hand ^ 1 << card)]
                if worth > best:
                    best = worth
                    liked = card
        total += best * table[ODDS_OF + throw]
        if n_seats == 2:
            role = 0 if ahead == 0 else 1
            table[LIKED + (role * THROWS + throw) * OBJECTIVES + liked] += SHARE_OF_SIZE[how_many(hand)]
    table[row_of(n_seats, spare, ahead) + hand] = total


SHARE_OF_SIZE: Final = tuple(1.0 / math.comb(OBJECTIVES, size) for size in range(OBJECTIVES + 1))


@rule
def card_worth(table: Any, throw: int, card: int, is_active: bool, n_seats: int) -> float:
    """The points a card brings on a throw; a miss costs others' gain, shared out among all rivals."""
    if is_active:
        return float(VALUES[card] * table[MINE + throw * OBJECTIVES + card])
    odds = table[THEIRS + throw * OBJECTIVES + card]
    return float(VALUES[card] * odds - CAPTURED_VALUE * (1.0 - odds) / (n_seats - 1))


@rule
def ponder(states: Any, flats: Any, seat: int, table: Any, floats: Any, ints: Any, rng: Any, iterations: int) -> None:
    """Regret matching over everybody's cards, as they lay before the active player's card was turned up."""
    state = states[1]
    if ints[ROUND] == 0:
        copy_cells(flats[0], flats[1])
        take_back(state)
        list_options(state, table, floats, ints)
        ask_thumbs(state, table, floats, ints, rng)
        weigh_ends(state, table, floats, ints)
    for _ in range(iterations):
        ints[ROUND] += 1
        if states[0].rethrows == 0:  # later, the dice that everybody chose by lie no more
            match_regrets(state, seat, table, floats, ints)


@rule
def take_back(state: Any) -> None:
    """The table as it was when everybody chose: the active player's cards are in hand again."""
    for seat in range(state.n_seats):
        state.choice[seat] = NOTHING
    state.chosen = 0
    state.rethrows = 0
    shown = state.shown[state.active]
    if state.phase == RETHROWING:
        give(state, shown % OBJECTIVES)
        if state.variant == DOUBLE:
            give(state, shown // OBJECTIVES)
        state.shown[state.active] = NOTHING
    state.phase = CHOOSING


@rule
def give(state: Any, card: int) -> None:
    """A card goes back to the active player's hand."""
    if state.hand[state.active] >> card & 1:
        state.second[state.active] |= 1 << card
    else:
        state.hand[state.active] |= 1 << card


@rule
def list_options(state: Any, table: Any, floats: Any, ints: Any) -> None:
    """What everybody may play; of many pairs those that look best."""
    throw = node_of(state, table, 0) - INNER
    for seat in range(state.n_seats):
        for index in range(n_choices(state, seat)):
            choice = choice_at(state, seat, index)
            add_option(floats, ints, seat, choice, quick_worth(state, table, seat, choice, throw))
        for option in range(ints[COUNT_OF + seat]):
            describe(state, table, floats, seat, option, ints[CHOICE + seat * OPTIONS + option])


@rule
def add_option(floats: Any, ints: Any, seat: int, choice: int, worth: float) -> None:
    """One more option, perhaps in the place of the worst so far."""
    count = ints[COUNT_OF + seat]
    at = seat * OPTIONS + count
    if count == OPTIONS:
        at = seat * OPTIONS
        for other in range(seat * OPTIONS, (seat + 1) * OPTIONS):
            if floats[WORTH_OF + other] < floats[WORTH_OF + at]:
                at = other
        if floats[WORTH_OF + at] >= worth:
            return
    else:
        ints[COUNT_OF + seat] += 1
    ints[CHOICE + at] = choice
    floats[WORTH_OF + at] = worth


@rule
def quick_worth(state: Any, table: Any, seat: int, choice: int, throw: int) -> float:
    """What a choice looks like on a throw, without a thought for what others do."""
    is_active = seat == state.active
    worth = hand_worth(state, table, seat, choice)
    worth += card_worth(table, throw, choice % OBJECTIVES, is_active, state.n_seats)
    if state.variant == DOUBLE:
        worth += card_worth(table, throw, choice // OBJECTIVES, is_active, state.n_seats)
    return worth


@rule
def hand_worth(state: Any, table: Any, seat: int, choice: int) -> float:
    """What the hand is worth that remains after a choice; two sets of cards add up."""
    hand = state.hand[seat]
    second = state.second[seat]
    for index in range(1 + state.variant):
        card = 1 << (choice % OBJECTIVES if index == 0 else choice // OBJECTIVES)
        if second & card:
            second ^= card
        else:
            hand ^= card
    ahead = (seat - state.active - 1) % state.n_seats
    row = row_of(state.n_seats, ROUNDS - n_rounds(state), ahead)
    return float(table[row + hand] + table[row + second])


@rule
def describe(state: Any, table: Any, floats: Any, seat: int, option: int, choice: int) -> None:
    """What an option brings for every set of objectives that may be met."""
    at = seat * OPTIONS + option
    floats[AHEAD + at] = hand_worth(state, table, seat, choice)
    for kind in range(int(table[KINDS])):
        met = int(table[MET + kind])
        for index in range(1 + state.variant):
            card = choice % OBJECTIVES if index == 0 else choice // OBJECTIVES
            if met >> card & 1:
                floats[GAIN + at * SETS + kind] += VALUES[card]
            elif seat != state.active:
                floats[MISS + at * SETS + kind] += CAPTURED_VALUE


@rule
def ask_thumbs(state: Any, table: Any, floats: Any, ints: Any, rng: Any) -> None:
    """What the rules of thumb would play, and how an active player that follows them would go on."""
    for seat in range(state.n_seats):
        for _ in range(LUCKS):
            choice = casual(state, seat, below(rng, LUCK))
            for option in range(ints[COUNT_OF + seat]):
                if ints[CHOICE + seat * OPTIONS + option] == choice:
                    floats[THUMB + seat * OPTIONS + option] += 1.0
        even_out(floats, THUMB + seat * OPTIONS, ints[COUNT_OF + seat])
    for option in range(ints[COUNT_OF + state.active]):
        if floats[THUMB + state.active * OPTIONS + option] > 0:
            follow_thumbs(state, table, floats, ints[CHOICE + state.active * OPTIONS + option])
            for kind in range(SETS):
                floats[THUMB_ENDS + option * SETS + kind] = floats[ENDS + kind]


@rule
def follow_thumbs(state: Any, table: Any, floats: Any, choice: int) -> None:
    """How the dice end if the active player throws again by the rules of thumb."""
    start = node_of(state, table, 0)
    state.phase = RETHROWING
    state.shown[state.active] = choice
    kept = node_of(state, table, casual(state, state.active, 0))
    state.rethrows = 1
    for throw in range(THROWS):
        lay(state, table, throw)
        floats[HOLD + INNER + throw] = node_of(state, table, casual(state, state.active, 0))
    foresee(table, floats, 0, kept)
    state.rethrows = 0
    state.shown[state.active] = NOTHING
    state.phase = CHOOSING
    lay(state, table, start - INNER)


@rule
def weigh_ends(state: Any, table: Any, floats: Any, ints: Any) -> None:
    """With two players the chance to win after every way the round may end; with more, what a point does to it."""
    if state.n_seats > 2:
        for seat in range(state.n_seats):
            floats[MEAN + seat] = state.score[seat] + average_ahead(floats, ints, seat)
        care(state, floats)
        return
    active = state.active
    rival = 1 - active
    for mine in range(ints[COUNT_OF + active]):
        for theirs in range(ints[COUNT_OF + rival]):
            for kind in range(int(table[KINDS])):
                settle_round(state, floats, active, mine, kind)
                settle_round(state, floats, rival, theirs, kind)
                floats[MEAN + active] += floats[MISS + (rival * OPTIONS + theirs) * SETS + kind]
                floats[PAY + (mine * OPTIONS + theirs) * SETS + kind] = winning(state, floats, active)


@rule
def settle_round(state: Any, floats: Any, seat: int, option: int, kind: int) -> None:
    """What a seat will have in the end, by all that is known after this round."""
    at = seat * OPTIONS + option
    floats[MEAN + seat] = state.score[seat] + floats[AHEAD + at] + floats[GAIN + at * SETS + kind]


@rule
def average_ahead(floats: Any, ints: Any, seat: int) -> float:
    """What a hand promises before anything is played."""
    most = -1000.0
    for option in range(ints[COUNT_OF + seat]):
        most = max(most, floats[AHEAD + seat * OPTIONS + option])
    return most


@rule
def winning(state: Any, floats: Any, seat: int) -> float:
    """How likely a seat wins, by what everybody will have; ties go to the seat that is active last (§5.4)."""
    left = n_rounds(state) - state.round
    spread = SPREAD * math.sqrt(left) + 0.03
    last = (state.active + left) % state.n_seats
    edge = min(0.5, 0.9 / (state.n_seats - 1))
    mine = floats[MEAN + seat] - edge * ((last - seat) % state.n_seats)
    total = 0.0
    for other in range(state.n_seats):
        theirs = floats[MEAN + other] - edge * ((last - other) % state.n_seats)
        total += math.exp(min(60.0, (theirs - mine) / spread))
    return 1.0 / total


@rule
def care(state: Any, floats: Any) -> None:
    """How much a point of one seat changes the chance of another to win."""
    n_seats = state.n_seats
    for seat in range(n_seats):
        before = winning(state, floats, seat)
        for other in range(n_seats):
            floats[MEAN + other] += 1.0
            floats[CARES + seat * SEATS + other] = winning(state, floats, seat) - before
            floats[MEAN + other] -= 1.0


@rule
def match_regrets(state: Any, me: int, table: Any, floats: Any, ints: Any) -> None:
    """One round of thought: the active player's best rethrows against all, then everybody's regrets."""
    for seat in range(state.n_seats):
        mix(floats, ints, seat)
    think_active(state, me, table, floats, ints)
    join_ends(state, me, table, floats, ints)
    for seat in range(state.n_seats):
        if seat != state.active:
            think_other(state, seat, table, floats, ints)
        regret(floats, ints, seat)


@rule
def mix(floats: Any, ints: Any, seat: int) -> None:
    """Everybody plays in proportion to what they regret not having played; later thoughts count more."""
    count = ints[COUNT_OF + seat]
    for option in range(seat * OPTIONS, seat * OPTIONS + count):
        floats[NOW + option] = floats[REGRET + option]
    even_out(floats, NOW + seat * OPTIONS, count)
    for option in range(seat * OPTIONS, seat * OPTIONS + count):
        floats[EVER + option] += ints[ROUND] * floats[NOW + option]


@rule
def regret(floats: Any, ints: Any, seat: int) -> None:
    """Regrets grow by what an option would have brought beyond the mix, and never below nothing."""
    first = seat * OPTIONS
    mean = 0.0
    for option in range(first, first + ints[COUNT_OF + seat]):
        mean += floats[NOW + option] * floats[WORTH_OF + option]
    for option in range(first, first + ints[COUNT_OF + seat]):
        floats[REGRET + option] = max(0.0, floats[REGRET + option] + floats[WORTH_OF + option] - mean)


@rule
def likely(floats: Any, me: int, seat: int, option: int) -> float:
    """How often a seat plays an option: rivals follow the rules of thumb part of the time."""
    at = seat * OPTIONS + option
    if seat == me:
        return float(floats[NOW + at])
    return float(THUMB_SHARE * floats[THUMB + at] + (1.0 - THUMB_SHARE) * floats[NOW + at])


@rule
def think_active(state: Any, me: int, table: Any, floats: Any, ints: Any) -> None:
    """For each of the active player's options: the best rethrows, what they bring, and how the dice end."""
    active = state.active
    for option in range(ints[COUNT_OF + active]):
        weigh_kinds(state, me, table, floats, ints, option)
        plan(table, floats, 0)
        kept = node_of(state, table, best_again(state, table, floats, 0, 2))
        worth = floats[(LAST if kept >= INNER else EARLY) + kept]
        floats[WORTH_OF + active * OPTIONS + option] = worth
        foresee(table, floats, 0, kept)
        for kind in range(SETS):
            floats[OPTION_ENDS + option * SETS + kind] = floats[ENDS + kind]


@rule
def weigh_kinds(state: Any, me: int, table: Any, floats: Any, ints: Any, mine: int) -> None:
    """What the final dice are worth to the active player with an option, by what others probably play."""
    active = state.active
    own = active * OPTIONS + mine
    for kind in range(int(table[KINDS])):
        worth = 0.0
        if state.n_seats > 2:
            worth = floats[CARES + active * SEATS + active] * (floats[GAIN + own * SETS + kind] + floats[AHEAD + own])
        for seat in range(state.n_seats):
            for option in range(ints[COUNT_OF + seat] if seat != active else 0):
                worth += likely(floats, me, seat, option) * harm(state, floats, mine, seat, option, kind)
        floats[WORTH + kind] = worth


@rule
def harm(state: Any, floats: Any, mine: int, seat: int, option: int, kind: int) -> float:
    """What a rival's option and an end of the dice mean for the active player."""
    at = (seat * OPTIONS + option) * SETS + kind
    if state.n_seats == 2:
        return float(floats[PAY + (mine * OPTIONS + option) * SETS + kind])
    active = state.active
    taken = floats[CARES + active * SEATS + active] * floats[MISS + at]
    return float(taken + floats[CARES + active * SEATS + seat] * floats[GAIN + at])


@rule
def join_ends(state: Any, me: int, table: Any, floats: Any, ints: Any) -> None:
    """How often the active player plays an option and the dice end so."""
    active = state.active
    share = 0.0 if active == me else THUMB_SHARE
    for option in range(ints[COUNT_OF + active]):
        now = (1.0 - share) * floats[NOW + active * OPTIONS + option]
        thumb = share * floats[THUMB + active * OPTIONS + option]
        for kind in range(SETS):
            at = option * SETS + kind
            floats[JOINT + at] = now * floats[OPTION_ENDS + at] + thumb * floats[THUMB_ENDS + at]


@rule
def think_other(state: Any, seat: int, table: Any, floats: Any, ints: Any) -> None:
    """What each option of somebody else brings against the active player's mix."""
    active = state.active
    for option in range(ints[COUNT_OF + seat]):
        at = seat * OPTIONS + option
        worth = floats[CARES + seat * SEATS + seat] * floats[AHEAD + at]
        for mine in range(ints[COUNT_OF + active]):
            for kind in range(int(table[KINDS])):
                joint = floats[JOINT + mine * SETS + kind]
                if state.n_seats == 2:
                    worth += joint * (1.0 - floats[PAY + (mine * OPTIONS + option) * SETS + kind])
                else:
                    gain = floats[CARES + seat * SEATS + seat] * floats[GAIN + at * SETS + kind]
                    worth += joint * (gain + floats[CARES + seat * SEATS + active] * floats[MISS + at * SETS + kind])
        floats[WORTH_OF + at] = worth


@rule
def draw(floats: Any, at: int, count: int, rng: Any) -> int:
    """One of some options, as often as their numbers say."""
    total = 0.0
    for option in range(count):
        total += floats[at + option]
    rest = fraction(rng) * total
    for option in range(count):
        rest -= floats[at + option]
        if rest < 0:
            return option
    return count - 1


@rule
def settle(states: Any, flats: Any, seat: int, table: Any, floats: Any, ints: Any, rng: Any) -> int:
    """A card drawn from the mix that came of it; or the best rethrow against what others have probably sealed."""
    if states[0].phase != RETHROWING:
        first = seat * OPTIONS
        forget_slips(floats, first, ints[COUNT_OF + seat])
        return int(ints[CHOICE + first + draw(floats, EVER + first, ints[COUNT_OF + seat], rng)])
    fear_sealed(states[0], states[1], table, floats, ints, rng)
    plan(table, floats, 0)
    return best_again(states[0], table, floats, 0, 2 - states[0].rethrows)


@rule
def forget_slips(floats: Any, first: int, count: int) -> None:
    """What was played only while the thoughts were young is not played."""
    most = 0.0
    for option in range(first, first + count):
        most = max(most, floats[EVER + option])
    for option in range(first, first + count):
        if floats[EVER + option] < 0.1 * most:
            floats[EVER + option] = 0.0


@rule
def fear_sealed(view: Any, state: Any, table: Any, floats: Any, ints: Any, rng: Any) -> None:
    """What the final dice are worth: the chance to win, over many guesses of what the others have sealed."""
    active = view.active
    for kind in range(SETS):
        floats[WORTH + kind] = 0.0
        floats[GAIN + active * OPTIONS * SETS + kind] = 0.0
    describe(state, table, floats, active, 0, view.shown[active])
    for seat in range(view.n_seats):
        believe(floats, ints, seat, THUMB_SHARE if view.rethrows == 0 else 0.0)
    for _ in range(GUESSES):
        for seat in range(view.n_seats):
            floats[GUESS + seat] = draw(floats, EVER + seat * OPTIONS, ints[COUNT_OF + seat], rng)
        floats[GUESS + active] = 0.0
        for kind in range(int(table[KINDS])):
            floats[WORTH + kind] += guessed(state, floats, kind)


@rule
def believe(floats: Any, ints: Any, seat: int, share: float) -> None:
    """What a rival has probably sealed: part rules of thumb, part the mix of the thoughts; without thoughts, any."""
    first = seat * OPTIONS
    count = ints[COUNT_OF + seat]
    even_out(floats, EVER + first, count)
    for option in range(first, first + count):
        floats[EVER + option] = (1.0 - share) * floats[EVER + option] + share * floats[THUMB + option]


@rule
def guessed(state: Any, floats: Any, kind: int) -> float:
    """The active player's chance to win if the dice end so and others have sealed what was guessed."""
    taken = 0.0
    for seat in range(state.n_seats):
        option = int(floats[GUESS + seat])
        settle_round(state, floats, seat, option, kind)
        taken += floats[MISS + (seat * OPTIONS + option) * SETS + kind]
    floats[MEAN + state.active] += taken
    return winning(state, floats, state.active)
