"""What the search of Poch keeps while it thinks about one choice."""

from dataclasses import dataclass
from typing import Any, Final

from pokade.arena.memory import floats, ints
from pokade.games.cards import CARDS
from pokade.games.poch import SEATS

VIEW, DEALT, TRIED = 0, 1, 2  # records: what is seen, hands that may be, what becomes of them
RECORDS: Final = 3
OPTIONS: Final = 8  # choices that are tried: no more suits or cards than that, and a few bids
FUTURES: Final = 64
DEEP: Final = 8  # deals of a future that are played


@dataclass
class Memory:
    """What was found out, and what is being looked at."""

    is_ready: Any = ints()
    n_options: Any = ints()
    options: Any = ints(OPTIONS)  # the choices that are tried
    weight: Any = floats()  # of all deals so far
    worth: Any = floats(OPTIONS)  # of each option, times the weight of the deals it was tried on
    liking: Any = floats(OPTIONS)
    change: Any = floats(FUTURES, DEEP, SEATS)  # by future, deal and seat: counters
    have: Any = floats(SEATS)  # counters at the end of a future
    lucks: Any = ints(2, SEATS)  # what the rules of thumb mix with, bidding and playing
    played: Any = ints(SEATS)  # the cards that each seat has played
    pack: Any = ints(CARDS)  # the unseen cards


@dataclass
class Table:
    """Nothing is worked out beforehand: the futures depend on the table's options."""
