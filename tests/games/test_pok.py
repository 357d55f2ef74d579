"""POK, one rule a test. § marks: docs/rules/pok.md."""

import random
from collections import Counter
from collections.abc import Collection, Iterator
from fractions import Fraction
from itertools import product
from pathlib import Path

import pytest

from pokade import records
from pokade.chance import Seeded, advance, exhaust
from pokade.games import pok
from pokade.games.errors import BadOption, BadRecord, BadSeats
from pokade.games.play import Play, View
from pokade.games.pok import BLANK, CHOOSING, DISC, GAME, OVER, SQUARE, SYMBOLS, THROWING, TRIANGLE, PokState
from pokade.games.state import CHANCE, NOBODY, NOTHING, UNKNOWN, WATCHER, copied, packed
from tests.games.doors import heard, refused

RULEBOOK = Path(__file__).parents[2] / "docs" / "rules" / "pok.md"
NAMES = ("Ada", "Ben", "Cleo", "Dora", "Emil", "Fay", "Gus")
LETTERS = {"O": DISC, "S": SQUARE, "T": TRIANGLE, "-": BLANK}


def throwing(seats: int = 4, hands: str = "", **options: object) -> Play:
    """A game whose dice are due; `hands` gives what each seat has left ("OO SST T …") in the place of all six."""
    play = Play(GAME, seats, options)
    for seat, hand in enumerate(hands.split()):
        play.state.counters[seat] = [hand.count(letter) for letter in "OST"]
        play.state.left[seat] = len(hand)
    return play


def throw(play: Play, dice: str) -> None:
    """The three dice lie: "T OO -" is a triangle, two discs and a blank."""
    for face in dice.split():
        play.happen(LETTERS[face[0]])


def choosing(dice: str = "O OO -", seats: int = 4, hands: str = "", **options: object) -> Play:
    """A game in which the dice lie and everybody has to choose."""
    play = throwing(seats, hands, **options)
    throw(play, dice)
    return play


def show(play: Play, symbols: str) -> None:
    """Everybody chooses, in seat order, and so all hands open."""
    for seat, letter in enumerate(symbols.split()):
        play.choose(seat, LETTERS[letter])


def shown(dice: str, symbols: str, hands: str = "", **options: object) -> Play:
    """A game after one round."""
    play = choosing(dice, len(symbols.split()), hands, **options)
    show(play, symbols)
    return play


def handed_over(play: Play) -> list[int]:
    """Which seats have just handed a counter over, as 0 and 1."""
    return [play.state.gone >> seat & 1 for seat in range(play.n_seats)]


def words_heard(play: Play) -> list[str]:
    return [name for name, *_ in heard(play)]


def seats(*members: int) -> int:
    """A bit set."""
    return sum(1 << seat for seat in members)


def looks(view: View) -> list[int]:
    """Every cell of a view."""
    return packed(view.state)


def hands_that_fit(state: PokState, seat: int) -> list[list[int]]:
    """§1.2, §5.2: what a rival may have, given how many counters it has and what the last reveal did with them."""
    fitting = []
    for hand in product(range(3), repeat=3):
        fits = sum(hand) == state.left[seat]
        symbol = state.shown[seat]
        if symbol != NOTHING:  # taken back: it is still there; handed over: no longer both of them
            fits = fits and (hand[symbol] <= 1 if state.gone >> seat & 1 else hand[symbol] >= 1)
        if fits:
            fitting.append(list(hand))
    return fitting


def is_stuck(state: PokState) -> bool:
    """§4.4: four or more players have one symbol left between them."""
    return state.n_seats >= 4 and sum(any(hand[s] for hand in state.counters) for s in range(SYMBOLS)) == 1


def twin(play: Play, viewer: int, person: bool, rng: random.Random) -> PokState:
    """A state that the viewer can't tell from this one."""
    return twin_for(play, {viewer}, person, rng)


def twin_for(play: Play, group: Collection[int], person: bool, rng: random.Random) -> PokState:
    """What no seat of a group can tell: other fists (§5.1), for forgetful people other hands (§5.3)."""
    state = copied(play.state)
    rivals = [seat for seat in range(state.n_seats) if seat not in group]
    # A dead position gives itself away: all have the same two counters, and the last reveal shows which.
    if person and play.options.get("memory") != "assisted" and state.ending != pok.DEAD_POSITION:
        _deal_again(state, rivals, rng)
    if state.phase == CHOOSING:
        _close_other_fists(state, rivals, rng)
    return state


