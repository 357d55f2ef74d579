"""What the search of Poch keeps while it thinks about one choice, and what it knows before."""

from dataclasses import dataclass
from typing import Any, Final

from pokade.arena.memory import floats, ints, parts
from pokade.games.cards import CARDS, SUITS
from pokade.games.poch import GAME, SEATS

VIEW, DEALT, TRIED = 0, 1, 2  # records: what is seen, hands that may be, what becomes of them
RECORDS: Final = 3
OPTIONS: Final = 8  # choices that are tried: no more suits or cards than that, and the bids of the book
FUTURES: Final = 64
DEEP: Final = 8  # deals of a future that are played
UP, DOWN = 0, 1  # the ways in which suits are played
WAYS: Final = 2
PLAYED: Final = 1 << SUITS  # sets of suits

RUNGS: Final = (1, 2, 4, 7, 10)  # the sizes of bids that the book tells apart
BIDS: Final = 2 + len(RUNGS)  # pass, hold, and a bid of each size
FEWEST: Final = 3  # players for whom there is a book: two know each other's hands
SIZES: Final = GAME.seats[-1] - FEWEST + 1
VARIANTS: Final = 4  # by the options showdown and bluff
STAKES: Final = 3  # behind, level, ahead
KINDS: Final = 5  # of a bid: its bidder has paid alone; one more has, by holding or bidding; or several more, likewise
SITUATIONS: Final = SEATS * (1 + KINDS * len(RUNGS))
CLASSES: Final = 16  # of hands, the best first


@dataclass
class Memory:
    """What was found out, and what is being looked at."""

    is_ready: Any = ints()
    n_options: Any = ints()
    options: Any = ints(OPTIONS)  # the choices that are tried
    prior: Any = floats(OPTIONS)  # how often the book makes each of them
    sizes: Any = floats(OPTIONS)  # how often each is the size of a bid that is drawn without a look at the hand
    weight: Any = floats()  # of all deals so far
    worth: Any = floats(OPTIONS, BIDS)  # of each option and answer, times the weight of the deals it was tried on
    average: Any = floats(OPTIONS)  # what each option is worth
    liking: Any = floats(OPTIONS)
    change: Any = floats(FUTURES, DEEP, SEATS)  # by future, deal and place from the dealer: counters
    have: Any = floats(SEATS)  # counters at the end of a future
    luck: Any = floats(SEATS)  # what everybody's bid is drawn with …
    blind: Any = floats(SEATS)  # … and its size, if that is drawn without a look at the hand
    classes: Any = ints(SEATS)  # of everybody's hand
    played: Any = ints(SEATS)  # the cards that each seat has played
    pack: Any = ints(CARDS)  # the unseen cards
    of_suit: Any = ints(SEATS, SUITS)  # the ranks of each seat's cards of a suit, as a bit set
    left: Any = ints(SEATS, PLAYED)  # how many cards each seat has when these suits are played out
    ends: Any = ints(WAYS, PLAYED, SUITS, SEATS)  # cards left at the end if these suits are played and one is named


@dataclass
class Table:
    """The book of bids, and what hands are put into classes by."""

    tails: Any = floats(SIZES, SUITS + 1, SUITS + 2)  # how likely another has so many or more of so many cards
    edges: Any = floats(SIZES, CLASSES - 1)  # between the classes of hands: better sets to expect
    book: Any = parts(VARIANTS, SIZES, STAKES, SITUATIONS, CLASSES, BIDS)  # mixtures, in parts of 255
    sizes: Any = parts(VARIANTS, SIZES, STAKES, SITUATIONS, BIDS)  # of bids, whatever the hand, in parts of 255
