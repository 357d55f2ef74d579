"""Problems: every position can be reached, every proof holds, and the position of a day is the same everywhere."""

from datetime import date, timedelta
from pathlib import Path

import pytest

from pokade import problems
from pokade.analysis.composing.__main__ import packed
from pokade.analysis.composing.exact import exact
from pokade.analysis.composing.sampled import looked_again
from pokade.analysis.composing.selfplay import is_exact, played
from pokade.analysis.moments import Moment
from pokade.analysis.solved import BySolution
from pokade.games import GAMES
from pokade.games.errors import Refused
from pokade.problems import Problem, days_game, file_of, problem_of

GAP = 0.04
SURELY = 3
TRIES = 1500
FEW = 3  # of a game that are looked at again
SHIPPED = [game for game in GAMES.values() if file_of(game).exists()]
EXACT = [game for game in SHIPPED if is_exact(game)]
SAMPLED = [game for game in SHIPPED if not is_exact(game)]
every_game = pytest.mark.parametrize("game", SHIPPED, ids=lambda game: game.name)


def sample(game) -> list[Problem]:
    found = problems.problems(game)
    return [found[number * len(found) // FEW] for number in range(FEW)]


def test_there_are_problems_and_all_files_are_small():
    assert EXACT
    assert sum(file_of(game).stat().st_size for game in SHIPPED) < 1_000_000


@every_game
def test_every_problem_is_a_position_of_its_game_with_a_choice_to_make(game):
    for problem in problems.problems(game):
        view = problem.play.view(problem.seat)

        assert [one.choice for one in problem.choices] == view.choices
        assert len(view.choices) > 1


@every_game
def test_the_right_choices_are_surely_ahead_of_all_others(game):
    for problem in problems.problems(game):
        right = [one for one in problem.choices if one.choice in problem.best]
        wrong = [one for one in problem.choices if one.choice not in problem.best]

        assert problem.gap - SURELY * problem.gap_error >= GAP - 1e-4
        assert min(one.worth for one in right) - max(one.worth for one in wrong) >= GAP - 1e-4
        assert sum(one.often for one in problem.choices) == pytest.approx(1, abs=1e-3)
        assert sum(one.often for one in right) >= 0.5


@every_game
def test_no_problem_comes_twice(game):
    found = problems.problems(game)

    assert len({(one.seat, *one.record.actions) for one in found}) == len(found)


@pytest.mark.parametrize("game", EXACT, ids=lambda game: game.name)
def test_where_a_game_is_solved_the_proof_is_what_the_solution_says(game):
    for problem in sample(game):
        play = problem.play
        here = Moment(play.state, {problem.seat: problem.best[0]}, 1)
        judged = BySolution(game, play.n_seats).judge(here, {})[problem.seat]

        for one in problem.choices:
            assert one.worth == pytest.approx(judged.worths[one.choice], abs=1e-6)
            assert one.often == pytest.approx(judged.mixture[one.choice], abs=1e-5)


@pytest.mark.parametrize("game", SAMPLED, ids=lambda game: game.name)
def test_elsewhere_fresh_luck_finds_the_same(game):
    for problem in sample(game):
        again = looked_again(problem, TRIES, luck=90_000)
        at = again.choices.index(problem.best[0])

        for one in problem.choices:
            number = again.choices.index(one.choice)
            known = next(valued for valued in problem.choices if valued.choice == problem.best[0]).worth - one.worth
            found = float(again.means[at] - again.means[number])
            doubt = 5 * (float(again.errors[at] ** 2 + again.errors[number] ** 2) ** 0.5 + one.error)
            assert abs(found - known) <= doubt


@pytest.mark.parametrize("game", EXACT, ids=lambda game: game.name)
def test_the_same_games_of_self_play_give_the_same_problems(game):
    rows = [row for number in range(6) if (row := exact(played(game, number)))]
    made = problems.read(game, {"problems": rows, "method": {}})

    shipped = problems.problems(game)[: len(made)]
    assert rows
    assert [(one.record.actions, one.choices, one.gap) for one in made] == [
        (one.record.actions, one.choices, one.gap) for one in shipped
    ]
    assert packed(game, rows) == packed(game, rows)


def test_a_day_has_one_position_for_each_game_and_one_game_of_its_own():
    day = date(2026, 11, 18)

    assert problem_of(SHIPPED[0], day) is problem_of(SHIPPED[0], day)
    assert [days_game(day + timedelta(days=n)) for n in range(len(SHIPPED))].count(SHIPPED[0]) == 1
    assert problem_of(SHIPPED[0], day).number != problem_of(SHIPPED[0], day + timedelta(days=1)).number


@every_game
def test_where_games_take_turns_all_positions_come(game):
    first = next(day for n in range(len(SHIPPED)) if days_game(day := date(2026, 1, 1) + timedelta(days=n)) is game)
    count = len(problems.problems(game))
    days = [first + timedelta(days=len(SHIPPED) * n) for n in range(count * (len(SHIPPED) + 1))]

    assert {problem_of(game, day).number for day in days} == set(range(count))


def test_a_game_without_problems_is_refused_with_a_code(monkeypatch: pytest.MonkeyPatch, tmp_path: Path):
    monkeypatch.setattr(problems, "file_of", lambda _: tmp_path / "none")
    problems.problems.cache_clear()

    with pytest.raises(Refused) as refused:
        problems.problems(SHIPPED[0])

    problems.problems.cache_clear()
    assert refused.value.code == "problem/none"
