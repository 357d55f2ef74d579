"""The solution of POK: positions, endgames worked out by hand, what is kept and comes back, and the certificate."""

import json
import random
from collections.abc import Iterable
from itertools import product
from pathlib import Path

import numpy as np
import pytest

from pokade.arena.bots import mixed, thought
from pokade.games.errors import BadSolution
from pokade.games.play import Play
from pokade.games.pok import CHOOSING, GAME, SYMBOLS, choose
from pokade.solver.pok import SIZES, LimitedSolving, Solving, limited, solved
from pokade.solver.pok import solving as module
from pokade.solver.pok.certificate import Table
from pokade.solver.pok.files import read
from pokade.solver.pok.hands import (
    FULL,
    THROWS,
    TURNINGS,
    Hands,
    canonical,
    counters,
    faces,
    goes,
    hand_of,
    kinds,
    positions,
    turned,
)
from pokade.solver.pok.loops import UNIT, chances_of, round_worths, solve_position
from pokade.solver.pok.rounds import lay_out
from pokade.solver.pok.settling import FAILED, room_for, settle_apart
from pokade.solver.pok.solution import LIMITED, PACKAGED
from pokade.solver.pok.worths import shares
from tests.cli.test_commands import called
from tests.games.test_pok import choosing

pytestmark = pytest.mark.xdist_group("solution of POK")  # compiled once

SMALL = ("TT TT ST", "TT SS ST", "TT ST ST", "SS TTS TT", "OO SST TT")


def hand(letters: str) -> int:
    return hand_of([letters.count(letter) for letter in "OST"])


LEADS = [[hand(letters) for letters in hands.split()] for hands in ("OSTT OOSSTT OOSSTT", "OOSSTT OOSST OST")]


def worth(first: str, *others: str) -> float:
    """What the first of these hands is worth, as solved."""
    hands = [hand(letters) for letters in (first, *others)]
    return solved(len(hands)).worths.of(hands)[hands[0]]


@pytest.mark.parametrize(("n_seats", "count"), [(3, 457), (4, 2733), (5, 14157)])
def test_positions_without_the_names_of_seats_and_symbols_are_counted(n_seats: int, count: int):
    assert len(positions(n_seats)) == count


@pytest.mark.soak
@pytest.mark.parametrize(("n_seats", "count"), [(6, 64_677), (7, 264_801)])
def test_positions_of_many_are_counted(n_seats: int, count: int):
    assert len(positions(n_seats)) == count


def test_no_position_leads_to_one_that_comes_later():
    totals = [sum(sum(counters(hand)) for hand in position) for position in positions(4)]

    assert totals == sorted(totals)
    assert positions(4)[-1] == (FULL,) * 4


def test_the_throws_are_as_likely_as_the_dice_say():
    assert sum(faces()) == 216
    assert faces()[THROWS.index((0, 3, 3))] == 2 * 3 * 3
    assert faces()[THROWS.index((0, 1, 2))] == 2


@pytest.mark.parametrize("n_seats", [3, 4, 5])
def test_what_goes_depends_on_how_many_show_each_symbol_and_not_on_who(n_seats: int):
    for throw, went in zip(THROWS, goes(n_seats), strict=True):
        for showing in product(range(SYMBOLS), repeat=n_seats):
            symbols = went[8 * showing.count(0) + showing.count(1)]
            assert gone(throw, showing) == sum(
                1 << seat for seat, symbol in enumerate(showing) if symbols >> symbol & 1
            )


def gone(throw: tuple[int, ...], showing: Iterable[int]) -> int:
    """The seats that hand over in a round that is played by the rules."""
    state = GAME.new(len(tuple(showing)))
    state.phase, state.dice[:] = CHOOSING, throw
    for seat, symbol in enumerate(showing):
        choose(state, seat, symbol)
    return state.gone


def test_three_who_can_only_show_the_same_share_the_win():
    assert worth("TT", "TT", "TT") == 1 / 3


def test_an_endgame_without_any_choice_by_hand():
    # Two triangles and a square are shown for ever. With S on the ones, the square goes (8/27, the twos may share it);
    # with O there it wins 1/9 of the time and goes on 17/36, with T 5/9 and 5/18: v = 14/27 + v/4.
    assert worth("SS", "TT", "TT") == pytest.approx(56 / 81, abs=1e-8)
    assert worth("TT", "TT", "SS") == pytest.approx(25 / 162, abs=1e-8)