def _deal_again(state: PokState, rivals: list[int], rng: random.Random) -> None:
    while True:
        for seat in rivals:
            state.counters[seat] = rng.choice(hands_that_fit(state, seat))
        if state.ending == pok.FIVE or not is_stuck(state):  # else the game would have ended before
            return


def _close_other_fists(state: PokState, rivals: list[int], rng: random.Random) -> None:
    ours = [seat for seat in range(state.n_seats) if seat not in rivals]
    own = [seat for seat in ours if state.chosen >> seat & 1]
    most = len(rivals) if len(own) < len(ours) else len(rivals) - 1  # with all fists closed, all would open
    closed = rng.sample(rivals, rng.randint(0, max(most, 0)))
    state.chosen = seats(*closed, *own)
    for seat in rivals:
        symbols = [symbol for symbol in range(SYMBOLS) if state.counters[seat][symbol]]
        state.choice[seat] = rng.choice(symbols) if seat in closed else NOTHING


def is_between_rounds(state: PokState) -> bool:
    """§2: the fists have been opened, and the dice are still to come."""
    return state.phase == pok.THROWING


def keeps(state: PokState, seat: int) -> list[int]:
    """§5.3: what a seat has of its own between two rounds: its counters, all of which were shown at some time."""
    return state.counters[seat][:]


def conserved(state: PokState) -> tuple[int, ...]:
    """§1.2, §3.6: what a seat has left is what its counters say, and that is all it counts as left."""
    return tuple(sum(state.counters[seat]) - state.left[seat] for seat in range(state.n_seats))


# What you need


@pytest.mark.parametrize("n_seats", [3, 4, 5, 6, 7])
def test_three_to_seven_play(n_seats: int):  # pok §1.1
    assert Play(GAME, n_seats).n_seats == n_seats


@pytest.mark.parametrize("n_seats", [0, 2, 8, -3, True, 3.0, "3", None])
def test_any_other_number_of_players_is_refused(n_seats: object):  # pok §1.1
    with pytest.raises(BadSeats, match="POK is played by 3 to 7") as refusal:
        Play(GAME, n_seats)  # type: ignore[arg-type]

    assert refusal.value.code == "seats/number"


def test_everybody_starts_with_two_counters_of_each_symbol():  # pok §1.2
    play = throwing(seats=5)

    assert play.state.counters[:5] == [[2, 2, 2]] * 5
    assert play.state.left[:5] == [6] * 5
    assert play.state.round == 1


def test_the_ones_show_each_symbol_on_two_faces_and_are_never_blank():  # pok §1.3
    play = throwing()

    assert play.chances() == {DISC: 2, SQUARE: 2, TRIANGLE: 2}


@pytest.mark.parametrize("earlier", [[DISC], [DISC, BLANK]])
def test_the_twos_and_threes_show_each_symbol_once_and_are_blank_on_three_faces(earlier: list[int]):  # pok §1.3
    play = throwing()
    for face in earlier:
        play.happen(face)

    assert play.chances() == {DISC: 1, SQUARE: 1, TRIANGLE: 1, BLANK: 3}


def test_the_weight_of_a_face_is_the_number_of_its_tickets():  # pok §1.3
    play = throwing()
    for face in (DISC, SQUARE, BLANK):
        weights = {outcome: GAME.weight(play.state, outcome) for outcome in range(-2, 6)}
        assert {outcome: weight for outcome, weight in weights.items() if weight} == play.chances()
        play.happen(face)


def test_there_are_216_equally_likely_throws_and_48_distinct_ones():  # pok §1.3
    ones, twos, threes = "OOSSTT", "OST---", "OST---"
    expected = Counter(tuple(LETTERS[face] for face in dice) for dice in product(ones, twos, threes))

    throws = {tuple(play.state.dice): chance for play, chance in exhaust(throwing())}

    assert throws == {dice: Fraction(count, 216) for dice, count in expected.items()}
    assert (sum(expected.values()), len(throws)) == (216, 48)


# A round


def test_the_three_dice_are_thrown_together_and_told_to_all():  # pok §2.1
    play = throwing()
    assert (play.turn, GAME.together(play.state)) == (CHANCE, 3)

    throw(play, "T OO -")

    assert play.state.dice == [TRIANGLE, DISC, BLANK]
    assert heard(play) == [("thrown", TRIANGLE, DISC, BLANK)]
    assert play.state.phase == CHOOSING


def test_the_next_throw_clears_the_last_one():  # pok §2.1
    play = shown("S SS SSS", "O T O T")

    play.happen(DISC)

    assert play.state.dice == [DISC, BLANK, BLANK]
    assert GAME.together(play.state) == 2


