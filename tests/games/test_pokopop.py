"""Poko Pop!, one rule a test. § marks: docs/rules/pokopop.md."""

import random
import re
from collections import Counter
from collections.abc import Collection, Iterator
from fractions import Fraction
from pathlib import Path

import pytest

from pokade import records
from pokade.chance import Seeded, advance, exhaust
from pokade.games.errors import BadOption, BadRecord, BadSeats
from pokade.games.play import Play
from pokade.games.pokopop import (
    CARDS,
    CHOOSING,
    DEALING,
    FACE_DOWN,
    FINAL_CHOOSING,
    FLIPPING,
    GAME,
    KINDS,
    OVER,
    PILING,
    POKO,
    WAIT,
    PokopopState,
)
from pokade.games.state import CHANCE, NOBODY, NOTHING, UNKNOWN, WATCHER, copied, packed
from tests.games.doors import heard, refused

RULEBOOK = Path(__file__).parents[2] / "docs" / "rules" / "pokopop.md"
NAMES = ("Ada", "Ben", "Cleo", "Dora", "Emil")
CHOICES = {"P": POKO, "W": WAIT}
KIND = {word: kind for kind, word in enumerate(CARDS)}


def turn_up(play: Play, cards: str) -> None:
    """These cards come, one after the other: "5 1x2 5@3"."""
    for card in cards.split():
        play.happen(KIND[card])


def dealt(cards: str = "4 2", **options: object) -> Play:
    """A game whose first row lies: one face-up card less than there are players."""
    play = Play(GAME, len(cards.split()) + 1, options)
    turn_up(play, cards)
    return play


def show(play: Play, *reveals: str) -> None:
    """One reveal after the other; "-PW" is nothing of the first seat, Poko! of the second and Wait! of the third."""
    for reveal in reveals:
        for seat, letter in enumerate(reveal):
            if letter != "-":
                play.choose(seat, CHOICES[letter])


def everybody_takes(play: Play, cards: str) -> None:
    """A whole round without a clash: the seats take the cards in seat order, and the last one is turned up."""
    *row, last = cards.split()
    turn_up(play, " ".join(row))
    for seat in range(play.n_seats - 1):
        show(play, "-" * seat + "P" + "W" * (play.n_seats - seat - 1))
    turn_up(play, last)


def after_rounds(rounds: int, n_seats: int = 3, **options: object) -> Play:
    """A game after some rounds without a clash; the cards come as 1 2 3 4 5 1 2 …"""
    play = Play(GAME, n_seats, options)
    for round_ in range(rounds):
        everybody_takes(play, in_turn(round_, n_seats))
    return play


def in_turn(round_: int, n_seats: int) -> str:
    """The cards of one of these rounds, counted from 0."""
    return " ".join("12345"[card % 5] for card in range(round_ * n_seats, (round_ + 1) * n_seats))


def before_the_shortage(deck: int, pile: str) -> Play:
    """Three players at 1Poko, a 3 and a 5 in the row, with few cards in the deck and this carryover, top card last."""
    play = dealt("3 5")
    state = play.state
    for place, card in enumerate(pile.split()):
        state.pile[place] = state.pile_top = KIND[card]
        state.unseen[KIND[card]] -= 1
    state.pile_size = len(pile.split())
    state.deck = deck
    return play


def in_final_round(deck: int, pile: str, n_seats: int = 3, **options: object) -> Play:
    """Everybody is about to choose for the pile: so many cards in the deck, and this carryover, top card last."""
    play = Play(GAME, n_seats, options)
    state = play.state
    for place, card in enumerate(pile.split()):
        state.pile[place] = state.pile_top = KIND[card]
        state.unseen[KIND[card]] -= 1
    state.pile_size = len(pile.split())
    state.deck, state.phase, state.inside = deck, FINAL_CHOOSING, (1 << n_seats) - 1
    return play


def lay(play: Play, seat: int, face_up: str, face_down: int = 0) -> None:
    """Give a seat cards that it has won before."""
    for card in face_up.split():
        play.state.face_up[seat][KIND[card]] += 1
    play.state.face_down[seat] += face_down


def pile(play: Play) -> str:
    return " ".join(CARDS[kind] for kind in play.state.pile if kind >= 0)


def random_plays(seed: int, n_seats: int, **options: object) -> Iterator[Play]:
    """A game played at random, after each of its steps."""
    rng, chance = random.Random(seed), Seeded(seed)
    play = Play(GAME, n_seats, options)
    while not play.is_over:
        yield play
        if not advance(play, chance):
            waiting = [seat for seat in range(n_seats) if play.turn >> seat & 1 and not play.state.chosen >> seat & 1]
            play.choose(rng.choice(waiting), POKO if rng.random() < 0.3 else WAIT)
    yield play


def thirty_cards(effects: bool) -> list[int]:
    """§1.2, §6.1: the score cards of the game, by kind."""
    count = {"1": 6, "2": 6, "3": 6, "4": 6, "5": 6}
    if effects:
        count = {**count, "1": 4, "1x2": 2, "5": 1, **{f"5@{icon}": 1 for icon in (1, 2, 3, 4, 5)}}
    return [count.get(card, 0) for card in CARDS]


def twin(play: Play, viewer: int, person: bool, rng: random.Random) -> PokopopState:
    """A state that the viewer can't tell from this one."""
    return twin_for(play, {viewer}, person, rng)


