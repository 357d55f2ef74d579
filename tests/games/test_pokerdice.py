"""Pokerdice, one rule a test. § marks: docs/rules/pokerdice.md."""

import random
from collections import Counter
from collections.abc import Collection, Iterator, Mapping
from fractions import Fraction
from itertools import combinations, product
from math import comb, factorial, perm
from pathlib import Path

import pytest

from pokade import records
from pokade.chance import Seeded, advance, exhaust
from pokade.games.errors import BadOption, BadRecord, BadSeats
from pokade.games.play import Play, View
from pokade.games.pokerdice import CHOOSING, GAME, OVER, RETHROWING, THROWING, PokerdiceState, met_objectives
from pokade.games.state import CHANCE, NOBODY, NOTHING, UNKNOWN, WATCHER, copied, packed
from tests.games.doors import heard, refused

RULEBOOK = Path(__file__).parents[2] / "docs" / "rules" / "pokerdice.md"
NAMES = ("Ada", "Ben", "Cleo", "Dora", "Emil")

# Each objective with dice that meet it, in the order of the cards.
MEETING = {
    "joker": "1 2 3 5 6",
    "pair": "1 1 2 3 5",
    "three": "4 4 4 1 2",
    "two-pairs": "2 2 5 5 6",
    "small-straight": "1 2 3 4 6",
    "no-evens": "1 3 3 5 5",
    "no-odds": "2 4 4 6 6",
    "full-house": "3 3 3 6 6",
    "long-straight": "2 3 4 5 6",
    "four": "1 1 1 1 4",
}
CARDS = {name: card for card, name in enumerate(MEETING)}
JOKER, PAIR, FOUR = CARDS["joker"], CARDS["pair"], CARDS["four"]
ALL = (1 << 10) - 1
EVERY_POINT = 1 + 1 + 2 + 3 + 3 + 4 + 4 + 5 + 7 + 7
STOP = 0


def throwing(seats: int = 3, first: int = 0, **options: object) -> Play:
    """A game whose first active player is about to throw."""
    play = Play(GAME, seats, options)
    play.happen(first)
    return play


def throw(play: Play, dice: str) -> None:
    """Dice lie: all five, or those that were to be thrown again."""
    for face in dice.split():
        play.happen(int(face))


def choosing(dice: str = "2 2 5 5 6", seats: int = 3, first: int = 0, **options: object) -> Play:
    """A game in which the first five dice lie and everybody has to pick."""
    play = throwing(seats, first, **options)
    throw(play, dice)
    return play


def choice(cards: str) -> int:
    """A card as a choice; two for the double game are written pair+four."""
    low, *high = sorted(CARDS[name] for name in cards.split("+"))
    return low * 10 + high[0] if high else low


def pick(play: Play, cards: str) -> None:
    """Everybody picks, in seat order, and the active player's card is turned up."""
    for seat, name in enumerate(cards.split()):
        play.choose(seat, choice(name))


def rethrowing(dice: str, cards: str, first: int = 0, **options: object) -> Play:
    """A game in which all cards lie and the active player may throw again."""
    play = choosing(dice, len(cards.split()), first, **options)
    pick(play, cards)
    return play


def rethrow(play: Play, positions: str, faces: str) -> None:
    """The active player throws the dice at these positions again, and this is what they show."""
    play.choose(play.state.active, sum(1 << int(position) - 1 for position in positions.split()))
    throw(play, faces)


def stop(play: Play) -> None:
    play.choose(play.state.active, STOP)


def checked(dice: str, cards: str, first: int = 0, **options: object) -> Play:
    """A game after a first round without a rethrow."""
    play = rethrowing(dice, cards, first, **options)
    stop(play)
    return play


def whole_game(play: Play, swaps: Mapping[int, tuple[str, str]] | None = None) -> int:
    """Everybody plays the cards in order, with dice that meet them; `swaps` says who plays two of them the other way
    round. Gives the number of rounds.
    """
    rounds = 0
    for name, dice in MEETING.items():
        if play.is_over:
            break
        throw(play, dice)
        cards = [name] * play.n_seats
        for seat, (one, other) in (swaps or {}).items():
            cards[seat] = {one: other, other: one}.get(name, name)
        pick(play, " ".join(cards))
        stop(play)
        rounds += 1
    return rounds


def cards_in(bits: int) -> list[str]:
    return [name for name, card in CARDS.items() if bits >> card & 1]


def met(dice: str) -> list[str]:
    """The objectives that five dice meet."""
    return cards_in(met_objectives(PokerdiceState(dice=[int(face) for face in dice.split()])))


def seats(*members: int) -> int:
    """A bit set."""
    return sum(1 << seat for seat in members)


def looks(view: View) -> list[int]:
    """Every cell of a view."""
    return packed(view.state)


def cards_to_play(state: PokerdiceState, seat: int) -> list[int]:
    """§2.3, §6.1: what a seat may lay face down: a card it has not played, or in the double game two."""
    single = [card for card in range(10) if state.hand[seat] >> card & 1]
    twice = [card for card in range(10) if state.second[seat] >> card & 1]
    if not state.variant:
        return single
    return sorted([low * 10 + high for low, high in combinations(single, 2)] + [card * 10 + card for card in twice])


def is_between_rounds(state: PokerdiceState) -> bool:
    """§2: no card lies face down; from the turning up of the first to that of the last some do (§7.1)."""
    n_shown = sum(card != NOTHING for card in state.shown[: state.n_seats])
    return state.phase != CHOOSING and n_shown in (0, state.n_seats)


def conserved(state: PokerdiceState) -> int:
    """§1.2, §4: every card is in a hand, on the table, scored, lost or captured; none is ever made or gone."""
    fates = (state.scored, state.lost, state.captured)
    in_hand = sum(state.hand[s].bit_count() + state.second[s].bit_count() for s in range(state.n_seats))
    is_turned_up = [card != NOTHING for card in state.shown[: state.n_seats]].count(True) == 1
    on_the_table = 1 + state.variant if is_turned_up else 0
    return in_hand + on_the_table + sum(sum(map(sum, fate)) for fate in fates)


def twin(play: Play, viewer: int, person: bool, rng: random.Random) -> PokerdiceState:
    """A state that the viewer can't tell from this one."""
    return twin_for(play, {viewer}, person, rng)