@pytest.mark.parametrize("outcome", [BLANK, 4, -1, UNKNOWN, True, 1.0, "O"])
def test_a_face_that_the_ones_do_not_have_is_refused(outcome: object):  # pok §2.1
    play = throwing()

    with refused(play, "chance/impossible"):
        play.happen(outcome)  # type: ignore[arg-type]


@pytest.mark.parametrize("outcome", [4, -1])
def test_a_face_that_the_twos_do_not_have_is_refused(outcome: int):  # pok §2.1
    play = throwing()
    play.happen(DISC)

    with refused(play, "chance/impossible"):
        play.happen(outcome)


def test_nothing_is_thrown_while_players_choose():  # pok §2.1
    play = choosing()

    with refused(play, "chance/not-now"):
        play.happen(DISC)


def test_a_blank_die_asks_for_nothing():  # pok §2.2
    play = shown("T - -", "O O S S")

    # Nobody shows the triangle, and two discs or two squares are no challenge here: all stayed away.
    assert handed_over(play) == [0, 0, 0, 0]
    assert "met" not in words_heard(play)


@pytest.mark.parametrize(
    ("dice", "symbols", "met"),
    [
        ("O SS TTT", "O S S T T T", [DISC, SQUARE, TRIANGLE]),
        ("T OO SSS", "T O O S S S", [TRIANGLE, DISC, SQUARE]),
    ],
)
def test_a_die_asks_for_its_own_number_of_its_symbol(dice: str, symbols: str, met: list[int]):  # pok §2.2
    play = shown(dice, symbols)

    challenges = [(what, more) for name, _, what, more in heard(play) if name == "met"]
    assert challenges == list(zip(met, (1, 2, 3), strict=True))
    assert handed_over(play) == [1] * 6


def test_one_may_choose_any_counter_one_still_has():  # pok §2.3
    play = choosing(hands="OOSSTT OT SS T")

    choices = [play.view(seat).choices for seat in range(4)]

    assert choices == [[DISC, SQUARE, TRIANGLE], [DISC, TRIANGLE], [SQUARE], [TRIANGLE]]
    assert all(GAME.is_legal(play.state, seat, choice) for seat in range(4) for choice in choices[seat])


def test_there_is_no_choice_behind_the_last_one():  # pok §2.3
    play = choosing(hands="OT OT OT OT")

    assert GAME.choice_at(play.state, 0, GAME.n_choices(play.state, 0)) == NOTHING


@pytest.mark.parametrize("choice", [SQUARE, BLANK, -1, UNKNOWN, 99, True, 0.0, "pick S", None])
def test_a_counter_that_one_does_not_have_is_refused(choice: object):  # pok §2.3
    play = choosing(hands="OOTT OS OS OS")

    with refused(play, "choice/illegal"):
        play.choose(0, choice)  # type: ignore[arg-type]


def test_nobody_chooses_before_the_dice_lie():  # pok §2.3
    play = throwing()

    with refused(play, "choice/not-now"):
        play.choose(0, DISC)
    assert play.view(0).choices == []


@pytest.mark.parametrize("seat", [-1, 4, 7])
def test_nobody_chooses_for_a_seat_that_is_not_there(seat: int):  # pok §2.3
    play = choosing(seats=4)

    with refused(play, "choice/no-seat"):
        play.choose(seat, DISC)


def test_all_hands_open_when_the_last_fist_is_closed():  # pok §2.4
    play = choosing("O OO -", seats=4)
    for seat, symbol in ((2, DISC), (0, SQUARE), (3, TRIANGLE)):
        play.choose(seat, symbol)
    assert play.state.shown[:4] == [NOTHING] * 4

    play.choose(1, SQUARE)

    assert play.state.shown[:4] == [SQUARE, SQUARE, DISC, TRIANGLE]
    assert heard(play)[:3] == [
        ("shown", seats(2), DISC, 0),
        ("shown", seats(0, 1), SQUARE, 0),
        ("shown", seats(3), TRIANGLE, 0),
    ]


def test_nothing_of_a_round_is_left_in_the_fists():  # pok §2.4
    play = shown("O OO -", "O S S T")

    assert play.state.choice[:4] == [NOTHING] * 4
    assert play.state.chosen == 0


def test_one_may_change_ones_mind_while_a_fist_is_still_open():  # pok §2.5
    play = choosing("O OO -", seats=3)
    play.choose(0, DISC)
    play.choose(1, DISC)

    play.choose(0, TRIANGLE)
    play.choose(0, SQUARE)
    play.choose(2, TRIANGLE)

    assert play.state.shown[:3] == [SQUARE, DISC, TRIANGLE]


