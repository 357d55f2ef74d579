"""Poch: collect what trumps give, bid on your set or on your nerve, play out first. § marks: docs/rules/poch.md."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from pokade.games.cards import (
    ACE,
    ALL_CARDS,
    BY_NAME,
    CARDS,
    CLUBS,
    EIGHT,
    JACK,
    KING,
    NAMES,
    NINE,
    QUEEN,
    RANKS,
    SEVEN,
    SUIT_LETTERS,
    SUITS,
    TEN,
    card,
    cards_in,
    of_rank,
    rank_of,
    suit_of,
)
from pokade.games.cells import A_SEAT, few, scale, some
from pokade.games.errors import Misread
from pokade.games.game import Event, Game, Option, Said, Words, number_in, one_of
from pokade.games.state import (
    CHANCE,
    NOBODY,
    NOTHING,
    UNKNOWN,
    WATCHER,
    Seats,
    State,
    hidden,
    how_many,
    lowest,
    next_step,
    nth,
    own,
    public,
    rule,
    tell,
    tell_to,
)

SEATS: Final = Seats(8)
PLATES: Final = 8
ACE_PLATE, KING_PLATE, QUEEN_PLATE, JACK_PLATE, TEN_PLATE, SEQUENCE, MARRIAGE, POCHER = range(8)
PLATE_CARDS: Final = (  # what takes each plate but the pocher (§3.1), as sets of cards, if clubs are trumps
    *(1 << card(rank, CLUBS) for rank in (ACE, KING, QUEEN, JACK, TEN)),
    sum(1 << card(rank, CLUBS) for rank in (SEVEN, EIGHT, NINE)),
    sum(1 << card(rank, CLUBS) for rank in (QUEEN, KING)),
)
ALL_SUITS: Final = 15
PASS, HOLD, BID = 0, 1, 1  # a bid of n is the choice BID + n
BIDDERS, EVERYONE_SHOWS = 0, 1  # option showdown
NOT_BEST, NO_SET = 0, 1  # option bluff
BLUFF_COSTS: Final = 2  # banks that a beaten highest bidder pays
CARD_COSTS: Final = 1  # counters for each card left

BEGINNING, DEALING, BIDDING, STARTING, NAMING, OVER = 0, 1, 2, 3, 4, 5  # phases

(
    DEALER,
    DEALT,
    TRUMPS,
    ANTES,
    COLLECTED,
    PASSED,
    HELD,
    RAISED,
    NOBODY_BID,
    UNSEEN,
    SHOWED,
    PAID_DOUBLE,
    TOOK_BANK,
    STARTED,
    NAMED,
    LAST_SUIT,
    PLAYED,
    OUT,
    PAID,
    ENDED_BROKE,
    WON,
    DRAWN,
) = range(22)
EVENTS: Final = (
    Event("dealer", who="seat"),
    Event("dealt", who="seat", what="rank", more="suit"),
    Event("trumps", who="seat", more="suit", look=0.5),
    Event("antes", what="number", look=0.35),
    Event("collected", who="seat", what="plate", more="number", look=0.15),
    Event("passed", who="seat"),
    Event("held", who="seat", what="number"),
    Event("raised", who="seat", what="number"),
    Event("nobody_bid", who="seat", look=2.0),
    Event("unseen", who="seat", look=2.0),
    Event("showed", who="seat", what="set", more="rank", look=0.8),
    Event("paid_double", who="seat", what="number", more="seat"),
    Event("took_bank", who="seat", what="number", more="number", look=2.0),
    Event("started", who="seat", what="direction"),
    Event("named", who="seat", more="suit"),
    Event("last_suit", more="suit"),
    Event("played", who="seat", what="rank", more="suit", look=0.25),
    Event("out", who="seat", look=1.5),
    Event("paid", who="seat", what="number", more="seat", look=0.3),
    Event("ended_broke", who="seats"),
    Event("won", who="seats", what="number"),
    Event("drawn", who="seats", what="number"),
)
ENDINGS: Final = ("on", "deals", "broke")
DEALS_DONE, BROKE = 1, 2


@dataclass(slots=True)
class PochState(State):
    """A table of Poch."""

    stack: int = public()
    deals: int = public()
    max_bid: int = public()
    showdown: int = public()
    bluff: int = public()
    dealer: int = public(start=NOTHING)  # the dealer's seat
    counters: list[int] = public(SEATS)  # counters that each seat holds
    plates: list[int] = public(PLATES)  # counters on each plate
    bank: int = public()  # counters that were bid in this deal
    undealt: int = hidden(start=ALL_CARDS)  # set of the cards that are not dealt yet
    dealing_to: int = public()  # the seat that is dealt to now
    n_dealt: int = public()  # cards that this seat has got so far
    hand: list[int] = own(SEATS)  # set of the cards in each hand: bit rank × 4 + suit
    hand_size: list[int] = public(SEATS)  # how many cards each hand has
    last_card: list[int] = own(SEATS, start=NOTHING)  # the dealer's card that made trumps, rank × 4 + suit, or NOTHING
    trumps: int = public(start=NOTHING)  # the suit of trumps
    seen: list[int] = public(SEATS)  # set of the cards of each dealt hand that all have seen by now
    acting: int = public()  # the seat whose turn it is
    said: list[int] = public(SEATS, start=NOTHING)  # each seat's bid in this deal, coded like a choice; NOTHING before
    paid: list[int] = public(SEATS)  # counters that each seat has put into the bank in this deal
    bid: int = public()  # the highest bid so far; 0 before the first
    bidder: int = public(start=NOTHING)  # the seat that bid it
    winner: int = public(start=NOTHING)  # the seat that won the bidding
    direction: int = public()  # 1 up from the sevens, −1 down from the aces; 0 before
    suits_left: int = public(start=ALL_SUITS)  # bit set of the suits that are not played out yet
    played_by: list[int] = public(CARDS, start=NOTHING)  # the seat that played each card, by rank × 4 + suit


@rule
def begin(state: PochState) -> None:
    """§1.1: everybody starts with the same number of counters."""
    for seat in range(state.n_seats):
        state.counters[seat] = state.stack
    state.round = 1


@rule
def turn(state: PochState) -> int:
    """§1.3: cards come by chance; everything else is one seat's to decide."""
    if state.phase in (BIDDING, STARTING, NAMING):
        return 1 << state.acting
    return NOBODY if state.phase == OVER else CHANCE