def twin_for(play: Play, group: Collection[int], person: bool, rng: random.Random) -> PokerdiceState:
    """What no seat of a group can tell: other cards lie face down (§7.1); all else is open (§7.2)."""
    state = copied(play.state)
    rivals = [seat for seat in range(state.n_seats) if seat not in group]
    if state.phase == CHOOSING:
        _pick_otherwise(state, rivals, rng)
    elif NOTHING in state.shown[: state.n_seats] and state.shown[state.active] != NOTHING:
        for seat in rivals:  # the active player's card lies open, all others face down until the dice are final
            if seat != state.active:
                state.choice[seat] = rng.choice(cards_to_play(state, seat))
    return state


def _pick_otherwise(state: PokerdiceState, rivals: list[int], rng: random.Random) -> None:
    ours = [seat for seat in range(state.n_seats) if seat not in rivals]
    own = [seat for seat in ours if state.chosen >> seat & 1]
    most = len(rivals) if len(own) < len(ours) else len(rivals) - 1  # with the last card a player would turn up
    picked = rng.sample(rivals, rng.randint(0, max(most, 0)))
    state.chosen = seats(*picked, *own)
    for seat in rivals:
        state.choice[seat] = rng.choice(cards_to_play(state, seat)) if seat in picked else NOTHING


# What you need


@pytest.mark.parametrize("n_seats", [2, 3, 4, 5])
def test_two_to_five_play(n_seats: int):  # pokerdice §1.1
    assert Play(GAME, n_seats).n_seats == n_seats


@pytest.mark.parametrize("n_seats", [0, 1, 6, -2, True, 2.0, "2", None])
def test_any_other_number_of_players_is_refused(n_seats: object):  # pokerdice §1.1
    with pytest.raises(BadSeats, match="Pokerdice is played by 2 to 5") as refusal:
        Play(GAME, n_seats)  # type: ignore[arg-type]

    assert refusal.value.code == "seats/number"


def test_a_die_has_the_faces_1_to_6_alike():  # pokerdice §1.2
    play = throwing()

    assert play.chances() == {1: 1, 2: 1, 3: 1, 4: 1, 5: 1, 6: 1}
    assert [face for face in range(-2, 9) if GAME.weight(play.state, face)] == [1, 2, 3, 4, 5, 6]


def test_everybody_has_the_same_ten_cards():  # pokerdice §1.3, ruling D2
    play = throwing(seats=4)

    assert play.state.hand[:4] == [ALL] * 4
    assert play.state.second[:4] == [0] * 4


def test_sets_that_nobody_uses_stay_in_the_box():  # pokerdice §1.3, ruling D2
    play = throwing(seats=2)

    assert play.state.hand[2:] == [0] * 3


# A round


@pytest.mark.parametrize("n_seats", [2, 3, 4, 5])
def test_any_seat_may_be_drawn_as_the_first_active_one(n_seats: int):  # pokerdice §2.1, ruling D1
    play = Play(GAME, n_seats, {"first_active": "nature"})

    assert (play.turn, GAME.together(play.state)) == (CHANCE, 1)
    assert play.chances() == dict.fromkeys(range(n_seats), 1)


@pytest.mark.parametrize("seat", [0, 1, 2])
def test_the_table_may_name_the_first_active_seat(seat: int):  # pokerdice §2.1, ruling D1
    play = Play(GAME, 3, {"first_active": f"p{seat + 1}"})
    assert play.chances() == {seat: 1}

    play.happen(seat)

    assert play.state.active == seat
    assert heard(play) == [("first", seat, 0, 0)]


def test_nobody_but_the_named_seat_can_be_first():  # pokerdice §2.1, ruling D1
    play = Play(GAME, 3, {"first_active": "p2"})

    for seat in (-1, 0, 2, 3):
        with refused(play, "chance/impossible"):
            play.happen(seat)


@pytest.mark.parametrize("seat", [-1, 3, 5, True, 1.0])
def test_a_seat_that_is_not_there_can_not_be_first(seat: object):  # pokerdice §2.1
    play = Play(GAME, 3)

    with refused(play, "chance/impossible"):
        play.happen(seat)  # type: ignore[arg-type]


def test_a_round_begins_with_all_five_dice():  # pokerdice §2.2
    play = throwing(first=2)
    assert (play.turn, GAME.together(play.state)) == (CHANCE, 5)

    throw(play, "2 2 5 5 6")

    assert play.state.dice == [2, 2, 5, 5, 6]
    assert heard(play) == [("thrown", 2, 22556, 0)]
    assert play.state.phase == CHOOSING


def test_there_are_7776_equally_likely_throws():  # pokerdice §2.2
    throws = {tuple(play.state.dice): chance for play, chance in exhaust(throwing(seats=2))}

    assert throws == dict.fromkeys(product(range(1, 7), repeat=5), Fraction(1, 7776))


@pytest.mark.parametrize("face", [0, 7, -1, UNKNOWN, True, 1.0, "1"])
def test_a_face_that_a_die_does_not_have_is_refused(face: object):  # pokerdice §2.2
    play = throwing()

    with refused(play, "chance/impossible"):
        play.happen(face)  # type: ignore[arg-type]


def test_the_first_die_of_a_round_clears_the_table():  # pokerdice §2.2
    play = checked("2 2 5 5 6", "two-pairs pair joker")

    play.happen(4)

    assert play.state.dice == [4, 0, 0, 0, 0]
    assert play.state.shown[:3] == [NOTHING] * 3
    assert GAME.together(play.state) == 4


def test_everybody_picks_a_card_not_played_yet():  # pokerdice §2.3
    play = checked("2 2 5 5 6", "two-pairs pair joker")
    throw(play, "1 2 3 4 6")

    assert play.turn == seats(0, 1, 2)
    assert play.view(1).choices == [card for name, card in CARDS.items() if name != "pair"]
    assert play.view(WATCHER).choices == []


@pytest.mark.parametrize("card", [PAIR, 10, -1, UNKNOWN, 99, True, 2.0, "card pair", None])
def test_a_card_that_one_does_not_have_is_refused(card: object):  # pokerdice §2.3
    play = checked("2 2 5 5 6", "two-pairs pair joker")
    throw(play, "1 2 3 4 6")

    with refused(play, "choice/illegal"):
        play.choose(1, card)  # type: ignore[arg-type]


def test_nobody_picks_before_the_dice_lie():  # pokerdice §2.3
    play = throwing()

    with refused(play, "choice/not-now"):
        play.choose(0, JOKER)
    assert play.view(0).choices == []


