"""Poch, one rule a test. § marks: docs/rules/poch.md."""

import random
import re
from collections import Counter
from collections.abc import Collection, Iterator
from fractions import Fraction
from pathlib import Path

import pytest

from pokade import records
from pokade.chance import Seeded, advance
from pokade.games.cards import ALL_CARDS, BY_NAME, CARDS, CLUBS, DIAMONDS, HEARTS, NAMES, SPADES, card, cards_in
from pokade.games.errors import BadOption, BadRecord, BadSeats
from pokade.games.play import Play
from pokade.games.poch import (
    ACE_PLATE,
    BEGINNING,
    BID,
    BIDDING,
    DEALING,
    DEALT,
    GAME,
    HOLD,
    JACK_PLATE,
    KING_PLATE,
    MARRIAGE,
    NAMING,
    OVER,
    PASS,
    POCHER,
    QUEEN_PLATE,
    SEQUENCE,
    STARTING,
    TEN_PLATE,
    PochState,
)
from pokade.games.state import CHANCE, NOBODY, NOTHING, UNKNOWN, WATCHER, WIDTH, copied, packed
from tests.games.doors import heard, refused

RULEBOOK = Path(__file__).parents[2] / "docs" / "rules" / "poch.md"
PLAYERS = ("Ada", "Ben", "Cleo", "Dora", "Emil", "Fay", "Gus", "Hanna")

# Hearts are trumps. Three kings; the marriage and two queens; the sequence and two 7s; three aces.
FOUR = "7c8d9sTcJdKcKdKs 7d8c9cTsJcQdQhKh 7h7s8h9hTdJhQsAh 8s9dJsQcAcAdAsTh"
# Spades are trumps, and nobody has a pair. The first four have the aces, the last four the 7s.
EIGHT = "AcKdQhJs AdKhQsJc AhKsQcJd AsKcQdJh Tc9d8h7s Td9h8s7c Th9s8c7d 7h8d9cTs"
# The same, but the first has neither a 7 nor an ace.
NO_START = "TcKdQhJs AdKhQsJc AhKsQcJd AsKcQdJh Ac9d8h7s Td9h8s7c Th9s8c7d 7h8d9cTs"
# Clubs are trumps; everybody has one suit.
SUITS_APART = "7d8d9dTdJdQdKdAd 7h8h9hThJhQhKhAh 7s8s9sTsJsQsKsAs 8c9cTcJcQcKcAc7c"


def named(hand: str) -> list[int]:
    """The cards of a hand in one word."""
    return [BY_NAME[hand[at : at + 2]] for at in range(0, len(hand), 2)]


def as_set(hand: str) -> int:
    return sum(1 << dealt for dealt in named(hand))


def names(cards: int) -> str:
    return "".join(NAMES[dealt] for dealt in cards_in(cards))


def filled(hands: str, last: str, seats: int = 4) -> str:
    """The first hands as given and the rest of the cards for the others, the last seat's last card being `last`."""
    given = hands.split()
    left = [NAMES[dealt] for dealt in range(CARDS) if NAMES[dealt] not in hands and NAMES[dealt] != last] + [last]
    size = CARDS // seats
    others = ["".join(left[at : at + size]) for at in range(0, len(left), size)]
    return " ".join([*given, *others])


def deal(play: Play, hands: str) -> None:
    """These hands come, in seat order and as they are written: the last card of the dealer's makes trumps."""
    for hand in hands.split():
        for dealt in named(hand):
            play.happen(dealt)


def dealt(hands: str = FOUR, dealer: int | None = None, **options: object) -> Play:
    """A game whose first deal is out; the last seat deals unless another is named."""
    play = Play(GAME, len(hands.split()), options)
    play.happen(play.n_seats - 1 if dealer is None else dealer)
    deal(play, hands)
    return play


def say(play: Play, words: str) -> None:
    """What the players say, one after the other: "4 hold pass 5"."""
    for word in words.split():
        play.choose(play.state.acting, BID + int(word) if word.isdigit() else {"pass": PASS, "hold": HOLD}[word])


def bid(words: str, hands: str = FOUR, **options: object) -> Play:
    """A game in which the bidding is over."""
    play = dealt(hands, **options)
    say(play, words)
    return play


def start(play: Play, first: str) -> None:
    play.choose(play.state.acting, BY_NAME[first])


def name_suit(play: Play, suit: int) -> None:
    play.choose(play.state.acting, suit)


def played_to_the_end(hands: str = FOUR, **options: object) -> Play:
    """The deal FOUR without a bid: clubs, diamonds, hearts, and in spades the second seat is out."""
    play = bid("pass pass pass pass", hands, **options)
    start(play, "7c")
    name_suit(play, DIAMONDS)
    name_suit(play, HEARTS)
    return play


def words_heard(play: Play) -> list[str]:
    return [name for name, *_ in heard(play)]


def cards_played(play: Play) -> str:
    """The seats and cards of the last step: "1:7c 2:8c"."""
    return " ".join(f"{who + 1}:{NAMES[card(rank, suit)]}" for name, who, rank, suit in heard(play) if name == "played")


def counters(play: Play) -> list[int]:
    return play.state.counters[: play.n_seats]


def random_plays(seed: int, n_seats: int, **options: object) -> Iterator[Play]:
    """A game played at random, after each of its steps."""
    rng, chance = random.Random(seed), Seeded(seed)
    play = Play(GAME, n_seats, options)
    while not play.is_over:
        yield play
        if not advance(play, chance):
            seat = play.state.acting
            play.choose(seat, rng.choice(play.view(seat).choices[:6]))
    yield play


# Twins, from the rules alone: §2.4, §6.3 and §6.4 say what everybody knows.

ANY_START = as_set("7c7d7h7sAcAdAhAs")
FEWER = (1, 2, 4, 8)  # all loose cards change places, then half of them, …


def twin(play: Play, viewer: int, person: bool, rng: random.Random) -> PochState:
    """A state that the viewer can't tell from this one."""
    return twin_for(play, {viewer}, person, rng)