def twin_for(play: Play, group: Collection[int], person: bool, rng: random.Random) -> PokopopState:
    """What no seat of a group can tell: other choices (§7.1); another pile for people who forget (§7.3)."""
    state = copied(play.state)
    if state.phase in (CHOOSING, FINAL_CHOOSING):
        _choose_otherwise(state, group, rng)
    if person and play.options.get("memory") != "assisted":
        _forget_the_pile(state, rng)
    return state


def _choose_otherwise(state: PokopopState, group: Collection[int], rng: random.Random) -> None:
    inside = [seat for seat in range(state.n_seats) if state.inside >> seat & 1]
    others = [seat for seat in inside if seat not in group]
    has_group_to_choose = any(seat in group and not state.chosen >> seat & 1 for seat in inside)
    most = len(others) if has_group_to_choose else len(others) - 1  # with all choices in, all would be turned up
    chosen = rng.sample(others, rng.randint(0, max(most, 0)))
    for seat in others:
        state.choice[seat] = rng.choice((POKO, WAIT)) if seat in chosen else NOTHING
        state.chosen = state.chosen & ~(1 << seat) | (seat in chosen) << seat


def _forget_the_pile(state: PokopopState, rng: random.Random) -> None:
    """Below the top of the carryover any card may lie that lies open nowhere; what remains is unseen or gone."""
    loose = [whole - open_ for whole, open_ in zip(thirty_cards(bool(state.effects)), lying_open(state), strict=True)]
    cards = [kind for kind in range(KINDS) for _ in range(loose[kind])]
    rng.shuffle(cards)
    below, n_unseen = max(state.pile_size - 1, 0), sum(state.unseen)
    state.pile[:below] = cards[:below]
    unseen = cards[below : below + n_unseen]  # the rest: −1 cards from the carryover, once seen and gone (§3.1)
    state.unseen = [unseen.count(kind) for kind in range(KINDS)]


IN_SIGHT = ("row", "pile_top", "face_up", "drawn")  # §7.2: what all can see though no event tells of it


def lying_open(state: PokopopState) -> list[int]:
    """§7.2: the cards in sight, by kind: won, in the row, on top of the carryover, turned up for its taker."""
    counts = [sum(column) for column in zip(*state.face_up, strict=True)]
    for kind in [*state.row, state.pile_top]:
        if kind not in (NOTHING, FACE_DOWN):
            counts[kind] += 1
    if state.phase == PILING:
        counts = [count + drawn for count, drawn in zip(counts, state.drawn, strict=True)]
    return counts


def once_seen_or_unseen(state: PokopopState) -> list[int]:
    """All cards but the −1 cards from the carryover, by kind."""
    counts = [open_ + unseen for open_, unseen in zip(lying_open(state), state.unseen, strict=True)]
    for kind in state.pile[: max(state.pile_size - 1, 0)]:
        counts[kind] += 1
    return counts


def is_between_rounds(state: PokopopState) -> bool:
    """§7.1: all choices have been turned up, and nobody is asked."""
    return state.phase not in (CHOOSING, FINAL_CHOOSING)


def conserved(state: PokopopState) -> int:
    """§1.2: thirty cards: won, on the Pokos, in the deck, in the carryover, or set aside at the end (§4.3)."""
    lying = sum(lying_open(state)) - (state.pile_size > 0) + (FACE_DOWN in state.row)
    return lying + sum(state.face_down) + state.deck + state.pile_size + state.aside


def turns_evenly(play: Play) -> bool:
    """§3.1: in a shortage the first seats are served and the others spared (ruling K1)."""
    again = Play(GAME, play.n_seats, play.options)
    for actor, value in play.steps:
        if actor == CHANCE:
            again.happen(value)
        else:
            again.choose(actor, value)
        if any(name == "spared" for name, *_ in heard(again)):
            return False
    return True


# What you need


@pytest.mark.parametrize("n_seats", [3, 4, 5])
def test_three_to_five_play(n_seats: int):  # pokopop §1.1
    assert Play(GAME, n_seats).n_seats == n_seats


@pytest.mark.parametrize("n_seats", [0, 2, 6, -3, True, 3.0, "3", None])
def test_any_other_number_of_players_is_refused(n_seats: object):  # pokopop §1.1
    with pytest.raises(BadSeats, match="Poko Pop! is played by 3 to 5") as refusal:
        GAME.new(n_seats)  # type: ignore[arg-type]

    assert refusal.value.code == "seats/number"


def test_there_are_six_score_cards_of_each_value():  # pokopop §1.2
    assert Play(GAME, 3).chances() == {KIND["1"]: 6, KIND["2"]: 6, KIND["3"]: 6, KIND["4"]: 6, KIND["5"]: 6}


def test_whatever_is_turned_up_is_equally_likely_any_card_that_nobody_has_seen():  # pokopop §1.3
    play = dealt("5 3")

    show(play, "PWW", "-PW")

    assert play.chances() == {KIND["1"]: 6, KIND["2"]: 6, KIND["3"]: 5, KIND["4"]: 6, KIND["5"]: 5}


def test_a_row_has_the_exact_probability_of_drawing_its_cards_without_putting_back():  # pokopop §1.3
    rows = {tuple(play.state.row[:2]): chance for play, chance in exhaust(Play(GAME, 3))}

    assert rows[KIND["5"], KIND["5"]] == Fraction(6, 30) * Fraction(5, 29)
    assert rows[KIND["5"], KIND["3"]] == Fraction(6, 30) * Fraction(6, 29)
    assert sum(rows.values()) == 1


