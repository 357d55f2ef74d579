"""How the strong level plays Poch: it deals the unseen cards again and again, and plays each deal to its end.

The hands it deals agree with everything that has been seen, and count the more, the better they explain what their
owners have said. All choices are tried on the same hands. What counts in the end is the share of the win: the deals
that are left are played beforehand, by rules of thumb, and a deal's result is put before each of these futures.
"""

import math
from typing import Any, Final

from pokade.arena.draws import below, copy_cells, fraction
from pokade.games.cards import ALL_CARDS, CARDS, of_rank
from pokade.games.poch import (
    BID,
    BIDDING,
    DEALING,
    HOLD,
    OVER,
    PASS,
    PLATES,
    POCHER,
    SEATS,
    SEQUENCE,
    STARTING,
    best_rank,
    can_hold,
    choice_at,
    choose,
    compared_seats,
    happen,
    highest_bid,
    left_of,
    lowest_bid,
    n_choices,
    outcome_at,
    pay_bank,
    plate_cards,
    starting_cards,
    tickets,
)
from pokade.games.state import NOTHING, how_many, lowest, rule
from pokade.players import LUCK
from pokade.players.poch import casual

VIEW, DEALT, TRIED = 0, 1, 2  # records: what is seen, hands that may be, what becomes of them
RECORDS: Final = 3
OPTIONS: Final = 8  # choices that are tried: no more suits or cards than that, and a few bids
FUTURES: Final = 64
DEEP: Final = 8  # deals of a future that are played
LOOKED: Final = 6  # futures that a deal's result is put before
TRIES: Final = 40  # deals of the unseen cards until one agrees with what was shown
ASKED: Final = 3  # times that the rules of thumb are asked what they would have said
DOUBT: Final = 0.06  # rivals may play by other rules
RICH: Final = 100_000  # counters in the futures, so that nobody is broke there
SPREAD: Final = 0x1234567  # from one future to the next: other deals in every place
THRIFT: Final = 0.0005  # of the win for a counter, so that nothing is thrown away when all is lost or won
FREELY: Final = 3.0  # sizes of bids are mixed so much more, lest they tell the set
TEMPERATURE: Final = 0.004  # of the win: choices that differ by less are mixed
ITERATIONS: Final = 2500
CHUNK: Final = 100
SHINES: Final = (4,)

# The memory: what was found out …
WEIGHT: Final = 0
WORTH: Final = 1  # by option
CHANGE: Final = WORTH + OPTIONS  # by future, deal and seat: counters
HAVE: Final = CHANGE + FUTURES * DEEP * SEATS
FLOATS: Final = HAVE + SEATS
# … and what is being looked at.
READY: Final = 0
CHOICES: Final = 1  # how many are tried, and which
LUCKS: Final = CHOICES + 1 + OPTIONS  # by phase and seat
PLAYED: Final = LUCKS + 2 * SEATS  # by seat: the cards played
PACK: Final = PLAYED + SEATS
INTS: Final = PACK + CARDS
TABLE: Final = 1


@rule
def prepare(states: Any, flats: Any, table: Any) -> None:
    """Nothing is worked out beforehand: the futures depend on the table's options."""


@rule
def ponder(states: Any, flats: Any, seat: int, table: Any, floats: Any, ints: Any, rng: Any, iterations: int) -> None:
    """Deal, weigh, and try every choice on the same hands, with the same luck, before the same futures."""
    if ints[READY] == 0:
        ints[READY] = 1
        list_choices(states[VIEW], seat, ints)
        note_played(states[VIEW], ints)
        play_futures(states, flats, floats, ints, rng)
    for _ in range(iterations):
        deal_unseen(states, flats, seat, ints, rng)
        weight = believed(states, flats, seat, ints, rng)
        draw_lucks(ints, rng)
        future = below(rng, LUCK)
        floats[WEIGHT] += weight
        for option in range(ints[CHOICES]):
            worth = best_end(states, flats, seat, ints[CHOICES + 1 + option], floats, ints, future)
            floats[WORTH + option] += weight * worth


@rule
def settle(states: Any, flats: Any, seat: int, table: Any, floats: Any, ints: Any, rng: Any) -> int:
    """A choice among the good ones, the better the likelier."""
    best = 0
    for option in range(1, ints[CHOICES]):
        if floats[WORTH + option] > floats[WORTH + best]:
            best = option
    total = 0.0
    for option in range(ints[CHOICES]):
        total += liking(floats, ints, option, best, states[VIEW].phase)
    left = fraction(rng) * total
    for option in range(ints[CHOICES]):
        left -= liking(floats, ints, option, best, states[VIEW].phase)
        if left < 0.0:
            best = option
            break
    choice: int = ints[CHOICES + 1 + best]
    return choice


@rule
def liking(floats: Any, ints: Any, option: int, best: int, phase: int) -> float:
    """How often a choice is made, against the best one."""
    behind = (floats[WORTH + best] - floats[WORTH + option]) / max(1e-9, floats[WEIGHT])
    sizes = phase == BIDDING and min(ints[CHOICES + 1 + option], ints[CHOICES + 1 + best]) > HOLD
    return math.exp(-behind / (TEMPERATURE * FREELY if sizes else TEMPERATURE))


