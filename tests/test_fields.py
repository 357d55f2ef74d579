"""The pages of fields and of encoded views: fresh, complete, and enough to write a bot from."""

import re
from pathlib import Path

import pytest
from docs import encoding, fields

from pokade.arena.outside import outsider
from pokade.chance import Seeded
from pokade.games import GAMES
from pokade.games.game import Game
from pokade.games.play import Play, View
from pokade.games.state import State, columns
from pokade.loop import finish
from pokade.players import player

EXAMPLES = Path(fields.__file__).parent / "examples"
every_game = pytest.mark.parametrize("game", GAMES.values(), ids=lambda game: game.name)


@pytest.mark.parametrize("made", [fields, encoding], ids=lambda made: made.PAGE.name)
def test_the_page_is_fresh(made):
    assert made.PAGE.read_text("utf-8") == made.page(), "run `make docs`"


@every_game
def test_every_field_but_an_option_says_what_it_means(game: Game):
    said = fields.meanings(State) | fields.meanings(game.state)

    silent = {column.name for column in columns(game.state)} - set(said)

    assert silent == {option.name for option in game.options}


def test_every_attribute_of_a_view_is_explained():
    page = fields.PAGE.read_text("utf-8")

    assert [name for name in dir(View) if not name.startswith("_") and f"`view.{name}`" not in page] == []


@every_game
def test_an_option_lists_what_it_takes_at_any_table(game: Game):
    for option in game.options:
        taken = {value for n_seats in game.seats for value in option.takes(n_seats) if isinstance(value, str)}

        assert taken <= set(re.findall(r"[\w-]+", fields._option(option, game))), option.name


@every_game
def test_every_phase_has_a_name(game: Game):
    names, play, chance = fields.phases(fields._module(game)), Play(game, game.seats[0]), Seeded(1)

    finish(play, chance, [player("random", game, seat) for seat in range(play.n_seats)])

    assert names[play.state.phase] == "OVER"


@pytest.mark.parametrize("n_seats", GAMES["poch"].seats)
def test_the_bot_that_was_written_from_the_page_plays_at_every_table(n_seats: int):
    bot = outsider(str(EXAMPLES / "poch_bot.py"))
    assert bot is not None

    play = finish(Play(GAMES["poch"], n_seats), Seeded(n_seats), [bot] * n_seats)

    assert play.outcome() is not None