def twin_for(play: Play, group: Collection[int], person: bool, rng: random.Random) -> PochState:
    """What no seat of a group can tell: the cards that none of them has seen are dealt again."""
    state = copied(play.state)
    hands = dealt_hands(state)
    again = hands
    loose = loose_cards(state, hands, group)
    for part in FEWER:
        candidate = dealt_anew(hands, loose, len(loose) // part, rng)
        if could_be_dealt(state, hands, candidate):
            again = candidate
            break
    played = sum(1 << place for place in range(CARDS) if state.played_by[place] != NOTHING)
    for seat in range(state.n_seats):
        state.hand[seat] = again[seat] & ~played
    if is_mid_deal(state):
        state.undealt = again[-1]
    choose_last_card(state, again, group, rng)
    tell_otherwise(state, again, group, rng)
    return state


def is_put_away(state: PochState) -> bool:
    """§6.4: is a deal over, and nothing left of it but what was shown and how many cards were left?"""
    return state.winner != NOTHING and not any(state.hand)


def is_mid_deal(state: PochState) -> bool:
    return state.phase == DEALING and state.undealt != ALL_CARDS


def dealt_by(state: PochState) -> int:
    """The dealer of the hands that lie there: between two deals the next dealer is known already (§6.1)."""
    is_between = state.phase == DEALING and state.undealt == ALL_CARDS
    return (state.dealer - 1) % state.n_seats if is_between else state.dealer


def dealt_hands(state: PochState) -> list[int]:
    """The hands as they were dealt, and behind them the cards that are still to come in this deal."""
    hands = [*state.hand[: state.n_seats], state.undealt if is_mid_deal(state) else 0]
    for place in range(CARDS):
        if state.played_by[place] != NOTHING:
            hands[state.played_by[place]] |= 1 << place
    return hands


def loose_cards(state: PochState, hands: list[int], group: Collection[int]) -> list[tuple[int, int]]:
    """Cards that a group has neither been dealt nor seen shown or played, each with the place where it is."""
    loose = []
    for place, hand in enumerate(hands):
        if place not in group:
            unseen = hand & ~state.seen[place] if place < state.n_seats else hand
            loose += [(dealt, place) for dealt in cards_in(unseen)]
    return loose


def dealt_anew(hands: list[int], loose: list[tuple[int, int]], count: int, rng: random.Random) -> list[int]:
    """Some of the loose cards change places with each other."""
    moving = rng.sample(loose, count)
    again = hands[:]
    for (dealt, place), (_, other) in zip(moving, rng.sample(moving, count), strict=True):
        again[place] ^= 1 << dealt
        again[other] ^= 1 << dealt
    return again


def could_be_dealt(state: PochState, hands: list[int], again: list[int]) -> bool:
    """Would these hands have led to everything that was told since they were dealt?"""
    if state.trumps == NOTHING:
        return True  # the deal is not out: nothing was told
    if not again[dealt_by(state)] & suit_cards(state.trumps):
        return False
    sequence = as_set("7c8c9c") << state.trumps
    for before, after in zip(hands, again, strict=True):
        if (before & sequence == sequence) != (after & sequence == sequence):  # §3.1: it would have been collected
            return False
    if state.winner == NOTHING:
        return True
    return could_be_compared(state, hands, again) and could_be_started(state, hands, again)


def suit_cards(suit: int) -> int:
    return as_set("7c8c9cTcJcQcKcAc") << suit


def could_be_compared(state: PochState, hands: list[int], again: list[int]) -> bool:
    """§4.6: the sets that were shown are the best of their hands."""
    compared = [seat for seat in range(state.n_seats) if state.paid[seat] or state.showdown]
    if state.bidder == NOTHING or len(compared) == 1:
        return True
    return all(best_set(hands[seat]) == best_set(again[seat]) for seat in compared)


def best_set(hand: int) -> tuple[int, int]:
    """§4.6: how many of a kind, and the rank."""
    return max(((hand >> 4 * rank & 15).bit_count(), rank) for rank in range(8))


def could_be_started(state: PochState, hands: list[int], again: list[int]) -> bool:
    """§5.1: a seat that was skipped has neither a 7 nor an ace, and the one that started has."""
    seat = state.winner
    while not hands[seat] & ANY_START:
        if again[seat] & ANY_START:
            return False
        seat = (seat + 1) % state.n_seats
    return again[seat] & ANY_START != 0


def choose_last_card(state: PochState, hands: list[int], group: Collection[int], rng: random.Random) -> None:
    """§2.3: only the dealer knows which card of the trump suit came last; before trumps are announced it may be any."""
    dealer = dealt_by(state)
    if dealer not in group and state.last_card[dealer] != NOTHING:
        suit = ALL_CARDS if state.trumps == NOTHING else suit_cards(state.trumps)
        state.last_card[dealer] = rng.choice(cards_in(hands[dealer] & suit))


def tell_otherwise(state: PochState, hands: list[int], group: Collection[int], rng: random.Random) -> None:
    """§2.4: a card that was just dealt to somebody else may have been another one of that hand."""
    for at in range(0, state.n_told * WIDTH, WIDTH):
        code, seat = state.told[at : at + 2]
        if code == DEALT and seat not in group:
            last = state.last_card[seat]
            dealt = rng.choice(cards_in(hands[seat])) if last == NOTHING else last
            state.told[at + 2 : at + 4] = divmod(dealt, 4)


def is_between_rounds(state: PochState) -> bool:
    """§6.1: the next deal has not begun, so nobody has a card of it."""
    return state.phase == BEGINNING or (state.phase == DEALING and state.undealt == ALL_CARDS)


def conserved(state: PochState) -> tuple[int, int]:
    """§1.1: counters move between players, plates and bank; the 32 cards are in hands, played, or still to come."""
    hands = dealt_hands(state)
    cards = sum(hand.bit_count() for hand in hands) or state.undealt.bit_count()
    cards += sum(state.hand_size) if is_put_away(state) else 0
    return sum(state.counters) + sum(state.plates) + state.bank, cards


IN_SIGHT = ("seen",)  # §6.3: which cards were shown; events tell only how many, and of which rank


def replayed_with(play: Play, state: PochState) -> Play:
    """The same game, but in the deal that lies there these hands come; once it is over, they are put away (§6.4)."""
    if is_put_away(play.state):
        return play.copy()
    hands = dealt_hands(state)[:-1]
    n_cards = sum(actor == CHANCE for actor, _ in play.steps) - 1
    before = 1 + max(n_cards - 1, 0) // CARDS * CARDS  # chance steps until this deal
    again = Play(GAME, play.n_seats, play.options)
    chances = 0
    choices = []
    for actor, value in play.steps:
        chances += actor == CHANCE
        if actor == CHANCE and chances <= before:
            again.happen(value)
        elif actor != CHANCE and chances <= before:
            again.choose(actor, value)
        elif actor != CHANCE:
            choices.append((actor, value))
    private = [state.told[at : at + 4] for at in range(0, state.n_told * WIDTH, WIDTH) if state.told[at] == DEALT]
    last = {seat: card(rank, suit) for _, seat, rank, suit in private if n_cards}
    last |= {seat: state.last_card[seat] for seat in range(play.n_seats) if state.last_card[seat] != NOTHING}
    for seat, hand in enumerate(hands):
        for dealt in sorted(cards_in(hand), key=lambda dealt: dealt == last.get(seat)):
            again.happen(dealt)
    for seat, choice in choices:
        again.choose(seat, choice)
    return again


# What you need


@pytest.mark.parametrize("n_seats", range(2, 9))
def test_two_to_eight_play(n_seats: int):  # poch §1.1
    assert Play(GAME, n_seats).n_seats == n_seats


@pytest.mark.parametrize("n_seats", [0, 1, 9, -2, True, 4.0, "4", None])
def test_any_other_number_of_players_is_refused(n_seats: object):  # poch §1.1
    with pytest.raises(BadSeats, match="Poch is played by 2 to 8") as refusal:
        GAME.new(n_seats)  # type: ignore[arg-type]

    assert refusal.value.code == "seats/number"


def test_everybody_begins_with_the_same_number_of_counters():  # poch §1.1
    assert Play(GAME, 3).points() == (100, 100, 100)
    assert Play(GAME, 2, {"stack": 8}).points() == (8, 8)


def test_there_are_32_cards():  # poch §1.1
    assert len(set(NAMES)) == CARDS == 32
    assert cards_in(ALL_CARDS) == list(range(32))
    assert NAMES[card(0, CLUBS)] + NAMES[card(3, DIAMONDS)] + NAMES[card(7, SPADES)] == "7cTdAs"


@pytest.mark.parametrize("n_seats", [2, 5, 8])
def test_any_seat_may_be_the_first_dealer(n_seats: int):  # poch §1.2
    play = Play(GAME, n_seats)

    assert play.chances() == dict.fromkeys(range(n_seats), 1)
    play.happen(1)
    assert play.state.dealer == 1
    assert heard(play) == [("dealer", 1, 0, 0)]


def test_every_card_that_is_not_dealt_yet_may_come_next_and_is_as_likely_as_any_other():  # poch §1.3
    play = Play(GAME, 4)
    play.happen(0)
    assert play.chances() == dict.fromkeys(range(32), 1)

    play.happen(BY_NAME["9h"])

    assert play.chances() == {dealt: 1 for dealt in range(32) if NAMES[dealt] != "9h"}


def test_the_weights_of_a_whole_deal_are_those_of_dealing_without_putting_back():  # poch §1.3
    play = Play(GAME, 4)
    play.happen(3)
    probability = Fraction(1)
    for hand in FOUR.split():
        for dealt in named(hand):
            weights = play.chances()
            probability *= Fraction(weights[dealt], sum(weights.values()))
            play.happen(dealt)

    ways = 1
    for factor in range(1, 33):
        ways *= factor
    assert probability == Fraction(1, ways)


def test_one_seat_decides_at_a_time():  # poch §1.3
    play = dealt()
    turns = [play.turn]
    for word in ("pass", "2", "hold", "pass"):
        say(play, word)
        turns.append(play.turn)

    assert turns == [0b0001, 0b0010, 0b0100, 0b1000, 0b0010]


# The deal


def test_everybody_puts_one_counter_on_each_plate():  # poch §2.1
    play = dealt(SUITS_APART)

    assert [event for event in heard(play) if event[0] == "antes"] == [("antes", NOTHING, 8, 0)]
    assert counters(play)[:3] == [92, 92, 92]
    assert play.state.plates[POCHER] == 4


def test_antes_are_paid_when_the_whole_deal_is_out():  # poch §2.1
    play = Play(GAME, 4)
    play.happen(3)
    deal(play, FOUR[:-2])
    assert (play.turn, counters(play), play.state.plates) == (CHANCE, [100] * 4, [0] * 8)

    deal(play, "Th")

    assert sum(counters(play)) + sum(play.state.plates) == 400
    assert play.state.phase == BIDDING


@pytest.mark.parametrize(
    ("n_seats", "dealer", "sizes"),
    [
        (2, 0, [16, 16]),
        (3, 2, [11, 11, 10]),
        (3, 0, [10, 11, 11]),
        (4, 1, [8, 8, 8, 8]),
        (5, 4, [7, 7, 6, 6, 6]),
        (5, 2, [6, 6, 6, 7, 7]),
        (6, 5, [6, 6, 5, 5, 5, 5]),
        (7, 6, [5, 5, 5, 5, 4, 4, 4]),
        (8, 3, [4] * 8),
    ],
)
def test_all_cards_are_dealt_and_the_first_from_the_dealers_left_get_what_is_over(n_seats, dealer, sizes):  # poch §2.2
    play = Play(GAME, n_seats)
    play.happen(dealer)
    together = []
    for seat, size in enumerate(sizes):
        together.append(GAME.together(play.state))
        first = sum(sizes[:seat])
        for dealt in range(first, first + size):
            play.happen(dealt)

    assert together == play.state.hand_size[:n_seats] == sizes
    assert play.state.undealt == 0


def test_the_suit_of_the_dealers_last_card_is_trumps():  # poch §2.3
    play = dealt(FOUR)

    assert play.state.trumps == HEARTS
    assert ("trumps", 3, 0, HEARTS) in heard(play)


def test_trumps_wait_until_the_deal_is_out_even_if_the_dealer_has_all_cards_before():  # poch §2.3
    play = Play(GAME, 4)
    play.happen(0)
    deal(play, " ".join(FOUR.split()[:3]))
    assert play.state.trumps == NOTHING

    deal(play, FOUR.split()[3])

    assert play.state.trumps == SPADES  # the first seat's Ks


def test_the_card_that_makes_trumps_is_known_to_the_dealer_only():  # poch §2.3
    play = dealt(FOUR)

    assert play.view(3).state.last_card[3] == BY_NAME["Th"]
    for viewer in (0, 1, 2, WATCHER):
        assert play.view(viewer).state.last_card[3] == UNKNOWN


def test_everybody_sees_their_own_hand_only():  # poch §2.4
    play = dealt(FOUR)

    for viewer in (0, 2, WATCHER):
        hands = play.view(viewer).state.hand[:4]
        assert hands == [play.state.hand[seat] if seat == viewer else UNKNOWN for seat in range(4)]
    assert play.view(0).state.undealt == UNKNOWN


def test_a_dealt_card_is_told_to_its_owner_only():  # poch §2.4
    play = Play(GAME, 4)
    play.happen(3)

    play.happen(BY_NAME["7c"])

    assert [(event.event.name, event.who, event.what, event.more) for event in play.view(0).told] == [
        ("dealt", 0, 0, 0)
    ]
    for viewer in (1, 2, 3, WATCHER):
        assert play.view(viewer).told == []


def test_with_the_last_card_the_others_are_told_of_trumps_antes_and_plates_only():  # poch §2.4
    play = dealt(FOUR)

    assert [event.event.name for event in play.view(3).told][:3] == ["dealt", "trumps", "antes"]
    assert [event.event.name for event in play.view(0).told][:2] == ["trumps", "antes"]


# First stage: collecting


def test_the_trump_cards_collect_their_plates():  # poch §3.1
    play = dealt(FOUR)

    assert [event for event in heard(play) if event[0] == "collected"] == [
        ("collected", 2, ACE_PLATE, 4),
        ("collected", 1, KING_PLATE, 4),
        ("collected", 1, QUEEN_PLATE, 4),
        ("collected", 2, JACK_PLATE, 4),
        ("collected", 3, TEN_PLATE, 4),
        ("collected", 2, SEQUENCE, 4),
        ("collected", 1, MARRIAGE, 4),
    ]
    assert counters(play) == [92, 104, 104, 96]
    assert play.state.plates == [0, 0, 0, 0, 0, 0, 0, 4]


def test_only_trumps_collect():  # poch §3.1
    play = dealt(SUITS_APART)

    assert counters(play) == [92, 92, 92, 92 + 7 * 4]


def test_marriage_and_sequence_need_all_their_cards_in_one_hand():  # poch §3.1
    play = dealt(EIGHT)

    collected = {what: who for name, who, what, _ in heard(play) if name == "collected"}
    assert collected == {ACE_PLATE: 3, KING_PLATE: 2, QUEEN_PLATE: 1, JACK_PLATE: 0, TEN_PLATE: 7}


def test_what_nobody_collects_stays_for_the_next_deal():  # poch §3.2
    play = bid("pass " * 8, EIGHT)
    assert play.state.plates == [0, 0, 0, 0, 0, 8, 8, 8]
    start(play, "Ac")
    name_suit(play, HEARTS)
    name_suit(play, DIAMONDS)

    deal(play, EIGHT)  # the first seat deals now, and its jack of spades comes last

    assert play.state.plates == [0, 0, 0, 0, 0, 16, 16, 16]


def test_the_cards_that_collect_are_shown_to_everybody():  # poch §3.3
    play = dealt(FOUR)

    assert [names(seen) for seen in play.view(WATCHER).state.seen[:4]] == ["", "QhKh", "7h8h9hJhAh", "Th"]


# Second stage: pochen


def test_from_the_dealers_left_everybody_speaks_once_and_the_dealer_last():  # poch §4.1
    play = dealt(FOUR, dealer=1)
    order = []
    for _ in range(4):
        order.append(play.state.acting)
        say(play, "pass")

    assert order == [2, 3, 0, 1]
    assert play.state.phase == STARTING


def test_what_one_bids_or_holds_goes_into_the_bank():  # poch §4.1
    play = dealt()

    say(play, "4 hold 6")

    assert play.state.bank == 4 + 4 + 6
    assert counters(play) == [88, 100, 98, 96]
    assert play.state.paid[:4] == [4, 4, 6, 0]
    assert play.state.said[:4] == [BID + 4, HOLD, BID + 6, NOTHING]


def test_what_is_said_is_told_to_everybody():  # poch §4.1
    play = dealt()
    events = []
    for word in ("pass", "4", "hold"):
        say(play, word)
        events += heard(play)

    assert events == [("passed", 0, 0, 0), ("raised", 1, 4, 0), ("held", 2, 4, 0)]


def test_nobody_is_asked_again_after_a_raise():  # poch §4.1
    play = dealt()

    say(play, "1 pass pass 10")

    assert play.state.phase == STARTING


def test_one_opens_with_at_least_1_and_at_most_10():  # poch §4.2
    play = dealt()

    assert play.view(0).choices == [PASS, *(BID + n for n in range(1, 11))]


def test_a_raise_is_at_least_one_more_than_the_bid():  # poch §4.2
    play = dealt()

    say(play, "8")

    assert play.view(1).choices == [PASS, HOLD, BID + 9, BID + 10]
    with refused(play, "choice/illegal"):
        play.choose(1, BID + 8)


def test_the_highest_bid_can_only_be_held():  # poch §4.2
    play = dealt(max_bid=3)

    say(play, "3")

    assert play.view(1).choices == [PASS, HOLD]


def test_nobody_bids_more_than_they_have():  # poch §4.2
    play = dealt(stack=8)  # after antes and plates: 0, 12, 12, 4 counters
    say(play, "pass pass pass")

    assert play.view(3).choices == [PASS, BID + 1, BID + 2, BID + 3, BID + 4]


def test_a_table_may_allow_higher_bids():  # poch §4.2
    play = dealt(max_bid=10000)

    say(play, "92")

    assert (play.state.bank, counters(play)[0]) == (92, 0)


def test_to_hold_costs_the_bid_so_far():  # poch §4.3
    play = dealt()

    say(play, "3 5 hold")

    assert play.state.paid[:4] == [3, 5, 5, 0]


def test_without_a_bid_there_is_nothing_to_hold():  # poch §4.3
    play = dealt()

    with refused(play, "choice/illegal"):
        play.choose(0, HOLD)


def test_who_cannot_pay_a_hold_can_only_pass():  # poch §4.3
    play = dealt(stack=8)
    assert play.view(0).choices == [PASS]

    say(play, "pass 5 pass")

    assert play.view(3).choices == [PASS]
    with refused(play, "choice/illegal"):
        play.choose(3, HOLD)


def test_one_may_hold_with_the_last_counter():  # poch §4.3
    play = dealt(stack=8)

    say(play, "pass 4 pass hold")

    assert play.state.paid[:4] == [0, 4, 0, 4]


def test_a_highest_bidder_with_the_best_set_takes_the_bank_and_the_pocher():  # poch §4.4
    play = bid("4 hold hold pass")

    assert counters(play) == [92 - 4 + 12 + 4, 100, 100, 96]
    assert (play.state.bank, play.state.plates[POCHER], play.state.winner) == (0, 0, 0)
    assert heard(play)[-1] == ("took_bank", 0, 12, 4)


def test_the_highest_bidder_is_who_raised_last_and_a_hold_changes_nothing():  # poch §4.4
    play = bid("4 5 hold pass")

    assert play.state.bidder == 1


def test_only_those_who_paid_compare():  # poch §4.4
    play = bid("pass 2 hold pass")

    assert [event for event in heard(play) if event[0] == "showed"] == [("showed", 1, 2, 5), ("showed", 2, 2, 0)]
    assert play.state.winner == 1  # the three aces passed


def test_with_showdown_everyone_those_who_passed_compare_and_may_win():  # poch §4.5
    play = bid("pass 3 pass pass", showdown="everyone")

    assert [event[:3] for event in heard(play) if event[0] == "showed"] == [
        ("showed", 0, 3),
        ("showed", 1, 2),
        ("showed", 2, 2),
        ("showed", 3, 3),
    ]
    assert play.state.winner == 3
    assert counters(play) == [92, 104 - 3 - 6, 104, 96 + 3 + 6 + 4]


def test_with_showdown_everyone_and_no_bid_nothing_is_compared():  # poch §4.5
    play = bid("pass pass pass pass", showdown="everyone")

    assert words_heard(play) == ["passed", "nobody_bid"]


BETTER_AND_WORSE = {
    "four of a kind beat three of a higher rank": ("8c8d8h8s7c9dTcJd", "QcQdQh7d9sTsJsKc"),
    "three beat a pair of a higher rank": ("7c7d7h8c9dTcJdQc", "AcAd8d9cTdJcQdKc"),
    "a pair beats one card of a higher rank": ("7c7d8c9dTcJdQcKd", "7h8d9cTdJcQdKcAd"),
    "three kings beat three 10s": ("KcKdKh7c8d9cJdQc", "TcTdTh7d8c9sJsQd"),
    "four aces beat four kings": ("AcAdAhAs7c8d9cTd", "KcKdKhKs7d8c9dTc"),
    "an ace pair beats a king pair": ("AcAd7c8d9cTdJcQd", "KcKd7d8c9dTcJdQc"),
    "of two pairs of jacks the one with the trump jack wins": ("JhJs7c8d9cTdQcKd", "JcJd7d8c9dTcQdKc"),
    "the better of two sets in a hand counts": ("7c7d7h8c8d9cTdJc", "9d9hQcQdKcKd8hTc"),
}


@pytest.mark.parametrize("is_better_first", [True, False])
@pytest.mark.parametrize("pair", BETTER_AND_WORSE.values(), ids=list(BETTER_AND_WORSE))
def test_more_of_a_kind_win_then_the_rank_then_trumps(pair: tuple[str, str], is_better_first: bool):  # poch §4.6
    hands = pair if is_better_first else pair[::-1]

    play = bid("1 hold pass pass", filled(" ".join(hands), last="9h" if "9h" not in "".join(hands) else "Th"))

    assert play.state.trumps == HEARTS
    assert play.state.winner == (0 if is_better_first else 1)


def test_without_a_pair_the_highest_card_counts():  # poch §4.7
    play = bid("pass pass pass pass 1 hold pass pass", NO_START)

    assert ("showed", 4, 1, 7) in heard(play)
    assert ("showed", 5, 1, 3) in heard(play)
    assert play.state.winner == 4


def test_among_equal_highest_cards_the_trump_suit_wins():  # poch §4.7
    play = bid("1 hold hold hold pass pass pass pass", EIGHT)

    assert play.state.winner == 3


def test_among_equal_highest_cards_without_a_trump_the_first_from_the_dealers_left_wins():  # poch §4.7
    play = bid("pass 1 hold pass pass pass pass pass", EIGHT)
    assert play.state.winner == 1

    play = dealt(EIGHT, dealer=1)  # trumps are clubs now, by the dealer's last card
    say(play, "1 pass pass pass pass pass pass hold")

    assert (play.state.trumps, play.state.winner) == (CLUBS, 2)


def test_if_nobody_bids_the_pocher_stays_and_the_dealers_left_counts_as_the_winner():  # poch §4.8
    play = bid("pass pass pass pass")

    assert (play.state.plates[POCHER], play.state.winner, play.state.bank) == (4, 0, 0)
    assert heard(play) == [("passed", 3, 0, 0), ("nobody_bid", 0, 0, 0)]


def test_a_highest_bidder_who_is_not_the_best_pays_double_the_bank():  # poch §4.9
    play = bid("4 5 pass pass")

    assert counters(play) == [92 - 4 + 9 + 4 + 18, 104 - 5 - 18, 104, 96]
    assert heard(play)[-2:] == [("paid_double", 1, 18, 0), ("took_bank", 0, 9, 4)]


def test_to_hold_and_lose_is_no_bluff():  # poch §4.9
    play = bid("4 hold pass pass")

    assert "paid_double" not in words_heard(play)


def test_the_double_payment_is_cut_at_what_the_payer_has():  # poch §4.9
    play = bid("pass 5 10 pass", stack=8)  # after antes and plates: 0, 12, 12, 4 counters

    assert ("paid_double", 2, 2, 1) in heard(play)
    assert counters(play) == [0, 12 - 5 + 15 + 4 + 2, 0, 4]


def test_with_bluff_no_set_a_pair_that_is_not_the_best_pays_nothing_more():  # poch §4.10
    play = bid("4 5 pass pass", bluff="no-set")

    assert play.state.winner == 0
    assert counters(play) == [92 - 4 + 9 + 4, 104 - 5, 104, 96]
    assert "paid_double" not in words_heard(play)


def test_with_bluff_no_set_who_has_no_pair_pays_double():  # poch §4.10
    play = bid("2 pass pass hold pass pass pass pass", EIGHT, bluff="no-set")

    assert ("paid_double", 0, 8, 3) in heard(play)


def test_with_bluff_not_best_a_pair_pays_double():  # poch §4.10
    play = bid("4 5 pass pass", bluff="not-best")

    assert ("paid_double", 1, 18, 0) in heard(play)


def test_a_sole_bidder_wins_unseen():  # poch §4.11
    play = bid("pass pass 1 pass")

    assert heard(play) == [("passed", 3, 0, 0), ("unseen", 2, 0, 0), ("took_bank", 2, 1, 4)]
    assert names(play.state.seen[2]) == "7h8h9hJhAh"  # what collected, and no more
    assert play.state.winner == 2


# Third stage: playing out


def test_the_winner_starts_with_any_7_or_ace_of_their_own():  # poch §5.1
    play = bid("pass pass 1 pass")

    assert [NAMES[choice] for choice in play.view(2).choices] == ["7h", "7s", "Ah"]
    assert play.turn == 0b0100


@pytest.mark.parametrize(("first", "direction", "told_as"), [("7s", 1, 0), ("Ah", -1, 1)])
def test_a_7_goes_up_and_an_ace_goes_down(first: str, direction: int, told_as: int):  # poch §5.1
    play = bid("pass pass 1 pass")

    start(play, first)

    assert play.state.direction == direction
    assert heard(play)[0] == ("started", 2, told_as, 0)


def test_who_has_neither_a_7_nor_an_ace_is_skipped():  # poch §5.1
    play = bid("pass " * 8, NO_START)

    assert (play.state.winner, play.state.acting) == (0, 1)
    assert [NAMES[choice] for choice in play.view(1).choices] == ["Ad"]


def test_skipping_goes_round_the_table():  # poch §5.1
    hands = NO_START.split()
    turned = " ".join([*hands[1:], hands[0]])  # the last seat has neither a 7 nor an ace

    play = dealt(turned, dealer=6)
    say(play, "pass " * 8)

    assert (play.state.winner, play.state.acting) == (7, 0)


@pytest.mark.parametrize("choice", ["8c", "Kc", "As", "7h"])
def test_one_cannot_start_with_another_card(choice: str):  # poch §5.1
    play = bid("pass pass pass pass")

    with refused(play, "choice/illegal"):
        start(play, choice)


def test_whoever_has_the_next_card_of_the_suit_plays_it():  # poch §5.2
    play = bid("pass pass pass pass")

    start(play, "7c")

    assert cards_played(play) == "1:7c 2:8c 2:9c 1:Tc 2:Jc 4:Qc 1:Kc 4:Ac"
    assert play.state.hand_size[:4] == [5, 5, 8, 6]
    assert play.state.played_by[BY_NAME["Jc"]] == 1
    assert names(play.state.hand[3]) == "8s9dThJsAdAs"


def test_downward_the_ace_comes_first():  # poch §5.2
    play = bid("pass pass pass 1")

    start(play, "Ac")

    assert cards_played(play) == "4:Ac 1:Kc 4:Qc 2:Jc 1:Tc 2:9c 2:8c 1:7c"


def test_the_direction_stays_the_same_in_all_suits():  # poch §5.3
    play = bid("pass pass pass 1")
    start(play, "Ac")

    name_suit(play, SPADES)

    assert cards_played(play) == "4:As 1:Ks 3:Qs 4:Js 2:Ts 1:9s 4:8s 3:7s"


def test_whoever_played_the_last_card_names_the_next_suit():  # poch §5.4
    play = bid("pass pass pass pass")

    start(play, "7c")

    assert (play.state.phase, play.state.acting) == (NAMING, 3)
    assert play.view(3).choices == [DIAMONDS, HEARTS, SPADES]


def test_a_suit_is_only_named_and_whoever_has_its_first_card_plays_it():  # poch §5.4
    play = bid("pass pass pass pass")
    start(play, "7c")

    name_suit(play, DIAMONDS)

    assert heard(play)[:2] == [("named", 3, 0, DIAMONDS), ("played", 1, 0, DIAMONDS)]


@pytest.mark.parametrize("suit", [CLUBS, 4, -1])
def test_a_suit_that_was_played_cannot_be_named(suit: int):  # poch §5.4
    play = bid("pass pass pass pass")
    start(play, "7c")

    with refused(play, "choice/illegal"):
        name_suit(play, suit)


def test_the_last_suit_needs_no_name():  # poch §5.4
    play = played_to_the_end()

    assert ("last_suit", NOTHING, 0, SPADES) in heard(play)
    assert cards_played(play).endswith("3:7s 4:8s 1:9s 2:Ts")


def test_whoever_is_out_first_gets_a_counter_for_each_card_that_others_hold():  # poch §5.5
    play = played_to_the_end()

    assert counters(play) == [92 - 1, 104 + 4, 104 - 1, 96 - 2]
    assert heard(play)[-4:] == [("out", 1, 0, 0), ("paid", 0, 1, 1), ("paid", 2, 1, 1), ("paid", 3, 2, 1)]


def test_the_deal_is_over_in_the_middle_of_a_suit():  # poch §5.5
    play = bid("pass " * 8, EIGHT)
    start(play, "Ac")
    name_suit(play, HEARTS)
    before = counters(play)

    name_suit(play, DIAMONDS)

    assert cards_played(play).endswith("7:7d 4:As")
    assert counters(play) == [had + 7 if seat == 3 else had - 1 for seat, had in enumerate(before)]
    assert play.state.round == 2


def test_one_may_be_out_with_the_first_suit():  # poch §5.5
    play = bid("pass pass pass pass", SUITS_APART)

    start(play, "7d")

    assert counters(play) == [92 + 24, 84, 84, 92 + 28 - 8]


def test_a_payment_is_cut_at_what_the_payer_has():  # poch §5.5
    play = played_to_the_end(stack=8)  # after antes and plates: 0, 12, 12, 4 counters

    assert counters(play) == [0, 12 + 3, 11, 2]
    assert [event for event in heard(play) if event[0] == "paid"] == [("paid", 2, 1, 1), ("paid", 3, 2, 1)]


# Deals, and the end


def test_the_deal_moves_to_the_left():  # poch §6.1
    play = played_to_the_end()

    assert (play.state.dealer, play.state.round, play.turn) == (0, 2, CHANCE)
    deal(play, FOUR)
    assert (play.state.trumps, play.state.acting) == (SPADES, 1)


def test_a_new_deal_clears_the_table():  # poch §6.1
    play = played_to_the_end()

    play.happen(BY_NAME["Ah"])

    state = play.state
    assert names(state.hand[0]) == "Ah"
    assert (state.hand[1:4], state.seen[:4], state.said[:4]) == ([0] * 3, [0] * 4, [NOTHING] * 4)
    assert (state.trumps, state.bidder, state.winner, state.direction) == (NOTHING, NOTHING, NOTHING, 0)
    assert set(state.played_by) == {NOTHING}


def test_everybody_deals_once_unless_the_table_says_otherwise():  # poch §6.1
    play = Play(GAME, 2)
    assert play.state.deals == 2

    assert Play(GAME, 2, {"deals": 5}).state.deals == 5


def test_the_game_is_over_after_its_last_deal():  # poch §6.1
    play = played_to_the_end(deals=1)

    assert (play.is_over, play.turn, play.state.phase) == (True, NOBODY, OVER)
    outcome = play.outcome()
    assert outcome is not None
    assert (outcome.reason, outcome.winners, outcome.points) == ("deals", (1,), (91, 108, 103, 94))


def test_the_game_is_over_before_a_deal_that_somebody_cannot_pay_for():  # poch §6.1
    play = played_to_the_end(stack=8)

    outcome = play.outcome()
    assert outcome is not None
    assert (outcome.reason, outcome.winners) == ("broke", (1,))
    assert heard(play)[-2:] == [("ended_broke", 0b1001, 0, 0), ("won", 0b0010, 15, 0)]


def test_after_the_last_deal_it_does_not_matter_who_is_broke():  # poch §6.1
    play = played_to_the_end(stack=8, deals=1)

    outcome = play.outcome()
    assert outcome is not None
    assert outcome.reason == "deals"
    assert "ended_broke" not in words_heard(play)


def test_eight_counters_are_enough_for_another_deal():  # poch §6.1
    play = bid("pass pass pass pass")
    start(play, "7c")
    name_suit(play, DIAMONDS)
    play.state.counters[0] = 9  # one card will be left to pay for

    name_suit(play, HEARTS)

    assert (counters(play)[0], play.is_over) == (8, False)


def test_most_counters_win_and_what_lies_on_the_board_is_nobodys():  # poch §6.2
    play = played_to_the_end(deals=1)

    outcome = play.outcome()
    assert outcome is not None
    assert outcome.shares == (0.0, 1.0, 0.0, 0.0)
    assert (sum(outcome.points), play.state.plates[POCHER]) == (396, 4)
    assert heard(play)[-1] == ("won", 0b0010, 108, 0)


def test_a_tie_is_a_draw_and_the_win_is_shared():  # poch §6.2
    play = bid("pass pass pass pass", deals=1)
    start(play, "7c")
    name_suit(play, DIAMONDS)
    play.state.counters[0] = 109

    name_suit(play, HEARTS)

    outcome = play.outcome()
    assert outcome is not None
    assert (outcome.winners, outcome.shares) == ((0, 1), (0.5, 0.5, 0.0, 0.0))
    assert heard(play)[-1] == ("drawn", 0b0011, 108, 0)


def test_a_game_that_is_on_has_no_outcome():  # poch §6.2
    assert dealt().outcome() is None


@pytest.mark.parametrize("n_seats", range(2, 9))
def test_no_counter_is_ever_lost_and_nobody_ever_owes_one(n_seats: int):  # poch §6.2
    for play in random_plays(n_seats, n_seats, stack=40):
        assert conserved(play.state) == (40 * n_seats, 32)
        assert min(counters(play)) >= 0


def test_a_compared_hand_shows_its_best_set_to_everybody():  # poch §6.3
    play = bid("4 5 pass pass")

    assert [names(seen) for seen in play.view(WATCHER).state.seen[:4]] == ["KcKdKs", "QdQhKh", "7h8h9hJhAh", "Th"]


def test_a_hand_without_a_pair_shows_one_card():  # poch §6.3
    play = bid("pass pass pass pass 1 hold pass pass", NO_START)

    assert names(play.state.seen[4]) == "Ac"


def test_what_was_said_counters_sizes_and_played_cards_are_known_to_everybody():  # poch §6.3
    play = bid("4 5 pass pass")
    start(play, "7c")

    view = play.view(WATCHER)

    assert view.points == list(play.points())
    assert view.state.hand_size[:4] == [5, 5, 8, 6]
    assert [GAME.words.seen_choice(view.state, seat) for seat in range(4)] == [BID + 4, BID + 5, PASS, PASS]
    assert names(view.state.seen[3]) == "ThQcAc"
    assert view.state.played_by == play.state.played_by


def test_the_cards_left_in_the_hands_are_told_by_number_only():  # poch §6.4
    play = played_to_the_end()

    view = play.view(1)

    assert view.state.hand_size[:4] == [1, 0, 1, 2]
    assert view.state.hand[:4] == [UNKNOWN, 0, UNKNOWN, UNKNOWN]


def test_hands_and_last_card_are_put_away_when_a_deal_is_over():  # poch §6.4
    for play in (played_to_the_end(), played_to_the_end(deals=1)):
        assert play.state.hand[:4] == [0] * 4
        assert play.state.last_card[:4] == [NOTHING] * 4


def test_ones_own_record_keeps_the_hand_that_was_put_away():  # poch §8.3
    play = played_to_the_end()

    assert (
        records.actions_of(play, "p1")[1:5] == records.actions_of(play)[1:2] + records.actions_of(play, "public")[2:5]
    )


def test_the_end_of_the_game_opens_no_hand():  # poch §6.4
    play = played_to_the_end(deals=1)

    assert play.view(WATCHER).state.hand[:4] == [UNKNOWN] * 4
    assert play.view(WATCHER).state.last_card[:4] == [UNKNOWN] * 4


def test_people_and_bots_see_the_same():  # poch §6.4
    play = bid("4 5 pass pass")

    assert packed(play.view(2, person=True).state) == packed(play.view(2).state)


# Options


def test_the_defaults():  # poch §7.1
    state = Play(GAME, 6).state

    assert (state.stack, state.deals, state.max_bid, state.showdown, state.bluff) == (100, 6, 10, 0, 0)


def test_writing_a_default_out_changes_nothing():  # poch §7.1
    written = {"stack": 100, "deals": 3, "max_bid": 10, "showdown": "bidders", "bluff": "not-best"}

    play = Play(GAME, 3, written)

    assert play.options == {}
    assert packed(play.state) == packed(Play(GAME, 3).state)


@pytest.mark.parametrize(
    ("name", "value", "number"),
    [
        *[("stack", value, value) for value in (8, 10000)],
        *[("deals", value, value) for value in (1, 1000)],
        *[("max_bid", value, value) for value in (1, 10000)],
        ("showdown", "everyone", 1),
        ("bluff", "no-set", 1),
    ],
)
def test_every_other_value_is_taken(name: str, value: object, number: int):  # poch §7.1
    play = Play(GAME, 4, {name: value})

    assert getattr(play.state, name) == number
    assert play.options == {name: value}


def test_an_unknown_option_is_refused():  # poch §7.2
    with pytest.raises(
        BadOption, match="poch has no option 'memory'; it has stack, deals, max_bid, showdown"
    ) as refusal:
        Play(GAME, 3, {"memory": "strict"})

    assert refusal.value.code == "option/unknown"


@pytest.mark.parametrize(
    ("name", "value", "takes"),
    [
        *[("stack", value, "a whole number from 8 to 10000") for value in (7, 10001, 9.0, True, "9", None)],
        *[("deals", value, "a whole number from 1 to 1000") for value in (0, 1001, 9.0, True, "9", None)],
        *[("max_bid", value, "a whole number from 1 to 10000") for value in (0, -1, 10001, 9.0, True, "9", None)],
        *[("showdown", value, '"bidders" or "everyone"') for value in ("Everyone", "", 1, True, None)],
        *[("bluff", value, '"not-best" or "no-set"') for value in ("no_set", 0, False, None)],
    ],
)
def test_a_bad_value_is_refused_with_what_the_option_takes(name: str, value: object, takes: str):  # poch §7.2
    with pytest.raises(BadOption, match=f"option {name} takes {takes}") as refusal:
        Play(GAME, 3, {name: value})

    assert refusal.value.code == "option/value"


@pytest.mark.parametrize("choice", [-1, HOLD, BID + 11, BID + 10**9, True, 0.0, "hold", None])
def test_what_one_may_not_say_is_refused(choice: object):  # poch §7.3
    play = dealt()

    with refused(play, "choice/illegal"):
        play.choose(0, choice)  # type: ignore[arg-type]


@pytest.mark.parametrize("choice", [-1, 32, 99])
def test_a_card_that_does_not_exist_starts_nothing(choice: int):  # poch §7.3
    play = bid("pass pass pass pass")

    with refused(play, "choice/illegal"):
        play.choose(0, choice)


@pytest.mark.parametrize("seat", [1, 2, 3])
def test_who_is_not_asked_has_nothing_to_choose(seat: int):  # poch §7.3
    play = dealt()

    assert play.view(seat).choices == []
    with refused(play, "choice/not-now"):
        play.choose(seat, PASS)


@pytest.mark.parametrize("seat", [-1, 4, 9, False, 0.0, None])
def test_a_seat_that_does_not_exist_chooses_nothing(seat: object):  # poch §7.3
    play = dealt()

    with refused(play, "choice/no-seat"):
        play.choose(seat, PASS)  # type: ignore[arg-type]


def test_nobody_chooses_while_cards_are_dealt_or_after_the_end():  # poch §7.3
    for play in (Play(GAME, 4), played_to_the_end(), played_to_the_end(deals=1)):
        with refused(play, "choice/not-now"):
            play.choose(0, PASS)


def test_a_card_is_dealt_once():  # poch §7.3
    play = Play(GAME, 4)
    play.happen(3)
    deal(play, FOUR[:17])

    with refused(play, "chance/impossible"):
        play.happen(BY_NAME["7c"])


@pytest.mark.parametrize("outcome", [-1, 32, 1 << 40, True, 3.0, None])
def test_a_card_that_does_not_exist_is_not_dealt(outcome: object):  # poch §7.3
    play = Play(GAME, 4)
    play.happen(3)

    with refused(play, "chance/impossible"):
        play.happen(outcome)  # type: ignore[arg-type]


@pytest.mark.parametrize("outcome", [-1, 4, 7, True, None])
def test_a_seat_that_does_not_exist_deals_nothing(outcome: object):  # poch §7.3
    play = Play(GAME, 4)

    with refused(play, "chance/impossible"):
        play.happen(outcome)  # type: ignore[arg-type]


def test_nothing_is_dealt_while_players_choose_or_after_the_end():  # poch §7.3
    for play in (dealt(), bid("pass pass pass pass"), played_to_the_end(deals=1)):
        assert play.chances() == {}
        with refused(play, "chance/not-now"):
            play.happen(0)


# How the game is written down


def record(*lines: str, seats: int = 4) -> records.Record:
    """A record with these actions."""
    head = 'format = "record/1"\ngame = "poch"\nrules = "poch/1"\n'
    players = ", ".join(f'"{name}"' for name in PLAYERS[:seats])
    body = "".join(f'  "{line}",\n' for line in lines)
    return records.read(f"{head}players = [{players}]\nactions = [\n{body}]\n")


SEEN_BY_NOBODY = "? stands in views, for what the viewer has not seen; a full record has none"


def refusal_of(*lines: str) -> tuple[int, str]:
    """At which action a record is refused, and why."""
    with pytest.raises(BadRecord) as refusal:
        records.replay(record(*lines))
    return refusal.value.action, str(refusal.value)


HANDS = tuple(f"d deal p{seat + 1} {hand}" for seat, hand in enumerate(FOUR.split()))


def test_the_first_dealer_is_written_and_read():  # poch §8.1
    play = records.replay(record("d dealer p3"))

    assert play.state.dealer == 2
    assert records.actions_of(play) == ["d dealer p3"]


@pytest.mark.parametrize(
    "line", ["d dealer p9", "d dealer 3", "d dealer", "d dealer p1 p2", "d first p1", "d deal p1 7c"]
)
def test_a_record_that_does_not_begin_with_a_dealer_is_refused(line: str):  # poch §8.1
    action, reason = refusal_of(line)

    assert action == 1
    assert reason in ("first comes d dealer and a seat", "an action is written actor verb arguments")


def test_a_dealer_who_does_not_sit_there_is_refused():  # poch §8.1
    assert refusal_of("d dealer p5") == (1, "impossible now: dealer p5")


def test_hands_are_written_in_ascending_order_with_the_dealers_last_card_last():  # poch §8.2
    play = dealt("KcKdKs7c8d9sTcJd KhQhQd7d8c9cTsJc AhJh7h8h9hTdQs7s QcAc9dAd8sJsAsTh")

    assert records.actions_of(play) == ["d dealer p4", *HANDS]


def test_hands_are_read_in_any_order_but_for_the_dealers_last_card():  # poch §8.2
    shuffled = ("KcKdKs7c8d9sTcJd", "KhQhQd7d8c9cTsJc", "AhJh7h8h9hTdQs7s", "ThQcAc9dAd8sJsAs")

    play = records.replay(record("d dealer p4", *(f"d deal p{seat + 1} {hand}" for seat, hand in enumerate(shuffled))))

    assert play.state.hand == dealt().state.hand
    assert play.state.trumps == SPADES


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        ("d deal p2 7c8d9sTcJdKcKdKs", "now comes d deal p1 and the hand in one word"),
        ("d deal p1 7c 8d9sTcJdKcKdKs", "now comes d deal p1 and the hand in one word"),
        ("d dealer p1", "now comes d deal p1 and the hand in one word"),
        ("d give p1 7c8d9sTcJdKcKdKs", "now comes d deal p1 and the hand in one word"),
        ("d deal p1 7c8d9sTcJdKcKd", "deal names 8 here, not 7"),
        ("d deal p1 7c8d9sTcJdKcKdKsKh", "deal names 8 here, not 9"),
        ("d deal p1 7c8d9sTcJdKcKdK", "a hand has a card that does not exist"),
        ("d deal p1 7c8d9sTcJdKcKd6s", "a hand has a card that does not exist"),
        ("d deal p1 7c8d9sTcJdKcKd??", SEEN_BY_NOBODY),
        ("d deal p1 7c8d9sTcJdKcKd7c", "impossible now: deal p1 7c8d9sTcJdKcKd7c"),
        ("d deal p1 " + "7c" * 5000, "deal names 8 here, not 33"),
    ],
)
def test_a_hand_that_cannot_be_is_refused_at_its_own_action(line: str, reason: str):  # poch §8.2
    assert refusal_of("d dealer p4", line) == (2, reason)