def test_everybody_may_choose_until_all_have():  # pok §2.5
    play = choosing(seats=3)

    play.choose(1, DISC)

    assert play.turn == seats(0, 1, 2)
    assert play.view(1).choices == [DISC, SQUARE, TRIANGLE]


# Who hands over


def test_exactly_as_many_as_a_die_asks_for_hand_over():  # pok §3.1
    play = shown("T OO -", "O O S T")

    assert handed_over(play) == [1, 1, 0, 1]
    assert heard(play)[3:] == [
        ("met", seats(3), TRIANGLE, 1),
        ("met", seats(0, 1), DISC, 2),
        ("handed_over", seats(0, 1, 3), 3, 0),
    ]


@pytest.mark.parametrize(
    ("dice", "symbols", "gone"),
    [
        ("O - -", "S S S O", [0, 0, 0, 1]),
        ("O SS -", "S S T T", [1, 1, 0, 0]),
        ("O - SSS", "S S S T", [1, 1, 1, 0]),
        ("O - SSS", "S S T T", [0, 0, 1, 1]),  # one too few: the triangles are on no die
        ("O - SSS", "S S S S", [0, 0, 0, 0]),  # one too many
    ],
)
def test_one_fewer_or_one_more_than_a_die_asks_for_is_not_enough(dice: str, symbols: str, gone: list[int]):  # pok §3.1
    play = shown(dice, symbols)

    assert handed_over(play) == gone


def test_two_dice_with_the_same_symbol_are_never_added():  # pok §3.2
    play = choosing(dice="O OO -", seats=4)

    show(play, "O O O T")

    assert handed_over(play) == [0, 0, 0, 1]


@pytest.mark.parametrize(
    ("symbols", "gone"),
    [
        ("O S S T T", [1, 0, 0, 0, 0]),
        ("O O S T T", [1, 1, 0, 0, 0]),
        ("O O O S T", [1, 1, 1, 0, 0]),
        ("O O O O T", [0, 0, 0, 0, 1]),
    ],
)
def test_three_dice_with_the_same_symbol_are_met_by_one_two_or_three_of_it(symbols: str, gone: list[int]):  # pok §3.2
    play = shown("O OO OOO", symbols)

    assert handed_over(play) == gone


def test_if_no_challenge_is_met_the_symbols_on_no_die_are_handed_over():  # pok §3.3
    play = shown("O SS -", "S S T S")

    assert handed_over(play) == [0, 0, 1, 0]
    assert words_heard(play)[-2:] == ["absent", "handed_over"]


def test_all_symbols_on_no_die_are_handed_over_alike():  # pok §3.3
    play = shown("O OO -", "S T T O O O")

    assert handed_over(play) == [1, 1, 1, 0, 0, 0]
    assert heard(play)[-2] == ("absent", seats(0, 1, 2), 0, 0)


def test_if_everybody_stays_away_nobody_hands_over():  # pok §3.4
    play = shown("O OO OOO", "S S T T")

    assert handed_over(play) == [0, 0, 0, 0]
    assert heard(play)[-1] == ("all_absent", seats(0, 1, 2, 3), 0, 0)


def test_a_symbol_on_no_die_is_worth_nothing_as_soon_as_one_challenge_is_met():  # pok §3.5
    play = shown("O OO -", "O T S T")

    assert handed_over(play) == [1, 0, 0, 0]
    assert "absent" not in words_heard(play)


def test_a_counter_handed_over_leaves_the_game_and_all_others_go_back():  # pok §3.6
    play = shown("T OO -", "O O S T")

    assert play.state.counters[:4] == [[1, 2, 2], [1, 2, 2], [2, 2, 2], [2, 2, 1]]
    assert play.state.left[:4] == [5, 5, 6, 5]


def test_if_every_symbol_is_on_the_dice_and_nothing_is_met_nobody_hands_over():  # pok §3.7, ruling P2
    play = shown("O SS TTT", "O O S T")

    assert handed_over(play) == [0, 0, 0, 0]
    assert heard(play)[-1] == ("nothing_met", 0, 0, 0)


@pytest.mark.parametrize(("dice", "symbols"), [("O SS TTT", "O O S T"), ("O - -", "S S T T"), ("O - -", "O S S S")])
def test_every_round_counts_whoever_hands_over(dice: str, symbols: str):  # pok §3.7, ruling P2
    play = shown(dice, symbols)

    assert (play.state.round, play.state.phase) == (2, THROWING)


# The end


