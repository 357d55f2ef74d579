"""What the search of Pokerdice keeps: the lattice of dice and what is worked out on it, and thoughts on one choice."""

import math
from dataclasses import dataclass
from typing import Any, Final

from pokade.arena.memory import floats, ints
from pokade.games.pokerdice import DICE, FACES, OBJECTIVES, SEATS

RECORDS: Final = 2  # the view, and the table as it was when everybody chose
NODES: Final = 462  # ways to keep up to five dice …
INNER: Final = 210  # … of which these are fewer than five; the others are the throws
THROWS: Final = 252
SETS: Final = 32  # room for the different sets of objectives that a throw can meet
HANDS: Final = 1 << OBJECTIVES
OPTIONS: Final = 10  # cards, or in the double game the likeliest pairs, that a seat is thought to weigh
TABLES: Final = ((2, 0), (3, 0), (3, 1), (4, 0), (4, 2), (5, 0))  # players, cards that stay in hand (§5.2)
SIZES: Final = 4  # numbers of players
ROWS: Final = sum(players for players, _ in TABLES)
# Two players, the chances to win (`values.py`):
PAIRS: Final = sum(math.comb(OBJECTIVES, cards) ** 2 for cards in range(OBJECTIVES))  # of hands with as many cards
SHAPES: Final = 16  # curves over the lead that a chance is made up of
FARTHEST: Final = 36  # leads that are told apart; a player who leads by more has as good as won
LEADS: Final = 2 * FARTHEST + 1
NARROW: Final = 9  # no single round changes a lead by more than 8
# More players: the chance to be ahead of one rival, by the difference of points that both will have.
FINE: Final = 8  # steps to a point
BEYOND: Final = 40  # points
CURVE: Final = 2 * FINE * BEYOND + 1


@dataclass
class Table:
    """What is worked out once."""

    up: Any = ints(INNER, FACES)  # by node and face: the node with one more die
    down: Any = ints(NODES, FACES)  # … and with one die less, or NOTHING
    less: Any = ints(NODES, DICE)  # all nodes with one die less …
    n_less: Any = ints(NODES)  # … and how many there are
    count: Any = ints(NODES, FACES)  # dice of each face
    kind: Any = ints(THROWS)  # which set of objectives a throw meets
    n_kinds: Any = ints()
    met: Any = ints(SETS)  # the objectives of a set
    odds: Any = floats(THROWS)
    # By number of players; with two, in the double game:
    mine: Any = floats(SIZES, THROWS, OBJECTIVES)  # how often the active player meets a card …
    theirs: Any = floats(SIZES, THROWS, OBJECTIVES)  # … and anybody else,
    misses: Any = floats(SIZES)  # and how many of their cards others miss
    future: Any = floats(ROWS, HANDS)  # by table, turns until the owner is active, and hand: points to come
    turn: Any = floats()  # points that it is worth to be active, with two players
    # Two players, the chance of the active player before a throw:
    last_card: Any = floats(OBJECTIVES, OBJECTIVES, 2 * NARROW + 1)  # by the last card of both, and the lead
    rank: Any = ints(HANDS)  # the number of a hand among those with as many cards
    first_pair: Any = ints(OBJECTIVES)  # by number of cards: the first pair of hands
    usual: Any = floats(OBJECTIVES, LEADS)  # by number of cards and lead: the chance with any hands …
    curves: Any = floats(OBJECTIVES, SHAPES, LEADS)  # … and how it may differ from that
    parts: Any = floats(PAIRS, SHAPES)  # by pair of hands, the active player's first: how much of each curve


@dataclass
class Memory:
    """A plan of rethrows, and what everybody may have sealed."""

    step: Any = ints()
    # The plan:
    worth: Any = floats(SETS)  # of the final dice, by set of objectives
    ends: Any = floats(SETS)  # how often they come
    last: Any = floats(NODES)  # the worth of a node with one rethrow left, all dice kept or thrown …
    best: Any = floats(NODES)  # … and the best worth of what may be kept of it …
    hold: Any = ints(NODES)  # … and what that is
    early: Any = floats(NODES)  # the worth of a node with two rethrows left
    mass: Any = floats(NODES)  # how likely the dice lie so
    # By seat and option:
    n_options: Any = ints(SEATS)
    choice: Any = ints(SEATS, OPTIONS)
    gain: Any = floats(SEATS, OPTIONS, SETS)  # points, by set of objectives that is met …
    miss: Any = floats(SEATS, OPTIONS, SETS)  # … and points that the active player takes
    ahead: Any = floats(SEATS, OPTIONS)  # what the hand that remains is worth
    regrets: Any = floats(SEATS, OPTIONS)
    now: Any = floats(SEATS, OPTIONS)
    sums: Any = floats(SEATS, OPTIONS)
    worth_of: Any = floats(SEATS, OPTIONS)
    # By option of the active player, and set: how often the dice end so …
    option_ends: Any = floats(OPTIONS, SETS)  # … with the best rethrows,
    chased: Any = floats(OPTIONS)  # how often an option is played by a player who looks at their own points only …
    chased_ends: Any = floats(OPTIONS, SETS)  # … with an eye to the own card only,
    joint: Any = floats(OPTIONS, SETS)  # … and how often both come together
    pay: Any = floats(OPTIONS, OPTIONS, SETS)  # two players: by both options and set, how often the active player wins
    # More players:
    curve: Any = floats(CURVE)  # the chance to be ahead of one rival, by the lead at the end
    points: Any = floats(SEATS, OPTIONS, SETS)  # that a seat will have in the end
    missed: Any = floats(SEATS, SETS)  # points that it probably gives to the active player
    all_missed: Any = floats(SETS)  # the same of all
    # Throwing again:
    shown: Any = ints()  # the option that was turned up
    proposed: Any = ints()  # what the plan of this step throws again, or NOTHING
    rethrow: Any = ints()  # the same of one of the steps so far, drawn by weight
    weights: Any = floats()  # of them all