def test_a_card_that_another_hand_has_is_refused():  # poch §8.2
    assert refusal_of("d dealer p4", HANDS[0], "d deal p2 7c8c9cTsJcQdQhKh") == (
        3,
        "impossible now: deal p2 7c8c9cTsJcQdQhKh",
    )


def test_a_viewers_record_has_what_the_viewer_has_seen_by_now():  # poch §8.3
    play = dealt()

    assert records.actions_of(play, "p2")[1:] == [
        "d deal p1 ????????",
        "d deal p2 7d8c9cTsJcQdQhKh",
        "d deal p3 7h8h9hJhAh???",
        "d deal p4 Th???????/h",
    ]


def test_before_trumps_are_announced_a_viewers_record_does_not_have_them():  # poch §8.3
    play = Play(GAME, 4)
    play.happen(0)
    deal(play, " ".join(FOUR.split()[:2]))

    assert records.actions_of(play, "p2")[1:] == ["d deal p1 ????????", "d deal p2 7d8c9cTsJcQdQhKh"]


def test_the_dealers_own_record_does_not_say_which_card_made_trumps():  # poch §8.3
    assert records.actions_of(dealt(), "p4")[4] == "d deal p4 8s9dThJsQcAcAdAs/h"


def test_sets_that_were_compared_are_in_everybodys_record():  # poch §8.3
    play = bid("4 5 pass pass")

    assert records.actions_of(play, "public")[1:5] == [
        "d deal p1 KcKdKs?????",
        "d deal p2 QdQhKh?????",
        "d deal p3 7h8h9hJhAh???",
        "d deal p4 Th???????/h",
    ]