def test_the_first_to_hand_over_five_of_six_wins():  # pok §4.1
    play = shown("O - -", "O S S T", hands="OO OSSTT OSSTT OSSTT")

    outcome = play.outcome()

    assert outcome is not None
    assert (outcome.reason, outcome.winners, outcome.shares) == ("five", (0,), (1.0, 0.0, 0.0, 0.0))
    assert heard(play)[-1] == ("won", seats(0), 0, 0)


def test_four_handed_over_are_not_enough():  # pok §4.1
    play = shown("O - -", "O S S T", hands="OOT OSSTT OSSTT OSSTT")

    assert not play.is_over
    assert play.outcome() is None
    assert play.turn == CHANCE


def test_after_the_end_nothing_is_thrown_and_nobody_chooses():  # pok §4.1
    play = shown("O - -", "O S S T", hands="OO OSSTT OSSTT OSSTT")

    assert (play.turn, play.state.phase, play.chances()) == (NOBODY, OVER, {})
    with refused(play, "chance/not-now"):
        play.happen(DISC)
    with refused(play, "choice/not-now"):
        play.choose(0, DISC)


def test_those_who_reach_five_in_the_same_round_share_the_win():  # pok §4.2, rulings P1 and P5
    play = shown("T OO -", "O O S T", hands="OS OT SSTT TT")

    outcome = play.outcome()

    assert outcome is not None
    assert outcome.winners == (0, 1, 3)
    assert outcome.shares == (1 / 3, 1 / 3, 0.0, 1 / 3)
    assert heard(play)[-1] == ("drawn", seats(0, 1, 3), 0, 0)


def test_only_those_with_five_share_a_tie():  # pok §4.2, ruling P1
    play = shown("T OO -", "O O S T", hands="OS OT SSTT OTT")

    outcome = play.outcome()

    assert outcome is not None
    assert outcome.shares == (0.5, 0.5, 0.0, 0.0)


def test_points_are_the_counters_handed_over():  # pok §4.3
    play = shown("T OO -", "O O S T", hands="OOSSTT OOT SST OST")

    assert play.points() == (1, 4, 3, 4)
    assert play.view(2).points == [1, 4, 3, 4]


@pytest.mark.parametrize("n_seats", [4, 5, 6, 7])
def test_one_symbol_left_at_the_table_ends_the_game_and_all_share(n_seats: int):  # pok §4.4, ruling P4
    others = n_seats - 1
    play = shown("T SS -", "T" + " O" * others, hands="OOT" + " OO" * others)

    outcome = play.outcome()

    assert outcome is not None
    assert (outcome.reason, outcome.winners) == ("dead", tuple(range(n_seats)))
    assert outcome.shares == (1 / n_seats,) * n_seats
    assert words_heard(play)[-2:] == ["dead", "drawn"]


@pytest.mark.parametrize("n_seats", [4, 5, 6, 7])
def test_in_a_dead_position_no_throw_would_move_anything(n_seats: int):  # pok §4.4, ruling P4
    for play, _ in exhaust(throwing(n_seats, hands="SS " * n_seats)):
        show(play, "S " * n_seats)
        assert handed_over(play) == [0] * n_seats


def test_three_players_with_one_symbol_left_play_on():  # pok §4.4, ruling P4
    play = shown("T SS -", "T O O", hands="OOT OO OO")
    assert not play.is_over

    throw(play, "T SS OOO")
    show(play, "O O O")

    assert handed_over(play) == [1, 1, 1]


@pytest.mark.parametrize(
    "hands",
    [
        "OOT OO OO SS",  # all have two, but not of one symbol
        "OOT OO OO OS",  # a mixed pair
        "OOT OO OO OOS",  # one symbol, but for a square
    ],
)
def test_a_second_symbol_anywhere_keeps_the_game_alive(hands: str):  # pok §4.4, ruling P4
    play = shown("T SS -", "T O O O" if hands[-2:] != "SS" else "T O O S", hands=hands)

    assert not play.is_over


def test_a_game_ends_after_its_last_round_and_the_most_handed_over_win():  # pok §4.5, ruling P4
    play = shown("O - -", "O S S T", max_rounds=1)

    outcome = play.outcome()

    assert outcome is not None
    assert (outcome.reason, outcome.winners, outcome.shares) == ("stopped", (0,), (1.0, 0.0, 0.0, 0.0))
    assert heard(play)[-2:] == [("stopped", seats(0), 1, 0), ("won", seats(0), 0, 0)]


