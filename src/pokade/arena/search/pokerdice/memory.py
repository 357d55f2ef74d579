"""What the search of Pokerdice keeps: the lattice of dice and what is worked out on it, and thoughts on one choice."""

from dataclasses import dataclass
from typing import Any, Final

from pokade.arena.memory import floats, ints
from pokade.games.pokerdice import FACES, OBJECTIVES, SEATS

RECORDS: Final = 2  # the view, and the table as it was when everybody chose
NODES: Final = 462  # ways to keep up to five dice …
INNER: Final = 210  # … of which these are fewer than five; the others are the throws
THROWS: Final = 252
SETS: Final = 32  # room for the different sets of objectives that a throw can meet
HANDS: Final = 1 << OBJECTIVES
OPTIONS: Final = 10  # cards, or in the double game the likeliest pairs, that a seat is thought to weigh
TABLES: Final = ((2, 0), (3, 0), (3, 1), (4, 0), (4, 2), (5, 0))  # players, cards that stay in hand (§5.2)
ROWS: Final = sum(players for players, _ in TABLES)
THUMB_SHARE: Final = 0.5  # how far rivals are taken to follow rules of thumb


@dataclass
class Table:
    """What is worked out once."""

    up: Any = ints(INNER, FACES)  # by node and face: the node with one more die
    down: Any = ints(NODES, FACES)  # … and with one die less, or NOTHING
    count: Any = ints(NODES, FACES)  # dice of each face
    kind: Any = ints(THROWS)  # which set of objectives a throw meets
    n_kinds: Any = ints()
    met: Any = ints(SETS)  # the objectives of a set
    odds: Any = floats(THROWS)
    mine: Any = floats(THROWS, OBJECTIVES)  # how often the active player meets a card …
    theirs: Any = floats(THROWS, OBJECTIVES)  # … and anybody else
    liked: Any = floats(2, THROWS, OBJECTIVES)  # by role, throw and card: how often it is played
    future: Any = floats(ROWS, HANDS)  # by table, turns until one is active, and hand: points to come


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
    thumb: Any = floats(SEATS, OPTIONS)  # how often the rules of thumb choose it
    regrets: Any = floats(SEATS, OPTIONS)
    now: Any = floats(SEATS, OPTIONS)
    sums: Any = floats(SEATS, OPTIONS)
    worth_of: Any = floats(SEATS, OPTIONS)
    # By option of the active player, and set: how often the dice end so …
    thumb_ends: Any = floats(OPTIONS, SETS)  # … by the rules of thumb,
    option_ends: Any = floats(OPTIONS, SETS)  # … by the best rethrows,
    joint: Any = floats(OPTIONS, SETS)  # … and how often both come together
    pay: Any = floats(OPTIONS, OPTIONS, SETS)  # two players: by both options and set, how often the active player wins
    cares: Any = floats(SEATS, SEATS)  # what a point of the second seat does to the first one's chance to win
    points: Any = floats(SEATS)  # that everybody will have in the end
    guess: Any = ints(SEATS)  # an option that a seat may have sealed