def test_after_the_deal_trumps_stay_with_the_hand_of_who_dealt():  # poch §8.3
    play = played_to_the_end()
    deals = [
        "d deal p1 7c8d9sTcJdKcKd?",
        "d deal p2 7d8c9cTsJcQdQhKh",
        "d deal p3 7h7s8h9hTdJhAh?",
        "d deal p4 8s9dThQcAcAd??/h",
    ]
    assert records.actions_of(play, "p2")[1:5] == deals

    deal(play, FOUR)

    actions = records.actions_of(play, "p2")
    assert actions[1:5] == deals
    assert actions[-4].endswith("/s")
    assert actions[-3:] == ["d deal p2 7d8c9cTsJcQdQhKh", "d deal p3 Qs???????", "d deal p4 JsAs??????"]


def test_a_viewers_record_says_whose_it_is_and_cannot_be_replayed():  # poch §8.3
    text = records.write(bid("4 5 pass pass"), PLAYERS[:4], view="p2")

    assert 'view = "p2"' in text
    with pytest.raises(BadRecord, match="only a full record can be replayed") as refusal:
        records.replay(records.read(text))
    assert refusal.value.action == 0


def test_bids_are_written_and_read():  # poch §8.4
    lines = ["d dealer p4", *HANDS, "p1 pass", "p2 bid 4", "p3 hold", "p4 bid 10"]

    play = records.replay(record(*lines))

    assert play.state.said[:4] == [PASS, BID + 4, HOLD, BID + 10]
    assert records.actions_of(play) == lines


