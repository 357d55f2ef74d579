"""Tournaments: the same dice for everybody, every seat in turn, and numbers that hold."""

import json
from importlib import import_module
from itertools import takewhile
from pathlib import Path

import pytest
from typer.testing import CliRunner

from pokade.arena.played import Played, clustered
from pokade.arena.tournament import Tournament, run
from pokade.cli import app
from pokade.games import GAMES
from pokade.games.errors import BadRun
from pokade.games.play import Play, View
from pokade.games.state import CHANCE
from pokade.players import CASUAL, RANDOM

every_game = pytest.mark.parametrize("game", GAMES.values(), ids=lambda game: game.name)


def games_of(tournament: Tournament) -> list[tuple[object, ...]]:
    """What was played, without how long it took."""
    return [(one.number, one.deal, one.who, one.shares, one.points, one.choices) for one in tournament.played]


def played(shares: list[float], deal: int = 0, who: tuple[int, ...] = (0, 1, 2)) -> Played:
    return Played(0, deal, who, tuple(shares), (0,) * len(shares), (0.1,) * len(shares), (1,) * len(shares))


@every_game
def test_a_tournament_is_the_same_on_any_number_of_threads(game):
    names = ["casual", *["novice"] * (game.seats[0] - 1)]
    one, three, other = Tournament(game, names, 1), Tournament(game, names, 1), Tournament(game, names, 2)

    run(one, 7)
    run(three, 7, workers=3)
    run(other, 7)

    assert games_of(one) == games_of(three) != games_of(other)


@every_game
def test_a_compiled_tournament_plays_the_very_games_of_a_plain_one(game):
    pool = ["casual", "novice-bold", "random", "casual-bluffer"]
    tournament, plain = (Tournament(game, pool, 4, n_seats=game.seats[0]) for _ in range(2))

    run(tournament, 20)
    plain.played = [plain.play(number) for number in range(20)]

    assert tournament.is_compiled
    assert games_of(tournament) == games_of(plain)
    assert tournament.cross() == plain.cross()
    assert tournament.standings()[0].share == plain.standings()[0].share


@every_game
def test_everybody_sits_everywhere_with_the_same_dice_and_deals(game, monkeypatch: pytest.MonkeyPatch):
    n, plays, honest = game.seats[0], dict[int, Play](), Play.happen

    def watched(play: Play, outcome: int) -> None:
        plays[id(play)] = play
        honest(play, outcome)

    monkeypatch.setattr(Play, "happen", watched)
    tournament = Tournament(game, [CASUAL, *[RANDOM] * (n - 1)])
    tournament.played = [tournament.play(number) for number in range(n)]

    before_any_choice = [list(takewhile(lambda step: step[0] == CHANCE, play.steps)) for play in plays.values()]
    assert sorted(one.who.index(0) for one in tournament.played) == list(range(n))
    assert len(before_any_choice) == n
    assert before_any_choice[0]
    assert before_any_choice == before_any_choice[:1] * n


def test_dice_do_not_depend_on_how_the_round_before_went():
    throws: list[list[tuple[int, ...]]] = [[], []]

    def watch(number: int, choice: int):
        def choose(view: View) -> int:
            if view.state.phase == 2 and len(throws[number]) < view.state.round:  # the choosing of a round
                throws[number].append(tuple(view.state.dice))
            return view.choices[choice]

        return choose

    for number, choice in ((0, 0), (1, -1)):  # stops at once, throws everything again
        run(Tournament(GAMES["pokerdice"], ["w", "w"], 5, outsiders={"w": watch(number, choice)}), 1)

    assert len(throws[0]) == 10
    assert throws[0] == throws[1]


def test_a_share_comes_with_the_interval_of_its_deals():
    same = [(deal, share) for deal in range(50) for share in (1.0, 0.0)]  # turning the table round evens everything out
    alone = [(game, float(game % 2)) for game in range(100)]

    assert clustered(same) == (0.5, 0.0)
    assert clustered(alone) == (0.5, pytest.approx(1.96 * 0.5 / 10, rel=0.01))
    assert clustered([(0, 1.0)]) == (1.0, 1.0)  # one deal says nothing about others


def test_a_cross_table_counts_what_went_to_either_of_two():
    tournament = Tournament(GAMES["pok"], ["casual", "novice", "novice"])
    tournament.played = [played([1, 0, 0]), played([0, 1, 0]), played([0, 0, 1]), played([0.5, 0.5, 0])]

    assert tournament.cross()["casual"] == {"casual": None, "novice": 1.5 / (1.5 + 1.25)}