def test_several_who_have_handed_over_the_most_share_after_the_last_round():  # pok §4.5, ruling P4
    play = shown("T OO -", "O O S T", max_rounds=1)

    outcome = play.outcome()

    assert outcome is not None
    assert outcome.shares == (1 / 3, 1 / 3, 0.0, 1 / 3)
    assert heard(play)[-1] == ("drawn", seats(0, 1, 3), 0, 0)


def test_the_last_round_is_the_one_that_the_option_names():  # pok §4.5
    play = throwing(max_rounds=3)

    for last in (False, False, True):
        throw(play, "O - -")
        show(play, "S S T T")
        assert play.is_over is last


def test_five_handed_over_come_before_the_last_round():  # pok §4.5
    play = shown("O - -", "O S S T", hands="OO OSSTT OSSTT OSSTT", max_rounds=1)

    outcome = play.outcome()

    assert outcome is not None
    assert outcome.reason == "five"


def test_a_dead_position_comes_before_the_last_round():  # pok §4.5
    play = shown("T SS -", "T O O O", hands="OOT OO OO OO", max_rounds=1)

    outcome = play.outcome()

    assert outcome is not None
    assert outcome.reason == "dead"


# What you may know


@pytest.mark.parametrize("person", [True, False])
def test_a_counter_in_a_fist_is_known_to_its_owner_only(person: bool):  # pok §5.1
    play = choosing()
    play.choose(1, TRIANGLE)

    assert play.view(1, person=person).state.choice[1] == TRIANGLE
    for viewer in (0, 2, 3, WATCHER):
        assert play.view(viewer, person=person).state.choice[1] == UNKNOWN


@pytest.mark.parametrize("person", [True, False])
def test_nobody_can_see_who_has_chosen_or_changed_their_mind(person: bool):  # pok §5.1
    play = choosing()
    before = {viewer: looks(play.view(viewer, person=person)) for viewer in (0, 2, WATCHER)}

    play.choose(1, TRIANGLE)
    play.choose(3, DISC)
    play.choose(1, SQUARE)

    assert {viewer: looks(play.view(viewer, person=person)) for viewer in before} == before


@pytest.mark.parametrize("viewer", [0, 3, WATCHER])
def test_everybody_knows_the_dice_the_numbers_left_and_the_last_reveal(viewer: int):  # pok §5.2
    play = shown("T OO -", "O O S T")
    throw(play, "S - TTT")

    view = play.view(viewer, person=True).state

    assert view.dice == [SQUARE, BLANK, TRIANGLE]
    assert view.left[:4] == [5, 5, 6, 5]
    assert view.shown[:4] == [DISC, DISC, SQUARE, TRIANGLE]
    assert view.showing == [seats(0, 1), seats(2), seats(3)]
    assert (view.shown_dice, view.gone) == ([TRIANGLE, DISC, BLANK], seats(0, 1, 3))


def test_with_strict_memory_people_see_their_own_counters_only():  # pok §5.3, ruling P3
    play = shown("T OO -", "O O S T", memory="strict")

    assert play.view(3, person=True).state.counters[:4] == [[UNKNOWN] * 3] * 3 + [[2, 2, 1]]
    assert play.view(WATCHER, person=True).state.counters[:4] == [[UNKNOWN] * 3] * 4


def test_with_strict_memory_people_can_still_choose():  # pok §5.3, ruling P3
    play = choosing(hands="OT OOSSTT OOSSTT OOSSTT")

    assert play.view(0, person=True).choices == [DISC, TRIANGLE]
    assert play.view(WATCHER, person=True).choices == []


def after_two_rounds(first: str, **options: object) -> Play:
    """Seat 0 hands one counter over, of the symbol given; then comes a round that moves nothing."""
    play = shown(f"{first} - -", f"{first} S S", **options)
    throw(play, "S - -")
    show(play, "S S S")
    return play


@pytest.mark.parametrize("viewer", [1, 2, WATCHER])
def test_with_strict_memory_older_reveals_are_gone(viewer: int):  # pok §5.3, ruling P3
    disc, triangle = after_two_rounds("O"), after_two_rounds("T")

    assert looks(disc.view(viewer, person=True)) == looks(triangle.view(viewer, person=True))
    assert looks(disc.view(viewer)) != looks(triangle.view(viewer))


@pytest.mark.parametrize("viewer", [1, 2, WATCHER])
def test_with_assisted_memory_people_see_every_rivals_counters(viewer: int):  # pok §5.3, ruling P3
    play = after_two_rounds("O", memory="assisted")

    view = play.view(viewer, person=True).state

    assert view.counters[:3] == [[1, 2, 2], [2, 2, 2], [2, 2, 2]]