def test_minus_cards_from_the_deck_remain_among_the_cards_that_may_come():  # pokopop §1.3
    play = dealt("5 3")

    show(play, "PPP")

    assert play.state.deck == 24
    assert sum(play.chances().values()) == 28


@pytest.mark.parametrize("n_seats", [3, 4, 5])
def test_there_is_one_poko_for_each_player(n_seats: int):  # pokopop §1.4
    play = dealt(" ".join("12345"[: n_seats - 1]))

    assert [card != NOTHING for card in play.state.row] == [True] * n_seats + [False] * (5 - n_seats)


# A round


def test_a_card_lies_face_up_on_each_poko_and_face_down_on_the_last():  # pokopop §2.1
    play = dealt("4 2 4")

    assert play.state.row == [KIND["4"], KIND["2"], KIND["4"], FACE_DOWN, NOTHING]
    assert play.state.deck == 26
    assert (play.turn, play.state.poko) == (0b1111, 0)
    assert heard(play) == [("dealt", NOTHING, 1, 0)]


def test_a_new_round_begins_at_the_first_poko_with_everybody_in():  # pokopop §2.1
    play = dealt("4 2")
    show(play, "PWW", "-PP")
    turn_up(play, "5")

    turn_up(play, "1 1")

    assert (play.state.round, play.state.poko, play.turn) == (2, 0, 0b111)
    assert play.state.shown[:3] == [NOTHING] * 3


def test_the_last_pokos_card_is_not_drawn_before_it_is_seen():  # pokopop §2.1
    play = dealt("4 2")

    assert sum(play.state.unseen) == 28
    assert play.state.deck == 27


def test_everybody_in_the_round_chooses_poko_or_wait():  # pokopop §2.2
    play = dealt()

    assert [play.view(seat).choices for seat in range(3)] == [[WAIT, POKO]] * 3
    assert play.view(WATCHER).choices == []


def test_nothing_is_turned_up_before_the_last_one_has_chosen():  # pokopop §2.2
    play = dealt()
    step = play.state.step

    show(play, "P-W")

    assert play.state.step == step
    assert play.state.shown[:3] == [NOTHING] * 3
    assert heard(play) == [("dealt", NOTHING, 1, 0)]


def test_all_choices_are_turned_up_together():  # pokopop §2.2
    play = dealt()

    show(play, "PWW")

    assert play.state.shown[:3] == [POKO, WAIT, WAIT]
    assert play.state.choice[:3] == [NOTHING] * 3
    assert play.state.chosen == 0


def test_one_may_choose_anew_until_the_last_one_has_chosen():  # pokopop §2.2
    play = dealt()

    play.choose(0, POKO)
    play.choose(1, WAIT)
    play.choose(0, WAIT)
    play.choose(2, POKO)

    assert play.state.shown[:3] == [WAIT, WAIT, POKO]


def test_who_calls_poko_alone_takes_the_card_and_is_out_of_the_round():  # pokopop §2.3
    play = dealt("4 2")

    show(play, "WPW")

    assert play.points() == (0, 4, 0)
    assert play.state.row[:3] == [NOTHING, KIND["2"], FACE_DOWN]
    assert (play.state.poko, play.turn) == (1, 0b101)
    assert heard(play) == [("took", 1, KIND["4"], 1)]
    assert play.view(1).choices == []


def test_those_who_clash_take_a_minus_each_and_the_round_is_over():  # pokopop §2.4
    play = dealt("4 2")

    show(play, "PWP")

    assert play.points() == (-1, 0, -1)
    assert play.state.deck == 25
    assert (play.state.phase, play.turn) == (FLIPPING, CHANCE)
    assert heard(play) == [("clashed", 0b101, 0, 1), ("minus", 0, 0, 0), ("minus", 2, 0, 0)]


def test_when_all_wait_the_same_players_choose_for_the_same_poko_again():  # pokopop §2.5
    play = dealt("4 2")
    show(play, "PWW")

    show(play, "-WW")

    assert (play.state.poko, play.turn, play.state.waits) == (1, 0b110, 1)
    assert play.points() == (4, 0, 0)
    assert heard(play) == [("all_waited", NOTHING, 2, 0)]


def test_the_last_player_turns_the_last_card_up_and_takes_it():  # pokopop §2.6
    play = dealt("4 2")
    show(play, "WPW", "P-W")
    assert (play.turn, play.game.together(play.state)) == (CHANCE, 1)

    turn_up(play, "1")

    assert play.points() == (2, 4, 1)
    assert (play.state.round, play.state.pile_size) == (2, 0)
    assert heard(play) == [("flipped", NOTHING, KIND["1"], 0), ("took", 2, KIND["1"], 3)]


def test_after_a_clash_the_last_card_is_turned_up_and_all_cards_go_to_the_carryover():  # pokopop §2.7
    play = dealt("4 2")
    show(play, "PWW", "-PP")

    turn_up(play, "5")

    assert pile(play) == "2 5"
    assert play.state.row == [NOTHING] * 5
    assert play.points() == (4, -1, -1)
    assert heard(play) == [("flipped", NOTHING, KIND["5"], 0), ("left_over", NOTHING, 2, 2)]