def test_who_wins_is_rated_above_who_does_not():
    tournament = Tournament(GAMES["pok"], ["casual", "novice", "novice"])
    tournament.played = [played([1, 0, 0])] * 20

    ratings = tournament.ratings()

    assert ratings["casual"]["ordinal"] > ratings["novice"]["ordinal"] + 5


def test_equal_wins_of_several_seats_are_an_equal_rating():
    tournament = Tournament(GAMES["pok"], ["casual", "novice", "novice"])
    tournament.played = [played(shares) for shares in ([1, 0, 0], [0, 1, 0], [0, 0, 1])] * 30

    ratings = tournament.ratings()

    assert abs(ratings["casual"]["mu"] - ratings["novice"]["mu"]) < 2


def test_a_pool_sends_everybody_to_the_tables_equally_often():
    tournament = Tournament(GAMES["pok"], [RANDOM, "novice", "casual", "casual-bold", "novice-bluffer"], n_seats=3)

    seated = [who for deal in range(600) for who in tournament.lineup(deal)]

    assert {seated.count(who) // 60 for who in range(5)} <= {5, 6}
    assert all(len(set(tournament.lineup(deal))) == 3 for deal in range(50))


def test_a_stopped_tournament_goes_on_where_it_was(tmp_path: Path):
    keep, names = tmp_path / "kept.jsonl", ["casual", "novice", "novice"]
    whole, begun, resumed = (Tournament(GAMES["pok"], names, 9) for _ in range(3))
    run(whole, 8)
    run(begun, 5, keep=keep)
    keep.write_text(keep.read_text("utf-8") + '{"number": 5, "de', "utf-8")  # the power went in the middle of a line
    heard: list[int] = []

    run(resumed, 8, keep=keep, progress=heard.append)

    assert games_of(resumed) == games_of(whole)
    assert heard == [5, 8]
    assert len(keep.read_text("utf-8").splitlines()) == 9


def test_a_file_of_another_tournament_is_not_mixed_in(tmp_path: Path):
    keep = tmp_path / "kept.jsonl"
    run(Tournament(GAMES["pok"], ["casual", "novice", "novice"]), 1, keep=keep)

    with pytest.raises(BadRun, match="another run"):
        run(Tournament(GAMES["pok"], ["casual", "novice", "novice"], 1), 1, keep=keep)


@pytest.mark.parametrize("changed", ["bot.py", "near.py"])
def test_games_of_a_bot_whose_file_has_changed_are_not_mixed_in(changed: str, tmp_path: Path):
    (tmp_path / "bot.py").write_text("import near\ndef choose(view):\n    return near.pick(view)\n", "utf-8")
    (tmp_path / "near.py").write_text("def pick(view):\n    return view.choices[0]\n", "utf-8")
    keep = tmp_path / "kept.jsonl"
    words = ["arena", "pok", "--seats", f"{tmp_path / 'bot.py'},novice,novice", "--keep", str(keep)]

    first = CliRunner().invoke(app, [*words, "--games", "1"])
    with (tmp_path / changed).open("a", encoding="utf-8") as file:
        file.write("# better now\n")
    second = CliRunner().invoke(app, [*words, "--games", "2"])

    assert first.exit_code == 0, first.output
    assert second.exit_code == 2
    assert f"holds games of another {tmp_path / 'bot.py'} (the file has changed since)" in second.stderr


def test_games_of_other_engine_code_are_not_mixed_in(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    keep, names = tmp_path / "kept.jsonl", ["novice", "novice", "novice"]
    run(Tournament(GAMES["pok"], names), 1, keep=keep)
    honest = Path.read_bytes
    for engine in ("chance.py", "kernel.py", "bots.py", "tournament.py", "__init__.py", "thinking.py"):
        with monkeypatch.context() as patch:
            patch.setattr(Path, "read_bytes", lambda file, name=engine: honest(file) + b"#" * (file.name == name))
            with pytest.raises(BadRun, match="pokade has changed since"):
                run(Tournament(GAMES["pok"], names), 1, keep=keep)


@pytest.mark.parametrize("game", GAMES)
def test_the_command_needs_no_more_than_a_game(game: str, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(import_module("pokade.cli.arena"), "STRONG", "novice")  # nothing is compiled

    found = json.loads(CliRunner().invoke(app, ["arena", game, "--games", "1", "--json"]).stdout)
    larger = json.loads(CliRunner().invoke(app, ["arena", game, "--games", "1", "--players", "4", "--json"]).stdout)

    assert found["seats"] == ["novice", *["casual"] * (GAMES[game].seats[0] - 1)]
    assert len(larger["seats"]) == larger["players"] == 4


def test_the_table_shows_whole_names(tmp_path: Path):
    bots = [tmp_path / f"a_folder_with_a_long_name_{number}" / "bot.py" for number in (1, 2)]
    for bot in bots:
        bot.parent.mkdir()
        bot.write_text("def choose(view):\n    return view.choices[0]\n", "utf-8")
    words = ["arena", "pok", "--seats", f"{bots[0]},{bots[1]},novice", "--games", "1"]

    shown = CliRunner().invoke(app, words, env={"COLUMNS": "70"}).stdout

    assert all(str(bot) in shown for bot in bots)


def test_threads_say_where_they_can_not_help(tmp_path: Path):
    bot = tmp_path / "bot.py"
    bot.write_text("def choose(view):\n    return view.choices[0]\n", "utf-8")
    words = [("arena", "--seats", f"{bot},novice,novice"), ("simulate", "--player", str(bot))]

    for command, flag, value in words:
        result = CliRunner().invoke(app, [command, "pok", flag, value, "--games", "1", "--threads", "2"])
        assert "--threads: a bot file may remember" in result.stderr
        assert result.exit_code == 0


def test_a_function_written_like_a_rule_sits_at_compiled_tables(tmp_path: Path):
    (tmp_path / "first.py").write_text(
        "from pokade.games.pokopop import choice_at\nfrom pokade.games.state import rule\n\n\n"
        '@rule\ndef first(view, seat, luck):\n    """The first choice."""\n    return choice_at(view, seat, 0)\n',
        "utf-8",
    )
    (tmp_path / "plain.py").write_text("def choose(view):\n    return view.choices[0]\n", "utf-8")
    words = ["arena", "pokopop", "--games", "9", "--threads", "2", "--json", "--seats"]

    rule = CliRunner().invoke(app, [*words, f"{tmp_path / 'first.py'}:first,casual,casual"])
    plain = CliRunner().invoke(app, [*words, f"{tmp_path / 'plain.py'},casual,casual"])

    assert rule.stderr == ""
    assert "may remember" in plain.stderr
    assert json.loads(rule.stdout)["games"] == json.loads(plain.stdout)["games"] == 9


def test_the_command_prints_what_was_asked_for(tmp_path: Path):
    bot = tmp_path / "my_bot.py"
    bot.write_text("def choose(view):\n    return view.choices[-1]\n", "utf-8")
    words = ["arena", "pok", "--seats", f"{bot}:choose,novice,casual", "--games", "6", "--seed", "3"]

    found = json.loads(CliRunner().invoke(app, [*words, "--json"]).stdout)
    drawn = CliRunner().invoke(app, [*words, "--plot", str(tmp_path / "cross.svg")])

    assert found["seats"] == [f"{bot}:choose", "novice", "casual"]
    assert (found["game"], found["games"], len(found["shares"])) == ("pok", 6, 3)
    assert sum(found["shares"]) == pytest.approx(1)
    assert all(
        low <= share <= high for low, share, high in zip(found["low"], found["shares"], found["high"], strict=True)
    )
    assert all(spent > 0 for spent in found["milliseconds_per_choice"])
    assert "novice" in drawn.stdout
    assert (tmp_path / "cross.svg").read_text("utf-8").count("novice") >= 1


@pytest.mark.parametrize(
    ("words", "answer"),
    [
        (["--seats", "casual,genius,casual"], "no player genius"),
        (["--seats", "casual,random-bold,casual"], "no player random-bold"),
        (["--seats", "casual"], "POK is played by 3 to 7, and you have named 1: name as many"),
        (["--seats", "casual,missing.py:choose,casual"], "there is no file missing.py"),
        (["--seats", "casual,casual,casual", "--option", "memory=weak"], "option memory takes"),
        (["--seats", "casual,casual,casual", "--plot", "cross.txt"], "--plot takes a file"),
    ],
)
def test_a_mistake_is_answered_in_one_line(words: list[str], answer: str):
    result = CliRunner().invoke(app, ["arena", "pok", *words])

    assert result.exit_code == 2
    assert answer in result.stderr
    assert len(result.stderr.strip().splitlines()) == 1


def test_the_bot_in_the_documentation_is_the_one_beside_it_and_plays():
    docs = Path(__file__).parents[2] / "docs"
    file = docs / "examples" / "my_bot.py"

    assert file.read_text("utf-8").strip() in (docs / "bots.md").read_text("utf-8")
    assert len(file.read_text("utf-8").splitlines()) <= 20
    for game, others in (("pok", "novice,novice"), ("poch", "novice")):
        result = CliRunner().invoke(
            app, ["arena", game, "--seats", f"{file}:choose,{others}", "--games", "3", "--json"]
        )
        assert json.loads(result.stdout)["games"] == 3
