"""The compiled rules and the cache that must never play old ones."""

import json
import os
import shutil
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import pytest

from pokade.arena import kernel
from pokade.arena.kernel import cache_directory, cell_of, record_type, visible
from pokade.arena.loops import POINTS, ROUNDS, WINNERS, Arena
from pokade.arena.simulate import Match, run
from pokade.games import GAMES
from pokade.games.state import UNKNOWN, blinded, columns, packed
from tests.patience import PATIENCE

SOURCE = Path(kernel.__file__).parents[2]
ROUNDS_OF_POK = """
import json
from pokade.arena.simulate import Match, run
from pokade.games import GAMES
print(json.dumps(run(Match(GAMES["pok"], ["random"] * 3, 2000, seed=1)).summary()["rounds_mean"]))
"""


def rounds_of_pok(source: Path, home: Path) -> float:
    environment = os.environ | {"PYTHONPATH": str(source), "XDG_CACHE_HOME": str(home)}
    done = subprocess.run(
        [sys.executable, "-c", ROUNDS_OF_POK], env=environment, capture_output=True, text=True, check=True, timeout=600
    )
    return float(json.loads(done.stdout))


def test_changed_rules_are_compiled_anew_and_the_old_ones_found_again(tmp_path: Path):
    source, home = tmp_path / "src", tmp_path / "home"
    shutil.copytree(SOURCE, source)
    rules = source / "pokade" / "games" / "pok.py"
    text = rules.read_text("utf-8")

    five = rounds_of_pok(source, home)
    rules.write_text(text.replace("GOAL: Final = 5 ", "GOAL: Final = 2 "), "utf-8")
    two = rounds_of_pok(source, home)
    rules.write_text(text, "utf-8")
    again = rounds_of_pok(source, home)

    assert two < five / 2
    assert again == five
    assert len(list((home / "pokade").glob("compiled-*"))) == 2


def test_a_change_in_any_source_changes_the_cache(tmp_path: Path):
    one, other = tmp_path / "one.py", tmp_path / "other.py"
    one.write_text("a", "utf-8")
    other.write_text("b", "utf-8")
    before = cache_directory([one, other], tmp_path)

    other.write_text("c", "utf-8")

    assert cache_directory([one, other], tmp_path) != before
    other.write_text("b", "utf-8")
    assert cache_directory([other, one], tmp_path) == before


def test_compiled_code_that_nobody_used_for_a_month_is_thrown_away(tmp_path: Path):
    old, recent = tmp_path / "compiled-old", tmp_path / "compiled-recent"
    for directory in (old, recent):
        directory.mkdir()
    os.utime(old, (time.time() - 40 * 86_400,) * 2)

    cache_directory([], tmp_path)

    assert (old.exists(), recent.exists()) == (False, True)


def test_a_home_that_cannot_be_written_does_not_matter(tmp_path: Path):
    blocked = tmp_path / "file"
    blocked.write_text("", "utf-8")

    assert cache_directory([], blocked / "home").is_dir()


@pytest.mark.parametrize("game", GAMES.values(), ids=lambda game: game.name)
def test_the_record_has_the_fields_of_the_state_in_64_bits(game):
    names = record_type(game)

    assert list(names.names or ()) == [column.name for column in columns(game.state)]
    assert {names[name].base for name in names.names or ()} == {np.dtype(np.int64)}
    assert names.itemsize == 8 * len(packed(game.new(game.seats[0])))
    assert cell_of(game, "told") == visible(game).shape[1]


@pytest.mark.parametrize("game", GAMES.values(), ids=lambda game: game.name)
def test_a_compiled_view_hides_what_a_plain_one_hides(game):
    seat, end = game.seats[0] - 1, cell_of(game, "told")
    state = game.new(game.seats[0])
    plain = packed(blinded(state, seat, recall=True))

    view = Arena(game, game.seats[0]).view(np.array(packed(state)), seat)

    assert view.tolist() == plain[:end]
    assert UNKNOWN in view


@pytest.mark.parametrize("game", GAMES.values(), ids=lambda game: game.name)
def test_games_of_a_run_do_not_depend_on_how_it_is_cut(game):
    arena, minds = Arena(game, game.seats[-1]), ["random"] * game.seats[-1]

    whole = arena.play(7, 0, 60, minds)
    parts = [arena.play(7, 0, 10, minds), arena.play(7, 10, 50, minds)]

    assert (np.concatenate(parts) == whole).all()
    assert (whole[:, WINNERS] > 0).all()
    assert (whole[:, ROUNDS] > 0).all()
    assert whole[:, POINTS:].any()


def test_every_ticket_is_equally_likely_in_the_compiled_loops():
    """The first throws of many games of POK show each face as often as it stands on its die, within five deviations."""
    game = GAMES["pok"]
    arena = Arena(game, 3)
    faces = np.zeros((3, 4), np.int64)
    games = 6_000
    for number in range(games):
        steps, _ = arena.trace(3, number)
        for die in range(3):
            faces[die, steps[die, 1]] += 1

    expected = np.array([[2, 2, 2, 0], [1, 1, 1, 3], [1, 1, 1, 3]]) / 6
    deviation = np.sqrt(games * expected * (1 - expected))
    assert (abs(faces - games * expected) <= 5 * deviation).all()


def test_each_seat_of_a_compiled_table_has_a_mind_of_its_own():
    rows = Arena(GAMES["pok"], 4).play(1, 0, 400, ["novice", "random", "casual", "novice"])
    wins = [(rows[:, WINNERS] >> seat & 1).mean() for seat in range(4)]

    assert wins[2] > max(wins[0], wins[3]) > wins[1]


COMPILED_NOTHING = """
from numba.core import event
from pokade.arena import kernel
from pokade.arena.simulate import Match, run
from pokade.games import GAMES
with event.install_recorder("numba:compile") as compiled:
    match = run(Match(GAMES["pok"], ["casual", "random", "novice"], 40, seed=3))
print(len(compiled.buffer), sum(not made.cache_hits for made in kernel._kept), match.tally.seats.tolist())
"""


def test_a_second_process_never_compiles_again():
    here = run(Match(GAMES["pok"], ["casual", "random", "novice"], 40, seed=3))

    done = subprocess.run([sys.executable, "-c", COMPILED_NOTHING], capture_output=True, text=True, check=True)

    assert done.stdout == f"0 0 {here.tally.seats.tolist()}\n"


SEES = """
import sys
from numba.core import event
import numpy as np
from pokade.arena.loops import Arena
from pokade.games import GAMES
from pokade.games.state import packed
game = GAMES["pok"]
with event.install_recorder("numba:compile") as compiled:
    view = Arena(game, 3).view(np.array(packed(game.new(3))), 1)
print(int(view.sum()), len(compiled.buffer), file=sys.stdout)
"""


def test_processes_that_start_at_once_do_not_harm_the_cache(tmp_path: Path):
    """They may compile the same thing, all of them; what they leave is whole, and good for the next one."""
    call, home = [sys.executable, "-c", SEES], os.environ | {"XDG_CACHE_HOME": str(tmp_path)}

    together = [subprocess.Popen(call, env=home, stdout=subprocess.PIPE, text=True) for _ in range(3)]
    found = [process.communicate(timeout=PATIENCE)[0].split() for process in together]
    after = subprocess.run(call, env=home, capture_output=True, text=True, check=True).stdout.split()

    assert {view for view, _ in [*found, after]} == {after[0]}
    assert any(int(compiled) for _, compiled in found)
    assert after[1] == "0"