@rule
def list_choices(view: Any, seat: int, ints: Any) -> None:
    """Everything that may be started or named; or pass, hold, and bids between the lowest and the highest."""
    if view.phase != BIDDING:
        ints[CHOICES] = n_choices(view, seat)
        for index in range(ints[CHOICES]):
            ints[CHOICES + 1 + index] = choice_at(view, seat, index)
        return
    count = 0
    ints[CHOICES + 1] = PASS
    count += 1
    if can_hold(view, seat):
        ints[CHOICES + 1 + count] = HOLD
        count += 1
    room = highest_bid(view, seat) - lowest_bid(view)
    for step in range(5):
        # Small bids lie closer together: nine more than the lowest are tried as 0, 1, 2, 5, 9.
        bid = BID + lowest_bid(view) + room * step * step // 16
        if room >= 0 and (step == 0 or bid != ints[CHOICES + count]):
            ints[CHOICES + 1 + count] = bid
            count += 1
    ints[CHOICES] = count


@rule
def note_played(view: Any, ints: Any) -> None:
    """What each has played in this deal."""
    for place in range(CARDS):
        if view.played_by[place] != NOTHING:
            ints[PLAYED + view.played_by[place]] |= 1 << place


@rule
def play_futures(states: Any, flats: Any, floats: Any, ints: Any, rng: Any) -> None:
    """How the deals that are left may change everybody's counters, by rules of thumb."""
    state = states[TRIED]
    deals = min(DEEP, states[VIEW].deals - states[VIEW].round)
    for future in range(FUTURES if deals > 0 else 0):
        copy_cells(flats[VIEW], flats[TRIED])
        state.deals = state.round + DEEP
        next_deal(state)
        for deal in range(deals):
            for seat in range(state.n_seats):
                state.counters[seat] = RICH
            play_deal(state, ints, rng)
            for seat in range(state.n_seats):
                floats[CHANGE + (future * DEEP + deal) * SEATS + seat] = state.counters[seat] - RICH


@rule
def next_deal(state: Any) -> None:
    """The cards are gathered and the deal moves left."""
    state.bank = 0
    state.dealer = left_of(state, state.dealer)
    state.undealt = ALL_CARDS
    state.dealing_to = 0
    state.n_dealt = 0
    state.phase = DEALING


@rule
def is_played_out(state: Any) -> bool:
    """Is this deal over, or the game?"""
    return state.phase in (DEALING, OVER)


@rule
def play_deal(state: Any, ints: Any, rng: Any) -> None:
    """One deal by rules of thumb."""
    while state.phase == DEALING:
        happen(state, outcome_at(state, below(rng, tickets(state))))
    draw_lucks(ints, rng)
    play_on(state, NOTHING, NOTHING, 0, ints)


@rule
def draw_lucks(ints: Any, rng: Any) -> None:
    """What the rules of thumb mix with, for everybody."""
    for place in range(2 * SEATS):
        ints[LUCKS + place] = below(rng, LUCK)


@rule
def deal_unseen(states: Any, flats: Any, seat: int, ints: Any, rng: Any) -> None:
    """Hands that agree with what was shown; after many tries in vain, any that have the right sizes."""
    for _ in range(TRIES):
        deal_any(states, flats, seat, ints, rng)
        if agrees(states[DEALT], seat, ints, rng):
            return


@rule
def deal_any(states: Any, flats: Any, seat: int, ints: Any, rng: Any) -> None:
    """Everybody keeps what they have shown and not played, and gets the rest from the unseen cards."""
    copy_cells(flats[VIEW], flats[DEALT])
    state = states[DEALT]
    unseen = ALL_CARDS & ~state.hand[seat]
    for other in range(state.n_seats):
        unseen &= ~state.seen[other]
    count = 0
    while unseen:
        ints[PACK + count] = lowest(unseen)
        unseen &= unseen - 1
        count += 1
    state.undealt = 0
    for other in range(state.n_seats):
        if other != seat:
            state.last_card[other] = NOTHING
            state.hand[other] = state.seen[other] & ~ints[PLAYED + other]
            for _ in range(state.hand_size[other] - how_many(state.hand[other])):
                at = below(rng, count)
                count -= 1
                state.hand[other] |= 1 << ints[PACK + at]
                ints[PACK + at] = ints[PACK + count]


@rule
def agrees(state: Any, seat: int, ints: Any, rng: Any) -> bool:
    """No unshown sequence; trumps come from the dealer's last card; a compared hand has shown its best set."""
    compared = 0
    if state.phase != BIDDING and state.bidder != NOTHING:
        compared = compared_seats(state)
    if how_many(compared) < 2:
        compared = 0
    if not is_starter_next(state, seat):
        return False
    sequence = plate_cards(state, SEQUENCE)
    for other in range(state.n_seats):
        if other != seat:
            dealt = state.hand[other] | ints[PLAYED + other]
            if dealt & sequence == sequence and state.plates[SEQUENCE] > 0:
                return False
            # The more trumps the dealer has, the likelier the last card was one.
            if other == state.dealer and below(rng, 5) >= how_many(dealt & 0x11111111 << state.trumps):
                return False
            if compared >> other & 1:
                rank = best_rank(dealt)
                if of_rank(dealt, rank) & ~of_rank(state.seen[other], rank):
                    return False
    return True