@pytest.mark.parametrize("seat", [-1, 3, 5])
def test_nobody_picks_for_a_seat_that_is_not_there(seat: int):  # pokerdice §2.3
    play = choosing(seats=3)

    with refused(play, "choice/no-seat"):
        play.choose(seat, JOKER)


def test_nothing_is_thrown_while_players_pick():  # pokerdice §2.3
    play = choosing()

    with refused(play, "chance/not-now"):
        play.happen(1)


def test_one_may_pick_another_card_until_the_last_one_lies():  # pokerdice §2.3
    play = choosing(seats=3)
    play.choose(0, JOKER)
    play.choose(1, JOKER)

    play.choose(0, PAIR)
    play.choose(0, FOUR)
    play.choose(2, JOKER)

    assert play.state.shown[0] == FOUR
    assert cards_in(play.state.hand[0]) == [name for name in MEETING if name != "four"]


def test_only_the_active_players_card_is_turned_up():  # pokerdice §2.4
    play = choosing("2 2 5 5 6", first=1)

    pick(play, "joker full-house four")

    assert play.state.shown[:3] == [NOTHING, CARDS["full-house"], NOTHING]
    assert heard(play) == [("turned_up", 1, CARDS["full-house"], 0)]


def test_then_the_active_player_alone_decides():  # pokerdice §2.5
    play = rethrowing("2 2 5 5 6", "joker full-house four", first=1)

    assert play.turn == seats(1)
    for seat in (0, 2):
        assert play.view(seat).choices == []
        with refused(play, "choice/not-now"):
            play.choose(seat, STOP)


def test_any_of_the_dice_may_be_thrown_again():  # pokerdice §2.5, ruling D5
    play = rethrowing("2 2 5 5 6", "full-house joker four")

    assert play.view(0).choices == list(range(32))
    assert all(GAME.is_legal(play.state, 0, dice) for dice in range(32))


@pytest.mark.parametrize("dice", [32, -1, UNKNOWN, True, 1.0, None])
def test_dice_that_are_not_there_can_not_be_thrown_again(dice: object):  # pokerdice §2.5
    play = rethrowing("2 2 5 5 6", "full-house joker four")

    with refused(play, "choice/illegal"):
        play.choose(0, dice)  # type: ignore[arg-type]


def test_only_the_dice_named_are_thrown_again():  # pokerdice §2.5, ruling D5
    play = rethrowing("2 2 5 5 6", "full-house joker four")
    play.choose(0, 0b10010)
    assert heard(play)[0][:3] == ("rethrown", 0, 2)
    assert (play.turn, GAME.together(play.state)) == (CHANCE, 2)

    throw(play, "1 3")

    assert play.state.dice == [2, 1, 5, 5, 3]
    assert heard(play) == [("thrown", 0, 21553, 0)]
    assert play.state.phase == RETHROWING


def test_all_five_dice_may_be_thrown_again_and_the_open_card_stays():  # pokerdice §2.5, ruling D5
    play = rethrowing("2 2 5 5 6", "full-house joker four")

    rethrow(play, "1 2 3 4 5", "1 1 1 4 4")

    assert play.state.dice == [1, 1, 1, 4, 4]
    assert play.state.shown[:3] == [CARDS["full-house"], NOTHING, NOTHING]


def test_naming_no_dice_is_stopping():  # pokerdice §2.5, ruling D5
    play = rethrowing("2 2 5 5 6", "two-pairs pair joker")

    play.choose(0, STOP)

    assert heard(play)[0] == ("stopped", 0, 0, 0)
    assert (play.state.dice, play.state.round) == ([2, 2, 5, 5, 6], 2)


def test_one_may_stop_after_the_first_rethrow():  # pokerdice §2.5
    play = rethrowing("2 2 5 5 6", "full-house joker joker")
    rethrow(play, "5", "5")

    stop(play)

    assert play.points() == (5, 1, 1)


def test_an_objective_that_is_met_may_still_be_thrown_away():  # pokerdice §2.5, ruling D5
    play = rethrowing("2 2 5 5 6", "two-pairs two-pairs joker")

    rethrow(play, "1 2 3 4", "1 2 3 4")
    stop(play)

    assert play.points() == (1, 0, 1)  # Ada's own card is out, and Ben's is hers


def test_after_the_second_rethrow_the_round_resolves_by_itself():  # pokerdice §2.6
    play = rethrowing("2 2 5 5 6", "full-house two-pairs four")
    rethrow(play, "5", "1")

    rethrow(play, "5", "5")

    assert (play.points(), play.state.round) == ((6, 3, 0), 2)
    assert heard(play) == [
        ("thrown", 0, 22555, 0),
        ("revealed", NOTHING, 22555, 0),
        ("scored", 0, CARDS["full-house"], 5),
        ("scored", 1, CARDS["two-pairs"], 3),
        ("captured", 0, CARDS["four"], 2),
    ]


def test_when_the_dice_are_final_all_cards_are_turned_up():  # pokerdice §2.6
    play = checked("2 2 5 5 6", "full-house two-pairs four")

    assert play.state.shown[:3] == [CARDS["full-house"], CARDS["two-pairs"], CARDS["four"]]
    assert play.state.choice[:3] == [NOTHING] * 3


@pytest.mark.parametrize(("first", "then"), [(0, 1), (1, 2), (2, 0)])
def test_the_active_role_moves_to_the_left(first: int, then: int):  # pokerdice §2.7
    play = checked("2 2 5 5 6", "joker joker joker", first=first)

    assert (play.state.active, play.state.round, play.state.phase) == (then, 2, THROWING)
    assert GAME.together(play.state) == 5


# The objectives


def has_run(dice: tuple[int, ...], length: int) -> bool:
    return any(set(range(low, low + length)) <= set(dice) for low in range(1, 8 - length))


def sizes(dice: tuple[int, ...]) -> list[int]:
    """How often the faces lie, the most frequent first."""
    return sorted(Counter(dice).values(), reverse=True)


FITS = {
    "joker": lambda _: True,
    "pair": lambda dice: len(set(dice)) < 5,
    "three": lambda dice: any(dice.count(face) >= 3 for face in dice),
    "two-pairs": lambda dice: sizes(dice) in ([2, 2, 1], [3, 2]),
    "small-straight": lambda dice: has_run(dice, 4),
    "no-evens": lambda dice: set(dice) <= {1, 3, 5},
    "no-odds": lambda dice: set(dice) <= {2, 4, 6},
    "full-house": lambda dice: sizes(dice) == [3, 2],
    "long-straight": lambda dice: has_run(dice, 5),
    "four": lambda dice: sizes(dice) in ([4, 1], [5]),
}