@rule
def tickets(state: PochState) -> int:
    """§1.2: any seat may deal first; any card not dealt yet may come next."""
    return how_many(state.undealt) if state.phase == DEALING else state.n_seats


@rule
def outcome_at(state: PochState, ticket: int) -> int:
    """The seat, or the undealt card with that number."""
    if state.phase == BEGINNING:
        return ticket
    return nth(state.undealt, ticket)


@rule
def weight(state: PochState, outcome: int) -> int:
    """A card comes once in a deal."""
    if state.phase == BEGINNING:
        return 1 if 0 <= outcome < state.n_seats else 0
    return state.undealt >> outcome & 1 if 0 <= outcome < CARDS else 0


@rule
def together(state: PochState) -> int:
    """A hand comes in one go."""
    return hand_of(state, state.dealing_to) - state.n_dealt if state.phase == DEALING else 1


@rule
def hand_of(state: PochState, seat: int) -> int:
    """§2.2: how many cards a seat gets; the first from the dealer's left get what is over."""
    place = (seat - state.dealer - 1) % state.n_seats
    return CARDS // state.n_seats + (1 if place < CARDS % state.n_seats else 0)


@rule
def happen(state: PochState, outcome: int) -> None:
    """§1.2: somebody deals first; §2.2: a card is dealt."""
    next_step(state)
    if state.phase == BEGINNING:
        state.dealer = outcome
        state.phase = DEALING
        tell(state, DEALER, outcome, 0, 0)
    else:
        deal(state, outcome)


@rule
def deal(state: PochState, dealt: int) -> None:
    """§2.2: a card for the seat whose hand is dealt, its eyes only (§2.4); the dealer's last makes trumps (§2.3)."""
    if state.undealt == ALL_CARDS:
        clear_table(state)
    seat = state.dealing_to
    state.undealt ^= 1 << dealt
    state.hand[seat] |= 1 << dealt
    state.n_dealt += 1
    tell_to(state, seat, DEALT, seat, rank_of(dealt), suit_of(dealt))
    if state.n_dealt == hand_of(state, seat):
        state.hand_size[seat] = state.n_dealt
        if seat == state.dealer:
            state.last_card[seat] = dealt
        state.n_dealt = 0
        state.dealing_to += 1
        if state.dealing_to == state.n_seats:
            open_deal(state)


