"""Poch: the hands that a seat could not know, dealt again as they may have been, given what was shown and said."""

from typing import Any, Final

import numpy as np

from pokade.arena.draws import below, copy_cells, fraction, start_stream
from pokade.arena.kernel import Ints, cell_of, compiled, record_type, visible
from pokade.games.cards import ALL_CARDS, CARDS, RANKS, SUITS, of_rank
from pokade.games.poch import (
    BID,
    BIDDING,
    GAME,
    HOLD,
    PASS,
    POCHER,
    SEQUENCE,
    STARTING,
    best_rank,
    compared_seats,
    left_of,
    pay_bank,
    plate_cards,
    starting_cards,
)
from pokade.games.state import NOTHING, how_many, nth, packed, rule
from pokade.players import LUCK
from pokade.players.poch import casual

WARMING: Final = 400  # exchanges of two cards before the first world …
BETWEEN: Final = 8  # … and between one world and the next
ASKED: Final = 3  # how often the rules of thumb are asked what they would have said
DOUBT: Final = 0.15  # nobody plays by rules of thumb alone
TRUMPS: Final = 0x11111111  # the cards of a suit, if it is the first


def redeal(view: Any, seat: int, worlds: Ints, seed: int) -> None:
    """Fill the hands of all worlds again, but for those of the seat, from the view alone."""
    states = np.zeros(3, record_type(GAME))
    flats = states.view(np.int64).reshape(3, -1)[:, : visible(GAME).shape[1]]
    flats[:2] = packed(view)[: flats.shape[1]]
    states["unheard"] = 1
    hands = np.zeros((len(worlds), view.n_seats), np.int64)
    compiled(deal_worlds, GAME)(states, flats, seat, np.uint64(seed), hands)
    at = cell_of(GAME, "hand")
    worlds[:, at : at + view.n_seats] = hands
    if view.dealer != seat:
        held = hands[:, view.dealer] | view.seen[view.dealer]
        worlds[:, cell_of(GAME, "last_card") + view.dealer] = _last_cards(held, view.trumps, seed)


def _last_cards(held: Ints, trumps: int, seed: int) -> Ints:
    """Any of the dealer's trumps may have come last (§2.3)."""
    ranks = np.random.default_rng(seed).permuted(np.tile(np.arange(RANKS), (len(held), 1)), axis=1)
    is_held = held[:, None] >> ranks * SUITS + trumps & 1
    last: Ints = ranks[np.arange(len(held)), is_held.argmax(1)] * SUITS + trumps
    return last


def deal_worlds(states: Any, flats: Any, seat: int, seed: Any, hands: Any) -> None:
    """A walk from deal to deal (Metropolis): two cards change hands if what was shown and said stays as likely.

    `states[0]` is the view, `states[1]` the deal, and `states[2]` is for asking what would have been said.
    """
    rng = np.zeros(1, np.uint64)
    start_stream(rng, seed, 0)
    deal = states[1]
    _deal(states[0], deal, seat, rng)
    wrong, belief = _wrong(deal, seat), _belief(states, flats, seat, rng)
    for world in range(len(hands)):
        for _ in range(WARMING if world == 0 else BETWEEN):
            one, other = _two_hands(deal, seat, rng)
            first, second = _loose_card(deal, one, rng), _loose_card(deal, other, rng)
            if one == other or first == 0 or second == 0:
                continue
            _exchange(deal, one, other, first | second)
            now_wrong = _wrong(deal, seat)
            now_belief = _belief(states, flats, seat, rng) if now_wrong == 0 else 1.0
            if now_wrong < wrong or (now_wrong == wrong and fraction(rng) * belief < now_belief):
                wrong, belief = now_wrong, now_belief
            else:
                _exchange(deal, one, other, first | second)
        for holder in range(deal.n_seats):
            hands[world, holder] = deal.hand[holder]


@rule
def _deal(view: Any, deal: Any, seat: int, rng: Any) -> None:
    """Everybody keeps what they have shown and not played, and gets the rest from the unseen cards."""
    unseen = ALL_CARDS & ~view.hand[seat]
    for other in range(view.n_seats):
        unseen &= ~(view.seen[other] | _played(view, other))
    for other in range(view.n_seats):
        if other != seat:
            deal.hand[other] = view.seen[other] & ~_played(view, other)
            for _ in range(view.hand_size[other] - how_many(deal.hand[other])):
                dealt = 1 << nth(unseen, below(rng, how_many(unseen)))
                deal.hand[other] |= dealt
                unseen ^= dealt