def test_the_round_is_over_when_all_have_waited_too_often_and_nobody_takes_a_minus():  # pokopop §2.8
    play = dealt("4 2")
    show(play, *["WWW"] * 11)
    assert play.turn == 0b111

    show(play, "WWW")

    assert (play.state.phase, play.points(), play.state.deck) == (FLIPPING, (0, 0, 0), 27)
    assert heard(play) == [("waited_out", NOTHING, 12, 0)]
    turn_up(play, "5")
    assert pile(play) == "4 2 5"


def test_waiting_is_counted_anew_at_each_poko():  # pokopop §2.8
    play = dealt("4 2", max_waits=2)

    show(play, "WWW", "PWW", "-WW")

    assert (play.state.waits, play.turn) == (1, 0b110)
    show(play, "-WW")
    assert play.state.phase == FLIPPING


def test_with_max_waits_0_the_table_may_wait_for_ever():  # pokopop §2.8
    play = dealt("4 2", max_waits=0)

    show(play, *["WWW"] * 1200)

    assert (play.turn, play.state.waits) == (0b111, 1200)


def test_with_max_waits_1000_the_round_is_over_after_a_thousand():  # pokopop §2.8
    play = dealt("4 2", max_waits=1000)

    show(play, *["WWW"] * 999)
    assert play.state.phase == CHOOSING

    show(play, "WWW")
    assert play.state.phase == FLIPPING


# −1 cards and the carryover


def test_those_who_clash_are_served_in_seat_order_and_then_from_the_carryover():  # pokopop §3.1
    play = before_the_shortage(deck=1, pile="1 2 4")

    show(play, "PPP")

    assert play.state.face_down[:3] == [1, 1, 1]
    assert (pile(play), play.state.pile_top, play.state.pile_size) == ("1", KIND["1"], 1)
    assert play.state.deck == 0


def test_a_minus_comes_from_the_carryover_before_this_rounds_cards_join_it():  # pokopop §3.1
    play = before_the_shortage(deck=0, pile="2 4")

    show(play, "PPW")
    turn_up(play, "1")

    assert play.state.face_down[:3] == [1, 1, 0]
    assert pile(play) == "3 5 1"


def test_who_finds_neither_deck_nor_carryover_takes_nothing():  # pokopop §3.1
    play = before_the_shortage(deck=0, pile="4")

    show(play, "PPP")

    assert play.state.face_down[:3] == [1, 0, 0]
    assert (play.state.pile_size, play.state.pile_top) == (0, NOTHING)
    assert heard(play) == [("clashed", 0b111, 0, 1), ("minus", 0, 0, 0), ("spared", 1, 0, 0), ("spared", 2, 0, 0)]


def test_a_shortage_comes_about_in_a_game_too():  # pokopop §3.1
    play = after_rounds(9)
    turn_up(play, "3 4")
    assert play.state.deck == 0

    show(play, "PPW")
    turn_up(play, "5")

    assert play.state.face_down[:3] == [0, 0, 0]
    assert (pile(play), play.state.phase) == ("3 4 5", FINAL_CHOOSING)


def test_what_is_left_joins_the_carryover_in_poko_order_with_the_last_on_top():  # pokopop §3.2
    play = dealt("4 2 3")
    show(play, "WWPP")
    turn_up(play, "5")
    turn_up(play, "1 4 2")
    show(play, "PWWW", "-PPW")

    turn_up(play, "3")

    assert pile(play) == "4 2 3 5 4 2 3"
    assert (play.state.pile_size, play.state.pile_top) == (7, KIND["3"])
    assert heard(play)[-1] == ("left_over", NOTHING, 3, 7)


def test_the_front_of_a_minus_from_the_deck_is_unknown_to_everybody():  # pokopop §3.3
    play = dealt("4 2")

    show(play, "PPW")

    for seat in (0, 1, 2, WATCHER):
        assert sum(play.view(seat).state.unseen) == 28  # two of them lie before those who clashed
    assert play.state.face_down[:2] == [1, 1]


# The final round


@pytest.mark.parametrize(("n_seats", "rounds", "left"), [(3, 10, 0), (4, 7, 2), (5, 6, 0)])
def test_the_final_round_comes_when_the_deck_cannot_give_everybody_a_card(n_seats, rounds, left):  # pokopop §4.1
    play = after_rounds(rounds - 1, n_seats)
    assert play.state.phase == DEALING

    everybody_takes(play, in_turn(rounds - 1, n_seats))

    assert (play.state.phase, play.turn, play.state.deck) == (FINAL_CHOOSING, (1 << n_seats) - 1, left)
    assert heard(play)[-1] == ("final", NOTHING, left, 0)


def test_the_rest_of_the_deck_and_the_carryover_make_one_pile():  # pokopop §4.1
    play = after_rounds(6, 4)
    turn_up(play, "5 1 2")
    show(play, "PPWW")

    turn_up(play, "3")

    assert play.state.deck == 0
    assert heard(play)[-2:] == [("left_over", NOTHING, 4, 4), ("final", NOTHING, 4, 0)]


def test_who_calls_alone_takes_the_whole_pile_at_face_value():  # pokopop §4.2
    play = in_final_round(deck=2, pile="4 3")

    show(play, "WPW")
    assert (play.turn, play.game.together(play.state)) == (CHANCE, 2)
    turn_up(play, "5 1")

    assert play.points() == (0, 13, 0)
    assert (play.state.deck, play.state.pile_size, play.state.pile_top) == (0, 0, NOTHING)
    assert heard(play) == [("took_pile", 1, 4, 0), ("won", 0b010, 13, 0)]