def test_an_endgame_with_one_who_chooses_by_hand():
    # Where the square would lose or only share, the triangle waits: 3v = 55/36 + 51/36 v.
    assert worth("ST", "TT", "TT") == pytest.approx(55 / 57, abs=1e-7)
    assert worth("TT", "TT", "ST") == pytest.approx(1 / 57, abs=1e-7)


def test_an_endgame_of_four_without_any_choice_by_hand():
    # As with three, but now the threes die takes the triangles along or alone: v = 37/72 + v/4.
    assert worth("SS", "TT", "TT", "TT") == pytest.approx(37 / 54, abs=1e-8)
    assert worth("TT", "TT", "TT", "SS") == pytest.approx(17 / 162, abs=1e-8)


@pytest.mark.parametrize("n_seats", SIZES)
def test_the_start_is_worth_the_same_to_everybody(n_seats: int):
    assert solved(n_seats).worths.of([FULL] * n_seats) == {FULL: 1 / n_seats}


def test_the_parts_of_a_win_sum_to_one():
    for position, found in solved(3)._solved.items():
        parts = shares(position, found.worths)
        assert sum(position.count(hand) * part for hand, part in zip(kinds(position), parts, strict=True)) == (
            pytest.approx(1.0, abs=1e-12)
        )
        assert all(-1e-9 < part < 1 for part in parts)


def test_a_counter_that_wins_at_once_is_shown():
    # Nobody else has a disc, so one disc goes for sure, and it is the fifth.
    view = choosing("O - -", 3, hands="OT SSTT SSTT").view(0)

    assert solved(3).mixture(view) == pytest.approx([1.0, 0.0, 0.0])


def test_a_mixture_follows_the_names_of_seats_and_symbols():
    luck = random.Random(5)
    for position in luck.sample(positions(3), 12):
        found, throw = solved(3).strategy(position), luck.choice(THROWS)
        for turning in TURNINGS:
            if canonical([turned(hand, turning) for hand in position])[1] != inverse(turning):
                continue  # more than one naming leads to the position, and this is not the one that is taken
            order = luck.sample(range(3), 3)
            play = arranged([turned(position[seat], turning) for seat in order], renamed(throw, turning))
            for seat, place in enumerate(order):
                expected = found[THROWS.index(throw), place]
                mixture = solved(3).mixture(play.view(seat))
                assert mixture == pytest.approx([expected[turning[symbol]] for symbol in range(SYMBOLS)], abs=1e-12)


def inverse(turning: tuple[int, ...]) -> tuple[int, ...]:
    return tuple(turning.index(symbol) for symbol in range(SYMBOLS))


def renamed(throw: tuple[int, ...], turning: tuple[int, ...]) -> tuple[int, ...]:
    return tuple(turning.index(symbol) if symbol < SYMBOLS else symbol for symbol in throw)


def arranged(hands: list[int], throw: tuple[int, ...]) -> Play:
    """A game in which everybody has to choose."""
    letters = ["".join(letter * count for letter, count in zip("OST", counters(hand), strict=True)) for hand in hands]
    words = ["-" if symbol == SYMBOLS else "OST"[symbol] * (die + 1) for die, symbol in enumerate(throw)]
    return choosing(" ".join(words), len(hands), hands=" ".join(letters))


def test_a_mixture_is_of_what_is_held_and_ignores_what_is_sealed():
    one, other = (choosing("O TT -", 3, hands="OSS OTT SSTT") for _ in range(2))
    other.choose(1, 0)

    mixture = solved(3).mixture(one.view(0))

    assert mixture == solved(3).mixture(other.view(0))
    assert sum(mixture) == pytest.approx(1.0)
    assert mixture[2] == 0.0


@pytest.mark.parametrize("n_seats", SIZES)
def test_the_strong_level_plays_the_solution(n_seats: int):
    view = choosing("O TT -", n_seats, hands=" ".join(["OSST", *["OSTT"] * (n_seats - 1)])).view(0)
    mixture = solved(n_seats).mixture(view)

    drawn = [thought(view, luck) for luck in range(2000)]

    assert list(mixed(view, "any").values()) == mixture
    assert [drawn.count(symbol) / len(drawn) for symbol in range(SYMBOLS)] == pytest.approx(mixture, abs=0.04)