@rule
def _two_hands(deal: Any, seat: int, rng: Any) -> tuple[int, int]:
    """Two of the others, perhaps the same one twice."""
    one, other = below(rng, deal.n_seats - 1), below(rng, deal.n_seats - 1)
    return one + (1 if one >= seat else 0), other + (1 if other >= seat else 0)


@rule
def _loose_card(deal: Any, holder: int, rng: Any) -> int:
    """A card that nobody else has seen in this hand, as a set; empty if there is none."""
    loose = deal.hand[holder] & ~deal.seen[holder]
    return 1 << nth(loose, below(rng, how_many(loose))) if loose else 0


@rule
def _exchange(deal: Any, one: int, other: int, cards: int) -> None:
    """Both cards change hands; done twice, nothing has changed."""
    deal.hand[one] ^= cards
    deal.hand[other] ^= cards


@rule
def _played(view: Any, seat: int) -> int:
    """The cards that a seat has played in this deal, as a set."""
    cards = 0
    for place in range(CARDS):
        if view.played_by[place] == seat:
            cards |= 1 << place
    return cards


@rule
def _wrong(deal: Any, seat: int) -> int:
    """How much of what was shown these hands contradict."""
    compared = 0
    if deal.phase != BIDDING and deal.bidder != NOTHING and how_many(compared_seats(deal)) > 1:
        compared = compared_seats(deal)
    wrong = _wrong_starters(deal, seat)
    sequence = plate_cards(deal, SEQUENCE)
    for other in range(deal.n_seats):
        if other == seat:
            continue
        dealt = deal.hand[other] | _played(deal, other)
        rank = best_rank(dealt)
        wrong += 1 if dealt & sequence == sequence and deal.seen[other] & sequence != sequence else 0
        wrong += 1 if other == deal.dealer and dealt & TRUMPS << deal.trumps == 0 else 0
        wrong += 1 if compared >> other & 1 and of_rank(dealt, rank) & ~of_rank(deal.seen[other], rank) else 0
    return wrong


@rule
def _wrong_starters(deal: Any, seat: int) -> int:
    """Of those from the winner of the bidding to the seat that starts, how many have a 7 or an ace?"""
    wrong = 0
    other = deal.winner
    while deal.phase == STARTING and other != seat:
        wrong += 1 if starting_cards(deal, other) else 0
        other = left_of(deal, other)
    return wrong


@rule
def _belief(states: Any, flats: Any, seat: int, rng: Any) -> float:
    """How likely the others would have said what they said, and the dealer's last card was a trump, with such hands."""
    copy_cells(flats[1], flats[2])
    trial = states[2]
    _back_to_bidding(trial)
    belief = 1.0
    if seat != trial.dealer:
        belief = float(how_many(trial.hand[trial.dealer] & TRUMPS << trial.trumps))
    other = trial.dealer
    for _ in range(trial.n_seats):
        other = left_of(trial, other)
        said = trial.said[other]
        if said == NOTHING:
            break
        if other != seat:
            belief *= _likely(trial, other, said, rng)
        if said > HOLD:
            trial.bid = said - BID
            trial.bidder = other
        if said != PASS:
            pay_bank(trial, other, trial.bid)
    return belief


@rule
def _back_to_bidding(trial: Any) -> None:
    """As it was before anybody spoke, as near as the table shows."""
    for other in range(trial.n_seats):
        trial.hand[other] |= _played(trial, other)
        trial.counters[other] += trial.paid[other] if trial.phase == BIDDING else trial.max_bid
        trial.paid[other] = 0
    trial.plates[POCHER] = max(trial.plates[POCHER], trial.n_seats)
    trial.phase = BIDDING
    trial.bank = 0
    trial.bid = 0
    trial.bidder = NOTHING


@rule
def _likely(trial: Any, other: int, said: int, rng: Any) -> float:
    """How often the rules of thumb say that, or nearly that."""
    found = 0.0
    for _ in range(ASKED):
        would = casual(trial, other, below(rng, LUCK))
        if would == said:
            found += 1.0
        elif would > HOLD and said > HOLD:
            found += 1.0 / (1 + abs(would - said))
    return DOUBT + (1.0 - DOUBT) * found / ASKED