def test_of_all_7776_throws_each_meets_just_the_objectives_it_fits():  # pokerdice §3.11
    state = PokerdiceState()
    for dice in product(range(1, 7), repeat=5):
        state.dice[:] = dice
        assert cards_in(met_objectives(state)) == [name for name, fits in FITS.items() if fits(dice)], dice


# With the faces of one run of four, the fifth die repeats one of them or shows one of the other two faces. A throw has
# two runs of four only as a long straight, and there are two of these.
LONG = 2 * factorial(5)
SMALL = 3 * (4 * factorial(5) // 2 + 2 * factorial(5)) - LONG
FULL = 6 * 5 * comb(5, 3)


@pytest.mark.parametrize(
    ("name", "title", "count"),
    [
        ("joker", "joker", 6**5),
        ("pair", "one pair", 6**5 - perm(6, 5)),
        ("three", "three of a kind", sum(6 * comb(5, equal) * 5 ** (5 - equal) for equal in (3, 4, 5))),
        ("two-pairs", "two pairs", comb(6, 2) * 4 * factorial(5) // (2 * 2) + FULL),
        ("small-straight", "small straight", SMALL),
        ("no-evens", "no evens", 3**5),
        ("no-odds", "no odds", 3**5),
        ("full-house", "full house", FULL),
        ("long-straight", "long straight", LONG),
        ("four", "four of a kind", 6 * comb(5, 4) * 5 + 6),
    ],
)
def test_an_objective_is_met_by_as_many_throws_as_can_be_counted(name: str, title: str, count: int):  # pokerdice §3.11
    assert sum(FITS[name](dice) for dice in product(range(1, 7), repeat=5)) == count
    rulebook = RULEBOOK.read_text(encoding="utf-8").splitlines()
    row = next(line for line in rulebook if line.startswith(f"| {title} |"))
    assert row.endswith(f"| {count:,} |")


@pytest.mark.parametrize("dice", ["1 2 3 5 6", "1 1 1 1 1", "2 4 5 6 6"])
def test_the_joker_is_always_met(dice: str):  # pokerdice §3.1
    assert "joker" in met(dice)


@pytest.mark.parametrize(("dice", "fits"), [("1 2 3 5 1", True), ("6 6 6 1 2", True), ("1 2 3 4 6", False)])
def test_one_pair_is_two_equal_dice(dice: str, fits: bool):  # pokerdice §3.2
    assert ("pair" in met(dice)) is fits


@pytest.mark.parametrize(
    ("dice", "fits"), [("4 1 4 2 4", True), ("4 4 4 4 2", True), ("4 4 4 4 4", True), ("4 4 2 2 1", False)]
)
def test_three_of_a_kind_are_three_equal_dice(dice: str, fits: bool):  # pokerdice §3.3
    assert ("three" in met(dice)) is fits


@pytest.mark.parametrize(
    ("dice", "fits"),
    [("2 5 2 5 6", True), ("2 2 5 5 5", True), ("2 2 2 2 5", False), ("2 2 2 2 2", False), ("2 2 2 5 6", False)],
)
def test_two_pairs_are_of_different_faces(dice: str, fits: bool):  # pokerdice §3.4
    assert ("two-pairs" in met(dice)) is fits


@pytest.mark.parametrize(
    ("dice", "fits"),
    [
        ("4 3 2 1 1", True),
        ("1 2 3 4 6", True),
        ("2 3 4 5 2", True),
        ("3 4 5 6 1", True),
        ("1 2 3 4 5", True),
        ("1 2 3 5 6", False),
        ("1 2 4 5 6", False),
    ],
)
def test_a_small_straight_is_four_faces_in_a_row(dice: str, fits: bool):  # pokerdice §3.5
    assert ("small-straight" in met(dice)) is fits


@pytest.mark.parametrize(("dice", "fits"), [("1 3 5 5 5", True), ("1 1 1 1 1", True), ("1 3 5 5 2", False)])
def test_no_evens_is_odd_faces_only(dice: str, fits: bool):  # pokerdice §3.6
    assert ("no-evens" in met(dice)) is fits


@pytest.mark.parametrize(("dice", "fits"), [("2 4 6 6 6", True), ("2 2 2 2 2", True), ("2 4 6 6 1", False)])
def test_no_odds_is_even_faces_only(dice: str, fits: bool):  # pokerdice §3.7
    assert ("no-odds" in met(dice)) is fits


@pytest.mark.parametrize(
    ("dice", "fits"), [("3 6 3 6 3", True), ("3 3 3 3 3", False), ("3 3 3 3 6", False), ("3 3 6 6 1", False)]
)
def test_a_full_house_is_three_of_one_face_and_two_of_another(dice: str, fits: bool):  # pokerdice §3.8
    assert ("full-house" in met(dice)) is fits


@pytest.mark.parametrize(
    ("dice", "fits"), [("5 4 3 2 1", True), ("2 3 4 5 6", True), ("1 2 3 4 6", False), ("1 3 4 5 6", False)]
)
def test_a_long_straight_is_five_faces_in_a_row(dice: str, fits: bool):  # pokerdice §3.9
    assert ("long-straight" in met(dice)) is fits


@pytest.mark.parametrize(("dice", "fits"), [("1 1 1 4 1", True), ("1 1 1 1 1", True), ("1 1 1 4 4", False)])
def test_four_of_a_kind_are_four_equal_dice(dice: str, fits: bool):  # pokerdice §3.10
    assert ("four" in met(dice)) is fits


@pytest.mark.parametrize(
    ("dice", "objectives"),
    [
        ("6 6 6 6 6", ["joker", "pair", "three", "no-odds", "four"]),
        ("1 2 3 4 5", ["joker", "small-straight", "long-straight"]),
        ("3 3 3 5 5", ["joker", "pair", "three", "two-pairs", "no-evens", "full-house"]),
    ],
)
def test_who_can_do_more_can_do_less(dice: str, objectives: list[str]):  # pokerdice §3.11
    assert met(dice) == objectives


def test_one_throw_may_meet_the_objectives_of_several():  # pokerdice §3.11
    play = checked("3 3 3 5 5", "full-house two-pairs three pair no-evens")

    assert play.points() == (5, 3, 2, 1, 4)


# Checking the cards


@pytest.mark.parametrize(("name", "value"), list(zip(MEETING, (1, 1, 2, 3, 3, 4, 4, 5, 7, 7), strict=True)))
def test_an_objective_that_is_met_scores_its_points(name: str, value: int):  # pokerdice §4.1
    play = checked(MEETING[name], f"{name} {name}")

    assert play.points() == (value, value)
    assert [row[CARDS[name]] for row in play.state.scored[:2]] == [1, 1]
    assert heard(play)[2:] == [("scored", seat, CARDS[name], value) for seat in (0, 1)]


def test_the_active_players_miss_is_out_of_the_game():  # pokerdice §4.2
    play = checked("2 2 5 5 6", "joker four joker", first=1)

    assert play.points() == (1, 0, 1)
    assert play.state.lost[1][FOUR] == 1
    assert heard(play)[2] == ("lost", 1, FOUR, 0)
    assert "four" not in cards_in(play.state.hand[1])


def test_anothers_miss_goes_to_the_active_player_for_one_point():  # pokerdice §4.3
    play = checked("2 2 5 5 6", "long-straight joker four", first=1)

    assert play.points() == (0, 3, 0)
    assert [play.state.captured[1][CARDS[name]] for name in ("long-straight", "four")] == [1, 1]
    assert heard(play)[3:] == [("captured", 1, FOUR, 2), ("captured", 1, CARDS["long-straight"], 0)]


def test_the_active_player_takes_misses_even_after_missing():  # pokerdice §4.3
    play = checked("2 2 5 5 6", "four four joker")

    assert play.points() == (1, 0, 1)


def test_points_are_those_of_the_cards_won_in_all_rounds():  # pokerdice §4.4
    play = checked("2 2 5 5 6", "two-pairs four joker")
    throw(play, "1 1 1 1 4")
    pick(play, "four pair no-odds")
    stop(play)

    # Ada: two pairs 3, Ben's card 1, four of a kind 7. Ben, active in the second round: a pair 1, Cleo's card 1.
    assert play.points() == (11, 2, 1)
    assert play.view(WATCHER).points == [11, 2, 1]


# The end


@pytest.mark.parametrize("n_seats", [2, 3, 4, 5])
def test_the_game_has_ten_rounds_and_every_card_is_played_once(n_seats: int):  # pokerdice §5.1, ruling D2
    play = throwing(n_seats)

    assert whole_game(play) == 10
    assert (play.turn, play.state.phase) == (NOBODY, OVER)
    assert play.state.hand[:n_seats] == [0] * n_seats
    assert play.points() == (EVERY_POINT,) * n_seats


def test_after_the_end_nothing_is_thrown_and_nobody_chooses():  # pokerdice §5.1
    play = throwing(seats=2)
    whole_game(play)

    with refused(play, "chance/not-now"):
        play.happen(1)
    with refused(play, "choice/not-now"):
        play.choose(0, STOP)


@pytest.mark.parametrize(("n_seats", "rounds"), [(2, 10), (3, 9), (4, 8), (5, 10)])
def test_with_equal_turns_everybody_is_active_equally_often(n_seats: int, rounds: int):  # pokerdice §5.2, ruling D2
    play = throwing(n_seats, equal_turns=True)

    assert whole_game(play) == rounds
    assert play.is_over


def test_with_equal_turns_cards_left_in_hand_are_out_of_the_game():  # pokerdice §5.2, ruling D2
    play = throwing(seats=4, equal_turns=True)
    whole_game(play)

    assert [cards_in(hand) for hand in play.state.hand[:4]] == [["long-straight", "four"]] * 4
    assert play.points() == (EVERY_POINT - 14,) * 4


def test_the_most_points_win():  # pokerdice §5.3
    play = throwing(seats=2)

    whole_game(play, {1: ("pair", "four")})  # Ben, active with the dice of the pair, loses his four of a kind

    outcome = play.outcome()
    assert outcome is not None
    assert (outcome.points, outcome.reason) == ((EVERY_POINT, EVERY_POINT - 7), "points")
    assert (outcome.winners, outcome.shares) == ((0,), (1.0, 0.0))
    assert heard(play)[-1] == ("won", seats(0), EVERY_POINT, 0)


@pytest.mark.parametrize(
    ("n_seats", "first", "winner"), [(2, 0, 1), (2, 1, 0), (3, 0, 0), (3, 1, 1), (4, 3, 0), (5, 0, 4)]
)
def test_in_a_draw_the_one_who_was_active_last_wins(n_seats: int, first: int, winner: int):  # pokerdice §5.4, ruling D3
    play = throwing(n_seats, first)

    whole_game(play)

    outcome = play.outcome()
    assert outcome is not None
    assert (outcome.reason, outcome.winners) == ("last-active", (winner,))
    assert outcome.shares == tuple(float(seat == winner) for seat in range(n_seats))
    assert heard(play)[-1] == ("won_later", seats(winner), EVERY_POINT, 0)


def test_a_draw_goes_to_the_latest_active_turn_among_those_who_tie():  # pokerdice §5.4, ruling D3
    play = throwing(seats=4)

    # Ada loses her four of a kind in the first round and Ben his full house in the second: Cleo and Dora tie.
    whole_game(play, {0: ("joker", "four"), 1: ("pair", "full-house")})

    outcome = play.outcome()
    assert outcome is not None
    assert outcome.points == (EVERY_POINT - 7, EVERY_POINT - 5, EVERY_POINT, EVERY_POINT)
    assert outcome.winners == (3,)  # active in the eighth round, Cleo in the seventh


def test_with_equal_turns_too_the_one_who_was_active_last_wins_a_draw():  # pokerdice §5.4, ruling D3
    play = throwing(seats=3, first=1, equal_turns=True)

    whole_game(play)

    outcome = play.outcome()
    assert outcome is not None
    assert outcome.winners == (0,)


# The double game


def test_in_the_double_game_everybody_has_two_sets():  # pokerdice §6.1, ruling D4
    play = throwing(seats=2, variant="double")

    assert play.state.hand[:2] == play.state.second[:2] == [ALL, ALL]


def test_in_the_double_game_any_two_cards_may_be_played_also_equal_ones():  # pokerdice §6.1, ruling D4
    play = choosing(seats=2, variant="double")

    choices = play.view(0).choices

    assert choices == [low * 10 + high for low in range(10) for high in range(low, 10)]
    assert all(GAME.is_legal(play.state, 0, pair) for pair in choices)


def test_two_equal_cards_need_both_of_them():  # pokerdice §6.1, ruling D4
    play = checked("2 2 5 5 6", "pair+four joker+joker", variant="double")
    throw(play, "1 1 1 1 4")

    ada, ben = play.view(0).choices, play.view(1).choices

    assert choice("pair+pair") not in ada
    assert choice("four+four") not in ada
    assert choice("pair+four") in ada
    assert len(ada) == 55 - 2
    assert len(ben) == 55 - 10  # both his jokers are gone
    with refused(play, "choice/illegal"):
        play.choose(0, choice("pair+pair"))


@pytest.mark.parametrize("pair", [PAIR * 10 + JOKER, 100, 109, -1, UNKNOWN, True])
def test_a_pair_of_cards_is_written_in_one_way_only(pair: object):  # pokerdice §6.1
    play = choosing(seats=2, variant="double")

    with refused(play, "choice/illegal"):
        play.choose(0, pair)  # type: ignore[arg-type]


def test_there_is_no_pair_of_cards_behind_the_last_one():  # pokerdice §6.1
    play = choosing(seats=2, variant="double")

    assert GAME.choice_at(play.state, 0, GAME.n_choices(play.state, 0)) == NOTHING


def test_the_double_game_plays_all_twenty_cards_in_ten_rounds():  # pokerdice §6.1, ruling D4
    play = throwing(seats=2, variant="double")

    for name, dice in MEETING.items():
        throw(play, dice)
        pick(play, f"{name}+{name} {name}+{name}")
        stop(play)

    assert play.is_over
    assert play.state.hand[:2] == play.state.second[:2] == [0, 0]
    assert play.points() == (2 * EVERY_POINT, 2 * EVERY_POINT)


def test_both_cards_of_the_active_player_are_turned_up():  # pokerdice §6.2, ruling D4
    play = rethrowing("2 2 5 5 6", "joker+four full-house+pair", first=1, variant="double")

    assert heard(play) == [("turned_up", 1, PAIR, 0), ("turned_up", 1, CARDS["full-house"], 0)]
    assert play.state.shown[:2] == [NOTHING, choice("pair+full-house")]


def test_two_cards_are_picked_together_and_in_no_order():  # pokerdice §6.2, ruling D4
    one = rethrowing("2 2 5 5 6", "pair+four joker+joker", variant="double")
    other = rethrowing("2 2 5 5 6", "four+pair joker+joker", variant="double")

    assert one.state == other.state


def test_each_of_the_two_cards_is_checked_on_its_own():  # pokerdice §6.3, ruling D4
    play = checked("1 1 1 1 4", "four+no-odds joker+no-evens", variant="double")

    assert play.points() == (7 + 1, 1)
    assert heard(play)[2:] == [
        ("lost", 0, CARDS["no-odds"], 0),
        ("scored", 0, FOUR, 7),
        ("scored", 1, JOKER, 1),
        ("captured", 0, CARDS["no-evens"], 1),
    ]


def test_two_equal_cards_that_are_met_score_twice():  # pokerdice §6.3, ruling D4
    play = checked("1 1 1 1 4", "four+four joker+no-evens", variant="double")

    assert play.points() == (15, 1)
    assert play.state.scored[0][FOUR] == 2


def test_two_equal_cards_that_are_missed_are_both_taken():  # pokerdice §6.3, ruling D4
    play = checked("1 2 3 5 6", "joker+pair four+four", variant="double")

    assert play.points() == (3, 0)
    assert (play.state.captured[0][FOUR], play.state.lost[0][PAIR]) == (2, 1)


# What you may know


def test_the_throw_that_everybody_chose_by_stays_open():  # pokerdice §7.2
    play = rethrowing("2 2 5 5 6", "full-house two-pairs four")

    rethrow(play, "5", "1")

    assert (play.state.dice, play.view(1).state.thrown) == ([2, 2, 5, 5, 1], [2, 2, 5, 5, 6])


@pytest.mark.parametrize("person", [True, False])
def test_a_card_face_down_is_known_to_its_owner_only(person: bool):  # pokerdice §7.1
    play = choosing()
    play.choose(1, FOUR)

    assert play.view(1, person=person).state.choice[1] == FOUR
    for viewer in (0, 2, WATCHER):
        assert play.view(viewer, person=person).state.choice[1] == UNKNOWN


@pytest.mark.parametrize("person", [True, False])
def test_nobody_can_see_who_has_picked_or_picked_another_card(person: bool):  # pokerdice §7.1
    play = choosing()
    before = {viewer: looks(play.view(viewer, person=person)) for viewer in (0, WATCHER)}

    play.choose(1, FOUR)
    play.choose(2, PAIR)
    play.choose(1, JOKER)

    assert {viewer: looks(play.view(viewer, person=person)) for viewer in before} == before


@pytest.mark.parametrize("person", [True, False])
def test_the_others_cards_stay_face_down_until_the_dice_are_final(person: bool):  # pokerdice §7.1
    play = rethrowing("2 2 5 5 6", "full-house two-pairs four")
    rethrow(play, "5", "1")

    for viewer in (0, 1, WATCHER):
        view = play.view(viewer, person=person).state
        assert (view.shown[0], view.shown[2], view.choice[2]) == (CARDS["full-house"], NOTHING, UNKNOWN)
        assert view.hand[2] == ALL  # a card face down may still be any of them
    stop(play)
    assert play.view(WATCHER, person=person).state.shown[2] == FOUR


@pytest.mark.parametrize("viewer", [0, 1, WATCHER])
def test_everything_that_was_revealed_is_open_to_people_too(viewer: int):  # pokerdice §7.2, ruling D6
    play = checked("2 2 5 5 6", "full-house two-pairs four")

    view = play.view(viewer, person=True).state

    assert view.dice == [2, 2, 5, 5, 6]
    assert view.score[:3] == [1, 3, 0]
    assert view.scored[1][CARDS["two-pairs"]] == 1
    assert view.lost[0][CARDS["full-house"]] == 1
    assert view.captured[0][FOUR] == 1
    assert cards_in(ALL ^ view.hand[2]) == ["four"]


# Options


def test_the_defaults_are_the_normal_game_ten_rounds_and_a_draw_for_the_first():  # pokerdice §8.1
    play = Play(GAME, 2)

    assert (play.state.variant, play.state.equal_turns, play.state.first_active, play.options) == (0, 0, 0, {})


@pytest.mark.parametrize(
    ("options", "kept"),
    [
        ({"variant": "normal"}, {}),
        ({"variant": "double"}, {"variant": "double"}),
        ({"equal_turns": False}, {}),
        ({"equal_turns": True}, {"equal_turns": True}),
        ({"first_active": "nature"}, {}),
        ({"first_active": "p1"}, {"first_active": "p1"}),
        ({"first_active": "p2"}, {"first_active": "p2"}),
    ],
)
def test_every_value_of_an_option_is_taken_and_a_default_may_be_written_out(  # pokerdice §8.1
    options: dict[str, object], kept: dict[str, object]
):
    assert Play(GAME, 2, options).options == kept


def test_all_options_go_together():  # pokerdice §8.1
    options = {"variant": "double", "equal_turns": True, "first_active": "p2"}

    assert Play(GAME, 2, options).options == options


@pytest.mark.parametrize("name", ["memory", "Variant", "first", ""])
def test_an_unknown_option_is_refused(name: str):  # pokerdice §8.2
    with pytest.raises(BadOption, match="it has variant, equal_turns, first_active") as refusal:
        Play(GAME, 2, {name: "normal"})

    assert refusal.value.code == "option/unknown"


@pytest.mark.parametrize("value", ["triple", "Double", "", 0, 1, True, None])
def test_variant_takes_its_two_words_only(value: object):  # pokerdice §8.2
    with pytest.raises(BadOption, match='option variant takes "normal" or "double"') as refusal:
        Play(GAME, 2, {"variant": value})

    assert refusal.value.code == "option/value"


@pytest.mark.parametrize("n_seats", [3, 4, 5])
def test_more_than_two_can_not_play_double(n_seats: int):  # pokerdice §8.2, ruling D4
    with pytest.raises(BadOption, match='option variant takes "normal"') as refusal:
        Play(GAME, n_seats, {"variant": "double"})

    assert refusal.value.code == "option/value"


@pytest.mark.parametrize("value", [0, 1, 9.0, 1.0, "true", None])
def test_equal_turns_takes_true_or_false_only(value: object):  # pokerdice §8.2
    with pytest.raises(BadOption, match="option equal_turns takes false or true") as refusal:
        Play(GAME, 3, {"equal_turns": value})

    assert refusal.value.code == "option/value"


@pytest.mark.parametrize("value", ["p0", "p4", "P1", "youngest", "", 0, 1, True, 9.0, None])
def test_first_active_takes_nature_or_a_seat_of_the_table_only(value: object):  # pokerdice §8.2
    with pytest.raises(BadOption, match='option first_active takes "nature", "p1", "p2" or "p3"') as refusal:
        Play(GAME, 3, {"first_active": value})

    assert refusal.value.code == "option/value"


# How the game is written down


def replayed(*actions: str, players: int = 3, **options: str) -> Play:
    """A record that was typed by hand, replayed."""
    return records.replay(records.Record(GAME, NAMES[:players], options, records.FULL, actions))


def refused_at(*actions: str, players: int = 3, **options: str) -> int:
    """The number of the action at which a record is refused."""
    with pytest.raises(BadRecord) as refusal:
        replayed(*actions, players=players, **options)
    return refusal.value.action


def test_a_record_begins_with_the_first_active_seat():  # pokerdice §9.1
    play = throwing(first=2)

    assert records.actions_of(play) == ["d first p3"]
    assert replayed("d first p3").state == play.state


def test_a_named_first_seat_is_still_written_and_must_agree():  # pokerdice §9.1
    assert replayed("d first p2", first_active="p2").state.active == 1
    assert refused_at("d first p1", first_active="p2") == 1


@pytest.mark.parametrize(
    "action",
    [
        "d first p4",
        "d first p0",
        "d first p6",
        "d first p7",
        "d first 2",
        "d first",
        "d first p1 p2",
        "d roll 1 2 3 4 5",
    ],
)
def test_a_first_seat_that_is_none_is_refused(action: str):  # pokerdice §9.1
    assert refused_at(action) == 1


def test_a_throw_is_written_face_by_face():  # pokerdice §9.2
    play = choosing("1 3 3 5 6")

    assert records.actions_of(play) == ["d first p1", "d roll 1 3 3 5 6"]
    assert replayed(*records.actions_of(play)).state == play.state


@pytest.mark.parametrize(
    "action",
    [
        "d roll 1 3 3 5",
        "d roll 1 3 3 5 6 6",
        "d roll 1 3 3 5 7",
        "d roll 0 3 3 5 6",
        "d roll 01 3 3 5 6",
        "d roll ? 3 3 5 6",
        "d roll",
        "d throw 1 3 3 5 6",
        "d first p1",
    ],
)
def test_a_throw_that_is_none_is_refused(action: str):  # pokerdice §9.2
    assert refused_at("d first p1", action) == 2


ROUND = ("d first p1", "d roll 2 2 5 5 6", "{ p1 card full-house | p2 card two-pairs | p3 card four }")


def test_the_cards_of_a_round_are_written_when_all_lie():  # pokerdice §9.3
    play = choosing("2 2 5 5 6")
    for seat, name in ((2, "four"), (0, "joker"), (0, "full-house")):
        play.choose(seat, CARDS[name])
    assert records.actions_of(play) == list(ROUND[:2])

    play.choose(1, CARDS["two-pairs"])

    assert records.actions_of(play) == list(ROUND)


@pytest.mark.parametrize("name", list(MEETING))
def test_each_objective_has_its_word(name: str):  # pokerdice §9.3
    play = replayed(*ROUND[:2], f"{{ p1 card {name} | p2 card {name} | p3 card {name} }}")

    assert play.state.shown[0] == CARDS[name]


@pytest.mark.parametrize(
    ("view", "block"),
    [
        ("public", "{ p1 card full-house | p2 card ? | p3 card ? }"),
        ("p1", "{ p1 card full-house | p2 card ? | p3 card ? }"),
        ("p2", "{ p1 card full-house | p2 card two-pairs | p3 card ? }"),
        ("p3", "{ p1 card full-house | p2 card ? | p3 card four }"),
    ],
)
def test_a_viewers_record_has_a_question_mark_for_each_card_not_seen_yet(view: str, block: str):  # pokerdice §9.3
    play = replayed(*ROUND, "p1 rethrow 5", "d roll 1")
    assert records.actions_of(play, view) == [*ROUND[:2], block, "p1 rethrow 5", "d roll 1"]

    stop(play)

    assert records.actions_of(play, view) == records.actions_of(play)


def test_the_two_cards_of_the_double_game_are_written_in_order_and_read_in_any():  # pokerdice §9.3
    block = "{ p1 card four pair | p2 card joker joker }"
    play = replayed(*ROUND[:2], block, players=2, variant="double")

    assert records.actions_of(play)[2] == "{ p1 card pair four | p2 card joker joker }"
    assert records.actions_of(play, "p1")[2] == "{ p1 card pair four | p2 card ? ? }"
    assert records.actions_of(play, "p2") == records.actions_of(play)


@pytest.mark.parametrize("cards", ["pair", "pair four joker", "pair ?", ""])
def test_the_double_game_takes_two_cards_only(cards: str):  # pokerdice §9.3
    block = f"{{ p1 card {cards} | p2 card joker joker }}"

    assert refused_at(*ROUND[:2], block, players=2, variant="double") == 3


@pytest.mark.parametrize(
    "block",
    [
        "{ p1 card full-house | p2 card two-pairs }",
        "{ p1 card full-house | p2 card two-pairs | p3 card ? }",
        "{ p1 card full-house | p2 card two-pairs | p3 card quads }",
        "{ p1 card full-house | p2 card two-pairs | p3 pick four }",
        "{ p1 card full-house | p2 card two-pairs | p3 card four joker }",
        "{ p2 card full-house | p1 card two-pairs | p3 card four }",
        "p1 card full-house",
        "p1 stop",
        "d roll 1 1 1 1 1",
    ],
)
def test_a_block_that_is_none_is_refused(block: str):  # pokerdice §9.3
    assert refused_at(*ROUND[:2], block) == 3


def test_a_rethrow_names_the_positions_of_its_dice():  # pokerdice §9.4
    play = rethrowing("2 2 5 5 6", "full-house two-pairs four")
    rethrow(play, "1 4", "6 2")

    assert records.actions_of(play)[3:] == ["p1 rethrow 1 4", "d roll 6 2"]
    assert replayed(*records.actions_of(play)).state == play.state


def test_keeping_the_dice_is_written_stop():  # pokerdice §9.4
    play = checked("2 2 5 5 6", "full-house two-pairs four")

    assert records.actions_of(play)[3:] == ["p1 stop"]
    assert replayed(*records.actions_of(play)).state == play.state


@pytest.mark.parametrize(
    "action",
    [
        "p1 rethrow",
        "p1 rethrow 4 1",
        "p1 rethrow 1 1",
        "p1 rethrow 0",
        "p1 rethrow 6",
        "p1 rethrow ?",
        "p1 throw 1",
        "p1 stop now",
        "p2 stop",
        "p4 stop",
        "d roll 1",
    ],
)
def test_a_rethrow_that_is_none_is_refused(action: str):  # pokerdice §9.4
    assert refused_at(*ROUND, action) == 4


@pytest.mark.parametrize("throw_", ["d roll 6", "d roll 6 2 3"])
def test_after_a_rethrow_just_the_dice_named_are_written(throw_: str):  # pokerdice §9.4
    assert refused_at(*ROUND, "p1 rethrow 1 4", throw_) == 5


def test_there_is_no_stop_after_the_second_rethrow():  # pokerdice §9.4
    twice = ("p1 rethrow 5", "d roll 1", "p1 rethrow 5", "d roll 5")

    assert replayed(*ROUND, *twice).state.round == 2
    assert refused_at(*ROUND, *twice, "p1 stop") == 8


def test_a_record_has_points_and_at_the_end_one_share():  # pokerdice §9.5
    play = throwing(seats=2)
    assert "shares" not in records.write(play, NAMES[:2])

    whole_game(play)

    text = records.write(play, NAMES[:2])
    assert f"points = [{EVERY_POINT}, {EVERY_POINT}]\nshares = [0.0, 1.0]\n" in text
    assert records.replay(records.read(text)).state == play.state


def test_the_record_in_the_rulebook_replays_to_its_result():  # pokerdice §9.5
    text = RULEBOOK.read_text(encoding="utf-8").partition("```toml\n")[2].partition("```")[0]

    play = records.replay(records.read(text))

    assert play.points() == (6, 3, 0)
    assert records.write(play, NAMES[:3]) == text


# Twins


def games_at_random(rng: random.Random, n_seats: int, **options: object) -> Iterator[Play]:
    """Every moment of a game in which everybody chooses at random."""
    play = Play(GAME, n_seats, options)
    chance = Seeded(rng.random().hex())
    while not play.is_over:
        if not advance(play, chance):
            seat = rng.choice([seat for seat in range(n_seats) if play.turn >> seat & 1])
            play.choose(seat, rng.choice(play.view(seat).choices))
        yield play


@pytest.mark.parametrize(("n_seats", "variant"), [(2, "normal"), (2, "double"), (3, "normal"), (5, "normal")])
@pytest.mark.parametrize("person", [True, False])
def test_a_twin_differs_but_not_for_its_viewer(n_seats: int, variant: str, person: bool):  # pokerdice §7.1
    rng = random.Random(f"{n_seats} {variant} {person}")
    differs = tried = 0

    for play in games_at_random(rng, n_seats, variant=variant):
        viewer = rng.randint(WATCHER, n_seats - 1)
        other = play.copy()
        other.state = twin(play, viewer, person, rng)
        assert looks(other.view(viewer, person=person)) == looks(play.view(viewer, person=person))
        assert other.turn == play.turn
        if play.state.phase in (CHOOSING, RETHROWING):
            tried += 1
            differs += packed(other.state) != packed(play.state)

    assert differs > tried // 3 > 5


@pytest.mark.parametrize("variant", ["normal", "double"])
def test_the_cards_of_a_twin_may_be_played(variant: str):  # pokerdice §2.3
    rng = random.Random(variant)

    for play in games_at_random(rng, 2, variant=variant):
        state = twin(play, WATCHER, True, rng)
        for seat, card in enumerate(state.choice[:2]):
            if card != NOTHING:
                assert card in cards_to_play(play.state, seat)
        if state.phase == CHOOSING:
            assert cards_to_play(state, 0) == play.view(0).choices