@pytest.mark.parametrize("memory", ["strict", "assisted"])
def test_bots_remember_all_that_was_revealed(memory: str):  # pok §5.4, ruling P3
    play = after_two_rounds("T", memory=memory)

    assert play.view(1).state.counters[:3] == [[2, 2, 1], [2, 2, 2], [2, 2, 2]]


def test_bots_see_no_fist_open_earlier():  # pok §5.4
    play = choosing(seats=3)
    play.choose(0, DISC)

    assert play.view(1).state.choice[0] == UNKNOWN
    assert play.view(1).state.counters[0] == [2, 2, 2]


# Options


def test_the_defaults_are_strict_memory_and_200_rounds():  # pok §6.1
    play = throwing()

    assert (play.state.memory, play.state.max_rounds, play.options) == (0, 200, {})


@pytest.mark.parametrize(
    ("options", "kept"),
    [
        ({"memory": "strict"}, {}),
        ({"memory": "assisted"}, {"memory": "assisted"}),
        ({"max_rounds": 1}, {"max_rounds": 1}),
        ({"max_rounds": 200}, {}),
        ({"max_rounds": 10_000}, {"max_rounds": 10_000}),
    ],
)
def test_every_value_of_an_option_is_taken_and_a_default_may_be_written_out(  # pok §6.1
    options: dict[str, object], kept: dict[str, object]
):
    assert Play(GAME, 3, options).options == kept


@pytest.mark.parametrize("name", ["rounds", "Memory", "equal_turns", ""])
def test_an_unknown_option_is_refused(name: str):  # pok §6.2
    with pytest.raises(BadOption, match="it has memory, max_rounds") as refusal:
        Play(GAME, 3, {name: "strict"})

    assert refusal.value.code == "option/unknown"
    assert ascii(name) in str(refusal.value)


@pytest.mark.parametrize("value", ["perfect", "Strict", "", 0, 1, True, None, ["strict"]])
def test_memory_takes_its_two_words_only(value: object):  # pok §6.2
    with pytest.raises(BadOption, match='option memory takes "strict" or "assisted"') as refusal:
        Play(GAME, 3, {"memory": value})

    assert refusal.value.code == "option/value"


@pytest.mark.parametrize("value", [0, -1, 10_001, 9.0, True, False, "9", None])
def test_max_rounds_takes_a_whole_number_from_1_to_10000_only(value: object):  # pok §6.2
    with pytest.raises(BadOption, match="option max_rounds takes a whole number from 1 to 10000") as refusal:
        Play(GAME, 3, {"max_rounds": value})

    assert refusal.value.code == "option/value"


# How the game is written down


def record_of(*actions: str, players: int = 4) -> records.Record:
    """A record that was typed by hand."""
    return records.Record(GAME, NAMES[:players], {}, records.FULL, actions)


@pytest.mark.parametrize("dice", ["T OO -", "S - TTT", "O SS OOO", "O - -", "T TT TTT"])
def test_a_throw_is_written_die_by_die(dice: str):  # pok §7.1
    play = choosing(dice)

    assert records.actions_of(play) == [f"d roll {dice}"]
    assert records.replay(record_of(f"d roll {dice}")).state == play.state


@pytest.mark.parametrize(
    "action",
    [
        "d roll - OO -",
        "d roll OO O -",
        "d roll O OOO -",
        "d roll O OO --",
        "d roll o OO -",
        "d roll ? OO -",
        "d roll O OO",
        "d roll O OO - -",
        "d roll",
        "d deal O OO -",
    ],
)
def test_a_throw_that_is_none_is_refused(action: str):  # pok §7.1
    with pytest.raises(BadRecord) as refusal:
        records.replay(record_of(action))

    assert refusal.value.action == 1


def test_the_counters_of_a_round_are_written_when_all_are_shown():  # pok §7.2
    play = choosing("T OO -", seats=3)
    for seat, symbol in ((2, TRIANGLE), (0, SQUARE), (0, DISC)):
        play.choose(seat, symbol)
    assert records.actions_of(play) == ["d roll T OO -"]

    play.choose(1, SQUARE)

    assert records.actions_of(play)[1:] == ["{ p1 pick O | p2 pick S | p3 pick T }"]


@pytest.mark.parametrize("view", ["public", "p1", "p3"])
def test_a_record_for_a_viewer_hides_nothing_since_all_was_shown(view: str):  # pok §7.2
    play = shown("T OO -", "O O S T")

    assert records.actions_of(play, view) == records.actions_of(play)