@pytest.mark.parametrize("letters", SMALL)
def test_solving_a_position_again_gives_what_is_kept(letters: str):
    solution = solved(3)
    position = canonical([hand(held) for held in letters.split()])[0]
    known = solution.worths.known._replace(states=[GAME.new(3)])  # plain, where the package's was compiled
    worths, marks = np.zeros(3), np.zeros(2000, np.int64)

    count = solve_position(known, np.array(position), np.array(faces(), float), np.log(module.LAST), worths, marks)

    kept = solution._solved[position]
    assert [round(part * UNIT) for part in worths[: len(kept.worths)]] == list(kept.worths)
    assert marks[:count].tolist() == kept.marks.tolist()


@pytest.mark.parametrize("letters", SMALL)
def test_stage_by_stage_a_position_is_worth_the_same(letters: str):
    """As it is with five players and more; in these endgames both ways lead to the same."""
    position = canonical([hand(held) for held in letters.split()])[0]
    desk = lay_out(solved(3).worths.known._replace(states=[GAME.new(3)]), np.array(position))
    spot, worths, chances = room_for(desk), np.zeros(3), chances_of(desk, np.array(faces(), float))

    assert settle_apart(desk, chances, np.log(module.LAST), spot) != FAILED

    round_worths(desk, spot, worths)
    kept = shares(position, solved(3)._solved[position].worths)
    assert worths[: len(kept)].tolist() == pytest.approx(kept, abs=1e-6)


@pytest.mark.soak
@pytest.mark.parametrize("n_seats", SIZES)
def test_solving_many_positions_again_gives_what_is_kept(n_seats: int):
    work, solution = Solving(n_seats, Path("never written")), solved(n_seats)
    work.worths = solution.worths
    for position in random.Random(n_seats).sample(positions(n_seats), 60):
        found, kept = work.solve(position), solution._solved[position]
        assert (found.worths, found.marks.tolist()) == (kept.worths, kept.marks.tolist())