def test_a_forced_pass_is_written_too():  # poch §8.4
    play = bid("pass 5 pass pass", stack=8)

    assert records.actions_of(play)[-4:] == ["p1 pass", "p2 bid 5", "p3 pass", "p4 pass"]


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        *[(f"p1 {said}", "a bid is written pass, hold, or bid and a number") for said in ("bid", "pass 1", "raise 4")],
        *[
            (f"p1 bid {number}", "a bid is written pass, hold, or bid and a number")
            for number in ("0", "04", "+4", "-4", "4.0", "４", "100000", "9" * 5000)
        ],
        ("p1 bid 11", "p1 may not bid 11 now"),
        ("p1 bid 99999", "p1 may not bid 99999 now"),
        ("p1 hold", "p1 may not hold now"),
        ("p2 pass", "p2 has nothing to choose now"),
        ("p5 pass", "there is no p5 at this table"),
        ("{ p1 pass | p2 pass }", "nobody chooses in secret now"),
    ],
)
def test_a_bid_that_cannot_be_is_refused(line: str, reason: str):  # poch §8.4
    assert refusal_of("d dealer p4", *HANDS, line) == (6, reason)


PASSES = ("p1 pass", "p2 pass", "p3 pass", "p4 pass")


def test_a_start_and_the_suits_named_are_written_and_read():  # poch §8.5
    lines = ["d dealer p4", *HANDS, *PASSES, "p1 start 7c", "p4 suit d", "p4 suit h"]

    play = records.replay(record(*lines))

    assert packed(play.state) == packed(played_to_the_end().state)
    assert records.actions_of(play) == lines


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        *[(f"p1 {words}", "to start is written start and a 7 or an ace") for words in ("start", "start 7", "play 7c")],
        ("p1 start 7c up", "to start is written start and a 7 or an ace"),
        ("p1 start 8d", "p1 may not start 8d now"),
        ("p2 start 7d", "p2 has nothing to choose now"),
    ],
)
def test_a_start_that_cannot_be_is_refused(line: str, reason: str):  # poch §8.5
    assert refusal_of("d dealer p4", *HANDS, *PASSES, line)[1] in (reason, "an action is written actor verb arguments")


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        *[
            (f"p4 {words}", "the next suit is written suit and c, d, h or s")
            for words in ("suit x", "suit hearts", "name d")
        ],
        ("p4 suit d h", "the next suit is written suit and c, d, h or s"),
        ("p4 suit c", "p4 may not suit c now"),
        ("p1 suit d", "p1 has nothing to choose now"),
    ],
)
def test_a_suit_that_cannot_be_is_refused(line: str, reason: str):  # poch §8.5
    assert refusal_of("d dealer p4", *HANDS, *PASSES, "p1 start 7c", line) == (11, reason)