def test_the_decks_last_cards_are_drawn_from_all_cards_that_nobody_has_seen():  # pokopop §4.2
    play = in_final_round(deck=2, pile="4 3")

    show(play, "WPW")

    assert play.chances() == {KIND["1"]: 6, KIND["2"]: 6, KIND["3"]: 5, KIND["4"]: 5, KIND["5"]: 6}


def test_with_an_empty_deck_nothing_is_turned_up_for_the_pile():  # pokopop §4.2
    play = in_final_round(deck=0, pile="4 3")

    show(play, "PWW")

    assert (play.is_over, play.points()) == (True, (7, 0, 0))


def test_several_who_call_share_the_pile_face_down_and_the_rest_is_set_aside():  # pokopop §4.3
    play = in_final_round(deck=3, pile="4 3 5 5 5")

    show(play, "PPP")

    assert play.points() == (-2, -2, -2)
    assert heard(play) == [("shared_pile", 0b111, 2, 0), ("drawn", 0b111, -2, 0)]


def test_a_pile_smaller_than_the_number_of_sharers_gives_none_of_them_a_card():  # pokopop §4.3
    play = in_final_round(deck=1, pile="4")

    show(play, "PPP")

    assert play.points() == (0, 0, 0)
    assert heard(play)[0] == ("shared_pile", 0b111, 0, 0)


def test_when_all_wait_for_the_pile_nobody_gets_anything():  # pokopop §4.4
    play = in_final_round(deck=1, pile="4")
    lay(play, 2, "3")

    show(play, "WWW")

    assert play.points() == (0, 0, 3)
    assert heard(play) == [("pile_stayed", NOTHING, 2, 0), ("won", 0b100, 3, 0)]


@pytest.mark.parametrize("reveal", ["WWW", "PWW", "PPW", "PPP"])
def test_one_reveal_decides_the_final_round_even_for_an_empty_pile(reveal: str):  # pokopop §4.5
    play = in_final_round(deck=0, pile="", max_waits=3)

    show(play, reveal)

    assert (play.is_over, play.turn, play.state.phase) == (True, NOBODY, OVER)
    assert play.points() == (0, 0, 0)


def test_a_game_without_any_clash_ends_with_a_round_for_nothing():  # pokopop §4.5
    play = after_rounds(10)

    show(play, "WPW")

    assert heard(play)[0] == ("took_pile", 1, 0, 0)
    assert sum(play.points()) == 6 * (1 + 2 + 3 + 4 + 5)


# Scores


def test_face_up_cards_count_their_value_and_face_down_cards_minus_one():  # pokopop §5.1
    play = dealt()
    lay(play, 0, "5 3", face_down=1)
    lay(play, 1, "4 3")
    lay(play, 2, "1", face_down=2)

    assert play.points() == (7, 7, -1)


def test_points_are_those_of_a_game_that_is_counted_now():  # pokopop §5.2
    play = in_final_round(deck=2, pile="4 3")
    lay(play, 0, "2")

    show(play, "WPW")
    turn_up(play, "5")

    assert play.state.phase == PILING
    assert play.points() == (2, 0, 0)


def test_most_points_win():  # pokopop §5.3
    play = in_final_round(deck=0, pile="")
    lay(play, 0, "5")
    lay(play, 2, "5 1")

    show(play, "WWW")

    outcome = play.outcome()
    assert outcome is not None
    assert (outcome.reason, outcome.winners, outcome.shares) == ("points", (2,), (0.0, 0.0, 1.0))
    assert outcome.points == (5, 0, 6)


def test_a_tie_is_a_draw_and_the_win_is_shared():  # pokopop §5.3
    play = in_final_round(deck=0, pile="")
    lay(play, 0, "5 3", face_down=1)
    lay(play, 1, "4 3")
    lay(play, 2, "1", face_down=2)

    show(play, "WWW")

    outcome = play.outcome()
    assert outcome is not None
    assert (outcome.winners, outcome.shares) == ((0, 1), (0.5, 0.5, 0.0))
    assert heard(play)[-1] == ("drawn", 0b011, 7, 0)


def test_one_may_win_with_fewer_than_no_points():  # pokopop §5.3
    play = in_final_round(deck=0, pile="")
    for seat, minus in enumerate((3, 2, 4)):
        lay(play, seat, "", face_down=minus)

    show(play, "WWW")

    assert heard(play)[-1] == ("won", 0b010, -2, 0)


def test_a_game_that_is_on_has_no_outcome():  # pokopop §5.3
    assert dealt().outcome() is None


# With effects


def test_with_effects_five_5s_bear_icons_and_two_1s_double():  # pokopop §6.1
    play = Play(GAME, 3, {"effects": True})

    assert {CARDS[kind]: weight for kind, weight in play.chances().items()} == {
        **{"1": 4, "1x2": 2, "2": 6, "3": 6, "4": 6, "5": 1},
        **{"5@1": 1, "5@2": 1, "5@3": 1, "5@4": 1, "5@5": 1},
    }


def test_without_effects_no_card_bears_a_sign():  # pokopop §6.1
    play = Play(GAME, 3, {"effects": False})

    with refused(play, "chance/impossible"):
        turn_up(play, "5@1")
    with refused(play, "chance/impossible"):
        turn_up(play, "1x2")