def test_a_run_that_was_stopped_goes_on_where_it_was(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    asked: list[Hands] = []

    def solve(work: Solving, position: Hands) -> object:
        asked.append(position)
        return solved(3)._solved[position]

    def stop(done: int) -> None:
        if done == 100:
            raise KeyboardInterrupt

    monkeypatch.setattr(Solving, "solve", solve)
    monkeypatch.setattr(module, "in_order", lambda work, pieces, _: map(work, pieces))
    out = tmp_path / "out"
    with pytest.raises(KeyboardInterrupt):
        Solving(3, out).run(1, stop)
    kept = out.with_name("out.part")
    kept.write_bytes(kept.read_bytes() + b"[[1],[2")  # a kill in the middle of a line
    Solving(3, out).run(1, lambda _: None)

    assert asked == list(positions(3))
    assert out.read_bytes() == PACKAGED[3].read_bytes()
    assert not kept.exists()


def test_a_file_that_is_not_whole_is_refused(tmp_path: Path):
    cut, other = tmp_path / "cut", tmp_path / "other"
    cut.write_bytes(PACKAGED[3].read_bytes()[:-1])
    other.write_text("{}\n")

    for file in (cut, other):
        with pytest.raises(BadSolution):
            read(file)
    with pytest.raises(BadSolution, match="is for 3 players, not 4"):
        solved(4, PACKAGED[3])


def test_what_comes_with_the_package_is_small():
    assert sum(file.stat().st_size for file in (*PACKAGED.values(), *LIMITED.values()) if file.exists()) < 2_000_000


def always_the_triangle(position: Hands) -> np.ndarray:
    """The last symbol that each seat holds, at every throw."""
    found = np.zeros((len(THROWS), len(position), SYMBOLS))
    for seat, held in enumerate(position):
        found[:, seat, max(symbol for symbol in range(SYMBOLS) if counters(held)[symbol])] = 1.0
    return found


def test_the_certificate_finds_what_a_bad_strategy_loses():
    # With three triangles shown for ever, only a threes die with triangles ends the game, and all share it. The answer
    # of the seat that has a square is the endgame above; the others have no other choice.
    position = canonical([hand("TT"), hand("TT"), hand("ST")])[0]

    assert Table(3).judge(position, always_the_triangle(position)) == pytest.approx(55 / 57 - 1 / 3, abs=1e-12)


def test_the_solution_of_three_holds_against_the_best_answer():
    found = json.loads(called("certify", "pok", "--players", 3, "--json").stdout)

    assert found["positions"] == 457
    assert found["digest"] == solved(3).digest
    assert -1e-9 < found["epsilon_start"] <= 0.0002
    assert found["epsilon_start"] <= found["epsilon_max"] <= 0.002


@pytest.mark.parametrize("n_seats", [n for n in SIZES if n > 3])
def test_nobody_among_more_players_does_better_for_a_while(n_seats: int):
    """Spot checks: until a counter goes, the best response gains next to nothing, if the game goes on as solved."""
    solution, table = solved(n_seats), Table(n_seats)
    for hands in table.open:
        table.write(hands, (worths := solution.worths.of(hands)), worths)
    for position in random.Random(n_seats).sample(positions(n_seats)[1:], 25):
        assert table.judge(position, solution.strategy(position)) < 1e-4
        assert table.played_by(position) == pytest.approx(solution.worths.of(position), abs=1e-4)


def test_with_rounds_left_an_endgame_without_any_choice_by_hand():
    # As above, but where the game would go on, all three share it after the last round: v = 14/27 + (v before)/4.
    hands = [hand("SS"), hand("TT"), hand("TT")]
    found = [limited(3).worths(rounds_left).of(hands)[hands[0]] for rounds_left in range(3)]

    assert found == pytest.approx([1 / 3, 65 / 108, 14 / 27 + 65 / 432], abs=1e-7)


def test_when_the_rounds_are_out_those_with_the_fewest_counters_share():
    hands = [hand("OST"), hand("OSS"), hand("OOST")]

    assert limited(3).worths(0).of(hands) == {hands[0]: 0.5, hands[1]: 0.5, hands[2]: 0.0}


def test_the_more_rounds_are_left_the_less_the_limit_matters():
    few, many = ([limited(3).worths(left).of(h)[h[0]] for h in LEADS] for left in (2, 30))
    without = [solved(3).worths.of(h)[h[0]] for h in LEADS]

    assert many == pytest.approx(without, abs=0.06)  # there may be several equilibria
    assert few != pytest.approx(without, abs=0.1)


def test_a_mixture_heeds_the_last_round():
    # Only a disc that no other shows draws level; with many rounds left that would be no reason to be sure.
    last, early = (choosing("O - -", 3, hands="OOSST OOSST SSTT", max_rounds=limit).view(0) for limit in (1, 200))

    assert solved(3).mixture(last) == pytest.approx([1.0, 0.0, 0.0], abs=1e-6)
    assert solved(3).mixture(last) != pytest.approx(solved(3).mixture(early), abs=0.01)


@pytest.mark.parametrize("rounds_left", [1, 4, 30])
def test_nobody_does_better_in_a_round_with_rounds_left(rounds_left: int):
    """Spot checks: the best response in this round gains next to nothing, if the game goes on as solved."""
    table, later, now = Table(3, has_limit=True), limited(3).worths(rounds_left - 1), limited(3).worths(rounds_left)
    for hands in table.open:
        table.write(hands, (worths := later.of(hands)), worths)
    table.turn_back()
    sample = random.Random(rounds_left).sample(list(table.going_on()), 6)
    for position in sample:
        assert table.judge(position, solved(3).strategy(position, rounds_left)) < 1e-4
    table.turn_back()
    for position in sample:
        assert table.played_by(position) == pytest.approx(now.of(position), abs=1e-4)


def test_a_run_with_a_limit_goes_round_by_round(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    file = read(LIMITED[3])
    pieces = iter(file.solved)
    monkeypatch.setattr(LimitedSolving, "solve", lambda *_: next(pieces))
    monkeypatch.setattr(module, "in_order", lambda work, pieces, _: map(work, pieces))

    LimitedSolving(3, tmp_path / "out", 30).run(1, lambda _: None)

    assert (tmp_path / "out").read_bytes() == LIMITED[3].read_bytes()


def test_a_file_for_a_limit_and_one_without_are_told_apart():
    with pytest.raises(BadSolution, match="without a limit"):
        limited(3, PACKAGED[3])
    with pytest.raises(BadSolution, match="at most 30 rounds"):
        limited(3).strategy(positions(3)[-1], 31)