@rule
def is_starter_next(state: Any, seat: int) -> bool:
    """Those from the winner of the bidding up to the one who starts have neither a 7 nor an ace."""
    other = state.winner
    while state.phase == STARTING and other != seat:
        if starting_cards(state, other):
            return False
        other = left_of(state, other)
    return True


@rule
def believed(states: Any, flats: Any, seat: int, ints: Any, rng: Any) -> float:
    """How likely the others would have said what they said, with these hands."""
    copy_cells(flats[DEALT], flats[TRIED])
    state = states[TRIED]
    for other in range(state.n_seats):
        state.hand[other] |= ints[PLAYED + other]
        state.counters[other] += state.paid[other] if state.phase == BIDDING else state.max_bid
        state.paid[other] = 0
    if state.plates[POCHER] == 0:
        state.plates[POCHER] = state.n_seats
    state.phase = BIDDING
    state.bank = 0
    state.bid = 0
    state.bidder = NOTHING
    weight = 1.0
    other = state.dealer
    for _ in range(state.n_seats):
        other = left_of(state, other)
        said = state.said[other]
        if said == NOTHING:
            break
        if other != seat:
            weight *= likelihood(state, other, said, rng)
        if said > HOLD:
            state.bid = said - BID
            state.bidder = other
        if said != PASS:
            pay_bank(state, other, state.bid)
    return weight


@rule
def likelihood(state: Any, other: int, said: int, rng: Any) -> float:
    """How likely the rules of thumb say that, or nearly that."""
    found = 0.0
    for _ in range(ASKED):
        would = casual(state, other, below(rng, LUCK))
        if would == said:
            found += 1.0
        elif would > HOLD and said > HOLD:
            found += 1.0 / (1 + abs(would - said))
    return DOUBT + (1.0 - DOUBT) * found / ASKED


@rule
def best_end(states: Any, flats: Any, seat: int, choice: int, floats: Any, ints: Any, future: int) -> float:
    """What a choice is worth on these hands, if one then names suits in the best order."""
    # While bidding there is no plan yet: too much is unknown.
    planner = NOTHING if states[VIEW].phase == BIDDING else seat
    best = -RICH * 1.0
    plan = 0
    plans = 1
    while plan < plans:
        copy_cells(flats[DEALT], flats[TRIED])
        plans = max(plans, play_on(states[TRIED], planner, choice, plan, ints))
        best = max(best, value(states[TRIED], seat, floats, future))
        plan += 1
    return best


@rule
def play_on(state: Any, seat: int, choice: int, plan: int, ints: Any) -> int:
    """On to the end of the deal: first a seat's choice, then its plan for naming suits, all else by rules of thumb.

    Returns how many plans there are, as far as was seen.
    """
    plans = 1
    while not is_played_out(state):
        who = state.acting
        now = choice
        choice = NOTHING
        if now == NOTHING and who == seat:
            count = n_choices(state, seat)
            now = choice_at(state, seat, plan // plans % count)
            plans *= count
        elif now == NOTHING:
            now = casual(state, who, ints[LUCKS + who + (SEATS if state.phase == BIDDING else 0)])
        choose(state, who, now)
    return plans


@rule
def value(state: Any, seat: int, floats: Any, future: int) -> float:
    """One's part of the win after this deal, as it comes out in some futures; and a little for counters at hand."""
    mean = 0.0
    for other in range(state.n_seats):
        mean += state.counters[other] / state.n_seats
    found: float = THRIFT * (state.counters[seat] - mean)
    if state.phase == OVER:
        return found + (1.0 / how_many(state.winners) if state.winners >> seat & 1 else 0.0)
    for number in range(LOOKED):
        found += share_in(state, seat, floats, future + number * SPREAD) / LOOKED
    return found


@rule
def share_in(state: Any, seat: int, floats: Any, future: int) -> float:
    """One's part of the win in a future put together from deals; it ends before a deal that somebody can't pay."""
    left = state.deals - state.round + 1
    deals = min(left, DEEP)
    scale = math.sqrt(left / deals)
    for other in range(state.n_seats):
        floats[HAVE + other] = state.counters[other]
    for deal in range(deals):
        row = CHANGE + ((future >> 3 * deal) % FUTURES * DEEP + deal) * SEATS
        broke = False
        for other in range(state.n_seats):
            floats[HAVE + other] += scale * floats[row + other]
            broke = broke or floats[HAVE + other] < PLATES
        if broke:
            break
    return part_of_win(state, seat, floats)


@rule
def part_of_win(state: Any, seat: int, floats: Any) -> float:
    """The win goes to the most counters, and is shared."""
    winners = 1
    for other in range(state.n_seats):
        if other != seat:
            if floats[HAVE + other] > floats[HAVE + seat]:
                return 0.0
            if floats[HAVE + other] == floats[HAVE + seat]:
                winners += 1
    return 1.0 / winners
