"""Runs: pieces of work have the same results in the same order by threads, processes or machines, and go on."""

import itertools
import sys
from pathlib import Path

import pytest

from pokade.arena import cluster
from pokade.arena.exploit.several import Several, learn
from pokade.arena.outside import by_rule
from pokade.arena.places import Places
from pokade.arena.runs import Processes, Threads, count_of, in_order
from pokade.arena.simulate import Match
from pokade.arena.simulate import run as simulate
from pokade.arena.tournament import Tournament
from pokade.arena.tournament import run as meet
from pokade.games import GAMES
from pokade.games.errors import BadRun
from pokade.players import policy
from pokade.solver.pok import LimitedSolving

POK = GAMES["pok"]
TIMES = ("seconds", "compile_seconds", "choices_per_second", "games_per_second", "rounds_per_second", "threads")


def squared(number: int) -> int:
    if number == 13:
        raise BadRun("run/bad", "thirteen")
    return number * number


@pytest.mark.parametrize("workers", [1, 3, Threads(2), Processes(2)], ids=["one", "three", "threads", "processes"])
def test_results_come_in_the_order_of_the_pieces(workers):
    assert list(in_order(squared, range(10), workers)) == [number * number for number in range(10)]
    assert count_of(workers) in (1, 2, 3)
    with pytest.raises(BadRun, match="thirteen"):
        list(in_order(squared, [1, 13, 2], workers))


def test_no_more_pieces_are_taken_than_keep_everybody_busy():
    """Otherwise a list without an end would never give anything."""
    found = in_order(squared, itertools.count(20), Threads(2))

    assert next(found) == 400
    found.close()


def test_a_place_is_used_by_one_at_a_time_and_kept():
    places = Places(list)

    with places.one() as one, places.one() as other:
        assert one is not other
    with places.one() as again:
        assert again is one or again is other


def result(match: Match) -> dict[str, object]:
    return {name: value for name, value in match.summary().items() if name not in TIMES}


def test_a_match_is_the_same_by_processes():
    seats = ["casual", "random", "novice"]

    here = simulate(Match(POK, seats, 9_000, seed=5))
    there = simulate(Match(POK, seats, 9_000, seed=5, workers=Processes(2)))

    assert result(here) == result(there)


def test_a_tournament_is_the_same_by_processes():
    here, there = (Tournament(POK, ["casual", "random", "novice"], seed=5) for _ in range(2))

    meet(here, 60, 1)
    meet(there, 60, Processes(2))

    assert [(one.number, one.who, one.shares) for one in here.played] == [
        (one.number, one.who, one.shares) for one in there.played
    ]


def test_a_solution_is_the_same_by_processes(tmp_path: Path):
    here, there = (LimitedSolving(3, tmp_path / name, 1) for name in ("here", "there"))

    here.run(2, lambda _: None)
    there.run(Processes(2), lambda _: None)

    assert here.out.read_bytes() == there.out.read_bytes()


def test_a_match_that_was_stopped_goes_on_from_its_file(tmp_path: Path):
    keep, seats = tmp_path / "kept", ["random", "casual", "random"]

    def stop(done: int) -> None:
        if done >= 16_384:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        simulate(Match(POK, seats, 30_000, seed=3), stop, keep)
    heard: list[int] = []
    whole = simulate(Match(POK, seats, 30_000, seed=3), heard.append, keep)

    assert heard[0] == 16_384
    assert result(whole) == result(simulate(Match(POK, seats, 30_000, seed=3)))
    with pytest.raises(BadRun, match="seed"):
        simulate(Match(POK, seats, 30_000, seed=4), keep=keep)


def test_learners_with_several_seeds_go_on_and_the_best_is_first(tmp_path: Path):
    asked = Several(POK, "random", 3, None, 300)

    (alone,) = learn(asked, [4], tmp_path, 1, lambda _: None)
    heard: list[int] = []
    found = learn(asked, [4, 5], tmp_path, Threads(1), heard.append)

    assert heard == [1, 2]
    assert sorted(one["seed"] for one in found) == [4, 5]
    assert found[0]["chosen_by"] >= found[1]["chosen_by"]
    assert {key: alone[key] for key in ("share", "best", "games")} == next(
        {key: one[key] for key in ("share", "best", "games")} for one in found if one["seed"] == 4
    )
    with pytest.raises(BadRun, match="against"):
        learn(Several(POK, "novice", 3, None, 300), [4], tmp_path, 1, lambda _: None)


def test_a_bot_from_a_file_does_not_leave_this_process():
    bot = by_rule("bot", policy("novice", POK))

    with pytest.raises(BadRun, match="this process only"):
        simulate(Match(POK, [bot, "random", "random"], 10, workers=Processes(1)))


def test_a_cluster_needs_ray_and_the_same_code_everywhere(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setitem(sys.modules, "ray", None)

    with pytest.raises(BadRun, match=r"pokade\[cluster\]"):
        cluster.Cluster()
    assert cluster._done(squared, cluster.code(), 5) == 25
    with pytest.raises(BadRun, match="another version"):
        cluster._done(squared, "other", 5)