@pytest.mark.parametrize(
    "block",
    [
        "{ p1 pick O | p2 pick O | p3 pick S }",
        "{ p1 pick O | p2 pick O | p3 pick S | p4 pick ? }",
        "{ p1 pick O | p2 pick O | p3 pick S | p4 pick X }",
        "{ p1 pick O | p2 pick O | p3 pick S | p4 card T }",
        "{ p1 pick O | p2 pick O | p3 pick S | p4 pick T T }",
        "{ p2 pick O | p1 pick O | p3 pick S | p4 pick T }",
        "p1 pick O",
        "d roll T OO -",
    ],
)
def test_a_block_that_is_none_is_refused(block: str):  # pok §7.2
    with pytest.raises(BadRecord) as refusal:
        records.replay(record_of("d roll T OO -", block))

    assert refusal.value.action == 2


def test_a_counter_that_is_gone_can_not_be_picked_in_a_record():  # pok §7.2
    discs = ("d roll O - -", "{ p1 pick O | p2 pick S | p3 pick S }")

    with pytest.raises(BadRecord) as refusal:
        records.replay(record_of(*discs, *discs, *discs, players=3))

    assert refusal.value.action == 6


def test_a_record_has_points_and_at_the_end_shares():  # pok §7.3
    play = choosing("T OO -", max_rounds=1)
    assert "points = [0, 0, 0, 0]" in records.write(play, NAMES[:4])
    assert "shares" not in records.write(play, NAMES[:4])

    show(play, "O O S T")

    text = records.write(play, NAMES[:4])
    assert "points = [1, 1, 0, 1]" in text
    assert f"shares = [{1 / 3}, {1 / 3}, 0.0, {1 / 3}]" in text
    assert records.replay(records.read(text)).state == play.state


def test_the_record_in_the_rulebook_replays_to_its_result():  # pok §7.3
    text = RULEBOOK.read_text(encoding="utf-8").partition("```toml\n")[2].partition("```")[0]

    play = records.replay(records.read(text))

    assert play.points() == (2, 1, 2, 1)
    assert records.write(play, NAMES[:4]) == text


# Twins


def games_at_random(rng: random.Random, **options: object) -> Iterator[Play]:
    """Every moment of a game in which everybody chooses at random."""
    play = Play(GAME, rng.randint(3, 7), options)
    chance = Seeded(rng.random().hex())
    while not play.is_over:
        if not advance(play, chance):
            seat = rng.randrange(play.n_seats)
            play.choose(seat, rng.choice(play.view(seat).choices))
        yield play


@pytest.mark.parametrize("memory", ["strict", "assisted"])
@pytest.mark.parametrize("person", [True, False])
def test_a_twin_differs_but_not_for_its_viewer(memory: str, person: bool):  # pok §5.1, §5.3
    rng = random.Random(f"{memory} {person}")
    differs = tried = 0

    for play in games_at_random(rng, memory=memory, max_rounds=12):
        viewer = rng.randint(WATCHER, play.n_seats - 1)
        other = play.copy()
        other.state = twin(play, viewer, person, rng)
        assert looks(other.view(viewer, person=person)) == looks(play.view(viewer, person=person))
        assert other.turn == play.turn
        if play.state.phase == CHOOSING:
            tried += 1
            differs += packed(other.state) != packed(play.state)

    assert differs > tried * 3 // 4 > 20


def test_a_twin_has_what_the_numbers_and_the_last_reveal_allow():  # pok §5.3
    play = choosing("O OO -", hands="OOSST OSTT SST OOSSTT")
    show(play, "O O S T")
    rng = random.Random(1)

    states = [twin(play, 3, True, rng) for _ in range(200)]

    assert len({tuple(map(tuple, state.counters)) for state in states}) > 20
    for state in states:
        assert [sum(hand) for hand in state.counters] == state.left
        assert state.counters[3] == play.state.counters[3]
        assert all(state.counters[seat][DISC] <= 1 for seat in (0, 1))  # they handed a disc over
        assert state.counters[2][SQUARE] >= 1  # a square was taken back


def test_a_twin_of_a_game_still_on_is_never_a_dead_position():  # pok §4.4
    play = shown("T SS -", "T O O S", hands="OOT OO OO SS")
    rng = random.Random(1)

    assert not any(is_stuck(twin(play, WATCHER, True, rng)) for _ in range(100))


def test_a_twin_of_a_dead_position_has_the_same_counters():  # pok §4.4
    play = shown("T SS -", "T O O O", hands="OOT OO OO OO")

    assert twin(play, WATCHER, True, random.Random(1)) == play.state