def test_counters_and_shares_are_written_and_checked():  # poch §8.6
    text = records.write(played_to_the_end(deals=1), PLAYERS[:4])

    assert text.endswith("[result]\npoints = [91, 108, 103, 94]\nshares = [0.0, 1.0, 0.0, 0.0]\n")
    assert "options = { deals = 1 }" in text
    with pytest.raises(BadRecord, match="wrong points"):
        records.replay(records.read(text.replace("[91,", "[92,")))


def test_the_rulebooks_own_game_replays_to_its_own_words():  # poch §8.6
    (text,) = re.findall(r"```toml\n(.*?)```", RULEBOOK.read_text(encoding="utf-8"), re.DOTALL)

    play = records.replay(records.read(text))

    assert records.write(play, PLAYERS[:4]) == text


# Twins


@pytest.mark.parametrize("n_seats", range(2, 9))
@pytest.mark.parametrize("viewer", [0, 1, WATCHER])
def test_no_viewer_can_tell_a_twin(n_seats: int, viewer: int):  # poch §6.4
    rng = random.Random(1)
    for play in random_plays(n_seats, n_seats, deals=2):
        other = play.copy()

        other.state = twin(play, viewer, True, rng)

        assert packed(other.view(viewer).state) == packed(play.view(viewer).state)


@pytest.mark.parametrize(("n_seats", "viewer", "often"), [(2, 0, 0.4), (2, WATCHER, 0.9), (4, 0, 0.7), (8, 3, 0.7)])
def test_twins_often_differ(n_seats: int, viewer: int, often: float):  # poch §6.4
    rng = random.Random(2)

    differing = Counter(
        packed(twin(play, viewer, True, rng)) != packed(play.state)
        for play in random_plays(n_seats, n_seats, deals=3, showdown="everyone")
    )

    assert differing[True] >= often * differing.total()


@pytest.mark.parametrize("showdown", ["bidders", "everyone"])
@pytest.mark.parametrize("n_seats", [2, 3, 5, 8])
def test_a_twin_is_where_the_same_choices_lead_after_another_deal(n_seats: int, showdown: str):  # poch §6.4
    rng = random.Random(3)
    for number, play in enumerate(random_plays(n_seats, n_seats, deals=3, showdown=showdown)):
        if play.steps and number % 3 == 0:
            state = twin(play, rng.randrange(-1, n_seats), True, rng)

            assert packed(replayed_with(play, state).state) == packed(state)
