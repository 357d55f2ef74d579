"""What the search of Poko Pop! keeps: the rest of a round as a tree, and what points are worth after it."""

from dataclasses import dataclass
from typing import Any, Final

from pokade.arena.memory import floats, ints
from pokade.games.pokopop import SEATS

N: Final = int(SEATS)
NODES: Final = 86  # with five players: 1, then 5, then 5 · 4, then 5 · 4 · 3 ways the cards may have gone
RECORDS: Final = 1 + NODES + 4  # the view, a position for each node, three to try things on, one to play lessons in
TRIAL, SECOND, LAST, PLAYED = 1 + NODES, 2 + NODES, 3 + NODES, 4 + NODES
JOINTS: Final = 1 << N  # who jumps, as a bit set
WEIGHTS: Final = 8  # of what a position after a round is worth


@dataclass
class Table:
    """What is learnt from games of this search with itself."""

    weights: Any = floats(2, N + 1, WEIGHTS)  # without effects and with them, by number of players


@dataclass
class Memory:
    """The rest of the round: everything follows from the view, so it is worked out once."""

    n_nodes: Any = ints()
    follows: Any = ints(NODES, N)  # by node and seat: the node that follows if that seat takes the card, or 0
    payoffs: Any = floats(NODES, JOINTS, N)  # by node, who jumps, and seat: its part of the win, where the round ends
    value: Any = floats(NODES, N)  # by node and seat: its part of the win …
    jumps: Any = floats(NODES, N)  # … and how often it jumps
    gaps: Any = floats(NODES)  # what somebody could still gain at a node
    # A stage, with the seats that are in counted from 0:
    inside: Any = ints(N)  # the seat
    ends: Any = floats(JOINTS, N)  # by who jumps, and seat: its part of the win
    gains: Any = floats(N, JOINTS)  # by who is in, and who of the others jumps: what jumping gains
    dares: Any = floats(N)
    found: Any = floats(N)