def test_a_card_with_an_icon_counts_for_its_own_character_only():  # pokopop §6.2
    play = dealt("5@2 5@1", effects=True)

    show(play, "PWW", "-PW")
    turn_up(play, "5@3")

    assert play.points() == (0, 0, 5)


@pytest.mark.parametrize("icon", ["5@4", "5@5"])
def test_icons_of_absent_characters_count_for_nobody(icon: str):  # pokopop §6.2
    play = dealt("3 2", effects=True)

    for seat in range(3):
        lay(play, seat, icon)

    assert play.points() == (0, 0, 0)


def test_a_x2_doubles_the_total_its_own_1_included():  # pokopop §6.3
    play = dealt("3 2", effects=True)

    lay(play, 0, "5@1 5@2 1x2", face_down=1)

    assert play.points()[0] == 10


def test_a_x2_doubles_a_negative_total_too():  # pokopop §6.3
    play = dealt("3 2", effects=True)

    lay(play, 1, "1x2", face_down=3)

    assert play.points()[1] == -4


def test_two_x2_quadruple_the_total():  # pokopop §6.3
    play = dealt("3 2", effects=True)

    lay(play, 2, "1x2 1x2 4")

    assert play.points()[2] == 24


def test_a_x2_that_lies_face_down_is_a_minus_like_any_other():  # pokopop §6.3
    play = before_the_shortage(deck=0, pile="4 2")
    play.state.pile[1] = play.state.pile_top = KIND["1x2"]
    lay(play, 0, "3")

    show(play, "PPW")

    assert play.points() == (2, -1, 0)


# What you may know


def test_a_sealed_choice_is_known_to_its_owner_only():  # pokopop §7.1
    play = dealt()

    play.choose(1, POKO)

    assert play.view(1).state.choice[1] == POKO
    for viewer in (0, 2, WATCHER):
        assert play.view(viewer).state.choice[1] == UNKNOWN


def test_nobody_can_see_who_has_chosen_or_changed_their_mind():  # pokopop §7.1
    play = dealt()
    before = [packed(play.view(viewer).state) for viewer in (0, 2, WATCHER)]

    play.choose(1, POKO)
    play.choose(1, WAIT)

    assert [packed(play.view(viewer).state) for viewer in (0, 2, WATCHER)] == before


@pytest.mark.parametrize("memory", ["strict", "assisted"])
@pytest.mark.parametrize("viewer", [0, 2, WATCHER])
def test_points_reveal_top_and_sizes_are_on_show(memory: str, viewer: int):  # pokopop §7.2
    play = dealt("4 2", memory=memory)
    show(play, "PWW", "-PP")
    turn_up(play, "5")

    view = play.view(viewer, person=True)

    assert view.points == [4, -1, -1]
    assert view.state.face_up == play.state.face_up
    assert (view.state.pile_size, view.state.pile_top, view.state.deck) == (2, KIND["5"], 25)
    assert view.state.shown[:3] == [NOTHING, POKO, POKO]
    assert [event.event.name for event in view.told] == ["flipped", "left_over"]


@pytest.mark.parametrize("viewer", [0, 2, WATCHER])
def test_strict_memory_hides_the_pile_and_the_unseen_cards_from_people(viewer: int):  # pokopop §7.3
    play = dealt("4 2", memory="strict")
    show(play, "PPW")
    turn_up(play, "5")

    view = play.view(viewer, person=True).state

    assert view.pile == [UNKNOWN] * 30
    assert view.unseen == [UNKNOWN] * KINDS


@pytest.mark.parametrize("viewer", [0, 2, WATCHER])
def test_assisted_memory_shows_people_the_pile_and_the_unseen_cards(viewer: int):  # pokopop §7.3
    play = dealt("4 2", memory="assisted")
    show(play, "PPW")
    turn_up(play, "5")

    view = play.view(viewer, person=True).state

    assert view.pile[:3] == [KIND["4"], KIND["2"], KIND["5"]]
    assert view.unseen == play.state.unseen


@pytest.mark.parametrize("memory", ["strict", "assisted"])
def test_bots_remember_all_that_lay_face_up_but_see_no_sealed_choice(memory: str):  # pokopop §7.4
    play = dealt("4 2", memory=memory)
    show(play, "PPW")
    turn_up(play, "5 1 1")
    play.choose(1, POKO)

    view = play.view(0).state

    assert view.pile[:3] == [KIND["4"], KIND["2"], KIND["5"]]
    assert view.unseen == play.state.unseen
    assert view.choice[1] == UNKNOWN


# Options


def test_the_defaults_are_strict_memory_twelve_waits_and_no_effects():  # pokopop §8.1
    state = Play(GAME, 3).state

    assert (state.memory, state.max_waits, state.effects) == (0, 12, 0)


def test_writing_a_default_out_changes_nothing():  # pokopop §8.1
    play = Play(GAME, 3, {"memory": "strict", "max_waits": 12, "effects": False})

    assert play.options == {}
    assert packed(play.state) == packed(Play(GAME, 3).state)


@pytest.mark.parametrize(
    ("name", "value", "number"),
    [
        ("memory", "assisted", 1),
        ("max_waits", 0, 0),
        ("max_waits", 1, 1),
        ("max_waits", 1000, 1000),
        ("effects", True, 1),
    ],
)
def test_every_other_value_is_taken(name: str, value: object, number: int):  # pokopop §8.1
    play = Play(GAME, 5, {name: value})

    assert getattr(play.state, name) == number
    assert play.options == {name: value}