@rule
def clear_table(state: PochState) -> None:
    """§6.1: what was shown and said in the last deal makes room."""
    for seat in range(state.n_seats):
        state.hand_size[seat] = 0
        state.seen[seat] = 0
        state.said[seat] = NOTHING
        state.paid[seat] = 0
    for place in range(CARDS):
        state.played_by[place] = NOTHING
    state.trumps = NOTHING
    state.bid = 0
    state.bidder = NOTHING
    state.winner = NOTHING
    state.direction = 0
    state.suits_left = ALL_SUITS


@rule
def open_deal(state: PochState) -> None:
    """§2.3: trumps are announced; §2.1: antes; §3.1: collecting; §4.1: the bidding starts at the dealer's left."""
    state.trumps = suit_of(state.last_card[state.dealer])
    tell(state, TRUMPS, state.dealer, 0, state.trumps)
    for seat in range(state.n_seats):
        state.counters[seat] -= PLATES
    for plate in range(PLATES):
        state.plates[plate] += state.n_seats
    tell(state, ANTES, NOTHING, PLATES, 0)
    for plate in range(POCHER):
        collect(state, plate)
    state.acting = left_of(state, state.dealer)
    state.phase = BIDDING


@rule
def left_of(state: PochState, seat: int) -> int:
    """The next seat clockwise."""
    return seat + 1 if seat + 1 < state.n_seats else 0


@rule
def plate_cards(state: PochState, plate: int) -> int:
    """§3.1: the trump cards that take a plate, as a set."""
    return PLATE_CARDS[plate] << state.trumps


@rule
def collect(state: PochState, plate: int) -> None:
    """§3.1: the holder of all the cards of a plate takes its counters and shows them (§3.3), else it stays (§3.2)."""
    needed = plate_cards(state, plate)
    for seat in range(state.n_seats):
        if state.hand[seat] & needed == needed:
            state.seen[seat] |= needed
            state.counters[seat] += state.plates[plate]
            tell(state, COLLECTED, seat, plate, state.plates[plate])
            state.plates[plate] = 0
            return


@rule
def lowest_bid(state: PochState) -> int:
    """§4.2: an opening is at least 1, and a raise is at least one more than the bid."""
    return state.bid + 1


@rule
def highest_bid(state: PochState, seat: int) -> int:
    """§4.2: nobody bids more than they hold, or than the table allows."""
    return min(state.counters[seat], state.max_bid)


@rule
def can_hold(state: PochState, seat: int) -> bool:
    """§4.3: to hold costs the bid so far."""
    return 0 < state.bid <= state.counters[seat]


@rule
def n_choices(state: PochState, seat: int) -> int:
    """§4.1: pass, hold, each higher bid; §5.1: the cards to start with; §5.4: the suits left."""
    if state.phase == BIDDING:
        bids = max(0, highest_bid(state, seat) - state.bid)
        return 1 + (1 if can_hold(state, seat) else 0) + bids
    if state.phase == STARTING:
        return how_many(starting_cards(state, seat))
    return how_many(state.suits_left)


@rule
def choice_at(state: PochState, seat: int, index: int) -> int:
    """The choices in order: 0 pass, 1 hold, n + 1 a bid of n; or the cards; or the suits."""
    if state.phase == BIDDING:
        if index == PASS:
            return PASS
        if can_hold(state, seat):
            return HOLD if index == 1 else BID + state.bid + index - 1
        return BID + state.bid + index
    return nth(starting_cards(state, seat) if state.phase == STARTING else state.suits_left, index)


@rule
def is_legal(state: PochState, seat: int, choice: int) -> bool:
    """§4.1 to §4.3: what a seat may say; §5.1: what it may start with; §5.4: what it may name."""
    if choice < 0:
        return False
    if state.phase == BIDDING:
        if choice == PASS:
            return True
        if choice == HOLD:
            return can_hold(state, seat)
        return lowest_bid(state) <= choice - BID <= highest_bid(state, seat)
    if state.phase == STARTING:
        return choice < CARDS and starting_cards(state, seat) >> choice & 1 == 1
    return choice < SUITS and state.suits_left >> choice & 1 == 1


