"""Matches: the same seed gives the same result, and every number is what it says."""

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner

from pokade.arena.loops import Arena
from pokade.arena.simulate import Match, estimate, plain_game, plain_row, run
from pokade.chance import Seeded
from pokade.cli import app
from pokade.games import GAMES
from pokade.games.play import Play, View
from pokade.players import RANDOM, THUMBS, player, policy

TIMES = ("seconds", "compile_seconds", "choices_per_second", "games_per_second", "rounds_per_second", "threads")

every_game = pytest.mark.parametrize("game", GAMES.values(), ids=lambda game: game.name)


def result(match: Match) -> dict[str, object]:
    return {key: value for key, value in match.summary().items() if key not in TIMES}


@every_game
def test_the_same_seed_gives_the_same_result_on_any_number_of_threads(game):
    seats = ["random"] * game.seats[0]

    one, two, five = (run(Match(game, seats, 20_011, seed=3, threads=threads)) for threads in (1, 2, 5))

    assert result(one) == result(two) == result(five)
    assert result(one) != result(run(Match(game, seats, 20_011, seed=4)))


@every_game
def test_shares_of_the_win_add_up_to_one_and_hold_what_they_say(game):
    match = run(Match(game, ["random"] * game.seats[-1], 20_000, seed=1))
    found = match.summary()

    assert sum(found["shares"]) == pytest.approx(1)
    assert sum(found["wins"]) + found["ties"] == pytest.approx(1)
    assert sum(found["endings"].values()) == pytest.approx(1)
    assert all(low.error > 0 for low in match.shares())
    assert match.tally.rounds.sum() == found["games"] == 20_000
    assert match.tally.scores.sum() == 20_000 * game.seats[-1]


KINDS = ["casual", "novice-bluffer", "random", "casual-bold", "novice", "casual-cautious"]


@every_game
@pytest.mark.parametrize("end", [0, -1])
def test_a_plain_table_plays_the_very_games_of_a_compiled_one(game, end: int):
    """Players of all kinds at one table: rounds, choices by seat and points of every game are the same."""
    n = game.seats[end]
    match = Match(game, [KINDS[seat % len(KINDS)] for seat in range(n)], 25, seed=3)

    compiled = Arena(game, n).play(3, 0, match.games, match.players)
    plain = [plain_row(match, number)[0].tolist() for number in range(match.games)]

    assert match.is_compiled
    assert compiled.tolist() == plain


@every_game
@pytest.mark.parametrize("end", [0, -1])
def test_rules_of_thumb_beat_chance(game, end: int):
    n = game.seats[end]

    match = run(Match(game, ["casual"] + ["random"] * (n - 1), 20_000, seed=5))

    assert match.is_compiled
    assert match.shares()[0].mean - match.shares()[0].error > 1 / n


@every_game
@pytest.mark.parametrize("name", [RANDOM, *THUMBS])
def test_a_player_repeats_itself_with_the_same_seed(game, name: str):
    def game_of(seed: int) -> list[tuple[int, int]]:
        play = Play(game, game.seats[0])
        plain_game(play, [player(name, game, f"{seed} {seat}") for seat in range(play.n_seats)], Seeded(seed))
        return play.steps

    assert game_of(1) == game_of(1)
    assert game_of(1) != game_of(2)


def test_a_confidence_interval_of_a_fair_coin():
    flips = estimate(total=500, squares=500, games=1000)

    assert flips.mean == 0.5
    assert flips.error == pytest.approx(1.96 * 0.5 / 1000**0.5, rel=1e-3)


def test_an_unknown_player_is_refused_before_anything_is_compiled():
    with pytest.raises(ValueError, match="no player clever; there are random, novice, casual"):
        Match(GAMES["pok"], ["clever"] * 3, 10)
    with pytest.raises(ValueError, match="no player clever"):
        policy("clever", GAMES["pok"])


def test_strong_players_sit_at_compiled_tables_too():
    seats = ["strong-bold", "casual", "random"]

    one, two = (run(Match(GAMES["pokopop"], seats, 6, seed=3, threads=threads)) for threads in (1, 2))

    assert one.is_compiled
    assert result(one) == result(two)
    assert [plain_row(one, number)[0].tolist() for number in range(2)] == Arena(one.game, 3).play(
        3, 0, 2, seats
    ).tolist()


def simulate(*words: str) -> tuple[int, str]:
    done = CliRunner().invoke(app, ["simulate", *words])
    return done.exit_code, done.output


def test_the_command_prints_one_json_object():
    status, printed = simulate("pok", "--players", "5", "--games", "1000", "--seed", "3", "--json")
    found = json.loads(printed)

    assert status == 0
    assert found["game"] == "pok"
    assert (found["players"], found["games"], len(found["shares"])) == (5, 1000, 5)
    assert {"choices", "seconds", "choices_per_second", "games_per_second", "ties", "rounds_mean"} <= found.keys()
    assert found["choices_per_second"] == pytest.approx(found["choices"] / found["seconds"])
    assert found["compile_seconds"] > 0


def test_the_command_prints_a_table_and_draws_a_picture(tmp_path: Path):
    picture = tmp_path / "poch.svg"

    status, printed = simulate(
        "poch", "--games", "200", "--player", "casual", "--player", "random", "--plot", str(picture)
    )

    assert status == 0
    assert "casual" in printed
    assert "200 games of Poch" in printed
    assert picture.read_text("utf-8").startswith("<?xml")


def choose_first(view: View) -> int:
    return view.choices[0]


def test_a_player_from_outside_plays_by_the_plain_rules(tmp_path: Path):
    (tmp_path / "bot.py").write_text("def choose(view):\n    return view.choices[0]\n", "utf-8")
    bot = f"{tmp_path / 'bot.py'}:choose"

    status, printed = simulate("pokopop", "--games", "20", "--player", bot, "--player", "casual", "--json")
    found = json.loads(printed)

    assert status == 0
    assert found["seats"] == [bot, "casual", "casual"]
    assert (found["games"], found["compile_seconds"]) == (20, 0)
    assert result(run(Match(GAMES["pokopop"], [choose_first, "casual", "casual"], 20)))["shares"] == found["shares"]


@pytest.mark.parametrize(
    ("words", "answer"),
    [
        (["chess"], "There is no game called chess. There are: pok, pokerdice, pokopop, poch."),
        (["pok", "--players", "2"], "POK is played by 3 to 7"),
        (["pok", "--option", "memory=weak"], "The option memory takes strict, assisted."),
        (["pok", "--option", "colour=red"], "POK has no option 'colour'. It has: memory, max_rounds."),
        (["pok", "--option", "memory"], "An option is written NAME=VALUE, not memory."),
        (["pok", "--player", "clever"], "no player clever"),
        (["pok", "--player", "nowhere.py:choose"], "there is no file nowhere.py"),
        (["pok", "--player", f"{__file__}:nothing"], "has no function nothing"),
        (["pok", "--players", "3", *["--player", "random"] * 4], "4 players are named for 3 seats"),
        (["pok", "--plot", "picture.gif"], "--plot takes a file that ends in"),
    ],
)
def test_a_mistake_is_answered_in_one_line(words: list[str], answer: str):
    status, printed = simulate(*words)

    assert status == 2
    assert answer in printed
    assert printed.count("\n") == 1