def test_an_unknown_option_is_refused():  # pokopop §8.2
    with pytest.raises(
        BadOption, match="pokopop has no option 'max_wait'; it has memory, max_waits, effects"
    ) as refusal:
        Play(GAME, 3, {"max_wait": 3})

    assert refusal.value.code == "option/unknown"


@pytest.mark.parametrize(
    ("name", "value", "takes"),
    [
        *[("max_waits", value, "a whole number from 0 to 1000") for value in (-1, 1001, 9.0, True, "9", None)],
        *[("memory", value, '"strict" or "assisted"') for value in ("Strict", "", 0, False, None)],
        *[("effects", value, "false or true") for value in (1, 0, "true", 1.0, None)],
    ],
)
def test_a_bad_value_is_refused_with_what_the_option_takes(name: str, value: object, takes: str):  # pokopop §8.2
    with pytest.raises(BadOption, match=f"option {name} takes {takes}") as refusal:
        Play(GAME, 3, {name: value})

    assert refusal.value.code == "option/value"


@pytest.mark.parametrize("choice", [2, -1, True, 1.0, b"poko", None])
def test_anything_but_poko_and_wait_is_refused(choice: object):  # pokopop §8.3
    play = dealt()
    play.choose(1, POKO)

    with refused(play, "choice/illegal"):
        play.choose(0, choice)  # type: ignore[arg-type]


@pytest.mark.parametrize("seat", [-1, 3, 7, True, 0.0, None])
def test_a_seat_that_does_not_exist_chooses_nothing(seat: object):  # pokopop §8.3
    play = dealt()

    with refused(play, "choice/no-seat"):
        play.choose(seat, POKO)  # type: ignore[arg-type]


def test_who_is_out_of_the_round_has_nothing_to_choose():  # pokopop §8.3
    play = dealt()
    show(play, "PWW")

    with refused(play, "choice/not-now"):
        play.choose(0, WAIT)


def test_nobody_chooses_while_cards_are_turned_up_or_after_the_end():  # pokopop §8.3
    dealing, flipping, over = Play(GAME, 3), dealt(), in_final_round(deck=0, pile="")
    show(flipping, "PPW")
    show(over, "WWW")

    for play in (dealing, flipping, over):
        with refused(play, "choice/not-now"):
            play.choose(0, WAIT)


def test_a_seventh_card_of_a_value_cannot_come():  # pokopop §8.3
    play = dealt("5 5 5 5")
    show(play, "PPWWW")
    turn_up(play, "5 5")

    with refused(play, "chance/impossible"):
        turn_up(play, "5")


@pytest.mark.parametrize("outcome", [-1, KINDS, FACE_DOWN, 99, True, 2.0, None])
def test_a_card_that_does_not_exist_cannot_come(outcome: object):  # pokopop §8.3
    play = Play(GAME, 3)

    with refused(play, "chance/impossible"):
        play.happen(outcome)  # type: ignore[arg-type]


def test_no_card_comes_while_players_choose_or_after_the_end():  # pokopop §8.3
    choosing, over = dealt(), in_final_round(deck=0, pile="")
    show(over, "WWW")

    for play in (choosing, over):
        assert play.chances() == {}
        with refused(play, "chance/not-now"):
            turn_up(play, "1")


# How the game is written down


def actions(*lines: str, seats: int = 3, options: str = "", view: str = "full") -> str:
    """A record with these actions."""
    head = 'format = "record/1"\ngame = "pokopop"\nrules = "pokopop/1"\n'
    names = ", ".join(f'"{name}"' for name in NAMES[:seats])
    body = "".join(f'  "{line}",\n' for line in lines)
    return f'{head}options = {{ {options} }}\nplayers = [{names}]\nview = "{view}"\nactions = [\n{body}]\n'


def test_a_deal_is_written_with_its_face_up_cards():  # pokopop §9.1
    assert records.actions_of(dealt("5@3 1x2 4 5@5", effects=True)) == ["d deal 5@3 1x2 4 5@5"]


def test_a_deal_is_read_as_it_was_written():  # pokopop §9.1
    play = records.replay(records.read(actions("d deal 5@3 1x2 4", seats=4, options="effects = true")))

    assert play.state.row == [KIND["5@3"], KIND["1x2"], KIND["4"], FACE_DOWN, NOTHING]


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        ("d deal 4", "deal names 2 here, not 1"),
        ("d deal 4 2 5", "deal names 2 here, not 3"),
        ("d deal 4 6", "now comes d deal and the cards"),
        ("d deal 4 ?", "a full record has none"),
        ("d deal 4 5@1", "impossible now: deal 4 5@1"),
        ("d flip 4", "now comes d deal and the cards"),
    ],
)
def test_a_deal_that_cannot_be_is_refused(line: str, reason: str):  # pokopop §9.1
    with pytest.raises(BadRecord, match=reason) as refusal:
        records.replay(records.read(actions(line)))

    assert refusal.value.action == 1


def test_a_reveal_is_one_block_of_the_seats_that_are_in():  # pokopop §9.2
    play = dealt()

    show(play, "WPW", "W-P")

    assert records.actions_of(play)[1:] == ["{ p1 wait | p2 poko | p3 wait }", "{ p1 wait | p3 poko }"]