@rule
def starting_cards(state: PochState, seat: int) -> int:
    """§5.1: a seat starts with a 7 or an ace."""
    return state.hand[seat] & (15 << card(SEVEN, 0) | 15 << card(ACE, 0))


@rule
def choose(state: PochState, seat: int, choice: int) -> None:
    """A bid, a card to start with, or a suit."""
    next_step(state)
    if state.phase == BIDDING:
        speak(state, seat, choice)
    elif state.phase == STARTING:
        state.direction = 1 if rank_of(choice) == SEVEN else -1
        tell(state, STARTED, seat, 0 if state.direction == 1 else 1, 0)
        play_out(state, suit_of(choice))
    else:
        tell(state, NAMED, seat, 0, choice)
        play_out(state, choice)


@rule
def speak(state: PochState, seat: int, choice: int) -> None:
    """§4.1: pass, hold or raise, once each, from the dealer's left to the dealer; every bid goes into the bank."""
    state.said[seat] = choice
    if choice == PASS:
        tell(state, PASSED, seat, 0, 0)
    elif choice == HOLD:
        pay_bank(state, seat, state.bid)
        tell(state, HELD, seat, state.bid, 0)
    else:
        state.bid = choice - BID
        state.bidder = seat
        pay_bank(state, seat, state.bid)
        tell(state, RAISED, seat, state.bid, 0)
    if seat == state.dealer:
        settle_bidding(state)
    else:
        state.acting = left_of(state, seat)


@rule
def pay_bank(state: PochState, seat: int, amount: int) -> None:
    """§4.1: a bid lies in the bank."""
    state.counters[seat] -= amount
    state.bank += amount
    state.paid[seat] = amount


@rule
def settle_bidding(state: PochState) -> None:
    """§4.4 to §4.11: the winner takes the bank, and with it the lead; a sole bidder shows nothing (§4.11)."""
    if state.bidder == NOTHING:
        # §4.8: with no bid at all the plate stays, and the lead is with the first from the dealer's left.
        state.winner = left_of(state, state.dealer)
        tell(state, NOBODY_BID, state.winner, 0, 0)
    else:
        compared = compared_seats(state)
        if how_many(compared) == 1:
            state.winner = state.bidder
            tell(state, UNSEEN, state.bidder, 0, 0)
        else:
            state.winner = best_of(state, compared)
            pay_for_bluff(state)
        take_bank(state)
    find_starter(state)


@rule
def compared_seats(state: PochState) -> int:
    """§4.4: the seats that paid into the bank; everybody if the table says so (§4.5)."""
    seats = 0
    for seat in range(state.n_seats):
        if state.paid[seat] > 0 or state.showdown == EVERYONE_SHOWS:
            seats |= 1 << seat
    return seats


@rule
def best_rank(hand: int) -> int:
    """§4.6: the rank of a hand's best set: most cards first, then the higher rank."""
    best = SEVEN
    for rank in range(RANKS):
        if how_many(of_rank(hand, rank)) >= how_many(of_rank(hand, best)):
            best = rank
    return best


@rule
def set_value(state: PochState, hand: int) -> int:
    """§4.6: four, three, a pair, one card; then rank; then the trump card among equals."""
    rank = best_rank(hand)
    suits = of_rank(hand, rank)
    return how_many(suits) * 100 + rank * 10 + (suits >> state.trumps & 1)


@rule
def best_of(state: PochState, compared: int) -> int:
    """§4.6: the compared sets are shown; the best wins, among equals the first from the dealer's left (§4.7)."""
    best = NOTHING
    winner = NOTHING
    seat = state.dealer
    for _ in range(state.n_seats):
        seat = left_of(state, seat)
        if compared >> seat & 1:
            show_set(state, seat)
            value = set_value(state, state.hand[seat])
            if value > best:
                best = value
                winner = seat
    return winner


@rule
def show_set(state: PochState, seat: int) -> None:
    """§6.3: a compared hand shows its best set and nothing else."""
    rank = best_rank(state.hand[seat])
    suits = of_rank(state.hand[seat], rank)
    state.seen[seat] |= suits << card(rank, 0)
    tell(state, SHOWED, seat, how_many(suits), rank)


