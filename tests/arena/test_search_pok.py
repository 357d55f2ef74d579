"""How the strong level plays POK, on arranged dice."""

from collections import Counter

import pytest

from pokade.arena.bots import Budget, thought
from pokade.arena.search.pok.table import FEWEST
from pokade.arena.searching import Search
from pokade.arena.tournament import Tournament
from pokade.games.play import Play
from pokade.games.pok import DISC, GAME, SYMBOLS
from tests.games.test_pok import choosing

QUICK = Budget(iterations=400)


def answers(play: Play, seat: int = 0, times: int = 40) -> Counter[int]:
    """What the strong level chooses, over many lucks."""
    return Counter(thought(play.view(seat), luck, QUICK) for luck in range(times))


def hand(letters: str) -> int:
    """The number of a hand."""
    return letters.count("O") * 9 + letters.count("S") * 3 + letters.count("T")


def mixture(play: Play, seat: int) -> list[float]:
    """How often the search shows each symbol."""
    search = Search(GAME)
    search.look(play.view(seat).state, seat, luck=seat)
    search.ponder(400)
    settled = Counter(search.settle() for _ in range(2000))
    return [settled[symbol] / 2000 for symbol in range(SYMBOLS)]


@pytest.mark.parametrize("n_seats", [3, 4, 7])
def test_it_hands_over_the_counter_that_wins_at_once(n_seats: int):
    # Nobody else has a disc, so one disc goes for sure, and it is the fifth.
    play = choosing("O - -", n_seats, hands=" ".join(["OT", *["SSTT"] * (n_seats - 1)]))

    assert answers(play)[DISC] > 36


@pytest.mark.parametrize("n_seats", [3, 4])
def test_it_stops_a_rival_who_would_win(n_seats: int):
    # Seat 1 has only discs: alone it wins, with a second disc nothing goes.
    play = choosing("O SSS TT", n_seats, hands=" ".join(["OOSSTT", "OO", *["SSTT"] * (n_seats - 2)]))

    assert answers(play)[DISC] > 30


def test_in_the_last_round_it_counts_only_who_has_the_fewest():
    play = choosing("O - -", 3, hands="OOSST SSTT SSTT", max_rounds=1)

    assert answers(play)[DISC] > 36  # only a disc draws level


@pytest.mark.parametrize("n_seats", [3, 6])
@pytest.mark.parametrize("dice", ["S - -", "O TT -", "O SS -"])
def test_it_is_not_readable_where_no_symbol_is_sure(dice: str, n_seats: int):
    assert max(answers(choosing(dice, seats=n_seats)).values()) <= 36  # of forty


def test_all_who_hold_the_same_find_the_same_whoever_searches():
    play = choosing("O TT -", 6, hands="OOSST OSSTT OOSST OSSTT OOSST SSTT")

    found = [mixture(play, seat) for seat in range(6)]

    assert found[0] == pytest.approx(found[2], abs=0.05)
    assert found[0] == pytest.approx(found[4], abs=0.05)
    assert found[1] == pytest.approx(found[3], abs=0.05)


def test_names_of_symbols_make_no_difference_to_a_search():
    one = mixture(choosing("O TT -", 6, hands="OOSST OSSTT OOSST OSSTT OOSST SSTT"), 1)
    other = mixture(choosing("S OO -", 6, hands="SSTTO STTOO SSTTO STTOO SSTTO TTOO"), 1)  # O is S, S is T, T is O

    assert [other[1], other[2], other[0]] == pytest.approx(one, abs=0.05)


def test_among_many_the_hand_with_fewer_counters_weighs_more():
    table = Search(GAME).table
    for n_seats in range(3, 8):
        weights = table.weights[n_seats - FEWEST]
        assert weights[hand("OS")] > weights[hand("OST")] > weights[hand("OOSST")] > weights[hand("OOSSTT")]


def test_it_beats_the_rules_of_thumb():
    tournament = Tournament(GAME, ["strong", "casual", "casual"], seed=1, budget=QUICK)
    tournament.played = [tournament.play(number) for number in range(150)]

    assert tournament.standings()[0].share > 0.36