def test_a_reveal_is_read_as_it_was_written():  # pokopop §9.2
    play = records.replay(records.read(actions("d deal 4 2", "{p1 wait|p2 poko|p3 wait}")))

    assert play.points() == (0, 4, 0)


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        ("{ p1 wait | p2 pop | p3 wait }", "a choice is written poko or wait"),
        ("{ p1 wait | p2 poko now | p3 wait }", "a choice is written poko or wait"),
        ("{ p1 wait | p2 poko }", "one choice of each"),
        ("p1 wait", "in one sealed block"),
    ],
)
def test_a_reveal_that_cannot_be_is_refused(line: str, reason: str):  # pokopop §9.2
    with pytest.raises(BadRecord, match=reason) as refusal:
        records.replay(records.read(actions("d deal 4 2", line)))

    assert refusal.value.action == 2


@pytest.mark.parametrize("view", ["public", "p1", "p2", "p3"])
def test_an_open_round_is_in_nobodys_record(view: str):  # pokopop §9.2
    play = dealt()

    play.choose(0, POKO)

    assert records.actions_of(play, view) == ["d deal 4 2"]


@pytest.mark.parametrize("view", ["public", "p1", "p2", "p3"])
def test_everything_written_is_known_to_everybody(view: str):  # pokopop §9.2
    play = after_rounds(7, 4)
    show(play, "WWPW")
    turn_up(play, "5 4")

    assert records.actions_of(play, view) == records.actions_of(play)


def test_the_last_pokos_card_is_written_when_it_is_turned_up():  # pokopop §9.3
    play = dealt("4 2")
    show(play, "PPW")
    turn_up(play, "5")

    assert records.actions_of(play) == ["d deal 4 2", "{ p1 poko | p2 poko | p3 wait }", "d flip 5"]


def test_the_pile_is_written_in_ascending_order_and_read_in_any():  # pokopop §9.4
    play = after_rounds(7, 4)
    show(play, "WWPW")
    turn_up(play, "5 4")
    text = records.write(play, NAMES[:4])

    again = records.replay(records.read(text.replace("d pile 4 5", "d pile 5 4")))

    assert records.actions_of(play)[-1] == "d pile 4 5"
    assert packed(again.state) == packed(play.state)


def test_without_a_deck_no_pile_is_written():  # pokopop §9.4
    play = after_rounds(10)

    show(play, "PWW")

    assert records.actions_of(play)[-1] == "{ p1 poko | p2 wait | p3 wait }"


def test_points_and_shares_are_written_and_checked():  # pokopop §9.5
    play = after_rounds(7, 4)
    show(play, "WWWW")
    text = records.write(play, NAMES[:4])

    assert text.endswith("[result]\npoints = [21, 18, 20, 22]\nshares = [0.0, 0.0, 0.0, 1.0]\n")
    with pytest.raises(BadRecord, match="wrong points"):
        records.replay(records.read(text.replace("[21,", "[20,")))


def test_the_rulebooks_own_game_replays_to_its_own_words():  # pokopop §9.5
    (text,) = re.findall(r"```toml\n(.*?)```", RULEBOOK.read_text(encoding="utf-8"), re.DOTALL)

    play = records.replay(records.read(text))

    assert records.write(play, NAMES[:3]) == text


# Twins


@pytest.mark.parametrize("effects", [False, True])
@pytest.mark.parametrize("n_seats", [3, 4, 5])
def test_the_thirty_cards_are_always_somewhere(n_seats: int, effects: bool):  # pokopop §1.2
    for play in random_plays(n_seats, n_seats, effects=effects, max_waits=3):
        kinds = once_seen_or_unseen(play.state)

        assert all(count <= whole for count, whole in zip(kinds, thirty_cards(effects), strict=True))
        assert conserved(play.state) == 30


def test_only_a_shortage_favours_the_first_seats():  # pokopop §3.1
    plain, short = dealt("3 5"), after_rounds(9)
    turn_up(short, "3 4")

    for play in (plain, short):
        show(play, "PPW")

    assert turns_evenly(plain)
    assert not turns_evenly(short)


@pytest.mark.parametrize("viewer", [0, 1, WATCHER])
@pytest.mark.parametrize("person", [False, True])
@pytest.mark.parametrize("memory", ["strict", "assisted"])
def test_no_viewer_can_tell_a_twin_and_twins_often_differ(viewer: int, person: bool, memory: str):  # pokopop §7.1
    rng = random.Random(1)
    differing: Counter[bool] = Counter()
    for seed in range(3):
        for play in random_plays(seed, 4, memory=memory, effects=True, max_waits=2):
            other = play.copy()
            other.state = twin(play, viewer, person, rng)
            differing[packed(other.state) != packed(play.state)] += 1
            assert packed(other.view(viewer, person=person).state) == packed(play.view(viewer, person=person).state)
            assert other.turn == play.turn

    assert differing[True] > differing[False]


def test_the_twins_of_forgetful_people_are_made_of_the_same_thirty_cards():  # pokopop §7.3
    rng = random.Random(2)
    for play in random_plays(5, 3, max_waits=1):
        kinds = once_seen_or_unseen(twin(play, WATCHER, True, rng))

        assert all(count <= 6 for count in kinds)
        assert sum(kinds) == sum(once_seen_or_unseen(play.state))