@rule
def pay_for_bluff(state: PochState) -> None:
    """§4.9: a highest bidder who is not the best pays the winner double the bank, as far as counters go (but §4.10)."""
    bidder = state.bidder
    has_set = how_many(of_rank(state.hand[bidder], best_rank(state.hand[bidder]))) > 1
    if bidder != state.winner and not (state.bluff == NO_SET and has_set):
        amount = min(BLUFF_COSTS * state.bank, state.counters[bidder])
        state.counters[bidder] -= amount
        state.counters[state.winner] += amount
        tell(state, PAID_DOUBLE, bidder, amount, state.winner)


@rule
def take_bank(state: PochState) -> None:
    """§4.4, §4.9: the winner takes the bank and the pocher plate."""
    state.counters[state.winner] += state.bank + state.plates[POCHER]
    tell(state, TOOK_BANK, state.winner, state.bank, state.plates[POCHER])
    state.bank = 0
    state.plates[POCHER] = 0


@rule
def find_starter(state: PochState) -> None:
    """§5.1: the winner of the bidding, or the next clockwise who has a 7 or an ace."""
    state.acting = state.winner
    while starting_cards(state, state.acting) == 0:
        state.acting = left_of(state, state.acting)
    state.phase = STARTING


@rule
def play_out(state: PochState, suit: int) -> None:
    """§5.2: the suit is played to its end by the holders of its cards; §5.4: then the next one is named."""
    while True:
        player = play_suit(state, suit)
        if state.hand_size[player] == 0:
            finish_deal(state, player)
            return
        state.suits_left ^= 1 << suit
        if how_many(state.suits_left) > 1:
            # §5.4: the player of the last card names the next suit.
            state.acting = player
            state.phase = NAMING
            return
        suit = lowest(state.suits_left)
        tell(state, LAST_SUIT, NOTHING, 0, suit)


@rule
def play_suit(state: PochState, suit: int) -> int:
    """§5.2, §5.3: a suit in the direction of this deal; the player of its last card. Stops at an empty hand (§5.5)."""
    player = NOTHING
    for step in range(RANKS):
        rank = step if state.direction == 1 else ACE - step
        played = card(rank, suit)
        player = holder(state, played)
        state.hand[player] ^= 1 << played
        state.hand_size[player] -= 1
        state.seen[player] |= 1 << played
        state.played_by[played] = player
        tell(state, PLAYED, player, rank, suit)
        if state.hand_size[player] == 0:
            return player
    return player


@rule
def holder(state: PochState, wanted: int) -> int:
    """§5.2: the seat that has a card."""
    seat = 0
    while not state.hand[seat] >> wanted & 1:
        seat += 1
    return seat


@rule
def finish_deal(state: PochState, first_out: int) -> None:
    """§5.5: everybody pays one counter for each card left; §6.1: the next deal, or the end."""
    tell(state, OUT, first_out, 0, 0)
    for seat in range(state.n_seats):
        amount = min(CARD_COSTS * state.hand_size[seat], state.counters[seat])
        if amount > 0:
            state.counters[seat] -= amount
            state.counters[first_out] += amount
            tell(state, PAID, seat, amount, first_out)
    put_hands_away(state)
    broke = who_is_broke(state)
    if state.round == state.deals or broke:
        finish_game(state, broke)
        return
    state.round += 1
    state.dealer = left_of(state, state.dealer)
    state.undealt = ALL_CARDS
    state.dealing_to = 0
    state.phase = DEALING


@rule
def put_hands_away(state: PochState) -> None:
    """§6.4: the cards left over are nobody's any more, and only their number stays known."""
    for seat in range(state.n_seats):
        state.hand[seat] = 0
        state.last_card[seat] = NOTHING


@rule
def who_is_broke(state: PochState) -> int:
    """§6.1: the seats that could not pay the eight antes of another deal."""
    broke = 0
    for seat in range(state.n_seats):
        if state.counters[seat] < PLATES:
            broke |= 1 << seat
    return broke


@rule
def finish_game(state: PochState, broke: int) -> None:
    """§6.2: the most counters win; a tie is a draw; what lies on the board is nobody's."""
    best = 0
    for seat in range(state.n_seats):
        best = max(best, state.counters[seat])
    for seat in range(state.n_seats):
        if state.counters[seat] == best:
            state.winners |= 1 << seat
    state.phase = OVER
    state.ending = DEALS_DONE if state.round == state.deals else BROKE
    if state.ending == BROKE:
        tell(state, ENDED_BROKE, broke, 0, 0)
    tell(state, WON if how_many(state.winners) == 1 else DRAWN, state.winners, best, 0)


@rule
def points(state: PochState, seat: int) -> int:
    """§6.2: the counters that a seat holds."""
    return state.counters[seat]


HOLDS: Final = {
    "round": scale(lambda state: state.deals),
    "dealer": A_SEAT,
    "counters": scale(lambda state: state.n_seats * state.stack),
    "plates": scale(lambda state: state.n_seats * state.deals),
    "bank": scale(lambda state: state.n_seats * state.max_bid),
    "dealing_to": A_SEAT,
    "n_dealt": scale(CARDS),
    "hand": some(CARDS),
    "hand_size": scale(CARDS),
    "last_card": few(CARDS),
    "trumps": few(SUITS),
    "seen": some(CARDS),
    "acting": A_SEAT,
    "said": scale(lambda state: BID + state.max_bid, least=NOTHING),
    "paid": scale(lambda state: state.max_bid),
    "bid": scale(lambda state: state.max_bid),
    "bidder": A_SEAT,
    "winner": A_SEAT,
    "direction": scale(1, least=-1),
    "suits_left": some(SUITS),
    "played_by": A_SEAT,
}


def actions(state: PochState) -> tuple[range, ...]:
    """§4.1: pass, hold and every bid; §5.1: then cards; §5.4: then suits."""
    cards = BID + state.max_bid + 1
    suits = cards + CARDS
    return range(0), range(0), range(cards), range(cards, suits), range(suits, suits + SUITS), range(0)


def _opened(view: PochState) -> dict[str, int]:
    order = [(view.dealer + 1 + step) % view.n_seats for step in range(view.n_seats)]
    bidders = [seat for seat in order if view.said[seat] > HOLD]
    return {"opener": bidders[0]} if bidders else {}


def facts(view: PochState, seat: int) -> dict[str, int]:
    """The opener (§4.2), your best set (§4.6), and at your turn what you may bid or must pay to hold (§4.2, §4.3)."""
    found = _opened(view)
    if seat == WATCHER or view.phase not in (BIDDING, STARTING, NAMING):
        return found
    rank = best_rank(view.hand[seat])
    found |= {"set_rank": rank, "set_size": how_many(of_rank(view.hand[seat], rank))}
    if view.phase == BIDDING and seat == view.acting:
        found |= {"lowest_bid": lowest_bid(view), "highest_bid": highest_bid(view, seat)}
        if can_hold(view, seat):
            found["hold_costs"] = view.bid
    return found


def asked(view: PochState, seat: int) -> Said:
    """§4.1 to §4.3: what to bid; §5.1: what to start with; §5.4: which suit to name."""
    if view.phase == BIDDING:
        return ("bid", {"bid": view.bid}) if view.bid else ("open", {})
    return ("start" if view.phase == STARTING else "name"), {}


def said(view: PochState, seat: int, choice: int) -> Said:
    """A choice is a bid, a card or a suit."""
    if view.phase == BIDDING:
        return _bid_said(view, choice)
    if view.phase == STARTING:
        return "start", {"rank": rank_of(choice), "suit": suit_of(choice), "way": 0 if rank_of(choice) == SEVEN else 1}
    return "name", {"suit": choice}


def _bid_said(view: PochState, choice: int) -> Said:
    if choice == PASS:
        return "pass", {}
    if choice == HOLD:
        return "hold", {"n": view.bid}
    return ("bid" if view.bid else "open"), {"n": choice - BID}


_SEAT_WORDS: Final = {f"p{seat + 1}": seat for seat in range(SEATS)}
_SUIT_WORDS: Final = {letter: suit for suit, letter in enumerate(SUIT_LETTERS)}
_LARGEST_NUMBER: Final = 5  # digits


def _read_chance(state: PochState, words: Sequence[str]) -> list[int]:
    if state.phase == BEGINNING:
        if len(words) != 2 or words[0] != "dealer" or words[1] not in _SEAT_WORDS:
            raise Misread("poch/dealer", "first comes d dealer and a seat")
        return [_SEAT_WORDS[words[1]]]
    if len(words) != 3 or words[0] != "deal" or _SEAT_WORDS.get(words[1]) != state.dealing_to:
        seat = f"p{state.dealing_to + 1}"
        raise Misread("poch/deal", f"now comes d deal {seat} and the hand in one word", seat=seat)
    hand = [BY_NAME.get(words[2][at : at + 2], NOTHING) for at in range(0, min(len(words[2]), 2 * CARDS + 1), 2)]
    if NOTHING in hand:
        raise Misread("poch/card", "a hand has a card that does not exist")
    return hand


def _write_chance(phase: int, dealt_to: int, view: PochState, outcomes: Sequence[int], full: bool) -> str:
    if phase == BEGINNING:
        return f"dealer p{outcomes[0] + 1}"
    hand = _full_hand(view, dealt_to, outcomes) if full else _seen_hand(view, dealt_to, outcomes)
    return f"deal p{dealt_to + 1} {hand}"


def _full_hand(state: PochState, seat: int, cards: Sequence[int]) -> str:
    last = state.last_card[seat]
    hand = sorted(cards, key=lambda dealt: (dealt == last, dealt))
    return "".join(NAMES[dealt] for dealt in hand)


def _seen_hand(view: PochState, seat: int, cards: Sequence[int]) -> str:
    # A seat has seen every card of its own hand, also when it is put away; of another hand what was shown.
    known = sorted(cards) if view.hand[seat] != UNKNOWN else cards_in(view.seen[seat])
    names = "".join(NAMES[dealt] for dealt in known)
    trumps = "/" + SUIT_LETTERS[view.trumps] if view.trumps != NOTHING and seat == _dealt_by(view) else ""
    return names + "?" * (len(cards) - len(names) // 2) + trumps


def _dealt_by(view: PochState) -> int:
    """The seat that dealt the hands that lie there. Between two deals the next dealer is named already (§6.1)."""
    return (view.dealer - 1) % view.n_seats if view.phase == DEALING else view.dealer


def _read_choice(state: PochState, seat: int, words: Sequence[str]) -> int:
    if state.phase == BIDDING:
        return _read_bid(words)
    if state.phase == STARTING:
        if len(words) != 2 or words[0] != "start" or words[1] not in BY_NAME:
            raise Misread("poch/start", "to start is written start and a 7 or an ace")
        return BY_NAME[words[1]]
    if len(words) != 2 or words[0] != "suit" or words[1] not in _SUIT_WORDS:
        raise Misread("poch/suit", "the next suit is written suit and c, d, h or s")
    return _SUIT_WORDS[words[1]]


def _read_bid(words: Sequence[str]) -> int:
    if list(words) == ["pass"]:
        return PASS
    if list(words) == ["hold"]:
        return HOLD
    if len(words) != 2 or words[0] != "bid" or not _is_number(words[1]):
        raise Misread("poch/bid", "a bid is written pass, hold, or bid and a number")
    return BID + int(words[1])


def _is_number(word: str) -> bool:
    return word.isascii() and word.isdigit() and word[0] != "0" and len(word) <= _LARGEST_NUMBER


def _write_choice(phase: int, view: PochState, choice: int) -> str:
    if phase == STARTING:
        return "start " + NAMES[choice]
    if phase == NAMING:
        return "suit " + SUIT_LETTERS[choice]
    return ("pass", "hold")[choice] if choice <= HOLD else f"bid {choice - BID}"


def _seen_choice(view: PochState, seat: int) -> int:
    return view.said[seat]


def _dealt_to(state: PochState) -> int:
    return state.dealing_to if state.phase == DEALING else NOTHING


GAME: Final = Game(
    name="poch",
    title="Poch",
    seats=range(2, 9),
    usual_seats=4,
    options=(
        number_in("stack", range(8, 10_001), 100),
        Option("deals", lambda _: range(1, 1001), lambda n_seats: n_seats),
        number_in("max_bid", range(1, 10_001), 10),
        one_of("showdown", "bidders", "everyone"),
        one_of("bluff", "not-best", "no-set"),
    ),
    events=EVENTS,
    endings=ENDINGS,
    state=PochState,
    begin=begin,
    turn=turn,
    tickets=tickets,
    outcome_at=outcome_at,
    weight=weight,
    together=together,
    happen=happen,
    n_choices=n_choices,
    choice_at=choice_at,
    is_legal=is_legal,
    choose=choose,
    points=points,
    facts=facts,
    asked=asked,
    said=said,
    words=Words(_read_chance, _write_chance, _read_choice, _write_choice, _seen_choice, _dealt_to),
    holds=HOLDS,
    actions=actions,
)
